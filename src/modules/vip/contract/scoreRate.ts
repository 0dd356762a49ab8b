import { z } from 'zod'
import { rateStates, TIMES_MAX, TIMES_MIN, type RateConfig } from '#src/areas/pointsRule/rule.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { basisPoints, cents, id, keysOf, open, unix, version } from '#src/contract/shapes.ts'

const pointsCost = z.object({
  points: z.int(),
  cost_cents: open('What points cost the house, no product’s', cents),
})

const times_bp = z.int().min(TIMES_MIN).max(TIMES_MAX)
/** What a rate says; every field within its bounds. */
export const rateFields = {
  earn_hundredths: z.int().min(1).max(10_000),
  offset_points: z.int().min(1).max(100_000),
  offset_share_bp: basisPoints,
  validity: z.discriminatedUnion('by', [
    z.object({ by: z.literal('rolling'), months: z.int().min(1).max(60) }),
    z.object({ by: z.literal('year_end'), years: z.int().min(0).max(4) }),
  ]),
  multipliers: z
    .array(
      z.discriminatedUnion('by', [
        z.object({ by: z.literal('level'), level: z.int().min(0).max(5), times_bp }),
        z.object({ by: z.literal('vip'), times_bp }),
        z.object({ by: z.literal('monthday'), day: z.int().min(1).max(31), times_bp }),
      ]),
    )
    .max(20),
} satisfies Record<keyof RateConfig, z.ZodType>
const config = z.object(rateFields)
export const rateRow = z.object({
  id,
  version,
  name: z.string(),
  config,
  state: keysOf(rateStates),
  effective_at: unix.nullable(),
  /** When the next one began, or begins. */
  until: unix.nullable(),
  reason: z.string(),
  reject_reason: z.string(),
  maker_id: id.nullable(),
  maker: z.string(),
  checker: z.string(),
  created_at: unix,
  approved_at: unix.nullable(),
})
export type RateRow = z.output<typeof rateRow>
const call = callsOf('vip/score/rate', { touches: ['points_rule'], rows: 'all' })
/** What a rate would have come to on the orders that were paid in the last calendar month. */
const simulated = z.object({
  from: unix,
  to: unix,
  orders: z.int(),
  paid_cents: cents,
  now: pointsCost,
  trial: pointsCost,
})

/** What a point is worth: versions, each of which another person approves. */
export const scoreRate = {
  /** All versions, the newest first. */
  lst: call.lists('lst', ['积分比例', 'Points rates'], {
    filters: { state: keysOf(rateStates).optional() },
    row: rateRow,
  }),
  /** Asks for a change; it begins at `effective_at`, once another person has approved it. */
  save: call.creates('save', ['提交比例变更', 'Submit a rate change'], {
    fields: { ...rateFields, effective_at: unix, reason },
  }),
  /** Asks again for one that was rejected. */
  resubmit: call.changes('resubmit', ['修改后重新提交', 'Edit and resubmit'], {
    fields: { ...rateFields, effective_at: unix, reason },
  }),
  approve: call.changes('approve', ['复核通过比例变更', 'Approve a rate']),
  reject: call.changes('reject', ['驳回比例变更', 'Reject a rate'], { fields: { reason } }),
  /** Another time for one that has not begun. */
  schedule: call.changes('schedule', ['调整生效时间', 'Change effective time'], {
    fields: { effective_at: unix },
  }),
  simulate: call.read('simulate', ['按上月订单测算', 'Simulate on last month’s orders'], {
    method: 'POST',
    input: config,
    output: simulated,
    permit: 'vip.score.rate.simulate',
    scope: { none: 'A rate is the house’s own: it is tried on all orders, and no order is told' },
  }),
}
