import { z } from 'zod'
import { textStates } from '#src/areas/member/texting.ts'
import {
  chargeStates,
  contractStates,
  EXTEND_MOST,
  extensionStates,
  type ChargeState,
  type ContractState,
} from '#src/areas/vipCard/renewal.ts'
import {
  openedBy,
  subscriptionStates,
  type OpenedBy,
  type SubscriptionState,
} from '#src/areas/vipCard/subscription.ts'
import { vipOrderStates, type VipOrderState } from '#src/areas/vipCard/vipOrder.ts'
import { placed } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import { callsOf, one, reason } from '#src/contract/record.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  page,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { refundable } from './cardOrder.ts'

const count = z.int().min(0)
const status = keysOf<SubscriptionState>(subscriptionStates)
const contract = keysOf<ContractState>(contractStates)
/** A membership, with all that decides what staff may do about it. */
export const paidRow = z.object({
  id,
  version,
  member_id: id,
  member_name: z.string(),
  uid: z.string(),
  phone: guarded('member.phone', z.string()),
  city_name: z.string(),
  card_id: id,
  card_name: z.string(),
  status,
  start_at: unix,
  end_at: unix,
  auto_renew: z.boolean(),
  contract: contract.nullable(),
  next_charge_at: unix.nullable(),
  charge_fail_count: count,
  charge_error: z.string(),
  charging: z.boolean(),
  retries: count,
  saved_cents: cents,
  paid_cents: cents,
  refundable,
  refunding: z.boolean(),
  asked: z
    .object({
      id,
      asker_id: id,
      asker: z.string(),
      days: count,
      reason: z.string(),
      at: unix,
    })
    .nullable(),
  reminded_at: unix.nullable(),
})
export type PaidRow = z.output<typeof paidRow>

const filters = {
  keyword: searched(40).optional(),
  member_id: id.optional(),
  card_id: id.optional(),
  status: status.optional(),
  auto_renew: z.enum(['on', 'off']).optional(),
  /** A charge of it failed, and none succeeded since. */
  failing: z.boolean().optional(),
  /** An extension of it waits for a second person. */
  asked: z.boolean().optional(),
  city_id: id.optional(),
  /** When it ends. */
  from: unix.optional(),
  to: unix.optional(),
}
export type PaidFilters = z.output<z.ZodObject<typeof filters>>
const touches = ['vip_subscription', 'vip_card_order', 'order', 'refund', 'member']
const call = callsOf('vip/payment', { touches, rows: 'vip_subscription' })
const view = 'vip.payment.view'
const days = z.int().min(1).max(EXTEND_MOST)

const past = z.object({
  periods: z.array(
    z.object({
      id,
      order_no: z.string(),
      kind: keysOf<OpenedBy>(openedBy),
      state: keysOf<VipOrderState>(vipOrderStates),
      pay_cents: cents,
      refunded_cents: cents,
      start_at: unix.nullable(),
      end_at: unix.nullable(),
      source: z.string(),
    }),
  ),
  charges: z.array(
    z.object({
      id,
      out_no: z.string(),
      amount_cents: cents,
      state: keysOf<ChargeState>(chargeStates),
      error: z.string(),
      by: z.string(),
      at: unix,
    }),
  ),
  extensions: z.array(
    z.object({
      id,
      days: count,
      state: keysOf(extensionStates),
      reason: z.string(),
      asker: z.string(),
      decider: z.string(),
      decide_reason: z.string(),
      at: unix,
    }),
  ),
  reminders: z.array(
    z.object({
      id,
      text: z.string(),
      state: keysOf(textStates),
      answer: z.string().nullable(),
      by: z.string(),
      at: unix,
    }),
  ),
})
export type PaidPast = z.output<typeof past>

/**
 * Paid members now: until when, whether they renew by themselves, and what is done about
 * complaints.
 */
export const paidMembers = {
  lst: call.read('lst', ['付费会员列表', 'Paid members'], {
    input: z.object({ ...page, ...filters }),
    output: z.object({ ...listOf(paidRow).shape, stat: z.record(z.string(), z.int()) }),
    permit: view,
    finds: memberFinds,
  }),
  figures: call.read('figures', ['付费会员概览', 'Figures of paid members'], {
    input: z.object({}),
    output: z.object({
      active: count,
      ending: count,
      renewed_bp: count,
      ended: count,
      lost: count,
      lost_bp: count,
      saved_cents: cents,
    }),
    permit: view,
  }),
  /** Periods, charges, extensions and reminders of one membership, the last first. */
  history: call.read('history', ['会员续费轨迹', 'History of a membership'], {
    input: z.object({ id }),
    output: past,
    permit: view,
    scope: placed('vip_subscription', 'id'),
  }),
  plans: call.read('plans', ['可选卡种', 'Plans to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['vip_card'],
    permit: view,
    scope: 'all',
  }),
  extend: call.changes('extend', ['延长有效期', 'Extend a membership'], {
    fields: { days, reason },
    answer: { waits: z.boolean() },
  }),
  approveExtend: call.changes('approveExtend', ['同意延期', 'Agree to an extension']),
  rejectExtend: call.changes('rejectExtend', ['驳回延期', 'Reject an extension'], {
    fields: { reason },
  }),
  /** More than a year waits for a second person, each by itself. */
  batchExtend: call.write('batchExtend', ['批量延期', 'Extend selected'], {
    input: z.object({ ids: z.array(id).min(1).max(200), days, reason }),
    output: batchResult,
    scope: placed('vip_subscription', 'ids'),
  }),
  stopRenew: call.changes('stopRenew', ['关闭自动续费', 'Stop auto-renewal'], {
    fields: { reason },
    touches: [...touches, 'vip_contract'],
  }),
  /** Begins a charge; it is done once the channel has answered. */
  retryCharge: call.changes('retryCharge', ['重新扣款', 'Charge again'], {
    answer: { out_no: z.string() },
    touches: [...touches, 'vip_charge'],
  }),
  refundRemain: call.write('refundRemain', ['退会退款', 'Refund and end membership'], {
    input: z.object({ ...one, reason }),
    output: z.object({ id, refunds: count, amount_cents: cents }),
    scope: placed('vip_subscription', 'id'),
  }),
  sendRenewRemind: call.write('sendRenewRemind', ['发送续费提醒', 'Send a reminder'], {
    input: z.object({ id }),
    output: z.object({ id, text: z.string() }),
    touches: ['vip_subscription', 'vip_notice'],
    scope: placed('vip_subscription', 'id'),
  }),
  export: call.startsExport('export', ['导出付费会员', 'Export paid members'], { filters }),
}
