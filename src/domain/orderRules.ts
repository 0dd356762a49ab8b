import type { Text } from './text.ts'

export const configScopes = {
  visitor: ['到店付款', 'Visitor'], bulks: ['团购', 'Group-buy'], roll_buy: ['拼团', 'Multi-person buy'], card: ['卡券', 'Card'], voucher: ['代金券', 'Voucher'], goods: ['门店商品', 'Store goods'],
  elist: ['电商', 'E-commerce'], raise: ['众筹', 'Crowd presale'], combo: ['组合', 'Combo'], points: ['积分', 'Points'], ecard: ['电子卡', 'E-card'],
} as const satisfies Record<string, Text>
export type ConfigScope = keyof typeof configScopes

/** The rules of a kind of order. Minutes, hours and days as their names say; money in cents. */
export type OrderRules = {
  pay_timeout_min: number
  refund_policy: 'anytime' | 'before_expiry' | 'none'
  /** Days after its end on which what was not used is refunded by itself; null: never. */
  expired_refund_days: number | null
  auto_approve_limit_cents: number
  merchant_reverse_h: number
  platform_reverse_h: number
  /** Days that redeemed money is on hold before it may be settled. */
  hold_days: number
  group_hours: number
  remind_days: number[]
  ship_promise_h: number
  auto_receive_d: number
  extend_times: number
  after_sale_days: number
  pickup_refund_days: number
}
/** What an installation begins with. */
export const rulesAtFirst: OrderRules = {
  pay_timeout_min: 15, refund_policy: 'anytime', expired_refund_days: 1, auto_approve_limit_cents: 200_00, merchant_reverse_h: 1, platform_reverse_h: 24, hold_days: 3, group_hours: 24, remind_days: [7, 1],
  ship_promise_h: 48, auto_receive_d: 10, extend_times: 2, after_sale_days: 7, pickup_refund_days: 7,
}
