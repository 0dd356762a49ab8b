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

/** What of the goods of the house can be distributed. */
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
