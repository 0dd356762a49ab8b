import { and, eq, ne, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { refuseSanctioned } from '#src/areas/member/sanctions.server.ts'
import { consentByOrder } from '#src/areas/merchant/agreements.server.ts'
import {
  creditCodeFault,
  creditCodeOf,
  nationalIdFault,
  nationalIdOf,
} from '#src/areas/merchant/identity.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { statusOf, type InvoiceKind, type PayWay } from '#src/areas/order/order.ts'
import { noteOrder, rulesNow, type Order } from '#src/areas/order/orderFacts.server.ts'
import { markPaid } from '#src/areas/order/orderPaid.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { refuseRisky } from '#src/areas/risk/risk.server.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { endFault } from './card.ts'
import { ecard_identity } from './cardOrder.table.ts'
import {
  CARDS_A_BATCH,
  CARDS_AN_ORDER,
  needsIdentity,
  tooMany,
  type Bought,
  type Identity,
} from './cardOrder.ts'
import { holdCodes } from './codeLife.server.ts'
import { ecard, ecard_attr } from './ecard.table.ts'

/** A member buys cards, or a channel takes a batch of them at its share of the price. */
export type BuyingCards = {
  attr_id: number
  n: number
  /** The buyer; what a channel takes is paid out of its balance, which its ledger sees to. */
  buyer: { member_id: number } | { channel_id: number; discount_bp: number; admin_id?: number }
  identity?: Identity | undefined
  /** The device it comes from; the buyer has just read a captcha. */
  device?: string
  proved?: boolean
  invoice?: { kind: InvoiceKind; title: string; tax_no?: string | undefined }
  channel?: PayWay
  now: number
}
type Offered = { face: typeof ecard_attr.$inferSelect; card: typeof ecard.$inferSelect }

const unpaid = {
  pay_state: 'unpaid' as const,
  balance_due: false,
  fulfil_state: 'none' as const,
  refund_state: 'none' as const,
  frozen: false,
}
/** A face of a card that is for sale now, whose end the law allows. Throws 422 otherwise. */
const offered = async (tx: Db, attr_id: number, now: number): Promise<Offered> => {
  const [found] = await tx
    .select({ face: ecard_attr, card: ecard, trades: merchant.status })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .innerJoin(merchant, eq(merchant.id, ecard.merchant_id))
    .where(eq(ecard_attr.id, attr_id))
  if (!found) throw missing()
  const { face, card, trades } = found
  if (card.state !== 'on' || face.status !== 'on' || trades !== 'active')
    throw ruled('not_for_sale', [
      '该卡或面值已下架，请换一张',
      'This card or face is off sale: choose another',
    ])
  const ended = endFault(card, now)
  if (ended)
    throw ruled('card_ending', [
      `${ended[0]}，请换一张；发卡方可在电子卡编辑页延长有效期后再售卖`,
      `${ended[1]}: choose another; its issuer may give it a later end on the page that edits it`,
    ])
  return { face, card }
}
/** What a buyer has of a card and of a face, and what they spent on cards today. */
const boughtBy = async (
  tx: Db,
  of: { member_id: number; card_id: number; attr_id: number; now: number },
): Promise<Bought> => {
  const today = sql`${order.created_at} >= ${dayStart(of.now)}`
  const ofCard = sql`${ecard_attr.card_id} = ${of.card_id}`
  const kept = sql`${order_item.qty} - ${order_item.refunded_qty}`
  const [sums] = await tx
    .select({
      day: sql<number>`coalesce(sum(${kept}) filter (where ${ofCard} and ${today}), 0)::int`,
      person: sql<number>`coalesce(sum(${kept}) filter (where ${ofCard}), 0)::int`,
      face: sql<number>`coalesce(sum(${kept}) filter (where ${ecard_attr.id} = ${of.attr_id}), 0)::int`,
      day_cents: sql<number>`coalesce(sum(${order_item.pay_cents} - ${order_item.refunded_cents}) filter (where ${today}), 0)::float8`,
    })
    .from(order)
    .innerJoin(order_item, eq(order_item.order_id, order.id))
    .innerJoin(ecard_attr, eq(ecard_attr.id, order_item.ecard_attr_id))
    .where(
      and(
        eq(order.member_id, of.member_id),
        eq(order.kind, 'ecard'),
        ne(order.pay_state, 'closed'),
      ),
    )
  return sums!
}
/** The second of two orders of one buyer at once sees the first. */
const refuseTooMany = async (
  tx: Db,
  { face, card }: Offered,
  of: { member_id: number; n: number; cents: number; now: number },
): Promise<void> => {
  const [buyer] = await tx
    .select({ id: member.id })
    .from(member)
    .where(eq(member.id, of.member_id))
    .for('no key update')
  if (!buyer) throw missing()
  const before = await boughtBy(tx, { ...of, card_id: card.id, attr_id: face.id })
  const over = tooMany({ ...of, limits: card.limits, limit_n: face.limit_n, before })
  if (over) throw ruled(over.rule, over.text, over.values)
}
/** The identity as it is stored. Throws 422 where the law asks for one and there is none, or a wrong one. */
const identityOf = (of: BuyingCards, { card }: Offered, cents: number): Identity | undefined => {
  if (!of.identity) {
    if (needsIdentity({ named: card.named, cents }))
      throw ruled('identity', [
        '记名卡或一次购卡满 1 万元须登记购卡人身份：请填写姓名（单位名称）与证件号',
        'A named card, or ¥10,000 of cards at once, needs its buyer’s name and ID number',
      ])
    return undefined
  }
  const { kind, name, id_no } = of.identity
  const company = kind === 'company'
  const fault = company ? creditCodeFault(id_no) : nationalIdFault(id_no)
  if (fault) throw ruled('identity', fault)
  return { kind, name: name.trim(), id_no: company ? creditCodeOf(id_no) : nationalIdOf(id_no) }
}
const refuseCount = (n: number, most: number): void => {
  if (!Number.isInteger(n) || n < 1 || n > most)
    throw ruled('count', ['一次可购 1 至 {most} 张', 'From 1 to {most} cards at once'], { most })
}
/** The buyer or channel of an order, and how it came. */
const partiesOf = async (tx: Db, { buyer, now, device, invoice }: BuyingCards) => ({
  ...('member_id' in buyer
    ? {
        member_id: buyer.member_id,
        source: 'mini_program' as const,
        sub_kind: 'virtual' as const,
        agreements: await consentByOrder(tx, { member_id: buyer.member_id, kind: 'ecard', now }),
      }
    : {
        member_id: null,
        ecard_channel_id: buyer.channel_id,
        source: buyer.admin_id === undefined ? ('api' as const) : ('admin' as const),
        sub_kind: 'channel' as const,
      }),
  device_id: device ?? null,
  invoice: invoice
    ? { ...invoice, tax_no: invoice.tax_no ?? null, asked_at: now, issued: null }
    : null,
})
/** What a line keeps of how its card was sold. */
const keptOf = ({ face, card }: Offered, price_cents: number): Record<string, unknown> => ({
  title: card.name,
  card_face_cents: face.face_cents,
  bonus_cents: face.bonus_cents,
  price_cents,
  commission_bp: 0,
  refund_rule: card.refund_rule,
  images: card.cover ? [card.cover] : [],
})
const insertRows = async (
  tx: Db,
  of: BuyingCards,
  what: Offered & { price_cents: number; identity: Identity | undefined },
): Promise<Order> => {
  const { now, n } = of
  const { card, face, price_cents } = what
  const { version_no, rules } = await rulesNow(tx, 'ecard')
  const pay_cents = price_cents * n
  const [made] = await tx
    .insert(order)
    .values({
      order_no: numberOf('EC', now),
      kind: 'ecard',
      ...(await partiesOf(tx, of)),
      city_id: card.city_id,
      mall_id: card.mall_id,
      merchant_id: card.merchant_id,
      store_id: card.store_id,
      total_cents: pay_cents,
      pay_cents,
      ...unpaid,
      status: statusOf(unpaid),
      config_version: version_no,
      expire_pay_at: now + rules.pay_timeout_min * 60,
      created_at: now,
      updated_at: now,
    })
    .returning()
  await tx.insert(order_item).values({
    order_id: made!.id,
    kind: 'ecard',
    ecard_attr_id: face.id,
    snapshot: keptOf(what, price_cents),
    title: card.name,
    store_id: card.store_id,
    qty: n,
    price_cents,
    pay_cents,
    fulfil: 'virtual',
    created_at: now,
    updated_at: now,
  })
  if (what.identity)
    await tx
      .insert(ecard_identity)
      .values({ order_id: made!.id, ...what.identity, created_at: now, updated_at: now })
  return made!
}
const actorOf = ({ buyer }: BuyingCards) => {
  if ('member_id' in buyer) return { type: 'member' as const, id: buyer.member_id }
  return buyer.admin_id === undefined
    ? { type: 'channel' as const }
    : { type: 'staff' as const, id: buyer.admin_id }
}
/**
 * Places an order of cards of one face: their codes are held, the buyer's limits and the day's cap
 * are counted while the buyer is held, and the identity that the law asks for is kept. A channel's
 * batch is paid at once and issued in the same transaction; whoever calls moves the channel's
 * balance by the order's `pay_cents` in it too. Throws 422 with the rule that refuses.
 */
export const placeCards = async (tx: Db, sealer: Sealer, of: BuyingCards): Promise<Order> => {
  const { buyer, n, now } = of
  const person = 'member_id' in buyer
  refuseCount(n, person ? CARDS_AN_ORDER : CARDS_A_BATCH)
  if (person) {
    await refuseSanctioned(tx, buyer.member_id, 'order', now)
    await refuseRisky(tx, {
      member_id: buyer.member_id,
      device_id: of.device ?? null,
      proved: of.proved,
      now,
    })
  }
  const offer = await offered(tx, of.attr_id, now)
  const { face, card } = offer
  const price_cents = person
    ? face.price_cents
    : Math.max(1, Math.round((face.price_cents * buyer.discount_bp) / 10_000))
  const worth = Math.max(face.face_cents, face.price_cents) * n
  if (person) await refuseTooMany(tx, offer, { ...buyer, n, cents: face.price_cents * n, now })
  // A channel is a firm under contract: its own record is the identity.
  const identity = person ? identityOf(of, offer, worth) : of.identity
  const made = await insertRows(tx, of, { ...offer, price_cents, identity })
  if (card.source !== 'api')
    await holdCodes(tx, sealer, {
      attr_id: face.id,
      n,
      order_id: made.id,
      ...(!person && { channel_id: buyer.channel_id }),
      now,
    })
  await noteOrder(tx, {
    order_id: made.id,
    event: 'create',
    actor: actorOf(of),
    at: now,
    to: made.status,
  })
  await askPayment(tx, of, made)
  if (person) return made
  await markPaid(tx, made.id, { cents: made.pay_cents, deposit: false, now })
  const [paid] = await tx.select().from(order).where(eq(order.id, made.id))
  return paid!
}
/** A member pays by a channel of payment; what a channel of cards takes is paid by its balance. */
const askPayment = (tx: Db, of: BuyingCards, made: Order) => {
  const person = 'member_id' in of.buyer
  return tx.insert(payment).values({
    order_id: made.id,
    direction: 'in',
    stage: 'full',
    channel: person ? (of.channel ?? 'embedded') : 'balance',
    amount_cents: made.pay_cents,
    out_no: made.order_no,
    state: person ? 'pending' : 'success',
    success_at: person ? null : of.now,
    created_at: of.now,
    updated_at: of.now,
  })
}
