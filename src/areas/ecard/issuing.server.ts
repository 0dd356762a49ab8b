import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { order_item } from '#src/areas/order/order.table.ts'
import { noteOrder, type Order, type OrderItem } from '#src/areas/order/orderFacts.server.ts'
import { phoneOf, queueMessage } from '#src/areas/order/orderMessages.server.ts'
import { comma, joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ecard_request } from './cardOrder.table.ts'
import { issueStateOf, type RequestState } from './cardOrder.ts'
import { sellCodes } from './codeLife.server.ts'
import { ecard, ecard_attr } from './ecard.table.ts'

export type Request = typeof ecard_request.$inferSelect
/** The items of an order that are cards, each with where its codes come from. */
export const cardItems = (tx: Db, order_id: number) =>
  tx
    .select({ item: order_item, face: ecard_attr, card: ecard })
    .from(order_item)
    .innerJoin(ecard_attr, eq(ecard_attr.id, order_item.ecard_attr_id))
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(eq(order_item.order_id, order_id))
    .orderBy(asc(order_item.id))
/** Asks a supplier for some units of an item, each under a number of its own. */
export const askUnits = async (
  tx: Db,
  of: {
    item: Pick<OrderItem, 'id' | 'order_id'>
    supplier: string
    units: readonly { unit: number; again: number }[]
    by?: { admin_id: number; reason: string }
    now: number
  },
): Promise<void> => {
  const { item, now } = of
  await tx.insert(ecard_request).values(
    of.units.map(({ unit, again }) => ({
      order_id: item.order_id,
      item_id: item.id,
      unit,
      out_no: `EC${item.order_id}-${item.id}-${unit}-${again}`,
      supplier: of.supplier,
      state: 'pending' as const,
      ask_at: now,
      asked_by: of.by?.admin_id ?? null,
      reason: of.by?.reason ?? null,
      created_at: now,
      updated_at: now,
    })),
  )
}
/**
 * The newest request of each unit that still counts: what came too late for anybody counts for
 * nothing.
 */
export const newestOf = (all: readonly Request[]): Request[] => {
  const by = new Map<number, Request>()
  for (const one of [...all].sort((a, b) => a.id - b.id))
    if (one.state !== 'surplus' || !by.has(one.unit)) {
      const before = by.get(one.unit)
      if (before?.state !== 'success') by.set(one.unit, one)
    }
  return [...by.values()].filter(one => one.state !== 'surplus')
}
export const requestsOf = (tx: Db, item_ids: readonly number[]): Promise<Request[]> =>
  tx
    .select()
    .from(ecard_request)
    .where(inArray(ecard_request.item_id, [...item_ids]))
    .orderBy(asc(ecard_request.id))
const NOTES: Partial<Record<RequestState, string>> = {
  failed: joined(['供应商发放失败', 'The supplier could not issue it']),
}
/** Writes down how far an item is, from its requests. Answers the state, and whether it changed. */
export const countIssue = async (
  tx: Db,
  item: OrderItem,
): Promise<{ state: OrderItem['issue_state']; changed: boolean }> => {
  const newest = newestOf(await requestsOf(tx, [item.id]))
  const state = issueStateOf(newest.map(one => one.state))
  const failed = newest.findLast(one => one.state === 'failed')
  const note = failed ? failed.answer || NOTES.failed! : null
  if (state === item.issue_state && note === item.issue_note) return { state, changed: false }
  await tx
    .update(order_item)
    .set({ issue_state: state, issue_note: note, version: sql`${order_item.version} + 1` })
    .where(eq(order_item.id, item.id))
  return { state, changed: state !== item.issue_state }
}
/** Tells the buyer where the cards are; their secrets are never sent. */
export const tellCards = async (
  tx: Db,
  row: Order,
  of: { once?: string; admin_id?: number; now: number },
): Promise<boolean> => {
  const items = await cardItems(tx, row.id)
  const phone = await phoneOf(tx, row)
  if (!phone) return false
  const what = items.map(({ item }) => `「${item.title}」${item.qty} 张`).join(comma[0])
  await queueMessage(tx, {
    order_id: row.id,
    kind: 'notice',
    phone,
    text: `您购买的${what}已发放，请在“我的卡包”查看。订单 ${row.order_no}`,
    ...of,
  })
  return true
}
/**
 * The cards of an order that was just paid: codes that were held are sold and issued with that;
 * what a supplier makes is asked for, unit by unit. The order is held and counted anew afterwards.
 */
export const issueCards = async (tx: Db, row: Order, now: number): Promise<void> => {
  await sellCodes(tx, row.id, now)
  for (const { item, card } of await cardItems(tx, row.id)) {
    const supplied = card.source === 'api'
    if (supplied)
      await askUnits(tx, {
        item,
        supplier: card.supplier,
        units: Array.from({ length: item.qty }, (_, at) => ({ unit: at + 1, again: 1 })),
        now,
      })
    await tx
      .update(order_item)
      .set({ issue_state: supplied ? 'issuing' : 'issued' })
      .where(and(eq(order_item.id, item.id), eq(order_item.issue_state, 'none')))
    if (!supplied)
      await noteOrder(tx, {
        order_id: row.id,
        event: 'issue',
        actor: { type: 'system' },
        at: now,
        memo: joined([`${item.qty} 张`, `${item.qty} cards`]),
      })
  }
  await tellCards(tx, row, { once: 'issued', now })
}
