import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const customers = (...verbs: string[]) => verbs.map(verb => `distribution.index.customer.${verb}`)
const reads = customers('view', 'viewHistory')
export const grants: DemoGrants = {
  ops_director: customers('*'),
  city_manager: customers('*'),
  senior_auditor: [...reads, ...customers('approveTransfer', 'rejectTransfer')],
  service_lead: customers('view', 'viewHistory', 'transfer', 'unbind', 'extend'),
  service: reads,
  risk: [...reads, ...customers('unbind', 'approveTransfer', 'rejectTransfer')],
  finance: reads,
  read_only: customers('view'),
}
