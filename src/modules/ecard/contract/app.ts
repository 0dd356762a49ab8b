import { z } from 'zod'
import {
  CARDS_AN_ORDER,
  identityKinds,
  issueSteps,
  type IdentityKind,
} from '#src/areas/ecard/cardOrder.ts'
import { tryResults, type TryResult } from '#src/areas/ecard/code.ts'
import {
  cardTypes,
  codeStates,
  giftStates,
  ledgerTypes,
  refundRules,
  validTypes,
  type CardType,
  type CodeState,
  type GiftState,
  type LedgerType,
  type RefundRule,
  type ValidType,
} from '#src/areas/ecard/ecard.ts'
import {
  cardBuyStates,
  CARDS_A_PAGE,
  MOVES_A_PAGE,
  SHELF_PAGE,
} from '#src/areas/ecard/memberCards.ts'
import {
  invoiceKinds,
  orderStatuses,
  type InvoiceKind,
  type OrderStatus,
} from '#src/areas/order/order.ts'
import { write } from '#src/contract/call.ts'
import { cents, id, keysOf, keyText, mobile, open, text, unix } from '#src/contract/shapes.ts'

const ticket = keyText(80, 1)
const device = z.string().regex(/^[\w-]{16,40}$/)
const n = z.int().min(0)
const why = z.string()
const own = {
  scope: { none: 'A member acts for themselves, by a ticket of their own' },
  permit: 'public',
  quiet: true,
} as const
const cardsChange = ['ecard_code', 'ecard_attr', 'ecard', 'order']
const most = z.int().nullable()
const sold = z.object({
  id,
  name: z.string(),
  type: keysOf<CardType>(cardTypes),
  named: z.boolean(),
  cover: z.string(),
  arts: z.array(z.string()),
  gift: z.boolean(),
  greetings: z.array(z.string()),
  limits: z.object({ order: most, day: most, person: most }),
  valid_type: keysOf<ValidType>(validTypes),
  valid_until: unix.nullable(),
  valid_days: most,
  refund_rule: keysOf<RefundRule>(refundRules),
  notice: z.string(),
  agreement: z.string(),
  /** The faces that a buyer may choose freely. */
  custom: z.object({ min_cents: cents, max_cents: cents, step_cents: cents }).nullable(),
  faces: z.array(
    z.object({
      attr_id: id,
      face_cents: cents,
      bonus_cents: cents,
      price_cents: cents,
      limit_n: most,
      /** Null of a face that never runs out. */
      left: most,
    }),
  ),
})
/** A card as whoever has it reads it. */
const owned = z.object({
  id,
  card_id: id,
  name: z.string(),
  type: keysOf<CardType>(cardTypes),
  cover: z.string(),
  card_no: open('One’s own', z.string()),
  face_cents: cents,
  balance_cents: open('One’s own', cents),
  state: keysOf<CodeState>(codeStates),
  gift_state: keysOf<GiftState>(giftStates),
  /** It was bought for another person’s phone. */
  for_other: z.boolean(),
  activated_at: unix.nullable(),
  valid_until: unix.nullable(),
  /** The gift that it is on its way by. */
  gift: z.object({ token: z.string(), until: unix }).nullable(),
})
const invoice = z
  .object({
    kind: keysOf<InvoiceKind>(invoiceKinds),
    title: text(100),
    tax_no: z
      .string()
      .regex(/^[0-9A-Z]{15,20}$/)
      .optional(),
  })
  .refine(of => of.kind === 'person' || of.tax_no !== undefined, { path: ['tax_no'] })
const placed = {
  /** In the caller’s language; empty where nothing was refused. */
  why,
  order_no: z.string(),
  pay_cents: cents,
  /** Until when it is to be paid. */
  pay_until: unix.nullable(),
}

/** For the mini-program (docs/app-api.md): without a session, bounded by address, kept in no log. */
export const cardApp = {
  onSale: write('ecard/app/onSale', ['在售电子卡', 'E-cards on sale'], {
    input: z.object({ after: id.optional() }),
    output: z.object({ list: z.array(sold).max(SHELF_PAGE), next: id.nullable() }),
    touches: [],
    ...own,
    scope: { none: 'It is on sale for everybody' },
  }),
  /** Once for each `buy_no` of the member. */
  buy: write('ecard/app/buy', ['购买电子卡', 'Buy e-cards'], {
    input: z.object({
      ticket,
      buy_no: z.string().regex(/^[\w-]{8,64}$/),
      /** A face that is offered; else a card and a face chosen of it. */
      attr_id: id.optional(),
      card_id: id.optional(),
      face_cents: cents.min(1).optional(),
      n: z.int().min(1).max(CARDS_AN_ORDER),
      art: keyText(200, 1).optional(),
      receiver_phone: mobile.optional(),
      identity: z
        .object({
          kind: keysOf<IdentityKind>(identityKinds),
          name: text(64),
          id_no: keyText(30, 1),
        })
        .optional(),
      invoice: invoice.optional(),
      device: device.optional(),
    }),
    output: z.object({ state: z.enum(cardBuyStates), ...placed }),
    touches: [...cardsChange, 'buy_limit_log'],
    ...own,
  }),
  order: write('ecard/app/order', ['电子卡订单', 'An order of e-cards'], {
    input: z.object({ ticket, order_no: keyText(40, 4) }),
    output: z.object({
      state: z.enum(['unpaid', 'paid', 'closed', 'none']),
      order: z
        .object({
          order_no: z.string(),
          status: keysOf<OrderStatus>(orderStatuses),
          issue: keysOf<keyof typeof issueSteps>(issueSteps),
          n,
          pay_cents: cents,
          refunded_cents: cents,
          pay_until: unix.nullable(),
          /** Its cards that are issued, as `mine` names them. */
          ids: z.array(id).max(CARDS_AN_ORDER),
        })
        .nullable(),
    }),
    touches: [],
    ...own,
  }),
  cancel: write('ecard/app/cancel', ['取消购卡', 'Cancel an order of e-cards'], {
    input: z.object({ ticket, order_no: keyText(40, 4) }),
    output: z.object({ state: z.enum(['closed', 'paid', 'none']), why }),
    touches: cardsChange,
    ...own,
  }),
  /** One’s own, the newest first. It is sent by POST as a ticket is a secret. */
  mine: write('ecard/app/mine', ['我的卡包', 'My cards'], {
    input: z.object({ ticket, before: id.optional() }),
    output: z.object({
      state: z.enum(['ok', 'none']),
      list: z.array(owned).max(CARDS_A_PAGE),
      next: id.nullable(),
    }),
    touches: [],
    ...own,
  }),
  moves: write('ecard/app/moves', ['卡片明细', 'Card transactions'], {
    input: z.object({ ticket, id, before: id.optional() }),
    output: z.object({
      state: z.enum(['ok', 'none']),
      card: owned.nullable(),
      moves: z
        .array(
          z.object({
            id,
            type: keysOf<LedgerType>(ledgerTypes),
            /** Signed, as the card has more or less of it. */
            amount_cents: z.int(),
            balance_after_cents: cents,
            at: unix,
          }),
        )
        .max(MOVES_A_PAGE),
      next: id.nullable(),
    }),
    touches: [],
    ...own,
  }),
  activate: write('ecard/app/activate', ['激活本人购买的卡', 'Activate a card of one’s own'], {
    input: z.object({ ticket, id }),
    output: z.object({ state: z.enum(['active', 'refused', 'none']), why, card: owned.nullable() }),
    touches: cardsChange,
    ...own,
  }),
  /** By its number and secret, as they were typed. */
  bind: write('ecard/app/bind', ['绑定电子卡', 'Bind a card by its secret'], {
    input: z.object({
      ticket,
      card_no: keyText(64, 1),
      secret: keyText(64, 1),
      device: device.optional(),
    }),
    output: z.object({
      state: z.union([keysOf<TryResult>(tryResults), z.literal('none')]),
      why,
      card: owned.nullable(),
    }),
    touches: [...cardsChange, 'ecard_try'],
    ...own,
  }),
  show: write('ecard/app/show', ['查看卡密', 'Show the secret of a card'], {
    input: z.object({ ticket, id }),
    output: z.object({ state: z.enum(['shown', 'refused', 'none']), why, secret_code: z.string() }),
    touches: cardsChange,
    ...own,
  }),
  give: write('ecard/app/give', ['赠送电子卡', 'Give a card away'], {
    input: z.object({ ticket, id, greeting: text(128, 0).optional() }),
    output: z.object({
      state: z.enum(['sent', 'refused', 'none']),
      why,
      /** The name in the link to send, and until when it is good. */
      token: z.string(),
      until: unix.nullable(),
    }),
    touches: cardsChange,
    ...own,
  }),
  takeBack: write('ecard/app/takeBack', ['收回赠卡', 'Take a given card back'], {
    input: z.object({ ticket, id }),
    output: z.object({ state: z.enum(['returned', 'refused', 'none']), why }),
    touches: cardsChange,
    ...own,
  }),
  /** As whoever opens the link reads it. */
  gift: write('ecard/app/gift', ['查看赠卡', 'Look at a gift'], {
    input: z.object({ token: keyText(32, 1) }),
    output: z.object({
      state: z.enum(['sent', 'received', 'returned', 'none']),
      gift: z
        .object({
          name: z.string(),
          cover: z.string(),
          face_cents: cents,
          greeting: z.string(),
          /** Only the phone that it was bought for takes it. */
          for_other: z.boolean(),
          until: unix,
        })
        .nullable(),
    }),
    touches: [],
    ...own,
    scope: { none: 'Whoever has the link may look at what is given' },
  }),
  receive: write('ecard/app/receive', ['领取赠卡', 'Take a gift'], {
    input: z.object({ ticket, token: keyText(32, 1) }),
    output: z.object({
      state: z.enum(['received', 'refused', 'none']),
      why,
      card: owned.nullable(),
    }),
    touches: cardsChange,
    ...own,
  }),
}
