import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { groupMembersServer } from '#src/modules/distribution/server/groupMembers.ts'
import { sellersServer } from '#src/modules/distribution/server/index.ts'
import { invitingServer } from '#src/modules/distribution/server/inviteExpert.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'

const now = unixNow()
const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
let database: Database
beforeAll(async () => {
  database = await openCopy()
  await fill(
    database.pool,
    `insert into distributor (kind, member_id, store_id, name, phone, level_no, group_id, invite_code, city_id, mall_id, status, gmv_cents, refunded_cents, last_sale_at)
     select 'guide', (select min(id) from member), (select min(id) from store), '导购' || n, lpad(n::text, 11, '1'), 1 + n % 5, null, 'P' || n, n % 40, n % 300, case when n % 200 = 0 then 'rejected' else 'quit' end, n, case when n % 400 = 0 then n else 0 end, ${now} - n % 9000000 from generate_series(1, 30000) n`,
  )
  await database.pool.query(
    `insert into distributor (kind, member_id, name, phone, level_no, group_id, invite_code, city_id, status, gmv_cents)
     select 'expert', (select min(id) from member), '达人' || n, lpad(n::text, 11, '2'), 1 + n % 5, (select min(id) from dist_group) + n % 4, 'Q' || n, n % 40, 'quit', n from generate_series(1, 3000) n`,
  )
  await fill(
    database.pool,
    `insert into dist_invite (code, name, phone, city_id, expire_at, maker_id, status)
     select 'R' || n, '受邀' || n, lpad(n::text, 11, '3'), n % 40, 4000000000, (select min(id) from admin), case when n % 100 = 0 then 'stopped' else 'expired' end from generate_series(1, 20000) n`,
  )
  await database.pool.query('analyze')
}, 120_000)
type Handlers = Readonly<Record<string, unknown>>
const scannedBy = async (
  { handlers }: { handlers: Handlers },
  table: string,
  filters: Readonly<Record<string, object>>,
) => {
  const lst = handlers['lst'] as (input: object, context: object) => Promise<unknown>
  const scanned: string[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const plans = await plansOf(database.pool, db =>
      lst({ page: 1, pageSize: 50, ...filter }, { db, staff, now }),
    )
    // States are counted over all that match: where nearly all do, that is no index's work.
    const asked = plans.filter(({ text }) => !text.includes('count('))
    if (seqScans(asked, table).length > 0) scanned.push(name)
  }
  return scanned
}
it('sellers are found by an index, whatever they are filtered by', async () => {
  const kind = 'guide'
  const filters = {
    none: { kind },
    status: { kind, status: 'rejected' },
    level: { kind, level_no: 3 },
    city: { kind, city_id: 7 },
    mall: { kind, mid: 7 },
    team: { kind: 'expert', group_id: 1 },
    refunding: { kind, refunding: true },
    most: { kind, sort: 'gmv' },
    phone: { kind, keyword: '13800138000' },
    'most of a city': { kind, sort: 'gmv', city_id: 7 },
  }
  expect(await scannedBy(sellersServer, 'distributor', filters)).toEqual([])
}, 60_000)
it('members are found by the index of their team', async () => {
  const filters = { team: { group_id: 1 }, idle: { group_id: 1, idle: true } }
  expect(await scannedBy(groupMembersServer, 'distributor', filters)).toEqual([])
}, 60_000)
it('invitations are found by an index, whatever they are filtered by', async () => {
  const filters = {
    none: {},
    status: { status: 'stopped' },
    city: { city_id: 7 },
    phone: { keyword: '13800138000' },
  }
  expect(await scannedBy(invitingServer, 'dist_invite', filters)).toEqual([])
}, 60_000)
