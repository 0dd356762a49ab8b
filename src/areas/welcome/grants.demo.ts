import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const vip = (...verbs: string[]) => verbs.map(verb => `vip.weChatWelcomingMessage.${verb}`)
const written = ['view', 'create', 'edit', 'enable', 'disable', 'copy', 'testHit', 'del']
const friend = (...verbs: string[]) => verbs.map(verb => `channel.welcome.${verb}`)
const kept = [
  'view',
  'create',
  'edit',
  'copy',
  'enable',
  'disable',
  'addWindow',
  'resolve',
  'sendTest',
]
const group = (...verbs: string[]) => verbs.map(verb => `channel.groupsWelcome.${verb}`)
const given = ['view', 'create', 'edit', 'copy', 'apply', 'unapply', 'notifyOwner']
export const grants: DemoGrants = {
  ops_director: [...vip('*'), ...friend('*'), ...group('*')],
  content: [
    ...vip(...written, 'sort'),
    ...friend(...kept, 'sortPriority', 'del'),
    ...group(...given, 'del'),
  ],
  service_lead: [
    ...vip(...written, 'sort'),
    ...friend(...kept, 'sortPriority'),
    ...group(...given),
  ],
  service: [...vip('view', 'testHit'), ...friend('view', 'resolve'), ...group('view')],
  city_manager: [...vip(...written), ...friend(...kept, 'del'), ...group(...given, 'del')],
  read_only: [...vip('view'), ...friend('view'), ...group('view')],
}
