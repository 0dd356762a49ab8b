import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const vip = (...verbs: string[]) => verbs.map(verb => `vip.weChatWelcomingMessage.${verb}`)
const written = ['view', 'create', 'edit', 'enable', 'disable', 'copy', 'testHit', 'del']
export const grants: DemoGrants = {
  ops_director: vip('*'),
  content: vip(...written, 'sort'),
  service_lead: vip(...written, 'sort'),
  service: vip('view', 'testHit'),
  city_manager: vip(...written),
  read_only: vip('view'),
}
