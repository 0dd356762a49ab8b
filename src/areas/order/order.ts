import type { Text } from '#src/domain/text.ts'

export const orderKinds = {
  visitor: ['到店付款', 'Visitor'],
  bulks: ['团购', 'Group-buy'],
  roll_buy: ['拼团', 'Multi-person buy'],
  card: ['卡券', 'Card'],
  voucher: ['代金券', 'Voucher'],
  goods: ['商品', 'Goods'],
  elist: ['电商', 'E-commerce'],
  raise: ['众筹', 'Crowd presale'],
  combo: ['组合', 'Combo'],
  points: ['积分', 'Points'],
  ecard: ['电子卡', 'E-card'],
  film: ['电影', 'Film'],
  vip_card: ['会员卡', 'Member card'],
} as const satisfies Record<string, Text>
export type OrderKind = keyof typeof orderKinds

export const fulfilStates = {
  none: ['无', 'None'],
  waiting_group: ['待成团', 'Waiting for the group'],
  waiting_ship: ['待发货', 'To ship'],
  part_shipped: ['部分发货', 'Partly shipped'],
  shipped: ['待收货', 'Shipped'],
  waiting_pickup: ['待提货', 'To pick up'],
  delivering: ['配送中', 'On its way'],
  waiting_use: ['待使用', 'To use'],
  part_used: ['部分使用', 'Partly used'],
  issuing: ['发放中', 'Issuing'],
  issue_failed: ['发放失败', 'Issue failed'],
  finished: ['已完成', 'Finished'],
  expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
export type FulfilState = keyof typeof fulfilStates

export const orderStatuses = {
  pending_payment: ['待付款', 'To pay'],
  waiting_group: ['待成团', 'Waiting for the group'],
  pending_ship: ['待发货', 'To ship'],
  part_shipped: ['部分发货', 'Partly shipped'],
  shipped: ['待收货', 'Shipped'],
  pending_use: ['待使用', 'To use'],
  part_used: ['部分使用', 'Partly used'],
  issuing: ['发放中', 'Issuing'],
  finished: ['已完成', 'Finished'],
  expired: ['已过期', 'Expired'],
  refunding: ['退款中', 'Refunding'],
  refunded: ['已退款', 'Refunded'],
  cancelled: ['已取消', 'Cancelled'],
  freezing: ['冻结订单', 'Frozen order'],
} as const satisfies Record<string, Text>
export type OrderStatus = keyof typeof orderStatuses

/**
 * The tabs of a list: its usual statuses, and any other that some of its orders have, so that the
 * tabs always add up to all.
 */
export const statusTabs = (
  usual: readonly OrderStatus[],
  counts: Readonly<Record<string, number>>,
): OrderStatus[] => [
  ...usual,
  ...(Object.keys(orderStatuses) as OrderStatus[]).filter(
    status => !usual.includes(status) && (counts[status] ?? 0) > 0,
  ),
]
const goodsWords = {
  pending_use: ['待自提', 'To pick up'],
  pending_ship: ['待配送', 'To deliver'],
  part_shipped: ['配送中', 'Delivering'],
  shipped: ['配送中', 'Delivering'],
  part_used: ['部分提货', 'Part picked up'],
} as const satisfies Partial<Record<OrderStatus, Text>>
/**
 * Statuses that have another name in some kinds: a campaign raises where a group forms, and store
 * goods are picked up or brought.
 */
const ownWords: Partial<Record<OrderKind, Partial<Record<OrderStatus, Text>>>> = {
  raise: { waiting_group: ['众筹中', 'Raising'] },
  goods: goodsWords,
}
/** What a status is called of an order of its kind; what is due of a deposit is its balance. */
export const statusWords = (row: {
  status: OrderStatus
  kind?: OrderKind
  balance_due?: boolean
}): Text =>
  (row.kind && ownWords[row.kind]?.[row.status]) ??
  (row.status === 'pending_payment' && row.balance_due
    ? ['待付尾款', 'Balance due']
    : orderStatuses[row.status])

export const codeStates = {
  locked: ['未生效', 'Locked'],
  unused: ['未使用', 'Unused'],
  part_used: ['部分使用', 'Partly used'],
  used: ['已使用', 'Used'],
  refunding: ['退款中', 'Refunding'],
  refunded: ['已退款', 'Refunded'],
  expired: ['已过期', 'Expired'],
  void: ['已作废', 'Void'],
} as const satisfies Record<string, Text>
export type CodeState = keyof typeof codeStates

/** What an order of a kind is made of. */
export const orderSubKinds = {
  code: ['券码', 'Codes'],
  pay_bill: ['扫码买单', 'Bill paid at the store'],
  pickup: ['到店自提', 'Pick-up'],
  store_delivery: ['门店配送', 'Store delivery'],
  express: ['快递', 'Express'],
  full: ['全款', 'Paid in full'],
  deposit: ['定金', 'Deposit'],
  virtual: ['虚拟发放', 'Issued'],
  channel: ['渠道', 'Channel'],
  reissue: ['补发', 'Sent again'],
} as const satisfies Record<string, Text>
export type OrderSubKind = keyof typeof orderSubKinds
/** Where an order came from. */
export const orderSources = {
  mini_program: ['小程序', 'Mini-program'],
  h5: ['网页', 'Web page'],
  live: ['直播间', 'Live room'],
  qr: ['扫码', 'QR code'],
  api: ['接口', 'API'],
  admin: ['后台', 'Staff'],
} as const satisfies Record<string, Text>
export type OrderSource = keyof typeof orderSources
export const cancelTypes = {
  timeout: ['超时未付', 'Not paid in time'],
  member: ['顾客取消', 'By the member'],
  staff: ['后台关闭', 'By staff'],
  group_fail: ['拼团失败', 'Group not formed'],
  raise_fail: ['众筹失败', 'Target not met'],
  late_pay: ['关闭后到账，已自动退款', 'Paid too late, sent back'],
  balance_timeout: ['尾款超时', 'Balance not paid'],
} as const satisfies Record<string, Text>
export type CancelType = keyof typeof cancelTypes
export const frozenBy = {
  risk: ['风控', 'Risk control'],
  staff: ['人工', 'Staff'],
  dispute: ['纠纷', 'Dispute'],
} as const satisfies Record<string, Text>
export type FrozenBy = keyof typeof frozenBy
/** How an item reaches its buyer. */
export const itemWays = {
  code: ['券码', 'Code'],
  express: ['快递', 'Express'],
  pickup: ['自提', 'Pick-up'],
  delivery: ['门店配送', 'Store delivery'],
  virtual: ['虚拟发放', 'Issued'],
} as const satisfies Record<string, Text>
export type ItemWay = keyof typeof itemWays
export const payWays = {
  wechat: ['微信支付', 'WeChat Pay'],
  alipay: ['支付宝', 'Alipay'],
  balance: ['余额', 'Balance'],
  ecard: ['电子卡', 'E-card'],
  points: ['积分', 'Points'],
  offline: ['线下打款', 'By hand'],
  embedded: ['内置渠道', 'Built-in'],
} as const satisfies Record<string, Text>
export type PayWay = keyof typeof payWays
/** Where the money of a redemption is on its way to the store. */
export const settleStates = {
  holding: ['冻结中（结算）', 'On hold (settlement)'],
  available: ['可结算', 'To settle'],
  settling: ['结算中', 'Settling'],
  settled: ['已结算', 'Settled'],
  reversed: ['已撤销', 'Reversed'],
} as const satisfies Record<string, Text>
export type SettleState = keyof typeof settleStates
export const shipmentStates = {
  shipped: ['已揽收', 'Handed over'],
  transit: ['运输中', 'On its way'],
  delivering: ['派送中', 'Being delivered'],
  signed: ['已签收', 'Signed for'],
  problem: ['异常', 'Problem'],
  void: ['已作废', 'Void'],
} as const satisfies Record<string, Text>
export type ShipmentState = keyof typeof shipmentStates
/** What happens to an order, for its timeline. */
export const orderEvents = {
  create: ['下单', 'Ordered'],
  pay: ['支付', 'Paid'],
  pay_balance: ['支付尾款', 'Balance paid'],
  late_pay: ['关闭后到账', 'Paid too late'],
  pay_differs: ['到账金额不符', 'Another amount came in'],
  cancel: ['取消', 'Cancelled'],
  adjust: ['改价', 'Price changed'],
  group_join: ['参团', 'Joined a group'],
  group_success: ['成团', 'Group formed'],
  group_fail: ['拼团失败', 'Group failed'],
  group_extend: ['延长拼团', 'Group given more time'],
  reward: ['团长免单', 'Leader goes free'],
  reward_back: ['追回团长免单', 'Leader’s reward taken back'],
  raise_success: ['众筹成功', 'Target met'],
  raise_fail: ['众筹失败', 'Target not met'],
  raise_extend: ['延长众筹', 'Raising extended'],
  balance_ask: ['待付尾款', 'Balance due'],
  balance_extend: ['延长尾款期限', 'Extend balance deadline'],
  forfeit: ['定金不退', 'Deposit kept'],
  delay: ['延期发货', 'Shipping delayed'],
  redeem: ['核销', 'Redeemed'],
  reverse: ['撤销核销', 'Redemption taken back'],
  ready: ['备货完成', 'Ready'],
  dispatch: ['出发配送', 'On its way'],
  ship: ['发货', 'Shipped'],
  tracking: ['修改物流单号', 'Tracking number changed'],
  receive: ['收货', 'Received'],
  extend_receive: ['延长收货', 'Extend receipt period'],
  refund_open: ['发起退款', 'Refund opened'],
  refund_decide: ['退款审核', 'Refund decided'],
  refund_done: ['退款完成', 'Refunded'],
  refund_failed: ['退款打款失败', 'Refund not paid'],
  refund_end: ['退款关闭', 'Refund ended'],
  freeze: ['冻结', 'Frozen'],
  unfreeze: ['解冻', 'Unfrozen'],
  expire: ['过期', 'Expired'],
  extend: ['延长有效期', 'Validity extended'],
  add_times: ['补偿次数', 'More times'],
  times_ask: ['申请补偿次数', 'More times are asked for'],
  times_refuse: ['未同意补偿', 'More times refused'],
  gift: ['转赠', 'Given away'],
  store: ['更换门店', 'Store changed'],
  receiver: ['修改收货信息', 'Receiver changed'],
  bind: ['绑定会员', 'Bound to a member'],
  bind_ask: ['申请绑定会员', 'A binding is asked for'],
  bind_refuse: ['未同意绑定', 'Binding refused'],
  unbind: ['撤销绑定', 'Unbound'],
  message: ['发送通知', 'Message sent'],
  remark: ['备注', 'Note'],
  tag: ['标签', 'Tags'],
  issue: ['发放', 'Issued'],
  issue_failed: ['发放失败', 'Issue failed'],
  replace: ['更换子项', 'Part replaced'],
  remind: ['催促', 'Reminded'],
  deliver: ['送达', 'Delivered'],
  time: ['修改提货时间', 'Time changed'],
  print: ['打印备货单', 'Slip printed'],
  bill: ['更正账单', 'Bill corrected'],
  invoice: ['登记开票', 'Invoice issued'],
  cards_freeze: ['冻结卡', 'Cards frozen'],
  cards_unfreeze: ['解冻卡', 'Cards unfrozen'],
  holder_ask: ['申请变更持卡人', 'Another holder is asked for'],
  holder_move: ['变更持卡人', 'Holder changed'],
  holder_refuse: ['未同意变更持卡人', 'Change of holder refused'],
  secret_shown: ['查看卡密', 'Secret shown'],
  code_shown: ['查看取票码', 'Ticket code shown'],
  review: ['评价', 'Reviewed'],
} as const satisfies Record<string, Text>
export type OrderEvent = keyof typeof orderEvents
/**
 * What is sent about an order: `remind` to its store, `redeem_store` to its merchant, the others to
 * its buyer.
 */
export const messageKinds = {
  code: ['券码', 'Codes'],
  refund: ['退款通知', 'About a refund'],
  ship: ['物流通知', 'About a parcel'],
  balance: ['尾款通知', 'About a balance'],
  delay: ['延期通知', 'About a delay'],
  notice: ['通知', 'Notice'],
  pickup: ['提货提醒', 'To pick up'],
  remind: ['催促门店', 'Store urged'],
  expire: ['到期提醒', 'About to expire'],
  redeem: ['代核销通知', 'Redeemed by the platform'],
  redeem_store: ['代核销告知商户', 'The same, to the merchant'],
  return_store: ['退货签收告知商户', 'Return is there, to the merchant'],
} as const satisfies Record<string, Text>
export type MessageKind = keyof typeof messageKinds
/** Whom an invoice is made out to. */
export const invoiceKinds = {
  person: ['个人', 'A person'],
  company: ['企业', 'A company'],
} as const satisfies Record<string, Text>
export type InvoiceKind = keyof typeof invoiceKinds
/**
 * What the buyer asked for when ordering; and, once it is issued, its number, what it came to and
 * who entered it.
 */
export type Invoice = {
  kind: InvoiceKind
  title: string
  tax_no: string | null
  asked_at: number
  issued: { no: string; amount_cents: number; by: string; at: number } | null
}
/** Eight digits on paper, twenty of an electronic one. */
export const invoiceNoOf = (typed: string): string => typed.normalize('NFKC').replace(/\s/g, '')
export const isInvoiceNo = (typed: string): boolean => /^(?:\d{8}|\d{20})$/.test(invoiceNoOf(typed))
export const invoiceNoRule: Text = [
  '发票号应为 8 位或 20 位数字，请核对',
  'An invoice has 8 or 20 digits: check it',
]
/** What an order's invoice is of: what was paid and did not go back. */
export const invoiceable = (row: { paid_cents: number; refunded_cents: number }): number =>
  row.paid_cents - row.refunded_cents

/**
 * Whose an order's review is: its buyer's, or the good one that is given when the buyer gave none
 * in time.
 */
export const reviewers = {
  member: ['顾客已评价', 'Reviewed by the buyer'],
  auto: ['系统默认好评', 'Good by itself'],
} as const satisfies Record<string, Text>
export type Reviewer = keyof typeof reviewers
/** The pin is there where the way to the buyer matters: store delivery. */
export type Receiver = {
  name: string
  phone: string
  area: string
  address: string
  lng_e6?: number
  lat_e6?: number
}
export type Rider = { name: string; phone: string }

export type OrderFacts = {
  pay_state: 'unpaid' | 'part_paid' | 'paid' | 'closed'
  balance_due: boolean
  fulfil_state: FulfilState
  refund_state: 'none' | 'refunding' | 'part_refunded' | 'refunded'
  frozen: boolean
}
const byFulfilment: Partial<Record<FulfilState, OrderStatus>> = {
  waiting_ship: 'pending_ship',
  waiting_use: 'pending_use',
  waiting_pickup: 'pending_use',
  delivering: 'shipped',
  issue_failed: 'issuing',
  none: 'finished',
}
/**
 * The status an order shows, derived from its facts; the first that matches wins. Nothing else ever
 * sets it.
 */
export const statusOf = (facts: OrderFacts): OrderStatus => {
  if (facts.pay_state === 'closed') return 'cancelled'
  if (facts.pay_state === 'unpaid') return 'pending_payment'
  if (facts.refund_state === 'refunded') return 'refunded'
  if (facts.frozen) return 'freezing'
  if (facts.refund_state === 'refunding') return 'refunding'
  if (facts.pay_state === 'part_paid' && facts.balance_due) return 'pending_payment'
  return byFulfilment[facts.fulfil_state] ?? (facts.fulfil_state as OrderStatus)
}

const AT_STORE: readonly FulfilState[] = [
  'waiting_ship',
  'part_shipped',
  'waiting_pickup',
  'part_used',
]
/**
 * Whether a store still has goods to make ready or to hand out: paid, not given back, not all gone.
 */
export const isAtStore = (
  facts: Pick<OrderFacts, 'pay_state' | 'fulfil_state' | 'refund_state'>,
): boolean =>
  facts.pay_state === 'paid' &&
  facts.refund_state !== 'refunded' &&
  AT_STORE.includes(facts.fulfil_state)

/** What becomes of uses that were asked for above a limit. */
export const timesAskStates = {
  asked: ['待复核', 'To confirm'],
  given: ['已补偿', 'Given'],
  refused: ['未同意', 'Refused'],
} as const satisfies Record<string, Text>
export type TimesAskState = keyof typeof timesAskStates

/**
 * How far orders of store goods are, each in exactly one: the tabs of their list. `overdue` is what
 * a store or a buyer is late for.
 */
export const goodsStages = {
  pending_payment: orderStatuses.pending_payment,
  to_pick_up: goodsWords.pending_use,
  to_deliver: goodsWords.pending_ship,
  delivering: goodsWords.shipped,
  overdue: ['已逾期', 'Overdue'],
  part_used: goodsWords.part_used,
  finished: orderStatuses.finished,
  expired: orderStatuses.expired,
  refunding: orderStatuses.refunding,
  refunded: orderStatuses.refunded,
  cancelled: orderStatuses.cancelled,
  freezing: orderStatuses.freezing,
} as const satisfies Record<string, Text>
export type GoodsStage = keyof typeof goodsStages
/**
 * Days past its promise from which a buyer is told that it waits; the refund of its own comes by
 * `pickup_refund_days`.
 */
export const PICKUP_WARN_DAYS = 3
/** A store is urged at most so often. */
export const REMIND_S = 3600
/**
 * Hours that a store has to answer a refund of what it has made ready; then the platform decides.
 */
export const STORE_ANSWER_HOURS = 24
