import { departmentCan, receiveKinds, type DepartmentVerb } from '#src/areas/wecom/wecom.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import {
  departmentRow,
  departments as calls,
  type DepartmentRow,
} from '#src/modules/vip/contract/weChatDepartment.ts'
import { ask } from '../command.ts'
import { departmentsPage as at } from '../pages/vip.ts'
import { mallAsk } from '../places.ts'
import { asking, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(at, departmentRow)
const can = (verb: DepartmentVerb) => (of: DepartmentRow) => departmentCan(verb, of)
type Named = { name: string; place: string }
const ofDepartment = (rows: readonly { id: number }[]) => ({ id: rows[0]?.id })
const staffLabel = (of: Named, lang: Lang) =>
  of.place ? `${of.name}${say(aside, lang, { it: of.place })}` : of.name

/** What is done with departments: malls, leads and receivers; the tree itself is WeCom's. */
export const departmentActions = {
  sync: pageAction(calls.sync, ['立即同步通讯录', 'Sync the directory'], at, {
    key: 's',
    main: true,
    input: () => ({}),
    takenBack: 'again',
    alias: ['同步企微部门', 'wecom sync'],
  }),
  viewDiff: pageAction('vip.weChatDepartment.viewDiff', ['查看同步差异', 'Differences'], at, {
    key: 'd',
    main: 'plain',
    permit: calls.viewDiff.permit,
    takenBack: 'nothing',
  }),
  retryEvents: pageAction(calls.retryEvents, ['重新处理企微事件', 'Retry WeCom events'], at, {
    key: 'shift+r',
    asks: {
      ids: ask.entities({
        label: ['未处理成功的事件', 'Failed events'],
        max: 50,
        find: calls.deadEvents,
        labelOf: (of: { name: string; subject: string; why: string }) =>
          `${of.name} ${of.subject} ${of.why}`,
        by: ['事件、对象或失败原因', 'event, subject or reason'],
        none: ['没有未处理成功的事件', 'No failed events'],
      }),
    },
    input: (_, { ids }) => ({ ids }),
    takenBack: 'again',
    alias: ['企微事件重试', 'wecom events'],
  }),
  bindMall: row.row(calls.bindMall, ['关联商场', 'Assign a mall'], {
    key: 'b',
    main: 'plain',
    when: can('bindMall'),
    asks: {
      mid: mallAsk({ named: () => undefined }),
      priority: ask.number({
        label: ['优先级', 'Priority'],
        min: 1,
        max: 9,
        optional: true,
        hint: [
          '1 最先接待；商场已有其他部门时必填且不能相同',
          '1 serves first; required and unique if the mall has other departments',
        ],
      }),
    },
    input: asking(({ mid, priority }) => ({ mid, ...(priority && { priority }) })),
  }),
  unbindMall: row.row(calls.unbindMall, ['解除关联商场', 'Unassign a mall'], {
    key: 'u',
    danger: true,
    when: can('unbindMall'),
    asks: {
      mid: ask.entity({
        label: ['商场', 'Mall'],
        find: calls.bound,
        given: ofDepartment,
        labelOf: (of: { name: string }) => of.name,
        initial: rows => (rows[0]?.malls.length === 1 ? rows[0].malls[0].mid : undefined),
        named: rows => rows[0]?.malls[0]?.name,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  setLeader: row.row(calls.setLeader, ['设为负责人', 'Set the leader'], {
    key: 'l',
    when: can('setLeader'),
    asks: {
      staff_id: ask.entity({
        label: ['负责人', 'Leader'],
        find: calls.staff,
        given: ofDepartment,
        labelOf: staffLabel,
        field: 'lead_userid',
        initial: rows => rows[0]?.lead_id ?? undefined,
        named: rows => rows[0]?.lead_name,
        none: ['部门内没有在职成员', 'No active members in the department'],
      }),
    },
    input: asking(asked => asked),
  }),
  setReceive: row.row(calls.setReceive, ['设置接待范围', 'Set reception scope'], {
    key: 'r',
    when: can('setReceive'),
    asks: {
      receive: ask.choice({
        label: ['接待范围', 'Reception scope'],
        options: receiveKinds,
        initial: rows => rows[0]?.receive,
      }),
      staff_ids: ask.entities({
        label: ['接待成员', 'Receiving members'],
        max: 50,
        find: calls.staff,
        given: ofDepartment,
        labelOf: staffLabel,
        field: 'receive_userids',
        shown: answers => answers.receive === 'some',
        initial: rows => rows[0]?.receive_ids,
        named: ([of]) =>
          Object.fromEntries(
            (of?.receive_ids ?? []).map((id: number, n: number) => [id, of.receive_names[n]]),
          ),
      }),
    },
    input: asking(({ receive, staff_ids }) => ({ receive, staff_ids: staff_ids ?? [] })),
  }),
}
