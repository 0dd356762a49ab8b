import {
  welcomeCan,
  welcomeScopes,
  type WelcomeScope,
  type WelcomeVerb,
} from '#src/areas/welcome/welcome.ts'
import { welcomeRow, type WelcomeRow } from '#src/contract/welcome.ts'
import { unixNow } from '#src/domain/time.ts'
import { weChatWelcomingMessage as calls } from '#src/modules/vip/contract/weChatWelcomingMessage.ts'
import { ask } from '../command.ts'
import { welcomingPage as at } from '../pages/vip.ts'
import {
  arrangeAction,
  asking,
  createAction,
  one,
  pageAction,
  rowActions,
  type Arranged,
} from '../record.ts'
import { welcomeForm } from '../welcome.ts'

export type WelcomeGroup = Arranged & { scope: WelcomeScope; name: string }
const can = (verb: WelcomeVerb) => (of: WelcomeRow) => welcomeCan(verb, of)
/** Rules of a live code are made beside the codes. */
const { code: _, ...own } = welcomeScopes
const form = welcomeForm(calls)
const row = rowActions(at, welcomeRow)

/** What is done with the messages that new friends get. */
export const welcomingActions = {
  create: createAction(calls.create, ['新增欢迎语', 'New message'], at, welcomeForm(calls, own)),
  testHit: pageAction(calls.testHit, ['测试命中', 'Try who wins'], at, {
    key: 't',
    main: 'plain',
    asks: {
      staff_id: ask.entity({
        label: ['员工', 'Adviser'],
        find: calls.advisers,
        labelOf: (of: { name: string; position: string }) =>
          of.position ? `${of.name}（${of.position}）` : of.name,
        by: ['姓名', 'name'],
      }),
      at: ask.time({
        label: ['添加时间', 'Added at'],
        initial: () => unixNow(),
      }),
    },
    alias: ['命中检查', '会发哪条', 'which message'],
  }),
  edit: row.row(calls.edit, ['编辑欢迎语', 'Edit the message'], {
    key: 'e',
    main: 'plain',
    asks: form.asks,
    input: asking(form.input) as never,
  }),
  copy: row.row(calls.copy, ['复制欢迎语', 'Copy the message'], {
    key: 'shift+c',
    input: one,
    takenBack: 'again',
  }),
  enable: row.enable(calls.enable, { key: 'o', when: can('enable') }),
  disable: row.disable(calls.disable, { key: 'r', when: can('disable') }),
  sort: arrangeAction(
    calls.sort,
    ['调整优先级', 'Arrange priorities'],
    at,
    ({ scope }: WelcomeGroup) => ({ scope }),
  ),
  del: row.del(calls.del, ['删除欢迎语', 'Delete the message'], { key: 'd', when: can('del') }),
}
