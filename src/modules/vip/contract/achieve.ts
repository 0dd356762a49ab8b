import { z } from 'zod'
import {
  badgeGroups,
  badgeMetrics,
  badgeStates,
  BADGES_MOST,
  ownerStates,
  rewardStates,
  REWARD_POINTS_MOST,
  sources,
  THRESHOLD_MOST,
  type BadgeGroup,
  type BadgeMetric,
  type BadgeSource,
  type BadgeState,
  type OwnerState,
  type RewardState,
} from '#src/areas/achievement/achievement.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

const count = z.int().min(0)
const named = z.object({ id, name: z.string() })
const group = keysOf<BadgeGroup>(badgeGroups)
const metric = keysOf<BadgeMetric>(badgeMetrics)
const fields = {
  name: text(12),
  group,
  metric,
  /** Cents for money, a count for everything else. */
  threshold: z.int().min(1).max(THRESHOLD_MOST),
  icon_on: keyText(200).nullable(),
  icon_off: keyText(200).nullable(),
  reward_points: z.int().min(0).max(REWARD_POINTS_MOST),
  reward_coupon_id: id.nullable(),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
}
export const badgeRow = z.object({
  is: z.literal('badge'),
  id,
  version,
  ...fields,
  /** The reward coupon, and how many of it are left to give; null where there is none. */
  coupon: z.object({ name: z.string(), left: count, given: z.boolean() }).nullable(),
  status: keysOf<BadgeState>(badgeStates),
  off_reason: z.string(),
  /** How often it was got: above 0 what it counts is fixed. */
  got_count: count,
  /** Members in sight who hold it, nearly hold it, whose reward failed, who lost it to staff. */
  held: count,
  near: count,
  failed: count,
  revoked: count,
})
export type BadgeRow = z.output<typeof badgeRow>
export const ownerRow = z.object({
  is: z.literal('owner'),
  /** Below 0 for a badge that the member has nothing of yet. */
  id: z.int(),
  version,
  member_id: id,
  nickname: z.string(),
  uid: z.string(),
  achievement_id: id,
  badge: z.string(),
  metric,
  threshold: z.int(),
  badge_status: keysOf<BadgeState>(badgeStates),
  progress: z.int(),
  state: keysOf<OwnerState>(ownerStates),
  got_at: unix.nullable(),
  source: keysOf<BadgeSource>(sources),
  reward_status: keysOf<RewardState>(rewardStates),
  reward_fault: z.string(),
  reason: z.string(),
})
export type OwnerRow = z.output<typeof ownerRow>
/** Whom of a badge the page shows. */
export const ownerViews = {
  held: ['已获得', 'Earned'],
  near: ['即将获得', 'Nearly there'],
  failed: ['奖励失败', 'Reward failed'],
  revoked: ['已收回', 'Revoked'],
} as const
export type OwnerView = keyof typeof ownerViews

const touches = ['achievement', 'member_achievement', 'achievement_count'] as const
const booked = ['points_ledger', 'growth_ledger', 'member', 'coupon'] as const
const badge = callsOf('vip/achieve', { touches: ['achievement'], rows: 'all' })
const owner = callsOf('vip/achieve', {
  touches: [...touches, ...booked],
  rows: 'member_achievement',
})
const view = 'vip.achieve.view'

/** The wall of badges, who holds them, and how far members are. */
export const achieve = {
  badges: badge.read('badges', ['成就勋章', 'Badges'], {
    input: z.object({ group: group.optional() }),
    output: z.object({
      list: z.array(badgeRow),
      total: count,
      list_version: z.int(),
      /** Badges of each group, and rewards of them in sight that failed. */
      groups: z.array(z.object({ group, n: count, failed: count })),
      /** Growth that a badge earns by the ladder in force. */
      growth: count,
      /** The last count of everybody: when it was asked for, how many members it has counted. */
      run: z.object({ at: unix, done: z.boolean(), members_n: count }).nullable(),
    }),
    touches: [...touches, 'coupon', 'level_ladder'],
    permit: view,
  }),
  owners: owner.lists('owners', ['勋章的会员', 'Members of a badge'], {
    filters: {
      achievement_id: id.optional(),
      state: keysOf<OwnerView>(ownerViews).optional(),
    },
    row: ownerRow,
    touches: [...touches],
    permit: view,
  }),
  /** How far a member is with every badge that ever was on, counted now. */
  progress: owner.read('progress', ['会员成就进度', 'Progress of a member'], {
    input: z.object({ member_id: id }),
    output: z.object({ member: named, list: z.array(ownerRow), total: count }),
    touches: [...touches, 'order', 'member'],
    permit: view,
    scope: placed('member_achievement', { member_id: 'member' }),
  }),
  members: owner.read('members', ['可选会员', 'Members to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(named),
    touches: ['member'],
    permit: view,
    scope: placed('member'),
  }),
  coupons: owner.read('coupons', ['可选奖励券', 'Coupons to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(named),
    touches: ['coupon'],
    permit: view,
    scope: placed('coupon'),
  }),
  create: badge.creates('create', ['新增成就', 'Create a badge'], { fields }),
  edit: badge.changes('edit', ['编辑成就', 'Edit a badge'], { fields }),
  copy: badge.changes('copy', ['复制成就', 'Copy a badge']),
  enable: badge.changes('enable', ['上线成就', 'Turn a badge on']),
  disable: badge.changes('disable', ['下线成就', 'Turn a badge off'], { fields: { reason } }),
  sort: badge.sorts('sort', ['调整勋章顺序', 'Order badges'], {
    fields: { group },
    most: BADGES_MOST,
  }),
  grant: owner.write('grant', ['手动授予勋章', 'Grant a badge'], {
    input: z.object({ achievement_id: id, member_id: id, reason }),
    output: z.object({ id, reward_status: keysOf<RewardState>(rewardStates) }),
    scope: placed('member_achievement', { member_id: 'member' }),
  }),
  revoke: owner.changes('revoke', ['收回勋章', 'Take a badge back'], {
    fields: { reason },
    answer: { points: z.int(), coupon: z.boolean() },
  }),
  retryReward: owner.write('retryReward', ['补发失败奖励', 'Reissue failed rewards'], {
    input: z.object({ ids: z.array(id).min(1).max(200) }),
    output: batchResult,
    scope: placed('member_achievement', 'ids'),
  }),
  recount: badge.write('recount', ['重新统计进度', 'Recount progress'], {
    input: z.object({}),
    output: z.object({ id }),
    touches: ['achievement_count', 'achievement'],
    scope: 'all',
  }),
}
