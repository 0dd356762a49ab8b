import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const details = (...verbs: string[]) => verbs.map(verb => `distribution.settlementDetails.${verb}`)
export const grants: DemoGrants = {
  finance: ['distribution.settlementDetails.*'],
  senior_auditor: details('view', 'explain', 'hold', 'release', 'cancel', 'clawBack', 'export'),
  ops_director: details('view', 'explain', 'hold', 'release', 'export'),
  read_only: details('view', 'explain'),
}
