import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const rules = (...verbs: string[]) => verbs.map(verb => `groupActivity.index.${verb}`)
const hits = (...verbs: string[]) => verbs.map(verb => `groupActivity.record.${verb}`)

export const grants: DemoGrants = {
  ops_director: [...rules('*'), ...hits('*')],
  city_manager: [...rules('*'), ...hits('*')],
  service_lead: [
    ...rules('view', 'test', 'exempt'),
    ...hits('view', 'viewRule', 'openOrders', 'exempt'),
  ],
  service: [...rules('view', 'test'), ...hits('view', 'viewRule', 'openOrders')],
  risk: [...rules('view', 'test'), ...hits('*')],
  read_only: [...rules('view'), ...hits('view')],
}
