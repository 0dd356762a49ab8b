import { and, eq, inArray, sql } from 'drizzle-orm'
import { keepSellers } from '#src/areas/commission/keeping.server.ts'
import { couponGoesWith, freeCoupon } from '#src/areas/coupon/coupons.server.ts'
import { releaseCodes } from '#src/areas/ecard/codeLife.server.ts'
import { releaseTickets } from '#src/areas/film/tickets.server.ts'
import { freePull } from '#src/areas/filmPull/pulls.server.ts'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { lastClicked } from '#src/areas/link/h5Links.server.ts'
import { refuseSanctioned } from '#src/areas/member/sanctions.server.ts'
import { consentByOrder } from '#src/areas/merchant/agreements.server.ts'
import { refuseFar } from '#src/areas/merchant/storeReach.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { freezePoints, unfreezePoints } from '#src/areas/points/orderPoints.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { moveStock, restock } from '#src/areas/product/stock.server.ts'
import { depositOf, freeUnits, keepDeposit } from '#src/areas/raise/raise.server.ts'
import { keepsDeposit } from '#src/areas/raise/raise.ts'
import { refuseRisky } from '#src/areas/risk/risk.server.ts'
import { keepSubsidies } from '#src/areas/subsidy/granting.server.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import { releasePlan } from '#src/areas/vipCard/orderHooks.server.ts'
import { grouped } from '#src/domain/grouped.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Buying, BoughtLine, Offer, SoldLine } from './buying.server.ts'
import { holdLimits, keepLimits } from './buyLimit.server.ts'
import { numberOf } from './numbers.server.ts'
import { order, order_item } from './order.table.ts'
import { statusOf } from './order.ts'
import {
  noteOrder,
  recount,
  rulesNow,
  system,
  type Actor,
  type Order,
} from './orderFacts.server.ts'
import type { OrderRules } from './orderRules.ts'
import type { CouponNote } from './orderSold.server.ts'
import { sumUp, type CouponHeld, type OrderSums } from './orderSums.server.ts'
import {
  askPayment,
  holdLines,
  holdOffer,
  holdStores,
  insertItems,
  kindOf,
  linesOf,
  subKindOf,
} from './placing.server.ts'

/** The facts of an order that nobody has paid yet. */
const unpaid = {
  pay_state: 'unpaid' as const,
  balance_due: false,
  fulfil_state: 'none' as const,
  refund_state: 'none' as const,
  frozen: false,
}
/** Where an order comes from: the agreements of its buyer, a short link, a live room. */
const originOf = async (tx: Db, of: Buying, offer: Offer, kind: Order['kind']) => {
  const { member_id, now } = of
  return {
    source: offer.live_room_id === null ? ('mini_program' as const) : ('live' as const),
    live_room_id: offer.live_room_id,
    agreements: member_id === null ? {} : await consentByOrder(tx, { member_id, kind, now }),
    h5_link_id: of.device === undefined ? null : await lastClicked(tx, of.device, now),
    device_id: of.device ?? null,
  }
}
/** The buyer of an order, and what they said when they placed it. */
const buyerOf = (of: Buying) => ({
  member_id: of.member_id,
  visitor_phone: of.visitor?.phone ?? null,
  visitor_openid: of.visitor?.openid ?? null,
  points_used: of.member_id === null ? 0 : (of.points_used ?? 0),
  receiver: of.receiver ?? null,
  invoice: of.invoice
    ? { ...of.invoice, tax_no: of.invoice.tax_no ?? null, asked_at: of.now, issued: null }
    : null,
})
const insertOrder = async (
  tx: Db,
  of: Buying,
  offer: Offer,
  what: {
    order_no: string
    kind: Order['kind']
    first: SoldLine
    store_id: number
    sums: OrderSums
    version_no: number
    rules: OrderRules
  },
): Promise<Order> => {
  const { kind, sums, rules } = what
  const { item: first, fulfil } = what.first
  const [made] = await tx
    .insert(order)
    .values({
      order_no: what.order_no,
      kind,
      sub_kind: subKindOf(of, offer, fulfil),
      ...buyerOf(of),
      ...(await originOf(tx, of, offer, kind)),
      face_cents: first.face_cents || null,
      city_id: first.city_id,
      mall_id: first.mall_id,
      merchant_id: first.merchant_id,
      store_id: what.store_id,
      total_cents: sums.total_cents,
      freight_cents: sums.freight_cents,
      store_discount_cents: sums.store_discount_cents,
      platform_discount_cents: sums.platform_discount_cents,
      coupon_grant_id: sums.coupon && of.coupon_grant_id,
      pay_cents: sums.pay_cents,
      ...unpaid,
      status: statusOf(unpaid),
      roll_group_id: offer.group?.id ?? null,
      raise_batch_id: offer.batch?.id ?? null,
      combo_id: offer.bundle?.id ?? null,
      config_version: what.version_no,
      expire_pay_at: of.now + rules.pay_timeout_min * 60,
      created_at: of.now,
      updated_at: of.now,
    })
    .returning()
  return made!
}
/** Notes a new order in its log. What the coupon took off stays there, wherever the coupon goes. */
const notePlaced = (
  tx: Db,
  made: Order,
  of: { coupon: CouponHeld | undefined; member_id: number | null; now: number },
) => {
  const { coupon } = of
  return noteOrder(tx, {
    order_id: made.id,
    event: 'create',
    actor: { type: 'member', id: of.member_id },
    at: of.now,
    to: made.status,
    ...(coupon && {
      data: {
        coupon: {
          name: coupon.name,
          discount_cents: coupon.discount_cents,
          platform_cents: coupon.platform_cents,
          merchant_cents: coupon.merchant_cents,
        } satisfies CouponNote,
      },
    }),
  })
}
/**
 * Places the order of a member or a visitor, at the live versions: all lines or none. Their stock
 * is held until it is paid or timed out, a payment is asked for, and the rules of the day are kept
 * with it. It counts for the live room and the short link it came by. Throws 422 for a buyer whom
 * risk control blocks, and for what is not for sale.
 */
export const placeOrder = async (tx: Db, of: Buying): Promise<Order> => {
  const { now, member_id } = of
  const lines = linesOf(of)
  if (member_id !== null) await refuseSanctioned(tx, member_id, 'order', now)
  await refuseRisky(tx, {
    member_id,
    phone: of.visitor?.phone ?? null,
    device_id: of.device ?? null,
    proved: of.proved,
    now,
  })
  const offer = await holdOffer(tx, of, lines)
  const sold = await holdLines(tx, of, lines, offer)
  const first = sold[0]!
  const store_id = of.store_id ?? first.item.store_ids[0]!
  const limits = await holdLimits(tx, { of, offer, sold, store_id })
  if (of.way === 'delivery' && sold.some(one => one.fulfil === 'delivery'))
    await refuseFar(tx, store_id, of.receiver)
  const counted = await holdStores(tx, sold, { store_id, bundled: offer.bundle !== undefined })
  const kind = kindOf(of, offer, first.item)
  const { version_no, rules } = await rulesNow(tx, kind)
  const order_no = numberOf(kind.slice(0, 2).toUpperCase(), now)
  const sums = await sumUp(tx, of, offer, { sold, kind, order_no, store_id, rules })
  const made = await insertOrder(tx, of, offer, {
    order_no,
    kind,
    first,
    store_id,
    sums,
    version_no,
    rules,
  })
  await insertItems(tx, of, offer, { made, sold, sums, counted })
  await keepSellers(tx, made, now)
  await keepSubsidies(tx, sums.subsidies, made, now)
  await keepLimits(tx, limits, { order_id: made.id, member_id, now })
  await askPayment(tx, of, offer, { made, qty: lines[0]!.qty })
  if (of.points_used && member_id !== null)
    await freezePoints(tx, { member_id, points: of.points_used, order: made, now })
  await notePlaced(tx, made, { coupon: sums.coupon, member_id, now })
  await noteUser(tx, {
    kind: 'order',
    member_id,
    request_id: `order:${order_no}`,
    detail: { no: order_no, cents: made.pay_cents },
    from: { device_id: made.device_id },
    at: now,
  })
  return made
}

/**
 * Places the orders of a cart: goods of several suppliers become an order each, where the rules of their kind
 * say so. Their products are held in one order by everybody.
 */
export const placeCart = async (
  tx: Db,
  of: Omit<
    Buying,
    | 'lines'
    | 'product_id'
    | 'qty'
    | 'group_id'
    | 'opens_group'
    | 'raise_batch_id'
    | 'combo_id'
    | 'freight_cents'
    | 'platform_discount_cents'
  > & { lines: readonly BoughtLine[] },
): Promise<Order[]> => {
  const ids = of.lines.map(line => line.product_id)
  const held = await tx
    .select()
    .from(product)
    .where(inArray(product.id, ids))
    .orderBy(product.id)
    .for('update')
  const goods = new Map(held.map(one => [one.id, one]))
  const { rules } = await rulesNow(tx, goods.get(of.lines[0]!.product_id)?.kind ?? 'elist')
  const by = (line: BoughtLine) =>
    rules.split_by_supplier ? (goods.get(line.product_id)?.merchant_id ?? 0) : 0
  const carts = [...grouped(of.lines, by).values()]
  const { coupon_grant_id, ...rest } = of
  const takes =
    coupon_grant_id === undefined
      ? -1
      : await couponGoesWith(tx, {
          grant_id: coupon_grant_id,
          member_id: of.member_id,
          carts: carts.map(lines =>
            lines.flatMap(({ product_id, qty }) => {
              const item = goods.get(product_id)
              return item
                ? [{ item, price_cents: item.price_cents, cost_cents: item.price_cents * qty }]
                : []
            }),
          ),
        })
  const made: Order[] = []
  for (const [at, lines] of carts.entries())
    made.push(await placeOrder(tx, { ...rest, lines, ...(at === takes && { coupon_grant_id }) }))
  return made
}

/** The one who closes an unpaid order, and why. */
type Closer = {
  type: 'member' | 'staff' | 'system'
  actor: Actor
  reason: string
  cancel_type?: 'group_fail' | 'raise_fail'
}
const cancelTypeOf = (by: Closer | undefined) => {
  if (by?.cancel_type) return by.cancel_type
  return by?.type === 'staff' || by?.type === 'member' ? by.type : 'timeout'
}
/** Nothing that is still asked for an order can be paid any more; what comes late goes back. */
const stopAsking = (tx: Db, order_id: number, now: number) =>
  tx
    .update(payment)
    .set({ state: 'closed', updated_at: now })
    .where(
      and(
        eq(payment.order_id, order_id),
        eq(payment.state, 'pending'),
        eq(payment.direction, 'in'),
      ),
    )
/**
 * Closes an unpaid order and frees what it held: when its time is over (`by` undefined), or because
 * somebody closes it. False when it is paid, closed or not due.
 */
export const closeUnpaid = async (
  tx: Db,
  order_id: number,
  now: number,
  by?: Closer,
): Promise<boolean> => {
  const { row } = await holdWithGroup(tx, order_id)
  if (row.pay_state !== 'unpaid' || (!by && row.expire_pay_at > now)) return false
  await moveStock(tx, order_id, 'free')
  if (row.kind === 'ecard') await releaseCodes(tx, order_id, now)
  if (row.kind === 'vip_card') await releasePlan(tx, order_id, now)
  if (row.kind === 'film') {
    await releaseTickets(tx, order_id, now)
    await freePull(tx, row, now)
  }
  if (row.raise_batch_id !== null)
    await freeUnits(tx, row.raise_batch_id, await unitsIn(tx, order_id))
  await stopAsking(tx, order_id, now)
  await recount(tx, row, {
    event: 'cancel',
    actor: by?.actor ?? system,
    now,
    memo: by?.reason ?? '',
    set: {
      pay_state: 'closed',
      cancel_type: cancelTypeOf(by),
      closed_at: now,
    },
  })
  await freeCoupon(tx, row, now)
  if (row.points_used > 0) await unfreezePoints(tx, { order_id, now })
  return true
}

/** Units of an order that were not given back. */
const unitsIn = async (tx: Db, order_id: number): Promise<number> =>
  (
    await tx
      .select({
        n: sql<number>`coalesce(sum(${order_item.qty} - ${order_item.refunded_qty}), 0)::int`,
      })
      .from(order_item)
      .where(eq(order_item.order_id, order_id))
  )[0]!.n
/** Whether a balance is due, its time is over, and nothing else happens to its order. */
const isBalanceOver = (row: Order, now: number): boolean =>
  row.balance_due &&
  row.pay_state === 'part_paid' &&
  row.expire_pay_at <= now &&
  !row.frozen &&
  row.refund_state === 'none'
/**
 * Closes an order whose balance was not paid in time, so that its goods can be sold again. What was
 * promised decides over the deposit: it is kept and becomes income, or it goes back. Answers what
 * goes back (cents), or false when nothing is due now: paid, given more time, frozen, or being
 * refunded.
 */
export const closeBalance = async (
  tx: Db,
  order_id: number,
  now: number,
): Promise<{ back_cents: number; payment_id: number } | false> => {
  const { row, batch } = await holdWithGroup(tx, order_id)
  if (!batch || !isBalanceOver(row, now)) return false
  const items = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, order_id))
    .orderBy(order_item.product_id)
  for (const item of items) await restock(tx, item, item.qty)
  await freeUnits(tx, batch.id, await unitsIn(tx, order_id))
  await stopAsking(tx, order_id, now)
  const after = await recount(tx, row, {
    event: 'cancel',
    actor: system,
    now,
    memo: joined(['尾款超时未付', 'The balance was not paid in time']),
    set: {
      pay_state: 'closed',
      balance_due: false,
      cancel_type: 'balance_timeout',
      closed_at: now,
    },
  })
  await freeCoupon(tx, row, now)
  const deposit = (await depositOf(tx, order_id))!
  if (!keepsDeposit(batch)) return { back_cents: deposit.left_cents, payment_id: deposit.id }
  await keepDeposit(tx, after, { amount_cents: deposit.left_cents, cause: 'balance_timeout', now })
  return { back_cents: 0, payment_id: deposit.id }
}
