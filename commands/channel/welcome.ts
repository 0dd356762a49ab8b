import { welcomeRow } from '#src/contract/welcome.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import { channelWelcome as calls } from '#src/modules/channel/contract/welcome.ts'
import { ask } from '../command.ts'
import { channelWelcomePage as at } from '../pages/channel.ts'
import {
  arrangeAction,
  asking,
  createAction,
  one,
  pageAction,
  reason,
  rowActions,
} from '../record.ts'
import { welcomeForm } from '../welcome.ts'
import { addedAsk, can, welcomeActions, whoseAsks, type WelcomeGroup } from '../welcomeActions.ts'
import { spanOf, windowAsks } from '../welcomeHours.ts'
import { newSayingAsks, sayingOf } from '../welcomeSaying.ts'

const row = rowActions(at, welcomeRow)
const { edit, copy, enable } = welcomeActions(at, calls)

/** What is done with all messages that new friends get, those of live codes among them. */
export const channelWelcomeActions = {
  create: createAction(calls.create, ['新增欢迎语', 'New message'], at, welcomeForm(calls)),
  resolve: pageAction(calls.resolve, ['命中检查', 'Which message would go'], at, {
    key: 't',
    main: 'plain',
    asks: {
      ...whoseAsks(calls.advisers),
      code_id: ask.entity({
        label: ['活码', 'Live code'],
        find: calls.codes,
        labelOf: (of: { name: string; group: string }, lang: Lang) =>
          of.group ? `${of.name}${say(aside, lang, { it: of.group })}` : of.name,
        by: ['活码名称', 'name of the code'],
        optional: true,
        hint: ['不选即未扫活码添加', 'Empty: added without a code'],
      }),
      at: addedAsk,
    },
    alias: ['测试命中', '会发哪条', 'which message'],
  }),
  edit,
  addWindow: row.row(calls.addWindow, ['添加分时段内容', 'Message for some hours'], {
    key: 'b',
    main: 'plain',
    when: can('addWindow'),
    asks: { ...windowAsks(), ...newSayingAsks(calls) },
    input: asking(asked => {
      const said = sayingOf(asked)
      return { ...said, hours: spanOf(asked) }
    }),
    alias: ['时间窗口', '分时段', 'time window'],
  }),
  sendTest: row.row(calls.sendTest, ['发送给自己', 'Send to yourself'], {
    key: 'm',
    input: one,
    takenBack: 'again',
    alias: ['测试发送', '预览', 'send a test'],
  }),
  copy,
  enable,
  disable: row.row(calls.disable, ['停用', 'Disable'], {
    key: 'r',
    danger: true,
    when: can('disable'),
    tells: ([of]) =>
      of && of.codes_n > 0
        ? [
            [
              '{n} 个活码正在使用，停用后改发员工、部门或默认欢迎语',
              '{n} live codes name it: they turn to the message of the adviser, department or default',
            ],
            { n: of.codes_n },
          ]
        : undefined,
    input: one,
    takenBack: 'opposite',
  }),
  sortPriority: arrangeAction(
    calls.sortPriority,
    ['调整优先级', 'Arrange priorities'],
    at,
    ({ scope }: WelcomeGroup) => ({ scope }),
  ),
  del: row.row(calls.del, ['删除欢迎语', 'Delete the message'], {
    key: 'd',
    danger: true,
    when: can('del'),
    asks: { reason },
    input: asking(asked => asked),
  }),
}
