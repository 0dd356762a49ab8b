import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const detail = (...verbs: string[]) => verbs.map(verb => `vip.score.detail.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['vip.score.detail.*'],
  finance: detail('view', 'traceLots', 'export', 'addNote'),
  service_lead: ['vip.score.detail.*'],
  service: detail('view', 'traceLots', 'addNote'),
  senior_auditor: detail('view', 'traceLots'),
  risk: detail('view', 'traceLots', 'addNote', 'reverse'),
  read_only: detail('view'),
}
