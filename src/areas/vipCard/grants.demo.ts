import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const plans = (...verbs: string[]) => verbs.map(verb => `vip.card.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['vip.card.*'],
  content: plans('view', 'create', 'edit', 'copy', 'setBenefits', 'sort', 'del'),
  finance: plans('view'),
  service_lead: plans('view'),
  service: plans('view'),
  city_manager: plans('view'),
  read_only: plans('view'),
}
