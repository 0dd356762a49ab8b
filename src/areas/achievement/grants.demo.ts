import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const badges = (...verbs: string[]) => verbs.map(verb => `vip.achieve.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['vip.achieve.*'],
  content: badges('view', 'create', 'edit', 'copy', 'enable', 'disable', 'sort', 'recount'),
  service_lead: badges('view', 'grant', 'revoke', 'retryReward'),
  service: badges('view', 'retryReward'),
  finance: badges('view'),
  risk: badges('view', 'revoke'),
  city_manager: badges('view'),
  read_only: badges('view'),
}
