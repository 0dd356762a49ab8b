import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { welcomeScopes, welcomeStates } from './welcome.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  wecom_welcome: {
    title: ['好友欢迎语', 'Welcome message'],
    fields: {
      name: { title: ['名称', 'Name'] },
      scope: { title: ['适用范围', 'For'], kind: 'enum', options: welcomeScopes },
      mall_id: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
      department_ids: { title: ['部门', 'Departments'], kind: 'list' },
      staff_ids: { title: ['员工', 'Advisers'], kind: 'list' },
      priority: { title: ['优先级', 'Priority'], kind: 'number' },
      hours: { title: ['时段', 'Hours'] },
      text: { title: ['文字', 'Text'] },
      attachments: { title: ['附件', 'Attachments'], kind: 'list' },
      coupon_id: { title: ['礼券', 'Coupon'], kind: 'number' },
      status: { title: ['状态', 'State'], kind: 'enum', options: welcomeStates },
      off_reason: { title: ['停用原因', 'Why off'] },
      to_self: { title: ['测试发送给', 'Tried on'] },
      order: { title: ['顺序', 'Order'], kind: 'list' },
    },
  },
  wecom_group_welcome: {
    title: ['入群欢迎语', 'Group welcome'],
    fields: {
      name: { title: ['名称', 'Name'] },
      mall_id: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
      text: { title: ['文字', 'Text'] },
      attachment: { title: ['附件', 'Card'] },
      notify: { title: ['应用时通知群主', 'Reminds owners'], kind: 'flag' },
      applied: { title: ['应用的群', 'Groups'] },
      reminded: { title: ['提醒群主的群', 'Owners reminded'] },
    },
  },
}
