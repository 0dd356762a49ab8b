import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const details = (...verbs: string[]) => verbs.map(verb => `distribution.settlementDetails.${verb}`)
const goods = (...verbs: string[]) => verbs.map(verb => `distribution.index.product.${verb}`)
export const grants: DemoGrants = {
  finance: [...goods('view', 'export'), 'distribution.settlementDetails.*'],
  senior_auditor: details('view', 'explain', 'hold', 'release', 'cancel', 'clawBack', 'export'),
  ops_director: [
    ...details('view', 'explain', 'hold', 'release', 'export'),
    'distribution.index.product.*',
  ],
  read_only: [...details('view', 'explain'), ...goods('view')],
}
