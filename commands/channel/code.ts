import { codeCan, type CodeVerb } from '#src/areas/channelCode/channelCode.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  channelCodes as calls,
  codeEdit,
  codeRow,
  type CodeRow,
} from '#src/modules/channel/contract/code.ts'
import { ask, byKeyword, inAll, recordFinder, to } from '../command.ts'
import { codeEditPage, codesPage as at, statDetailPage } from '../pages/channel.ts'
import { asking, exportAction, idsOf, one, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(at, codeRow)
const can = (verb: CodeVerb) => (of: CodeRow) => codeCan(verb, of)
const MOST = 100
type Staff = { name: string; place: string }
const staffLabel = ({ name, place }: Staff, lang: Lang) =>
  place ? `${name}${say(aside, lang, { it: place })}` : name

/** What is done with channel codes: made, turned off and on, given to others, taken away as pictures. */
export const codeActions = {
  create: pageAction('channel.code.create', ['新增活码', 'New code'], at, {
    key: 'c',
    main: true,
    permit: codeEdit.save.permit,
    to: () => to(codeEditPage),
  }),
  edit: row.row('channel.code.edit', ['编辑活码', 'Edit code'], {
    key: 'e',
    main: 'plain',
    permit: codeEditPage.permit,
    to: ([of]) => to(codeEditPage, { id: of!.id }),
  }),
  download: row.row('channel.code.download', ['下载二维码', 'Download QR codes'], {
    key: 'd',
    main: 'plain',
    takes: 'rows',
    most: MOST,
    permit: calls.pictures.permit,
    when: can('download'),
  }),
  test: row.row('channel.code.test', ['模拟扫码', 'Simulate a scan'], {
    key: 't',
    main: 'plain',
    permit: calls.side.permit,
  }),
  pause: row.row(calls.pause, ['暂停', 'Pause'], {
    key: 'p',
    when: can('pause'),
    tells: ([of]) =>
      of && [
        [
          '近 7 天扫码 {n} 次；暂停后扫码只看到“暂停添加”，没有其他落地页',
          '{n} scans in 7 days; from now on a scan only says that it is paused',
        ],
        { n: of.scans_7d },
      ],
    input: one,
    takenBack: 'opposite',
  }),
  resume: row.row(calls.resume, ['恢复', 'Resume'], {
    key: 'u',
    when: can('resume'),
    asks: {
      end_at: ask.time({
        label: ['新的结束时间', 'Its new end'],
        optional: true,
        hint: [
          '已过期的活码必须设置；其余留空则不变',
          'Needed where its end is over; else empty leaves it as it is',
        ],
        check: end =>
          end !== undefined && end <= unixNow()
            ? ['结束时间须晚于当前时间', 'It must end in the future']
            : undefined,
      }),
    },
    input: asking(({ end_at }) => (end_at ? { end_at } : {})),
  }),
  copy: row.row(calls.copy, ['复制活码', 'Copy code'], {
    key: 'shift+c',
    input: one,
    takenBack: 'again',
  }),
  batchMember: row.row(calls.batchMember, ['批量换接待成员', 'Replace a member'], {
    key: 'b',
    takes: 'rows',
    most: MOST,
    when: can('batchMember'),
    tells: inAll,
    asks: {
      from: ask.entity({
        label: ['换下', 'Instead of'],
        find: calls.staff,
        labelOf: staffLabel,
        by: ['姓名或企微账号', 'name or account in WeCom'],
      }),
      to: ask.entity({
        label: ['换上', 'Comes'],
        find: calls.staff,
        given: () => ({ able: true }),
        labelOf: staffLabel,
        by: ['姓名或企微账号', 'name or account in WeCom'],
        hint: [
          '班次、权重与每日上限随之转给新成员',
          'The shifts, the weight and the cap go to the new one',
        ],
      }),
    },
    input: (rows, { from, to: next }) => ({ ...idsOf(rows), from, to: next }),
  }),
  moveGroup: row.row(calls.moveGroup, ['移动分组', 'Move to a group'], {
    key: 'm',
    takes: 'rows',
    most: MOST,
    when: can('moveGroup'),
    tells: inAll,
    asks: {
      group: ask.text({
        label: ['分组', 'Group'],
        max: 20,
        optional: true,
        initial: rows => (rows[0] as CodeRow | undefined)?.group_name,
        field: 'group_name',
        hint: ['填写新名称即新建分组，留空为未分组', 'A new name makes a group; empty: none'],
      }),
    },
    input: (rows, { group }) => ({ ...idsOf(rows), group: group ?? '' }),
  }),
  batchCreate: row.row(calls.batchCreate, ['批量建门店活码', 'Codes for stores'], {
    key: 'shift+b',
    asks: {
      store_ids: ask.entities({
        label: ['门店', 'Stores'],
        max: MOST,
        find: calls.stores,
        labelOf: (of: { name: string; mall: string }, lang: Lang) =>
          of.mall ? `${of.name}${say(aside, lang, { it: of.mall })}` : of.name,
        by: ['门店名称或编号', 'name or number'],
        hint: [
          '以当前活码为模板，由门店所在商场的成员接待；没有可接待成员的门店会跳过并说明',
          'After this code, answered by advisers of the store’s mall; stores without any are named',
        ],
      }),
    },
    input: ([of], { store_ids }) => ({ store_ids, template_id: of!.id }),
  }),
  sync: row.row(calls.sync, ['校验企微配置', 'Check against WeCom'], {
    key: 'y',
    takes: 'rows',
    most: MOST,
    when: can('sync'),
    tells: rows => [
      [
        '{n} 个活码的企微配置如有不同，改回这里的设置',
        'Settings of {n} codes that differ in WeCom are set as they stand here',
      ],
      { n: rows.length },
    ],
    input: idsOf,
    takenBack: 'again',
  }),
  archive: row.row(calls.archive, ['归档', 'Archive'], {
    danger: true,
    when: can('archive'),
    tells: ([of]) =>
      of && [
        [
          '累计新增 {n} 人；归档后不再接待，记录与统计保留',
          '{n} adds so far; it answers no more, what it brought stays',
        ],
        { n: of.adds_total },
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出活码', 'Export codes'], at),
}

/** The palette finds a code by what the list finds it by. */
export const channelCodeFinder = recordFinder({
  pages: [statDetailPage],
  hint: ['活码名称', 'Name of a code'],
  find: calls.lst,
  asked: byKeyword,
  given: code => ({ type: 'channel_code', id: code.id, row: code }),
  title: code => code.name,
  more: code => [
    [code.group_name, code.mall_name].filter(Boolean).join(' · '),
    [code.group_name, code.mall_name].filter(Boolean).join(' · '),
  ],
})
