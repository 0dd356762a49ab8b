import { randomInt } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { fulfilOf, settleOf, statusOf, unitShares, type CodeState } from '#src/domain/order.ts'
import type { Db } from '../implement.ts'
import { missing, ruled } from '../refuse.ts'
import { order, order_code, order_item, refund, refund_item, verify_record } from '../tables/order.ts'
import { product, product_version } from '../tables/product.ts'
import { consentByOrder } from './agreements.ts'
import { lastClicked } from './h5Links.ts'
import { refuseRisky } from './risk.ts'
import { lastLiveRoom, takeLive } from './liveRooms.ts'

const DAY = 86_400
const PAY_SECONDS = 900
/** Twelve digits, no leading zero, the last one a check digit. */
const newCode = (): string => {
  const body = String(randomInt(10_000_000_000, 99_999_999_999))
  return body + String([...body].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10)
}

/** A member orders units of one product of codes at its live version; the stock is held until paid or timed out. It counts for the live room and the short link it came by. */
export const placeOrder = async (tx: Db, of: { product_id: number; member_id: number; qty: number; now: number; /** Of the device it comes from, as short links know it. */ device?: string }): Promise<typeof order.$inferSelect> => {
  const { now, qty } = of
  await refuseRisky(tx, { member_id: of.member_id, device_id: of.device ?? null, now })
  // Out of a live room: at its price while it is on, from what it has reserved; that is held already.
  const live_room_id = await lastLiveRoom(tx, of)
  const live_cents = live_room_id === null ? undefined : await takeLive(tx, { live_room_id, product_id: of.product_id, qty })
  const [item] = await tx.update(product).set({ held: live_cents === undefined ? sql`${product.held} + ${qty}` : product.held })
    .where(and(eq(product.id, of.product_id), eq(product.state, 'on_sale'), live_cents === undefined ? sql`${product.stock} - ${product.held} >= ${qty}` : undefined, sql`${product.sale_start_at} <= ${now} and ${product.sale_end_at} > ${now}`, inArray(product.kind, ['bulks', 'card', 'voucher'])))
    .returning()
  if (!item) throw ruled('not_for_sale', ['商品不在售或库存不足', 'Not for sale, or sold out'])
  const [live] = await tx.select().from(product_version).where(and(eq(product_version.product_id, item.id), eq(product_version.state, 'live')))
  const price_cents = live_cents ?? item.price_cents
  const total = price_cents * qty
  const facts = { pay_state: 'unpaid' as const, balance_due: false, fulfil_state: 'none' as const, refund_state: 'none' as const, frozen: false }
  const [made] = await tx.insert(order).values({
    order_no: `${item.kind.slice(0, 2).toUpperCase()}${now}${randomInt(100_000, 999_999)}`, kind: item.kind as 'bulks', member_id: of.member_id, city_id: item.city_id, mall_id: item.mall_id, merchant_id: item.merchant_id, store_id: item.store_ids[0]!, source: live_room_id === null ? 'mini_program' : 'live', live_room_id,
    total_cents: total, pay_cents: total, agreements: await consentByOrder(tx, { member_id: of.member_id, kind: item.kind, now }), h5_link_id: of.device === undefined ? null : await lastClicked(tx, of.device, now), device_id: of.device ?? null, ...facts, status: statusOf(facts), expire_pay_at: now + PAY_SECONDS, created_at: now, updated_at: now,
  }).returning()
  await tx.insert(order_item).values({
    order_id: made!.id, product_id: item.id, snapshot: { no: item.live_version, title: item.title, price_cents, commission_bp: item.commission_bp, check_start_at: item.check_start_at, check_end_at: item.check_end_at, times_total: item.times_total, valid_days: item.valid_days, images: live?.body.images ?? [] },
    title: item.title, store_id: item.store_ids[0]!, qty, price_cents, pay_cents: total, fulfil: 'code', created_at: now, updated_at: now,
  })
  return made!
}

const itemOf = async (tx: Db, order_id: number) => {
  const [item] = await tx.select().from(order_item).where(eq(order_item.order_id, order_id))
  if (!item) throw missing()
  return item
}

/** The payment channel says it is paid: once, however often it says so. Codes come into being with their shares of the payment. */
export const payOrder = async (tx: Db, order_id: number, now: number): Promise<boolean> => {
  const facts = { pay_state: 'paid' as const, balance_due: false, fulfil_state: 'waiting_use' as const, refund_state: 'none' as const, frozen: false }
  const [paid] = await tx.update(order).set({ ...facts, status: statusOf(facts), paid_cents: sql`${order.pay_cents}`, paid_at: now, version: sql`${order.version} + 1`, updated_at: now }).where(and(eq(order.id, order_id), eq(order.pay_state, 'unpaid'))).returning()
  if (!paid) return false
  const item = await itemOf(tx, order_id)
  const sold = item.snapshot as { commission_bp: number; times_total: number | null; valid_days: number | null; check_end_at: number }
  await tx.update(product).set({ stock: sql`${product.stock} - ${item.qty}`, held: sql`${product.held} - ${item.qty}`, sold: sql`${product.sold} + ${item.qty}` }).where(eq(product.id, item.product_id))
  const parts = unitShares(item.pay_cents, item.qty)
  await tx.insert(order_code).values(parts.map(pay_cents => ({
    order_id, item_id: item.id, product_id: item.product_id, code: newCode(), kind: paid.kind as 'bulks', times_total: sold.times_total ?? 1, pay_cents, settle_cents: settleOf(pay_cents, 0, sold.commission_bp),
    valid_from: now, valid_until: sold.valid_days ? now + sold.valid_days * DAY : sold.check_end_at, state: 'unused' as const, created_at: now, updated_at: now,
  })))
  return true
}

/** Nobody paid in time: the order closes and the stock is free again. */
export const closeUnpaid = async (tx: Db, order_id: number, now: number): Promise<boolean> => {
  const [closed] = await tx.update(order).set({ pay_state: 'closed', status: 'cancelled', cancel_type: 'timeout', closed_at: now, version: sql`${order.version} + 1`, updated_at: now }).where(and(eq(order.id, order_id), eq(order.pay_state, 'unpaid'), sql`${order.expire_pay_at} <= ${now}`)).returning({ id: order.id })
  if (!closed) return false
  const items = await tx.select().from(order_item).where(eq(order_item.order_id, order_id))
  for (const item of items) await tx.update(product).set({ held: sql`greatest(${product.held} - ${item.qty}, 0)` }).where(eq(product.id, item.product_id))
  return true
}

/** Facts and status of an order of codes, counted anew from its codes. */
const recount = async (tx: Db, order_id: number, now: number): Promise<void> => {
  const codes = await tx.select().from(order_code).where(eq(order_code.order_id, order_id))
  const [row] = await tx.select().from(order).where(eq(order.id, order_id)).for('update')
  const sum = (of: (code: (typeof codes)[number]) => number) => codes.reduce((all, code) => all + of(code), 0)
  const units = { total: sum(code => code.times_total + code.times_bonus), used: sum(code => code.times_used), refunded: sum(code => code.times_refunded), expired: sum(code => (code.state === 'expired' ? code.times_total + code.times_bonus - code.times_used : 0)) }
  const refunded = codes.every(code => code.state === 'refunded') ? 'refunded' as const : sum(code => code.times_refunding) > 0 ? 'refunding' as const : units.refunded > 0 ? 'part_refunded' as const : 'none' as const
  const fulfil_state = fulfilOf(units) ?? row!.fulfil_state
  const facts = { pay_state: row!.pay_state, balance_due: row!.balance_due, fulfil_state, refund_state: refunded, frozen: row!.frozen }
  await tx.update(order).set({ ...facts, status: statusOf(facts), finished_at: fulfil_state === 'finished' ? now : row!.finished_at, version: row!.version + 1, updated_at: now }).where(eq(order.id, order_id))
}

/** Redeems uses of a code, one unless said otherwise: one UPDATE with every guard in its condition, so that no two tills can use it twice. `by` is who did it, for the record. */
export const redeem = async (tx: Db, of: { code_id: number; store_id: number; now: number; times?: number; way?: 'scan' | 'input' | 'platform'; by?: { verifier_id?: number; admin_id?: number } }): Promise<boolean> => {
  const { now, times = 1, way = 'scan' } = of
  const c = order_code
  // The order is held first: whoever freezes it at this moment comes wholly before or wholly after.
  const [held] = await tx.select({ frozen: order.frozen }).from(order).where(eq(order.id, sql`(select k.order_id from order_code k where k.id = ${of.code_id})`)).for('update')
  if (!held || held.frozen) return false
  const [used] = await tx.update(c)
    .set({ times_used: sql`${c.times_used} + ${times}`, state: sql`case when ${c.times_used} + ${times} >= ${c.times_total} + ${c.times_bonus} - ${c.times_refunded} then 'used' else 'part_used' end`, version: sql`${c.version} + 1`, updated_at: now })
    .where(and(eq(c.id, of.code_id), inArray(c.state, ['unused', 'part_used'] satisfies CodeState[]), sql`${c.valid_from} <= ${now} and ${c.valid_until} > ${now}`, sql`${c.times_used} + ${c.times_refunding} + ${c.times_refunded} < ${c.times_total} + ${c.times_bonus}`, times > 1 ? sql`${c.times_used} + ${c.times_refunding} + ${c.times_refunded} + ${times} <= ${c.times_total} + ${c.times_bonus}` : undefined))
    .returning()
  if (!used) return false
  const share = (cents: number) => unitShares(cents, used.times_total).slice(used.times_used - times, used.times_used).reduce((sum, one) => sum + one, 0)
  const [pay, platform, settle] = [share(used.pay_cents), share(used.platform_cents), share(used.settle_cents)]
  const [place] = await tx.select({ city_id: order.city_id, mall_id: order.mall_id }).from(order).where(eq(order.id, used.order_id))
  await tx.insert(verify_record).values({ code_id: used.id, order_id: used.order_id, product_id: used.product_id, kind: used.kind, ...place!, store_id: of.store_id, way, times, ...of.by, pay_cents: pay, platform_cents: platform, commission_cents: pay + platform - settle, settle_cents: settle, state: 'valid', verified_at: now, created_at: now, updated_at: now })
  if (used.state === 'used') await tx.update(order_item).set({ used_qty: sql`${order_item.used_qty} + 1` }).where(eq(order_item.id, used.item_id))
  await recount(tx, used.order_id, now)
  return true
}

/** A member gives all unused codes of an order back; the money goes out at once, as the platform allows for codes never used. */
export const refundUnused = async (tx: Db, of: { order_id: number; reason: string; now: number }): Promise<boolean> => {
  const { now, order_id } = of
  const [row] = await tx.select().from(order).where(and(eq(order.id, order_id), eq(order.pay_state, 'paid'), eq(order.frozen, false), eq(order.refund_state, 'none'))).for('update')
  if (!row) return false
  const codes = await tx.update(order_code).set({ state: 'refunded', times_refunded: sql`${order_code.times_total}`, refunded_cents: sql`${order_code.pay_cents}`, updated_at: now }).where(and(eq(order_code.order_id, order_id), eq(order_code.state, 'unused'))).returning()
  if (codes.length === 0) return false
  const amount = codes.reduce((sum, code) => sum + code.pay_cents, 0)
  const [made] = await tx.insert(refund).values({ refund_no: `RF${now}${randomInt(100_000, 999_999)}`, order_id, order_kind: row.kind, city_id: row.city_id, mall_id: row.mall_id, type: 'refund_only', source: 'member', cause: 'apply', reason: of.reason, amount_cents: amount, state: 'done', deadline_at: now + DAY, done_at: now, created_at: now, updated_at: now }).returning({ id: refund.id })
  await tx.insert(refund_item).values(codes.map(code => ({ refund_id: made!.id, item_id: code.item_id, code_id: code.id, qty: 1, amount_cents: code.pay_cents, platform_cents: code.platform_cents })))
  await tx.update(order_item).set({ refunded_qty: sql`${order_item.refunded_qty} + ${codes.length}`, refunded_cents: sql`${order_item.refunded_cents} + ${amount}` }).where(eq(order_item.id, codes[0]!.item_id))
  await tx.update(order).set({ refunded_cents: sql`${order.refunded_cents} + ${amount}` }).where(eq(order.id, order_id))
  await tx.update(product).set({ stock: sql`${product.stock} + ${codes.length}`, sold: sql`${product.sold} - ${codes.length}` }).where(eq(product.id, codes[0]!.product_id))
  await recount(tx, order_id, now)
  return true
}
