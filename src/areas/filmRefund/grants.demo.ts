import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const refunds = (...verbs: string[]) => verbs.map(verb => `film.refund.${verb}`)
const money = (...verbs: string[]) => verbs.map(verb => `film.withdrawal.${verb}`)
const seen = money('view', 'detail.view')
/** The rights to what goes back for film tickets, and to what their owners ask for. */
export const grants: DemoGrants = {
  ops_director: [...refunds('*'), ...money('*')],
  finance: [...refunds('*'), ...money('*')],
  senior_auditor: [
    ...seen,
    ...money('approve', 'secondApprove', 'batchApprove', 'reject', 'hold', 'unhold'),
    ...money('detail.recheck', 'detail.export'),
  ],
  service_lead: refunds('*'),
  service: refunds('view', 'approve', 'reject', 'editAmount', 'confirmProvider', 'assign'),
  city_manager: [...refunds('view', 'export'), ...seen],
  risk: [...refunds('view'), ...seen, ...money('hold', 'unhold')],
  read_only: [...refunds('view'), ...seen],
}
