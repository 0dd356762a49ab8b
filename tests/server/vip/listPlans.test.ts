import { beforeAll, expect, it } from 'vitest'
import { unixNow } from '#src/domain/time.ts'
import { vipDiscountServer } from '#src/modules/vip/server/cardDiscount.ts'
import { vipBatchServer, vipCodeServer } from '#src/modules/vip/server/cardManage.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { fill } from '../../help/fill.ts'
import { aPlan } from '../../help/vipCards.ts'

const now = unixNow()
const context = { staff: { id: 1, scope: everything, lang: 'zh' as const, can: () => true }, now }
let database: Database
let card_id: number
beforeAll(async () => {
  database = await openCopy()
  card_id = (await aPlan(database)).id
  const run = (text: string, values: unknown[] = []) => database.pool.query(text, values)
  // Two thousand batches with thirty thousand numbers, nearly all of them handed out long ago.
  await run(
    `insert into vip_code_batch (batch_no, card_id, qty, made_n, channel, expire_at, reason, status, maker_id)
     select 'PB' || n, (select min(id) from vip_card), 15, 15, '渠道', $1, '测试', case
       when n % 200 = 0 then 'rejected' else 'ready' end, 1 from generate_series(1, 2000) n`,
    [now + 1000],
  )
  await fill(
    database.pool,
    `insert into vip_card_code (batch_id, card_id, card_no, secret_hash, secret_sealed, channel, expire_at, status)
     select b.id, b.card_id, 'P' || b.id || '-' || n, 'h', 's', b.channel, b.expire_at, case when n = 1
       and b.id % 50 = 0 then 'frozen' else 'issued' end from vip_code_batch b, generate_series(1, 15) n
       where b.batch_no like 'PB%'`,
  )
  await fill(
    database.pool,
    `insert into vip_card_discount (card_id, scope, scope_id, discount_bp, platform_share_bp,
      merchant_share_bp, start_at, end_at, status)
     select (select min(id) from vip_card), 'store', n, 8000, 10000, 0, $1::bigint, $1::bigint + 1000, case
       when n % 100 = 0 then 'off' else 'on' end from generate_series(1, 20000) n`,
    [now],
  )
  await run('analyze')
}, 120_000)

type Handler = (asked: never, context: never) => unknown
/** Which filters of a list read a whole table, but for the counts. */
const scannedBy = async (list: Handler, tables: readonly string[], filters: object) => {
  const scanned: string[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const plans = await plansOf(database.pool, db =>
      Promise.resolve(
        list({ page: 1, pageSize: 50, ...filter } as never, { ...context, db } as never),
      ),
    )
    const asked = plans.filter(({ text }) => !text.includes('count('))
    for (const table of tables)
      if (seqScans(asked, table).length > 0) scanned.push(`${name} ${table}`)
  }
  return scanned
}
it('numbers are found by an index, whatever they are filtered by', async () => {
  const found = await scannedBy(vipCodeServer.handlers.lst, ['vip_card_code'], {
    none: {},
    state: { status: 'frozen' },
    batch: { batch_id: 5 },
    number: { keyword: 'P5-1' },
  })
  expect(found).toEqual([])
}, 60_000)
it('batches are found by an index, whatever they are filtered by', async () => {
  const found = await scannedBy(vipBatchServer.handlers.lst, ['vip_code_batch', 'vip_card_code'], {
    none: {},
    state: { status: 'rejected' },
    plan: { card_id },
  })
  expect(found).toEqual([])
}, 60_000)
it('discounts are found by an index, whatever they are filtered by', async () => {
  const found = await scannedBy(vipDiscountServer.handlers.lst, ['vip_card_discount'], {
    none: {},
    plan: { card_id },
    scope: { scope: 'product' },
    state: { status: 'off' },
  })
  expect(found).toEqual([])
}, 60_000)
