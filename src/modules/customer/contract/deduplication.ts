import { z } from 'zod'
import { dupKinds, dupOutcomes, dupStates, agreements } from '#src/areas/dedup/dup.ts'
import { accountStates, genders } from '#src/areas/member/member.ts'
import { addWays } from '#src/areas/wecom/wecom.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  open,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const agreement = keysOf(agreements)
export const dupRow = z.object({
  id,
  version,
  no: z.string(),
  kind: keysOf(dupKinds),
  /** What its members, or else its contacts, are called; each name once. */
  names: z.array(z.string()),
  confidence: z.int(),
  marks: z.object({
    unionid: agreement,
    phone: open('Whether phones agree, not what they are', agreement),
    name: agreement,
    birthday: open('Whether birthdays agree, not when they are', agreement),
    gender: agreement,
  }),
  follow_n: z.int(),
  member_n: z.int(),
  customer_n: z.int(),
  first_adder: z.string(),
  first_added_at: unix.nullable(),
  primary_name: z.string(),
  status: keysOf(dupStates),
  outcome: keysOf(dupOutcomes).nullable(),
  keep_id: id.nullable(),
  drop_ids: z.array(id),
  /** When the merge that can be taken back was made. */
  merged_at: unix.nullable(),
  asked_by: id.nullable(),
  asker_name: z.string(),
  decider_name: z.string(),
  decided_at: unix.nullable(),
  reason: z.string(),
  raised_at: unix,
})
export type DupRow = z.output<typeof dupRow>
const person = z.object({
  id,
  uid: z.string(),
  nickname: z.string(),
  phone: guarded('member.phone', z.string()),
  birthday: guarded('member.birthday', z.string().nullable()),
  gender: keysOf(genders),
  level: z.int(),
  account_state: keysOf(accountStates),
  city_name: z.string(),
  register_at: unix,
  points: z.int(),
  growth: z.int(),
  order_count: z.int(),
  total_paid_cents: cents,
  last_order_at: unix.nullable(),
  vip_end_at: unix.nullable(),
  tags: z.array(z.string()),
  customer_id: id.nullable(),
  has_unionid: z.boolean(),
  balance_cents: cents,
  withdrawals: z.int(),
  sanctions: z.int(),
})
export type DupMember = z.output<typeof person>
const contact = z.object({
  id,
  name: z.string(),
  corp_name: z.string(),
  last_active_at: unix.nullable(),
  group_count: z.int(),
  primary_follow_id: id.nullable(),
  member_id: id.nullable(),
})
export type DupContact = z.output<typeof contact>
const relation = z.object({
  id,
  customer_id: id,
  staff_name: z.string(),
  left: z.boolean(),
  malls: z.string(),
  added_at: unix,
  add_way: keysOf(addWays),
  tags: z.array(z.string()),
  is_primary: z.boolean(),
})
export type DupRelation = z.output<typeof relation>
/** `again`: adds of people who had been added before. */
const again = z.object({ id, name: z.string(), adds: z.int(), again: z.int() })
export type DupFigures = z.output<typeof figures>
const figures = z.object({
  adds: z.int(),
  people: z.int(),
  /** The malls where most adds are of people who had been added. */
  malls: z.array(again),
  /** The advisers who most often added somebody after a colleague had. */
  advisers: z.array(again),
})

const rows = 'customer_dup'
const call = callsOf('customer/deduplication', { touches: [rows], rows })
const view = 'customer.deduplication.view'
const filters = {
  keyword: searched(40).optional(),
  /** A case that is asked for by its id is told whatever its state. */
  status: keysOf(dupStates).default('pending'),
  kind: keysOf(dupKinds).optional(),
  /** 0: outside any mall. */
  mid: z.int().min(0).max(2147483647).optional(),
  staff_id: id.optional(),
  member_id: id.optional(),
  customer_id: id.optional(),
  id: id.optional(),
}
const merging = [rows, 'member', 'wecom_customer', 'order', 'coupon']
const of = { id, keyword: searched(20).optional(), ...page }
const named = listOf(z.object({ id, name: z.string() }))

/** Adds and records that are one person: kept with one main adviser, merged, or said to be several. */
export const deduplication = {
  lst: call.read('lst', ['重复客户', 'Duplicates'], {
    input: z.object({ ...page, ...filters, sort: z.enum(['raised']).optional() }),
    output: z.object({ ...listOf(dupRow).shape, stat: z.record(z.string(), z.int()) }),
    touches: [rows, 'member', 'wecom_customer'],
    permit: view,
  }),
  /** How many adds are the same people again. */
  figures: call.read('figures', ['重复添加统计', 'Figures of repeated adds'], {
    input: z.object({}),
    output: figures,
    touches: [rows, 'wecom_customer'],
    permit: view,
  }),
  side: call.read('side', ['重复客户证据', 'Evidence of a duplicate'], {
    input: z.object({ id }),
    output: z.object({
      members: z.array(person),
      /** Members of cities that the reader does not see. */
      hidden_n: z.int(),
      customers: z.array(contact),
      follows: z.array(relation),
    }),
    touches: [rows, 'member', 'wecom_customer'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  /** Advisers who follow a contact of the case. */
  follows: call.read('follows', ['可指定的跟进人', 'Advisers of a duplicate'], {
    input: z.object(of),
    output: named,
    touches: [rows, 'wecom_customer'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  /** Members of the case. */
  members: call.read('members', ['可合并的会员', 'Members of a duplicate'], {
    input: z.object(of),
    output: named,
    touches: [rows, 'member'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  rescan: call.write('rescan', ['重新检测', 'Scan again'], {
    input: z.object({}),
    output: z.object({ found: z.int(), raised: z.int(), gone: z.int() }),
    scope: 'all',
  }),
  setPrimary: call.changes('setPrimary', ['指定主跟进人', 'Set the main adviser'], {
    fields: { follow_id: id },
    touches: [rows, 'wecom_customer'],
  }),
  batchPrimary: call.write('batchPrimary', ['按最早添加指定', 'Main adviser: who added first'], {
    input: z.object({ ids: z.array(id).min(1).max(200) }),
    output: batchResult,
    touches: [rows, 'wecom_customer'],
    scope: placed(rows, 'ids'),
  }),
  mergeMember: call.changes('mergeMember', ['合并会员档案', 'Merge members'], {
    fields: { keep_id: id, drop_ids: z.array(id).min(1).max(20), reason },
    answer: { status: keysOf(dupStates) },
    touches: merging,
  }),
  approveMerge: call.changes('approveMerge', ['复核通过合并', 'Approve the merge'], {
    touches: merging,
  }),
  rejectMerge: call.changes('rejectMerge', ['驳回合并', 'Reject the merge'], {
    fields: { reason },
  }),
  ignore: call.changes('ignore', ['标记非重复', 'Not a duplicate'], { fields: { reason } }),
  reopen: call.changes('reopen', ['撤销忽略', 'Undo “not a duplicate”']),
  undoMerge: call.changes('undoMerge', ['撤销合并', 'Undo the merge'], {
    fields: { reason },
    touches: merging,
  }),
  export: call.startsExport('export', ['导出重复名单', 'Export duplicates'], { filters }),
}
