import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { live_room } from '#src/areas/broadcast/live.table.ts'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { voucherRule } from '#src/areas/code/voucher.ts'
import { share_visit } from '#src/areas/content/content.table.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { h5_link } from '#src/areas/merchant/texts.table.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { afterSaleUntil } from '#src/areas/order/afterSale.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { invoiceable, type Invoice } from '#src/areas/order/order.ts'
import { rulesOf, type Order } from '#src/areas/order/orderFacts.server.ts'
import { promiseOf, type RefundPolicy } from '#src/areas/order/orderRules.ts'
import type { CouponNote } from '#src/areas/order/orderSold.server.ts'
import { autoReviewAt } from '#src/areas/order/reviews.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import { knownFault } from '#src/areas/payment/channelWords.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { masked } from '#src/domain/mask.ts'
import { say, unjoined, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderDetail } from '../contract/shared.ts'

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
const LOG_MAX = 200
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

/** The coupon that it was bought with: what it took off as its log says, and where it is now. */
const couponOf = async (db: Db, row: Order) => {
  if (row.coupon_grant_id === null) return null
  const [[placed], [grant]] = await Promise.all([
    db
      .select({ note: sql<CouponNote>`${order_log.data}->'coupon'` })
      .from(order_log)
      .where(and(eq(order_log.order_id, row.id), eq(order_log.event, 'create')))
      .orderBy(order_log.id)
      .limit(1),
    db
      .select({ order_no: coupon_grant.order_no, status: coupon_grant.status })
      .from(coupon_grant)
      .where(eq(coupon_grant.id, row.coupon_grant_id)),
  ])
  const { name, platform_cents, merchant_cents } = placed!.note
  const stateOfUse = (): 'back' | 'locked' | 'used' => {
    if (grant!.order_no !== row.order_no) return 'back'
    return grant!.status === 'locked' ? 'locked' : 'used'
  }
  return { name, platform_cents, merchant_cents, use: stateOfUse() }
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
    db
      .select({ item: order_item, store_name: store.name })
      .from(order_item)
      .leftJoin(store, eq(store.id, order_item.store_id))
      .where(eq(order_item.order_id, row.id))
      .orderBy(order_item.id),
    db
      .select({ code: order_code, holder: member.nickname })
      .from(order_code)
      .leftJoin(member, eq(member.id, order_code.holder_id))
      .where(eq(order_code.order_id, row.id))
      .orderBy(order_code.id),
    db
      .select({
        use: verify_record,
        store_name: store.name,
        clerk: verifier.name,
        staff: admin.name,
      })
      .from(verify_record)
      .leftJoin(store, eq(store.id, verify_record.store_id))
      .leftJoin(verifier, eq(verifier.id, verify_record.verifier_id))
      .leftJoin(admin, eq(admin.id, verify_record.admin_id))
      .where(eq(verify_record.order_id, row.id))
      .orderBy(desc(verify_record.verified_at), desc(verify_record.id)),
    db.select().from(payment).where(eq(payment.order_id, row.id)).orderBy(payment.id),
    db.select().from(refund).where(eq(refund.order_id, row.id)).orderBy(desc(refund.id)),
    db
      .select({ one: shipment, courier_name: courier.name })
      .from(shipment)
      .leftJoin(courier, eq(courier.code, shipment.courier))
      .where(eq(shipment.order_id, row.id))
      .orderBy(shipment.id),
    db
      .select()
      .from(order_message)
      .where(eq(order_message.order_id, row.id))
      .orderBy(desc(order_message.id))
      .limit(50),
    db
      .select()
      .from(order_log)
      .where(eq(order_log.order_id, row.id))
      .orderBy(desc(order_log.id))
      .limit(LOG_MAX),
    row.member_id === null
      ? undefined
      : db
          .select({
            orders: sql<number>`count(*)::int`,
            refunded: sql<number>`count(*) filter (where ${order.refund_state} = 'refunded')::int`,
          })
          .from(order)
          .where(eq(order.member_id, row.member_id)),
    rulesOf(db, row),
    db
      .select({
        refund_id: refund_item.refund_id,
        item_id: refund_item.item_id,
        qty: sql<number>`sum(${refund_item.qty})::int`,
      })
      .from(refund_item)
      .innerJoin(refund, eq(refund.id, refund_item.refund_id))
      .where(eq(refund.order_id, row.id))
      .groupBy(refund_item.refund_id, refund_item.item_id),
    db
      .select({ id: order.id, order_no: order.order_no, status: order.status })
      .from(order)
      .where(eq(order.reissue_of, row.id))
      .orderBy(order.id),
    afterSaleUntil(db, row),
    autoReviewAt(db, row),
    db
      .select({ id: member.id, name: member.nickname })
      .from(share_visit)
      .innerJoin(member, eq(member.id, share_visit.sharer_id))
      .where(eq(share_visit.order_id, row.id))
      .orderBy(share_visit.id)
      .limit(1),
    row.live_room_id === null
      ? []
      : db
          .select({ title: live_room.title })
          .from(live_room)
          .where(eq(live_room.id, row.live_room_id)),
    row.h5_link_id === null
      ? []
      : db.select({ name: h5_link.name }).from(h5_link).where(eq(h5_link.id, row.h5_link_id)),
    couponOf(db, row),
  ])
  const people = new Map(
    (
      await db
        .select({ id: admin.id, name: admin.name })
        .from(admin)
        .where(
          inArray(admin.id, [
            ...new Set(
              log.flatMap(one =>
                one.actor_type === 'staff' && one.actor_id !== null ? [one.actor_id] : [],
              ),
            ),
          ]),
        )
    ).map(one => [one.id, one.name]),
  )
  const valid = uses.filter(({ use }) => use.state === 'valid')
  const sum = (of: (use: (typeof valid)[number]['use']) => number) =>
    valid.reduce((all, { use }) => all + of(use), 0)
  const tailOf = new Map(codes.map(({ code }) => [code.id, code.code.slice(-4)]))
  const titleOf = new Map(items.map(({ item }) => [item.id, item.title]))
  return {
    order: shown,
    facts: {
      invoice: row.invoice ? invoiceOf(row, row.invoice) : null,
      source: row.source,
      shared_by: sharers[0] ?? null,
      live_room: rooms[0]?.title ?? null,
      h5_link: links[0]?.name ?? null,
      total_cents: row.total_cents,
      freight_cents: row.freight_cents,
      store_discount_cents: row.store_discount_cents,
      settled_cents: sum(use => use.settle_cents),
      commission_cents: sum(use => use.commission_cents),
      coupon,
      config_version: row.config_version,
      receiver: row.receiver,
      device_id: row.device_id,
      reissue_of: row.reissue_of,
      late_penalty_cents: row.late_penalty_cents,
      receive_extended: row.receive_extended,
      reviewed_at: row.reviewed_at,
      review_by: row.review_by,
      auto_review_at: auto_review_at ?? null,
      reissues,
    },
    items: items.map(({ item, store_name }) => {
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
    }),
    codes: codes.map(({ code, holder }) => ({
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
    })),
    uses: uses.map(({ use, store_name, clerk, staff }) => ({
      id: use.id,
      code_id: use.code_id,
      tail: tailOf.get(use.code_id) ?? '',
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
    })),
    payments: payments.map(one => ({
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
    })),
    refunds: refunds.map(one => ({
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
    })),
    shipments: shipments.map(({ one, courier_name }) => ({
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
    })),
    messages: messages.map(one => ({
      id: one.id,
      kind: one.kind,
      text: withoutCodes(one.text),
      state: one.state,
      fault: one.state === 'failed' ? one.answer || null : null,
      at: one.sent_at ?? one.created_at,
    })),
    log: log.map(one => ({
      id: one.id,
      event: one.event,
      from: one.from_status,
      to: one.to_status,
      by:
        (one.actor_type === 'staff' && one.actor_id !== null
          ? people.get(one.actor_id)
          : undefined) ?? say(actorOf(one), lang),
      memo: one.memo,
      at: one.at,
    })),
    buyer: buyer?.[0] ?? null,
    reverse_h: rules.platform_reverse_h,
  }
}
