import { segmentAs } from '#src/areas/segment/customerFilters.ts'
import { forWhom, tagAsks, TAG_FILTER_MOST } from '#src/areas/wecom/customerFiles.ts'
import { customerCan, syncKinds, type CustomerVerb } from '#src/areas/wecom/wecom.ts'
import { aside, say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import {
  customerList as calls,
  fileRow,
  type FileRow,
} from '#src/modules/customer/contract/list.ts'
import { action, ask, byKeyword, inAll, recordFinder, to } from '../command.ts'
import { keptOf, tellsKept } from '../keptFilters.ts'
import { customerListPage as at } from '../pages/customer.ts'
import { customerPage } from '../pages/vip.ts'
import { asking, exportAction, idsOf, pageAction, reason, rowActions } from '../record.ts'
import { customerNotice, memberAsk, receiverAsk, tagsAsk, takenTagsAsk } from '../wecom.ts'
import { massMaterialsAsk } from '../welcomeCards.ts'

const row = rowActions(at, fileRow)
const can = (verb: CustomerVerb) => (of: FileRow) => customerCan(verb, of)
type Rows = readonly FileRow[]
const isShared = (rows: Rows): boolean => rows.some(of => of.live_count > 1)
const follow = {
  label: ['跟进成员', 'Adviser'] as const,
  find: calls.follows,
  given: (rows: Rows) => ({ of: rows[0]?.id }),
  labelOf: (of: { name: string; place: string }, lang: Lang) =>
    of.place ? `${of.name}${say(aside, lang, { it: of.place })}` : of.name,
  field: 'adviser',
  none: ['没有你能看到的跟进成员', 'No adviser that you see follows them'] as const,
}
const first = ([of]: Rows) => of?.advisers[0]
/** For whom tags are written, where several advisers follow. */
const which = {
  which: ask.choice({
    label: ['写给', 'For'],
    options: forWhom,
    shown: (_, rows) => isShared(rows),
    hint: ['企微按成员分别记录标签', 'WeCom keeps the tags of each adviser apart'],
  }),
  follow_id: ask.entity({
    ...follow,
    label: ['指定成员', 'Or one of them'],
    optional: true,
    shown: ({ which: whom }, rows) => rows.length === 1 && isShared(rows) && whom !== 'all',
    hint: ['留空为首位在职跟进成员', 'Empty: the first adviser in service'],
  }),
}
type Marked = { tag_ids: number[]; which?: 'first' | 'all' | undefined; follow_id?: number }
const marked = (rows: Rows, { tag_ids, which: whom, follow_id }: Marked) => ({
  ...idsOf(rows),
  tag_ids,
  ...(follow_id ? { follow_id } : isShared(rows) && whom && { which: whom }),
})
const onSeveral = { at, on: fileRow, most: 200, tells: inAll } as const
/** The adviser who hands over: one of a customer’s own, or any colleague for several customers. */
const givers = {
  from_staff_id: ask.entity({
    ...follow,
    label: ['转出成员', 'Handed over by'],
    key: 'staff_id',
    shown: (_, rows) => rows.length === 1 && rows[0].advisers.length > 1,
    initial: rows => first(rows)?.staff_id,
    named: rows => first(rows)?.name,
  }),
  from_any: ask.entity({
    label: ['转出成员', 'Handed over by'],
    find: calls.staff,
    labelOf: (of: { name: string }) => of.name,
    optional: true,
    shown: (_, rows) => rows.length > 1 && isShared(rows),
    hint: [
      '多人跟进的客户由其转出；留空则只转接单人跟进的客户',
      'For those whom several follow; empty: only those whom one follows are moved',
    ],
  }),
}
type Moved = {
  to_staff_id: number
  from_staff_id?: number | undefined
  from_any?: number | undefined
}
const moved = (rows: Rows, { to_staff_id, from_staff_id, from_any }: Moved) => {
  const from = from_staff_id ?? from_any
  return { ...idsOf(rows), to_staff_id, ...(from && { from_staff_id: from }) }
}
const inService: Text = ['跟进成员均在职，请使用在职转接', 'All advisers are in service: hand over']

/** What is done with customers: marked, noted, matched, handed over, kept as segments, sent texts. */
export const customerListActions = {
  addTag: action(calls.addTag, {
    ...onSeveral,
    title: '打标签',
    en: 'Add tags',
    key: 't',
    main: true,
    when: can('tag'),
    asks: {
      tag_ids: tagsAsk(calls.tags, ['由企微确认后生效', 'There once WeCom answers']),
      ...which,
    },
    input: marked,
  }),
  transfer: action(calls.transfer, {
    ...onSeveral,
    title: '在职转接',
    en: 'Transfer to an active colleague',
    key: 'y',
    main: 'plain',
    when: of => {
      const may = can('transfer')(of)
      if (may !== true) return may
      return of.live_count > 0 || ['跟进成员已离职，请使用离职继承', 'Their adviser has left']
    },
    asks: { ...givers, to_staff_id: receiverAsk(calls.receivers), notice: customerNotice },
    input: (rows, { notice, ...asked }) => ({ ...moved(rows, asked), ...(notice && { notice }) }),
  }),
  groupSend: pageAction(calls.groupSend, ['发起企业群发', 'Send a broadcast'], at, {
    key: 'p',
    main: 'plain',
    danger: true,
    asks: {
      segment_id: ask.entity({
        label: ['客户分群', 'Segment'],
        find: calls.segments,
        labelOf: (of: { name: string; customer_count: number }, lang: Lang) =>
          `${of.name}${say(aside, lang, { it: of.customer_count })}`,
        none: ['没有可用的分群，可先“存为分群”', 'No segment is ready: keep one first'],
        hint: ['只发给其中的企微好友，每人每月有上限', 'Friends in WeCom get it, so many a month'],
      }),
      content: ask.text({ label: ['内容', 'Text'], max: 1000, lines: 4, field: 'mass' }),
      material_ids: massMaterialsAsk(calls.materials),
      send_at: ask.time({
        label: ['发送时间', 'Send time'],
        optional: true,
        hint: ['留空为立即；由成员在企微确认后发出', 'Empty: now; each adviser confirms it'],
      }),
    },
    input: (_, { send_at, material_ids, ...asked }) => ({
      ...asked,
      material_ids: material_ids ?? [],
      ...(send_at && { send_at }),
    }),
    alias: ['群发', 'mass text'],
  }),
  remark: row.row(calls.remark, ['修改备注', 'Change the remark'], {
    key: 'e',
    when: can('remark'),
    asks: {
      follow_id: ask.entity({
        ...follow,
        initial: rows => first(rows)?.follow_id,
        named: rows => first(rows)?.name,
      }),
      remark: ask.text({
        label: ['备注', 'Remark'],
        max: 20,
        optional: true,
        initial: rows => rows[0]?.remark,
        hint: ['留空为清除；由企微确认后生效', 'Empty takes it away; there once WeCom answers'],
      }),
      description: ask.text({
        label: ['描述', 'Description'],
        max: 150,
        lines: 3,
        optional: true,
        initial: rows => rows[0]?.description,
      }),
    },
    input: asking(({ follow_id, remark, description }) => ({
      follow_id,
      remark: remark ?? '',
      description: description ?? '',
    })),
  }),
  removeTag: action(calls.removeTag, {
    ...onSeveral,
    title: '移除标签',
    en: 'Take tags off',
    key: 'u',
    when: of => {
      const may = can('untag')(of)
      if (may !== true) return may
      return of.tags.length > 0 || ['没有标签', 'There are no tags']
    },
    asks: { tag_ids: takenTagsAsk(calls.tags), ...which },
    input: marked,
  }),
  saveAttrs: row.row(calls.saveAttrs, ['修改客户属性', 'Change attributes'], {
    key: 'a',
    when: can('saveAttrs'),
    alias: ['画像字段', 'portrait'],
  }),
  bindMember: row.row(calls.bindMember, ['关联会员', 'Link a member'], {
    key: 'm',
    when: can('matchMember'),
    asks: { member_id: memberAsk(calls.members) },
    input: asking(asked => asked),
  }),
  unbindMember: row.row(calls.unbindMember, ['解除会员关联', 'Unlink the member'], {
    key: 'd',
    danger: true,
    when: can('unmatch'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  transferResigned: action(calls.transferResigned, {
    ...onSeveral,
    title: '离职继承',
    en: 'Hand down',
    key: 'i',
    danger: true,
    when: of => {
      const may = can('transfer')(of)
      if (may !== true) return may
      return of.advisers.length > of.live_count || inService
    },
    asks: { ...givers, to_staff_id: receiverAsk(calls.receivers) },
    input: moved,
  }),
  open: row.row('customer.list.open', ['打开客户详情', 'Open the customer'], {
    key: 'o',
    permit: customerPage.permit,
    to: rows => to(customerPage, { id: rows[0]!.id }),
    takenBack: 'nothing',
  }),
  filterTags: pageAction('customer.list.filterTags', ['按标签筛选', 'Filter by tags'], at, {
    key: 'f',
    permit: at.permit,
    takenBack: 'nothing',
    asks: {
      tag_ids: ask.entities({
        label: ['标签', 'Tags'],
        max: TAG_FILTER_MOST,
        find: calls.tags,
        labelOf: (of: { name: string; group: string }) => `${of.group} / ${of.name}`,
        optional: true,
        hint: ['留空为不限', 'Empty: any'],
        initial: rows => rows[0]?.tag_ids,
        named: rows => rows[0]?.names,
      }),
      tags_how: ask.choice({
        label: ['方式', 'How'],
        options: tagAsks,
        initial: rows => rows[0]?.tags_how ?? 'any',
      }),
    },
  }),
  saveSegment: pageAction(calls.saveSegment, ['存为分群', 'Save as a segment'], at, {
    key: 'shift+s',
    tells: tellsKept(['客户', 'customers']),
    asks: {
      name: ask.text({ label: ['名称', 'Name'], max: 40 }),
      as: ask.choice({
        label: ['保存为', 'Keep'],
        options: segmentAs,
        initial: () => 'rule' as const,
        hint: ['分群只含已绑定会员的客户', 'Only customers who are members are in it'],
      }),
    },
    input: (rows, asked) => ({ ...keptOf(rows)?.filters, ...asked }),
    alias: ['人群包', 'audience'],
  }),
  cancelSend: pageAction(calls.cancelSend, ['取消群发', 'Cancel a broadcast'], at, {
    key: 'shift+d',
    danger: true,
    asks: {
      task_id: ask.entity({
        label: ['群发', 'Text'],
        find: calls.sends,
        labelOf: (
          of: { name: string; send_at: number; waiting_n: number; sent_n: number },
          lang: Lang,
        ) =>
          `${of.name}${say(aside, lang, { it: `${timeFull(of.send_at).slice(5, 16)} · ${of.sent_n}/${of.sent_n + of.waiting_n}` })}`,
        by: ['内容或编号', 'its words or number'],
        none: ['没有进行中的群发', 'No text is on its way'],
        hint: [
          '括号内为发送时间与已发人数；只停止未发送的部分',
          'When, and how many got it; what was sent stays sent',
        ],
      }),
      reason,
    },
    input: (_, asked) => asked,
  }),
  sync: pageAction(calls.sync, ['同步客户', 'Sync customers'], at, {
    key: 's',
    asks: {
      scope: ask.choice({
        label: ['范围', 'What'],
        options: syncKinds,
        initial: () => 'customers' as const,
        hint: ['同一范围每 10 分钟最多一次', 'Each once in ten minutes'],
      }),
    },
    input: (_, asked) => asked,
    alias: ['wecom sync'],
  }),
  export: exportAction(calls.export, ['导出客户', 'Export customers'], at),
}
export const customerFileFound = recordFinder({
  pages: [at],
  hint: ['按客户或会员昵称开头、会员号查找', 'By how the name begins, or the member number'],
  find: calls.lst,
  asked: byKeyword,
  given: of => ({ type: 'wecom_customer', id: of.id, row: of }),
  title: of => of.name,
  more: of => [of.member?.uid ?? '未关联会员', of.member?.uid ?? 'No member'],
})
