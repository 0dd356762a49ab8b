import type { DemoGrants } from '#src/areas/people/roles.demo.ts'

const department = (...verbs: string[]) => verbs.map(verb => `vip.weChatDepartment.${verb}`)
const contacts = (...verbs: string[]) => verbs.map(verb => `vip.weChatContacts.${verb}`)
const customers = (...verbs: string[]) => verbs.map(verb => `vip.weChatCustomerList.${verb}`)
const chats = (...verbs: string[]) => verbs.map(verb => `vip.weChatGroupManage.${verb}`)
const files = (...verbs: string[]) => verbs.map(verb => `customer.list.${verb}`)
export const grants: DemoGrants = {
  ops_director: [
    'vip.weChatDepartment.*',
    'vip.weChatContacts.*',
    'vip.weChatCustomerList.*',
    'vip.weChatGroupManage.*',
    'customer.list.*',
    'customer.tags.*',
  ],
  service_lead: [
    ...department('view', 'viewDiff', 'sync', 'setLeader', 'setReceive'),
    'vip.weChatContacts.*',
    'vip.weChatCustomerList.*',
    'vip.weChatGroupManage.*',
    'customer.list.*',
  ],
  service: [
    ...department('view'),
    ...contacts('view'),
    ...customers('view', 'tag', 'remark', 'syncOne'),
    ...files('view', 'addTag', 'remark', 'saveAttrs'),
  ],
  city_manager: [
    ...department('view', 'viewDiff', 'setLeader', 'setReceive'),
    ...contacts('view', 'transferCustomers', 'inheritCustomers', 'setDailyCap', 'export'),
    ...customers('view', 'tag', 'untag', 'remark', 'batchTag', 'createMass', 'syncOne'),
    ...files('view', 'addTag', 'removeTag', 'remark', 'saveAttrs', 'transfer', 'transferResigned'),
    ...files('saveSegment', 'groupSend', 'cancelSend'),
    ...chats('view', 'sync', 'changeOwner', 'inherit', 'tagGroup', 'setJoinCode', 'sendMass'),
    ...chats('detail.view', 'detail.editNotice', 'detail.markDuplicate', 'detail.removeRemind'),
  ],
  read_only: [
    ...department('view'),
    ...contacts('view'),
    ...customers('view'),
    ...files('view'),
    'customer.tags.view',
    ...chats('view', 'detail.view'),
  ],
}
