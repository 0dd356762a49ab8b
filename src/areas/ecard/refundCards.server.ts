import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { order_item } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { ecard_request } from './cardOrder.table.ts'
import { cardKept, type CardUnits } from './cardOrder.ts'
import { refundCodes } from './codeLife.server.ts'
import { ecard_code } from './ecard.table.ts'
import { cardItems, countIssue, newestOf, requestsOf } from './issuing.server.ts'

type Line = { item_id: number; qty: number; card_ids: number[] | null }
const isSold = (row: Pick<Order, 'kind'>) => row.kind === 'ecard'
/** The cards of an order that may go back; none of an order of another kind. */
export const cardUnits = async (tx: Db, row: Order): Promise<CardUnits[]> => {
  if (!isSold(row)) return []
  const items = await cardItems(tx, row.id)
  const requests = await requestsOf(
    tx,
    items.map(one => one.item.id),
  )
  const codes = await tx
    .select()
    .from(ecard_code)
    .where(eq(ecard_code.order_id, row.id))
    .orderBy(asc(ecard_code.id))
  return items.map(({ item, card }) => ({
    item_id: item.id,
    rule: card.refund_rule,
    cards: codes.filter(code => code.attr_id === item.ecard_attr_id),
    unissued: newestOf(requests.filter(one => one.item_id === item.id)).filter(
      one => one.state === 'failed',
    ).length,
  }))
}
/**
 * Takes cards out of their buyer's hands while they are given back. One that was bound, shown or
 * given away at the same moment is refused, and nothing of the refund stays.
 */
const lock = async (tx: Db, ids: readonly number[], now: number): Promise<void> => {
  const rows = await tx
    .select()
    .from(ecard_code)
    .where(inArray(ecard_code.id, [...ids]))
    .orderBy(asc(ecard_code.id))
    .for('update')
  for (const card of rows) {
    const why = cardKept(card, 'unused')
    if (why) throw ruled('card_kept', why, {}, { code_id: card.id })
  }
  await tx
    .update(ecard_code)
    .set({ state: 'refunding', version: sql`${ecard_code.version} + 1`, updated_at: now })
    .where(and(inArray(ecard_code.id, [...ids]), eq(ecard_code.state, 'sold')))
}
const unlock = (tx: Db, ids: readonly number[], now: number) =>
  tx
    .update(ecard_code)
    .set({ state: 'sold', version: sql`${ecard_code.version} + 1`, updated_at: now })
    .where(and(inArray(ecard_code.id, [...ids]), eq(ecard_code.state, 'refunding')))
/** Units that were never issued are asked for no more, or wait to be asked for again. */
const moveUnits = async (tx: Db, of: { item_id: number; n: number; way: 1 | -1 }) => {
  const all = await requestsOf(tx, [of.item_id])
  const units = [...new Set(all.map(one => one.unit))]
  const own = (unit: number) => all.filter(one => one.unit === unit)
  const fits =
    of.way === 1
      ? (unit: number) => newestOf(own(unit))[0]?.state === 'failed'
      : (unit: number) => own(unit).every(one => one.state === 'ended' || one.state === 'surplus')
  await tx
    .update(ecard_request)
    .set({ state: of.way === 1 ? 'ended' : 'failed' })
    .where(
      and(
        eq(ecard_request.item_id, of.item_id),
        inArray(ecard_request.unit, units.filter(fits).slice(0, of.n)),
        inArray(ecard_request.state, of.way === 1 ? ['failed'] : ['ended', 'surplus']),
      ),
    )
}
/** Locks the cards of a refund's lines (`1`) or gives them free (`-1`). The order must be held. */
export const lockCards = async (
  tx: Db,
  lines: readonly Line[],
  way: 1 | -1,
  now: number,
): Promise<void> => {
  for (const { item_id, qty, card_ids } of lines) {
    if (!card_ids) continue
    if (card_ids.length > 0) await (way === 1 ? lock(tx, card_ids, now) : unlock(tx, card_ids, now))
    const n = qty - card_ids.length
    if (n === 0) continue
    await moveUnits(tx, { item_id, n, way })
    const [item] = await tx.select().from(order_item).where(eq(order_item.id, item_id))
    await countIssue(tx, item!)
  }
}
/** The cards of a refund that is paid are taken back for good. The order must be held. */
export const endCards = async (tx: Db, lines: readonly Line[], now: number): Promise<void> => {
  const ids = lines.flatMap(line => line.card_ids ?? [])
  if (ids.length === 0) return
  await unlock(tx, ids, now)
  await refundCodes(tx, ids, now)
}
