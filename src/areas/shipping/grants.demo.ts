import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  service_lead: ['config.courierCompany.*'],
  service: ['config.courierCompany.view', 'config.courierCompany.testTrack'],
}
