import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['groupActivity.index.*'],
  city_manager: ['groupActivity.index.*'],
  service_lead: [
    'groupActivity.index.view',
    'groupActivity.index.test',
    'groupActivity.index.exempt',
  ],
  service: ['groupActivity.index.view', 'groupActivity.index.test'],
  risk: ['groupActivity.index.view', 'groupActivity.index.test'],
  read_only: ['groupActivity.index.view'],
}
