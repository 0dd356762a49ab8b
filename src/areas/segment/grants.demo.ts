import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const groups = (...verbs: string[]) => verbs.map(verb => `customer.groups.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['customer.groups.*'],
  content: groups('view', 'create', 'edit', 'preview', 'refresh', 'copy', 'intersect', 'archive'),
  service_lead: groups('view', 'preview', 'refresh', 'export'),
  city_manager: groups(
    'view',
    'create',
    'edit',
    'preview',
    'refresh',
    'copy',
    'intersect',
    'import',
    'sendTo',
    'grantCoupon',
  ),
  read_only: groups('view'),
}
