import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { film_order, film_refund } from '#src/areas/film/film.table.ts'
import { seatName, type FilmRefundKind } from '#src/areas/film/film.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { payoutsOf } from '#src/areas/refund/refundPay.server.ts'
import { comma, say } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { equal, record } from '#src/server/call/record.ts'
import { couponFate, expectedReturn, isReturnable, type FilmRefundTab } from './filmRefund.ts'
import type { FilmRefund } from './tickets.server.ts'

const t = film_refund
export const filmRefunds = record(t, {
  object: 'film_refund',
  label: row => `#${row.id}`,
  keys: ['provider_state', 'charge_cents', 'cost_return_cents', 'loss_cents', 'assignee_id'],
  places: { city: t.city_id, mall: t.mall_id },
})

export type FilmRefundFilters = {
  state?: FilmRefundTab | undefined
  kind?: FilmRefundKind | undefined
  keyword?: string | undefined
  city_id?: number | undefined
  mall_id?: number | undefined
  assignee_id?: number | undefined
  /** Those whose provider refused. */
  refused?: boolean | undefined
}
/** The refunds of films in a state, by the index of their kind and state. */
const inState = (states: SQL): SQL =>
  sql`${t.refund_id} in (select r.id from refund r where r.order_kind = 'film' and r.state in (${states}))`
const tabs: Record<FilmRefundTab, SQL> = {
  // In the words of the index `refund_open`.
  open: inState(sql`'applied', 'second_audit', 'wait_return', 'returning', 'paying', 'pay_failed'`),
  applied: inState(sql`'applied'`),
  second_audit: inState(sql`'second_audit'`),
  returning: sql`${t.provider_state} = 'returning'`,
  paying: and(inState(sql`'paying'`), sql`${t.provider_state} <> 'returning'`)!,
  pay_failed: inState(sql`'pay_failed'`),
  done: inState(sql`'done'`),
  rejected: inState(sql`'rejected', 'closed'`),
}
/** The number of a refund or of an order. */
const numbered = (keyword: string): SQL =>
  sql`${t.refund_id} in (select r.id from refund r where r.refund_no = ${keyword} union select r.id from refund r join "order" o on o.id = r.order_id where o.order_no = ${keyword})`
export const filmRefundsWhere = (of: FilmRefundFilters): SQL | undefined =>
  and(
    of.state && tabs[of.state],
    equal(t, {
      kind: of.kind,
      city_id: of.city_id,
      mall_id: of.mall_id,
      assignee_id: of.assignee_id,
    }),
    of.refused ? sql`${t.provider_state} = 'refused'` : undefined,
    of.keyword ? numbered(of.keyword) : undefined,
  )

const [assignee, first, second] = ['assignee', 'first', 'second'].map(name =>
  alias(admin, name),
) as [typeof admin, typeof admin, typeof admin]
const read = (db: Db, ids: readonly number[]) =>
  db
    .select({
      id: t.id,
      row: refund,
      film: film_order,
      order_no: order.order_no,
      pay_cents: order.pay_cents,
      refunded_cents: order.refunded_cents,
      frozen: order.frozen,
      coupon_grant_id: order.coupon_grant_id,
      member: member.nickname,
      city: city.city_name,
      assignee: assignee.name,
      first: first.name,
      second: second.name,
      seats: sql<boolean>`exists (select 1 from refund_item i where i.refund_id = ${refund.id})`,
    })
    .from(t)
    .innerJoin(refund, eq(refund.id, t.refund_id))
    .innerJoin(order, eq(order.id, t.order_id))
    .innerJoin(film_order, eq(film_order.order_id, t.order_id))
    .leftJoin(member, eq(member.id, film_order.member_id))
    .leftJoin(city, eq(city.id, t.city_id))
    .leftJoin(assignee, eq(assignee.id, t.assignee_id))
    .leftJoin(first, eq(first.id, refund.first_by))
    .leftJoin(second, eq(second.id, refund.second_by))
    .where(inArray(t.id, [...ids]))
/** Refunds of tickets with their orders, and what the provider would give back now. */
export const shownFilmRefunds = async (
  db: Db,
  rows: readonly FilmRefund[],
  { now, staff }: { now: number; staff: Pick<Staff, 'lang'> },
) => {
  if (rows.length === 0) return []
  const found = await read(
    db,
    rows.map(row => row.id),
  )
  const payouts = await payoutsOf(
    db,
    found.map(one => one.row),
  )
  const by = new Map(found.map(one => [one.id, one]))
  return rows.map(part => {
    const { row, film, ...of } = by.get(part.id)!
    const answered = part.provider_state === 'returned' || part.provider_state === 'refused'
    const over = row.state === 'done' || answered
    return {
      id: part.id,
      refund_id: row.id,
      refund_no: row.refund_no,
      order_id: row.order_id,
      order_no: of.order_no,
      kind: part.kind,
      state: row.state,
      type: row.type,
      source: row.source,
      reason: row.reason,
      amount_cents: row.amount_cents,
      cap_cents: row.cap_cents,
      charge_cents: part.charge_cents,
      pay_cents: of.pay_cents,
      refunded_cents: of.refunded_cents,
      points_back: row.points_back,
      coupon: couponFate({ ...row, coupon_grant_id: of.coupon_grant_id }),
      provider: film.provider,
      provider_state: part.provider_state,
      provider_answer: part.provider_answer,
      tries: part.tries,
      has_tickets: of.seats && film.provider_no !== null,
      returnable: of.seats && isReturnable(film, now),
      give_back_cents: over
        ? part.cost_return_cents
        : expectedReturn({ ...film, seats: of.seats }, now),
      loss_cents: over
        ? part.loss_cents
        : row.amount_cents - expectedReturn({ ...film, seats: of.seats }, now),
      film_name: film.film_name,
      cinema_name: film.cinema_name,
      hall: film.hall,
      seats: film.seats.map(seat => say(seatName(seat), staff.lang)).join(say(comma, staff.lang)),
      seat_count: film.seat_count,
      show_at: part.show_at,
      ticket_state: film.ticket_state,
      member_name: of.member ?? '',
      city_name: of.city ?? '',
      frozen: of.frozen,
      after_settled: part.after_settled,
      assignee_id: part.assignee_id,
      assignee_name: of.assignee ?? '',
      first_by: row.first_by,
      first_name: of.first ?? '',
      second_name: of.second ?? '',
      decided_at: row.decided_at,
      reject_reason: row.reject_reason ?? '',
      fail_code: payouts.get(row.id)!.fail_code,
      fail_text: payouts.get(row.id)!.fail_text ?? '',
      fails: payouts.get(row.id)!.fails,
      created_at: row.created_at,
      done_at: row.done_at,
      version: row.version,
    }
  })
}
