import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const orders = (...verbs: string[]) => verbs.map(verb => `film.index.${verb}`)
const seen = ['view', 'detail.view'] as const
const service = orders(
  ...seen,
  'syncTicket',
  'reTicket',
  'batchSync',
  'refund',
  'cancelUnpaid',
  'resendCode',
  'revealPhone',
  'detail.revealCode',
  'detail.addNote',
)
export const grants: DemoGrants = {
  ops_director: orders('*'),
  service_lead: orders('*'),
  service,
  finance: orders(...seen, 'freeze', 'unfreeze', 'export'),
  risk: orders(...seen, 'freeze', 'unfreeze'),
  city_manager: orders(...seen, 'export'),
  read_only: orders(...seen),
}
