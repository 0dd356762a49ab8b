import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const reads = ['vip.rules.view', 'vip.rules.simulate', 'vip.record.view']
const serves = [
  ...reads,
  ...['protect', 'resendNotice', 'recalc'].map(verb => `vip.record.${verb}`),
]
export const grants: DemoGrants = {
  ops_director: ['vip.rules.*', 'vip.record.*'],
  finance: [...reads, 'vip.rules.approve', 'vip.rules.reject'],
  city_manager: reads,
  service_lead: [...serves, 'vip.record.reverse', 'vip.record.export'],
  service: serves,
  read_only: reads,
}
