import { attrTypes } from '#src/areas/customerAttr/customerAttr.ts'
import {
  barRow,
  portrait as calls,
  type BarRow,
  type PortraitAttr,
} from '#src/modules/customer/contract/portrait.ts'
import { ask, called } from '../command.ts'
import { portraitPage as at } from '../pages/customer.ts'
import { arrangeAction, exportAction, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(at, barRow)
called(barRow, of => of.label)
const labelOf = (of: { name: string }) => of.name
/** A bar as the page gives it: with the audiences that it is of. */
export type Selected = BarRow & { a_id: number; b_id: number | undefined; lost: boolean }
const sides = {
  a: ['人群 A', 'Audience A'],
  b: ['人群 B', 'Audience B'],
} as const
const attr = ask.entity({
  label: ['画像字段', 'Field'],
  find: calls.attrs,
  labelOf: (of: PortraitAttr) => of.label,
  none: ['没有启用中的画像字段', 'No fields enabled'],
})

/** What is done with a portrait: compared, looked behind, kept; and fields that staff note. */
export const portraitActions = {
  compare: pageAction('customer.portrait.compare', ['对比人群', 'Compare audiences'], at, {
    key: 'c',
    main: true,
    permit: calls.lst.permit,
    asks: {
      a: ask.entity({
        label: sides.a,
        find: calls.segments,
        labelOf,
        optional: true,
        hint: ['留空为全部会员', 'Empty: all members'],
      }),
      b: ask.entity({
        label: sides.b,
        find: calls.segments,
        labelOf,
        optional: true,
        hint: ['留空为全部会员；两边不能相同', 'Empty: all members; never the same as A'],
      }),
    },
  }),
  drill: row.row(calls.drill, ['下钻名单', 'List the people'], { key: 'v', main: 'plain' }),
  saveSegment: row.row(calls.saveSegment, ['选区存为分群', 'Save as a segment'], {
    key: 'p',
    main: 'plain',
    asks: {
      side: ask.choice({ label: ['取自', 'Of'], options: sides, initial: () => 'a' as const }),
      name: ask.text({
        label: ['名称', 'Name'],
        max: 40,
        initial: rows => rows[0] && `${rows[0].dim_title} ${rows[0].label}`.slice(0, 40),
      }),
    },
    input: ([of], { side, name }) => {
      const { a_id, b_id, lost, dim, value } = of as unknown as Selected
      return { segment_id: side === 'b' ? (b_id ?? a_id) : a_id, lost, dim, value, name }
    },
  }),
  lost: pageAction(
    'customer.portrait.lost',
    ['计入/排除流失客户', 'Include or exclude lost customers'],
    at,
    {
      key: 'l',
      permit: calls.lst.permit,
    },
  ),
  saveAttr: pageAction(calls.saveAttr, ['维护画像字段', 'Edit profile fields'], at, {
    key: 'e',
    asks: {
      id: { ...attr, optional: true, hint: ['留空为新增', 'Empty: a new one'] },
      label: ask.text({ label: ['名称', 'Name'], max: 20 }),
      type: ask.choice({
        label: ['类型', 'Type'],
        options: attrTypes,
        initial: () => 'choice' as const,
        hint: ['已有客户填写时不能修改，只能停用', 'Fixed once customers have values of it'],
      }),
      options: ask.text({
        label: ['选项', 'Options'],
        max: 600,
        lines: 4,
        optional: true,
        hint: ['单选时填写，每行一个', 'For one of several: one a line'],
        shown: ({ type }) => type === 'choice',
      }),
    },
    input: (_, { id, label, type, options }) => ({
      ...(id && { id }),
      label,
      type,
      options:
        type === 'choice' ? (options ?? '').split('\n').flatMap(line => line.trim() || []) : [],
    }),
  }),
  sortAttr: arrangeAction(calls.sortAttr, ['字段排序', 'Arrange the fields'], at, () => ({})),
  disableAttr: pageAction(calls.disableAttr, ['停用画像字段', 'Disable a field'], at, {
    key: 'd',
    danger: true,
    asks: { id: attr, reason },
    input: (_, asked) => asked,
  }),
  export: exportAction(calls.export, ['导出画像报告', 'Export the portrait'], at),
}
