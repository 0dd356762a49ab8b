import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const index = (...verbs: string[]) => verbs.map(verb => `distribution.index.${verb}`)
export const grants: DemoGrants = {
  ops_director: ['distribution.index.*'],
  finance: index('view', 'export', 'expertDetail.*', 'group.detail.view', 'group.detail.export'),
  risk: index('view', 'freeze', 'unfreeze', 'batchFreeze', 'expertDetail.view'),
  // The second person of an adjustment.
  senior_auditor: index(
    'view',
    'expertDetail.view',
    'expertDetail.approveAdjust',
    'expertDetail.rejectAdjust',
  ),
  service_lead: index('view', 'revealPhone', 'expertDetail.view'),
  city_manager: index(
    'view',
    'approve',
    'reject',
    'setLevel',
    'setGroup',
    'createGroup',
    'setLeader',
    'revealPhone',
    'export',
    'inviteExpert.*',
    'groupMembers.*',
    'group.detail.*',
    'expertDetail.view',
    'expertDetail.changePhone',
    'expertDetail.genPoster',
  ),
  read_only: index(
    'view',
    'inviteExpert.view',
    'expertDetail.view',
    'groupMembers.view',
    'group.detail.view',
  ),
}
