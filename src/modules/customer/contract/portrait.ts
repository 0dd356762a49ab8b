import { z } from 'zod'
import { ATTR_OPTIONS_MOST, attrTypes } from '#src/areas/customerAttr/customerAttr.ts'
import { dimensionKey, hiddenWhy } from '#src/areas/portrait/portrait.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  guarded,
  id,
  keysOf,
  keyText,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'

/** Null: hidden, of fewer than five people or beside them. `tenths`: of a percent. */
const cell = z.object({
  n: z.int().nullable(),
  tenths: z.int().nullable(),
  hidden: keysOf(hiddenWhy).nullable(),
})
export const barRow = z.object({
  id,
  version,
  dim: z.string(),
  dim_title: z.string(),
  /** `UNKNOWN`: not known. */
  value: z.string(),
  label: z.string(),
  a: cell,
  b: cell.nullable(),
})
export type BarRow = z.output<typeof barRow>
const side = z.object({
  id: z.int(),
  name: z.string(),
  n: z.int(),
  /** The number of people is estimated, too. */
  estimated: z.boolean(),
  /** People that the bars are estimated from; null: they are counted. */
  sampled: z.int().nullable(),
  refreshed_at: unix.nullable(),
})
export type PortraitSide = z.output<typeof side>
const person = z.object({
  id,
  uid: z.string(),
  nickname: z.string(),
  level: z.int(),
  city_name: z.string(),
  phone: guarded('member.phone', z.string()),
  total_paid_cents: z.int(),
  last_order_at: unix.nullable(),
  is_friend: z.boolean(),
})
const attr = z.object({
  id,
  version,
  label: z.string(),
  type: keysOf(attrTypes),
  options: z.array(z.object({ key: z.string(), label: z.string() })),
  used_n: z.int(),
})
export type PortraitAttr = z.output<typeof attr>

const call = callsOf('customer/portrait', { touches: ['segment', 'member'], rows: 'all' })
const view = 'customer.portrait.view'
/** A segment; 0 is everybody. */
const audience = z.int().min(0).max(2147483647)
const dim = keyText(20, 1).regex(dimensionKey)
const compared = {
  a: audience.default(0),
  b: audience.optional(),
  lost: z.boolean().default(false),
}
const selected = {
  segment_id: audience,
  lost: z.boolean().default(false),
  dim,
  value: keyText(30, 1),
}
const filters = { ...compared, dim: dim.optional() }
const attrs = ['customer_attr'] as const

/** Audiences side by side: who they are, and who stands behind a bar. */
export const portrait = {
  lst: call.read('lst', ['客户画像', 'Portrait'], {
    input: z.object({ ...page, ...filters }),
    output: z.object({ ...listOf(barRow).shape, sides: z.array(side) }),
    touches: ['segment', 'member', ...attrs],
    scope: placed('member'),
    permit: view,
  }),
  /**
   * Some people behind a bar, and how many they are; `n` is null where the portrait hides them and
   * the person may not see phones.
   */
  drill: call.read('drill', ['下钻名单', 'People behind a bar'], {
    input: z.object(selected),
    output: z.object({
      people: z.array(person),
      n: z.int().nullable(),
      sampled: z.int().nullable(),
    }),
    scope: placed('member'),
  }),
  segments: call.read('segments', ['可对比的分群', 'Audiences to compare'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    permit: view,
  }),
  dims: call.read('dims', ['画像维度', 'Dimensions'], {
    input: z.object({}),
    output: z.object({ list: z.array(z.object({ key: z.string(), title: z.string() })) }),
    touches: attrs,
    permit: view,
  }),
  attrs: call.read('attrs', ['画像字段', 'Fields'], {
    input: z.object({ keyword: searched(20).optional(), ...page }),
    output: z.object({ ...listOf(attr).shape, list_version: z.int() }),
    touches: attrs,
    permit: view,
  }),
  saveSegment: call.write('saveSegment', ['选区存为分群', 'Save a selection'], {
    input: z.object({ ...selected, name: text(40) }),
    output: z.object({ id, version, customer_count: z.int() }),
    scope: placed('member'),
  }),
  saveAttr: call.write('saveAttr', ['保存画像字段', 'Save a field'], {
    input: z.object({
      id: id.optional(),
      label: text(20),
      type: keysOf(attrTypes),
      options: z.array(text(20)).max(ATTR_OPTIONS_MOST).default([]),
    }),
    output: z.object({ id, version }),
    touches: attrs,
    scope: 'all',
  }),
  sortAttr: call.sorts('sortAttr', ['画像字段排序', 'Arrange the fields'], {
    fields: {},
    most: 100,
    touches: attrs,
  }),
  disableAttr: call.write('disableAttr', ['停用画像字段', 'Disable a field'], {
    input: z.object({ id, reason }),
    output: z.object({ id, version }),
    touches: attrs,
    scope: 'all',
  }),
  export: call.startsExport('export', ['导出画像报告', 'Export the portrait'], {
    filters,
    scope: placed('member'),
  }),
}
