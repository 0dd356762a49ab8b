import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const on = (...verbs: string[]) => verbs.map(verb => `shop.audit.${verb}`)
const daily = on(
  'view',
  'claim',
  'claimNext',
  'unclaim',
  'approve',
  'reject',
  'askMore',
  'batchApprove',
  'batchReject',
)
export const grants: DemoGrants = {
  ops_director: on('*'),
  auditor: daily,
  senior_auditor: on('*'),
  risk: on('view', 'blacklist', 'export'),
  read_only: on('view'),
}
