import { and, eq } from 'drizzle-orm'
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
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { chosenFault, endFault } from './card.ts'
import {
  holdCardLimits,
  holdReceivers,
  keepCardLimits,
  type CardReceiver,
} from './cardLimits.server.ts'
import { ecard_identity } from './cardOrder.table.ts'
import { CARDS_A_BATCH, CARDS_AN_ORDER, needsIdentity, type Identity } from './cardOrder.ts'
import { holdCodes } from './codeLife.server.ts'
import { ecard, ecard_attr } from './ecard.table.ts'
import type { Receiver } from './ecard.ts'

/** A member buys cards, or a channel takes a batch of them at its share of the price. */
export type BuyingCards = {
  attr_id: number
  n: number
  /** The buyer; what a channel takes is paid out of its balance, which its ledger sees to. */
  buyer:
    | { member_id: number; receiver?: CardReceiver | undefined }
    | {
        channel_id: number
        discount_bp: number
        admin_id?: number
        /** The cards go to these in their order; an empty list names nobody. */
        receivers?: readonly Receiver[]
      }
  identity?: Identity | undefined
  /** The picture of the card that the buyer chose, by its key. */
  art?: string
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
  // A face that a buyer chose is sold for as long as the card lets it be chosen.
  const isSold = face.chosen
    ? chosenFault(card, face.face_cents) === undefined
    : face.status === 'on'
  if (card.state !== 'on' || !isSold || trades !== 'active')
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
/**
 * The face of a card that a buyer chose, in cents: one that is sold at a price of its own, else one
 * at its face. Two who choose the same at once get the same. Throws 404 for no such card, 422
 * `card_face` where the card does not let it be chosen.
 */
export const chosenFace = async (
  tx: Db,
  { card_id, face_cents }: { card_id: number; face_cents: number },
): Promise<number> => {
  const [card] = await tx.select().from(ecard).where(eq(ecard.id, card_id))
  if (!card) throw missing()
  const fault = chosenFault(card, face_cents)
  if (fault) throw ruled('card_face', fault)
  const faces = () =>
    tx
      .select({ id: ecard_attr.id, chosen: ecard_attr.chosen })
      .from(ecard_attr)
      .where(and(eq(ecard_attr.card_id, card_id), eq(ecard_attr.face_cents, face_cents)))
  const there = (await faces()).toSorted((a, b) => Number(a.chosen) - Number(b.chosen))[0]
  if (there) return there.id
  await tx
    .insert(ecard_attr)
    .values({ card_id, face_cents, price_cents: face_cents, chosen: true, status: 'off' })
    .onConflictDoNothing()
  return (await faces())[0]!.id
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
const keptOf = (
  { face, card }: Offered,
  { price_cents, art }: { price_cents: number; art: string | undefined },
): Record<string, unknown> => ({
  title: card.name,
  card_face_cents: face.face_cents,
  bonus_cents: face.bonus_cents,
  price_cents,
  commission_bp: 0,
  refund_rule: card.refund_rule,
  images: [art ?? card.cover].filter(Boolean),
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
    snapshot: keptOf(what, { price_cents, art: of.art }),
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
 * Places an order of cards of one face: their codes are held, limits and the day's cap are counted
 * while the buyer is held, and the identity that the law asks for is kept. A channel's
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
  if (of.art !== undefined && !card.arts.includes(of.art))
    throw ruled('card_art', [
      '该卡没有这个卡面，请重新选择',
      'The card has no such picture: choose another',
    ])
  const price_cents = person
    ? face.price_cents
    : Math.max(1, Math.round((face.price_cents * buyer.discount_bp) / 10_000))
  const worth = Math.max(face.face_cents, face.price_cents) * n
  const held = person
    ? await holdCardLimits(tx, {
        ...offer,
        ...buyer,
        device: of.device,
        n,
        cents: face.price_cents * n,
        now,
      })
    : await holdReceivers(tx, { card, receivers: buyer.receivers ?? [], n, now })
  // A channel is a firm under contract: its own record is the identity.
  const identity = person ? identityOf(of, offer, worth) : of.identity
  const made = await insertRows(tx, of, { ...offer, price_cents, identity })
  await keepCardLimits(tx, held, { order_id: made.id, now })
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
