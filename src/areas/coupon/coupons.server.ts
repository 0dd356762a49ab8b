import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { refuseFrozenBenefits } from '#src/areas/member/benefits.server.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import type { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { coupon, coupon_grant } from './coupon.table.ts'
import {
  COUPON_BACK_DAYS,
  couponFor,
  couponScope,
  cutBy,
  type CouponCut,
  type CouponLine,
  type CouponTerms,
} from './coupon.ts'

type Coupon = typeof coupon.$inferSelect
type Product = Pick<
  typeof product.$inferSelect,
  'id' | 'merchant_id' | 'category_id' | 'store_ids' | 'in_activity'
>

const kept: Readonly<Record<keyof CouponTerms, true>> = {
  name: true,
  scope: true,
  kind: true,
  face_cents: true,
  threshold_cents: true,
  discount_bp: true,
  cap_cents: true,
  apply_kind: true,
  apply_ids: true,
  exclude_ids: true,
  city_ids: true,
  weekdays: true,
  stackable: true,
  platform_share_bp: true,
  merchant_share_bp: true,
}
/** The terms of a coupon that a grant keeps as they were when it was claimed. */
export const termKeys = Object.keys(kept) as readonly (keyof CouponTerms)[]
/** The terms of a coupon as they stand. */
export const couponTerms = (of: CouponTerms): CouponTerms => {
  const terms: Partial<Record<keyof CouponTerms, unknown>> = {}
  for (const key of termKeys) terms[key] = of[key]
  return terms as CouponTerms
}
type Granted = { grant: Pick<typeof coupon_grant.$inferSelect, 'snapshot'>; coupon: Coupon }
/**
 * The terms that a grant was claimed under; older grants keep some of them only, and the coupon has
 * the rest.
 */
export const grantedTerms = ({ grant, coupon: of }: Granted): CouponTerms =>
  ({ ...couponTerms(of), ...grant.snapshot }) as CouponTerms
const termsHeld = async (tx: Db, of: { grant_id: number; member_id: number }) => {
  const [held] = await tx
    .select({ grant: coupon_grant, coupon })
    .from(coupon_grant)
    .innerJoin(coupon, eq(coupon.id, coupon_grant.coupon_id))
    .where(and(eq(coupon_grant.id, of.grant_id), eq(coupon_grant.member_id, of.member_id)))
  if (!held) throw ruled('coupon', ['优惠券不存在，或不是本人的', 'No such coupon of this member'])
  return {
    grant: held.grant,
    terms: grantedTerms(held),
  }
}
/**
 * Goods as coupons see them: with all categories above theirs and their stores', whichever tree
 * these are of, and with those that were merged into one of them.
 */
export const linesFor = async <
  T extends { item: Product; price_cents: number; cost_cents: number },
>(
  tx: Db,
  sold: readonly T[],
): Promise<CouponLine[]> => {
  const stores = await tx
    .select({ id: store.id, mall_id: store.mall_id, category_id: store.category_id })
    .from(store)
    .where(inArray(store.id, [...new Set(sold.flatMap(one => one.item.store_ids))]))
  const { rows } = await tx.execute<{ leaf: number; id: number }>(sql`
    with recursive tree as (select id, parent_id from shop_category union all select id, parent_id from e_category),
      up as (select id leaf, id, parent_id, 0 depth from tree where id in ${[...new Set([...sold.map(one => one.item.category_id), ...stores.map(one => one.category_id)])]} union all select up.leaf, t.id, t.parent_id, up.depth + 1 from up join tree t on t.id = up.parent_id where up.depth < 9)
    select leaf, id from up union select up.leaf, m.id from up join (select id, merged_into from shop_category union all select id, merged_into from e_category) m on m.merged_into = up.id`)
  const above = grouped(rows, row => row.leaf)
  return sold.map(({ item, price_cents, cost_cents }) => {
    const own = stores.filter(one => item.store_ids.includes(one.id))
    return {
      product_id: item.id,
      merchant_id: item.merchant_id,
      category_ids: [item.category_id, ...own.map(one => one.category_id)].flatMap(id =>
        (above.get(id) ?? []).map(row => row.id),
      ),
      stores: own,
      price_cents,
      cost_cents,
      in_activity: item.in_activity,
    }
  })
}

const gone: Readonly<
  Record<Exclude<(typeof coupon_grant.$inferSelect)['status'], 'unused'>, Text>
> = {
  locked: ['优惠券刚被另一笔订单占用', 'The coupon was just taken for another order'],
  used: ['优惠券已使用', 'The coupon was used'],
  expired: ['优惠券已过期', 'The coupon has expired'],
  revoked: ['优惠券已被收回', 'The coupon was taken back'],
}
/**
 * A member's coupon is taken for an order that is being placed, and says what it takes off each
 * line: by one guarded UPDATE, so that of two orders at once one has it. It is held after the stock
 * of products, as by everybody.
 */
export const lockCoupon = async (
  tx: Db,
  of: {
    grant_id: number
    member_id: number | null
    order_no: string
    kind: Order['kind']
    posted: boolean
    store_id: number
    city_id: number
    freight_cents: number
    other_cents: number
    reduced: boolean
    sold: readonly { item: Product; price_cents: number; cost_cents: number }[]
    now: number
  },
): Promise<CouponCut & { name: string }> => {
  const { now } = of
  const { grant, terms } = await termsHeld(tx, {
    grant_id: of.grant_id,
    member_id: of.member_id ?? 0,
  })
  await refuseFrozenBenefits(tx, grant.member_id)
  const cut = cutBy(terms, {
    scope: couponScope(of.kind, of.posted),
    city_id: of.city_id,
    at: now,
    freight_cents: of.freight_cents,
    lines: await linesFor(tx, of.sold),
    other_cents: of.other_cents,
    reduced: of.reduced,
  })
  if ('rule' in cut) throw ruled(cut.rule, cut.text, cut.values)
  const { discount_cents, platform_cents, merchant_cents } = cut
  const t = coupon_grant
  const [locked] = await tx
    .update(t)
    .set({
      status: 'locked',
      locked_at: now,
      order_no: of.order_no,
      store_id: of.store_id,
      discount_cents,
      platform_cents,
      merchant_cents,
      version: sql`${t.version} + 1`,
      updated_at: now,
    })
    .where(
      and(
        eq(t.id, grant.id),
        eq(t.member_id, grant.member_id),
        eq(t.status, 'unused'),
        lte(t.start_at, now),
        gt(t.end_at, now),
      ),
    )
    .returning({ id: t.id })
  if (locked) return { ...cut, name: terms.name }
  const [is] = await tx
    .select({ status: t.status, start_at: t.start_at })
    .from(t)
    .where(eq(t.id, grant.id))
  if (is!.status !== 'unused') throw ruled('coupon_gone', gone[is!.status])
  throw ruled(
    'coupon_gone',
    is!.start_at > now ? ['优惠券还未到使用时间', 'The coupon can’t be used yet'] : gone.expired,
  )
}
/**
 * Says which of several orders out of one cart a member's coupon goes with: the one that has most
 * of what it is for.
 */
export const couponGoesWith = async (
  tx: Db,
  of: {
    grant_id: number
    member_id: number | null
    carts: readonly (readonly { item: Product; price_cents: number; cost_cents: number }[])[]
  },
): Promise<number> => {
  const { terms } = await termsHeld(tx, { grant_id: of.grant_id, member_id: of.member_id ?? 0 })
  const sums: number[] = []
  for (const cart of of.carts)
    sums.push(
      (await linesFor(tx, cart)).reduce(
        (sum, line) => sum + (couponFor(terms, line) ? line.cost_cents : 0),
        0,
      ),
    )
  return sums.indexOf(Math.max(...sums))
}

type Whose = Pick<Order, 'coupon_grant_id' | 'order_no'>
/** Counts one used piece more or one less, with what it took off. */
const counts = (tx: Db, of: { coupon_id: number; n: 1 | -1; cents: number | null }) =>
  tx
    .update(coupon)
    .set({
      used_count: sql`${coupon.used_count} + ${of.n}`,
      cost_cents: sql`${coupon.cost_cents} + ${of.n * (of.cents ?? 0)}`,
    })
    .where(eq(coupon.id, of.coupon_id))
const ofOrder = (row: Whose, status: 'locked' | 'used') =>
  and(
    eq(coupon_grant.id, row.coupon_grant_id!),
    eq(coupon_grant.order_no, row.order_no),
    eq(coupon_grant.status, status),
  )
const free = {
  status: 'unused',
  order_no: null,
  store_id: null,
  discount_cents: null,
  platform_cents: null,
  merchant_cents: null,
  locked_at: null,
  used_at: null,
} as const
const step = { version: sql`${coupon_grant.version} + 1` }
/**
 * Marks the coupon of an order that is wholly paid as used. The order must be held, as for all that
 * follows.
 */
export const spendCoupon = async (tx: Db, row: Whose, now: number): Promise<void> => {
  if (row.coupon_grant_id === null) return
  const [used] = await tx
    .update(coupon_grant)
    .set({ ...step, status: 'used', used_at: now, updated_at: now })
    .where(ofOrder(row, 'locked'))
    .returning({ coupon_id: coupon_grant.coupon_id, cents: coupon_grant.discount_cents })
  if (used) await counts(tx, { ...used, n: 1 })
}
/**
 * Gives the coupon of an order that was closed unpaid back to its member, for as long as it was
 * good. Answers whether it did.
 */
export const freeCoupon = async (tx: Db, row: Whose, now: number): Promise<boolean> =>
  row.coupon_grant_id !== null &&
  (
    await tx
      .update(coupon_grant)
      .set({ ...step, ...free, updated_at: now })
      .where(ofOrder(row, 'locked'))
      .returning({ id: coupon_grant.id })
  ).length > 0
/**
 * Gives the coupon of an order that was wholly refunded back to its member: once in its life, and
 * for some days more where its time is over. Answers whether it came back; for an order without a
 * coupon it answers as the rule says.
 */
export const returnCoupon = async (
  tx: Db,
  row: Whose & Pick<Order, 'id' | 'member_id'>,
  now: number,
): Promise<boolean> => {
  // An order that was never wholly paid did not use its coupon.
  if (row.coupon_grant_id === null || (await freeCoupon(tx, row, now))) return true
  const [before] = await tx
    .select({ id: refund.id })
    .from(refund)
    .innerJoin(order, eq(order.id, refund.order_id))
    .where(
      and(
        eq(order.member_id, row.member_id!),
        eq(order.coupon_grant_id, row.coupon_grant_id),
        sql`${order.id} <> ${row.id}`,
        eq(order.pay_state, 'paid'),
        eq(refund.coupon_back, true),
        eq(refund.state, 'done'),
      ),
    )
    .limit(1)
  if (before) return false
  const [was] = await tx
    .select({ cents: coupon_grant.discount_cents })
    .from(coupon_grant)
    .where(ofOrder(row, 'used'))
  const [back] = await tx
    .update(coupon_grant)
    .set({
      ...step,
      ...free,
      end_at: sql`case when ${coupon_grant.end_at} > ${now} then ${coupon_grant.end_at} else ${now + COUPON_BACK_DAYS * DAY} end`,
      updated_at: now,
    })
    .where(ofOrder(row, 'used'))
    .returning({ coupon_id: coupon_grant.coupon_id })
  if (back) await counts(tx, { ...back, n: -1, cents: was?.cents ?? 0 })
  return true
}
/**
 * Ends coupons that nobody used in their time: by the clock, some at a time, never one that an
 * order is about to take. Answers how many.
 */
export const expireCoupons = async (db: Db, now: number, most = 2000): Promise<number> => {
  const t = coupon_grant
  const over = db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.status, 'unused'), lte(t.end_at, now)))
    .orderBy(t.end_at)
    .limit(most)
    .for('update', { skipLocked: true })
  return (
    await db
      .update(t)
      .set({ ...step, status: 'expired', updated_at: now })
      .where(and(inArray(t.id, over), eq(t.status, 'unused'), lte(t.end_at, now)))
      .returning({ id: t.id })
  ).length
}
