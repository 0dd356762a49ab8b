import { customerCan, type CustomerVerb } from '#src/areas/wecom/wecom.ts'
import {
  customerRow,
  customersPage as calls,
  type CustomerRow,
} from '#src/modules/vip/contract/weChatCustomerList.ts'
import { action, ask, inAll, to } from '../command.ts'
import { customerPage, customersPage as at } from '../pages/vip.ts'
import { asking, exportAction, idsOf, one, reason, rowActions } from '../record.ts'
import { memberAsk, tagsAsk, takenTagsAsk } from '../wecom.ts'
import { massMaterialsAsk } from '../welcomeCards.ts'

const row = rowActions(at, customerRow)
const can = (verb: CustomerVerb) => (of: CustomerRow) => customerCan(verb, of)
const tags = tagsAsk(calls.tags, [
  '写入首位在职跟进成员名下',
  'Written under the first active adviser',
])

/** What is done with customers in WeCom: whom they are, how they are marked, what they are sent. */
export const customerActions = {
  matchMember: row.row(calls.matchMember, ['关联会员', 'Link a member'], {
    key: 'm',
    main: true,
    when: can('matchMember'),
    asks: {
      member_id: memberAsk(calls.members),
    },
    input: asking(asked => asked),
  }),
  tag: row.row(calls.tag, ['打企业标签', 'Add tags'], {
    key: 't',
    main: 'plain',
    when: can('tag'),
    asks: { tag_ids: tags },
    input: asking(asked => asked),
  }),
  untag: row.row(calls.untag, ['移除标签', 'Remove tags'], {
    key: 'u',
    when: of => {
      const may = can('untag')(of)
      if (may !== true) return may
      return of.tags.length > 0 || ['没有标签', 'No tags']
    },
    asks: {
      tag_ids: takenTagsAsk(calls.tags),
    },
    input: asking(asked => asked),
  }),
  remark: row.row(calls.remark, ['修改备注', 'Change the remark'], {
    key: 'e',
    main: 'plain',
    when: can('remark'),
    asks: {
      remark: ask.text({
        label: ['备注', 'Remark'],
        max: 20,
        initial: rows => rows[0]?.remark,
        hint: ['写入企微，由企微确认后生效', 'Written to WeCom; takes effect once WeCom confirms'],
      }),
    },
    input: asking(asked => asked),
  }),
  unmatch: row.row(calls.unmatch, ['解除关联', 'Unlink the member'], {
    key: 'd',
    danger: true,
    when: can('unmatch'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  open: row.row('vip.weChatCustomerList.open', ['打开客户详情', 'Open customer'], {
    key: 'o',
    main: 'plain',
    permit: customerPage.permit,
    to: rows => to(customerPage, { id: rows[0]!.id }),
    takenBack: 'nothing',
  }),
  syncOne: row.row(calls.syncOne, ['刷新客户资料', 'Refresh customers'], {
    key: 's',
    when: can('syncOne'),
    input: one,
    takenBack: 'again',
  }),
  createMass: action(calls.createMass, {
    title: '创建群发任务',
    en: 'Create a mass message',
    key: 'p',
    at,
    on: customerRow,
    most: 200,
    danger: true,
    when: can('createMass'),
    tells: inAll,
    asks: {
      content: ask.text({ label: ['内容', 'Text'], max: 1000, lines: 4 }),
      material_ids: massMaterialsAsk(calls.materials),
      schedule_at: ask.time({
        label: ['发送时间', 'Send time'],
        optional: true,
        hint: [
          '留空为立即；由成员在企微确认后发出',
          'Empty: now; sent once each adviser confirms in WeCom',
        ],
      }),
    },
    input: (rows, { schedule_at, content, material_ids }) => ({
      ...idsOf(rows),
      content,
      material_ids: material_ids ?? [],
      ...(schedule_at && { schedule_at }),
    }),
  }),
  batchTag: action(calls.batchTag, {
    title: '批量打标签',
    en: 'Tag selected',
    key: 'shift+t',
    at,
    on: customerRow,
    most: 200,
    when: can('tag'),
    tells: inAll,
    asks: { tag_ids: tags },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  export: exportAction(calls.export, ['导出企微客户', 'Export customers'], at),
}
