import { and, desc, eq, gte, inArray, ne, sql } from 'drizzle-orm'
import { policiesOfItems, type Policy } from '#src/areas/afterSalePolicy/policies.server.ts'
import { policyAtFirst } from '#src/areas/afterSalePolicy/policy.ts'
import { return_address } from '#src/areas/merchant/merchant.table.ts'
import { afterSaleUntil, keptDays } from '#src/areas/order/afterSale.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { rulesOf, type Order } from '#src/areas/order/orderFacts.server.ts'
import type { OrderRules } from '#src/areas/order/orderRules.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { pointsBack } from '#src/areas/refund/refund.ts'
import type { Refund } from '#src/areas/refund/refundFacts.server.ts'
import { casePolicy } from '#src/areas/refund/refundPolicy.server.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import type { ERefundDetail } from '../contract/eRefundRow.ts'
import { buyerOf, namesOf, pastOf, payoutsIn, stepsOf } from './cases.ts'
import { rowsOf } from './eRefundRows.ts'

/** The one of several periods that is over first: the case lies within it, or not. */
const soonest = (all: readonly number[]): number | undefined =>
  all.length === 0 ? undefined : Math.min(...all)
/** What the goods of a case were sold under. */
const soldUnder = (
  of: typeof order.$inferSelect,
  {
    rules,
    policies,
    periods,
    items,
  }: {
    rules: OrderRules
    policies: ReadonlyMap<number, Policy>
    periods: ReadonlyMap<number, number>
    items: readonly (typeof order_item.$inferSelect)[]
  },
): ERefundDetail['policy'] => {
  const soldBy = items.map(item => policies.get(item.id)).find(one => one !== undefined)
  const ids = items.map(item => item.id)
  return {
    version_no: soldBy?.version_no ?? of.config_version,
    refund: rules.refund_policy,
    after_sale_days: soonest(items.map(keptDays)) ?? policyAtFirst.no_reason_days,
    auto_cents: casePolicy({ kind: of.kind, policies, rules }, ids).auto_agree_cents,
    freight_payer: soldBy?.freight_payer ?? null,
    until: soonest(ids.flatMap(id => periods.get(id) ?? [])) ?? null,
  }
}
/** What becomes of the platform's discount. */
const couponAfter = (o: Order, row: Refund): 'none' | 'back' | 'kept' => {
  if (o.platform_discount_cents === 0 && o.coupon_grant_id === null) return 'none'
  return row.coupon_back ? 'back' : 'kept'
}
/** The points that went back, or that would. */
const pointsAfter = (o: Order, row: Refund): number => {
  if (row.state === 'done') return row.points_back
  if (row.type === 'resend') return 0
  return pointsBack(o.points_used, o.paid_cents, o.refunded_cents, row.amount_cents)
}
const linesOf = (db: Db, row: Refund) =>
  db
    .select({ line: refund_item, item: order_item })
    .from(refund_item)
    .innerJoin(order_item, eq(order_item.id, refund_item.item_id))
    .where(eq(refund_item.refund_id, row.id))
    .orderBy(refund_item.id)
const parcelsOf = (db: Db, row: Refund) =>
  db
    .select()
    .from(shipment)
    .where(and(eq(shipment.order_id, row.order_id), ne(shipment.state, 'void')))
    .orderBy(shipment.id)
const logsOf = (db: Db, row: Refund) =>
  db
    .select()
    .from(order_log)
    .where(
      and(
        eq(order_log.order_id, row.order_id),
        sql`(${order_log.data}->>'refund_id')::int = ${row.id}`,
      ),
    )
    .orderBy(order_log.id)
/** What other refunds of the order gave or will give back. */
const othersOf = (db: Db, row: Refund) =>
  db
    .select({ amount_cents: refund.amount_cents })
    .from(refund)
    .where(
      and(
        eq(refund.order_id, row.order_id),
        ne(refund.id, row.id),
        sql`${refund.state} not in ('rejected', 'closed')`,
      ),
    )
/** The order that sends a case again. */
const reissueOf = (db: Db, o: Order, row: Refund) =>
  db
    .select({ id: order.id, order_no: order.order_no })
    .from(order)
    .where(
      and(
        eq(order.member_id, o.member_id ?? 0),
        eq(order.reissue_of, o.id),
        gte(order.created_at, row.created_at),
      ),
    )
    .orderBy(desc(order.id))
    .limit(1)
const orderFacts = (o: Order) => ({
  id: o.id,
  order_no: o.order_no,
  kind: o.kind,
  balance_due: o.balance_due,
  status: o.status,
  pay_cents: o.pay_cents,
  paid_cents: o.paid_cents,
  refunded_cents: o.refunded_cents,
  freight_cents: o.freight_cents,
  platform_discount_cents: o.platform_discount_cents,
  points_used: o.points_used,
  created_at: o.created_at,
  paid_at: o.paid_at,
  finished_at: o.finished_at,
  freeze_reason: o.freeze_reason,
  remark: o.remark,
  ...(o.receiver && {
    receiver_name: o.receiver.name,
    receiver_phone: o.receiver.phone,
    receiver_address: `${o.receiver.area} ${o.receiver.address}`,
  }),
})
const image = (snapshot: Record<string, unknown>) => {
  const [first] = (snapshot['images'] as string[] | undefined) ?? []
  return first ?? null
}
type Line = Awaited<ReturnType<typeof linesOf>>[number]
const shownLine = ({ line, item }: Line) => ({
  item_id: item.id,
  title: item.title,
  image: image(item.snapshot),
  sku: (item.snapshot['sku'] as string | undefined) ?? null,
  price_cents: item.price_cents,
  bought: item.qty,
  qty: line.qty,
  shipped_qty: line.shipped_qty,
  share_cents: line.share_cents,
  amount_cents: line.amount_cents,
  platform_cents: line.platform_cents,
})
/** Line by line what the amount of a case is made of. */
const moneyOf = (
  o: Order,
  row: Refund,
  {
    lines,
    others,
    limit_cents,
  }: {
    lines: readonly Line[]
    others: readonly { amount_cents: number }[]
    limit_cents: number
  },
) => {
  const sum = (of: (line: Line['line']) => number) =>
    lines.reduce((all, { line }) => all + of(line), 0)
  return {
    share_cents: sum(line => line.share_cents),
    given_cents: sum(line => line.amount_cents),
    freight_cents: row.freight_cents,
    amount_cents: row.amount_cents,
    cap_cents: row.cap_cents,
    before_cents: others.reduce((all, one) => all + one.amount_cents, 0),
    coupon: couponAfter(o, row),
    coupon_cents: sum(line => line.platform_cents),
    points_used: o.points_used,
    points_back: pointsAfter(o, row),
    limit_cents,
  }
}
/** Where the goods go back to, and by what parcel. */
const backTo = (
  to: typeof return_address.$inferSelect,
  row: Refund,
  courierName: (code: string) => string,
) => ({
  name: to.name,
  phone: to.phone,
  address: `${to.area} ${to.address}`,
  courier: row.return_courier && courierName(row.return_courier),
  tracking_no: row.return_tracking_no,
  received_at: row.return_received_at,
  condition: row.return_condition,
  track: row.return_track && {
    state: row.return_track.state,
    traces: row.return_track.traces,
    traced_at: row.return_track.traced_at,
    sent_at: row.return_track.sent_at,
  },
})
/** All that a person reads before deciding. */
export const fileOf = async (db: Db, row: Refund, staff: Staff, now: number) => {
  const [[of], lines, paid, parcels, logs, others, [shown]] = await Promise.all([
    db.select().from(order).where(eq(order.id, row.order_id)),
    linesOf(db, row),
    db.select().from(payment).where(eq(payment.order_id, row.order_id)).orderBy(payment.id),
    parcelsOf(db, row),
    logsOf(db, row),
    othersOf(db, row),
    rowsOf(db, [row], now),
  ])
  const o = of!
  const itemIds = lines.map(({ item }) => item.id)
  const [rules, policies, periods, names, codes, [to], [reissue]] = await Promise.all([
    rulesOf(db, o),
    policiesOfItems(db, itemIds),
    afterSaleUntil(db, o),
    namesOf(
      db,
      logs.map(one => (one.actor_type === 'staff' ? one.actor_id : null)),
    ),
    db
      .select({ code: courier.code, name: courier.name })
      .from(courier)
      .where(
        inArray(courier.code, ['', ...parcels.map(one => one.courier), row.return_courier ?? '']),
      ),
    row.return_address_id === null
      ? []
      : db.select().from(return_address).where(eq(return_address.id, row.return_address_id)),
    row.type === 'resend' && row.state === 'done' ? reissueOf(db, o, row) : [],
  ])
  const courierName = (code: string) => codes.find(one => one.code === code)?.name ?? code
  return {
    row: shown!,
    order: orderFacts(o),
    images: row.images,
    lines: lines.map(shownLine),
    money: moneyOf(o, row, { lines, others, limit_cents: staff.refund_limit_cents }),
    paid: paid
      .filter(one => one.direction === 'in' && one.state === 'success')
      .map(one => ({ channel: one.channel, amount_cents: one.amount_cents, at: one.success_at })),
    payouts: payoutsIn(row, paid),
    offline: row.offline ? { account: row.offline_account ?? '', proof: row.offline_proof } : null,
    outbound: parcels.map(one => ({
      courier: courierName(one.courier),
      tracking_no: one.tracking_no,
      state: one.state,
      shipped_at: one.shipped_at,
      signed_at: one.signed_at,
      last: one.traces.at(-1)?.text ?? null,
    })),
    back: to ? backTo(to, row, courierName) : null,
    policy: soldUnder(o, { rules, policies, periods, items: lines.map(({ item }) => item) }),
    buyer: await buyerOf(db, row, now),
    past: await pastOf(db, 'posted', row, staff),
    messages: row.messages,
    steps: stepsOf(row, logs, names),
    reissue: reissue ?? null,
  }
}
