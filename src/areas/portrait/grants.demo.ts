import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const portrait = (...verbs: string[]) => verbs.map(verb => `customer.portrait.${verb}`)
export const grants: DemoGrants = {
  ops_director: portrait('*'),
  content: portrait(
    'view',
    'drill',
    'saveSegment',
    'saveAttr',
    'sortAttr',
    'disableAttr',
    'export',
  ),
  service_lead: portrait('view', 'drill'),
  city_manager: portrait('view', 'drill', 'saveSegment', 'export'),
  read_only: portrait('view'),
}
