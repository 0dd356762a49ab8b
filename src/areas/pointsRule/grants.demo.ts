import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const rate = (...verbs: string[]) => verbs.map(verb => `vip.score.rate.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['vip.score.rate.*'],
  finance: ['vip.score.rate.*'],
  senior_auditor: rate('view', 'approve', 'reject', 'simulate'),
  service_lead: rate('view'),
  read_only: rate('view'),
}
