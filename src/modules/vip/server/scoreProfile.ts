import { sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { issuedByRule } from '#src/areas/points/byRule.server.ts'
import { profileKeys, profileTotal, type ProfileConfig } from '#src/areas/pointsRule/earning.ts'
import { pointsOfRule } from '#src/areas/pointsRule/inForce.server.ts'
import {
  heldRule,
  refuseOverlap,
  ruleRecord,
  turnRuleOff,
  turnRuleOn,
} from '#src/areas/pointsRule/ruleRecord.server.ts'
import { ruleRows } from '#src/areas/pointsRule/ruleRows.server.ts'
import { profileFunnel, profileImpact } from '#src/areas/profile/figures.server.ts'
import { profile_field } from '#src/areas/profile/profile.table.ts'
import { payMissing } from '#src/areas/profile/profiles.server.ts'
import { slicesOf, type Slice } from '#src/areas/secret/slices.server.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { scoreProfile as contract } from '../contract/scoreProfile.ts'

const held = (context: WriteContext, one: { id: number; version: number }) =>
  heldRule(context, one, ['profile'])
/** Rows of profiles that a job looks at in one step. */
const SLICE = 50
const none: ProfileConfig = { avatar: 0, birthday: 0, gender: 0, city: 0, malls: 0, wecom: 0 }
const configOf = (config: object): ProfileConfig => ({ ...none, ...config })
const missing = defineRowJob(contract.save, async ({ tx, now }, { from, n }: Slice) => {
  const rule = await pointsOfRule(tx, 'profile', undefined, now)
  // Whoever turned the rule off meanwhile stops it.
  return rule ? payMissing(tx, { rule, from: from + 1, n, now }) : 0
})

const handlers = {
  lst: async (asked, { db, now }) => {
    const { list, ...told } = await ruleRows(db, 'profile', asked, await issuedByRule(db, now))
    return {
      list: list.map(row => {
        const fields = configOf(row.config)
        return { ...row, fields, total: profileTotal(fields) }
      }),
      ...told,
    }
  },
  funnel: async (_, { db, staff, now }) => ({
    fields: await profileFunnel(db, within(staff.scope, { city: member.city_id }), now),
  }),
  save: async ({ id, version, fields, total, makeUp, ...span }, context) => {
    const { tx } = context
    const was = await held(context, { id, version })
    faultless(context.staff, {
      total:
        total === profileTotal(fields)
          ? undefined
          : ['各项积分之和与合计不一致，请刷新后重填', 'The fields do not sum up to the total'],
    })
    await refuseOverlap(context, was, { ...span, mids: was.mids })
    const after = await ruleRecord.save(context, was, { ...span, config: fields })
    if (!makeUp) return { ...after, job_id: null }
    if (after.status !== 'on')
      throw ruled('rule_off', [
        '规则已停用，不能补发',
        'The rule is off: nothing can be made up for',
      ])
    const [last] = await tx
      .select({ id: sql<number>`coalesce(max(${profile_field.id}), 0)::int` })
      .from(profile_field)
    if (last!.id === 0) return { ...after, job_id: null }
    const rows = slicesOf(last!.id, Math.max(SLICE, Math.ceil(last!.id / 50_000)))
    const { job_id } = await startRowJob(context, missing, { rows, same: {} })
    return { ...after, job_id }
  },
  enable: async (one, context) => turnRuleOn(context, await held(context, one)),
  disable: async ({ reason, ...one }, context) =>
    turnRuleOff(context, await held(context, one), reason),
  preview: async ({ fields }) => ({
    total: profileTotal(fields),
    tasks: profileKeys.flatMap(field =>
      fields[field] > 0 ? [{ field, points: fields[field] }] : [],
    ),
  }),
  previewImpact: ({ fields }, { db, now }) => profileImpact(db, fields, now),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const scoreProfileServer = implement(contract, handlers)
