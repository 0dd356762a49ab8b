import { z } from 'zod'
import {
  codeStates as cardCodeStates,
  type CodeState as CardCodeState,
} from '#src/areas/ecard/ecard.ts'
import { goodsStates, type GoodsState } from '#src/areas/redeemCode/goods.ts'
import {
  codeStates,
  PASTED_MOST,
  redeemResults,
  type CodeState,
  type RedeemResult,
} from '#src/areas/redeemCode/redeemCode.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  listOf,
  mobile,
  page,
  pasted,
  revealed,
  searched,
  unix,
  version,
} from '#src/contract/shapes.ts'

/** How a code stands for whoever would redeem it now: `ok` where it can be. */
const result = keysOf<RedeemResult>(redeemResults)
/** A code is never answered but by its end, and never logged: its field is a secret one. */
const secret_code = pasted(80)
export const deskCode = z.object({
  id,
  /** Its last signs behind dots. */
  masked: z.string(),
  state: keysOf<CodeState>(codeStates),
  result,
  /** The meaning of that state, and how to go on. */
  text: z.string(),
  batch_id: id,
  batch_name: z.string(),
  partner: z.string(),
  rewards: z.array(z.string()),
  malls: z.array(z.string()),
  start_at: unix,
  end_at: unix,
  holder: z.string(),
  phone: guarded('member.phone', z.string()),
  used_times: z.int(),
  use_limit: z.int(),
  revealed: z.int(),
  /** The prize of its redemption; null where there is none. */
  goods: z
    .object({
      name: z.string(),
      state: keysOf<GoodsState>(goodsStates),
      /** The last moment at which it can be fetched. */
      until: unix,
      at: unix.nullable(),
      by: z.string(),
      store: z.string(),
    })
    .nullable(),
  /** The e-card that it gave its member, as the card stands now; null where it gave none. */
  card: z
    .object({
      name: z.string(),
      face_cents: cents,
      /** The last signs of its number. */ tail: z.string(),
      state: keysOf<CardCodeState>(cardCodeStates),
      balance_cents: cents,
    })
    .nullable(),
  /** Where the person handed a prize over last, of the stores that may hand this one over. */
  last_store: z.object({ id, name: z.string() }).nullable(),
  history: z.array(
    z.object({
      id,
      at: unix,
      result,
      member: z.string(),
      by: z.string(),
      revoked: z.boolean(),
    }),
  ),
  version,
})
export type DeskCode = z.output<typeof deskCode>
/** The row of a pasted code, or what is wrong with it. */
const looked = z.object({
  line: z.int(),
  /** Its last signs behind dots. */
  masked: z.string(),
  result,
  text: z.string(),
  batch_name: z.string(),
})
export type LookedUp = z.output<typeof looked>
const touches = ['redeem_code', 'redeem_log', 'code_batch']
/** These change besides where rewards are given or taken back. */
const rewarding = [
  ...touches,
  'vip_subscription',
  'vip_card_order',
  'ecard_code',
  'ecard_attr',
  'ecard',
]
const call = callsOf('redeemCode/vertify', { touches, rows: 'all' })
const told = z.object({ result, text: z.string(), code: deskCode.nullable() })

/** The desk: a code is looked up, redeemed for a member, voided, extended or taken back. */
export const codeDesk = {
  lookup: call.write('lookup', ['查询兑换码', 'Look up a code'], {
    input: z.object({ secret_code }),
    output: told,
    touches: ['code_lookup'],
  }),
  batchLookup: call.write('batchLookup', ['批量查询兑换码', 'Look up codes'], {
    input: z.object({ secret_codes: z.array(secret_code).min(1).max(PASTED_MOST) }),
    output: z.object({ rows: z.array(looked) }),
    touches: ['code_lookup'],
  }),
  /** The member says the phone, and its end once more: both are the same one. */
  redeemFor: call.write('redeemFor', ['代会员兑换', 'Redeem for a member'], {
    input: z.object({
      id,
      phone: mobile,
      phone_tail: z.string().regex(/^\d{4}$/),
      mall_id: z.int().min(0).max(2147483647).default(0),
    }),
    output: told,
    touches: rewarding,
  }),
  /** Stores of the person's data that may hand a code's prize over: those of its batch's malls. */
  stores: call.read('stores', ['可选核销门店', 'Stores to choose'], {
    input: z.object({ ...page, keyword: searched(40).optional(), code_id: id.optional() }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: ['store'],
    scope: placed('store'),
    permit: 'redeemCode.vertify.handOver',
  }),
  /** A prize that the code gave its member is handed over at a store, once. */
  handOver: call.write('handOver', ['核销实物奖品', 'Hand a prize over'], {
    input: z.object({ id, store_id: id }),
    output: z.object({ id, version }),
    scope: placed('store', { store_id: 'store' }),
  }),
  voidCode: call.changes('voidCode', ['作废兑换码', 'Void a code'], { fields: { reason } }),
  extend: call.changes('extend', ['兑换码延期', 'Extend a code'], {
    fields: { end_at: unix, reason },
  }),
  /**
   * Takes a hand-over back within ten minutes, by the same person: the prize waits again. Otherwise
   * it takes the redemption back, while no reward was used.
   */
  undo: call.changes('undo', ['撤销刚才核销', 'Undo the last handover'], {
    fields: { reason },
    touches: rewarding,
  }),
  reveal: call.write('reveal', ['查看完整兑换码', 'Reveal a code'], {
    input: z.object({ id, reason }),
    output: z.object({ id, secret_code: z.string(), ...revealed }),
    touches: ['field_key'],
  }),
}
