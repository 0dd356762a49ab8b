import { z } from 'zod'
import { LEADER_MOST_BP } from '#src/areas/distribution/sellers.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { basisPoints, cents, guarded, id, text, unix } from '#src/contract/shapes.ts'
import { step, trend } from './expertDetail.ts'
import { teamRow } from './index.ts'

const gmv = guarded('stat.gmv_cents', cents)
const person = z.object({ id, name: z.string(), gmv_cents: gmv })
const rows = 'dist_group'
const call = callsOf('distribution/index/group/detail', {
  touches: [rows, 'distributor', 'dist_commission'],
  rows,
})
const one = { scope: placed(rows, 'id'), permit: 'distribution.index.group.detail.view' }
/** `202611`, as every month that is set is typed. */
const month = z.int().min(200_001).max(299_912)

/** A team: how far it is, who brings what, who came and went. */
export const teamDetail = {
  detail: call.read('detail', ['分销团队详情', 'A team'], {
    input: z.object({ id }),
    output: z.object({
      row: teamRow,
      bonus_cents: cents,
      bonus_paid_cents: cents,
      all_gmv_cents: gmv,
      merged: z.array(person),
      top: z.array(person),
      idle: z.array(person),
      idle_count: z.int(),
      targets: z.array(
        z.object({ month: z.string(), target_cents: cents, gmv_cents: gmv, is_over: z.boolean() }),
      ),
      comings: z.array(
        z.object({
          key: z.string(),
          at: unix,
          joins: z.boolean(),
          name: z.string(),
          is_leader: z.boolean(),
          reason: z.string(),
          ordered: z.boolean(),
        }),
      ),
    }),
    ...one,
  }),
  trend: call.read('trend', ['团队业绩趋势', 'A team’s sales over time'], {
    input: z.object({ id, by: step }),
    output: trend,
    ...one,
  }),
  edit: call.changes('edit', ['编辑团队', 'Edit a team'], {
    fields: {
      name: text(20),
      leader_bp: basisPoints.max(LEADER_MOST_BP),
      member_limit: z.int().min(1).max(200),
    },
  }),
  changeLeader: call.changes('changeLeader', ['更换团长', 'Change the leader'], {
    fields: { distributor_id: id, reason },
    scope: placed(rows, { id: rows, distributor_id: 'distributor' }),
  }),
  setTarget: call.changes('setTarget', ['设置目标', 'Set a target'], {
    fields: { month, gmv_target_cents: cents.min(0) },
  }),
  merge: call.changes('merge', ['合并团队', 'Merge a team'], {
    fields: { target_group_id: id, reason },
    answer: { moved: z.int() },
    scope: placed(rows, { id: rows, target_group_id: rows }),
  }),
  dissolve: call.changes('dissolve', ['解散团队', 'Dissolve a team'], {
    fields: { group_id: id.optional(), reason },
    answer: { moved: z.int() },
    scope: placed(rows, { id: rows, group_id: rows }),
  }),
  export: call.startsExport('export', ['导出团队业绩', 'Export a team’s sales'], {
    filters: { id },
    scope: placed(rows, 'id'),
  }),
}
