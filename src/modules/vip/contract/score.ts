import { z } from 'zod'
import { pointsBiz } from '#src/areas/points/points.ts'
import { pointsRules } from '#src/areas/pointsRule/rule.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  exportBegun,
  exportFile,
  id,
  keysOf,
  open,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { ruleSpan } from './scoreClocked.ts'

const n = z.number()
const named = z.object({ id, name: z.string() })
const value = open('What points cost the house, no product’s', cents)
/** A way to earn as a card: whether it is on, its caps, what it issued in 30 days. */
export const taskRow = z.object({
  id,
  version,
  kind: keysOf(pointsRules),
  name: z.string(),
  status: z.enum(['on', 'off']),
  ...ruleSpan,
  malls: z.array(named),
  off_reason: z.string(),
  updated_at: unix,
  issued: n,
  /** Its part of what all rules issued in 30 days, in basis points. */
  share_bp: n,
})
export type TaskRow = z.output<typeof taskRow>
const call = callsOf('vip/score', { touches: ['points_rule'], rows: 'all' })
const view = 'vip.score.view'
const checked = z.object({
  at: unix,
  by: z.string(),
  /** The house’s own sums, for whoever sees all. */
  members: n.nullable(),
  ledger_points: n.nullable(),
  lot_points: n.nullable(),
  balance_points: n.nullable(),
  wrong_n: n,
  /** The first of the members who differ, of those in sight. */
  wrong: z.array(
    z.object({
      member_id: id,
      nickname: z.string(),
      uid: z.string(),
      balance: n,
      ledger: n,
      lots: n,
    }),
  ),
})
const exportFilters = { from: unix.optional(), to: unix.optional() }

/** Whether points stay affordable: what is issued, spent, ends and stands out, and by what. */
export const score = {
  lst: call.lists('lst', ['积分任务', 'Earning tasks'], {
    filters: {},
    row: taskRow,
    answer: { arranged: z.array(named), list_version: z.int() },
    touches: ['points_rule', 'points_ledger'],
  }),
  /** Figures of the members in sight, over the last 30 days and the next 90. */
  overview: call.read('overview', ['积分概况', 'Figures of points'], {
    input: z.object({}),
    output: z.object({
      outstanding: n,
      value_cents: value,
      frozen: n,
      debt: n,
      members: n,
      days: z.array(
        z.object({
          day: z.string(),
          issued: n,
          spent: n,
          expired: n,
          taken: n,
          issued_cents: value,
        }),
      ),
      forecast: z.array(z.object({ week: z.string(), points: n })),
      earners: z.array(
        z.object({
          member_id: id,
          nickname: z.string(),
          uid: z.string(),
          points: n,
          moves: n,
          biz_kind: keysOf(pointsBiz),
        }),
      ),
      cities: z.array(
        z.object({
          city_id: id,
          name: z.string(),
          members: n,
          outstanding: n,
          value_cents: value,
          issued: n,
          spent: n,
        }),
      ),
    }),
    touches: ['points_ledger', 'member', 'points_rule'],
    permit: view,
    scope: placed('member'),
  }),
  /** The last comparison of balances with the ledger; null before the first. */
  check: call.read('check', ['积分核对结果', 'The last check of balances'], {
    input: z.object({}),
    output: z.object({ check: checked.nullable() }),
    touches: ['points_check'],
    permit: view,
    scope: placed('member'),
  }),
  enableRule: call.changes('enableRule', ['启用积分规则', 'Turn a rule on']),
  disableRule: call.changes('disableRule', ['停用积分规则', 'Turn a rule off'], {
    fields: { reason },
  }),
  sortRules: call.sorts('sortRules', ['调整任务展示顺序', 'Arrange tasks'], { fields: {} }),
  recalc: call.write('recalc', ['重新核对积分余额', 'Recheck balances'], {
    input: z.object({}),
    output: z.object({ id, members: n, wrong_n: n }),
    touches: ['points_check'],
    scope: 'all',
  }),
  export: call.write('export', ['导出积分日报', 'Export points by day'], {
    input: z.object({ ...exportFilters, ...exportFile() }),
    output: exportBegun,
    touches: ['export'],
    scope: placed('member'),
  }),
}
