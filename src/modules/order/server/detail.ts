import { desc, eq } from 'drizzle-orm'
import { voucherRule } from '#src/areas/code/voucher.ts'
import { afterSaleUntil } from '#src/areas/order/afterSale.server.ts'
import { invoiceable, type Invoice } from '#src/areas/order/order.ts'
import { rulesOf, type Order } from '#src/areas/order/orderFacts.server.ts'
import { promiseOf, type RefundPolicy, type OrderRules } from '#src/areas/order/orderRules.ts'
import { autoReviewAt } from '#src/areas/order/reviews.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import { knownFault } from '#src/areas/payment/channelWords.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { masked } from '#src/domain/mask.ts'
import { say, unjoined, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderDetail } from '../contract/shared.ts'
import {
  itemsOf,
  codesOf,
  usesOf,
  shipmentsOf,
  messagesOf,
  logOf,
  refundedParts,
  reissuesOf,
  sharersOf,
  buyerOf,
  roomsOf,
  linksOf,
  staffNames,
  couponOf,
} from './detailReads.ts'

type Snapshot = { sku?: string; images?: string[]; refund_policy?: RefundPolicy | null }
const actors = {
  member: ['顾客', 'Member'],
  staff: ['后台', 'Staff'],
  merchant: ['商户', 'Merchant'],
  system: ['系统', 'System'],
  channel: ['支付渠道', 'Payment channel'],
} as const
/** The actor where no member of staff did it: risk control freezes by itself. */
const actorOf = (one: typeof order_log.$inferSelect) =>
  one.actor_type === 'system' && one.data?.['by'] === 'risk'
    ? (['风控', 'Risk control'] as const)
    : actors[one.actor_type]
const voucherOf = (snapshot: Record<string, unknown>) => {
  const rule = voucherRule(snapshot)
  return rule
    ? {
        ...rule,
        exclude_weekdays: [...rule.exclude_weekdays],
        unavailable_dates: [...rule.unavailable_dates],
      }
    : null
}

const invoiceOf = (row: Order, { title, ...of }: Invoice) => ({
  ...of,
  ...(of.kind === 'person' && { title }),
  company: of.kind === 'company' ? title : null,
  due_cents: invoiceable(row),
})
/** A message sent the codes whole; here they stand among the codes, for whoever may see them. */
const withoutCodes = (text: string): string =>
  text.replace(/(?<![\dA-Z])\d{12}(?!\d)/g, code => masked('code', code))

type RowOf<Read extends (...of: never[]) => unknown> =
  Awaited<ReturnType<Read>> extends readonly (infer Row)[] ? Row : never
const shownItem = (
  { item, store_name }: RowOf<typeof itemsOf>,
  row: Order,
  rules: OrderRules,
  after_sale_until: ReadonlyMap<number, number>,
) => {
  const { sku, images, refund_policy } = item.snapshot as Snapshot
  return {
    id: item.id,
    product_id: item.product_id ?? undefined,
    title: item.title,
    sku: sku ?? null,
    ...(images?.[0] && { image: images[0] }),
    store_name: store_name ?? '',
    fulfil: item.fulfil,
    qty: item.qty,
    price_cents: item.price_cents,
    pay_cents: item.pay_cents,
    platform_cents: item.platform_cents,
    used_qty: item.used_qty,
    refunding_qty: item.refunding_qty,
    refunded_qty: item.refunded_qty,
    shipped_qty: item.shipped_qty,
    received_qty: item.received_qty,
    refunded_cents: item.refunded_cents,
    issue_state: item.issue_state,
    issue_note: item.issue_note,
    refund_policy: promiseOf(row, item.fulfil, refund_policy, rules),
    after_sale_until: after_sale_until.get(item.id) ?? null,
    voucher: row.kind === 'voucher' ? voucherOf(item.snapshot) : null,
  }
}
const shownCode = ({ code, holder }: RowOf<typeof codesOf>) => ({
  id: code.id,
  item_id: code.item_id,
  code: code.code,
  tail: code.code.slice(-4),
  state: code.state,
  times_total: code.times_total,
  times_bonus: code.times_bonus,
  times_used: code.times_used,
  times_refunding: code.times_refunding,
  times_refunded: code.times_refunded,
  pay_cents: code.pay_cents,
  left_times: code.left_times,
  left_pay_cents: code.left_pay_cents,
  settle_cents: code.settle_cents,
  valid_from: code.valid_from,
  valid_until: code.valid_until,
  first_use_days: code.first_use_days,
  gift_state: code.gift_state,
  holder: holder,
  version: code.version,
})
const shownUse = ({ use, store_name, clerk, staff }: RowOf<typeof usesOf>, tail: string) => ({
  id: use.id,
  code_id: use.code_id,
  tail,
  store_name: store_name ?? '',
  way: use.way,
  by: staff ?? clerk ?? '',
  times: use.times,
  paid_times: use.paid_times,
  pay_cents: use.pay_cents,
  settle_cents: use.settle_cents,
  commission_cents: use.commission_cents,
  state: use.state,
  settle_state: use.settle_state,
  verified_at: use.verified_at,
  reversed_at: use.reversed_at,
  reverse_reason: use.reverse_reason,
  bill_no: use.bill_no,
  bill_cents: use.bill_cents,
})
const shownPayment = (one: typeof payment.$inferSelect, lang: Lang) => ({
  id: one.id,
  direction: one.direction,
  stage: one.stage,
  channel: one.channel,
  amount_cents: one.amount_cents,
  fee_cents: one.fee_cents,
  out_no: one.out_no,
  channel_no: one.channel_no,
  state: one.state,
  fail_text:
    one.fail_text && say(knownFault(payFaults, one.fail_code) ?? unjoined(one.fail_text), lang),
  at: one.success_at ?? one.created_at,
})
const shownRefund = (
  one: typeof refund.$inferSelect,
  parts: readonly RowOf<typeof refundedParts>[],
  titleOf: ReadonlyMap<number, string>,
) => ({
  id: one.id,
  refund_no: one.refund_no,
  type: one.type,
  cause: one.cause,
  state: one.state,
  amount_cents: one.amount_cents,
  reason: one.reason,
  created_at: one.created_at,
  done_at: one.done_at,
  items: parts
    .filter(part => part.refund_id === one.id)
    .map(part => ({
      item_id: part.item_id,
      title: titleOf.get(part.item_id) ?? '',
      qty: part.qty,
    })),
})
const shownShipment = (
  { one, courier_name }: RowOf<typeof shipmentsOf>,
  titleOf: ReadonlyMap<number, string>,
) => ({
  id: one.id,
  courier: one.courier,
  courier_name: courier_name ?? one.courier,
  tracking_no: one.tracking_no,
  state: one.state,
  items: one.items.map(item => ({ title: titleOf.get(item.item_id) ?? '', qty: item.qty })),
  traces: one.traces,
  traced_at: one.traced_at,
  shipped_at: one.shipped_at,
  signed_at: one.signed_at,
  version: one.version,
})
const shownMessage = (one: typeof order_message.$inferSelect) => ({
  id: one.id,
  kind: one.kind,
  text: withoutCodes(one.text),
  state: one.state,
  fault: one.state === 'failed' ? one.answer || null : null,
  at: one.sent_at ?? one.created_at,
})
const shownStep = (
  one: typeof order_log.$inferSelect,
  people: ReadonlyMap<number, string>,
  lang: Lang,
) => ({
  id: one.id,
  event: one.event,
  from: one.from_status,
  to: one.to_status,
  by:
    (one.actor_type === 'staff' && one.actor_id !== null ? people.get(one.actor_id) : undefined) ??
    say(actorOf(one), lang),
  memo: one.memo,
  at: one.at,
})
/** What an order's own row says, and what its redemptions came to. */
const factsOf = (row: Order, uses: readonly RowOf<typeof usesOf>[]) => {
  const valid = uses.filter(({ use }) => use.state === 'valid')
  const sum = (of: (use: (typeof valid)[number]['use']) => number) =>
    valid.reduce((all, { use }) => all + of(use), 0)
  return {
    invoice: row.invoice ? invoiceOf(row, row.invoice) : null,
    source: row.source,
    total_cents: row.total_cents,
    freight_cents: row.freight_cents,
    store_discount_cents: row.store_discount_cents,
    settled_cents: sum(use => use.settle_cents),
    commission_cents: sum(use => use.commission_cents),
    config_version: row.config_version,
    receiver: row.receiver,
    device_id: row.device_id,
    reissue_of: row.reissue_of,
    late_penalty_cents: row.late_penalty_cents,
    receive_extended: row.receive_extended,
    reviewed_at: row.reviewed_at,
    review_by: row.review_by,
  }
}
/** Everything about one order, as its page and the panel beside the list show it. */
export const detailOf = async (
  db: Db,
  row: Order,
  shown: OrderRow,
  { lang }: { lang: Lang; now: number },
): Promise<OrderDetail> => {
  const [
    items,
    codes,
    uses,
    payments,
    refunds,
    shipments,
    messages,
    log,
    buyer,
    rules,
    parts,
    reissues,
    after_sale_until,
    auto_review_at,
    sharers,
    rooms,
    links,
    coupon,
  ] = await Promise.all([
    itemsOf(db, row.id),
    codesOf(db, row.id),
    usesOf(db, row.id),
    db.select().from(payment).where(eq(payment.order_id, row.id)).orderBy(payment.id),
    db.select().from(refund).where(eq(refund.order_id, row.id)).orderBy(desc(refund.id)),
    shipmentsOf(db, row.id),
    messagesOf(db, row.id),
    logOf(db, row.id),
    row.member_id === null ? undefined : buyerOf(db, row.member_id),
    rulesOf(db, row),
    refundedParts(db, row.id),
    reissuesOf(db, row.id),
    afterSaleUntil(db, row),
    autoReviewAt(db, row),
    sharersOf(db, row.id),
    row.live_room_id === null ? [] : roomsOf(db, row.live_room_id),
    row.h5_link_id === null ? [] : linksOf(db, row.h5_link_id),
    couponOf(db, row),
  ])
  const people = await staffNames(db, log)
  const tailOf = new Map(codes.map(({ code }) => [code.id, code.code.slice(-4)]))
  const titleOf = new Map(items.map(({ item }) => [item.id, item.title]))
  return {
    order: shown,
    facts: {
      ...factsOf(row, uses),
      shared_by: sharers[0] ?? null,
      live_room: rooms[0]?.title ?? null,
      h5_link: links[0]?.name ?? null,
      coupon,
      auto_review_at: auto_review_at ?? null,
      reissues,
    },
    items: items.map(one => shownItem(one, row, rules, after_sale_until)),
    codes: codes.map(shownCode),
    uses: uses.map(one => shownUse(one, tailOf.get(one.use.code_id) ?? '')),
    payments: payments.map(one => shownPayment(one, lang)),
    refunds: refunds.map(one => shownRefund(one, parts, titleOf)),
    shipments: shipments.map(one => shownShipment(one, titleOf)),
    messages: messages.map(shownMessage),
    log: log.map(one => shownStep(one, people, lang)),
    buyer: buyer?.[0] ?? null,
    reverse_h: rules.platform_reverse_h,
  }
}
