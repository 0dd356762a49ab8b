import { beforeAll, expect, it } from 'vitest'
import { written } from '#src/domain/calendar.ts'
import { unixNow } from '#src/domain/time.ts'
import { channelsServer } from '#src/modules/ecard/server/channels.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { channelOf } from '../../help/ecardChannels.ts'
import { fill } from '../../help/fill.ts'

const ROWS = 60_000
const now = unixNow()
const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
let database: Database
let id: number
beforeAll(async () => {
  database = await openCopy()
  id = (await channelOf(database)).id
  const { pool } = database
  await fill(
    pool,
    `insert into ecard_channel (name, type, start_at, end_at, status) select '渠道群' || n, 'enterprise', ${now} - 864000, ${now} + n * 600, case when n % 50 = 0 then 'off' else 'ended' end from generate_series(1, 20000) n`,
  )
  await fill(
    pool,
    `insert into ecard_ledger (created_at, owner, channel_id, type, amount_cents, balance_after_cents, ref_type, ref_id)
     select ${now} - n * 200, 'channel', (select max(id) from ecard_channel) - n % 500, 'recharge', 1, 1, 'plan', n from generate_series(1, ${ROWS}) n`,
  )
  await fill(
    pool,
    `insert into ecard_issue (channel_id, attr_id, n, price_cents, discount_bp, cost_cents)
     select (select max(id) from ecard_channel) - n % 500, (select min(id) from ecard_attr), 1, 100, 9000, 90 from generate_series(1, ${ROWS}) n`,
  )
  await fill(
    pool,
    `insert into ecard_channel_card (channel_id, attr_id, discount_bp, quota_n) select c.id, (select min(id) from ecard_attr), 9000, 5 from ecard_channel c where c.name like '渠道群%'`,
  )
  await fill(
    pool,
    `insert into ecard_channel_request (channel_id, kind, amount_cents, state, made_by) select (select max(id) from ecard_channel) - n % 500, 'recharge', 1, 'refused', 1 from generate_series(1, ${ROWS}) n`,
  )
  await pool.query('analyze')
}, 120_000)
const read = async (
  tables: readonly string[],
  run: (handlers: typeof channelsServer.handlers, db: Database['db']) => Promise<unknown>,
) => {
  const plans = await plansOf(database.pool, db => run(channelsServer.handlers, db))
  expect(plans.length).toBeGreaterThan(0)
  return tables.filter(table => seqScans(plans, table).length > 0)
}
const context = (db: Database['db']) => ({ db, staff, now }) as never

it('the money, the issues and the month of a channel are read by its index', async () => {
  const tables = ['ecard_ledger', 'ecard_issue', 'ecard_channel_request']
  const month = written(now, 'YYYY-MM')
  expect(await read(tables, (of, db) => of.money({ id }, context(db)))).toEqual([])
  expect(
    await read(tables, (of, db) => of.issues({ id, page: 1, pageSize: 20 }, context(db))),
  ).toEqual([])
  expect(await read(tables, (of, db) => of.statement({ id, month }, context(db)))).toEqual([])
}, 60_000)
it('channels are found by an index where a filter leaves few', async () => {
  for (const filter of [{ status: 'off' }, { type: 'own' }])
    expect(
      await read(['ecard_channel', 'ecard_channel_card', 'ecard_issue'], (of, db) =>
        of.lst({ page: 1, pageSize: 50, ...filter } as never, context(db)),
      ),
    ).toEqual([])
}, 60_000)
