import { and, eq, ne, notInArray, sql, type SQLWrapper } from 'drizzle-orm'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import type { Order, OrderCode, OrderItem } from '#src/areas/order/orderFacts.server.ts'
import { partOf } from '#src/areas/order/orderMoney.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { together, type Named } from '#src/server/db/together.ts'
import { combo } from './combo.table.ts'
import {
  atSinglePrice,
  partUnits,
  policyRefusal,
  type ComboFigures,
  type ComboPolicy,
  type PartUnits,
} from './combo.ts'

export type Part = {
  item: OrderItem
  codes: OrderCode[]
  units: PartUnits
  /** Its store shut for good, or its merchant stopped trading. */ closed: boolean
  store_name: string
  merchant_name: string
  /** What its used or sent units are worth, by their shares and at their single price. */ used_cents: number
  used_single_cents: number
}
/** Whether a store shut for good, or its merchant stopped trading. */
export const stopped = (store_id: SQLWrapper) =>
  sql<boolean>`exists (select 1 from store s join merchant m on m.id = s.merchant_id where s.id = ${store_id} and (s.status = 'closed' or m.status in ('frozen', 'terminated')))`
const readParts = together((db, { bundles }: Named<'bundles'>) => ({
  partItems:
    bundles &&
    db
      .select({
        item: order_item,
        store_name: store.name,
        merchant_name: merchant.name,
        closed: stopped(order_item.store_id),
      })
      .from(order_item)
      .leftJoin(store, eq(store.id, order_item.store_id))
      .leftJoin(merchant, eq(merchant.id, store.merchant_id))
      .where(oneOf(order_item.order_id, bundles))
      .orderBy(order_item.id),
  partCodes:
    bundles &&
    db
      .select()
      .from(order_code)
      .where(and(oneOf(order_code.order_id, bundles), ne(order_code.state, 'void')))
      .orderBy(order_code.id),
  uses:
    bundles &&
    db
      .select({
        item_id: verify_record.item_id,
        cents: sql<number>`sum(${verify_record.pay_cents})`,
      })
      .from(verify_record)
      .where(and(oneOf(verify_record.order_id, bundles), eq(verify_record.state, 'valid')))
      .groupBy(verify_record.item_id),
  given:
    bundles &&
    db
      .select({ item_id: refund_item.item_id, cents: sql<number>`sum(${refund_item.share_cents})` })
      .from(refund_item)
      .innerJoin(refund, eq(refund.id, refund_item.refund_id))
      .where(and(oneOf(refund.order_id, bundles), notInArray(refund.state, ['rejected', 'closed'])))
      .groupBy(refund_item.item_id),
}))
/** The parts of bundle orders, by their order, with what was used of each. */
export const partsOfAll = async (
  db: Db,
  order_ids: readonly number[],
): Promise<ReadonlyMap<number, Part[]>> => {
  const { partItems, partCodes, uses, given } = await readParts(db, { bundles: order_ids })
  const [codesOf, usedOf, givenOf] = [
    grouped(partCodes, code => code.item_id),
    new Map(uses.map(one => [one.item_id, one.cents])),
    new Map(given.map(one => [one.item_id, one.cents])),
  ]
  const parts = partItems.map(({ item, store_name, merchant_name, closed }): Part => {
    const own = codesOf.get(item.id) ?? []
    const units = partUnits({ ...item, codes: own })
    const byCode = item.fulfil === 'code' || item.fulfil === 'pickup'
    const rest = item.pay_cents - (givenOf.get(item.id) ?? 0)
    // Sent goods are what is left when the unsent units have gone.
    const used_cents = byCode
      ? (usedOf.get(item.id) ?? 0)
      : rest - partOf(rest, Math.max(1, units.left + units.used), units.left)
    return {
      item,
      codes: own,
      units,
      closed,
      store_name: store_name ?? '',
      merchant_name: merchant_name ?? '',
      used_cents: units.used === 0 ? 0 : used_cents,
      used_single_cents:
        units.units === 0
          ? 0
          : Math.round((item.price_cents * item.qty * units.used) / units.units),
    }
  })
  return grouped(parts, part => part.item.order_id)
}
export const partsOf = async (db: Db, order_id: number): Promise<Part[]> =>
  (await partsOfAll(db, [order_id])).get(order_id) ?? []

/** A bundle as it was sold; a later change of the bundle changes no order. */
export type SoldCombo = { name: string; policy: ComboPolicy; price_cents: number }
export const soldIn = (lines: readonly { snapshot: unknown }[]): SoldCombo | undefined =>
  (lines[0]?.snapshot as { combo?: SoldCombo } | undefined)?.combo
export const soldCombo = async (
  db: Db,
  row: Pick<Order, 'combo_id'>,
  parts: readonly Part[],
): Promise<SoldCombo> => {
  const kept = soldIn(parts.map(part => part.item))
  const [now] =
    kept || row.combo_id === null
      ? []
      : await db
          .select({ name: combo.name, policy: combo.policy, price_cents: combo.price_cents })
          .from(combo)
          .where(eq(combo.id, row.combo_id))
  return kept ?? now ?? { name: '', policy: 'part', price_cents: 0 }
}

/**
 * Why the policy of a bundle refuses to give these items back, or undefined. `locked`: their units
 * are in refund already, so that what is left is what stays outside.
 */
export const policyAgainst = (
  policy: ComboPolicy,
  parts: readonly Part[],
  item_ids: ReadonlySet<number>,
  locked: boolean,
): Text | undefined =>
  policyRefusal(policy, {
    used: parts.some(part => part.units.used > 0),
    closed: parts.every(part => part.closed || !item_ids.has(part.item.id)),
    rest: parts
      .filter(part => !part.closed && (locked || !item_ids.has(part.item.id)))
      .reduce((all, part) => all + part.units.left, 0),
  })
/** What a refund of an order comes to now, beside what was used of it. */
export const figuresOf = (parts: readonly Part[], amount_cents: number): ComboFigures => {
  const all = (n: (part: Part) => number) => parts.reduce((total, part) => total + n(part), 0)
  const used_cents = all(part => part.used_cents)
  return {
    amount_cents,
    used_cents,
    single_cents: atSinglePrice({
      amount_cents,
      used_cents,
      used_single_cents: all(part => part.used_single_cents),
    }),
  }
}
