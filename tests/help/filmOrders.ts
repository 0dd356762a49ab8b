import { eq, sql } from 'drizzle-orm'
import {
  film,
  film_cinema,
  film_order,
  film_owner,
  film_seat,
  film_show,
} from '#src/areas/film/film.table.ts'
import { payOf, profitOf, seatKey } from '#src/areas/film/film.ts'
import { termsAtFirst, type FilmTerms } from '#src/areas/film/filmSettings.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { recount, type Order } from '#src/areas/order/orderFacts.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { bookOrder } from '#src/areas/settle/orderBooks.server.ts'
import { feeOf } from '#src/areas/settle/split.ts'
import { HOUR, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { aBuyer } from './cardOrders.ts'
import { FIRST } from './counted.ts'
import { freshMerchant } from './merchants.ts'

let made = FIRST
const n = () => `90417${String(++made).padStart(4, '0')}`
/** A new merchant with a store sells the tickets of a test, in a mall of its own. */
export const anOwner = async (database: Database) => {
  const { id: merchant_id, store_id, city_id } = await freshMerchant(database)
  const [row] = await database.db
    .insert(film_owner)
    .values({ merchant_id, store_id, city_id, mall_id: 1_000_000 + merchant_id })
    .returning()
  return row!
}
export type Owner = Awaited<ReturnType<typeof anOwner>>
const cents = { origin_cents: 60_00, sale_cents: 40_00, service_fee_cents: 3_00, cost_cents: 35_00 }
export type Sold = {
  owner: Owner
  /** Seats; one costs 35 yuan and is sold at 43. */
  seats?: number
  ticket_state?: 'locked' | 'issuing' | 'issued' | 'issue_failed'
  /** From now, in seconds. */
  begins_in?: number
  refundable?: boolean
  terms?: Partial<FilmTerms>
  member_id?: number
  coupon_cents?: number
}
const aShow = async ({ db }: Pick<Database, 'db'>, of: Sold, now: number) => {
  const show_at = now + (of.begins_in ?? 5 * HOUR)
  const [title] = await db
    .insert(film)
    .values({ name: `测试影片${n()}`, minutes: 120 })
    .returning()
  const [cinema] = await db
    .insert(film_cinema)
    .values({
      no: `T${n()}`,
      name: `测试影城${n()}`,
      city_id: of.owner.city_id,
      mall_id: of.owner.mall_id,
      owner_id: of.owner.id,
      halls: [{ name: '1号厅', rows: 8, cols: 12, gaps: [] }],
      refundable: of.refundable ?? true,
    })
    .returning()
  const [show] = await db
    .insert(film_show)
    .values({
      cinema_id: cinema!.id,
      film_id: title!.id,
      hall: '1号厅',
      start_at: show_at,
      end_at: show_at + 2 * HOUR,
      origin_cents: cents.origin_cents,
      cost_cents: cents.cost_cents,
      floor_cents: cents.cost_cents,
    })
    .returning()
  return { title: title!, cinema: cinema!, show: show! }
}
/**
 * An order of film tickets of a test's own, paid and issued unless said otherwise, with its seats,
 * its payment and its books.
 */
export const soldFilm = async (database: Database, of: Sold): Promise<Order> => {
  const { db } = database
  const now = unixNow()
  const qty = of.seats ?? 2
  const state = of.ticket_state ?? 'issued'
  const { title, cinema, show } = await aShow({ db }, of, now)
  const member_id = of.member_id ?? (await aBuyer({ db }, of.owner.city_id)).id
  const at = now - 3600
  const terms = { ...termsAtFirst, ...of.terms }
  const sums = {
    origin_cents: qty * cents.origin_cents,
    sale_cents: qty * cents.sale_cents,
    service_fee_cents: qty * cents.service_fee_cents,
    cost_cents: qty * cents.cost_cents,
    coupon_cents: of.coupon_cents ?? 0,
    points_cents: 0,
  }
  const pay_cents = payOf(sums)
  const paid = state !== 'locked'
  const seats = Array.from({ length: qty }, (_, at) => ({ row: 1, col: at + 1 }))
  const wechat_fee_cents = feeOf(pay_cents)
  return database.transaction(async tx => {
    const [row] = await tx
      .insert(order)
      .values({
        order_no: `FT${n()}`,
        kind: 'film',
        sub_kind: 'virtual',
        member_id,
        merchant_id: of.owner.merchant_id,
        store_id: of.owner.store_id,
        city_id: of.owner.city_id,
        mall_id: of.owner.mall_id,
        source: 'mini_program',
        total_cents: sums.sale_cents + sums.service_fee_cents,
        platform_discount_cents: sums.coupon_cents,
        pay_cents,
        paid_cents: paid ? pay_cents : 0,
        pay_state: paid ? 'paid' : 'unpaid',
        fulfil_state: 'none',
        refund_state: 'none',
        status: 'pending_payment',
        expire_pay_at: at + 600,
        ...(paid && { paid_at: at }),
        receive_by: show.end_at,
        created_at: at,
        updated_at: at,
      })
      .returning()
    await tx.insert(order_item).values({
      order_id: row!.id,
      kind: 'film',
      product_id: null,
      snapshot: {
        title: title.name,
        cost_cents: sums.cost_cents,
        freeze_days: terms.freeze_days,
        commission_bp: 0,
        images: [],
      },
      title: title.name,
      store_id: of.owner.store_id,
      qty,
      price_cents: cents.sale_cents + cents.service_fee_cents,
      pay_cents,
      platform_cents: sums.coupon_cents,
      fulfil: 'virtual',
      issue_state: state === 'issued' ? 'issued' : 'issuing',
      created_at: at,
      updated_at: at,
    })
    await tx.insert(film_order).values({
      order_id: row!.id,
      show_id: show.id,
      cinema_id: cinema.id,
      film_id: title.id,
      member_id,
      city_id: of.owner.city_id,
      mall_id: of.owner.mall_id,
      cinema_name: cinema.name,
      film_name: title.name,
      hall: show.hall,
      show_at: show.start_at,
      show_end_at: show.end_at,
      seats,
      seat_count: qty,
      ...sums,
      wechat_fee_cents,
      profit_cents: profitOf({
        ...sums,
        pay_cents,
        wechat_fee_cents,
        refunded_cents: 0,
        cost_return_cents: 0,
      }),
      provider: 'provider_a',
      ticket_state: state,
      ...(state === 'issued' && {
        provider_no: `GY${n()}`,
        ticket_code: `${n()} 123456`,
        ticketed_at: at + 30,
      }),
      lock_expire_at: at + 600,
      ...(paid && { waiting_since: at }),
      terms,
      created_at: at,
      updated_at: at,
    })
    await tx
      .insert(film_seat)
      .values(seats.map(seat => ({ show_id: show.id, order_id: row!.id, seat: seatKey(seat) })))
    if (!paid) return row!
    await tx.insert(payment).values({
      order_id: row!.id,
      direction: 'in',
      stage: 'full',
      channel: 'embedded',
      amount_cents: pay_cents,
      fee_cents: wechat_fee_cents,
      out_no: `P${n()}`,
      state: 'success',
      success_at: at,
      created_at: at,
      updated_at: at,
    })
    await bookOrder(tx, row!.id, at)
    return recount(tx, row!, { event: 'pay', actor: { type: 'channel' }, now: at })
  })
}
/** The show of an order is over: what it brought is its owner's, on hold. */
export const showOver = (database: Database, order_id: number, now = unixNow()) =>
  database.transaction(async tx => {
    const end = now - 60
    await tx
      .update(film_order)
      .set({ show_at: end - 2 * HOUR, show_end_at: end, shown_at: now })
      .where(eq(film_order.order_id, order_id))
    await tx
      .update(order_item)
      .set({ received_qty: sql`qty - refunded_qty` })
      .where(eq(order_item.order_id, order_id))
    await tx.update(order).set({ receive_by: end }).where(eq(order.id, order_id))
    await bookOrder(tx, order_id, now)
  })
