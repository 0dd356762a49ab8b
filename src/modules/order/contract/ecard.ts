import { z } from 'zod'
import {
  CARDS_A_BATCH,
  identityKinds,
  moveStates,
  requestStates,
  type IdentityKind,
  type MoveState,
  type RequestState,
} from '#src/areas/ecard/cardOrder.ts'
import {
  codeStates,
  giftStates,
  ledgerTypes,
  type CodeState,
  type GiftState,
  type LedgerType,
} from '#src/areas/ecard/ecard.ts'
import { invoiceNoRule, isInvoiceNo } from '#src/areas/order/order.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { riskStates, type RiskState } from '#src/areas/risk/risk.ts'
import { placed, read, write } from '#src/contract/call.ts'
import {
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  revealed,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'
import { orderStatus } from './orderRow.ts'
import { codeDetailCalls, decideCalls, orderCalls } from './shared.ts'

const [path, permit] = ['ecard/order', (verb: string) => `ecard.order.${verb}`]
/** What cards of an order are chosen for. */
export const cardChoices = ['refund', 'freeze', 'unfreeze', 'extend', 'move'] as const
const one = { id, version }
const reason = lines(255, 2)
const changed = z.object({ id, status: orderStatus, version })
/** Chosen cards of the order; all that may have it where none are, of however large an order. */
const code_ids = z.array(id).min(1).max(CARDS_A_BATCH).optional()
const touched = z.object({ id, done: z.int(), left: z.int() })
const {
  freeze: _,
  unfreeze: __,
  refund: ___,
  ...shared
} = orderCalls('ecard', '电子卡订单', 'E-card orders')

export const ecardOrder = {
  ...shared,
  ...decideCalls('ecard'),
  /** Cards of one order to choose from, with their last four digits and how they stand. */
  cards: read(`${path}/cards`, ['可选的卡', 'Cards to choose'], {
    input: z.object({
      order_id: id,
      /** Only those that may have this. */ verb: z.enum(cardChoices).optional(),
      keyword: searched(24).optional(),
      ...page,
    }),
    output: listOf(z.object({ id, tail: z.string(), state: keysOf<CodeState>(codeStates) })),
    touches: ['order', 'refund', 'ecard_code'],
    scope: placed('order', { order_id: 'order' }),
    permit: permit('view'),
  }),
  /** E-cards by name, to filter by. */
  names: read(`${path}/names`, ['可选电子卡', 'E-cards to choose'], {
    input: z.object({ keyword: searched(60).optional(), ...page }),
    output: listOf(z.object({ id, name: z.string() })),
    touches: [],
    scope: placed('ecard'),
    permit: permit('view'),
  }),
  /**
   * What failed for good is asked for again; the supplier is asked first whether it was issued
   * after all. It logs itself (server/call/apart.ts).
   */
  reissue: write(`${path}/reissue`, ['补发失败卡', 'Issue failed cards again'], {
    input: z.object({ ...one, reason }),
    output: changed.extend({ asked: z.int(), issued: z.int() }),
    touches: ['order', 'issue'],
    scope: placed('order', 'id'),
    permit: permit('reissue'),
    quiet: true,
    apart: true,
  }),
  /** Cards at their share of what was paid; all that nobody has had where none are chosen. */
  refund: write(`${path}/refund`, ['发起退款', 'Refund'], {
    input: z.object({ ...one, code_ids, reason }),
    output: z.object({
      id,
      refund_id: id,
      refund_no: z.string(),
      amount_cents: cents,
      state: keysOf<RefundState>(refundStates),
    }),
    touches: ['order', 'refund', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('refund'),
  }),
  freezeCards: write(`${path}/freezeCards`, ['冻结卡', 'Freeze cards'], {
    input: z.object({ id, code_ids, reason }),
    output: touched,
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('freezeCards'),
  }),
  unfreezeCards: write(`${path}/unfreezeCards`, ['解冻卡', 'Unfreeze cards'], {
    input: z.object({ id, code_ids, reason }),
    output: touched,
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('unfreezeCards'),
  }),
  recallGift: write(`${path}/recallGift`, ['撤回未领取赠送', 'Recall gifts'], {
    input: z.object({ id, reason }),
    output: z.object({ id, recalled: z.int() }),
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('recallGift'),
  }),
  resendNotice: write(`${path}/resendNotice`, ['重发通知', 'Send the notice again'], {
    input: z.object({ id }),
    output: z.object({ id }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('resendNotice'),
  }),
  invoice: write(`${path}/invoice`, ['登记开票', 'Enter the invoice'], {
    input: z.object({
      ...one,
      no: text(40, 8).refine(isInvoiceNo, { message: joined(invoiceNoRule) }),
    }),
    output: changed.extend({ amount_cents: cents }),
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: permit('invoice'),
  }),
}

const move = z.object({
  id,
  type: keysOf<LedgerType>(ledgerTypes),
  amount_cents: cents,
  balance_after_cents: cents,
  at: unix,
})
const card = z.object({
  id,
  version,
  tail: z.string(),
  card_no: guarded('ecard.card_no', z.string()),
  state: keysOf<CodeState>(codeStates),
  gift_state: keysOf<GiftState>(giftStates),
  holder: z.object({ id, name: z.string() }).nullable(),
  face_cents: cents,
  balance_cents: cents,
  spent_cents: cents,
  shown_at: unix.nullable(),
  activated_at: unix.nullable(),
  valid_until: unix.nullable(),
  /** Why it can't be given back; null where it can. */ kept: z.string().nullable(),
  frozen_by: z.string().nullable(),
  frozen_at: unix.nullable(),
  reason: z.string().nullable(),
  moves: z.array(move),
})
export type CardOfOrder = z.output<typeof card>
const holderMove = z.object({
  id,
  code_id: id,
  tail: z.string(),
  from_name: z.string(),
  to_name: z.string(),
  from_phone: guarded('member.phone', z.string()),
  to_phone: guarded('member.phone', z.string()),
  state: keysOf<MoveState>(moveStates),
  first_by: id,
  first_name: z.string(),
  second_name: z.string().nullable(),
  reason: z.string(),
  second_reason: z.string().nullable(),
  at: unix,
})
export type MoveOfOrder = z.output<typeof holderMove>
/** What a supplier was asked for, one unit of the order, and what it answered. */
const request = z.object({
  id,
  unit: z.int(),
  out_no: z.string(),
  supplier: z.string(),
  state: keysOf<RequestState>(requestStates),
  answer: z.string(),
  supplier_no: z.string().nullable(),
  tries: z.int(),
  by: z.string(),
  reason: z.string().nullable(),
  at: unix,
})
export type RequestOfOrder = z.output<typeof request>
const gift = z.object({
  id,
  tail: z.string(),
  state: z.enum(['sent', 'received', 'returned']),
  from_name: z.string(),
  to_name: z.string().nullable(),
  greeting: z.string(),
  sent_at: unix,
  ended_at: unix.nullable(),
  why: z.string().nullable(),
})
export type GiftOfOrder = z.output<typeof gift>
const cardsOfOrder = z.object({
  /** A page of them, and how many there are. */
  cards: z.array(card),
  total: z.int(),
  identity: z
    .object({
      kind: keysOf<IdentityKind>(identityKinds),
      name: guarded('member.real_name', z.string()),
      id_no: guarded('member.id_no', z.string()),
    })
    .nullable(),
  risks: z.array(
    z.object({
      id,
      rule: z.string(),
      score: z.int(),
      state: keysOf<RiskState>(riskStates),
      at: unix,
    }),
  ),
})
export type CardsOfOrder = z.output<typeof cardsOfOrder>
const { queryPay } = codeDetailCalls('ecard')
export const ecardOrderDetail = {
  queryPay,
  /** The cards of an order with all that happened to them. */
  cards: read(`${path}/detail/cards`, ['卡与流水', 'Cards and their moves'], {
    input: z.object({ id, ...page }),
    output: cardsOfOrder,
    touches: ['order', 'refund', 'ecard_code', 'risk_hit'],
    scope: placed('order', 'id'),
    permit: permit('detail.view'),
  }),
  /** What suppliers were asked for: failures that stand first, then the newest. */
  requests: read(`${path}/detail/requests`, ['供应商请求', 'Requests to suppliers'], {
    input: z.object({ id, ...page }),
    output: listOf(request),
    touches: ['order', 'refund', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('detail.view'),
  }),
  /** How its cards were given away, the newest first. */
  gifts: read(`${path}/detail/gifts`, ['赠送记录', 'Gifts of cards'], {
    input: z.object({ id, ...page }),
    output: listOf(gift),
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('detail.view'),
  }),
  /** Changes of holders, the newest first. */
  moves: read(`${path}/detail/moves`, ['持卡人变更记录', 'Changes of holders'], {
    input: z.object({ id, ...page }),
    output: listOf(holderMove),
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('detail.view'),
  }),
  extend: write(`${path}/detail/extend`, ['延长有效期', 'Extend validity'], {
    input: z.object({ id, code_ids, until: unix, reason }),
    output: touched,
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('detail.extend'),
  }),
  /** Members to move a card to: by a whole phone or number, or the beginning of a name. */
  members: read(`${path}/detail/members`, ['可选会员', 'Members to choose'], {
    input: z.object({ keyword: searched(30).optional(), ...page }),
    output: listOf(
      z.object({
        id,
        name: z.string(),
        uid: z.string(),
        phone: guarded('member.phone', z.string()),
      }),
    ),
    touches: [],
    scope: placed('member'),
    finds: { keyword: { phone: ['member.phone'] } },
    permit: permit('detail.moveHolder'),
  }),
  /** Asked by one person: another one agrees to it. Both phones are noted as they are then. */
  moveHolder: write(`${path}/detail/moveHolder`, ['变更持卡人', 'Change the holder'], {
    input: z.object({ id, code_id: id, member_id: id, reason }),
    output: z.object({ id, move_id: id }),
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('detail.moveHolder'),
  }),
  confirmMove: write(`${path}/detail/confirmMove`, ['同意变更持卡人', 'Agree to the change'], {
    input: z.object({ id, move_id: id, reason }),
    output: z.object({ id, move_id: id }),
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('detail.confirmMove'),
  }),
  refuseMove: write(`${path}/detail/refuseMove`, ['不同意变更持卡人', 'Refuse the change'], {
    input: z.object({ id, move_id: id, reason }),
    output: z.object({ id, move_id: id }),
    touches: ['order', 'ecard_code'],
    scope: placed('order', 'id'),
    permit: permit('detail.refuseMove'),
  }),
  /** Marks the card as shown, which ends its refund. */
  revealSecret: write(`${path}/detail/revealSecret`, ['查看卡密', 'Reveal the secret'], {
    input: z.object({ id, code_id: id, reason }),
    output: z.object({ id, code: z.string(), ...revealed }),
    touches: ['order', 'ecard_code', 'field_key'],
    scope: placed('order', 'id'),
    permit: permit('detail.revealSecret'),
  }),
}
