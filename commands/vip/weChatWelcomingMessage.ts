import { welcomeScopes } from '#src/areas/welcome/welcome.ts'
import { welcomeRow } from '#src/contract/welcome.ts'
import { weChatWelcomingMessage as calls } from '#src/modules/vip/contract/weChatWelcomingMessage.ts'
import { welcomingPage as at } from '../pages/vip.ts'
import { arrangeAction, createAction, pageAction, rowActions } from '../record.ts'
import { welcomeForm } from '../welcome.ts'
import { addedAsk, can, welcomeActions, whoseAsks, type WelcomeGroup } from '../welcomeActions.ts'

/** Rules of a live code are made beside the codes. */
const { code: _, ...own } = welcomeScopes
const row = rowActions(at, welcomeRow)
const { edit, copy, enable } = welcomeActions(at, calls)

/** What is done with the messages that new friends get. */
export const welcomingActions = {
  create: createAction(calls.create, ['新增欢迎语', 'New message'], at, welcomeForm(calls, own)),
  testHit: pageAction(calls.testHit, ['测试命中', 'Test which message wins'], at, {
    key: 't',
    main: 'plain',
    asks: { ...whoseAsks(calls.advisers), at: addedAsk },
    alias: ['命中检查', '会发哪条', 'which message'],
  }),
  edit,
  copy,
  enable,
  disable: row.disable(calls.disable, { key: 'r', when: can('disable') }),
  sort: arrangeAction(
    calls.sort,
    ['调整优先级', 'Arrange priorities'],
    at,
    ({ scope }: WelcomeGroup) => ({ scope }),
  ),
  del: row.del(calls.del, ['删除欢迎语', 'Delete the message'], { key: 'd', when: can('del') }),
}
