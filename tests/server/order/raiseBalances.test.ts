import { and, eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { askBalances } from '#src/areas/raise/raise.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { openCopy } from '../../farm.ts'
import { depositRaise, pledge } from '../../help/raises.ts'
import { offerOf } from '../../help/rollGroups.ts'

const BUYERS = 8000
it('thousands of buyers are asked for their balances, each for theirs: more than one statement can hold', async () => {
  const database = await openCopy()
  const now = unixNow()
  const item = await offerOf(database, 'elist', now)
  const batch = await database.transaction(tx =>
    depositRaise(tx, item, now - 3600, { deposit_rule: 'refund', target: 1, cap_units: 10_000 }),
  )
  const row = await pledge(database, batch, { member_id: 1, now: now - 60 })
  // More of the same pledge, written straight into the tables: to buy them one by one takes
  // minutes.
  const names = async (table: string, but: readonly string[]) =>
    (
      await database.db.execute<{ name: string }>(
        sql`select column_name name from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'`,
      )
    ).rows
      .map(one => one.name)
      .filter(name => !['id', ...but].includes(name))
  const more = async (table: string, own: Record<string, string>, from: string) => {
    const same = await names(table, Object.keys(own))
    await database.db.execute(
      sql.raw(
        `insert into "${table}" (${[...Object.keys(own), ...same].join()}) select ${[...Object.values(own), ...same.map(name => `t.${name}`)].join()} from ${from}`,
      ),
    )
  }
  // In pieces: an embedded database that answers nothing for five seconds is taken for dead.
  for (let at = 1; at < BUYERS; at += 1000) {
    const [from, till] = [at, Math.min(at + 999, BUYERS - 1)]
    await more(
      'order',
      { order_no: `'RM' || n` },
      `"order" t, generate_series(${from}, ${till}) n where t.id = ${row.id}`,
    )
    const made = `generate_series(${from}, ${till}) n join "order" o on o.order_no = 'RM' || n`
    await more(
      'order_item',
      { order_id: 'o.id' },
      `order_item t cross join ${made} where t.order_id = ${row.id}`,
    )
    await more(
      'payment',
      { order_id: 'o.id', out_no: 'o.order_no' },
      `payment t cross join ${made} where t.order_id = ${row.id}`,
    )
  }

  const rows = await database.db.select().from(order).where(eq(order.raise_batch_id, batch.id))
  const owed = await database.transaction(tx => askBalances(tx, rows, now))
  expect([owed.size, new Set(owed.values())]).toEqual([
    BUYERS,
    new Set([row.pay_cents - row.paid_cents]),
  ])
  const asked = await database.db
    .select({ cents: payment.amount_cents, n: sql<number>`count(distinct ${order.id})::int` })
    .from(payment)
    .innerJoin(order, eq(order.id, payment.order_id))
    .where(and(eq(order.raise_batch_id, batch.id), eq(payment.stage, 'balance')))
    .groupBy(payment.amount_cents)
  expect(asked).toEqual([{ cents: row.pay_cents - row.paid_cents, n: BUYERS }])
}, 60_000)
