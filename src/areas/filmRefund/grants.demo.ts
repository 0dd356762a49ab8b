import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const refunds = (...verbs: string[]) => verbs.map(verb => `film.refund.${verb}`)
export const grants: DemoGrants = {
  ops_director: refunds('*'),
  finance: refunds('*'),
  service_lead: refunds('*'),
  service: refunds('view', 'approve', 'reject', 'editAmount', 'confirmProvider', 'assign'),
  city_manager: refunds('view', 'export'),
  risk: refunds('view'),
  read_only: refunds('view'),
}
