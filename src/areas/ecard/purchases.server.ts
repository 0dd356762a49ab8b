/** Members buy e-cards at their phones, once for each number of their own. */
import { and, eq } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import type { InvoiceKind } from '#src/areas/order/order.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { joined, say, type Lang } from '#src/domain/text.ts'
import { requestHash } from '#src/server/call/idempotency.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import { ecard_purchase, ecard_request } from './cardOrder.table.ts'
import { issueStep, type Identity } from './cardOrder.ts'
import { ecard_code } from './ecard.table.ts'
import type { CardBuyState } from './memberCards.ts'
import { chosenFace, placeCards } from './orderPlacing.server.ts'

/** A member asks for a face that is offered, or for one that they choose of a card. */
type Asked = {
  attr_id?: number | undefined
  card_id?: number | undefined
  face_cents?: number | undefined
  n: number
  art?: string | undefined
  receiver_phone?: string | undefined
  identity?: Identity | undefined
  invoice?: { kind: InvoiceKind; title: string; tax_no?: string | undefined } | undefined
}
type Buying = {
  member_id: number
  buy_no: string
  asked: Asked
  device: string | undefined
  lang: Lang
  now: number
}
const states: Readonly<Record<string, CardBuyState>> = {
  few_codes: 'sold_out',
  order_limit: 'limit',
  day_limit: 'limit',
  person_limit: 'limit',
  face_limit: 'limit',
  day_cap: 'limit',
  over_limit: 'limit',
  not_for_sale: 'off',
  card_ending: 'off',
  card_face: 'off',
  identity: 'identity',
}
const stateOf = (error: Refusal): CardBuyState =>
  error.status === 404 ? 'off' : (states[String(error.data['rule'])] ?? 'refused')
const payStates = {
  unpaid: 'unpaid',
  part_paid: 'unpaid',
  paid: 'paid',
  closed: 'closed',
} as const satisfies Record<Order['pay_state'], CardBuyState>
/** An order as its buyer is told of it: until when it is to be paid, while it is. */
const toldOf = (row: Order) => {
  const state = payStates[row.pay_state]
  const isOpen = state === 'unpaid'
  return {
    state,
    why: '',
    order_no: row.order_no,
    pay_cents: row.pay_cents,
    pay_until: isOpen ? row.expire_pay_at : null,
  }
}
const faceAsked = async (tx: Db, { attr_id, card_id, face_cents }: Asked): Promise<number> => {
  if (attr_id !== undefined) return attr_id
  if (card_id === undefined || face_cents === undefined)
    throw ruled('card_face', ['请选择面值', 'Choose a face'])
  return chosenFace(tx, { card_id, face_cents })
}
/** The phone that all cards are for; empty where it is the buyer’s own, or none was said. */
const receiverOf = (asked: Asked, own: string | null): string => {
  const phone = mobileOf(asked.receiver_phone ?? '') ?? ''
  return phone === mobileOf(own ?? '') ? '' : phone
}
/** Places the order, or answers the one that was placed under the number before. */
const place = async (tx: Db, sealer: Sealer, of: Buying): Promise<Order> => {
  const { member_id, buy_no, now } = of
  // Purchases of one member stand in line, as their limits do: the second of one number finds the first.
  const [who] = await tx
    .select({ phone: member.phone })
    .from(member)
    .where(eq(member.id, member_id))
    .for('no key update')
  const asked = requestHash('ecard/app/buy', of.asked)
  const [before] = await tx
    .select({ asked: ecard_purchase.asked, row: order })
    .from(ecard_purchase)
    .innerJoin(order, eq(order.id, ecard_purchase.order_id))
    .where(and(eq(ecard_purchase.member_id, member_id), eq(ecard_purchase.buy_no, buy_no)))
  if (before && before.asked !== asked)
    throw ruled('number_used', [
      '该购买编号已用于另一笔购买，请换一个编号',
      'The number is of another purchase: use another one',
    ])
  if (before) return before.row
  const { n, art, identity, invoice } = of.asked
  const phone = receiverOf(of.asked, who!.phone)
  const made = await placeCards(tx, sealer, {
    attr_id: await faceAsked(tx, of.asked),
    n,
    buyer: { member_id, ...(phone !== '' && { receiver: { phone } }) },
    ...(art !== undefined && { art }),
    ...(identity && { identity }),
    ...(invoice && { invoice }),
    ...(of.device && { device: of.device }),
    now,
  })
  const kept = { member_id, buy_no, asked, order_id: made.id, receiver_phone: phone }
  await tx.insert(ecard_purchase).values({ ...kept, created_at: now, updated_at: now })
  return made
}
/**
 * A member buys cards, once for each number of theirs: asked again it answers how that order stands.
 * A refusal says why, and leaves nothing behind but its block in the log of limits.
 */
export const buyAsMember = async (tx: Db, sealer: Sealer, of: Buying) => {
  try {
    return toldOf(await tx.transaction(inner => place(inner, sealer, of)))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await error.keeps?.(tx)
    const nothing = { order_no: '', pay_cents: 0, pay_until: null }
    return { state: stateOf(error), why: error.in(of.lang), ...nothing }
  }
}

type Own = { member_id: number; order_no: string }
const orderOwn = async (tx: Db, { member_id, order_no }: Own): Promise<Order | undefined> =>
  (
    await tx
      .select()
      .from(order)
      .where(
        and(eq(order.order_no, order_no), eq(order.kind, 'ecard'), eq(order.member_id, member_id)),
      )
  )[0]
/** How far an order is, with what came of its cards; undefined where the member has none of that number. */
export const standingOf = async (db: Db, of: Own) => {
  const row = await orderOwn(db, of)
  if (!row) return undefined
  const [item] = await db.select().from(order_item).where(eq(order_item.order_id, row.id))
  const codes = await db
    .select({ id: ecard_code.id, state: ecard_code.state })
    .from(ecard_code)
    .where(eq(ecard_code.order_id, row.id))
    .orderBy(ecard_code.id)
  const out = codes.filter(code => code.state !== 'held')
  const waiting = await db.$count(
    ecard_request,
    and(eq(ecard_request.order_id, row.id), eq(ecard_request.state, 'pending')),
  )
  const back = item!.refunded_qty + item!.refunding_qty
  const isBack = (state: string) => state === 'refunding' || state === 'refunded'
  const gone = back - out.filter(code => isBack(code.state)).length
  const failed = Math.max(0, item!.qty - out.length - waiting - gone)
  return {
    ...toldOf(row),
    status: row.status,
    issue: issueStep({ ...row, cards: { issued: out.length, waiting, failed } }),
    n: item!.qty,
    refunded_cents: row.refunded_cents,
    code_ids: out.map(code => code.id),
  }
}
/** A buyer gives up an order that is not paid: its cards are free at once. */
export const cancelAsMember = async (
  tx: Db,
  of: Own & { lang: Lang; now: number },
): Promise<{ state: 'closed' | 'paid' | 'none'; why: string }> => {
  const row = await orderOwn(tx, of)
  if (!row) return { state: 'none', why: '' }
  const done = await closeUnpaid(tx, row.id, of.now, {
    type: 'member',
    actor: { type: 'member', id: of.member_id },
    reason: joined(['购卡人取消', 'Cancelled by its buyer']),
  })
  const [is] = await tx.select().from(order).where(eq(order.id, row.id))
  if (done || is!.pay_state === 'closed') return { state: 'closed', why: '' }
  return {
    state: 'paid',
    why: say(['订单已付款，不能取消', 'It is paid: it can’t be cancelled'], of.lang),
  }
}
