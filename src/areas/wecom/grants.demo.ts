import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const department = (...verbs: string[]) => verbs.map(verb => `vip.weChatDepartment.${verb}`)
const contacts = (...verbs: string[]) => verbs.map(verb => `vip.weChatContacts.${verb}`)
const customers = (...verbs: string[]) => verbs.map(verb => `vip.weChatCustomerList.${verb}`)
const chats = (...verbs: string[]) => verbs.map(verb => `vip.weChatGroupManage.${verb}`)
export const grants: DemoGrants = {
  ops_director: [
    'vip.weChatDepartment.*',
    'vip.weChatContacts.*',
    'vip.weChatCustomerList.*',
    'vip.weChatGroupManage.*',
  ],
  service_lead: [
    ...department('view', 'viewDiff', 'sync', 'setLeader', 'setReceive'),
    'vip.weChatContacts.*',
    'vip.weChatCustomerList.*',
    'vip.weChatGroupManage.*',
  ],
  service: [
    ...department('view'),
    ...contacts('view'),
    ...customers('view', 'tag', 'remark', 'syncOne'),
  ],
  city_manager: [
    ...department('view', 'viewDiff', 'setLeader', 'setReceive'),
    ...contacts('view', 'transferCustomers', 'inheritCustomers', 'setDailyCap', 'export'),
    ...customers('view', 'tag', 'untag', 'remark', 'batchTag', 'createMass', 'syncOne'),
    ...chats('view', 'sync', 'changeOwner', 'inherit', 'tagGroup', 'setJoinCode', 'sendMass'),
    ...chats('detail.view', 'detail.editNotice', 'detail.markDuplicate', 'detail.removeRemind'),
  ],
  read_only: [
    ...department('view'),
    ...contacts('view'),
    ...customers('view'),
    ...chats('view', 'detail.view'),
  ],
}
