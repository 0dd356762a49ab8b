import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const of = (...verbs: string[]) => verbs.map(verb => `settle.withdraw.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['settle.withdraw.*'],
  finance: ['settle.withdraw.*'],
  senior_auditor: of(
    'view',
    'approve',
    'secondApprove',
    'batchApprove',
    'reject',
    'hold',
    'unhold',
  ),
  risk: of('view', 'hold', 'unhold'),
  read_only: of('view'),
}
