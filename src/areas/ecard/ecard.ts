import type { Text } from '#src/domain/text.ts'

/** The kinds of e-cards: money, a thing to be had for it, another firm's secret, or its top-up. */
export const cardTypes = {
  stored: ['储值卡', 'Stored value'],
  exchange: ['兑换卡', 'Exchange card'],
  secret: ['第三方卡密', 'Third-party code'],
  topup: ['直充', 'Top-up'],
} as const satisfies Record<string, Text>
export type CardType = keyof typeof cardTypes
/** Where its codes come from. */
export const codeSources = {
  generate: ['平台生成', 'Made here'],
  import: ['导入卡密', 'Imported'],
  api: ['供应商接口', 'Supplier’s API'],
} as const satisfies Record<string, Text>
export type CodeSource = keyof typeof codeSources
export const validTypes = {
  none: ['长期有效', 'No expiry'],
  fixed: ['固定日期', 'Fixed date'],
  days: ['激活后天数', 'Days from activation'],
} as const satisfies Record<string, Text>
export type ValidType = keyof typeof validTypes
export const refundRules = {
  unused: ['未使用可退', 'Refundable if unused'],
  none: ['不可退', 'No refund'],
} as const satisfies Record<string, Text>
export type RefundRule = keyof typeof refundRules
export const cardStates = {
  draft: ['草稿', 'Draft'],
  on: ['已上架', 'On sale'],
  off: ['已下架', 'Off sale'],
} as const satisfies Record<string, Text>
export type CardState = keyof typeof cardStates

export const codeStates = {
  free: ['未售', 'Unsold'],
  held: ['已占用', 'Reserved'],
  sold: ['已售', 'Sold'],
  active: ['已激活', 'Active'],
  used_up: ['已用完', 'Used up'],
  frozen: ['已冻结', 'Frozen'],
  void: ['已作废', 'Void'],
  refunding: ['退款中', 'In refund'],
  refunded: ['已退款', 'Refunded'],
  expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
export type CodeState = keyof typeof codeStates
export const giftStates = {
  none: ['自用', 'Kept'],
  sent: ['赠送中', 'Sent'],
  received: ['已领取', 'Received'],
  returned: ['已退回', 'Returned'],
} as const satisfies Record<string, Text>
export type GiftState = keyof typeof giftStates

/** The kinds of moves of a card's balance; amounts are signed, seen from the card or the channel. */
export const ledgerTypes = {
  activate: ['激活', 'Activated'],
  spend: ['消费', 'Spent'],
  spend_back: ['消费退回', 'Spending taken back'],
  adjust: ['调整', 'Adjusted'],
  recharge: ['充值', 'Topped up'],
  issue: ['发卡', 'Issued'],
  issue_back: ['发卡退回', 'Issue taken back'],
  expire: ['过期', 'Expired'],
} as const satisfies Record<string, Text>
export type LedgerType = keyof typeof ledgerTypes

export const channelTypes = {
  own: ['自有小程序', 'Own mini-program'],
  enterprise: ['企业团购', 'Enterprise'],
  api: ['接口合作方', 'API partner'],
} as const satisfies Record<string, Text>
export type ChannelType = keyof typeof channelTypes
export const settleTypes = {
  prepaid: ['预付', 'Prepaid'],
  monthly: ['月结', 'Monthly'],
} as const satisfies Record<string, Text>
export type SettleType = keyof typeof settleTypes
export const channelStates = {
  draft: ['草稿', 'Draft'],
  on: ['合作中', 'Open'],
  off: ['已停用', 'Stopped'],
  ended: ['已到期', 'Ended'],
} as const satisfies Record<string, Text>
export type ChannelState = keyof typeof channelStates

/** The changes of a channel that need a second person. */
export const requestKinds = {
  recharge: ['充值', 'Top-up'],
  adjust: ['余额调整', 'Adjustment'],
  credit: ['授信调整', 'Credit'],
} as const satisfies Record<string, Text>
export type RequestKind = keyof typeof requestKinds
export const requestStates = {
  waiting: ['待复核', 'Waits for a second person'],
  done: ['已复核', 'Confirmed'],
  refused: ['已驳回', 'Refused'],
} as const satisfies Record<string, Text>
export type RequestState = keyof typeof requestStates
/** A contract period of a channel that is over, in unix seconds, and its file. */
export type ChannelPeriod = { start_at: number; end_at: number; contract: string }
/** A person whom a batch is for, and how many cards they get. */
export type Receiver = { name: string; phone: string; n: number }

/** Where a card may be spent; a list that names nothing allows all of its kind. */
export type CardScope = {
  mall_ids: number[]
  store_ids: number[]
  category_ids: number[]
}
/** How many cards may be bought; null: as many as one likes. */
export type CardLimits = { order: number | null; day: number | null; person: number | null }

/**
 * The most that a stored-value card may hold, in cents: 单用途商业预付卡管理办法（试行） art. 18.
 */
export const FACE_MOST_UNNAMED = 100_000
export const FACE_MOST_NAMED = 500_000
/** A card without a holder's name is good for so many years at least (art. 19 there). */
export const UNNAMED_YEARS = 3
