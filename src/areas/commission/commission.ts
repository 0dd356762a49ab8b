import type { Text } from '#src/domain/text.ts'

/** As what a seller earns something of a sold unit (domain B, dist_commission). */
export const commissionRoles = {
  direct: ['直推', 'Sale'],
  leader: ['团长奖励', 'Team leader'],
  guide: ['导购', 'Store guide'],
  store: ['分销门店', 'Distributing store'],
  prize: ['榜单奖励', 'Prize'],
  adjust: ['调整', 'Adjustment'],
} as const satisfies Record<string, Text>
export type CommissionRole = keyof typeof commissionRoles

/** Only forward; `clawed_back` is what was settled and taken back whole. */
export const commissionStates = {
  estimated: ['预估', 'Estimated'],
  frozen: ['冻结中', 'On hold'],
  settleable: ['可结算', 'To settle'],
  settled: ['已结算', 'Settled'],
  cancelled: ['已取消', 'Cancelled'],
  clawed_back: ['已追回', 'Clawed back'],
} as const satisfies Record<string, Text>
export type CommissionState = keyof typeof commissionStates

/** The kinds of goods that sellers can distribute. */
export const distributedKinds = {
  product: ['商品', 'Product'],
  ecard: ['电子卡', 'E-card'],
  vip_card: ['会员卡', 'Member card'],
  film: ['影票', 'Film ticket'],
} as const satisfies Record<string, Text>
export type DistributedKind = keyof typeof distributedKinds

export const commissionKinds = {
  rate: ['按比例', 'Percent'],
  fixed: ['固定金额', 'Fixed amount'],
} as const satisfies Record<string, Text>
export type CommissionKind = keyof typeof commissionKinds

export const distributedStates = {
  on: ['分销中', 'Distributed'],
  off: ['已下架', 'Off'],
  ended: ['已结束', 'Ended'],
} as const satisfies Record<string, Text>
export type DistributedState = keyof typeof distributedStates

/** How a commission came to its amount, as it was when the order was paid. */
export type CommissionCalc = {
  /** Basis points of the goods, of the seller's level, and of the seller's own. */
  goods_bp: number
  level_bp: number
  plus_bp: number
  /** Cents of each unit, where the goods pay a fixed amount. */
  fixed_cents?: number
  /** What it would have been before the margin or the ceiling cut it (cents). */
  uncut_cents?: number
  /** Why this seller: by which binding. */
  binding_id?: number
}

/** Commission never takes more than this of what was paid: the ceiling of profit sharing. */
export const CEILING_BP = 3000

const acts = {
  settleNow: ['frozen', 'settleable'],
  batchSettle: ['settleable'],
  hold: ['estimated', 'frozen', 'settleable'],
  cancel: ['estimated', 'frozen', 'settleable'],
  clawBack: ['settled'],
} as const satisfies Record<string, readonly CommissionState[]>
export type CommissionVerb = keyof typeof acts | 'release'
const whyNot: Record<keyof typeof acts, Text> = {
  settleNow: [
    '只有冻结中或可结算的佣金可以结算；预估佣金须等核销或收货',
    'Only what is on hold or to settle; an estimate waits until its unit is used',
  ],
  batchSettle: ['只有可结算的佣金可以批量结算', 'Only what is to settle is settled with others'],
  hold: ['已结算或已取消的佣金不能暂缓', 'What is settled or cancelled is not held'],
  cancel: [
    '已结算的佣金请用“追回”；已取消的无需再取消',
    'Claw back what is settled; what is cancelled is cancelled',
  ],
  clawBack: ['只有已结算的佣金可以追回', 'Only what is settled is clawed back'],
}
/** What rules ask of a commission. */
export type CommissionFacts = {
  status: CommissionState
  held: boolean
  /** By whom it is held, and why. */
  holder: string
  reason: string
  role: CommissionRole
  /** The channel's split that pays it, empty where none does. */
  split_no: string
  /** Why its order can still be refunded, where it can. */
  refundable: 'after_sale' | 'refunding' | null
}
const refundable: Readonly<Record<'after_sale' | 'refunding', Text>> = {
  after_sale: [
    '售后期未结束，订单仍可退款，不能提前结算；冻结期满后自动转为可结算',
    'Its order can still be refunded: it may be settled once its hold is over',
  ],
  refunding: [
    '订单退款处理中，不能结算；退款完结后再试',
    'A refund of its order is under way: settle it once that is decided',
  ],
}
/** True, or why a commission can't have it (domain B, dist_commission): states only go forward. */
export const commissionCan = (verb: CommissionVerb, of: CommissionFacts): true | Text => {
  if (verb === 'release')
    return of.held || ['佣金没有被暂缓，无需解除', 'Nobody holds it: there is nothing to release']
  if (!(acts[verb] as readonly CommissionState[]).includes(of.status)) return whyNot[verb]
  if (of.split_no !== '' && of.status !== 'settled')
    return [
      `正由分账单 ${of.split_no} 支付，请在“分账订单”中处理`,
      `Split ${of.split_no} is paying it: see to it among the profit-sharing orders`,
    ]
  if (of.role === 'adjust' && verb !== 'hold')
    return ['人工调整不能在这里更改', 'An adjustment by hand is not changed here']
  if (of.held && verb !== 'cancel' && verb !== 'clawBack')
    return [`已由${of.holder}暂缓：${of.reason}`, `Held by ${of.holder}: ${of.reason}`]
  const settles = verb === 'settleNow' || verb === 'batchSettle'
  return settles && of.refundable ? refundable[of.refundable] : true
}
