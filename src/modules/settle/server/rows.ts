/** Batches, lines and terms of settlement as the handlers of their page read, find and show them. */
import { and, count, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import type { BatchState } from '#src/areas/settle/batch.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import type { LineState } from '#src/areas/settle/settle.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, holding, listing, record } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import type { BatchRow, LineRow } from '../contract/detail.ts'

type Seer = Pick<Staff, 'scope'>
/** True of rows whose merchant the person sees. */
export const byMerchant = (merchant_id: PgColumn) => (staff: Seer) => {
  const seen = within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id })
  return (
    seen &&
    sql`exists (select 1 from ${merchant} where ${merchant.id} = ${merchant_id} and ${seen})`
  )
}
/** True of rows of a merchant whose name holds what was typed. */
export const merchantNamed = (merchant_id: PgColumn, typed: string): SQL =>
  sql`${merchant_id} in (select ${merchant.id} from ${merchant} where ${holding(typed, [merchant.name])})`
const nameOf = (id: PgColumn) =>
  sql<string>`coalesce((select a.name from ${admin} a where a.id = ${id}), '')`

export const batchRecord = record(settle_batch, {
  object: 'settle_batch',
  label: row => row.no,
  keys: [
    'status',
    'line_count',
    'distributor_cents',
    'refund_deduct_cents',
    'debt_deduct_cents',
    'payable_cents',
    'confirmed_by',
    'proof',
    'reverse_reason',
  ],
  places: byMerchant(settle_batch.merchant_id),
})
export type Batch = typeof settle_batch.$inferSelect
export type BatchFilters = { status?: BatchState; reversing?: boolean; keyword?: string }
export const batchList = listing(batchRecord, {
  by: settle_batch.id,
  down: true,
  where: ({ status, reversing, keyword }: BatchFilters) => {
    const isNumber = keyword && /^js\d+$/i.test(keyword)
    return and(
      equal(settle_batch, { status }),
      reversing
        ? sql`${settle_batch.status} = 'posted' and ${settle_batch.reverse_by} is not null`
        : undefined,
      isNumber ? eq(settle_batch.no, keyword.toUpperCase()) : undefined,
      keyword && !isNumber ? merchantNamed(settle_batch.merchant_id, keyword) : undefined,
    )
  },
  shown: async (db, rows): Promise<BatchRow[]> => {
    if (rows.length === 0) return []
    const found = await db
      .select({
        id: settle_batch.id,
        merchant_name: merchant.name,
        maker: nameOf(settle_batch.maker_id),
        poster: nameOf(settle_batch.poster_id),
        reverse_name: nameOf(settle_batch.reverse_by),
        reversed_name: nameOf(settle_batch.reversed_by),
        reverse_txn_no: sql<string>`coalesce((select r.no from ${ledger_txn} r where r.id = ${settle_batch.reverse_txn_id}), '')`,
        txn_no: sql<string>`coalesce(${ledger_txn.no}, '')`,
      })
      .from(settle_batch)
      .innerJoin(merchant, eq(merchant.id, settle_batch.merchant_id))
      .leftJoin(ledger_txn, eq(ledger_txn.id, settle_batch.txn_id))
      .where(
        inArray(
          settle_batch.id,
          rows.map(row => row.id),
        ),
      )
    const beside = new Map(found.map(one => [one.id, one]))
    return rows.map(row => {
      const names = beside.get(row.id)!
      return {
        kind: 'batch' as const,
        ...row,
        ...names,
        name: `${row.no} ${names.merchant_name}`,
      }
    })
  },
})

export const lineRecord = record(settle_line, {
  object: 'settle_line',
  label: row => `#${row.id}`,
  keys: ['held', 'hold_reason'],
  places: { city: settle_line.city_id, mall: settle_line.mall_id },
})
export type LineFilters = {
  status?: LineState
  batch_id?: number
  order_no?: string
  held?: boolean
}
export const lineList = listing(lineRecord, {
  by: settle_line.id,
  down: true,
  where: ({ order_no, held, ...same }: LineFilters) =>
    and(
      equal(settle_line, same),
      held ? eq(settle_line.held, true) : undefined,
      order_no
        ? sql`${settle_line.order_id} in (select ${order.id} from ${order} where ${eq(order.order_no, order_no)})`
        : undefined,
    ),
  shown: async (db, rows): Promise<LineRow[]> => {
    if (rows.length === 0) return []
    const found = await db
      .select({
        id: settle_line.id,
        order_no: order.order_no,
        title: order_item.title,
        merchant_name: merchant.name,
        store_name: store.name,
        held_by: nameOf(settle_line.held_by),
        batch_no: sql<string>`coalesce(${settle_batch.no}, '')`,
      })
      .from(settle_line)
      .innerJoin(order, eq(order.id, settle_line.order_id))
      .innerJoin(order_item, eq(order_item.id, settle_line.item_id))
      .innerJoin(merchant, eq(merchant.id, settle_line.merchant_id))
      .innerJoin(store, eq(store.id, settle_line.store_id))
      .leftJoin(settle_batch, eq(settle_batch.id, settle_line.batch_id))
      .where(
        inArray(
          settle_line.id,
          rows.map(row => row.id),
        ),
      )
    const beside = new Map(found.map(one => [one.id, one]))
    return rows.map(row => ({
      kind: 'line' as const,
      ...row,
      subsidy_cents: row.platform_subsidy_cents + row.mall_subsidy_cents,
      ...beside.get(row.id)!,
    }))
  },
})

/** How many rows of a table stand in each state. */
export const statOf = async (
  db: Db,
  table: typeof settle_batch | typeof settle_line,
  where: SQL | undefined,
): Promise<Record<string, number>> => {
  const rows = await db
    .select({ status: table.status, n: count() })
    .from(table)
    .where(where)
    .groupBy(table.status)
  return Object.fromEntries(rows.map(row => [row.status, row.n]))
}
/** Merchants that can be settled, by their names. */
export const merchantsFound = async (
  db: Db,
  staff: Seer,
  { keyword, page, pageSize }: { keyword?: string | undefined; page: number; pageSize: number },
) => {
  const where = and(
    within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
    inArray(merchant.status, ['active', 'frozen', 'terminated']),
    holding(keyword, [merchant.name], merchant.id),
  )
  const list = await db
    .select({ id: merchant.id, name: merchant.name })
    .from(merchant)
    .where(where)
    .orderBy(desc(merchant.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, total: await db.$count(merchant, where) }
}
