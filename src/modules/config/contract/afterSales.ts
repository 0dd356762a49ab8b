import { z } from 'zod'
import {
  ANSWER_MAX_H,
  AUTO_MAX_CENTS,
  freightPayers,
  LATE_MAX_BP,
  LATE_MAX_CENTS,
  PHOTOS_MAX,
  RETURN_MAX_DAYS,
} from '#src/areas/afterSalePolicy/policy.ts'
import { faults, reasonTypes } from '#src/areas/afterSalePolicy/reason.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import {
  cents,
  id,
  keysOf,
  keyText,
  listOf,
  open,
  page,
  phoneText,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import type { Text } from '#src/domain/text.ts'

const version_no = z.int().min(0).max(2147483647)
const score = z.int().min(0).max(100)
const fastLimit = z.int().min(0).max(AUTO_MAX_CENTS)
/** What a person says of a policy; what holds between the fields is `policyFaults`. */
const policy = {
  no_reason_days: z.int().min(0).max(RETURN_MAX_DAYS),
  exempt: z.boolean(),
  freight_payer: keysOf(freightPayers),
  evidence_photos: z.int().min(1).max(PHOTOS_MAX),
  merchant_h: z.int().min(1).max(ANSWER_MAX_H),
  platform_h: z.int().min(1).max(ANSWER_MAX_H),
  auto_agree_cents: z.int().min(0).max(AUTO_MAX_CENTS),
  late_day_bp: z.int().min(0).max(LATE_MAX_BP),
  late_max_cents: z.int().min(0).max(LATE_MAX_CENTS),
}
/** The same as it stands: what was taken over from before may lie beyond today's bounds. */
const kept = {
  no_reason_days: z.int(),
  exempt: z.boolean(),
  freight_payer: policy.freight_payer,
  evidence_photos: z.int(),
  merchant_h: z.int(),
  platform_h: z.int(),
  auto_agree_cents: cents,
  fast_score: z.int(),
  fast_limit_cents: cents,
  late_day_bp: z.int(),
  late_max_cents: cents,
}
const told = { reason: z.string(), effective_at: unix.nullable(), by: z.string() }
/** What holds for a category; the default one stands before all, under the number 1. */
export const policyRow = z.object({
  id,
  name: z.string(),
  full_name: z.string(),
  level: z.int(),
  /** Its own; else `from` is the category whose policy it takes over. */
  own: z.boolean(),
  from: z.string(),
  /** The number of its newest version, 0 of what never had one; a change begins from it. */
  version,
  ...kept,
  ...told,
})
export type PolicyRow = z.output<typeof policyRow>
const words = z.tuple([z.string(), z.string()]) as unknown as z.ZodType<Text, Text>
const changed = z.array(z.object({ title: words, before: words, after: words }))
const policyVersion = z.object({
  id,
  name: z.string(),
  version_no,
  state: z.enum(['current', 'old']),
  inherits: z.boolean(),
  /** Against the version before it; none of the first. */
  changes: changed,
  ...told,
})
const tried = z.object({
  id,
  title: z.string(),
  /** Null of what was sold before there were policies. */
  version_no: version_no.nullable(),
  no_reason_days: z.int(),
  /** Until when it may be asked back; null while it was not received. */
  until: unix.nullable(),
  freight_payer: policy.freight_payer.nullable(),
  merchant_h: z.int(),
  platform_h: z.int(),
  auto_agree_cents: cents,
  /** Whether a refund of it, unsent, is agreed to at once. */
  fast: z.boolean(),
  /** What its buyer is due because it left late. */
  late_due_cents: cents,
})

const call = callsOf('config/afterSales', { touches: ['after_sale_config'], rows: 'all' })
const view = 'config.afterSales.view'
const keyword = searched(64).optional()

/** After-sale policies by category: versions, of which an item keeps the one it was sold under. */
export const afterSales = {
  lst: call.lists('lst', ['售后政策', 'After-sale policies'], {
    filters: { keyword, own: z.enum(['own', 'inherits']).optional() },
    row: policyRow,
    touches: ['after_sale_config', 'e_category'],
  }),
  savePolicy: call.changes('savePolicy', ['保存售后政策', 'Save a policy'], {
    fields: { ...policy, reason },
  }),
  /** A category follows the one above it again. */
  inherit: call.changes('inherit', ['沿用上级政策', 'Follow the category above'], {
    fields: { reason },
  }),
  setFastRefund: call.changes('setFastRefund', ['设置极速退款', 'Set fast refunds'], {
    fields: { score, limit_cents: fastLimit, reason },
  }),
  rollback: call.changes('rollback', ['回滚售后政策', 'Go back to a version'], {
    fields: { to: version_no, reason },
  }),
  history: call.read('history', ['政策变更历史', 'Versions of a policy'], {
    input: z.object({ ...page, id, keyword, old: z.boolean().default(false) }),
    output: listOf(policyVersion),
    permit: 'config.afterSales.history',
  }),
  /** What holds for the goods of an order, or for what is sold of a category now. */
  simulate: call.read('simulate', ['试算适用政策', 'Try a policy'], {
    input: z.object({ id, order_no: keyText(40).optional() }),
    output: z.object({ score: z.int().nullable(), list: z.array(tried) }),
    touches: ['after_sale_config', 'order'],
    permit: 'config.afterSales.simulate',
  }),
}

export const reasonRow = z.object({
  id,
  type: keysOf(reasonTypes),
  text: z.string(),
  need_evidence: z.boolean(),
  fault: keysOf(faults),
  sort: z.int(),
  status,
  /** Cases that gave it, of all times. */
  used: z.int(),
  version,
})
export type ReasonRow = z.output<typeof reasonRow>
const type = keysOf(reasonTypes)
const reasonFields = { text: text(64, 2), need_evidence: z.boolean(), fault: keysOf(faults) }
const offered = z.object({ list: z.array(z.object({ code: z.string(), text: z.string() })) })
const reasons = callsOf('config/afterSales', { touches: ['after_sale_reason'], rows: 'all' })
/** Why something is asked back, or refused: what the dialogs of cases offer. */
export const afterSaleReasons = {
  lst: reasons.lists('reasons', ['售后原因', 'After-sale reasons'], {
    filters: { type: type.default('refund'), keyword, status: status.optional() },
    row: reasonRow,
    answer: { arranged: z.array(z.object({ id, name: z.string() })), list_version: z.int() },
    permit: view,
  }),
  /**
   * What the dialogs of cases offer, to whoever may open one; with `off` also what older cases hold,
   * for filters.
   */
  asked: reasons.read('asked', ['可选的退款退货原因', 'Reasons of cases'], {
    input: z.object({ off: z.boolean().optional() }),
    output: offered,
    permit: 'signed-in',
  }),
  refused: reasons.read('refused', ['可选的拒绝原因', 'Reasons of refusals'], {
    input: z.object({}),
    output: offered,
    permit: 'signed-in',
  }),
  addReason: reasons.creates('addReason', ['新增售后原因', 'Add a reason'], {
    fields: { type, ...reasonFields },
  }),
  editReason: reasons.changes('editReason', ['编辑售后原因', 'Edit a reason'], {
    fields: reasonFields,
  }),
  sortReasons: reasons.sorts('sortReasons', ['调整原因顺序', 'Arrange reasons'], {
    fields: { type },
  }),
  enableReason: reasons.changes('enableReason', ['启用售后原因', 'Enable a reason']),
  disableReason: reasons.changes('disableReason', ['停用售后原因', 'Disable a reason'], {
    fields: { reason },
  }),
}

export const addressRow = z.object({
  id,
  merchant_id: id,
  merchant_name: z.string(),
  name: z.string(),
  phone: open('A merchant’s warehouse', z.string()),
  area: z.string(),
  address: open('Where goods are sent back to', z.string()),
  is_default: z.boolean(),
  /** Cases whose goods are on their way to it. */
  returning: z.int(),
  version,
})
export type AddressRow = z.output<typeof addressRow>
const addressFields = {
  name: text(32),
  phone: phoneText(20),
  area: text(64),
  address: text(128, 2),
}
const addresses = callsOf('config/afterSales', {
  touches: ['return_address'],
  rows: 'return_address',
})
/** Where goods are sent back to: each merchant that has addresses has a default one. */
export const afterSaleAddresses = {
  lst: addresses.lists('addresses', ['退货地址', 'Return addresses'], {
    filters: { keyword, merchant_id: id.optional() },
    row: addressRow,
    touches: ['return_address', 'merchant', 'refund'],
    permit: view,
  }),
  merchants: addresses.read('merchants', ['可选商户', 'Merchants'], {
    input: z.object({ ...page, keyword }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['merchant'],
    scope: placed('merchant'),
    permit: view,
  }),
  addAddress: addresses.creates('addAddress', ['新增退货地址', 'Add an address'], {
    fields: { merchant_id: id, ...addressFields },
    scope: placed('merchant', { merchant_id: 'merchant' }),
  }),
  editAddress: addresses.changes('editAddress', ['编辑退货地址', 'Edit an address'], {
    fields: addressFields,
  }),
  setDefaultAddress: addresses.changes('setDefaultAddress', [
    '设为默认退货地址',
    'Make an address the default',
  ]),
  delAddress: addresses.changes('delAddress', ['删除退货地址', 'Delete an address']),
}
