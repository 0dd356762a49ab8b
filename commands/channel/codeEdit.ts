import { codeCan } from '#src/areas/channelCode/channelCode.ts'
import { MEMBERS_MOST } from '#src/areas/channelCode/codeRules.ts'
import { posterKinds } from '#src/areas/channelCode/posters.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import {
  channelCodes,
  codeEdit as calls,
  codeRow,
  type CodeRow,
} from '#src/modules/channel/contract/code.ts'
import { ask } from '../command.ts'
import { codeEditPage as at } from '../pages/channel.ts'
import { asking, pageAction, rowActions } from '../record.ts'

const row = rowActions(at, codeRow)
const stem = 'channel.code.edit'
const colleagues = ask.entities({
  label: ['成员', 'Members'],
  max: MEMBERS_MOST,
  find: channelCodes.staff,
  given: () => ({ able: true }),
  labelOf: (of: { name: string; place: string }, lang: Lang) =>
    of.place ? `${of.name}${say(aside, lang, { it: of.place })}` : of.name,
  by: ['姓名或企微账号', 'name or account in WeCom'],
  hint: ['只列出在职、已实名且有客户联系权限的成员', 'Only those who may receive contacts'],
})
/** What is done with the form of a code. */
export const codeEditActions = {
  publish: pageAction(`${stem}.publishForm`, ['保存并生成二维码', 'Save and publish'], at, {
    key: 'mod+enter',
    main: true,
    permit: calls.publish.permit,
  }),
  save: pageAction(`${stem}.saveForm`, ['保存草稿', 'Save draft'], at, {
    key: 'mod+s',
    main: true,
    permit: calls.save.permit,
  }),
  addMembers: pageAction(`${stem}.addMembers`, ['添加接待成员', 'Add members'], at, {
    key: 'a',
    main: 'plain',
    permit: at.permit,
    asks: { staff_ids: colleagues },
  }),
  addBackups: pageAction(`${stem}.addBackups`, ['添加备用成员', 'Add backups'], at, {
    key: 'b',
    permit: at.permit,
    asks: { staff_ids: colleagues },
  }),
  addShift: pageAction(`${stem}.addShift`, ['添加班次', 'Add a shift'], at, {
    key: 'i',
    main: 'plain',
    permit: at.permit,
  }),
  simulate: pageAction(`${stem}.simulate`, ['模拟分配', 'Simulate a scan'], at, {
    key: 't',
    permit: at.permit,
  }),
  pickWelcome: pageAction(`${stem}.pickWelcome`, ['选择欢迎语', 'Pick the welcome'], at, {
    key: 'm',
    permit: at.permit,
  }),
  previewPoster: row.row(`${stem}.previewPoster`, ['预览海报', 'Preview a poster'], {
    key: 'o',
    permit: channelCodes.pictures.permit,
    when: (of: CodeRow) => codeCan('download', of),
    asks: {
      template: ask.choice({
        label: ['版式', 'Layout'],
        options: posterKinds,
        initial: () => 'card' as const,
      }),
    },
  }),
  restore: row.row(calls.restore, ['恢复历史版本', 'Restore a version'], {
    key: 'r',
    when: (of: CodeRow) =>
      of.rev > 0 ? codeCan('edit', of) : ['还没有发布过的版本', 'It has no version yet'],
    asks: {
      rev: ask.number({
        label: ['版本号', 'Version'],
        min: 1,
        max: 100_000,
        initial: rows => (rows[0] as CodeRow | undefined)?.rev,
        hint: ['恢复为草稿，发布后生效', 'It becomes the draft; publish it to make it hold'],
      }),
    },
    input: asking(asked => asked),
  }),
}
