import { z } from 'zod'
import { pullFlags, pullRecordStates } from '#src/areas/filmPull/pull.ts'
import { pullStatBy } from '#src/areas/filmPull/pullStat.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { batchResult, cents, id, keysOf, open, unix, version } from '#src/contract/shapes.ts'

const count = z.int().min(0)
const reward = open('What promoters are given, no product’s commission', cents)
const sums = {
  scans: count,
  registered: count,
  ticketed: count,
  valid: count,
  second: count,
  due_cents: reward,
  paid_cents: reward,
  flagged: count,
  /** For each buyer who stayed; null before there is one. */
  cost_cents: reward.nullable(),
  flagged_bp: z.int().nullable(),
}
/** Days of the scan; without them the last 90 days. */
const narrowed = {
  activity_id: id.optional(),
  distributor_id: id.optional(),
  city_id: id.optional(),
  /** 0 is outside malls. */ mid: z.int().min(0).max(2_147_483_647).optional(),
  from: unix.optional(),
  to: unix.optional(),
}
const by = keysOf(pullStatBy)
export const pullStatRow = z.object({
  id,
  view: z.literal('stat'),
  by,
  key: z.int(),
  name: z.string(),
  ...sums,
  from: unix,
  to: unix,
  asked: z.object({
    activity_id: id.optional(),
    distributor_id: id.optional(),
    city_id: id.optional(),
    mid: z.int().optional(),
  }),
})
export type PullStatRow = z.output<typeof pullStatRow>
const recordFilters = {
  ...narrowed,
  status: keysOf(pullRecordStates).optional(),
  /** Marked as looking made up. */
  flagged: z.boolean().optional(),
}
export const pullRecordRow = z.object({
  id,
  version,
  view: z.literal('records'),
  activity_id: id,
  campaign: z.string(),
  distributor_id: id,
  promoter: z.string(),
  banned: z.boolean(),
  member_name: z.string(),
  mall_name: z.string(),
  scan_at: unix,
  register_at: unix.nullable(),
  order_id: id.nullable(),
  order_no: z.string(),
  ticketed_at: unix.nullable(),
  valid_at: unix.nullable(),
  second_paid_at: unix.nullable(),
  rewarded_at: unix.nullable(),
  reward_cents: reward,
  flags: z.array(keysOf(pullFlags)),
  status: keysOf(pullRecordStates),
  reason: z.string(),
})
export type PullRecordRow = z.output<typeof pullRecordRow>
const call = callsOf('film/pullNewStat', {
  touches: ['film_pull_record', 'film_pull_activity'],
  rows: 'film_pull_record',
})
const view = 'film.pullNewStat.view'

/** What campaigns of first tickets brought, record by record and in figures. */
export const pullStats = {
  lst: call.lists('lst', ['影票拉新统计', 'Film referral statistics'], {
    filters: { by: by.default('campaign'), ...narrowed },
    row: pullStatRow,
    answer: { sums: z.object(sums), from: unix, to: unix },
  }),
  records: call.lists('records', ['拉新明细', 'Referrals'], {
    filters: recordFilters,
    row: pullRecordRow,
    answer: { stat: z.record(z.string(), z.int()) },
    permit: view,
  }),
  /** Rewards what became valid on these days; each record once. */
  settleReward: call.write('settleReward', ['结算奖励', 'Pay rewards'], {
    input: z.object({ activity_id: id, from: unix, to: unix }),
    output: z.object({ count, amount_cents: reward }),
    scope: placed('film_pull_activity', { activity_id: 'film_pull_activity' }),
  }),
  void: call.changes('void', ['作废拉新记录', 'Void a referral'], { fields: { reason } }),
  restore: call.changes('restore', ['恢复记录', 'Restore a referral'], { fields: { reason } }),
  batchVoid: call.write('batchVoid', ['批量作废', 'Void several'], {
    input: z.object({ ids: z.array(id).min(1).max(100), reason }),
    output: batchResult,
    scope: placed('film_pull_record', 'ids'),
  }),
  /** Nobody whom the promoter brings counts any more, in the campaign of the record. */
  banPromoter: call.changes('banPromoter', ['停用推广人', 'Ban the promoter'], {
    fields: { reason },
  }),
  export: call.startsExport('export', ['导出拉新明细', 'Export referrals'], {
    filters: recordFilters,
  }),
}
