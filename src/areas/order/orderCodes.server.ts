import { randomInt } from 'node:crypto'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { checkDigitOf } from '#src/areas/code/code.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { order_item } from './order.table.ts'
import {
  holdOrder,
  recount,
  system,
  type Actor,
  type Order,
  type OrderCode,
  type OrderItem,
} from './orderFacts.server.ts'
import { settleOf, unitShares } from './orderMoney.ts'
import type { OrderRules } from './orderRules.ts'
import { soldOf, type Sold } from './orderSold.server.ts'
import { codeStateOf, productOf } from './orderUnits.ts'
import { EXTEND_DAYS, orderCan } from './orderVerbs.ts'

/** Twelve digits, no leading zero, the last one a check digit. */
export const newCode = (): string => {
  const body = String(randomInt(10_000_000_000, 99_999_999_999))
  return body + String(checkDigitOf(body))
}
/** When what nobody picked up is refunded. */
export const pickupEnds = (
  promise_at: number,
  rules: Pick<OrderRules, 'pickup_refund_days'>,
): number => promise_at + rules.pickup_refund_days * DAY
/**
 * Makes the codes of a paid order: one a unit, for a pick-up one an item that counts its units;
 * locked until the group has formed, or the goods are ready. Answers how long the last is valid.
 */
export const makeCodes = async (
  tx: Db,
  row: Order,
  of: { rules: OrderRules; waiting: boolean; now: number },
): Promise<number | null> => {
  const items = (
    await tx
      .select()
      .from(order_item)
      .where(and(eq(order_item.order_id, row.id), inArray(order_item.fulfil, ['code', 'pickup'])))
      .orderBy(order_item.id)
  ).map(item => ({ item, sold: soldOf(item) }))
  const codes = items.flatMap(({ item, sold }) => codesOf(row, item, sold, of))
  if (codes.length > 0) await tx.insert(order_code).values(codes)
  return codes.length > 0 ? Math.max(...codes.map(code => code.valid_until)) : null
}
/** When a new code ends, unix seconds. */
const validUntil = (
  sold: Sold,
  { pickup, rules, now }: { pickup: boolean; rules: OrderRules; now: number },
): number => {
  // What is picked up waits until it is refunded: its code never ends before.
  if (pickup)
    return Math.max(sold.check_end_at, pickupEnds(now + rules.ship_promise_h * 3600, rules))
  return sold.valid_days ? now + sold.valid_days * DAY : sold.check_end_at
}
/** The codes of one item, each with its share of the item. */
export const codesOf = (
  row: Pick<Order, 'id' | 'kind' | 'created_at'>,
  item: OrderItem,
  sold: Sold,
  { waiting, rules, now }: { waiting: boolean; rules: OrderRules; now: number },
): (typeof order_code.$inferInsert)[] => {
  const pickup = item.fulfil === 'pickup'
  // Store goods are made ready first; a part of a bundle and what was exchanged lie there already.
  const readied = pickup && row.kind !== 'points' && row.kind !== 'combo'
  const [pays, platforms] = pickup
    ? [[item.pay_cents], [item.platform_cents]]
    : [unitShares(item.pay_cents, item.qty), unitShares(item.platform_cents, item.qty)]
  const valid_until = validUntil(sold, { pickup, rules, now })
  return pays.map((pay_cents, at): typeof order_code.$inferInsert => {
    const platform_cents = platforms[at]!
    const settle_cents = settleOf(pay_cents, platform_cents, sold.commission_bp)
    const times_total = pickup ? item.qty : (sold.times_total ?? 1)
    return {
      order_id: row.id,
      item_id: item.id,
      product_id: productOf(item),
      code: newCode(),
      kind: readied ? 'pickup' : (row.kind as 'bulks'),
      ordered_at: row.created_at,
      times_total,
      pay_cents,
      platform_cents,
      settle_cents,
      left_times: times_total,
      left_pay_cents: pay_cents,
      left_platform_cents: platform_cents,
      left_settle_cents: settle_cents,
      first_use_days: sold.first_use_days ?? null,
      valid_from: now,
      valid_until,
      state: waiting || readied ? 'locked' : 'unused',
      created_at: now,
      updated_at: now,
    }
  })
}
/**
 * Lets the codes of one order expire whose time is over, and holds the order. Answers whether any
 * did. What is to be picked up is refunded instead.
 */
export const expireCodes = async (tx: Db, order_id: number, now: number): Promise<boolean> => {
  const row = await holdOrder(tx, order_id)
  const gone = await tx
    .update(order_code)
    .set({ state: 'expired', version: sql`${order_code.version} + 1`, updated_at: now })
    .where(
      and(
        eq(order_code.order_id, order_id),
        inArray(order_code.state, ['unused', 'part_used']),
        ne(order_code.kind, 'pickup'),
        sql`${order_code.valid_until} <= ${now}`,
      ),
    )
    .returning({ id: order_code.id })
  if (gone.length === 0) return false
  await recount(tx, row, { event: 'expire', actor: system, now, data: { codes: gone.length } })
  return true
}
/** A validity only becomes longer, and not without end. */
const refuseExtension = (of: {
  codes: readonly OrderCode[]
  items: readonly OrderItem[]
  until: number
  now: number
}): void => {
  const { codes, until, now } = of
  const latest = Math.max(...of.items.map(item => soldOf(item).check_end_at)) + EXTEND_DAYS * DAY
  if (codes.length === 0)
    throw ruled('not_extendable', ['没有可延期的券码', 'It has no code to extend'])
  const longest = Math.max(...codes.map(code => code.valid_until))
  if (until <= now || until <= longest)
    throw ruled(
      'not_later',
      ['只能延长：须晚于现有有效期 {when}', 'A validity can only become longer than {when}'],
      { when: timeFull(Math.max(longest, now)) },
    )
  if (until > latest)
    throw ruled(
      'too_late',
      ['最多延至商品有效期后 {n} 天', 'At most {n} days past the product’s end'],
      { n: EXTEND_DAYS },
    )
}
/**
 * Gives longer validity to all codes of an order that are not used up or refunded: later than now, never
 * shorter, at most `EXTEND_DAYS` past the product's end. Answers the order.
 */
export const extendValidity = async (
  tx: Db,
  of: { order_id: number; until: number; actor: Actor; reason: string; now: number },
): Promise<Order> => {
  const { now, until } = of
  const row = await holdOrder(tx, of.order_id)
  const may = orderCan('extendValidity', row)
  if (may !== true) throw ruled('not_extendable', may)
  const codes = await tx
    .select()
    .from(order_code)
    .where(
      and(
        eq(order_code.order_id, of.order_id),
        inArray(order_code.state, ['unused', 'part_used', 'expired', 'locked']),
      ),
    )
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, of.order_id))
  refuseExtension({ codes, items, until, now })
  for (const code of codes)
    await tx
      .update(order_code)
      .set({
        valid_until: until,
        state: codeStateOf({ ...code, valid_until: until }, now),
        version: code.version + 1,
        updated_at: now,
      })
      .where(eq(order_code.id, code.id))
  return recount(tx, row, {
    event: 'extend',
    actor: of.actor,
    now,
    memo: of.reason,
    set: { valid_until: until },
  })
}
