import { and, asc, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupons } from '#src/areas/coupon/couponRecord.server.ts'
import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import {
  film_cinema,
  film_order,
  film_refund,
  film_request,
  film_seat,
} from '#src/areas/film/film.table.ts'
import { seatKey, type Hall, type Seat } from '#src/areas/film/film.ts'
import { filmRecord as rows, shownFilms } from '#src/areas/film/filmRows.server.ts'
import { saveFilm } from '#src/areas/film/tickets.server.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { noteOrder } from '#src/areas/order/orderFacts.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { joined, say, type Lang, type Text } from '#src/domain/text.ts'
import { implement, type Db, type Handler } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { filmOrderDetail as contract, type FilmDetail } from '../contract/detail.ts'
import { allowed, heldFilm, staffActor } from './index.ts'

const OTHERS = 10
const actors: Readonly<Record<string, Text>> = {
  member: ['顾客', 'The buyer'],
  merchant: ['商户', 'The merchant'],
  system: ['系统', 'The system'],
  channel: ['渠道', 'A channel'],
}
/** The plan of a show's hall, with the seats that other orders hold. */
const hallOf = async (
  db: Db,
  of: { order_id: number; show_id: number; cinema_id: number; hall: string; seats: Seat[] },
): Promise<FilmDetail['hall']> => {
  const [cinema] = await db
    .select({ halls: film_cinema.halls })
    .from(film_cinema)
    .where(eq(film_cinema.id, of.cinema_id))
  const plan: Hall = cinema!.halls.find(one => one.name === of.hall) ?? {
    name: of.hall,
    rows: Math.max(...of.seats.map(seat => seat.row)),
    cols: Math.max(...of.seats.map(seat => seat.col)),
    gaps: [],
  }
  const held = await db
    .select({ seat: film_seat.seat })
    .from(film_seat)
    .where(
      and(
        eq(film_seat.show_id, of.show_id),
        ne(film_seat.order_id, of.order_id),
        isNull(film_seat.freed_at),
      ),
    )
  const own = new Set(of.seats.map(seatKey))
  const taken = held
    .filter(one => !own.has(one.seat))
    .map(one => one.seat.split('-').map(Number))
    .map(([row, col]) => ({ row: row!, col: col! }))
  return { ...plan, gaps: [...plan.gaps], taken }
}
const requestsOf = async (db: Db, order_id: number): Promise<FilmDetail['requests']> =>
  (
    await db
      .select({ one: film_request, by: admin.name })
      .from(film_request)
      .leftJoin(admin, eq(admin.id, film_request.asked_by))
      .where(eq(film_request.order_id, order_id))
      .orderBy(asc(film_request.id))
  ).map(({ one, by }) => ({ ...one, by: by ?? '', at: one.answered_at ?? one.created_at }))
const refundsOf = async (db: Db, order_id: number) =>
  (
    await db
      .select({ row: refund, back: film_refund.cost_return_cents })
      .from(refund)
      .leftJoin(film_refund, eq(film_refund.refund_id, refund.id))
      .where(eq(refund.order_id, order_id))
      .orderBy(desc(refund.id))
  ).map(({ row, back }) => ({ ...row, at: row.created_at, cost_return_cents: back ?? 0 }))
const counts = (state: string): boolean =>
  !['applied', 'second_audit', 'rejected', 'closed'].includes(state)
const logOf = async (db: Db, order_id: number, lang: Lang): Promise<FilmDetail['log']> =>
  (
    await db
      .select({ one: order_log, name: admin.name })
      .from(order_log)
      .leftJoin(admin, and(eq(admin.id, order_log.actor_id), eq(order_log.actor_type, 'staff')))
      .where(eq(order_log.order_id, order_id))
      .orderBy(desc(order_log.at), desc(order_log.id))
      .limit(200)
  ).map(({ one, name }) => ({
    ...one,
    by: name ?? say(actors[one.actor_type] ?? actors['system']!, lang),
  }))
const settlementOf = async (db: Db, order_id: number) => {
  const [line] = await db
    .select({
      freeze_until_at: sql<
        string | null
      >`max(${settle_line.freeze_until_at}) filter (where ${settle_line.status} <> 'refunded')`,
      settled_at: sql<string | null>`max(${settle_line.settled_at})`,
    })
    .from(settle_line)
    .where(eq(settle_line.order_id, order_id))
  const at = (value: string | null | undefined) => (value == null ? null : Number(value))
  return { freeze_until_at: at(line?.freeze_until_at), settled_at: at(line?.settled_at) }
}
const othersOf = async (db: Db, member_id: number, but: number) =>
  shownFilms(
    db,
    await db
      .select({ id: film_order.order_id })
      .from(film_order)
      .where(and(eq(film_order.member_id, member_id), ne(film_order.order_id, but)))
      .orderBy(desc(film_order.created_at))
      .limit(OTHERS),
  )

const handlers = {
  detail: async ({ id }, { db, staff }) => {
    await rows.read(db, staff, id)
    const [row] = await shownFilms(db, [{ id }])
    if (!row) throw missing()
    const refunds = await refundsOf(db, id)
    const others = await othersOf(db, row.member_id, id)
    const seen = await db
      .select({ id: order.id })
      .from(order)
      .where(
        and(
          rows.seen(staff),
          sql`${order.id} = any(${sql.param(others.map(one => one.id))}::int[])`,
        ),
      )
    return {
      ...row,
      row,
      hall: await hallOf(db, { ...row, order_id: id }),
      price: {
        ...row,
        given_back_cents: refunds
          .filter(one => counts(one.state))
          .reduce((sum, one) => sum + one.cost_return_cents, 0),
      },
      ...(await settlementOf(db, id)),
      requests: await requestsOf(db, id),
      refunds,
      log: await logOf(db, id, staff.lang),
      others: others.filter(one => seen.some(other => other.id === one.id)),
    }
  },
  revealCode: async ({ id, reason }, context) => {
    const held = await heldFilm(context, { id })
    allowed('revealCode', held, context.now)
    const { row, film } = held
    const told = await noteReveal(
      context,
      'film_order.ticket_code',
      { object_type: 'order', object_id: row.id, object_label: row.order_no },
      reason,
    )
    await noteOrder(context.tx, {
      order_id: id,
      event: 'code_shown',
      actor: staffActor(context),
      at: context.now,
      memo: reason,
    })
    return { id, code: film.ticket_code!, ...told }
  },
  addNote: async ({ id, note }, context) => {
    const { row } = await heldFilm(context, { id })
    await noteOrder(context.tx, {
      order_id: id,
      event: 'remark',
      actor: staffActor(context),
      at: context.now,
      memo: note,
    })
    rows.log(context, row, { after: { note } })
    return { id }
  },
  coupons: offeredCoupons,
  compensate: async ({ id, coupon_id, reason }, context) => {
    const { tx, staff, now } = context
    const held = await heldFilm(context, { id })
    allowed('compensate', held, now)
    await coupons.read(tx, staff, coupon_id)
    const { coupon: given, grants } = await claimCoupon(tx, {
      coupon_id,
      member_id: held.film.member_id,
      qty: 1,
      kind: 'compensate',
      by: { admin_id: staff.id, reason },
      now,
    })
    const [grant] = grants
    if (!grant) throw ruled('no_coupon', ['没有发出优惠券', 'No coupon was given'])
    await saveFilm(tx, held.film, { compensated_at: now, compensation_id: grant.id }, now)
    await noteOrder(tx, {
      order_id: id,
      event: 'remark',
      actor: staffActor(context),
      at: now,
      memo: joined([
        `补偿优惠券「${given.name}」：${reason}`,
        `A coupon to make up for it, ${given.name}: ${reason}`,
      ]),
    })
    rows.log(context, held.row, { after: { coupon_name: given.name }, reason })
    return { id, name: given.name }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const filmDetailServer = implement(contract, handlers)
