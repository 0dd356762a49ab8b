import type { Text } from '#src/domain/text.ts'

export const badgeGroups = {
  consume: ['消费', 'Spending'],
  visit: ['到店', 'Visiting'],
  share: ['分享', 'Sharing'],
  season: ['季节限定', 'Seasonal'],
} as const satisfies Record<string, Text>
export type BadgeGroup = keyof typeof badgeGroups
export const badgeMetrics = {
  order_count: ['完成订单数', 'Orders'],
  paid_cents: ['累计消费', 'Amount paid'],
  comment_count: ['评价数', 'Reviews'],
  invite_count: ['邀请人数', 'Members invited'],
  mall_count: ['到访商场数', 'Malls visited'],
} as const satisfies Record<string, Text>
export type BadgeMetric = keyof typeof badgeMetrics
export const badgeStates = {
  draft: ['草稿', 'Draft'],
  on: ['上线', 'Online'],
  off: ['已下线', 'Offline'],
} as const satisfies Record<string, Text>
export type BadgeState = keyof typeof badgeStates
export const rewardStates = {
  none: ['未获得', 'Not yet'],
  issued: ['已发放', 'Issued'],
  failed: ['发放失败', 'Failed'],
  revoked: ['已收回', 'Revoked'],
} as const satisfies Record<string, Text>
export type RewardState = keyof typeof rewardStates
export const badgeSources = {
  auto: ['自动', 'Earned'],
  admin: ['人工授予', 'Granted'],
} as const satisfies Record<string, Text>
export type BadgeSource = keyof typeof badgeSources
