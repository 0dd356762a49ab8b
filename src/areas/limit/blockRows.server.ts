import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { ecard } from '#src/areas/ecard/ecard.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { blackOf } from '#src/areas/risk/blacklisting.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { buy_limit_take, type buy_limit_log } from './limit.table.ts'
import { limitStands } from './limits.ts'
import { keyOf, type BuyLimit } from './usage.server.ts'

export type BlockRow = typeof buy_limit_log.$inferSelect
const unique = (ids: readonly (number | null)[]): number[] => [
  ...new Set(ids.filter(id => id !== null)),
]
/** The names of some rows by their ids; none are asked for where there are no ids. */
const named = async <R extends { id: number }>(
  ids: readonly (number | null)[],
  find: (ids: number[]) => Promise<R[]>,
): Promise<Map<number, R>> => {
  const some = unique(ids)
  return new Map((some.length === 0 ? [] : await find(some)).map(row => [row.id, row]))
}
/** Blocks as lists show them: who was stopped of what, as they stand now, and who is black-listed. */
export const shownBlocks = async (db: Db, rows: readonly BlockRow[], now: number) => {
  const members = await named(
    rows.map(row => row.member_id),
    ids =>
      db
        .select({ id: member.id, nickname: member.nickname, phone: member.phone })
        .from(member)
        .where(inArray(member.id, ids)),
  )
  const titles = await named(
    rows.map(row => row.product_id),
    ids =>
      db
        .select({ id: product.id, title: product.title })
        .from(product)
        .where(inArray(product.id, ids)),
  )
  const cards = await named(
    rows.map(row => row.ecard_id),
    ids => db.select({ id: ecard.id, title: ecard.name }).from(ecard).where(inArray(ecard.id, ids)),
  )
  const people = await named(
    rows.map(row => row.release_by),
    ids => db.select({ id: admin.id, name: admin.name }).from(admin).where(inArray(admin.id, ids)),
  )
  const phoneOf = (row: BlockRow) =>
    (row.member_id === null ? row.visitor_phone : members.get(row.member_id)!.phone) ?? undefined
  const black = await blackOf(
    db,
    rows.map(row => ({
      id: row.member_id ?? 0,
      phone: phoneOf(row) ?? null,
      device_id: row.device_id,
    })),
    now,
  )
  return rows.map(row => ({
    ...row,
    nickname: row.member_id === null ? '' : members.get(row.member_id)!.nickname,
    phone: phoneOf(row),
    product_title: (titles.get(row.product_id ?? 0) ?? cards.get(row.ecard_id ?? 0))?.title ?? '',
    result: limitStands(row, now),
    release_by_name: row.release_by === null ? null : (people.get(row.release_by)?.name ?? null),
    black: black.has(row.member_id ?? 0),
  }))
}
/** The items of orders that are of what a block was of. */
export const itemsOf = (row: Pick<BlockRow, 'product_id' | 'ecard_id'>): SQL =>
  row.product_id === null
    ? sql`${order_item.ecard_attr_id} in (select a.id from ecard_attr a where a.card_id = ${row.ecard_id})`
    : eq(order_item.product_id, row.product_id)
/** The orders that count under a rule for whom a block was of, in the window of a moment. */
export const countedOrders = async (
  db: Db,
  rule: BuyLimit,
  of: { value: string; at: number; most: number },
) => {
  const key = keyOf(rule, of.value, of.at)
  const rows = await db
    .select({
      id: order.id,
      order_no: order.order_no,
      kind: order.kind,
      member_id: order.member_id,
      status: order.status,
      created_at: order.created_at,
      qty: buy_limit_take.qty,
      refunded_qty: buy_limit_take.returned,
    })
    .from(buy_limit_take)
    .innerJoin(order, eq(order.id, buy_limit_take.order_id))
    .where(
      and(
        eq(buy_limit_take.rule_id, key.rule_id),
        eq(buy_limit_take.dim_hash, key.dim_hash),
        eq(buy_limit_take.window_key, key.window_key),
      ),
    )
    .orderBy(desc(buy_limit_take.id))
    .limit(of.most)
  // An order of two products stands here twice: its pieces are told together.
  const by = new Map<number, (typeof rows)[number]>()
  for (const row of rows) {
    const known = by.get(row.id)
    by.set(row.id, {
      ...row,
      qty: row.qty + (known?.qty ?? 0),
      refunded_qty: row.refunded_qty + (known?.refunded_qty ?? 0),
    })
  }
  return [...by.values()]
}
