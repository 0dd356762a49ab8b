import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const detail = (...verbs: string[]) => verbs.map(verb => `vip.score.detail.${verb}`)
const shop = (...verbs: string[]) => verbs.map(verb => `vip.pointsShop.${verb}`)
const looking = shop('view', 'edit.view', 'Detail.view')
export const grants: DemoGrants = {
  ops_director: ['vip.score.detail.*', 'vip.pointsShop.*'],
  content: ['vip.pointsShop.*'],
  city_manager: [...looking, ...shop('Detail.export')],
  finance: [
    ...detail('view', 'traceLots', 'export', 'addNote'),
    ...looking,
    ...shop('Detail.export'),
  ],
  service_lead: ['vip.score.detail.*', ...looking],
  service: [...detail('view', 'traceLots', 'addNote'), ...looking],
  senior_auditor: detail('view', 'traceLots'),
  risk: detail('view', 'traceLots', 'addNote', 'reverse'),
  read_only: [...detail('view'), ...looking],
}
