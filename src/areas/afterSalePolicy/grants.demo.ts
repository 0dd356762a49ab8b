import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

export const grants: DemoGrants = {
  ops_director: ['config.afterSales.*'],
  service_lead: ['config.afterSales.*'],
  service: ['config.afterSales.view', 'config.afterSales.simulate', 'config.afterSales.history'],
}
