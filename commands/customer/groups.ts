import { combining, segmentCan, type SegmentVerb } from '#src/areas/segment/segment.ts'
import { aside, joinedNames, say, type Lang } from '#src/domain/text.ts'
import {
  groups as calls,
  segmentRow,
  type SegmentRow,
} from '#src/modules/customer/contract/groups.ts'
import { action, ask, type Told } from '../command.ts'
import { groupsPage as at } from '../pages/customer.ts'
import { asking, idsOf, one, pageAction, reason, rowActions } from '../record.ts'
import { massMaterialsAsk } from '../welcomeCards.ts'
import { conditionAsks } from './ruleAsks.ts'

const row = rowActions(at, segmentRow)
const can = (verb: SegmentVerb) => (of: SegmentRow) => segmentCan(verb, of)
const name = ask.text({ label: ['名称', 'Name'], max: 40 })
const whom = ([of]: readonly SegmentRow[]): Told | undefined =>
  of && [
    [
      '按当前名单 {n} 人执行，之后刷新不影响本次',
      'For the {n} people on it now: no later count changes that',
    ],
    { n: of.customer_count.toLocaleString('en-US') },
  ]
const couponAsks = {
  coupon_id: ask.entity({
    label: ['优惠券', 'Coupon'],
    find: calls.coupons,
    labelOf: (of: { name: string; left: number }, lang: Lang) =>
      `${of.name}${say(aside, lang, { it: of.left })}`,
    none: ['没有发放中的优惠券', 'No coupon is given out now'],
    hint: ['括号内为剩余张数', 'In brackets: how many are left'],
  }),
  quantity: ask.number({ label: ['每人张数', 'For each'], min: 1, max: 20, initial: () => 1 }),
  reason,
}

/** What is done with segments: built, counted, put together, used, put away. */
export const groupActions = {
  create: pageAction(calls.create, ['新增分群', 'New segment'], at, {
    key: 'c',
    main: true,
    alias: ['圈人', '规则', 'rule'],
  }),
  edit: row.row(calls.edit, ['编辑规则', 'Edit the rule'], {
    key: 'e',
    main: 'plain',
    when: can('edit'),
  }),
  preview: pageAction(calls.preview, ['试算人数', 'Try the rule'], at, { key: 'v' }),
  refresh: row.row(calls.refresh, ['立即刷新', 'Refresh now'], {
    key: 'r',
    main: 'plain',
    when: can('refresh'),
    input: one,
    takenBack: 'again',
  }),
  sendTo: row.row(calls.sendTo, ['向分群群发', 'Message the segment'], {
    key: 'p',
    main: 'plain',
    danger: true,
    when: can('use'),
    tells: whom,
    asks: {
      content: ask.text({ label: ['内容', 'Text'], max: 1000, lines: 4 }),
      material_ids: massMaterialsAsk(calls.materials),
      schedule_at: ask.time({
        label: ['发送时间', 'Send time'],
        optional: true,
        hint: [
          '留空为立即；只发给企微好友，由跟进成员在企微确认后发出',
          'Empty: now; WeCom friends get it once their advisers confirm',
        ],
      }),
    },
    input: asking(({ content, material_ids, schedule_at }) => ({
      content,
      material_ids: material_ids ?? [],
      ...(schedule_at && { schedule_at }),
    })),
  }),
  grantCoupon: row.row(calls.grantCoupon, ['向分群发券', 'Give a coupon'], {
    key: 'q',
    danger: true,
    when: can('use'),
    tells: whom,
    asks: couponAsks,
    input: asking(asked => asked),
  }),
  import: pageAction(calls.import, ['导入静态名单', 'Import a fixed list'], at, {
    key: 'i',
    alias: ['导入名单', 'Excel', 'CSV', '模板', 'template'],
  }),
  copy: row.row(calls.copy, ['复制分群', 'Copy'], {
    key: 'shift+c',
    when: can('copy'),
    asks: {
      name: ask.text({
        label: ['名称', 'Name'],
        max: 40,
        initial: rows => `${String(rows[0]?.name ?? '').slice(0, 37)} 副本`,
      }),
    },
    input: asking(asked => asked),
  }),
  intersect: action(calls.intersect, {
    title: '交并差运算',
    en: 'Put segments together',
    key: 'shift+i',
    at,
    on: segmentRow,
    when: can('combine'),
    least: 2,
    tells: rows => [['{names}', '{names}'], { names: joinedNames(rows.map(of => of.name)) }],
    asks: {
      how: ask.choice({
        label: ['运算方式', 'How'],
        options: combining,
        initial: () => 'intersect' as const,
        hint: ['差集以第一个选中的分群为准；结果随原分群更新', 'The result follows its segments'],
      }),
      name,
    },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  archive: row.row(calls.archive, ['归档分群', 'Archive'], {
    key: 'd',
    danger: true,
    when: can('archive'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: row.row(calls.export, ['导出名单', 'Export people'], {
    key: 'shift+e',
    when: can('export'),
  }),
}

const rule = (verb: string) => `customer.groups.${verb}`
/** What is done in the editor of a rule; its page performs all of it. */
export const ruleActions = {
  addCondition: pageAction(rule('addCondition'), ['添加条件', 'Add a condition'], at, {
    key: 'a',
    main: true,
    asks: conditionAsks,
  }),
  addGroup: pageAction(rule('addGroup'), ['添加条件组', 'Add a group'], at, {
    key: 'shift+a',
    main: 'plain',
  }),
  editNode: pageAction(rule('editNode'), ['修改条件', 'Change the condition'], at, {
    key: 't',
    asks: conditionAsks,
  }),
  join: pageAction(rule('join'), ['切换且/或', 'And / or'], at, { key: 'o', main: 'plain' }),
  negate: pageAction(rule('negate'), ['取反', 'Not'], at, { key: 'n' }),
  removeNode: pageAction(rule('removeNode'), ['删除条件', 'Remove'], at, { key: 'shift+d' }),
  exclude: pageAction(rule('exclude'), ['排除分群', 'Exclude segments'], at, {
    key: 'u',
    asks: {
      exclude_ids: ask.entities({
        label: ['排除的分群', 'Segments to exclude'],
        max: 10,
        optional: true,
        find: calls.segments,
        labelOf: (of: { name: string }) => of.name,
        initial: rows => rows[0]?.exclude_ids,
        named: rows => rows[0]?.excluded,
      }),
    },
  }),
  saveRule: pageAction(rule('saveRule'), ['保存分群', 'Save the segment'], at, {
    key: 's',
    main: 'plain',
    asks: {
      name: ask.text({ label: ['名称', 'Name'], max: 40, initial: rows => rows[0]?.name }),
      everyone: ask.flag({
        label: ['确认：没有条件，即全部会员', 'Yes, everybody: there is no condition'],
        initial: () => false,
        shown: (_, rows) => rows[0]?.isEverybody === true,
      }),
    },
  }),
  leaveRule: pageAction(rule('leaveRule'), ['返回列表', 'Back to the list'], at, { key: 'b' }),
}
