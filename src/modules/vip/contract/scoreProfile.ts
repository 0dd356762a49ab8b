import { z } from 'zod'
import { FIELD_MOST, profileFields, type ProfileConfig } from '#src/areas/pointsRule/earning.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, keysOf, open, unix, version } from '#src/contract/shapes.ts'
import { ruleSpan } from './scoreClocked.ts'

const n = z.int().min(0)
const points = z.int().min(0).max(FIELD_MOST)
const field = keysOf(profileFields)
/** Points of each field. */
export const profileConfig = z.object({
  avatar: points,
  birthday: points,
  gender: points,
  city: points,
  malls: points,
  wecom: points,
} satisfies Record<keyof ProfileConfig, z.ZodType>)
export const profileRow = z.object({
  id,
  version,
  name: z.string(),
  status: z.enum(['on', 'off']),
  fields: profileConfig.extend({
    birthday: open('What a birthday earns, nobody’s birthday', points),
  }),
  /** What all fields earn together. */
  total: n,
  ...ruleSpan,
  off_reason: z.string(),
  updated_at: unix,
  /** What it has issued in the last 30 days. */
  issued: z.int(),
})
export type ProfileRow = z.output<typeof profileRow>
const call = callsOf('vip/score/userInfo', { touches: ['points_rule'], rows: 'all' })
const cost = open('What points cost the house, no product’s', cents)

/** What completing a profile earns, field by field. */
export const scoreProfile = {
  lst: call.lists('lst', ['完善资料送积分', 'Points for completing profile'], {
    filters: {},
    row: profileRow,
  }),
  /** Tells who of the members in sight came, completed each field and was paid within 30 days. */
  funnel: call.read('funnel', ['完善资料漏斗', 'Funnel of profiles'], {
    input: z.object({}),
    output: z.object({
      fields: z.array(
        z.object({ field, came: n, completed: n, paid: n, points: n, all: n, filled: n }),
      ),
    }),
    touches: ['points_rule', 'points_ledger', 'member'],
    permit: 'vip.score.userInfo.view',
    scope: placed('member'),
  }),
  /** `total` is what the form showed: it is the fields’ sum. With `makeUp` those before are paid too. */
  save: call.changes('save', ['保存完善资料设置', 'Save the rule of profiles'], {
    fields: { fields: profileConfig, total: n, makeUp: z.boolean(), ...ruleSpan },
    answer: { job_id: id.nullable() },
    touches: ['points_rule', 'points_ledger', 'member', 'job'],
  }),
  enable: call.changes('enable', ['启用完善资料积分', 'Turn profile points on']),
  disable: call.changes('disable', ['停用完善资料积分', 'Turn profile points off'], {
    fields: { reason },
  }),
  /** The task as a member would see it with these points. Nothing changes. */
  preview: call.read('preview', ['预览任务卡', 'Preview the task'], {
    method: 'POST',
    input: z.object({ fields: profileConfig }),
    output: z.object({ total: n, tasks: z.array(z.object({ field, points: n })) }),
    permit: 'vip.score.userInfo.preview',
  }),
  previewImpact: call.read('previewImpact', ['测算积分成本', 'Estimate the cost'], {
    method: 'POST',
    input: z.object({ fields: profileConfig }),
    output: z.object({
      fields: z.array(z.object({ field, points: n, behind: n, missing: n, pace: n, expected: n })),
      missing: n,
      missing_cents: cost,
      expected: n,
      expected_cents: cost,
    }),
    permit: 'vip.score.userInfo.previewImpact',
    scope: { none: 'A rule is the house’s own: it is tried on all members, and none is told' },
  }),
}
