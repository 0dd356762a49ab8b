import { and, eq, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { refuseSanctioned } from '#src/areas/member/sanctions.server.ts'
import { consentByOrder } from '#src/areas/merchant/agreements.server.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { statusOf, type OrderSource, type PayWay } from '#src/areas/order/order.ts'
import { noteOrder, type Actor, type Order } from '#src/areas/order/orderFacts.server.ts'
import { markPaid } from '#src/areas/order/orderPaid.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refuseRisky } from '#src/areas/risk/risk.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import type { VipOrder } from './orderHooks.server.ts'
import type { PlanRow } from './plans.server.ts'
import type { OpenedBy } from './subscription.ts'
import { vip_card, vip_card_order as v, vip_contract } from './vipCard.table.ts'
import { priceFor } from './vipCard.ts'
import { creditOf, PAY_IN, type Running } from './vipOrder.ts'

export type BuyingPlan = {
  member_id: number
  card_id: number
  /** It is to renew by itself: a contract is signed as it is paid. */
  renew?: boolean
  /** Where the buyer came from: a poster, a distributor, a store's guide. */
  source?: string
  distributor_id?: number | null
  device?: string | undefined
  proved?: boolean
  channel?: PayWay
  now: number
}
const unpaid = {
  pay_state: 'unpaid' as const,
  balance_due: false,
  fulfil_state: 'none' as const,
  refund_state: 'none' as const,
  frozen: false,
}
type Writing = {
  plan: Pick<PlanRow, 'id' | 'name' | 'cover' | 'refund_policy' | 'gift_coupon_ids'>
  buyer: { id: number; city_id: number }
  kind: Extract<OpenedBy, 'buy' | 'renew'>
  days: number
  pay_cents: number
  source: OrderSource
  channel: PayWay
  actor: Actor
  expire_pay_at: number
  /** What the purchase says beside it. */
  more: Partial<typeof v.$inferInsert>
  device?: string | undefined
  now: number
}
/**
 * Writes an order of a membership, its one line (a unit a day, so that whole days go back) and the
 * purchase; asks for its payment. It is the house's own: no merchant, no store, no mall.
 */
export const writePlanOrder = async (
  tx: Db,
  of: Writing,
): Promise<{ made: Order; bought: VipOrder }> => {
  const { plan, buyer, days, pay_cents, now } = of
  const stamps = { created_at: now, updated_at: now }
  const [made] = await tx
    .insert(order)
    .values({
      order_no: numberOf('VC', now),
      kind: 'vip_card',
      sub_kind: 'virtual',
      member_id: buyer.id,
      city_id: buyer.city_id,
      mall_id: 0,
      merchant_id: 0,
      store_id: 0,
      source: of.source,
      agreements: await consentByOrder(tx, { member_id: buyer.id, kind: 'vip_card', now }),
      device_id: of.device ?? null,
      total_cents: pay_cents,
      pay_cents,
      ...unpaid,
      status: statusOf(unpaid),
      expire_pay_at: of.expire_pay_at,
      ...stamps,
    })
    .returning()
  await tx.insert(order_item).values({
    order_id: made!.id,
    kind: 'vip_card',
    snapshot: { title: plan.name, commission_bp: 0, images: plan.cover ? [plan.cover] : [] },
    title: plan.name,
    store_id: 0,
    qty: days,
    price_cents: Math.round(pay_cents / days),
    pay_cents,
    fulfil: 'virtual',
    ...stamps,
  })
  const [bought] = await tx
    .insert(v)
    .values({
      order_no: made!.order_no,
      order_id: made!.id,
      member_id: buyer.id,
      card_id: plan.id,
      kind: of.kind,
      days,
      pay_cents,
      refund_policy: plan.refund_policy,
      gift_coupon_ids: of.kind === 'buy' ? plan.gift_coupon_ids : [],
      ...of.more,
      ...stamps,
    })
    .returning()
  if (pay_cents > 0)
    await tx.insert(payment).values({
      order_id: made!.id,
      direction: 'in',
      stage: 'full',
      channel: of.channel,
      amount_cents: pay_cents,
      out_no: made!.order_no,
      state: 'pending',
      ...stamps,
    })
  await noteOrder(tx, {
    order_id: made!.id,
    event: 'create',
    actor: of.actor,
    at: now,
    to: made!.status,
  })
  return { made: made!, bought: bought! }
}

/** How often a member bought a plan, or any: what is not paid yet counts until it is closed. */
const boughtBefore = async (tx: Db, member_id: number, card_id: number) => {
  const [row] = await tx
    .select({
      any: sql<number>`count(*)::int`,
      own: sql<number>`(count(*) filter (where ${v.card_id} = ${card_id}))::int`,
    })
    .from(v)
    .innerJoin(order, eq(order.id, v.order_id))
    .where(and(eq(v.member_id, member_id), eq(v.kind, 'buy'), sql`${order.pay_state} <> 'closed'`))
  return row!
}
/** The purchase whose period runs now, with money in it; what is upgraded already is not it. */
const runningOf = async (tx: Db, member_id: number, now: number): Promise<Running | undefined> => {
  const [row] = await tx
    .select({
      bought: v,
      price_cents: vip_card.price_cents,
      refunded_cents: order.refunded_cents,
      refund_state: order.refund_state,
    })
    .from(v)
    .innerJoin(order, eq(order.id, v.order_id))
    .innerJoin(vip_card, eq(vip_card.id, v.card_id))
    .where(
      and(
        eq(v.member_id, member_id),
        sql`${v.ended_at} is null and ${v.start_at} <= ${now} and ${v.end_at} > ${now}`,
        sql`not exists (select 1 from vip_card_order up where up.credit_of = ${v.id})`,
      ),
    )
    .orderBy(sql`${v.id} desc`)
    .limit(1)
  if (!row) return undefined
  const { bought, price_cents, refunded_cents, refund_state } = row
  return {
    ...bought,
    start_at: bought.start_at!,
    end_at: bought.end_at!,
    price_cents,
    refunded_cents,
    refunding: refund_state === 'refunding',
  }
}
/** Takes one piece of a plan that is on sale. Throws 422 where it is not, or none is left. */
const takePiece = async (tx: Db, card_id: number): Promise<PlanRow> => {
  const [plan] = await tx
    .update(vip_card)
    .set({ sold_count: sql`${vip_card.sold_count} + 1` })
    .where(
      and(
        eq(vip_card.id, card_id),
        eq(vip_card.status, 'on'),
        sql`(${vip_card.stock} is null or ${vip_card.sold_count} < ${vip_card.stock})`,
      ),
    )
    .returning()
  if (plan) return plan
  const [standing] = await tx.select().from(vip_card).where(eq(vip_card.id, card_id))
  if (!standing) throw missing()
  if (standing.status !== 'on')
    throw ruled('off', ['该卡种已下架，请换一种', 'The plan is off sale: choose another'])
  throw ruled('sold_out', ['该卡种已售罄', 'The plan is sold out'])
}
const holdBuyer = async (tx: Db, member_id: number) => {
  const [buyer] = await tx
    .select({ id: member.id, city_id: member.city_id, state: member.account_state })
    .from(member)
    .where(eq(member.id, member_id))
    .for('no key update')
  if (!buyer) throw missing()
  if (buyer.state !== 'normal' && buyer.state !== 'muted')
    throw ruled('account', ['账号状态异常，不能购买', 'The account is not in order'])
  return buyer
}
const beginContract = async (tx: Db, plan: PlanRow, member_id: number, now: number) => {
  if (!plan.auto_renew || plan.price_cents === 0)
    throw ruled('no_renewal', ['该卡种不支持自动续费', 'The plan does not renew by itself'])
  const [made] = await tx
    .insert(vip_contract)
    .values({
      contract_no: numberOf('VK', now),
      member_id,
      card_id: plan.id,
      template: plan.contract_template,
      price_cents: plan.price_cents,
      days: plan.days,
      created_at: now,
      updated_at: now,
    })
    .returning({ id: vip_contract.id })
  return made!.id
}
/**
 * Places the order of a member for a plan at the price of the moment: the first one once a member,
 * less what the rest of a cheaper plan is worth. A piece of the plan is held until it is paid or
 * closed. What costs nothing is paid at once. Orders of one member come one after the other. Throws
 * 422 with the rule that refuses.
 */
export const placePlan = async (
  tx: Db,
  of: BuyingPlan,
): Promise<{ made: Order; bought: VipOrder }> => {
  const { member_id, card_id, now } = of
  const device_id = of.device ?? null
  await refuseSanctioned(tx, member_id, 'order', now)
  await refuseRisky(tx, { member_id, device_id, proved: of.proved, now })
  const buyer = await holdBuyer(tx, member_id)
  const before = await boughtBefore(tx, member_id, card_id)
  const plan = await takePiece(tx, card_id)
  if (plan.buy_limit > 0 && before.own >= plan.buy_limit)
    throw ruled('limit', ['每人限购 {n} 次', '{n} a member'], { n: plan.buy_limit })
  const price_cents = priceFor(plan, before.any)
  const running = await runningOf(tx, member_id, now)
  const credit_cents = creditOf(
    running,
    { card_id, price_cents, list_cents: plan.price_cents },
    now,
  )
  const contract_id = of.renew ? await beginContract(tx, plan, member_id, now) : null
  const written = await writePlanOrder(tx, {
    plan,
    buyer,
    kind: 'buy',
    days: plan.days,
    pay_cents: price_cents - credit_cents,
    source: 'mini_program',
    channel: of.channel ?? 'embedded',
    actor: { type: 'member', id: member_id },
    expire_pay_at: now + PAY_IN,
    more: {
      contract_id,
      credit_cents,
      credit_of: credit_cents > 0 ? running!.id : null,
      source: of.source ?? '',
      distributor_id: of.distributor_id ?? null,
    },
    device: of.device,
    now,
  })
  if (written.made.pay_cents > 0) return written
  await markPaid(tx, written.made.id, { cents: 0, deposit: false, now })
  const [made] = await tx.select().from(order).where(eq(order.id, written.made.id))
  const [bought] = await tx.select().from(v).where(eq(v.id, written.bought.id))
  return { made: made!, bought: bought! }
}
