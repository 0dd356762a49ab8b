import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

/** The rights of the pages of customers: of all, of a team, of a guide. */
const pages = ['customer', 'group.customer', 'guideBindingCustomer']
const each = (...verbs: string[]) =>
  pages.flatMap(page => verbs.map(verb => `distribution.index.${page}.${verb}`))
const customers = (...verbs: string[]) => verbs.map(verb => `distribution.index.customer.${verb}`)
const compares = 'distribution.index.guideBindingCustomer.compare'
const guide = (...verbs: string[]) => verbs.map(verb => `distribution.index.guideDetail.${verb}`)
const shop = (...verbs: string[]) => verbs.map(verb => `distribution.index.distStoreDetail.${verb}`)
const reads = [...each('view', 'viewHistory'), compares, ...guide('view'), ...shop('view')]
export const grants: DemoGrants = {
  ops_director: [...each('*'), ...guide('*'), ...shop('*')],
  city_manager: [...each('*'), ...guide('*'), ...shop('*')],
  senior_auditor: [...reads, ...customers('approveTransfer', 'rejectTransfer')],
  service_lead: [...reads, ...each('transfer', 'unbind'), ...customers('extend')],
  service: reads,
  risk: [
    ...reads,
    ...guide('freeze'),
    ...shop('pause'),
    ...each('unbind'),
    ...customers('approveTransfer', 'rejectTransfer'),
  ],
  finance: [...reads, ...guide('export'), ...shop('settleNow', 'export')],
  read_only: [...each('view'), ...guide('view'), ...shop('view')],
}
