import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { accountsServer } from '#src/modules/user/server/list.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

const now = unixNow()
let database: Database
beforeAll(async () => {
  database = await openCopy()
  await fill(
    database.pool,
    `insert into member (uid, nickname, phone, city_id, unionid, register_at, register_source, account_state)
     select 'Q' || n, '账号' || n, lpad(n::text, 11, '1'), n % 40,
       case when n % 400 <> 0 then 'oPlan' || n end, ${now} - n,
       case when n % 200 = 0 then 'import' else 'mini_program' end,
       case when n % 400 = 0 then 'banned' else 'normal' end from generate_series(1, 40000) n`,
  )
  await database.pool.query('update member set unionid = uid where unionid is null and id % 9 <> 0')
  await database.pool.query('analyze')
}, 120_000)

it('accounts are found by an index, whatever they are filtered by', async () => {
  const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
  const lst = accountsServer.handlers['lst'] as unknown as (
    input: object,
    context: object,
  ) => Promise<unknown>
  const scanned: string[] = []
  for (const [name, filter] of Object.entries({
    none: {},
    phone: { keyword: '13800138000' },
    number: { keyword: 'Q77' },
    nickname: { keyword: '账号12345' },
    city: { city_id: 7 },
    state: { state: 'banned' },
    source: { register_source: 'import' },
    sanction: { sanction: 'mute' },
    unbound: { unbound: true },
    one: { member_id: 77 },
  })) {
    const plans = await plansOf(database.pool, db =>
      lst({ page: 1, pageSize: 50, ...filter }, { db, staff, now }),
    )
    // What nearly all rows match is counted by reading them.
    const asked = plans.filter(({ text }) => !text.includes('count('))
    if (seqScans(asked, 'member').length > 0) scanned.push(name)
    // Few are without WeChat: these are counted by the index too.
    if (
      name === 'unbound' &&
      seqScans(
        plans.filter(({ text }) => text.includes('"unionid" is null')),
        'member',
      ).length > 0
    )
      scanned.push('count of unbound')
  }
  expect(scanned).toEqual([])
}, 60_000)
