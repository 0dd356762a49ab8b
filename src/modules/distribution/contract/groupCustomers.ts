import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { batchResult, cents, id, listOf, page, searched } from '#src/contract/shapes.ts'
import { bindingRow, customerCalls, filters, finds, touches } from './bindingRow.ts'

const at = 'distribution/index/group/customer'
const call = callsOf(at, { touches, rows: 'dist_binding' })
const view = 'distribution.index.group.customer.view'
export const groupCustomerRow = z.object({ ...bindingRow.shape })
export type GroupCustomerRow = z.output<typeof groupCustomerRow>
const ofGroup = { ...filters, group_id: id }
/** The most customers that are spread at once, over the most members. */
export const ASSIGN_MOST = 200
const assigning = {
  group_id: id,
  ids: z.array(id).min(1).max(ASSIGN_MOST),
  distributor_ids: z.array(id).min(1).max(50),
}
const inTeam = placed('dist_binding', { group_id: 'dist_group', ids: 'dist_binding' })
const named = z.object({ id, name: z.string() })

/** The customers of a team's current members. */
export const groupCustomers = {
  ...customerCalls(at),
  lst: {
    ...call.lists('lst', ['团队客户', 'Customers of a team'], {
      filters: ofGroup,
      row: groupCustomerRow,
      scope: placed('dist_binding', { group_id: 'dist_group' }),
    }),
    finds,
  },
  teams: call.read('teams', ['团队', 'Teams'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(named),
    touches: ['dist_group'],
    scope: placed('dist_group'),
    permit: view,
  }),
  /** How many customers each member has, the most first. */
  byMember: call.read('byMember', ['成员客户分布', 'Customers by member'], {
    input: z.object({ group_id: id }),
    output: z.object({
      team: z.string(),
      members: z.array(
        z.object({
          ...named.shape,
          active: z.boolean(),
          customers: z.int(),
          asleep: z.int(),
          paid_cents: cents,
        }),
      ),
    }),
    touches: ['dist_binding', 'distributor', 'dist_group'],
    scope: placed('dist_binding', { group_id: 'dist_group' }),
    permit: view,
  }),
  /** Whom each customer would go to; those in their protection time are left out. */
  previewAssign: call.read('previewAssign', ['预览平均分配', 'Preview even assignment'], {
    input: z.object(assigning),
    output: z.object({
      counts: z.array(z.object({ ...named.shape, given: z.int(), kept: z.int() })),
      skipped: z.array(z.object({ id, name: z.string(), why: z.string() })),
      moved: z.int(),
    }),
    scope: inTeam,
    permit: 'distribution.index.group.customer.averageAssign',
  }),
  averageAssign: call.write('averageAssign', ['平均分配给成员', 'Assign evenly'], {
    input: z.object({ ...assigning, reason }),
    output: batchResult,
    scope: inTeam,
  }),
  export: {
    ...call.startsExport('export', ['导出团队客户', 'Export customers'], {
      filters: ofGroup,
      scope: placed('dist_binding', { group_id: 'dist_group' }),
    }),
    finds,
  },
}
