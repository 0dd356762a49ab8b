import { and, eq, isNull } from 'drizzle-orm'
import { lockCoupon } from '#src/areas/coupon/coupons.server.ts'
import { refuseSanctioned } from '#src/areas/member/sanctions.server.ts'
import { consentByOrder } from '#src/areas/merchant/agreements.server.ts'
import { numberOf } from '#src/areas/order/numbers.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { statusOf, type PayWay } from '#src/areas/order/order.ts'
import { noteOrder, rulesNow, type Order } from '#src/areas/order/orderFacts.server.ts'
import type { CouponNote } from '#src/areas/order/orderSold.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { freezePoints } from '#src/areas/points/orderPoints.server.ts'
import { refuseRisky } from '#src/areas/risk/risk.server.ts'
import { comma } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { film, film_cinema, film_order, film_owner, film_seat, film_show } from './film.table.ts'
import { hasSeat, payOf, seatKey, seatName, type Seat } from './film.ts'
import { pointsPaying, seatPriceOf, type PointsPart, type PullPrice } from './filmPrice.ts'
import type { FilmTerms } from './filmSettings.ts'
import { filmTermsOf } from './filmTerms.server.ts'
import type { TicketProvider, TicketProviders } from './provider.channel.ts'

/** What a member asks for: seats of a show. */
export type BuyingFilm = {
  member_id: number
  show_id: number
  seats: readonly Seat[]
  coupon_grant_id?: number
  points?: PointsPart
  /** A campaign's price, which is for one seat: whether the member may have it is the campaign's. */
  pull?: PullPrice
  /** The device it comes from; the buyer has just read a captcha. */
  device?: string
  proved?: boolean
  channel?: PayWay
  now: number
}
type Offered = {
  show: typeof film_show.$inferSelect
  film: typeof film.$inferSelect
  cinema: typeof film_cinema.$inferSelect
  owner: typeof film_owner.$inferSelect
  terms: FilmTerms
  provider: TicketProvider
}
const unpaid = {
  pay_state: 'unpaid' as const,
  balance_due: false,
  fulfil_state: 'none' as const,
  refund_state: 'none' as const,
  frozen: false,
}
/** A show that begins in the future, held so that nobody cancels it meanwhile. */
const showToCome = async (tx: Db, show_id: number, now: number) => {
  const [found] = await tx
    .select({ show: film_show, film, cinema: film_cinema, owner: film_owner })
    .from(film_show)
    .innerJoin(film, eq(film.id, film_show.film_id))
    .innerJoin(film_cinema, eq(film_cinema.id, film_show.cinema_id))
    .innerJoin(film_owner, eq(film_owner.id, film_cinema.owner_id))
    .where(eq(film_show.id, show_id))
    .for('share', { of: film_show })
  if (!found) throw missing()
  if (found.show.state !== 'on')
    throw ruled('show_canceled', [
      '该场次已取消，请换一场',
      'The show is cancelled: choose another',
    ])
  if (found.show.start_at <= now)
    throw ruled('show_begun', ['该场次已开场，请换一场', 'The show has begun: choose another'])
  return found
}
/** The show as it is sold in its city now. Throws 422 with what keeps it from being sold. */
const offered = async (
  tx: Db,
  tickets: TicketProviders,
  of: Pick<BuyingFilm, 'show_id' | 'now'>,
): Promise<Offered> => {
  const found = await showToCome(tx, of.show_id, of.now)
  const { terms, paused, blocked } = await filmTermsOf(tx, found.cinema.city_id)
  if (!terms.is_open)
    throw ruled('film_closed', ['该城市未开通影票', 'Film tickets are not sold in this city'])
  if (paused)
    throw ruled('film_paused', ['该城市已暂停售票，请稍后再试', 'Sale is paused here: try later'])
  if (blocked.some(one => one.cinema_no === found.cinema.no))
    throw ruled('cinema_blocked', [
      '该影院暂不售票，请换一家',
      'Not sold at this cinema: choose another',
    ])
  const first = terms.providers.find(one => one.on)
  if (!first)
    throw ruled('no_provider', [
      '没有可用的出票渠道，请稍后再试',
      'No ticket provider is on: try later',
    ])
  return { ...found, terms, provider: tickets[first.key] }
}
/** Seats of the hall's plan, each once, as many as one order may have. */
const refuseSeats = ({ cinema, show, terms }: Offered, of: BuyingFilm): void => {
  const { seats } = of
  if (seats.length < 1 || seats.length > terms.seat_limit)
    throw ruled('seat_limit', ['一单可选 1 至 {most} 个座位', 'From 1 to {most} seats an order'], {
      most: terms.seat_limit,
    })
  const hall = cinema.halls.find(one => one.name === show.hall)
  const wrong = seats.find(seat => !hall || !hasSeat(hall, seat))
  if (wrong || new Set(seats.map(seatKey)).size < seats.length)
    throw ruled('no_seat', [
      '座位不存在或重复，请重新选座',
      'No such seat, or one twice: choose again',
    ])
  if (of.pull && seats.length > 1)
    throw ruled('pull_seats', [
      '活动价每单限 1 个座位',
      'A campaign’s price is for one seat an order',
    ])
}
/** Takes the seats; of two buyers at once one has them, and the other hears which are gone. */
const takeSeats = async (
  tx: Db,
  of: { order_id: number; show_id: number; seats: readonly Seat[]; now: number },
): Promise<void> => {
  // All buyers take seats in one order, so that nobody waits in a circle.
  const rows = of.seats
    .map(seat => ({ seat: seatKey(seat), show_id: of.show_id, order_id: of.order_id }))
    .toSorted((a, b) => a.seat.localeCompare(b.seat))
    .map(row => ({ ...row, created_at: of.now, updated_at: of.now }))
  const taken = await tx
    .insert(film_seat)
    .values(rows)
    .onConflictDoNothing()
    .returning({ seat: film_seat.seat })
  const gone = of.seats.filter(seat => !taken.some(one => one.seat === seatKey(seat)))
  if (gone.length > 0) throw seatsGone(gone)
}
const seatsGone = (gone: readonly Seat[]) => {
  const [zh, en] = [0, 1].map(at => gone.map(seat => seatName(seat)[at]).join(comma[at]!))
  return ruled(
    'seat_taken',
    [`${zh} 刚被别人选走，请换座`, `${en} just taken: choose others`],
    {},
    {
      seats: gone.map(seatKey),
    },
  )
}
/** Seats that are taken already are told without an order being begun. */
const refuseTaken = async (tx: Db, { show_id, seats }: BuyingFilm): Promise<void> => {
  const held = await tx
    .select({ seat: film_seat.seat })
    .from(film_seat)
    .where(and(eq(film_seat.show_id, show_id), isNull(film_seat.freed_at)))
  const gone = seats.filter(seat => held.some(one => one.seat === seatKey(seat)))
  if (gone.length > 0) throw seatsGone(gone)
}
/** Adds an order up, and takes its coupon for it. Cents of all seats. */
const sumUp = async (tx: Db, of: BuyingFilm, what: Offered & { order_no: string }) => {
  const n = of.seats.length
  const { show, cinema, owner, terms } = what
  const { sale_cents, subsidy_cents } = seatPriceOf(show, terms, of.pull)
  const price_cents = sale_cents + terms.service_fee_cents
  const total_cents = price_cents * n
  const points = pointsPaying(of.points, total_cents)
  const item = {
    id: 0,
    merchant_id: owner.merchant_id,
    category_id: 0,
    store_ids: [owner.store_id],
    in_activity: of.pull !== undefined,
  }
  const coupon =
    of.coupon_grant_id === undefined
      ? undefined
      : await lockCoupon(tx, {
          grant_id: of.coupon_grant_id,
          member_id: of.member_id,
          order_no: what.order_no,
          kind: 'film',
          posted: false,
          store_id: owner.store_id,
          city_id: cinema.city_id,
          freight_cents: 0,
          other_cents: points.cents,
          reduced: of.pull !== undefined || points.n > 0,
          sold: [{ item, price_cents, cost_cents: total_cents }],
          now: of.now,
        })
  const price = {
    origin_cents: show.origin_cents * n,
    sale_cents: sale_cents * n,
    service_fee_cents: terms.service_fee_cents * n,
    coupon_cents: coupon?.discount_cents ?? 0,
    points_cents: points.cents,
  }
  return { price, price_cents, subsidy_cents: subsidy_cents * n, total_cents, coupon, points }
}
type Sums = Awaited<ReturnType<typeof sumUp>>
const insertOrder = async (
  tx: Db,
  of: BuyingFilm,
  what: Offered & Sums & { order_no: string; lock_end: number },
): Promise<Order> => {
  const { now, member_id } = of
  const { owner, show, cinema, film: shown, terms, coupon, price } = what
  const { version_no } = await rulesNow(tx, 'film')
  const pay_cents = payOf(price)
  const platform_cents = (coupon?.platform_cents ?? 0) + price.points_cents
  const [made] = await tx
    .insert(order)
    .values({
      order_no: what.order_no,
      kind: 'film',
      sub_kind: 'virtual',
      member_id,
      source: 'mini_program',
      agreements: await consentByOrder(tx, { member_id, kind: 'film', now }),
      device_id: of.device ?? null,
      city_id: cinema.city_id,
      mall_id: cinema.mall_id,
      merchant_id: owner.merchant_id,
      store_id: owner.store_id,
      total_cents: what.total_cents,
      platform_discount_cents: platform_cents,
      store_discount_cents: coupon?.merchant_cents ?? 0,
      coupon_grant_id: coupon ? of.coupon_grant_id! : null,
      points_used: what.points.n,
      pay_cents,
      ...unpaid,
      status: statusOf(unpaid),
      config_version: version_no,
      expire_pay_at: what.lock_end,
      // Settlement takes it as the moment that the tickets were received.
      receive_by: show.end_at,
      created_at: now,
      updated_at: now,
    })
    .returning()
  await tx.insert(order_item).values({
    order_id: made!.id,
    kind: 'film',
    snapshot: {
      title: shown.name,
      cost_cents: show.cost_cents * of.seats.length,
      freeze_days: terms.freeze_days,
      commission_bp: 0,
      images: [],
    },
    title: shown.name,
    store_id: owner.store_id,
    qty: of.seats.length,
    price_cents: what.price_cents,
    pay_cents,
    platform_cents,
    fulfil: 'virtual',
    created_at: now,
    updated_at: now,
  })
  return made!
}
const insertFilmOrder = (
  tx: Db,
  of: BuyingFilm,
  what: Offered & Sums & { made: Order; lock_end: number },
) => {
  const { made, show, film: shown, cinema, price, terms, provider, lock_end } = what
  return tx.insert(film_order).values({
    order_id: made.id,
    show_id: show.id,
    cinema_id: cinema.id,
    film_id: shown.id,
    member_id: of.member_id,
    city_id: made.city_id,
    mall_id: made.mall_id,
    cinema_name: cinema.name,
    film_name: shown.name,
    hall: show.hall,
    show_at: show.start_at,
    show_end_at: show.end_at,
    seats: [...of.seats],
    seat_count: of.seats.length,
    ...price,
    subsidy_cents: what.subsidy_cents,
    cost_cents: show.cost_cents * of.seats.length,
    provider: provider.key,
    ticket_state: 'locked',
    lock_expire_at: lock_end,
    terms,
    distributor_id: of.pull?.distributor_id ?? null,
    pull_activity_id: of.pull?.activity_id ?? null,
    created_at: of.now,
    updated_at: of.now,
  })
}
const askPayment = (tx: Db, of: BuyingFilm, made: Order) =>
  tx.insert(payment).values({
    order_id: made.id,
    direction: 'in',
    stage: 'full',
    channel: of.channel ?? 'embedded',
    amount_cents: made.pay_cents,
    out_no: made.order_no,
    state: 'pending',
    created_at: of.now,
    updated_at: of.now,
  })
const notePlaced = (tx: Db, of: BuyingFilm, { made, coupon }: { made: Order } & Sums) =>
  noteOrder(tx, {
    order_id: made.id,
    event: 'create',
    actor: { type: 'member', id: of.member_id },
    at: of.now,
    to: made.status,
    ...(coupon && {
      data: {
        coupon: {
          name: coupon.name,
          discount_cents: coupon.discount_cents,
          platform_cents: coupon.platform_cents,
          merchant_cents: coupon.merchant_cents,
        } satisfies CouponNote,
      },
    }),
  })

/**
 * Places an order of seats at the city's terms of the day, which stay with it: the seats are locked
 * for as long as both the terms and the provider keep them, never into the show. Throws 422 with the
 * rule that refuses; of buyers at once for a seat one has it, and the others hear which is gone.
 */
export const placeFilm = async (
  tx: Db,
  tickets: TicketProviders,
  of: BuyingFilm,
): Promise<Order> => {
  const { now, member_id } = of
  await refuseSanctioned(tx, member_id, 'order', now)
  await refuseRisky(tx, { member_id, device_id: of.device ?? null, proved: of.proved, now })
  const offer = await offered(tx, tickets, of)
  refuseSeats(offer, of)
  await refuseTaken(tx, of)
  const order_no = numberOf('FI', now)
  const minutes = Math.min(offer.terms.lock_minutes, offer.provider.lock_minutes)
  const lock_end = Math.min(now + minutes * 60, offer.show.start_at)
  const sums = await sumUp(tx, of, { ...offer, order_no })
  const made = await insertOrder(tx, of, { ...offer, ...sums, order_no, lock_end })
  await insertFilmOrder(tx, of, { ...offer, ...sums, made, lock_end })
  await takeSeats(tx, { ...of, order_id: made.id })
  await askPayment(tx, of, made)
  const { n: points } = sums.points
  if (points > 0) await freezePoints(tx, { member_id, points, order: made, now })
  await notePlaced(tx, of, { made, ...sums })
  return made
}
