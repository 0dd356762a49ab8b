import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const rate = (...verbs: string[]) => verbs.map(verb => `vip.score.rate.${verb}`)
const buy = (...verbs: string[]) => verbs.map(verb => `vip.score.buy.${verb}`)
const clocked = (...verbs: string[]) => verbs.map(verb => `vip.score.clocked.${verb}`)
const profile = (...verbs: string[]) => verbs.map(verb => `vip.score.userInfo.${verb}`)
const comment = (...verbs: string[]) => verbs.map(verb => `vip.score.comment.${verb}`)
const centre = (...verbs: string[]) => verbs.map(verb => `vip.score.${verb}`)
export const grants: DemoGrants = {
  ops_director: [
    ...centre('view', 'enableRule', 'disableRule', 'sortRules', 'recalc', 'export'),
    'vip.score.rate.*',
    'vip.score.buy.*',
    'vip.score.clocked.*',
    'vip.score.userInfo.*',
    'vip.score.comment.*',
  ],
  finance: [
    ...centre('view', 'recalc', 'export'),
    'vip.score.rate.*',
    ...buy('view', 'testOrder'),
    ...clocked('view', 'export'),
    ...profile('view', 'previewImpact'),
  ],
  senior_auditor: [...centre('view'), ...rate('view', 'approve', 'reject', 'simulate')],
  content: comment('view', 'feature'),
  service_lead: [
    ...comment('view', 'feature', 'revoke'),
    ...rate('view'),
    ...buy('view', 'testOrder', 'reissue'),
    ...clocked('view', 'makeUp', 'voidRecord'),
  ],
  service: [...buy('view', 'testOrder'), ...clocked('view', 'makeUp')],
  risk: [...clocked('view', 'voidRecord', 'export'), ...comment('view', 'revoke', 'export')],
  read_only: [
    ...centre('view'),
    ...rate('view'),
    ...buy('view'),
    ...clocked('view'),
    ...profile('view'),
    ...comment('view'),
  ],
}
