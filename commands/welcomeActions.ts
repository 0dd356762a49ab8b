import { welcomeCan, type WelcomeScope, type WelcomeVerb } from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import { welcomeRow, type WelcomeRow } from '#src/contract/welcome.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { weChatWelcomingMessage } from '#src/modules/vip/contract/weChatWelcomingMessage.ts'
import { ask, type Page } from './command.ts'
import { one, rowActions, type Arranged } from './record.ts'
import { welcomeForm } from './welcome.ts'

/** What the pages of welcome messages do alike. */
type Standard = typeof weChatWelcomingMessage
type Finds = Pick<Standard, 'advisers' | 'departments' | 'coupons' | 'materials'>
type Calls = Pick<Standard, 'edit' | 'copy' | 'enable' | keyof Finds>
export type WelcomeGroup = Arranged & { scope: WelcomeScope; name: string }
export const can = (verb: WelcomeVerb) => (of: WelcomeRow) => welcomeCan(verb, of)

/** Changes a message, copies it and turns it on. */
export const welcomeActions = (at: Page, calls: Calls) => {
  const row = rowActions(at, welcomeRow)
  const form = welcomeForm(calls)
  return {
    edit: row.row(calls.edit, ['编辑欢迎语', 'Edit the message'], {
      key: 'e',
      main: 'plain',
      asks: form.asks,
      input: (rows, asked) => ({ ...one(rows), ...form.input(asked, rows[0]) }),
    }),
    copy: row.row(calls.copy, ['复制欢迎语', 'Copy the message'], {
      key: 'shift+c',
      input: one,
      takenBack: 'again',
    }),
    enable: row.enable(calls.enable, { key: 'o', when: can('enable') }),
  }
}
/** The questions of which message an adviser's new friend would get. */
export const whoseAsks = (advisers: Read) => ({
  staff_id: ask.entity({
    label: ['员工', 'Adviser'],
    find: advisers,
    labelOf: (of: { name: string; position: string }, lang: Lang) =>
      of.position ? `${of.name}${say(aside, lang, { it: of.position })}` : of.name,
    by: ['姓名', 'name'],
  }),
})
export const addedAsk = ask.time({ label: ['添加时间', 'Added at'], initial: () => unixNow() })
