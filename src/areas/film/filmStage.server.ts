import { sql } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { film_order } from './film.table.ts'
import type { FilmStage } from './film.ts'

/**
 * Whether an order is settled: all of its lines that did not go back are, and there are some. Before
 * its show was over no line is, so most orders need no look.
 */
export const filmSettled = sql<boolean>`(${film_order.shown_at} is not null
  and exists (select 1 from settle_line l where l.order_id = ${film_order.order_id}
    and l.status = 'settled')
  and not exists (select 1 from settle_line l where l.order_id = ${film_order.order_id}
    and l.status not in ('settled', 'refunded', 'canceled')))`
/** `filmStageOf`, of a film_order joined with its order. */
export const filmStage = sql<FilmStage>`(case when ${order.pay_state} = 'closed' then 'cancelled'
  when ${order.pay_state} = 'unpaid' then 'pending_payment'
  when ${order.refund_state} = 'refunded' then 'refunded' when ${order.frozen} then 'freezing'
  when ${order.refund_state} = 'refunding' then 'refunding'
  when ${film_order.ticket_state} <> 'issued' then 'pending_tickets'
  when ${filmSettled} then 'settled' else 'ticketed' end)`
