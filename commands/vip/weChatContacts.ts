import { staffCan, transferScopes, type StaffVerb } from '#src/areas/wecom/wecom.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import {
  adviserRow,
  advisersPage as calls,
  type AdviserRow,
} from '#src/modules/vip/contract/weChatContacts.ts'
import { ask, type Told } from '../command.ts'
import { advisersPage as at } from '../pages/vip.ts'
import { asking, exportAction, one, reason, rowActions } from '../record.ts'
import { customerNotice } from '../wecom.ts'

const row = rowActions(at, adviserRow)
const can = (verb: StaffVerb) => (of: AdviserRow) => staffCan(verb, of)
const receiver = ask.entity({
  label: ['接收成员', 'Receiver'],
  find: calls.receivers,
  given: rows => ({ but: rows[0]?.id }),
  labelOf: (of: { name: string; place: string; customer_count: number }, lang: Lang) =>
    `${of.name}${say(aside, lang, { it: `${of.place && `${of.place} · `}${of.customer_count}` })}`,
  by: ['姓名或企微账号', 'name or WeCom account'],
  field: 'to',
  none: ['没有可接收的成员', 'No one can take over'],
  hint: [
    '在职且已开通客户联系；括号内为商场与现有客户数，同商场在前',
    'Active staff with customer contact; mall and current customers in brackets, same mall first',
  ],
})
const heldCustomers = ([of]: readonly AdviserRow[]): Told | undefined =>
  of && [
    [
      '{who} 有 {n} 位跟进中的客户，{w} 项转接等待中',
      '{who} follows {n} customers; {w} transfers are pending',
    ],
    { who: of.name, n: of.customer_count, w: of.waiting_count },
  ]

/** What is done with advisers: hand-overs of customers and chats, accounts, caps and codes. */
export const adviserActions = {
  inheritCustomers: row.row(calls.inheritCustomers, ['离职继承客户', 'Inherit customers'], {
    key: 'i',
    main: true,
    when: can('inheritCustomers'),
    tells: heldCustomers,
    asks: { to_staff_id: receiver },
    input: asking(asked => asked),
  }),
  transferCustomers: row.row(calls.transferCustomers, ['在职转接客户', 'Transfer customers'], {
    key: 't',
    main: 'plain',
    when: can('transferCustomers'),
    tells: heldCustomers,
    asks: {
      to_staff_id: receiver,
      scope: ask.choice({
        label: ['范围', 'Scope'],
        options: transferScopes,
        initial: () => 'all',
        hint: [
          '客户 24 小时内可拒绝；每位客户 90 天内最多转接 2 次',
          'Customers can refuse within 24 hours; each can be transferred at most twice in 90 days',
        ],
      }),
      notice: customerNotice,
      reason,
    },
    input: asking(({ notice, ...asked }) => ({ ...asked, ...(notice && { notice }) })),
  }),
  transferGroups: row.row(calls.transferGroups, ['转接客户群', 'Transfer groups'], {
    key: 'c',
    main: 'plain',
    when: can('transferGroups'),
    asks: {
      to_staff_id: receiver,
      group_ids: ask.entities({
        label: ['客户群', 'Groups'],
        max: 100,
        find: calls.groups,
        given: rows => ({ id: rows[0]?.id }),
        labelOf: (of: { name: string; member_count: number }, lang: Lang) =>
          `${of.name}${say(aside, lang, { it: of.member_count })}`,
        field: 'groups',
        hint: [
          '一次最多 100 个，接收成员每日最多 300 个',
          'At most 100 at once, 300 a day per receiver',
        ],
        none: ['没有可转接的客户群', 'No groups to transfer'],
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  bindAdmin: row.row(calls.bindAdmin, ['绑定后台账号', 'Link a console account'], {
    key: 'b',
    when: can('bindAdmin'),
    asks: {
      admin_id: ask.entity({
        label: ['后台账号', 'Console account'],
        find: calls.accounts,
        labelOf: (of: { name: string; account: string }, lang: Lang) =>
          `${of.name}${say(aside, lang, { it: of.account })}`,
        by: ['姓名或账号', 'name or account'],
        hint: ['一个后台账号只能绑定一位企微成员', 'One console account per WeCom member'],
        initial: rows => rows[0]?.admin_id ?? undefined,
        named: rows => rows[0]?.admin_name,
      }),
    },
    input: asking(asked => asked),
  }),
  setDailyCap: row.row(calls.setDailyCap, ['设置每日加好友上限', 'Set daily contact cap'], {
    key: 'l',
    when: can('setDailyCap'),
    asks: {
      cap: ask.number({
        label: ['每日上限', 'Daily cap'],
        min: 1,
        max: 500,
        optional: true,
        field: 'daily_add_cap',
        initial: rows => rows[0]?.daily_add_cap ?? undefined,
        hint: [
          '留空为不限；达到后渠道活码改派其他成员',
          'Empty: unlimited; beyond it, channel codes go to other members',
        ],
      }),
    },
    input: asking(({ cap }) => (cap ? { daily_add_cap: cap } : {})),
  }),
  genCode: row.row(calls.genCode, ['生成专属活码', 'Create a contact code'], {
    key: 'q',
    when: can('genCode'),
    input: one,
    takenBack: 'again',
  }),
  export: exportAction(calls.export, ['导出成员', 'Export members'], at),
}
