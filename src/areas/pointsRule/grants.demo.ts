import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const rate = (...verbs: string[]) => verbs.map(verb => `vip.score.rate.${verb}`)
const buy = (...verbs: string[]) => verbs.map(verb => `vip.score.buy.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['vip.score.rate.*', 'vip.score.buy.*'],
  finance: ['vip.score.rate.*', ...buy('view', 'testOrder')],
  senior_auditor: rate('view', 'approve', 'reject', 'simulate'),
  service_lead: [...rate('view'), ...buy('view', 'testOrder', 'reissue')],
  service: buy('view', 'testOrder'),
  read_only: [...rate('view'), ...buy('view')],
}
