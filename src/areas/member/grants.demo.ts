import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const index = (...verbs: string[]) => verbs.map(verb => `vip.index.${verb}`)
const list = (...verbs: string[]) => verbs.map(verb => `user.list.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['vip.index.*', 'user.list.*', 'user.log.view', 'user.log.timeline'],
  // The second person of an adjustment.
  senior_auditor: index('view', 'approveAdjust', 'rejectAdjust'),
  finance: index('view', 'approveAdjust', 'rejectAdjust', 'export'),
  risk: [
    ...index('view', 'freezeBenefits', 'unfreezeBenefits', 'setTags', 'revealPhone'),
    'user.list.*',
    'user.log.*',
  ],
  service_lead: [
    ...list(
      'view',
      'mute',
      'unmute',
      'watch',
      'unwatch',
      'resetProfile',
      'changePhone',
      'unbindWechat',
      'forceLogout',
      'cancelAccount',
      'rejectCancel',
      'viewPhone',
      'exportData',
    ),
    'user.log.view',
    'user.log.timeline',
    ...index(
      'view',
      'adjustPoints',
      'adjustGrowth',
      'approveAdjust',
      'rejectAdjust',
      'changeLevel',
      'setTags',
      'batchSetTags',
      'grantCoupon',
      'merge',
      'undoMerge',
      'revealPhone',
    ),
  ],
  service: [
    ...index('view', 'adjustPoints', 'setTags', 'revealPhone'),
    ...list('view', 'changePhone', 'cancelAccount', 'viewPhone'),
  ],
  city_manager: index('view', 'setTags', 'batchSetTags', 'grantCoupon', 'export'),
  read_only: [...index('view'), ...list('view')],
}
