import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const campaign = (...verbs: string[]) => verbs.map(verb => `film.pullNew.${verb}`)
const stat = (...verbs: string[]) => verbs.map(verb => `film.pullNewStat.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['film.pullNew.*', 'film.pullNewStat.*'],
  city_manager: [
    ...campaign('view', 'create', 'edit', 'submit', 'copy', 'addPromoters', 'genCodes', 'export'),
    ...campaign('start', 'pause'),
    ...stat('view', 'void', 'restore', 'export'),
  ],
  finance: [
    ...campaign('view', 'approve', 'reject', 'addQuota'),
    ...stat('view', 'settleReward', 'export'),
  ],
  // The second person of a campaign.
  senior_auditor: campaign('view', 'approve', 'reject', 'addQuota'),
  risk: [
    ...campaign('view', 'pause', 'end'),
    ...stat('view', 'void', 'restore', 'banPromoter', 'batchVoid'),
  ],
  read_only: [...campaign('view'), ...stat('view')],
}
