import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import { id, unix } from '#src/contract/shapes.ts'
import { welcomeTrials, windowFields } from '#src/contract/welcome.ts'
import { welcomeCalls, WELCOMES, welcomeScope } from '#src/contract/welcomeCalls.ts'
import { codePicks, welcomeTried } from '#src/contract/welcomeTried.ts'

const call = callsOf('channel/welcome', { touches: [WELCOMES], rows: WELCOMES })
const view = 'channel.welcome.view'

/** What a new friend receives: all rules in the order in which they win, those of codes first. */
export const channelWelcome = {
  ...welcomeCalls(call, { view, sort: 'channel.welcome.sortPriority' }),
  trials: call.read('trials', ['测试发送记录', 'Sent to oneself'], {
    input: z.object({ id }),
    output: welcomeTrials,
    touches: ['wecom_welcome_trial'],
    scope: placed(WELCOMES, 'id'),
    permit: view,
  }),
  /** Which message a friend would get who adds an adviser at a time, by a live code or by none. */
  resolve: call.read('resolve', ['命中检查', 'Which message would go'], {
    input: z.object({ staff_id: id, code_id: id.optional(), at: unix }),
    output: welcomeTried,
    touches: [WELCOMES, 'wecom_staff', 'wecom_department', 'channel_code'],
    scope: placed('wecom_staff', { staff_id: 'wecom_staff', code_id: 'channel_code' }),
    permit: 'channel.welcome.resolve',
  }),
  codes: call.read('codes', ['可选活码', 'Live codes to choose'], {
    ...codePicks,
    touches: ['channel_code'],
    scope: placed('channel_code'),
    permit: view,
  }),
  /** What it says in some hours, in which it comes before the rule. */
  addWindow: call.changes('addWindow', ['添加分时段内容', 'Add a message for some hours'], {
    fields: windowFields,
  }),
  disable: call.changes('disable', ['停用欢迎语', 'Turn the message off']),
  sortPriority: call.sorts('sortPriority', ['调整优先级', 'Arrange priorities'], {
    fields: { scope: welcomeScope },
    most: 500,
  }),
  /** Sends it to the account in WeCom that the person has; the clock does it. */
  sendTest: call.changes('sendTest', ['发送给自己', 'Send to yourself'], {
    touches: ['wecom_welcome_trial'],
  }),
  del: call.write('del', ['删除欢迎语', 'Delete the message'], {
    input: z.object({ ...one, reason }),
    output: z.object({ id, deleted: z.literal(true) }),
  }),
}
