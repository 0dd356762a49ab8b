import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const funds = (...verbs: string[]) => verbs.map(verb => `settle.data.${verb}`)
/** Finance closes the days; others look. */
export const grants: DemoGrants = {
  finance: ['settle.data.*'],
  ops_director: funds('view', 'drill', 'export'),
  senior_auditor: funds('view', 'drill', 'approveReopen', 'rejectReopen'),
  read_only: funds('view', 'drill'),
}
