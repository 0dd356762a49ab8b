/** What the books of orders read and write of commission and of what counts it. */
import { and, sql, type SQL } from 'drizzle-orm'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import type { OrderFacts } from '#src/areas/settle/orderBook.ts'
import type { Line } from '#src/areas/settle/orderLines.ts'
import type { LineSeller } from '#src/areas/settle/orderSellers.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { dist_commission, dist_product } from './commission.table.ts'
import type { SaleRole } from './selling.ts'
import type { Tally } from './tally.ts'

/** The merchant that a distributing store is paid through; null for people. */
export const payeeMerchant = sql<
  number | null
>`(select s.merchant_id from distributor d join store s on s.id = d.store_id where d.id = dist_commission.distributor_id and d.kind = 'store')`
type Insert = typeof dist_commission.$inferInsert
/** The sellers of settlement lines by the ids of the lines, held until the transaction ends. */
export const readSellers = async (
  tx: Db,
  order_ids: readonly number[],
): Promise<Map<number, LineSeller[]>> => {
  if (order_ids.length === 0) return new Map()
  const rows = await tx
    .select({
      id: dist_commission.id,
      line_id: dist_commission.line_id,
      distributor_id: dist_commission.distributor_id,
      role: sql<SaleRole>`${dist_commission.role}`,
      rate_bp: dist_commission.rate_bp,
      base_cents: dist_commission.base_cents,
      amount_cents: dist_commission.amount_cents,
      gone_cents: dist_commission.reversed_cents,
      status: dist_commission.status,
      frozen_until: dist_commission.frozen_until,
      group_id: dist_commission.group_id,
      merchant_id: payeeMerchant,
      calc: dist_commission.calc,
    })
    .from(dist_commission)
    .where(and(oneOf(dist_commission.order_id, order_ids), sql`line_id is not null`))
    .orderBy(dist_commission.id)
    .for('update', { of: dist_commission })
  return grouped(
    rows.map(({ calc, ...row }) => ({ ...row, calc: calc! })),
    row => row.line_id!,
  )
}

/** A seller's part of a line as it is written down. */
export const commissionRow = (
  { order, items }: Pick<OrderFacts, 'order' | 'items'>,
  line: Line,
  { gone_cents, merchant_id: _, ...seller }: LineSeller,
) => ({
  ...seller,
  reversed_cents: gone_cents,
  line_id: line.id,
  order_id: order.id,
  order_no: order.order_no,
  item_id: line.item_id,
  unit_no: line.unit_no,
  product_id: items.find(item => item.id === line.item_id)?.product_id ?? null,
  buyer_id: order.member_id,
  city_id: order.city_id,
  mall_id: order.mall_id,
  paid_at: line.paid_at,
})
const newRows = async (
  tx: Db,
  rows: readonly ReturnType<typeof commissionRow>[],
  now: number,
): Promise<void> => {
  if (rows.length === 0) return
  await tx
    .insert(dist_commission)
    .values(rows.map(({ id: _, ...row }): Insert => ({ ...row, created_at: row.paid_at ?? now })))
}
/** Writes the parts that changed; a part that is an estimate again forgets that it was settled. */
const changeRows = async (
  tx: Db,
  rows: readonly ReturnType<typeof commissionRow>[],
  now: number,
): Promise<void> => {
  if (rows.length === 0) return
  const values = rows.map(
    row =>
      sql`(${row.id}::int, ${row.amount_cents}::bigint, ${row.reversed_cents}::bigint, ${row.status}::text, ${row.frozen_until}::bigint, ${JSON.stringify(row.calc)}::jsonb)`,
  )
  await tx.execute(sql`
    update dist_commission c set amount_cents = v.amount, reversed_cents = v.reversed, status = v.status, frozen_until = v.until, calc = v.calc,
      settled_at = case when v.status = 'estimated' then null else c.settled_at end, txn_id = case when v.status = 'estimated' then null else c.txn_id end,
      version = c.version + 1, updated_at = ${now}
    from (values ${sql.join(values, sql`, `)}) v(id, amount, reversed, status, until, calc) where c.id = v.id`)
}
/** Writes the parts of sellers that are new or have changed. */
export const writeSellers = async (
  tx: Db,
  rows: readonly ReturnType<typeof commissionRow>[],
  now: number,
): Promise<void> => {
  await newRows(
    tx,
    rows.filter(row => row.id === null),
    now,
  )
  await changeRows(
    tx,
    rows.filter(row => row.id !== null),
    now,
  )
}

const valuesOf = <T extends object>(map: ReadonlyMap<number, T>, keys: readonly (keyof T)[]) =>
  sql.join(
    [...map].map(
      ([id, of]) =>
        sql`(${id}::int, ${sql.join(
          keys.map(key => sql`${of[key]}::bigint`),
          sql`, `,
        )})`,
    ),
    sql`, `,
  )
const held = (table: SQL, ids: SQL) =>
  sql`select id from ${table} where ${ids} order by id for no key update`
/**
 * Holds what counts sales until the transaction ends, each kind in the order of its ids: after the
 * commission of orders and before accounts.
 */
export const holdCounted = async (
  tx: Db,
  of: Record<keyof Tally, Iterable<number>>,
): Promise<void> => {
  const any = (ids: Iterable<number>) => sql.param([...ids])
  await tx.execute(
    held(sql`dist_product`, sql`ref_kind = 'product' and ref_id = any(${any(of.products)}::int[])`),
  )
  await tx.execute(held(sql`distributor`, sql`id = any(${any(of.sellers)}::int[])`))
  await tx.execute(held(sql`dist_binding`, sql`id = any(${any(of.bindings)}::int[])`))
}
/**
 * Adds what orders have brought to what their sellers, goods and bindings count. Rows are held in
 * the order of their ids, so that two orders at once do not wait for each other.
 */
export const addTally = async (tx: Db, { sellers, products, bindings }: Tally): Promise<void> => {
  if (sellers.size === 0) return
  await holdCounted(tx, {
    products: products.keys(),
    sellers: sellers.keys(),
    bindings: bindings.keys(),
  })
  if (products.size > 0)
    await tx.execute(sql`
      update ${dist_product} p set sold_count = p.sold_count + v.sold, refunded_count = p.refunded_count + v.refunded, gmv_cents = p.gmv_cents + v.gmv
      from (values ${valuesOf(products, ['sold_count', 'refunded_count', 'gmv_cents'])}) v(id, sold, refunded, gmv) where p.ref_kind = 'product' and p.ref_id = v.id`)
  await tx.execute(sql`
    update ${distributor} d set order_count = d.order_count + v.orders, gmv_cents = d.gmv_cents + v.gmv, refunded_cents = d.refunded_cents + v.refunded, last_sale_at = greatest(d.last_sale_at, v.at)
    from (values ${valuesOf(sellers, ['order_count', 'gmv_cents', 'refunded_cents', 'at'])}) v(id, orders, gmv, refunded, at) where d.id = v.id`)
  if (bindings.size === 0) return
  await tx.execute(sql`
    update ${dist_binding} b set order_count = b.order_count + v.orders, paid_cents = b.paid_cents + v.paid, last_order_at = greatest(b.last_order_at, v.at)
    from (values ${valuesOf(bindings, ['order_count', 'paid_cents', 'at'])}) v(id, orders, paid, at) where b.id = v.id`)
}
/** Whether any count of a tally moves. */
export const isEven = ({ sellers, products, bindings }: Tally): boolean =>
  [...sellers.values(), ...products.values(), ...bindings.values()].every(of =>
    Object.entries(of).every(([key, n]) => key === 'at' || n === 0),
  )
