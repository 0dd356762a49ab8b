import { and, eq, gte, like, lt, lte, or, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderStatus } from '#src/areas/order/order.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { begins } from '#src/server/db/like.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { film, film_order, film_show } from './film.table.ts'
import { STUCK_S, type FilmStage, type TicketProviderKey } from './film.ts'
import { filmSettled, filmStage } from './filmStage.server.ts'

/** Film orders as rows of orders: their id and version are the order's. */
export const filmRecord = record(order, {
  object: 'order',
  label: row => row.order_no,
  keys: ['status', 'frozen', 'freeze_reason'],
  places: { city: order.city_id, mall: order.mall_id },
})
export type FilmFilters = {
  stage?: FilmStage | undefined
  keyword?: string | undefined
  cinema_id?: number | undefined
  film_id?: number | undefined
  paid_from?: number | undefined
  paid_to?: number | undefined
  city_id?: number | undefined
  mid?: number | undefined
  provider?: TicketProviderKey | undefined
  stuck?: boolean | undefined
  show_from?: number | undefined
  show_to?: number | undefined
}
/** The status that an order of a stage shows; issued ones are settled or not. */
const statusOf: Readonly<Record<FilmStage, OrderStatus>> = {
  pending_payment: 'pending_payment',
  pending_tickets: 'issuing',
  ticketed: 'finished',
  settled: 'finished',
  refunding: 'refunding',
  refunded: 'refunded',
  cancelled: 'cancelled',
  freezing: 'freezing',
}
const f = film_order
/** Orders of which what they have beside the order is so. */
const having = (where: SQL | undefined): SQL | undefined =>
  where && sql`${order.id} in (select ${f.order_id} from ${f} where ${where})`
const settledOr = (stage: FilmStage | undefined): SQL | undefined => {
  if (stage !== 'ticketed' && stage !== 'settled') return undefined
  const is = sql`exists (select 1 from ${f} where ${f.order_id} = ${order.id} and ${filmSettled})`
  return stage === 'settled' ? is : sql`not ${is}`
}
const found = (keyword: string | undefined): SQL | undefined => {
  if (!keyword) return undefined
  const phone = mobileOf(keyword.replace(/[\s-]/g, ''))
  return or(
    eq(order.order_no, keyword.trim().toUpperCase()),
    phone
      ? sql`${order.member_id} in (select ${member.id} from ${member} where ${member.phone} = ${phone})`
      : having(
          sql`${f.film_id} in (select ${film.id} from ${film} where ${like(film.name, begins(keyword.trim()))})`,
        ),
  )
}
/** True of orders that were paid and not issued for five minutes. */
const stuck = (now: number): SQL =>
  and(
    eq(order.status, 'issuing'),
    having(
      and(
        sql`${f.ticket_state} in ('issuing', 'issue_failed')`,
        lt(f.waiting_since, now - STUCK_S),
      ),
    ),
  )!
export const filmWhere = (of: FilmFilters, now: number): SQL =>
  and(
    eq(order.kind, 'film'),
    of.stage && eq(order.status, statusOf[of.stage]),
    settledOr(of.stage),
    of.city_id === undefined ? undefined : eq(order.city_id, of.city_id),
    of.mid === undefined ? undefined : eq(order.mall_id, of.mid),
    found(of.keyword),
    of.stuck ? stuck(now) : undefined,
    of.paid_from === undefined ? undefined : gte(order.paid_at, of.paid_from),
    of.paid_to === undefined ? undefined : lte(order.paid_at, of.paid_to),
    having(
      and(
        of.cinema_id === undefined ? undefined : eq(f.cinema_id, of.cinema_id),
        of.film_id === undefined ? undefined : eq(f.film_id, of.film_id),
        of.provider && eq(f.provider, of.provider),
        of.show_from === undefined ? undefined : gte(f.show_at, of.show_from),
        of.show_to === undefined ? undefined : lte(f.show_at, of.show_to),
      ),
    ),
  )!
/** Film orders as they are shown, in the order given. */
export const shownFilms = async (db: Db, rows: readonly { id: number }[]) => {
  if (rows.length === 0) return []
  const found = await db
    .select({
      order,
      film: film_order,
      stage: filmStage,
      settled: filmSettled,
      member_name: member.nickname,
      phone: member.phone,
      show_state: film_show.state,
      city_name: sql<string>`coalesce((select ${city.city_name} from ${city} where ${city.id} = ${order.city_id}), '')`,
      mall_name: sql<string>`coalesce((select ${mall.name} from ${mall} where ${mall.id} = ${order.mall_id}), '')`,
    })
    .from(order)
    .innerJoin(film_order, eq(film_order.order_id, order.id))
    .innerJoin(film_show, eq(film_show.id, film_order.show_id))
    .innerJoin(member, eq(member.id, film_order.member_id))
    .where(
      oneOf(
        order.id,
        rows.map(row => row.id),
      ),
    )
  const by = new Map(found.map(one => [one.order.id, one]))
  return rows.flatMap(({ id }) => {
    const one = by.get(id)
    if (!one) return []
    const { order: row, film: own, ...more } = one
    return [
      {
        ...own,
        id: row.id,
        version: row.version,
        order_no: row.order_no,
        kind: 'film' as const,
        pay_state: row.pay_state,
        refund_state: row.refund_state,
        frozen: row.frozen,
        frozen_by: row.frozen_by,
        freeze_reason: row.freeze_reason,
        pay_cents: row.pay_cents,
        refunded_cents: row.refunded_cents,
        mid: row.mall_id,
        created_at: row.created_at,
        ...more,
      },
    ]
  })
}
