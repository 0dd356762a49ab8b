import { z } from 'zod'
import { sellerStates, type SellerState } from '#src/areas/distribution/sellers.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const gmv = guarded('stat.gmv_cents', cents)
export const teamMemberRow = z.object({
  id,
  version,
  group_id: id.nullable(),
  group_name: z.string(),
  name: z.string(),
  level_no: z.int(),
  is_leader: z.boolean(),
  moves_to: z.string().nullable(),
  since_at: unix.nullable(),
  customer_count: z.int(),
  /** In this team: what was sold, its share, the leader’s bonus of it, days with a sale of thirty. */
  gmv_cents: gmv,
  share_bp: z.int(),
  bonus_cents: cents,
  active_days: z.int(),
  last_sale_at: unix.nullable(),
  status: keysOf<SellerState>(sellerStates),
  quitting: z.boolean(),
  paused: z.boolean(),
})
export type TeamMemberRow = z.output<typeof teamMemberRow>
const filters = {
  /** Members of all teams, where none is named. */
  group_id: id.optional(),
  keyword: searched(20).optional(),
  idle: z.boolean().optional(),
}
const rows = 'distributor'
const call = callsOf('distribution/index/groupMembers', {
  touches: [rows, 'dist_group', 'dist_commission'],
  rows,
})
const scope = placed(rows, { id: rows, group_id: 'dist_group' })
const ids = z.array(id).min(1).max(200)

/** The members of a team. */
export const groupMembers = {
  lst: call.lists('lst', ['团队成员', 'Members'], { filters, row: teamMemberRow }),
  addMember: call.write('addMember', ['添加成员', 'Add members'], {
    input: z.object({ group_id: id, distributor_ids: ids }),
    output: batchResult,
    scope: placed(rows, { group_id: 'dist_group', distributor_ids: rows }),
  }),
  remove: call.changes('remove', ['移出团队', 'Remove from the team'], { fields: { reason } }),
  move: call.changes('move', ['转移到团队', 'Move to a team'], {
    fields: { group_id: id, reason },
    scope,
  }),
  promote: call.changes('promote', ['设为团长', 'Make leader'], { fields: { reason } }),
  batchMove: call.write('batchMove', ['批量转移', 'Move selected'], {
    input: z.object({ ids, group_id: id, reason }),
    output: batchResult,
    scope: placed(rows, { ids: rows, group_id: 'dist_group' }),
  }),
  export: call.startsExport('export', ['导出成员', 'Export members'], { filters }),
}
