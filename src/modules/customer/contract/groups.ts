import { z } from 'zod'
import { combining, segmentKinds, segmentStates, useKinds } from '#src/areas/segment/segment.ts'
import { partStates } from '#src/areas/wecom/sending.ts'
import { placed } from '#src/contract/call.ts'
import { importCalls } from '#src/contract/importing.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  flag,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { materialPicks } from '#src/contract/wecomMaterial.ts'
import { ruleShape } from './ruleShape.ts'

const names = z.record(z.string(), z.string())
export const segmentRow = z.object({
  id,
  version,
  name: z.string(),
  kind: keysOf(segmentKinds),
  status: keysOf(segmentStates),
  /** The rule in a sentence, in the reader's language. */
  said: z.string(),
  rule: ruleShape.nullable(),
  exclude_ids: z.array(id),
  /** What rows are called that the rule names, by `mall:3`. */
  names,
  /** Those of them that are gone. */
  gone: z.array(z.string()),
  customer_count: z.int(),
  delta: z.int().nullable(),
  refreshed_at: unix.nullable(),
  /** Members counted so far, and up to which id of which last one. */
  progress: z.object({ n: z.int(), done: z.int(), until: z.int() }).nullable(),
  used_n: z.int(),
  live_uses: z.int(),
  owner_id: id,
  owner_name: z.string(),
  archive_reason: z.string(),
  created_at: unix,
})
export type SegmentRow = z.output<typeof segmentRow>
export const person = z.object({
  id,
  uid: z.string(),
  nickname: z.string(),
  level: z.int(),
  city_name: z.string(),
  phone: guarded('member.phone', z.string()),
  total_paid_cents: cents,
  last_order_at: unix.nullable(),
  is_friend: z.boolean(),
})
export type Person = z.output<typeof person>
const use = z.object({
  id,
  kind: keysOf(useKinds),
  what: z.string(),
  people_n: z.int(),
  begun_n: z.int(),
  done_n: z.int(),
  state: z.string().nullable(),
  by_name: z.string(),
  created_at: unix,
  /** What each adviser did with it, where it was a text. */
  advisers: z.array(
    z.object({
      staff_id: id,
      name: z.string(),
      /** Null where nobody of theirs could get it. */
      state: keysOf(partStates).nullable(),
      error: z.string(),
      errcode: z.int(),
      sent: z.int(),
      unsent: z.int(),
      not_friend: z.int(),
      over_limit: z.int(),
      stopped: z.int(),
    }),
  ),
})
export type SegmentUse = z.output<typeof use>
export const sized = z.object({
  n: z.int(),
  how: z.enum(['exact', 'sample', 'below']),
  give: z.int(),
  sampled: z.int(),
})

const rows = 'segment'
const call = callsOf('customer/groups', { touches: [rows], rows: 'all' })
const view = 'customer.groups.view'
const filters = {
  keyword: searched(40).optional(),
  kind: keysOf(segmentKinds).optional(),
  status: keysOf(segmentStates).optional(),
  owner_id: id.optional(),
  id: id.optional(),
}
const rule = { rule: ruleShape, exclude_ids: z.array(id).max(10).default([]) }
const name = text(40)
/** Everybody is meant, where a rule has no condition. */
const everyone = flag.default(false)
const picked = { ...page, keyword: searched(40).optional() }
const pick = (kind: string, title: readonly [string, string], touches: readonly string[]) =>
  call.read(kind, title, {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string() })),
    touches,
    permit: view,
  })

/** Segments of members: audiences that are built once, counted again, and used as they stand. */
export const groups = {
  lst: call.read('lst', ['客户分群', 'Segments'], {
    input: z.object({ ...page, ...filters, sort: z.enum(['size']).optional() }),
    output: z.object({ ...listOf(segmentRow).shape, stat: z.record(z.string(), z.int()) }),
    touches: [rows, 'wecom_send', 'job', 'wecom_tag', 'mall'],
    permit: view,
  }),
  /** Some people of a segment whom the reader sees, and what it was used for. */
  side: call.read('side', ['分群侧栏', 'Beside a segment'], {
    input: z.object({ id }),
    output: z.object({ people: z.array(person), mine_n: z.int(), uses: z.array(use) }),
    touches: [rows, 'member', 'wecom_send', 'wecom_staff', 'job'],
    scope: placed('member'),
    permit: view,
  }),
  /** How many people a rule means while it is written, and some of them. */
  preview: call.read('preview', ['试算人数', 'Try a rule'], {
    method: 'POST',
    input: z.object({ ...rule }),
    output: z.object({
      fault: z.string().nullable(),
      size: sized.nullable(),
      said: z.string(),
      names,
      people: z.array(person),
    }),
    touches: ['member'],
    scope: placed('member'),
    permit: 'customer.groups.preview',
  }),
  cities: pick('cities', ['可选城市', 'Cities'], ['city']),
  malls: pick('malls', ['可选商场', 'Malls'], ['mall']),
  memberTags: pick('memberTags', ['可选会员标签', 'Member tags'], ['member_tag']),
  wecomTags: pick('wecomTags', ['可选企微标签', 'WeCom tags'], ['wecom_tag']),
  staff: pick('staff', ['可选企微成员', 'Advisers'], ['wecom_staff']),
  chats: pick('chats', ['可选客户群', 'Group chats'], ['wecom_group']),
  segments: pick('segments', ['可选分群', 'Segments to name'], [rows]),
  coupons: call.read('coupons', ['可发放的优惠券', 'Coupons to give'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), left: z.int() })),
    touches: ['coupon'],
    permit: view,
  }),
  create: call.creates('create', ['新增分群', 'New segment'], {
    fields: { name, ...rule, everyone },
  }),
  edit: call.changes('edit', ['编辑分群', 'Edit segment'], {
    fields: { name, ...rule, everyone },
  }),
  refresh: call.changes('refresh', ['立即刷新', 'Refresh now']),
  ...importCalls(call, 'member', {
    title: ['导入静态名单', 'Import a fixed list'],
    touches: [rows],
  }),
  copy: call.changes('copy', ['复制分群', 'Copy segment'], { fields: { name } }),
  intersect: call.write('intersect', ['交并差运算', 'Put segments together'], {
    input: z.object({ ids: z.array(id).min(2).max(10), how: keysOf(combining), name }),
    output: z.object({ id, version }),
  }),
  archive: call.changes('archive', ['归档分群', 'Archive'], { fields: { reason } }),
  materials: call.read('materials', ['可选素材', 'Materials to choose'], {
    ...materialPicks,
    touches: ['wecom_material'],
    scope: 'all',
    permit: 'customer.groups.sendTo',
  }),
  sendTo: call.changes('sendTo', ['向分群群发', 'Message the segment'], {
    fields: {
      content: lines(1000),
      material_ids: z.array(id).max(9).default([]),
      schedule_at: unix.optional(),
    },
    answer: {
      sent_n: z.int(),
      failed_n: z.int(),
      no_friend_n: z.int(),
      failed: batchResult.shape.failed,
    },
    touches: [rows, 'wecom_send', 'wecom_customer'],
  }),
  grantCoupon: call.changes('grantCoupon', ['向分群发券', 'Issue a coupon'], {
    fields: { coupon_id: id, quantity: z.int().min(1).max(20), reason },
    answer: { job_id: id, rows: z.int() },
    touches: [rows, 'coupon', 'member', 'job'],
  }),
  export: call.startsExport('export', ['导出名单', 'Export people'], {
    filters: { segment_id: id },
    scope: placed('member'),
  }),
}
