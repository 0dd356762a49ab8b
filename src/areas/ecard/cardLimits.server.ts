import { and, eq, ne, sql } from 'drizzle-orm'
import { stopped } from '#src/areas/limit/blocks.server.ts'
import { CARD_CHANNEL, type LimitRule } from '#src/areas/limit/limits.ts'
import { areReleased, spendRelease } from '#src/areas/limit/releases.server.ts'
import { leftOf, tightest } from '#src/areas/limit/rule.ts'
import {
  cardLine,
  countUnder,
  keepTaken,
  standings,
  type Stop,
  type ReceiverShare,
  type Taken,
} from '#src/areas/limit/usage.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { tooMany, type Bought } from './cardOrder.ts'
import { ecard_attr, type ecard } from './ecard.table.ts'
import type { Receiver } from './ecard.ts'

/** Whom cards are bought for, by a phone or as a member. */
export type CardReceiver = { phone: string } | { member_id: number }
/** Cards of one face that a member buys; `cents` is what they come to. */
export type CardsAsked = {
  card: typeof ecard.$inferSelect
  face: typeof ecard_attr.$inferSelect
  member_id: number
  device?: string | undefined
  /** Whom all of them are for, where the order says so. */
  receiver?: CardReceiver | undefined
  n: number
  cents: number
  now: number
}
/** What a member has of a card and of a face, and what they spent on cards today. */
const boughtBy = async (tx: Db, { card, face, member_id, now }: CardsAsked): Promise<Bought> => {
  const today = sql`${order.created_at} >= ${dayStart(now)}`
  const ofCard = sql`${ecard_attr.card_id} = ${card.id}`
  const kept = sql`${order_item.qty} - ${order_item.refunded_qty}`
  const [sums] = await tx
    .select({
      day: sql<number>`coalesce(sum(${kept}) filter (where ${ofCard} and ${today}), 0)::int`,
      person: sql<number>`coalesce(sum(${kept}) filter (where ${ofCard}), 0)::int`,
      face: sql<number>`coalesce(sum(${kept}) filter (where ${ecard_attr.id} = ${face.id}), 0)::int`,
      day_cents: sql<number>`coalesce(sum(${order_item.pay_cents} - ${order_item.refunded_cents}) filter (where ${today}), 0)::float8`,
    })
    .from(order)
    .innerJoin(order_item, eq(order_item.order_id, order.id))
    .innerJoin(ecard_attr, eq(ecard_attr.id, order_item.ecard_attr_id))
    .where(
      and(eq(order.member_id, member_id), eq(order.kind, 'ecard'), ne(order.pay_state, 'closed')),
    )
  return sums!
}
/** What a limit of a card itself is called in the log of limits. */
const ownKinds: Readonly<Record<string, LimitRule>> = {
  order_limit: 'per_order',
  day_limit: 'per_day',
}
const UNBOUND = { limits: { order: null, day: null, person: null }, limit_n: null }
/** Throws 422 for a purchase beyond the cap of the day, which is the law's: no release lets it through. */
const refuseBeyondDay = (of: CardsAsked, before: Bought): void => {
  const over = tooMany({ ...of, ...UNBOUND, before })
  if (over) throw ruled(over.rule, over.text, over.values)
}
/** The limit of the card itself that a purchase is beyond. Throws 422 beyond the cap of the day. */
const ownStops = (of: CardsAsked, before: Bought): Stop[] => {
  const over = tooMany({ ...of, limits: of.card.limits, limit_n: of.face.limit_n, before })
  if (!over) return []
  if (over.rule === 'day_cap') throw ruled(over.rule, over.text, over.values)
  const [limit, had] = [Number(over.values['most']), Number(over.values['had'])]
  const { category_id: _, ...line } = cardLine(of.card, of.n)
  return [
    {
      rule: null,
      own: { kind: ownKinds[over.rule] ?? 'per_person', code: over.rule, text: over.text },
      lines: [{ ...line, categories: [] }],
      dimension: 'member',
      value: String(of.member_id),
      limit,
      had,
      left: leftOf(limit, had),
      wanted: of.n,
      // The card's own limit stands before all rules.
      place: -1,
    },
  ]
}
/** The phone of whom cards are for, as a rule by receiver counts it; a member without one by number. */
const receiverValue = async (tx: Db, of: CardReceiver): Promise<string> => {
  if ('phone' in of) {
    const phone = mobileOf(of.phone)
    if (!phone)
      throw ruled('card_receiver', [
        '收卡人手机号不正确，请核对后重试',
        'The receiver’s phone is no mobile number: look at it again',
      ])
    return phone
  }
  const [who] = await tx
    .select({ phone: member.phone })
    .from(member)
    .where(eq(member.id, of.member_id))
  if (!who) throw missing()
  return who.phone || `member:${of.member_id}`
}
/** What an order of cards takes of limits, and the release of its member that it goes by, if any. */
export type HeldCards = {
  taken: readonly Taken[]
  released?: { member_id: number; card_id: number; qty: number }
}
/**
 * Counts a purchase of cards under the card's own limits and under every rule that is about it, while
 * its member is held: of two at once the second counts the first. A release of the member lets it
 * through, beside what was counted; the cap of the day never does. Answers what `keepCardLimits`
 * keeps. Throws 404 for a member who is not there, 422 by the tightest limit it is beyond;
 * whoever runs it in `keepingBlocks` has the refusal in the log of limits.
 */
export const holdCardLimits = async (tx: Db, of: CardsAsked): Promise<HeldCards> => {
  const { member_id, device, now } = of
  const [who] = await tx
    .select({ phone: member.phone })
    .from(member)
    .where(eq(member.id, member_id))
    .for('no key update')
  if (!who) throw missing()
  const before = await boughtBy(tx, of)
  const own = ownStops(of, before)
  const values = {
    member: String(member_id),
    ...(who.phone && { phone: who.phone }),
    ...(device && { device }),
    ...(of.receiver && { receiver: await receiverValue(tx, of.receiver) }),
  }
  const lines = [cardLine(of.card, of.n)]
  const asked = await standings(tx, { buyer: { member_id, values }, lines, now })
  const { taken, stops } = await countUnder(tx, asked, now)
  const decides = tightest([...own, ...stops])
  if (!decides) return { taken }
  if (await areReleased(tx, { member_id, lines }, now)) {
    refuseBeyondDay(of, before)
    return { taken, released: { member_id, card_id: of.card.id, qty: of.n } }
  }
  throw stopped(decides, {
    member_id,
    visitor_phone: null,
    device_id: device ?? null,
    channel: 'mini_program',
    now,
  })
}

/** Keeps what an order of cards took, and uses the release that it went by. */
export const keepCardLimits = async (
  tx: Db,
  held: HeldCards,
  { order_id, now }: { order_id: number; now: number },
): Promise<void> => {
  await keepTaken(tx, order_id, held.taken)
  if (held.released) await spendRelease(tx, { ...held.released, product_id: 0, order_id }, now)
}

/** Receivers of one phone stand beside each other, each at the place of its first. */
export const receiversTogether = <R extends Receiver>(of: readonly R[]): R[] =>
  [...grouped(of, one => mobileOf(one.phone) ?? one.phone).values()].flat()
/** What each phone has of an issue's cards, which go to its receivers in their order. */
const sharesOf = (receivers: readonly Receiver[]): ReceiverShare[] => {
  const shares: ReceiverShare[] = []
  let from = 1
  for (const { phone, n } of receivers) {
    const value = mobileOf(phone) ?? phone
    const last = shares.at(-1)
    if (last?.value === value) last.n += n
    else shares.push({ value, from, n })
    from += n
  }
  return shares
}
/**
 * Counts what a channel takes for named receivers under the rules by receiver: a channel is no buyer
 * that any other rule knows. The receivers of one phone must stand together (`receiversTogether`).
 * Throws 422 by the tightest limit, naming the receiver that it is about.
 */
export const holdReceivers = async (
  tx: Db,
  of: { card: CardsAsked['card']; receivers: readonly Receiver[]; n: number; now: number },
): Promise<HeldCards> => {
  const { receivers, now } = of
  if (receivers.length === 0) return { taken: [] }
  const buyer = { member_id: null, values: {}, receivers: sharesOf(receivers) }
  const lines = [cardLine(of.card, of.n)]
  const asked = await standings(tx, { buyer, lines, now, only: 'receiver' })
  const { taken, stops } = await countUnder(tx, asked, now)
  const decides = tightest(stops)
  if (!decides) return { taken }
  throw stopped(decides, {
    member_id: null,
    visitor_phone: null,
    device_id: null,
    channel: CARD_CHANNEL,
    now,
  })
}
