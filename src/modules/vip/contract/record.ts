import { z } from 'zod'
import { growthKinds, holdKinds } from '#src/areas/level/level.ts'
import { textStates } from '#src/areas/member/texting.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, keysOf, searched, unix, version } from '#src/contract/shapes.ts'

const kind = keysOf(growthKinds)
const filters = {
  member_id: id.optional(),
  /** It finds a member by the beginning of a nickname, or by a whole number. */
  keyword: searched(30).optional(),
  kind: kind.optional(),
  direction: z.enum(['up', 'down']).optional(),
  /** Rows that changed the level alone. */
  level_only: z.boolean().optional(),
  from: unix.optional(),
  to: unix.optional(),
}
export type RecordFilters = z.output<z.ZodObject<typeof filters>>
/** A move of growth, or of the level alone. */
export const growthRow = z.object({
  id,
  version,
  at: unix,
  member_id: id,
  uid: z.string(),
  nickname: z.string(),
  kind,
  delta: z.int(),
  /** More than moved where growth would have gone below 0. */
  wanted: z.int(),
  balance_after: z.int(),
  level_before: z.int(),
  level_after: z.int(),
  level_before_name: z.string(),
  level_after_name: z.string(),
  keep_until: unix.nullable(),
  biz_no: z.string(),
  note: z.string(),
  operator: z.string(),
  reversed_by: id.nullable(),
  notice: z
    .object({
      state: keysOf(textStates),
      text: z.string(),
      answer: z.string().nullable(),
      sent_at: unix.nullable(),
    })
    .nullable(),
})
export type GrowthRow = z.output<typeof growthRow>
const call = callsOf('vip/record', { touches: ['growth_ledger'], rows: 'growth_ledger' })
const view = 'vip.record.view'
const one = z.object({ id })
const did = z.object({ id })
const both = ['growth_ledger', 'member']

/** Why members went up or down: every move of growth, and of levels. */
export const record = {
  lst: call.lists('lst', ['成长记录列表', 'Growth records'], {
    filters,
    row: growthRow,
    touches: ['growth_ledger', 'level_notice'],
  }),
  /** Shows a member's growth against the thresholds in force; `id` is any row of theirs. */
  standing: call.read('standing', ['会员成长曲线', 'A member’s growth'], {
    input: one,
    output: z.object({
      uid: z.string(),
      nickname: z.string(),
      growth: z.int(),
      level: z.int(),
      level_name: z.string(),
      keep_until: unix.nullable(),
      next: z.object({ name: z.string(), lacking: z.int() }).nullable(),
      thresholds: z.array(z.object({ name: z.string(), growth_min: z.int() })),
      points: z.array(z.object({ at: unix, growth: z.int() })),
      holds: z.array(
        z.object({
          kind: keysOf(holdKinds),
          level_name: z.string(),
          until_at: unix,
          reason: z.string(),
          operator: z.string(),
        }),
      ),
    }),
    touches: both,
    permit: view,
    scope: placed('growth_ledger', 'id'),
  }),
  reverse: call.write('reverse', ['冲正成长值', 'Reverse a move'], {
    input: one.extend({ reason }),
    output: did.extend({ reversal_id: id, delta: z.int() }),
    touches: both,
  }),
  /** The member of the row does not fall before `until_at`. */
  protect: call.write('protect', ['等级保护', 'Protect the level'], {
    input: one.extend({ until_at: unix, reason }),
    output: did,
    touches: both,
  }),
  resendNotice: call.write('resendNotice', ['重发等级通知', 'Send the notice again'], {
    input: one,
    output: did,
    touches: ['growth_ledger', 'level_notice'],
  }),
  recalc: call.write('recalc', ['重算该会员等级', 'Recalculate the level'], {
    input: one,
    output: did.extend({ level_before: z.int(), level_after: z.int() }),
    touches: both,
  }),
  export: call.startsExport('export', ['导出成长记录', 'Export growth records'], {
    filters,
    scope: placed('growth_ledger'),
  }),
}
