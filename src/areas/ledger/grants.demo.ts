import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const flow = (...verbs: string[]) => verbs.map(verb => `settle.flow.${verb}`)
export const grants: DemoGrants = {
  ops_director: flow('view', 'trace', 'accountView', 'export'),
  finance: ['settle.flow.*'],
  senior_auditor: flow('view', 'trace', 'accountView', 'approveAdjust', 'rejectAdjust'),
  service_lead: flow('view', 'trace'),
  read_only: flow('view'),
}
