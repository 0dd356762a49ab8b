import { and, sql, type SQL } from 'drizzle-orm'
import { ticketProviders, type TicketProviderKey } from '#src/areas/film/film.ts'
import { say, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, SHANGHAI } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import type { StatBasis, StatBy, StatSums } from './filmStat.ts'

export type StatAsked = {
  by: StatBy
  basis: StatBasis
  /** Unix seconds: from the first to before the second. */
  from: number
  to: number
  city_id?: number | undefined
  mid?: number | undefined
  film_id?: number | undefined
  cinema_id?: number | undefined
  provider?: TicketProviderKey | undefined
}
/** A row of a view: `key` is the beginning of its day (unix), or the id of what it is told for. */
export type Stat = StatSums & { key: number; name: string }
const OUTSIDE: Text = ['商场外', 'Outside malls']
const providerKeys = Object.keys(ticketProviders) as TicketProviderKey[]

const keyOf = (by: StatBy, at: SQL): SQL => {
  switch (by) {
    case 'day':
      return sql`((${at} + ${SHANGHAI}::int) / ${DAY}::int * ${DAY}::int - ${SHANGHAI}::int)::int`
    case 'film':
      return sql`f.film_id`
    case 'cinema':
      return sql`f.cinema_id`
    case 'city':
      return sql`f.city_id`
    case 'mall':
      return sql`f.mall_id`
    case 'provider':
      return sql`array_position(${sql.param(`{${providerKeys.join()}}`)}::text[], f.provider)`
  }
}
const wordsOf = (by: StatBy): SQL => {
  switch (by) {
    case 'film':
      return sql`(select x.name from film x where x.id = k.key)`
    case 'cinema':
      return sql`(select x.name from film_cinema x where x.id = k.key)`
    case 'city':
      return sql`(select x.city_name from city x where x.id = k.key)`
    case 'mall':
      return sql`(select x.name from mall x where x.id = k.key)`
    default:
      return sql`null`
  }
}
/** What a row is called in the reader's language. */
const nameOf = (by: StatBy, of: { key: number; name: string | null }, lang: Staff['lang']) => {
  if (by === 'day') return dateOf(of.key)
  if (by === 'provider') return say(ticketProviders[providerKeys[of.key - 1]!], lang)
  return of.name ?? (by === 'mall' ? say(OUTSIDE, lang) : '')
}
/** Orders that a person sees and the filters match; a table called f. */
const matching = (asked: StatAsked, { scope }: Pick<Staff, 'scope'>): SQL => {
  const seen = within(scope, { city: sql`f.city_id`, mall: sql`f.mall_id` })
  const equal = (column: SQL, value: number | string | undefined) =>
    value === undefined ? undefined : sql`${column} = ${value}`
  return (
    and(
      seen,
      equal(sql`f.city_id`, asked.city_id),
      equal(sql`f.mall_id`, asked.mid),
      equal(sql`f.film_id`, asked.film_id),
      equal(sql`f.cinema_id`, asked.cinema_id),
      equal(sql`f.provider`, asked.provider),
    ) ?? sql`true`
  )
}
/**
 * The figures of film tickets, of orders that were paid within the period: what was cancelled counts
 * nowhere. Refunds count for the day that `basis` says; what a provider gave back may come before.
 * Every number adds up: the rows of any view come to the same totals.
 */
export const filmStat = async (
  db: Db,
  asked: StatAsked,
  staff: Pick<Staff, 'scope' | 'lang'>,
): Promise<Stat[]> => {
  const { by, basis, from, to } = asked
  const where = matching(asked, staff)
  const backAt = basis === 'refund' ? sql`coalesce(r.done_at, x.answered_at)` : sql`o.paid_at`
  const { rows } = await db.execute<Stat & { name: string | null }>(sql`
    with sold as (
      select ${keyOf(by, sql`o.paid_at`)} as key, count(*)::int as orders,
        sum(f.seat_count)::int as seats,
        sum(f.sale_cents + f.service_fee_cents)::float8 as box_cents,
        sum(f.coupon_cents + f.points_cents)::float8 as coupon_cents,
        sum(f.subsidy_cents)::float8 as subsidy_cents,
        sum(o.pay_cents - f.cost_cents - f.wechat_fee_cents)::float8 as profit_cents,
        count(f.ticketed_at)::int as ticketed,
        coalesce(sum(f.ticketed_at - o.paid_at), 0)::float8 as waited_s,
        count(*) filter (where not exists (select 1 from film_order e
          join "order" eo on eo.id = e.order_id where e.member_id = f.member_id
          and eo.pay_state = 'paid' and (eo.paid_at, eo.id) < (o.paid_at, o.id)))::int as new_buyers
      from film_order f join "order" o on o.id = f.order_id
      where o.kind = 'film' and o.pay_state = 'paid' and o.paid_at >= ${from} and o.paid_at < ${to}
        and ${where} group by 1),
    back as (
      select ${keyOf(by, backAt)} as key,
        count(distinct r.order_id) filter (where r.state = 'done')::int as refunds,
        coalesce(sum(r.amount_cents) filter (where r.state = 'done'), 0)::float8 as refunded_cents,
        sum(x.cost_return_cents)::float8 as returned_cents
      from refund r join film_refund x on x.refund_id = r.id
        join film_order f on f.order_id = r.order_id join "order" o on o.id = f.order_id
      where (r.state = 'done' or x.cost_return_cents > 0) and o.pay_state = 'paid'
        and ${backAt} >= ${from} and ${backAt} < ${to} and ${where} group by 1),
    k as (select key from sold union select key from back)
    select k.key, ${wordsOf(by)} as name, coalesce(s.orders, 0) as orders,
      coalesce(s.seats, 0) as seats, coalesce(s.box_cents, 0) as box_cents,
      coalesce(s.coupon_cents, 0) as coupon_cents,
      coalesce(s.subsidy_cents, 0) as subsidy_cents,
      coalesce(s.profit_cents, 0) - coalesce(b.refunded_cents, 0)
        + coalesce(b.returned_cents, 0) as profit_cents,
      coalesce(s.ticketed, 0) as ticketed, coalesce(s.waited_s, 0) as waited_s,
      coalesce(b.refunds, 0) as refunds, coalesce(b.refunded_cents, 0) as refunded_cents,
      coalesce(s.new_buyers, 0) as new_buyers
    from k left join sold s using (key) left join back b using (key)
    order by ${by === 'day' ? sql`k.key desc` : sql`coalesce(s.box_cents, 0) desc, k.key`}`)
  return rows.map(row => ({ ...row, name: nameOf(by, row, staff.lang) }))
}
