import { z } from 'zod'
import { welcomeScopes } from '#src/areas/welcome/welcome.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, keysOf, page, unix } from '#src/contract/shapes.ts'
import {
  welcomeFields,
  welcomeFilters,
  welcomeList,
  welcomeNames,
  welcomeOrder,
  welcomeSends,
} from '#src/contract/welcome.ts'
import {
  adviserPicks,
  couponPicks,
  departmentPicks,
  welcomeTried,
} from '#src/contract/welcomeTried.ts'

const rows = 'wecom_welcome'
const call = callsOf('vip/weChatWelcomingMessage', { touches: [rows], rows })
const view = 'vip.weChatWelcomingMessage.view'
const tried = 'vip.weChatWelcomingMessage.testHit'
const scope = keysOf(welcomeScopes)

/** What a new friend of an adviser gets first, by mall, adviser and time of day. */
export const weChatWelcomingMessage = {
  lst: call.read('lst', ['会员欢迎语', 'Member welcome messages'], {
    input: z.object({ ...page, ...welcomeFilters }),
    output: welcomeList,
    touches: [rows, 'wecom_welcome_send', 'wecom_department', 'wecom_staff', 'coupon'],
    permit: view,
  }),
  sends: call.read('sends', ['最近发送', 'Last sends'], {
    input: z.object({ id }),
    output: welcomeSends,
    touches: ['wecom_welcome_send'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  order: call.read('order', ['同范围的顺序', 'The order in a scope'], {
    input: z.object({ scope }),
    output: welcomeOrder,
    permit: 'vip.weChatWelcomingMessage.sort',
  }),
  /** Which message a friend would get who adds this adviser at a time. */
  testHit: call.read('testHit', ['测试命中', 'Try who wins'], {
    input: z.object({ staff_id: id, at: unix }),
    output: welcomeTried,
    touches: [rows, 'wecom_staff', 'wecom_department'],
    scope: placed('wecom_staff', 'staff_id'),
    permit: tried,
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
  enable: call.changes('enable', ['启用欢迎语', 'Turn the message on']),
  disable: call.changes('disable', ['停用欢迎语', 'Turn the message off'], {
    fields: { reason },
  }),
  copy: call.changes('copy', ['复制欢迎语', 'Copy the message']),
  sort: call.sorts('sort', ['调整优先级', 'Arrange priorities'], { fields: { scope }, most: 500 }),
  del: call.deletes('del', ['删除欢迎语', 'Delete the message']),
}
