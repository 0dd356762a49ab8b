import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const dedup = (...verbs: string[]) => verbs.map(verb => `customer.deduplication.${verb}`)
const keeps = ['view', 'rescan', 'setPrimary', 'batchPrimary', 'ignore', 'reopen']
export const grants: DemoGrants = {
  ops_director: dedup('*'),
  service_lead: dedup(
    ...keeps,
    'mergeMember',
    'approveMerge',
    'rejectMerge',
    'undoMerge',
    'export',
  ),
  service: dedup(...keeps),
  city_manager: dedup(...keeps, 'mergeMember', 'undoMerge'),
  read_only: dedup('view'),
}
