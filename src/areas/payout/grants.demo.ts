import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

/** The rights to what anyone asks for, and to what sellers do. */
const of = (...verbs: string[]) =>
  verbs.flatMap(verb => [`settle.withdraw.${verb}`, `distribution.withdrawal.${verb}`])
export const grants: DemoGrants = {
  ops_director: of('*'),
  finance: of('*'),
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
