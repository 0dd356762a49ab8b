import { z } from 'zod'
import { welcomeScopes } from '#src/areas/welcome/welcome.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import { id, keysOf, page, unix } from '#src/contract/shapes.ts'
import {
  welcomeFields,
  welcomeFilters,
  welcomeList,
  welcomeNames,
  welcomeOrder,
  welcomeSends,
  welcomeTrials,
  windowFields,
} from '#src/contract/welcome.ts'
import {
  adviserPicks,
  codePicks,
  couponPicks,
  departmentPicks,
  welcomeTried,
} from '#src/contract/welcomeTried.ts'

const rows = 'wecom_welcome'
const call = callsOf('channel/welcome', { touches: [rows], rows })
const view = 'channel.welcome.view'
const scope = keysOf(welcomeScopes)

/** What a new friend receives: all rules in the order in which they win, those of codes first. */
export const channelWelcome = {
  lst: call.read('lst', ['好友欢迎语', 'New-friend welcomes'], {
    input: z.object({ ...page, ...welcomeFilters }),
    output: welcomeList,
    touches: [
      rows,
      'wecom_welcome_send',
      'wecom_department',
      'wecom_staff',
      'coupon',
      'channel_code',
    ],
    permit: view,
  }),
  sends: call.read('sends', ['最近发送', 'Last sends'], {
    input: z.object({ id }),
    output: welcomeSends,
    touches: ['wecom_welcome_send'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  trials: call.read('trials', ['测试发送记录', 'Sent to oneself'], {
    input: z.object({ id }),
    output: welcomeTrials,
    touches: ['wecom_welcome_trial'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  order: call.read('order', ['同范围的顺序', 'The order in a scope'], {
    input: z.object({ scope }),
    output: welcomeOrder,
    permit: 'channel.welcome.sortPriority',
  }),
  /** Which message a friend would get who adds an adviser at a time, by a live code or by none. */
  resolve: call.read('resolve', ['命中检查', 'Which message would go'], {
    input: z.object({ staff_id: id, code_id: id.optional(), at: unix }),
    output: welcomeTried,
    touches: [rows, 'wecom_staff', 'wecom_department', 'channel_code'],
    scope: placed('wecom_staff', { staff_id: 'wecom_staff', code_id: 'channel_code' }),
    permit: 'channel.welcome.resolve',
  }),
  advisers: call.read('advisers', ['可选员工', 'Advisers to choose'], {
    ...adviserPicks,
    touches: ['wecom_staff'],
    scope: placed('wecom_staff'),
    permit: view,
  }),
  departments: call.read('departments', ['可选部门', 'Departments to choose'], {
    ...departmentPicks,
    touches: ['wecom_department'],
    scope: placed('wecom_department'),
    permit: view,
  }),
  codes: call.read('codes', ['可选活码', 'Live codes to choose'], {
    ...codePicks,
    touches: ['channel_code'],
    scope: placed('channel_code'),
    permit: view,
  }),
  coupons: call.read('coupons', ['可选礼券', 'Coupons to choose'], {
    ...couponPicks,
    touches: ['coupon'],
    scope: placed('coupon'),
    permit: view,
  }),
  create: call.creates('create', ['新增欢迎语', 'New message'], {
    fields: welcomeFields,
    scope: placed(rows, welcomeNames),
  }),
  edit: call.changes('edit', ['编辑欢迎语', 'Edit the message'], {
    fields: welcomeFields,
    scope: placed(rows, { id: rows, ...welcomeNames }),
  }),
  /** What it says in some hours, in which it comes before the rule. */
  addWindow: call.changes('addWindow', ['添加分时段内容', 'Add a message for some hours'], {
    fields: windowFields,
  }),
  enable: call.changes('enable', ['启用欢迎语', 'Turn the message on']),
  disable: call.changes('disable', ['停用欢迎语', 'Turn the message off']),
  copy: call.changes('copy', ['复制欢迎语', 'Copy the message']),
  sortPriority: call.sorts('sortPriority', ['调整优先级', 'Arrange priorities'], {
    fields: { scope },
    most: 500,
  }),
  /** Sends it to the account in WeCom that the person has; the clock does it. */
  sendTest: call.changes('sendTest', ['发送给自己', 'Send it to yourself'], {
    touches: ['wecom_welcome_trial'],
  }),
  del: call.write('del', ['删除欢迎语', 'Delete the message'], {
    input: z.object({ ...one, reason }),
    output: z.object({ id, deleted: z.literal(true) }),
  }),
}
