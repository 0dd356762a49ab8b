import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const rank = (...verbs: string[]) => verbs.map(verb => `distribution.ranking.${verb}`)
/** Operations freezes and publishes; finance gives the prizes. */
export const grants: DemoGrants = {
  ops_director: rank('view', 'freezeList', 'publish', 'unpublish', 'exclude', 'export'),
  finance: ['distribution.ranking.*'],
  read_only: rank('view'),
}
