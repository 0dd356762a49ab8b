import { dupCan, dupKinds, type DupVerb } from '#src/areas/dedup/dup.ts'
import { comma, joinedNames, say } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  deduplication as calls,
  dupRow,
  type DupRow,
} from '#src/modules/customer/contract/deduplication.ts'
import {
  action,
  ask,
  byKeyword,
  called,
  inAll,
  recordFinder,
  type Me,
  type Told,
} from '../command.ts'
import { deduplicationPage as at } from '../pages/customer.ts'
import {
  asking,
  exportAction,
  idOf,
  idsOf,
  one,
  pageAction,
  reason,
  rowActions,
} from '../record.ts'

const row = rowActions(at, dupRow)
called(dupRow, of => joinedNames(of.names) || of.no)
const can = (verb: DupVerb) => (of: DupRow, me: Me) =>
  dupCan(verb, of, { me: me.id, now: unixNow() })
const given = (rows: readonly { id: number }[]) => idOf(rows)
const labelOf = (of: { name: string }) => of.name
const merges = ([of]: readonly DupRow[]): Told | undefined =>
  of && [
    [
      '订单、券、标签、积分与余额转入保留的会员；双方有余额、提现或处罚时须另一人复核；7 天内且未使用可撤销',
      'Orders, coupons, tags, points and money go along; with money, withdrawals or sanctions another person approves; it can be taken back within 7 days while unspent',
    ],
    {},
  ]
const plan = ([of]: readonly DupRow[]): Told | undefined =>
  of && [
    ['{who} 申请合并「{names}」：{why}', '{who} asks to merge {names}: {why}'],
    { who: of.asker_name, names: joinedNames(of.names), why: of.reason },
  ]

/** What is decided of duplicates: one main adviser, one member, or that they are several people. */
export const dupActions = {
  batchPrimary: action(calls.batchPrimary, {
    title: '按最早添加指定',
    en: 'Main adviser: who added first',
    key: 'a',
    at,
    on: dupRow,
    most: 200,
    main: true,
    when: can('batchPrimary'),
    tells: rows => (rows.length > 1 ? inAll(rows) : undefined),
    input: idsOf,
    takenBack: 'again',
  }),
  mergeMember: row.row(calls.mergeMember, ['合并会员档案', 'Merge members'], {
    key: 'm',
    danger: true,
    main: true,
    when: can('mergeMember'),
    tells: merges,
    asks: {
      keep_id: ask.entity({
        label: ['保留的会员', 'Member to keep'],
        find: calls.members,
        given,
        labelOf,
      }),
      drop_ids: ask.entities({
        label: ['并入的会员', 'Members that go into it'],
        max: 20,
        find: calls.members,
        given,
        labelOf,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  setPrimary: row.row(calls.setPrimary, ['指定主跟进人', 'Set the main adviser'], {
    key: 'p',
    main: 'plain',
    when: can('setPrimary'),
    asks: {
      follow_id: ask.entity({
        label: ['主跟进人', 'Main adviser'],
        find: calls.follows,
        given,
        labelOf,
        hint: [
          '日期为添加时间；其他成员的跟进关系不变',
          'The date is when they were added; other relations stay',
        ],
      }),
    },
    input: asking(asked => asked),
  }),
  ignore: row.row(calls.ignore, ['标记非重复', 'Not a duplicate'], {
    key: 'i',
    main: 'plain',
    when: can('ignore'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  approveMerge: row.row(calls.approveMerge, ['复核通过合并', 'Approve the merge'], {
    key: 'v',
    danger: true,
    main: true,
    when: can('approveMerge'),
    tells: plan,
    input: one,
  }),
  rejectMerge: row.row(calls.rejectMerge, ['驳回合并', 'Reject the merge'], {
    key: 'n',
    main: 'plain',
    when: can('rejectMerge'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  reopen: row.row(calls.reopen, ['撤销忽略', 'Undo “not a duplicate”'], {
    key: 'o',
    when: can('reopen'),
    input: one,
    takenBack: 'again',
  }),
  undoMerge: row.row(calls.undoMerge, ['撤销合并', 'Undo the merge'], {
    key: 'u',
    danger: true,
    when: can('undoMerge'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  rescan: pageAction(calls.rescan, ['重新检测', 'Scan again'], at, {
    key: 'r',
    input: () => ({}),
    takenBack: 'again',
  }),
  export: exportAction(calls.export, ['导出重复名单', 'Export duplicates'], at),
}

/** A case by its number, or by a member or contact of it. */
export const dupsFound = recordFinder({
  pages: [at],
  hint: ['重复客户编号、会员号或昵称', 'number of a duplicate, member number or name'],
  find: calls.lst,
  asked: byKeyword,
  given: of => ({ type: 'customer_dup', id: of.id, row: of }),
  title: (of, lang) => `${of.no} ${of.names.join(say(comma, lang))}`,
  more: of => dupKinds[of.kind],
})
