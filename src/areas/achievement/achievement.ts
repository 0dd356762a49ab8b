import { yuan } from '#src/domain/money.ts'
import { hasEnded, type Period } from '#src/domain/period.ts'
import { countEn, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** The parts of the badge wall; the last holds what runs for a time. */
export const badgeGroups = {
  consume: ['消费', 'Spending'],
  visit: ['到访', 'Visiting'],
  share: ['分享', 'Sharing'],
  season: ['季节限定', 'Seasonal'],
} as const satisfies Record<string, Text>
export type BadgeGroup = keyof typeof badgeGroups
/** What is counted for a badge; each is one indexed query of a member. */
export const badgeMetrics = {
  order_count: ['累计支付订单数', 'Paid orders'],
  paid_cents: ['累计实付金额', 'Money paid'],
  checkin_days: ['到店打卡天数', 'Days with a check-in'],
  mall_count: ['打卡商场数', 'Malls checked in at'],
  sign_streak: ['最长连续签到', 'Longest sign-in streak'],
  comment_count: ['评价数', 'Reviews'],
  invite_count: ['邀请注册人数', 'Members invited'],
} as const satisfies Record<string, Text>
export type BadgeMetric = keyof typeof badgeMetrics
const units: Readonly<Record<Exclude<BadgeMetric, 'paid_cents'>, Text>> = {
  order_count: ['单', 'order'],
  checkin_days: ['天', 'day'],
  mall_count: ['家', 'mall'],
  sign_streak: ['天', 'day'],
  comment_count: ['条', 'review'],
  invite_count: ['人', 'member'],
}
/** A threshold or progress with its unit: money as ¥, in cents; everything else as a count. */
export const amountOf = (metric: BadgeMetric, n: number): Text => {
  if (metric === 'paid_cents') return [`¥${yuan(n)}`, `¥${yuan(n)}`]
  const [zh, en] = units[metric]
  return [`${n} ${zh}`, countEn(n, en)]
}
export const badgeStates = {
  draft: ['草稿', 'Draft'],
  on: ['已上线', 'On'],
  off: ['已下线', 'Off'],
} as const satisfies Record<string, Text>
export type BadgeState = keyof typeof badgeStates
/** How a member stands to a badge. */
export const ownerStates = {
  progress: ['未获得', 'Not yet'],
  held: ['已获得', 'Earned'],
  revoked: ['已收回', 'Revoked'],
} as const satisfies Record<string, Text>
export type OwnerState = keyof typeof ownerStates
export const rewardStates = {
  none: ['无奖励', 'None'],
  issued: ['已发放', 'Issued'],
  failed: ['发放失败', 'Failed'],
  revoked: ['已收回', 'Revoked'],
} as const satisfies Record<string, Text>
export type RewardState = keyof typeof rewardStates
export const sources = {
  auto: ['达标获得', 'Reached'],
  admin: ['手动授予', 'Granted'],
} as const satisfies Record<string, Text>
export type BadgeSource = keyof typeof sources

export const BADGES_MOST = 100
export const THRESHOLD_MOST = 1_000_000_000
export const REWARD_POINTS_MOST = 100_000
/** From so much of its threshold on a member nearly has a badge (basis points). */
export const NEAR_BP = 8000
/** Seconds after which a refund takes no badge back any more. */
export const SURE_AFTER = 15 * DAY

export type Badge = Period & {
  group: BadgeGroup
  metric: BadgeMetric
  threshold: number
  status: BadgeState
  got_count: number
}
/** Faults of a badge by field, as it is written. */
export const badgeFaults = ({
  group,
  start_at,
  end_at,
}: Pick<Badge, 'group' | 'start_at' | 'end_at'>): Record<string, Text | undefined> => {
  if (group === 'season') {
    const ask: Text = ['季节限定须设起止时间', 'A seasonal badge needs its time']
    return {
      start_at: start_at === null ? ask : undefined,
      end_at: endFault(start_at, end_at) ?? (end_at === null ? ask : undefined),
    }
  }
  const none: Text = ['只有季节限定才设时间', 'Only a seasonal badge has a time']
  return {
    start_at: start_at === null ? undefined : none,
    end_at: end_at === null ? undefined : none,
  }
}
const endFault = (start_at: number | null, end_at: number | null): Text | undefined =>
  start_at !== null && end_at !== null && end_at <= start_at
    ? ['结束时间须晚于开始时间', 'Must be after the start']
    : undefined
type Counted = Pick<Badge, 'metric' | 'threshold' | 'start_at' | 'end_at'>
const fixed: Text = [
  '已有会员获得，统计口径不能再改，请复制一枚新的',
  'Somebody has it: what it counts stays. Copy it instead',
]
/** Faults by field of a change to what a badge counts, once somebody had it. */
export const fixedFaults = (
  was: Counted & Pick<Badge, 'got_count'>,
  next: Counted,
): Record<string, Text | undefined> => {
  const fault = (key: keyof Counted) =>
    was.got_count > 0 && was[key] !== next[key] ? fixed : undefined
  return {
    metric: fault('metric'),
    threshold: fault('threshold'),
    start_at: fault('start_at'),
    end_at: fault('end_at'),
  }
}
export type BadgeVerb = 'edit' | 'enable' | 'disable' | 'grant'
/** Whether a badge can be so changed now, or why not. */
export const badgeCan = (
  verb: BadgeVerb,
  badge: Pick<Badge, 'status' | 'start_at' | 'end_at'>,
  now: number,
): true | Text => {
  if (verb === 'edit') return true
  const isOn = badge.status === 'on'
  if (verb === 'disable') return isOn || ['未上线', 'It is not on']
  if (verb === 'grant') return isOn || ['上线后才能授予', 'Only a badge that is on is granted']
  if (isOn) return ['已上线', 'Already on']
  if (hasEnded(badge, now)) return ['活动时间已结束，请复制一枚新的', 'Its time is over: copy it']
  return true
}
export type OwnerVerb = 'revoke' | 'retry'
/** Whether staff can so deal with a member's badge, or why not. */
export const ownerCan = (
  verb: OwnerVerb,
  of: { state: OwnerState; reward_status: RewardState },
): true | Text => {
  if (of.state !== 'held') return ['该会员没有这枚勋章', 'The member does not have it']
  if (verb === 'revoke') return true
  return of.reward_status === 'failed' || ['没有发放失败的奖励', 'No reward of it failed']
}
/** Whether so much progress is near a threshold that it has not reached. */
export const isNear = (progress: number, threshold: number): boolean =>
  progress < threshold && progress * 10_000 >= threshold * NEAR_BP
