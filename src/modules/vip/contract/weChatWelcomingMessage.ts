import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { id, unix } from '#src/contract/shapes.ts'
import { welcomeCalls, WELCOMES, welcomeScope } from '#src/contract/welcomeCalls.ts'
import { welcomeTried } from '#src/contract/welcomeTried.ts'

const call = callsOf('vip/weChatWelcomingMessage', { touches: [WELCOMES], rows: WELCOMES })

/** What a new friend of an adviser gets first, by mall, adviser and time of day. */
export const weChatWelcomingMessage = {
  ...welcomeCalls(call, {
    view: 'vip.weChatWelcomingMessage.view',
    sort: 'vip.weChatWelcomingMessage.sort',
  }),
  /** Which message a friend would get who adds this adviser at a time. */
  testHit: call.read('testHit', ['测试命中', 'Test which message wins'], {
    input: z.object({ staff_id: id, at: unix }),
    output: welcomeTried,
    touches: [WELCOMES, 'wecom_staff', 'wecom_department'],
    scope: placed('wecom_staff', 'staff_id'),
    permit: 'vip.weChatWelcomingMessage.testHit',
  }),
  disable: call.changes('disable', ['停用欢迎语', 'Turn the message off'], {
    fields: { reason },
  }),
  sort: call.sorts('sort', ['调整优先级', 'Arrange priorities'], {
    fields: { scope: welcomeScope },
    most: 500,
  }),
  del: call.deletes('del', ['删除欢迎语', 'Delete the message']),
}
