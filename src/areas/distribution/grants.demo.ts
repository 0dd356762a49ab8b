import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const index = (...verbs: string[]) => verbs.map(verb => `distribution.index.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['distribution.index.*'],
  finance: index('view', 'export'),
  risk: index('view', 'freeze', 'unfreeze', 'batchFreeze'),
  service_lead: index('view', 'revealPhone'),
  city_manager: index(
    'view',
    'approve',
    'reject',
    'setLevel',
    'setGroup',
    'createGroup',
    'setLeader',
    'revealPhone',
    'export',
    'inviteExpert.*',
  ),
  read_only: index('view', 'inviteExpert.view'),
}
