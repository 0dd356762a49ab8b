import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const reads = ['vip.rules.view', 'vip.rules.simulate']
export const grants: DemoGrants = {
  ops_director: ['vip.rules.*'],
  finance: [...reads, 'vip.rules.approve', 'vip.rules.reject'],
  city_manager: reads,
  service_lead: reads,
  service: reads,
  read_only: reads,
}
