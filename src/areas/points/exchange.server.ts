import { and, eq, ne, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { refuseSanctioned } from '#src/areas/member/sanctions.server.ts'
import { consentByOrder } from '#src/areas/merchant/agreements.server.ts'
import { keptPolicy } from '#src/areas/order/afterSale.server.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { statusOf, type ItemWay, type Receiver } from '#src/areas/order/order.ts'
import { noteOrder, rulesNow, type Order } from '#src/areas/order/orderFacts.server.ts'
import { markPaid } from '#src/areas/order/orderPaid.server.ts'
import { snapshotOf } from '#src/areas/order/orderSold.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { refuseRisky } from '#src/areas/risk/risk.server.ts'
import { refuseUndelivered } from '#src/areas/shipping/freight.server.ts'
import { isLive } from '#src/domain/period.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { freezePoints } from './orderPoints.server.ts'
import { points_goods } from './points.table.ts'

type Goods = typeof points_goods.$inferSelect
type GoodsWay = Extract<ItemWay, 'virtual' | 'code' | 'pickup' | 'express'>
const wayOf = (goods: Goods): GoodsWay => {
  if (goods.kind === 'coupon' || goods.kind === 'ecard') return 'virtual'
  if (goods.kind === 'voucher') return 'code'
  return goods.delivery === 'pickup' ? 'pickup' : 'express'
}

/** Throws 422 outside the time in which goods are exchanged, and below their lowest level. */
const refuseClosed = async (
  tx: Db,
  goods: Goods,
  { member_id, now }: { member_id: number; now: number },
): Promise<void> => {
  if (!isLive(goods, now))
    throw ruled('not_now', ['不在兑换时间内', 'It is not exchanged at this time'])
  if (goods.level_min === null) return
  const [who] = await tx
    .select({ level: member.level })
    .from(member)
    .where(eq(member.id, member_id))
  if (!who || who.level < goods.level_min)
    throw ruled('level', ['V{n} 及以上会员才能兑换', 'For members from V{n} on'], {
      n: goods.level_min,
    })
}

/** Holds what is exchanged, of the product and of the goods; refuses where there is none left. */
const holdGoods = async (tx: Db, known: Goods, fulfil: GoodsWay, qty: number) => {
  const gone = () => ruled('not_for_sale', ['商品已下架或库存不足', 'Off the shelf, or sold out'])
  // In the order in which everybody holds them: the product, then what is exchanged.
  const [item] =
    fulfil === 'virtual'
      ? await tx.select().from(product).where(eq(product.id, known.product_id))
      : await tx
          .update(product)
          .set({ held: sql`${product.held} + ${qty}` })
          .where(
            and(
              eq(product.id, known.product_id),
              sql`${product.stock} - ${product.held} >= ${qty}`,
            ),
          )
          .returning()
  if (!item) throw gone()
  const [goods] = await tx
    .update(points_goods)
    .set({ held: sql`${points_goods.held} + ${qty}` })
    .where(
      and(
        eq(points_goods.id, known.id),
        eq(points_goods.status, 'on'),
        sql`${points_goods.stock} - ${points_goods.held} >= ${qty}`,
      ),
    )
    .returning()
  if (!goods) throw gone()
  return { item, goods }
}
type Held = Awaited<ReturnType<typeof holdGoods>>
const putGoods = async (
  tx: Db,
  made: Order,
  { item, goods, fulfil, qty, now }: Held & { fulfil: GoodsWay; qty: number; now: number },
): Promise<void> => {
  const [live] = await tx
    .select({ body: product_version.body })
    .from(product_version)
    .where(and(eq(product_version.product_id, item.id), eq(product_version.state, 'live')))
  const policy = (await keptPolicy(tx, 'points', [item.category_id]))(item.category_id)
  await tx.insert(order_item).values({
    order_id: made.id,
    kind: 'points',
    product_id: item.id,
    points_goods_id: goods.id,
    policy_id: policy.policy_id,
    snapshot: {
      ...snapshotOf(item, live?.body, goods.cash_cents),
      ...policy.days,
      points_price: goods.points_price,
    },
    title: goods.name,
    store_id: made.store_id,
    qty,
    price_cents: goods.cash_cents,
    pay_cents: made.pay_cents,
    fulfil,
    created_at: now,
    updated_at: now,
  })
}
const refuseBeyondLimit = async (tx: Db, goods: Goods, made: Order, qty: number): Promise<void> => {
  if (goods.limit_per_member === null) return
  const [before] = await tx
    .select({ n: sql<number>`coalesce(sum(${order_item.qty}), 0)::int` })
    .from(order_item)
    .innerJoin(order, eq(order.id, order_item.order_id))
    .where(
      and(
        eq(order_item.points_goods_id, goods.id),
        eq(order.member_id, made.member_id!),
        ne(order.id, made.id),
        ne(order.pay_state, 'closed'),
        ne(order.refund_state, 'refunded'),
      ),
    )
  if (before!.n + qty > goods.limit_per_member)
    throw ruled(
      'limit',
      ['每人限兑 {n} 件，已兑 {had} 件', 'At most {n} a member, {had} were exchanged'],
      { n: goods.limit_per_member, had: before!.n },
    )
}

const askCash = async (tx: Db, made: Order, now: number): Promise<void> => {
  await tx.insert(payment).values({
    order_id: made.id,
    direction: 'in',
    stage: 'full',
    channel: 'embedded',
    amount_cents: made.pay_cents,
    out_no: made.order_no,
    state: 'pending',
    created_at: now,
    updated_at: now,
  })
}

/**
 * A member exchanges points, with some cash where that is asked: stock, points and order in one
 * transaction, all or none. What costs no cash is paid with that; the cash is paid like any other
 * payment, and until then the order may time out, which gives everything back.
 */
export const placeExchange = async (
  tx: Db,
  of: {
    member_id: number
    points_goods_id: number
    qty: number
    receiver?: Receiver
    now: number
    device?: string
    proved?: boolean
  },
): Promise<Order> => {
  const { now, member_id, qty } = of
  const [known] = await tx
    .select()
    .from(points_goods)
    .where(eq(points_goods.id, of.points_goods_id))
  if (!known) throw missing()
  await refuseSanctioned(tx, member_id, 'order', now)
  await refuseRisky(tx, { member_id, device_id: of.device ?? null, proved: of.proved, now })
  await refuseClosed(tx, known, of)
  const fulfil = wayOf(known)
  const { version_no, rules } = await rulesNow(tx, 'points')
  if (fulfil === 'express') {
    if (!of.receiver) throw ruled('no_receiver', ['请填写收货地址', 'It needs an address'])
    refuseUndelivered(rules, of.receiver.area)
  }
  const { item, goods } = await holdGoods(tx, known, fulfil, qty)
  const pay_cents = goods.cash_cents * qty
  const points_used = goods.points_price * qty
  const facts = {
    pay_state: 'unpaid' as const,
    balance_due: false,
    fulfil_state: 'none' as const,
    refund_state: 'none' as const,
    frozen: false,
  }
  const [made] = await tx
    .insert(order)
    .values({
      order_no: numberOf('PO', now),
      kind: 'points',
      sub_kind: fulfil,
      member_id,
      face_cents: item.face_cents || null,
      city_id: item.city_id,
      mall_id: item.mall_id,
      merchant_id: item.merchant_id,
      store_id: item.store_ids[0]!,
      source: 'mini_program',
      total_cents: pay_cents,
      pay_cents,
      points_used,
      agreements: await consentByOrder(tx, { member_id, kind: 'points', now }),
      device_id: of.device ?? null,
      ...facts,
      status: statusOf(facts),
      config_version: version_no,
      receiver: fulfil === 'express' ? of.receiver! : null,
      expire_pay_at: now + rules.pay_timeout_min * 60,
      created_at: now,
      updated_at: now,
    })
    .returning()
  await putGoods(tx, made!, { item, goods, fulfil, qty, now })
  // The member is held from here on: of two orders at once the second sees the first.
  await freezePoints(tx, { member_id, points: points_used, order: made!, now })
  await refuseBeyondLimit(tx, goods, made!, qty)
  await noteOrder(tx, {
    order_id: made!.id,
    event: 'create',
    actor: { type: 'member', id: member_id },
    at: now,
    to: made!.status,
  })
  if (pay_cents > 0) await askCash(tx, made!, now)
  else await markPaid(tx, made!.id, { cents: 0, deposit: false, now })
  return (await tx.select().from(order).where(eq(order.id, made!.id)))[0]!
}
