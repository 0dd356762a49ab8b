import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  service_lead: ['config.issueCate.*'],
  service: ['config.issueCate.view'],
}
