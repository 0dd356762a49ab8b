import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const of = (...verbs: string[]) => verbs.map(verb => `distribution.splitOrders.${verb}`)
export const grants: DemoGrants = {
  ops_director: of('view', 'export'),
  finance: of('*'),
  risk: of('view'),
  read_only: of('view'),
}
