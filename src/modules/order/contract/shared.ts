import { z } from 'zod'
import { couponUses, type CouponUse } from '#src/areas/coupon/coupon.ts'
import {
  codeStates,
  goodsStages,
  invoiceKinds,
  itemWays,
  messageKinds,
  orderEvents,
  orderSources,
  orderStatuses,
  payWays,
  reviewers,
  settleStates,
  shipmentStates,
  type CodeState,
  type GoodsStage,
  type InvoiceKind,
  type ItemWay,
  type MessageKind,
  type OrderEvent,
  type OrderSource,
  type OrderStatus,
  type PayWay,
  type Reviewer,
  type SettleState,
  type ShipmentState,
} from '#src/areas/order/order.ts'
import { pointsKinds, type PointsKind } from '#src/areas/points/points.ts'
import {
  type RefundCause,
  refundCauses,
  type RefundState,
  refundStates,
  type RefundType,
  refundTypes,
  type ReturnCondition,
  returnConditions,
} from '#src/areas/refund/refund.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { cardOrderFinds, orderFinds } from '#src/contract/finds.ts'
import {
  batchResult,
  begun,
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  open,
  page,
  revealed,
  searched,
  settled,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'
import { orderRow, orderStatus } from './orderRow.ts'

const status = orderStatus
/** Longest period of a list, in days. */
export const PERIOD_DAYS = 186
export const BATCH_MAX = 200

/** Quick filters, each with an index of its own. */
export const quickFilters = {
  expiring: ['7 天内到期', 'Expiring in 7 days'],
  refunding: ['退款中', 'Refund open'],
  to_decide: ['退款待审批', 'Refund to decide'],
  frozen: ['已冻结', 'Frozen'],
  late: ['超过承诺时间', 'Past its promise'],
  unshipped: ['付款超 24 小时未发货', 'Unshipped over 24 h'],
  unclaimed: ['未绑定会员', 'Not bound'],
  bind_asked: ['绑定待复核', 'Binding to confirm'],
  sms_failed: ['券码短信未送达', 'SMS not delivered'],
  late_pay: ['超时后到账', 'Paid too late'],
  part_refunding: ['部分已用、部分退款中', 'Part used, part in refund'],
  part_closed: ['子项门店已关店', 'A part’s store closed'],
  address_changed: ['改过地址', 'Address changed'],
  idle: ['60 天以上未用', 'Unused over 60 days'],
  group_ending: ['2 小时内到期的团', 'Groups ending in 2 h'],
  group_owing: ['未成团、退款未完', 'Failed, refund not finished'],
  group_unused: ['已成团未使用', 'Formed, not used'],
  merchant_closed: ['商户已停业', 'Merchant closed'],
  gift: ['转赠中', 'Being given away'],
  times_asked: ['补偿待复核', 'Uses to confirm'],
  many_on_bill: ['一单多券', 'Several on one bill'],
  cash_out: ['疑似套现', 'Suspected cash-out'],
  not_picked_up: ['逾期 3 天未提', 'Not picked up for 3 days'],
  delivery_failed: ['发放或配送失败', 'Delivery failed'],
  raise_ending: ['3 天内截止的众筹', 'Campaigns ending in 3 days'],
  balance_due: ['待付尾款', 'Balance due'],
  balance_soon: ['尾款 24 小时内到期', 'Balance due in 24 h'],
  raise_owing: ['众筹失败、退款未完', 'Campaign failed, refund not finished'],
  issue_failed: ['发放失败', 'Issue failed'],
  gift_unclaimed: ['赠送 24 小时未领取', 'Gift not taken in 24 h'],
  big_buyers: ['30 天购卡满 1 万元', 'Bought ¥10,000 in 30 days'],
} as const satisfies Record<string, Text>
export type QuickFilter = keyof typeof quickFilters
const orderFilters = {
  status: z
    .enum(['all', ...Object.keys(orderStatuses)] as ['all', ...OrderStatus[]])
    .default('all'),
  /**
   * Whatever was pasted: an order, refund or parcel number, a phone or its last four, a code, or
   * words of a product or store.
   */
  q: searched(200).optional(),
  city_id: id.optional(),
  mid: z.int().min(0).optional(),
  store_id: id.optional(),
  merchant_id: id.optional(),
  product_id: id.optional(),
  source: keysOf<OrderSource>(orderSources).optional(),
  tag: searched(16).optional(),
  face_cents: cents.min(1).optional(),
  batch_id: id.optional(),
  /** How far store goods are. */
  stage: z.enum(['all', ...Object.keys(goodsStages)] as ['all', ...GoodsStage[]]).optional(),
  /** What an exchange is for. */
  points_kind: keysOf<PointsKind>(pointsKinds).optional(),
  combo_id: id.optional(),
  /** An e-card; a card’s whole number or its secret. */
  card_id: id.optional(),
  card_code: searched(64, 4).optional(),
  quick: z.enum(Object.keys(quickFilters) as [QuickFilter]).optional(),
  /** When it was placed, and when it was paid: at most 186 days each. */
  from: unix.optional(),
  to: unix.optional(),
  paid_from: unix.optional(),
  paid_to: unix.optional(),
}
/** The filters of a list of orders, and what is asked with them. */
export const asked = <S extends z.ZodRawShape>(more: S) =>
  begun({ ...orderFilters, ...more }, ['from', 'to'], ['paid_from', 'paid_to'])

const orderDetail = z.object({
  order: orderRow,
  facts: z.object({
    /** The invoice that was asked for; `due_cents`: what it is, or should be, of now. */ invoice: z
      .object({
        kind: keysOf<InvoiceKind>(invoiceKinds),
        /** A person's name is theirs, a company's is not. */ title: guarded(
          'order.receiver_name',
          z.string(),
        ),
        company: z.string().nullable(),
        tax_no: z.string().nullable(),
        asked_at: unix,
        due_cents: cents,
        issued: z
          .object({ no: z.string(), amount_cents: cents, by: z.string(), at: unix })
          .nullable(),
      })
      .nullable(),
    source: keysOf<OrderSource>(orderSources),
    /** Whose share, which live room and which short link brought it. */ shared_by: z
      .object({ id, name: z.string() })
      .nullable(),
    live_room: z.string().nullable(),
    h5_link: z.string().nullable(),
    total_cents: cents,
    freight_cents: cents,
    store_discount_cents: cents,
    settled_cents: settled,
    commission_cents: guarded('product.commission_bp', cents),
    /** What it took off, by who pays for it: a part of the two discounts. */ coupon: z
      .object({
        name: z.string(),
        platform_cents: cents,
        merchant_cents: cents,
        use: keysOf<CouponUse>(couponUses),
      })
      .nullable(),
    config_version: z.int(),
    receiver: z
      .object({
        name: guarded('order.receiver_name', z.string()),
        phone: guarded('member.phone', z.string()),
        area: z.string(),
        address: guarded('order.receiver_address', z.string()),
      })
      .nullable(),
    device_id: z.string().nullable(),
    reissue_of: id.nullable(),
    /** What the merchant owes for shipping late; how often receipt was put off. */
    late_penalty_cents: cents,
    receive_extended: z.int(),
    /** Whose review it has, and until when its buyer may give one before it has a good one by itself. */ reviewed_at:
      unix.nullable(),
    review_by: keysOf<Reviewer>(reviewers).nullable(),
    auto_review_at: unix.nullable(),
    reissues: z.array(z.object({ id, order_no: z.string(), status })),
  }),
  items: z.array(
    z.object({
      id,
      /** None of what is sold as no product: e-cards. */ product_id: id.optional(),
      title: z.string(),
      sku: z.string().nullable(),
      image: z.string().optional(),
      store_name: z.string(),
      fulfil: keysOf<ItemWay>(itemWays),
      qty: z.int(),
      price_cents: cents,
      pay_cents: cents,
      platform_cents: cents,
      used_qty: z.int(),
      refunding_qty: z.int(),
      refunded_qty: z.int(),
      shipped_qty: z.int(),
      received_qty: z.int(),
      refunded_cents: cents,
      issue_state: z.enum(['none', 'issuing', 'issued', 'failed']),
      issue_note: z.string().nullable(),
      refund_policy: z.string().nullable(),
      /** Until when it may be asked back, once it was received. */ after_sale_until:
        unix.nullable(),
      voucher: z
        .object({
          face_cents: cents,
          min_spend_cents: cents,
          per_bill_limit: z.int().nullable(),
          exclude_weekdays: z.array(z.int()),
          unavailable_dates: z.array(z.string()),
          use_time: z.string(),
        })
        .nullable(),
    }),
  ),
  codes: z.array(
    z.object({
      id,
      item_id: id,
      code: guarded('order.code', z.string()),
      tail: z.string(),
      state: keysOf<CodeState>(codeStates),
      times_total: z.int(),
      times_bonus: z.int(),
      times_used: z.int(),
      times_refunding: z.int(),
      times_refunded: z.int(),
      pay_cents: cents,
      left_times: z.int(),
      left_pay_cents: cents,
      settle_cents: settled,
      valid_from: unix,
      valid_until: unix,
      first_use_days: z.int().nullable(),
      gift_state: z.enum(['none', 'sent', 'received']),
      holder: z.string().nullable(),
      version,
    }),
  ),
  uses: z.array(
    z.object({
      id,
      code_id: id,
      tail: z.string(),
      store_name: z.string(),
      way: z.enum(['scan', 'input', 'platform', 'api', 'auto']),
      by: z.string(),
      times: z.int(),
      paid_times: z.int(),
      pay_cents: cents,
      settle_cents: settled,
      commission_cents: guarded('product.commission_bp', cents),
      state: z.enum(['valid', 'reversed']),
      settle_state: keysOf<SettleState>(settleStates),
      verified_at: unix,
      reversed_at: unix.nullable(),
      reverse_reason: z.string().nullable(),
      bill_no: z.string().nullable(),
      bill_cents: cents.nullable(),
    }),
  ),
  payments: z.array(
    z.object({
      id,
      direction: z.enum(['in', 'out']),
      stage: z.enum(['full', 'deposit', 'balance', 'refund']),
      channel: keysOf<PayWay>(payWays),
      amount_cents: cents,
      fee_cents: cents,
      out_no: z.string(),
      channel_no: z.string().nullable(),
      state: z.enum(['pending', 'success', 'failed', 'closed']),
      fail_text: z.string().nullable(),
      at: unix,
    }),
  ),
  refunds: z.array(
    z.object({
      id,
      refund_no: z.string(),
      type: keysOf<RefundType>(refundTypes),
      cause: keysOf<RefundCause>(refundCauses),
      state: keysOf<RefundState>(refundStates),
      amount_cents: cents,
      reason: z.string(),
      created_at: unix,
      done_at: unix.nullable(),
      items: z.array(z.object({ item_id: id, title: z.string(), qty: z.int() })),
    }),
  ),
  shipments: z.array(
    z.object({
      id,
      courier: z.string(),
      courier_name: z.string(),
      tracking_no: z.string(),
      state: keysOf<ShipmentState>(shipmentStates),
      items: z.array(z.object({ title: z.string(), qty: z.int() })),
      traces: z.array(z.object({ at: unix, text: z.string() })),
      traced_at: unix.nullable(),
      shipped_at: unix,
      signed_at: unix.nullable(),
      version,
    }),
  ),
  messages: z.array(
    z.object({
      id,
      kind: keysOf<MessageKind>(messageKinds),
      text: z.string(),
      state: z.enum(['queued', 'sent', 'failed']),
      /** Why the channel did not take it; null while it may yet, or has. */
      fault: z.string().nullable(),
      at: unix,
    }),
  ),
  log: z.array(
    z.object({
      id,
      event: keysOf<OrderEvent>(orderEvents),
      from: status.nullable(),
      to: status.nullable(),
      by: z.string(),
      memo: z.string(),
      at: unix,
    }),
  ),
  buyer: z.object({ orders: z.int(), refunded: z.int() }).nullable(),
  /** How long a redemption may be taken back by the platform, in hours. */
  reverse_h: z.int(),
})
export type OrderDetail = z.output<typeof orderDetail>

const one = { id, version }
const reason = lines(255, 2)
/** How whoever holds a code that was given away agreed to its refund. */
const consent = lines(200, 2).optional()
/** In what state sent goods came back, or why they need not. */
export const sentGoods = {
  returned: keysOf<ReturnCondition>(returnConditions).optional(),
  keep: text(120, 2).optional(),
}
const changed = z.object({ id, status, version })
const refunded = z.object({
  id,
  refund_id: id,
  refund_no: z.string(),
  amount_cents: cents,
  state: keysOf<RefundState>(refundStates),
})
export type OrderPage =
  | 'visitor'
  | 'bulks'
  | 'rollBuy'
  | 'card'
  | 'voucher'
  | 'goods'
  | 'elist'
  | 'raiseList'
  | 'combo'
  | 'pointsShopList'
  | 'ecard'
/** Where the calls of a list stand: e-cards have a module of their own in the menu. */
const placeOf = (of: OrderPage): string => (of === 'ecard' ? 'ecard/order' : `order/${of}`)
const listFinds = (of: OrderPage) => (of === 'ecard' ? cardOrderFinds : orderFinds)
/** What the permissions of a list, and its export, are named by. */
export const listKey = (of: OrderPage): string => placeOf(of).replace('/', '.')

/**
 * The calls that every order list has, each page with its own permissions. `zh` and `en` name its
 * orders.
 */
export const orderCalls = <P extends OrderPage>(of: P, zh: string, en: string) => {
  const [path, permit] = [placeOf(of), (verb: string) => `${listKey(of)}.${verb}`]
  return {
    lst: read(`${path}/lst`, [`${zh}列表`, `${en} list`], {
      input: asked(page),
      output: listOf(orderRow),
      touches: ['order'],
      scope: placed('order'),
      finds: listFinds(of),
      permit: permit('view'),
    }),
    /** How many rows each status has within the other filters; they add up to the list's total. */
    counts: read(`${path}/counts`, [`${zh}计数`, `${en} counts`], {
      input: asked({}),
      output: z.record(z.string(), z.int()),
      touches: ['order'],
      scope: placed('order'),
      finds: listFinds(of),
      permit: permit('view'),
    }),
    /** Everything about one order, for the panel beside the list and for its own page. */
    detail: read(`${path}/detail`, [`${zh}详情`, `${en} detail`], {
      input: z.object({ id }),
      output: orderDetail,
      touches: ['order', 'refund'],
      scope: placed('order', 'id'),
      permit: permit('view'),
    }),
    /** Stores, merchants and products to filter by. */
    /**
     * For an order: those that are open and take a code of it, or the one code. For a merchant: its
     * open ones.
     */
    stores: read(`${path}/stores`, ['可选门店', 'Stores to choose'], {
      input: z.object({
        keyword: searched(60).optional(),
        order_id: id.optional(),
        code_id: id.optional(),
        merchant_id: id.optional(),
        ...page,
      }),
      output: listOf(z.object({ id, name: z.string(), merchant_name: z.string() })),
      touches: [],
      scope: placed('store'),
      permit: permit('view'),
    }),
    freeze: write(`${path}/freeze`, ['冻结订单', 'Freeze'], {
      input: z.object({ ...one, reason }),
      output: changed,
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('freeze'),
    }),
    unfreeze: write(`${path}/unfreeze`, ['解冻订单', 'Unfreeze'], {
      input: z.object({ ...one, reason }),
      output: changed,
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('unfreeze'),
    }),
    cancel: write(`${path}/cancel`, ['关闭未支付订单', 'Close unpaid order'], {
      input: z.object({ ...one, reason }),
      output: changed,
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('cancel'),
    }),
    remark: write(`${path}/remark`, ['添加备注', 'Add a note'], {
      input: z.object({ id, text: lines(500) }),
      output: z.object({ id }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('remark'),
    }),
    revealPhone: write(`${path}/revealPhone`, ['查看完整手机号', 'Reveal the phone'], {
      input: z.object({ id, reason }),
      output: z.object({ id, phone: open('What was asked for', z.string()), ...revealed }),
      touches: ['field_key'],
      scope: placed('order', 'id'),
      permit: permit('revealPhone'),
    }),
    /**
     * The amount is what the chosen codes or units are worth; without a choice all that can be
     * given back.
     */
    refund: write(`${path}/refund`, ['发起退款', 'Refund'], {
      input: z.object({
        ...one,
        code_ids: z.array(id).min(1).max(200).optional(),
        items: z
          .array(z.object({ id, qty: z.int().min(1).max(9999) }))
          .min(1)
          .max(100)
          .optional(),
        times: z.int().min(1).max(9999).optional(),
        amount_cents: cents.min(1).optional(),
        consent,
        ...sentGoods,
        reason,
      }),
      output: refunded,
      touches: ['order', 'refund'],
      scope: placed('order', 'id'),
      permit: permit('refund'),
    }),
    export: write(`${path}/export`, [`导出${zh}`, `Export ${en.toLowerCase()}`], {
      input: asked({
        ...asksExport(),
      }),
      output: exportBegun,
      touches: ['export'],
      scope: placed('order'),
      finds: listFinds(of),
      permit: permit('export'),
    }),
  }
}
export type OrderCalls = ReturnType<typeof orderCalls<'bulks'>>
/**
 * What lists, pages and shared actions ask of them: a refund may be asked for in a way of the
 * page's own.
 */
export type ListCalls = Omit<OrderCalls, 'refund' | 'cancel' | 'freeze' | 'unfreeze'>

/** Words of the staff's own at an order, to find it by. */
export const tagCall = <P extends OrderPage>(of: P) => ({
  tag: write(`order/${of}/tag`, ['打标签', 'Tag'], {
    input: z.object({ ...one, tags: z.array(text(16)).max(8) }),
    output: z.object(one),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: `order.${of}.tag`,
  }),
  /** Tags that were put on lately, by which the list is filtered. */
  tags: read(`order/${of}/tags`, ['用过的标签', 'Tags in use'], {
    input: z.object({}),
    output: z.array(z.string()),
    touches: ['order'],
    scope: placed('order'),
    permit: `order.${of}.view`,
  }),
})
/** What lists of codes have beside: validity, codes sent again, redemptions by the platform. */
export const codeCalls = <P extends OrderPage>(of: P) => {
  const [path, permit] = [`order/${of}`, (verb: string) => `order.${of}.${verb}`]
  return {
    extendValidity: write(`${path}/extendValidity`, ['延长有效期', 'Extend validity'], {
      input: z.object({ ...one, until: unix, reason }),
      output: changed,
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('extendValidity'),
    }),
    resendCode: write(`${path}/resendCode`, ['重发券码', 'Send codes again'], {
      input: z.object({ id }),
      output: z.object({ id, sent: z.int() }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('resendCode'),
    }),
    batchRefund: write(`${path}/batchRefund`, ['批量退款', 'Refund several'], {
      input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX), reason }),
      output: batchResult,
      touches: ['order', 'refund'],
      scope: placed('order', 'ids'),
      permit: permit('batchRefund'),
    }),
    batchExtend: write(`${path}/batchExtend`, ['批量延期', 'Extend selected'], {
      input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX), until: unix, reason }),
      output: batchResult,
      touches: ['order'],
      scope: placed('order', 'ids'),
      permit: permit('batchExtend'),
    }),
  }
}
/**
 * Refunds of orders in stores are decided where their orders are: by whoever may, above their limit
 * by a second person.
 */
export const decideCalls = <P extends OrderPage>(of: P) => {
  const [path, permit] = [placeOf(of), (verb: string) => `${listKey(of)}.${verb}`]
  const which = { id, refund_id: id, refund_version: version }
  const decided = z.object({ id, refund_id: id, state: keysOf<RefundState>(refundStates) })
  return {
    approveRefund: write(`${path}/approveRefund`, ['同意退款', 'Agree to the refund'], {
      input: z.object({
        ...which,
        /** In what state returned goods came back. */ returned: sentGoods.returned,
      }),
      output: decided,
      touches: ['order', 'refund'],
      scope: placed('order', 'id'),
      permit: permit('approveRefund'),
    }),
    /** Sends a case that waits for a second person back to the first. */
    refuseRefund: write(`${path}/refuseRefund`, ['不同意退款', 'Refuse the refund'], {
      input: z.object({ ...which, reason_code: text(32), reason }),
      output: decided,
      touches: ['order', 'refund'],
      scope: placed('order', 'id'),
      permit: permit('refuseRefund'),
    }),
    /** What the channel refused to pay is asked for once more. */
    retryRefund: write(`${path}/retryRefund`, ['重试失败退款', 'Retry failed refunds'], {
      input: z.object({ id }),
      output: z.object({ id, retried: z.int() }),
      touches: ['order', 'refund'],
      scope: placed('order', 'id'),
      permit: permit('retryRefund'),
    }),
  }
}
/** What a detail page of codes can do; its permissions are the detail page's own. */
export const codeDetailCalls = <P extends OrderPage>(of: P) => {
  const [path, permit] = [
    `${placeOf(of)}/detail`,
    (verb: string) => `${listKey(of)}.detail.${verb}`,
  ]
  return {
    /**
     * The chosen codes, or all that is left without a choice; the amount is what they are worth.
     */
    refund: write(`${path}/refund`, ['退所选券码', 'Refund selected codes'], {
      input: z.object({
        ...one,
        code_ids: z.array(id).min(1).max(200).optional(),
        /** So many units of what is posted. */ items: z
          .array(z.object({ id, qty: z.int().min(1).max(9999) }))
          .min(1)
          .max(100)
          .optional(),
        times: z.int().min(1).max(9999).optional(),
        consent,
        ...sentGoods,
        reason,
      }),
      output: refunded,
      touches: ['order', 'refund'],
      scope: placed('order', 'id'),
      permit: permit('refund'),
    }),
    verifyForStore: write(`${path}/verifyForStore`, ['平台代核销', 'Redeem for the store'], {
      input: z.object({
        id,
        code_id: id,
        store_id: id,
        times: z.int().min(1).max(9999).default(1),
        bill_cents: cents.min(1).optional(),
        bill_no: text(32, 0).optional(),
        reason,
      }),
      output: z.object({ id, record_id: id }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('verifyForStore'),
    }),
    reverseVerify: write(`${path}/reverseVerify`, ['撤销核销', 'Reverse a redemption'], {
      input: z.object({ id, verify_id: id, reason }),
      output: z.object({ id, verify_id: id }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('reverseVerify'),
    }),
    changeStore: write(`${path}/changeStore`, ['更换适用门店', 'Change the store'], {
      input: z.object({ ...one, store_id: id, reason }),
      output: changed,
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('changeStore'),
    }),
    queryPay: write(`${path}/queryPay`, ['向支付渠道查单', 'Check payment status'], {
      input: z.object({ id }),
      output: z.object({ id, said: z.enum(['success', 'pending', 'failed', 'unknown', 'none']) }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: permit('queryPay'),
      quiet: true,
      apart: true,
    }),
    revealCode: write(`${path}/revealCode`, ['查看完整券码', 'Reveal a code'], {
      input: z.object({ id, code_id: id, reason }),
      output: z.object({ id, code: z.string(), ...revealed }),
      touches: ['field_key'],
      scope: placed('order', 'id'),
      permit: permit('revealCode'),
    }),
  }
}
