import { z } from 'zod'
import {
  goodsFilters,
  goodsStates,
  type GoodsFilter,
  type GoodsState,
} from '#src/areas/redeemCode/goods.ts'
import {
  redeemResults,
  redeemWays,
  type RedeemResult,
  type RedeemWay,
} from '#src/areas/redeemCode/redeemCode.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  keyText,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

const result = keysOf<RedeemResult>(redeemResults)
const count = z.int().min(0)
export const redeemRow = z.object({
  id,
  created_at: unix,
  code_id: id.nullable(),
  /** The last signs of what was typed, behind dots. */
  masked: z.string(),
  batch_id: id.nullable(),
  batch_name: z.string(),
  partner: z.string(),
  member_id: id.nullable(),
  nickname: z.string(),
  phone: guarded('member.phone', z.string()),
  result,
  rewards: z.array(z.string()),
  channel: keysOf<RedeemWay>(redeemWays),
  by: z.string(),
  mall_name: z.string(),
  device_id: z.string(),
  ip: z.string(),
  reason: z.string(),
  revoked_at: unix.nullable(),
  reissued_at: unix.nullable(),
  /** How its prize stands; null where it gave none, or was taken back. */
  goods_state: keysOf<GoodsState>(goodsStates).nullable(),
  handed_at: unix.nullable(),
  handed_store: z.string(),
  handed_name: z.string(),
  locked_until: unix.nullable(),
  /** Tries of the same member, device and result in the same hour. */
  tries: count,
  version,
})
export type RedeemRow = z.output<typeof redeemRow>
const month = keyText(7, 7)
const filters = {
  /** The last four signs of a code. */
  tail: searched(8).optional(),
  phone: searched(20).optional(),
  batch_id: id.optional(),
  member_id: id.optional(),
  partner: searched(40).optional(),
  result: result.optional(),
  /** How its prize stands now; `none` where it gave none, or was taken back. */
  goods_state: keysOf<GoodsFilter>(goodsFilters).optional(),
  from: unix.optional(),
  to: unix.optional(),
  /** The first of tries that repeat each other within an hour. */
  folded: z.boolean().optional(),
}
const call = callsOf('redeemCode/redeem', {
  touches: ['redeem_log', 'redeem_code', 'code_batch'],
  rows: 'all',
})
const view = 'redeemCode.redeem.view'
const bill = z.object({
  id,
  partner: z.string(),
  month: z.string(),
  successes: count,
  revokes: count,
  amount_cents: cents,
  created_at: unix,
})

/** Every try of a code: why it was refused, and what is done about it. */
export const redeemLogs = {
  lst: {
    ...call.lists('lst', ['兑换记录', 'Redemption records'], { filters, row: redeemRow }),
    finds: { phone: { phone: ['member.phone'] } },
  },
  /** Tries by hour, of a week at most: who guesses codes stands out. */
  hourly: call.read('hourly', ['兑换时段分布', 'Attempts by hour'], {
    input: z.object({ batch_id: id.optional(), from: unix.optional(), to: unix.optional() }),
    output: z.object({
      hours: z.array(z.object({ at: unix, ok: count, failed: count, unknown: count })),
    }),
    permit: view,
  }),
  bills: call.read('bills', ['合作方账单列表', 'Partner bills'], {
    input: z.object({}),
    output: z.object({ list: z.array(bill) }),
    permit: view,
  }),
  /** Gives the coupons that the member lost of a success anew, once. */
  reissue: call.changes('reissue', ['补发奖励', 'Give the reward again'], { fields: { reason } }),
  /** A success is taken back while no reward was used; the code is open again, or void. */
  revoke: call.changes('revoke', ['撤销兑换', 'Undo a redemption'], {
    fields: { reopen: z.boolean(), reason },
    touches: [
      'redeem_log',
      'redeem_code',
      'code_batch',
      'vip_subscription',
      'vip_card_order',
      'ecard_code',
      'ecard_attr',
      'ecard',
    ],
  }),
  blockMember: call.write('blockMember', ['限制兑换', 'Block a member'], {
    input: z.object({ id, days: z.int().min(1).max(365), reason }),
    output: z.object({ id, until: unix }),
  }),
  /** Bills the successes of a month that is over, less those that were taken back; once. */
  partnerBill: call.write('partnerBill', ['生成合作方账单', 'Bill a partner'], {
    input: z.object({ partner: searched(40, 1), month }),
    output: bill,
  }),
  export: {
    ...call.startsExport('export', ['导出兑换记录', 'Export records'], { filters }),
    finds: { phone: { phone: ['member.phone'] } },
  },
}
