import { z } from 'zod'
import type { CommentConfig } from '#src/areas/pointsRule/earning.ts'
import { commentStates, deleters, noRewards, rewardStates } from '#src/areas/review/review.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, keysOf, searched, unix, version } from '#src/contract/shapes.ts'
import { ruleSpan } from './scoreClocked.ts'

const n = z.int().min(0)
const points = z.int().min(0).max(1000)
const named = z.object({ id, name: z.string() })
export const commentFields = {
  star: points,
  text: points,
  text_min: z.int().min(1).max(200),
  images: points,
  video: points,
  featured: points,
} satisfies Record<keyof CommentConfig, z.ZodType>
export const commentRow = z.object({
  id,
  version,
  name: z.string(),
  status: z.enum(['on', 'off']),
  ...commentFields,
  ...ruleSpan,
  malls: z.array(named),
  off_reason: z.string(),
  updated_at: unix,
  /** What it has issued in the last 30 days. */
  issued: z.int(),
})
export type CommentRow = z.output<typeof commentRow>
export const rewardRow = z.object({
  id,
  version,
  comment_id: id,
  at: unix,
  member_id: id,
  nickname: z.string(),
  uid: z.string(),
  store_name: z.string(),
  title: z.string(),
  order_no: z.string(),
  rating: n.nullable(),
  text: z.string(),
  /** Characters that count. */
  text_n: n,
  images_n: n,
  has_video: z.boolean(),
  parts: z.object({ star: n, text: n, images: n, video: n }),
  points: n,
  bonus: n,
  state: keysOf(rewardStates),
  why: keysOf(noRewards).nullable(),
  comment_state: keysOf(commentStates),
  featured_at: unix.nullable(),
  deleted_at: unix.nullable(),
  deleted_by: keysOf(deleters).nullable(),
  revoked_at: unix.nullable(),
  revoke_reason: z.string(),
  operator: z.string(),
})
export type RewardRow = z.output<typeof rewardRow>
const at = 'vip/score/comment'
const rule = callsOf(at, { touches: ['points_rule'], rows: 'all' })
const reward = callsOf(at, { touches: ['comment_reward'], rows: 'comment_reward' })
const view = 'vip.score.comment.view'
const rewardFilters = {
  member_id: id.optional(),
  /** It finds a member by the beginning of a nickname, or by a whole number. */
  keyword: searched(30).optional(),
  state: keysOf(rewardStates).optional(),
  why: keysOf(noRewards).optional(),
  store_id: id.optional(),
  featured: z.boolean().optional(),
  deleted_by: keysOf(deleters).optional(),
  from: unix.optional(),
  to: unix.optional(),
}
export type RewardFilters = z.output<z.ZodObject<typeof rewardFilters>>
const moves = ['comment_reward', 'points_ledger', 'growth_ledger', 'member']

/** What a review after redemption earns. */
export const commentRules = {
  lst: rule.lists('lst', ['评价送积分', 'Points for reviews'], { filters: {}, row: commentRow }),
  /** Reviews of the last 30 days, of the stores in sight: rewarded, deleted since, held back. */
  stat: rule.read('stat', ['评价奖励概况', 'Rewards of reviews'], {
    input: z.object({}),
    output: z.object({
      rewarded: n,
      points: n,
      deleted: n,
      deleted_abuse: n,
      revoked: n,
      featured: n,
      none: z.array(z.object({ why: keysOf(noRewards), reviews: n })),
      waiting: n,
    }),
    touches: ['comment_reward'],
    permit: view,
    scope: placed('comment_reward'),
  }),
  save: rule.changes('save', ['保存评价积分设置', 'Save the rule of reviews'], {
    fields: { ...commentFields, ...ruleSpan },
  }),
  enable: rule.changes('enable', ['启用评价送积分', 'Turn review points on']),
  disable: rule.changes('disable', ['停用评价送积分', 'Turn review points off'], {
    fields: { reason },
  }),
}
/** The rewards of reviews, the last first. */
export const commentRewards = {
  lst: reward.lists('rewards', ['评价奖励', 'Review rewards'], {
    filters: rewardFilters,
    row: rewardRow,
    permit: view,
  }),
  revoke: reward.changes('revoke', ['收回评价积分', 'Take a review’s points back'], {
    fields: { reason },
    /** What was taken back, debt included. */
    answer: { taken: n },
    touches: moves,
  }),
  feature: reward.changes('feature', ['设为精选并加奖', 'Feature a review'], {
    answer: { bonus: n },
    touches: moves,
  }),
  export: reward.startsExport('export', ['导出评价奖励', 'Export rewards of reviews'], {
    filters: rewardFilters,
    scope: placed('comment_reward'),
  }),
}
