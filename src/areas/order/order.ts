import { percent, shares, yuan } from '#src/domain/money.ts'
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
  embedded: ['内置渠道', 'Embedded'],
} as const satisfies Record<string, Text>
export type PayWay = keyof typeof payWays
/** Where the money of a redemption is on its way to the store. */
export const settleStates = {
  holding: ['冻结中(结算)', 'On hold (settlement)'],
  available: ['可结算', 'To settle'],
  settling: ['结算中', 'Settling'],
  settled: ['已结算', 'Settled'],
  reversed: ['已撤销', 'Taken back'],
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
  balance_extend: ['延长尾款期限', 'More time for the balance'],
  forfeit: ['定金不退', 'Deposit kept'],
  delay: ['延期发货', 'Shipping delayed'],
  redeem: ['核销', 'Redeemed'],
  reverse: ['撤销核销', 'Redemption taken back'],
  ready: ['备货完成', 'Ready'],
  dispatch: ['出发配送', 'On its way'],
  ship: ['发货', 'Shipped'],
  tracking: ['修改物流单号', 'Tracking number changed'],
  receive: ['收货', 'Received'],
  extend_receive: ['延长收货', 'More time to receive'],
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
/** Units of an item that neither went back nor are about to. */
export const leftOf = (item: {
  qty: number
  refunding_qty: number
  refunded_qty: number
}): number => item.qty - item.refunding_qty - item.refunded_qty
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
 * Whether an invoice can be entered now, or why not: only one that was asked for, once, of an
 * amount that stands.
 */
export const invoiceCan = (
  row: Pick<OrderFacts, 'pay_state' | 'refund_state'> & {
    paid_cents: number
    refunded_cents: number
  },
  invoice: Pick<Invoice, 'issued'> | null,
): true | Text =>
  !invoice
    ? ['买家没有申请发票', 'No invoice was asked for']
    : invoice.issued
      ? ['已登记过开票', 'It was issued already']
      : row.pay_state !== 'paid'
        ? ['付款后才能开票', 'It is not paid']
        : row.refund_state === 'refunding'
          ? ['有未完结的退款，金额未定', 'A refund is open: the amount is not known yet']
          : invoiceable(row) > 0
            ? true
            : ['已全额退款，没有可开票的金额', 'All of it was refunded']

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
export type Trace = { at: number; text: string }

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

export type Units = { total: number; used: number; refunded: number; expired: number }
/**
 * Fulfilment of codes, from their units: `none` when all were refunded, for nothing is left to
 * fulfil.
 */
export const fulfilOf = ({ total, used, refunded, expired }: Units): FulfilState => {
  const left = total - used - refunded - expired
  if (total === refunded) return 'none'
  if (left > 0) return used > 0 ? 'part_used' : 'waiting_use'
  return used > 0 ? 'finished' : 'expired'
}

export type CodeUnits = {
  state: CodeState
  times_total: number
  times_bonus: number
  times_used: number
  times_refunding: number
  times_refunded: number
}
/**
 * The state of a code from its times. `locked` and `void` are not counted but said, and stay until
 * they are said to be over.
 */
export const codeStateOf = (code: CodeUnits & { valid_until: number }, now: number): CodeState => {
  if (code.state === 'locked' || code.state === 'void') return code.state
  if (code.times_refunding > 0) return 'refunding'
  const left = code.times_total + code.times_bonus - code.times_used - code.times_refunded
  if (left <= 0) return code.times_used > 0 ? 'used' : 'refunded'
  if (code.valid_until <= now) return 'expired'
  return code.times_used > 0 ? 'part_used' : 'unused'
}

/** What becomes of uses that were asked for above a limit. */
export const timesAskStates = {
  asked: ['待复核', 'To confirm'],
  given: ['已补偿', 'Given'],
  refused: ['未同意', 'Refused'],
} as const satisfies Record<string, Text>
export type TimesAskState = keyof typeof timesAskStates

/**
 * An item's counts. `shipped_qty` are those shipped and not refunded since, `received_qty` those of
 * them that arrived.
 */
export type ItemUnits = {
  fulfil: ItemWay
  qty: number
  refunding_qty: number
  refunded_qty: number
  shipped_qty: number
  received_qty: number
  issue_state: 'none' | 'issuing' | 'issued' | 'failed'
  /** Its codes, if it has any. */ codes: readonly CodeUnits[]
}
/** All that decides how far an order is: nothing else may. */
export type OrderUnits = Pick<OrderFacts, 'pay_state' | 'balance_due' | 'frozen'> & {
  /** Its group has not formed, its batch is still raising. */ waiting: boolean
  items: readonly ItemUnits[]
}

const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)
const timesOf = (code: CodeUnits) => code.times_total + code.times_bonus
const byCode = (codes: readonly CodeUnits[]): FulfilState =>
  fulfilOf({
    total: sum(codes, timesOf),
    used: sum(codes, code => code.times_used),
    refunded: sum(codes, code => code.times_refunded),
    expired: sum(codes, code =>
      code.state === 'expired' ? timesOf(code) - code.times_used - code.times_refunded : 0,
    ),
  })
/** How far items of one way are, taken together. */
const wayState = (way: ItemWay, items: readonly ItemUnits[]): FulfilState => {
  if (way === 'code' || way === 'pickup') {
    const state = byCode(items.flatMap(item => item.codes))
    return way === 'pickup' && state === 'waiting_use' ? 'waiting_pickup' : state
  }
  const live = sum(items, item => item.qty - item.refunded_qty)
  if (live === 0) return 'none'
  if (way === 'virtual')
    return items.some(item => item.issue_state === 'failed')
      ? 'issue_failed'
      : items.every(item => item.issue_state === 'issued' || item.refunded_qty === item.qty)
        ? 'finished'
        : 'issuing'
  const [shipped, received] = [
    sum(items, item => item.shipped_qty),
    sum(items, item => item.received_qty),
  ]
  if (received === live) return 'finished'
  if (shipped === 0) return 'waiting_ship'
  if (shipped < live) return 'part_shipped'
  return way === 'delivery' ? 'delivering' : 'shipped'
}
const done: readonly string[] = ['finished', 'expired']
const begun: readonly string[] = ['part_used', 'part_shipped', ...done]
/** From the least advanced to the most. */
const advance = [
  'issue_failed',
  'issuing',
  'waiting_ship',
  'waiting_pickup',
  'waiting_use',
  'part_shipped',
  'part_used',
  'delivering',
  'shipped',
  'expired',
  'finished',
  'waiting_group',
] as const satisfies readonly FulfilState[]

/**
 * Fulfilment and refund of an order, counted from its units; with what is stored beside them they
 * give its status. Parts of several ways (a combo) are taken together: all done is finished, some
 * done is begun, else the least advanced tells (domain document A, section 5).
 */
export const factsOf = (of: OrderUnits): OrderFacts => {
  const { pay_state, balance_due, frozen } = of
  // A code made void was replaced by another: it counts for nothing.
  const items = of.items.map(item => ({
    ...item,
    codes: item.codes.filter(code => code.state !== 'void'),
  }))
  const stored = { pay_state, balance_due, frozen }
  if (pay_state === 'closed' || pay_state === 'unpaid')
    return { ...stored, fulfil_state: 'none', refund_state: 'none' }
  const unit = (item: ItemUnits) =>
    item.fulfil === 'code' || item.fulfil === 'pickup'
      ? {
          all: sum(item.codes, timesOf),
          refunding: sum(item.codes, code => code.times_refunding),
          refunded: sum(item.codes, code => code.times_refunded),
        }
      : { all: item.qty, refunding: item.refunding_qty, refunded: item.refunded_qty }
  const units = items.map(unit)
  const refunded = sum(units, one => one.refunded)
  const refund_state =
    sum(units, one => one.refunding) > 0
      ? ('refunding' as const)
      : refunded === 0
        ? ('none' as const)
        : refunded === sum(units, one => one.all)
          ? ('refunded' as const)
          : ('part_refunded' as const)
  if (of.waiting && refund_state !== 'refunded')
    return { ...stored, fulfil_state: 'waiting_group', refund_state }
  const ways = [...new Set(items.map(item => item.fulfil))]
  const states = ways
    .map(way =>
      wayState(
        way,
        items.filter(item => item.fulfil === way),
      ),
    )
    .filter((state): state is Exclude<FulfilState, 'none'> => state !== 'none')
  const fulfil_state =
    states.length === 0
      ? ('none' as const)
      : states.every(state => done.includes(state))
        ? states.includes('finished')
          ? ('finished' as const)
          : ('expired' as const)
        : states.length > 1 && states.some(state => begun.includes(state))
          ? ways.includes('code') || ways.includes('pickup')
            ? ('part_used' as const)
            : ('part_shipped' as const)
          : advance.find(state => states.includes(state))!
  return { ...stored, fulfil_state, refund_state }
}

/**
 * What `n` of `left` units that are worth `cents` together take with them: the parts differ by a
 * cent at most, and the last takes the rest.
 */
export const partOf = (cents: number, left: number, n: number): number =>
  n >= left ? cents : n * Math.floor(cents / left) + Math.min(n, cents % left)

export type TimeShare = {
  n: number
  cents: number
  as: 'used' | 'refund' | 'left' | 'bonus'
  /** The redemption that used it. */ use_id?: number
}
/**
 * Every time of a code of several, with what it is worth and what became of it: used ones in their
 * order, those refunded or in refund, those left, and those given on top, which are worth nothing.
 */
export const timeShares = (
  code: {
    pay_cents: number
    times_total: number
    times_bonus: number
    left_times: number
    left_pay_cents: number
  },
  uses: readonly {
    id: number
    state: 'valid' | 'reversed'
    times: number
    paid_times: number
    pay_cents: number
    verified_at: number
  }[],
): TimeShare[] => {
  const valid = uses
    .filter(use => use.state === 'valid')
    .sort((a, b) => a.verified_at - b.verified_at || a.id - b.id)
  const used = valid.flatMap(use =>
    unitShares(use.pay_cents, use.paid_times).map(cents => ({
      cents,
      as: 'used' as const,
      use_id: use.id,
    })),
  )
  const back = code.times_total - used.length - code.left_times
  const backCents = code.pay_cents - sum(used, one => one.cents) - code.left_pay_cents
  const given = valid.flatMap(use =>
    Array.from({ length: use.times - use.paid_times }, () => ({
      cents: 0,
      as: 'used' as const,
      use_id: use.id,
    })),
  )
  return [
    ...used,
    ...unitShares(backCents, back).map(cents => ({ cents, as: 'refund' as const })),
    ...unitShares(code.left_pay_cents, code.left_times).map(cents => ({
      cents,
      as: 'left' as const,
    })),
    ...given,
    ...Array.from({ length: code.times_bonus - given.length }, () => ({
      cents: 0,
      as: 'bonus' as const,
    })),
  ].map((one, at) => ({ n: at + 1, ...one }))
}

const paid: Text = ['订单未付款', 'It is not paid']
const over: Text = ['订单已完结', 'It is over']
const cold: Text = ['订单已冻结，请先解冻', 'It is frozen: unfreeze it first']
/** How long past a product's end staff may extend a code, in days. */
export const EXTEND_DAYS = 365
/**
 * Why a redemption can't be taken back now, or undefined. Windows are in hours from the redemption.
 */
export const reverseRefusal = (
  record: {
    state: 'valid' | 'reversed'
    settle_state: SettleState
    verified_at: number
    way: string
    admin_id: number | null
  },
  of: { now: number; window_h: number; admin_id: number | null; frozen: boolean },
): Text | undefined => {
  if (record.state === 'reversed') return ['已撤销过', 'It was taken back already']
  if (record.settle_state !== 'holding' && record.settle_state !== 'available')
    return ['已进入结算，不能撤销', 'It is being settled']
  if (of.frozen) return cold
  if (of.now > record.verified_at + of.window_h * 3600)
    return ['已超过可撤销的时间', 'Its window is over']
  if (record.way === 'platform' && record.admin_id !== null && record.admin_id === of.admin_id)
    return ['平台代核销须由另一人撤销', 'Another person must take back what you redeemed']
  return undefined
}

export type OrderVerb =
  | 'cancel'
  | 'freeze'
  | 'unfreeze'
  | 'refund'
  | 'extendValidity'
  | 'resendCode'
  | 'redeem'
  | 'ship'
  | 'editReceiver'
  | 'adjustPrice'
  | 'confirmReceive'
  | 'extendReceive'
  | 'print'
  | 'addTimes'
  | 'changeStore'
  | 'bindMember'
  | 'unbindMember'
  | 'confirmReady'
  | 'dispatch'
  | 'confirmDelivered'
  | 'confirmPickup'
  | 'changeTime'
  | 'remind'
  | 'printSlip'
export type OrderLook = OrderFacts & {
  status: OrderStatus
  kind: OrderKind
  sub_kind: OrderSubKind
  adjust_cents?: number
  member_id?: number | null
  claimed_at?: number | null
  ready_at?: number | null
  reminded_at?: number | null
}
const isPaid = (row: OrderLook) => row.pay_state === 'paid' || row.pay_state === 'part_paid'
/**
 * What staff may do with an order as it is now, or why not; handlers, menus and tests all ask here.
 * Guards that need more rows are the handler's.
 */
export const orderCan = (verb: OrderVerb, row: OrderLook): true | Text => {
  const live = (): true | Text =>
    !isPaid(row)
      ? row.pay_state === 'closed'
        ? ['订单已取消', 'It was cancelled']
        : paid
      : row.frozen
        ? cold
        : row.refund_state === 'refunded'
          ? ['订单已全额退款', 'It was refunded']
          : true
  // The least advanced part names the state of a bundle: others of its parts may have codes, or be
  // on their way.
  const parts =
    row.kind === 'combo' &&
    (row.fulfil_state === 'waiting_ship' ||
      row.fulfil_state === 'part_shipped' ||
      row.fulfil_state === 'shipped')
  const hasCodes =
    parts ||
    row.fulfil_state === 'waiting_use' ||
    row.fulfil_state === 'part_used' ||
    row.fulfil_state === 'waiting_pickup'
  switch (verb) {
    case 'cancel':
      return row.pay_state === 'unpaid'
        ? true
        : ['只能关闭未支付的订单', 'Only an unpaid order can be closed']
    case 'freeze':
      return canFreeze(row)
    case 'unfreeze':
      return row.frozen ? true : ['订单未冻结', 'It is not frozen']
    case 'refund': {
      const ok = live()
      return ok !== true ? ok : row.fulfil_state === 'none' ? over : true
    }
    case 'resendCode': {
      const ok = live()
      return ok !== true
        ? ok
        : hasCodes
          ? true
          : row.fulfil_state === 'waiting_group'
            ? ['成团后才有券码', 'There are codes once the group has formed']
            : ['没有可用的券码', 'It has no code that can be used']
    }
    case 'redeem': {
      const ok = live()
      return ok !== true
        ? ok
        : hasCodes
          ? true
          : ['没有可用的券码', 'It has no code that can be used']
    }
    case 'extendValidity': {
      const ok = live()
      return ok !== true
        ? ok
        : hasCodes || row.fulfil_state === 'expired'
          ? true
          : ['没有可延期的券码', 'It has no code to extend']
    }
    case 'addTimes': {
      const ok = live()
      return ok !== true
        ? ok
        : row.kind === 'card'
          ? true
          : ['只有卡券可补偿次数', 'Only a card can get more times']
    }
    case 'changeStore': {
      const ok = live()
      return ok !== true
        ? ok
        : row.fulfil_state === 'delivering' || row.fulfil_state === 'part_shipped'
          ? ['已出发配送，不能改派', 'It is on its way already']
          : row.fulfil_state === 'part_used' || row.fulfil_state === 'finished'
            ? ['已使用，不能更换门店', 'It was used already']
            : true
    }
    case 'ship': {
      const ok = live()
      return ok !== true
        ? ok
        : row.fulfil_state === 'waiting_ship' ||
            row.fulfil_state === 'part_shipped' ||
            row.fulfil_state === 'part_used'
          ? row.pay_state === 'part_paid'
            ? ['尾款未付', 'The balance is not paid']
            : true
          : row.fulfil_state === 'waiting_group'
            ? row.kind === 'raise'
              ? ['众筹尚未成功，不能发货', 'The campaign has not succeeded']
              : ['尚未成团，不能发货', 'The group has not formed']
            : ['没有待发的商品', 'Nothing is left to ship']
    }
    case 'editReceiver':
      return row.pay_state === 'closed' || row.refund_state === 'refunded'
        ? over
        : row.fulfil_state === 'none' ||
            row.fulfil_state === 'waiting_ship' ||
            row.fulfil_state === 'waiting_group'
          ? true
          : ['已发货，不能修改收货信息', 'It was shipped already']
    case 'adjustPrice':
      return row.pay_state !== 'unpaid'
        ? ['只能修改未支付订单的价格', 'Only the price of an unpaid order can change']
        : row.adjust_cents
          ? ['每个订单只能改价一次', 'A price changes once only']
          : true
    case 'confirmReceive': {
      const ok = live()
      return ok !== true
        ? ok
        : row.refund_state === 'refunding'
          ? ['有未完结的退款', 'A refund is open']
          : row.fulfil_state === 'shipped' ||
              (row.kind === 'combo' &&
                (row.fulfil_state === 'waiting_use' || row.fulfil_state === 'part_used'))
            ? true
            : ['全部发货后才能确认收货', 'Not all of it was shipped']
    }
    case 'extendReceive': {
      const ok = live()
      return ok !== true
        ? ok
        : row.fulfil_state === 'shipped'
          ? true
          : ['不在待收货，不能延长', 'It is not on its way']
    }
    case 'print':
      return !isPaid(row)
        ? row.pay_state === 'closed'
          ? over
          : paid
        : row.refund_state === 'refunded'
          ? ['订单已全额退款', 'It was refunded']
          : row.fulfil_state === 'waiting_group'
            ? ['尚未成团，不能打印', 'The group has not formed']
            : true
    case 'bindMember': {
      const ok = live()
      return row.kind !== 'visitor'
        ? ['不是游客订单', 'Not a visitor’s order']
        : row.member_id
          ? ['已绑定会员', 'It is bound already']
          : ok
    }
    case 'unbindMember':
      return row.kind !== 'visitor' || !row.member_id
        ? ['未绑定会员', 'It is not bound']
        : row.frozen
          ? cold
          : true
    case 'confirmReady': {
      const ok = live()
      return ok !== true
        ? ok
        : row.ready_at
          ? ['已备货', 'It is ready already']
          : row.fulfil_state === 'waiting_pickup' || row.fulfil_state === 'waiting_ship'
            ? true
            : ['没有待备的商品', 'Nothing is left to make ready']
    }
    case 'dispatch': {
      const ok = live()
      return ok !== true
        ? ok
        : row.sub_kind !== 'store_delivery'
          ? ['到店自提，不用配送', 'It is picked up']
          : row.fulfil_state !== 'waiting_ship' && row.fulfil_state !== 'part_shipped'
            ? ['没有待配送的商品', 'Nothing is left to deliver']
            : row.ready_at
              ? true
              : ['备货完成后才能配送', 'It is not ready']
    }
    // What was sent before a refund of the rest was refused arrives while the rest waits.
    case 'confirmDelivered': {
      const ok = live()
      return ok !== true
        ? ok
        : row.fulfil_state === 'delivering' || row.fulfil_state === 'part_shipped'
          ? true
          : ['不在配送中', 'It is not on its way']
    }
    case 'confirmPickup': {
      const ok = live()
      return ok !== true
        ? ok
        : row.fulfil_state === 'waiting_pickup' ||
            (row.sub_kind === 'pickup' && row.fulfil_state === 'part_used')
          ? true
          : ['没有待提的商品', 'Nothing is left to pick up']
    }
    case 'changeTime': {
      const ok = live()
      return ok !== true
        ? ok
        : row.fulfil_state === 'waiting_pickup' || row.fulfil_state === 'waiting_ship'
          ? true
          : ['已提货或已出发，不能改时间', 'It was picked up, or is on its way']
    }
    case 'remind': {
      const ok = live()
      return ok !== true
        ? ok
        : row.fulfil_state === 'waiting_ship' ||
            row.fulfil_state === 'part_shipped' ||
            (row.fulfil_state === 'waiting_pickup' && !row.ready_at)
          ? true
          : ['不用催：门店已备好或已完成', 'The store has done its part']
    }
    case 'printSlip':
      return isPaid(row) ? true : ['付款后才能打印备货单', 'A slip is for what was paid']
  }
}

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

/**
 * What one unit settles to the merchant: its shares of what the member and the platform paid, less
 * the commission (rounded half up).
 */
export const settleOf = (
  pay_cents: number,
  platform_cents: number,
  commission_bp: number,
): number => {
  const gross = pay_cents + platform_cents
  return gross - Math.round((gross * commission_bp) / 10_000)
}

/**
 * Splits a payment over `qty` equal units; the parts sum to it exactly and differ by at most a
 * cent.
 */
export const unitShares = (pay_cents: number, qty: number): number[] =>
  shares(
    pay_cents,
    Array.from({ length: qty }, () => 1),
  )

/**
 * What items are worth after a change of price, spread over them by what they were worth: to the
 * cent, none below zero and, where it became cheaper, none dearer.
 */
export const adjusted = (pays: readonly number[], adjust_cents: number): number[] =>
  shares(pays.reduce((all, cents) => all + cents, 0) + adjust_cents, pays)
/**
 * Why a price can't be changed so, or undefined. Freight is what it is: only what the goods cost
 * can be taken off, and of the whole no more than `most_bp`.
 */
export const adjustFault = (
  of: { pay_cents: number; freight_cents: number },
  adjust_cents: number,
  most_bp: number,
): Text | undefined => {
  const least = Math.max(
    1,
    of.freight_cents,
    of.pay_cents - Math.floor((of.pay_cents * most_bp) / 10_000),
  )
  if (adjust_cents === 0) return ['改价金额不能为 0', 'It would change nothing']
  if (adjust_cents < 0 && of.pay_cents + adjust_cents < least)
    return [
      `改价后不能低于 ${yuan(least)} 元（最多优惠 ${percent(most_bp)}，不减运费）`,
      `Not below ¥${yuan(least)} (at most ${percent(most_bp)} off, and not the freight)`,
    ]
  if (adjust_cents > of.pay_cents)
    return [`最多加价 ${yuan(of.pay_cents)} 元`, `At most ¥${yuan(of.pay_cents)} more`]
  return undefined
}
/**
 * What a merchant owes for a parcel that left past its promise: a share of the goods, at most so
 * much.
 */
export const latePenalty = (
  of: { goods_cents: number; promise_at: number | null; shipped_at: number },
  rules: { late_ship_penalty_bp: number; late_ship_penalty_max_cents: number },
): number =>
  of.promise_at === null || of.shipped_at <= of.promise_at
    ? 0
    : Math.min(
        rules.late_ship_penalty_max_cents,
        Math.round((of.goods_cents * rules.late_ship_penalty_bp) / 10_000),
      )

/** What was posted, in whichever way it was sold, is reviewed. */
export const reviewedWays: readonly OrderSubKind[] = ['express', 'full', 'deposit']
/**
 * Why nothing can be reviewed now, or undefined: only what was posted, received and kept is, once;
 * what was sent again is part of the order it was sent again for.
 */
export const reviewRefusal = (
  row: Pick<OrderFacts, 'fulfil_state' | 'refund_state' | 'frozen'> & {
    sub_kind: OrderSubKind
    reviewed_at: number | null
    reissue_of: number | null
  },
): Text | undefined =>
  row.reviewed_at !== null
    ? ['已评价过', 'It was reviewed already']
    : !reviewedWays.includes(row.sub_kind) || row.reissue_of !== null
      ? ['这类订单没有评价', 'Orders of this kind are not reviewed']
      : row.frozen
        ? cold
        : row.fulfil_state !== 'finished'
          ? ['收货后才能评价', 'It was not received']
          : row.refund_state === 'refunding' || row.refund_state === 'refunded'
            ? ['有退款，不能评价', 'It is refunded, or in refund']
            : undefined

/**
 * True, or why an order can't be frozen: only one that is paid and not yet through can be held up.
 */
export const canFreeze = (facts: OrderFacts): true | Text => {
  const status = statusOf(facts)
  if (status === 'freezing') return ['订单已被冻结', 'It is frozen already']
  if (facts.pay_state === 'unpaid')
    return ['订单尚未付款，没有可冻结的款项', 'It is not paid: there is nothing to hold']
  if (['finished', 'expired', 'refunded', 'cancelled'].includes(status)) {
    const [zh, en] = orderStatuses[status]
    return [`订单${zh}，不能冻结`, `${en}: it can’t be frozen any more`]
  }
  return true
}
