import { asc, sql } from 'drizzle-orm'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import {
  film,
  film_cinema,
  film_order,
  film_owner,
  film_refund,
  film_request,
  film_seat,
  film_show,
} from './film.table.ts'
import { madeOf } from './filmMade.demo.ts'
import { filmPlans } from './filmPlans.demo.ts'
import { refundOf } from './filmRefunds.demo.ts'
import { itemOf, orderOf, requestOf, seatRows, ticketOf } from './filmRows.demo.ts'
import { newShows, type Cinema, type Show } from './filmShows.demo.ts'

const housesOf = async (db: Db): Promise<Cinema[]> => {
  const owners = await db.select().from(film_owner)
  const rows = await db.select().from(film_cinema).orderBy(asc(film_cinema.id))
  const byId = new Map(owners.map(one => [one.id, one]))
  return rows.map(row => ({ ...row, owner: byId.get(row.owner_id)! }))
}
const nextIds = async (db: Db) => {
  const { rows } = await db.execute<{ order: number; item: number; refund: number }>(
    sql`select (select max(id) from "order") "order", (select max(id) from order_item) item,
      (select max(id) from refund) refund`,
  )
  return rows[0]!
}
/** What follows from the orders, made by the database: payments in and out, and what happened. */
const followed = async (db: Db, from: { order: number; refund: number }, now: number) => {
  await db.execute(sql`
    insert into payment (order_id, direction, stage, channel, amount_cents, fee_cents, out_no,
      channel_no, state, success_at, created_at, updated_at)
    select id, 'in', 'full', 'embedded', pay_cents,
      case when paid_at is not null then (pay_cents * 6 + 500) / 1000 else 0 end, order_no,
      case when paid_at is not null then '42000' || lpad((id::bigint * 7919)::text, 18, '0') end,
      case when paid_at is not null then 'success' when pay_state = 'unpaid' then 'pending'
        else 'closed' end, paid_at, created_at, coalesce(paid_at, created_at)
    from "order" where kind = 'film' and id > ${from.order} order by id`)
  await db.execute(sql`
    insert into payment (order_id, refund_id, direction, stage, channel, amount_cents, out_no,
      channel_no, parent_id, state, fail_code, fail_text, tries, fails, ask_at, success_at,
      created_at, updated_at)
    select r.order_id, r.id, 'out', 'refund', p.channel, r.amount_cents, r.refund_no,
      case when r.state = 'done' then '50300' || lpad((r.id::bigint * 7919)::text, 18, '0') end,
      p.id, case r.state when 'done' then 'success' else 'failed' end,
      case when r.state = 'pay_failed' then 'NOT_ENOUGH' end,
      case when r.state = 'pay_failed' then '商户账户余额不足' end, 1,
      case when r.state = 'pay_failed' then 1 else 0 end, ${now} + 60, r.done_at, r.created_at, coalesce(r.done_at, r.created_at)
    from refund r join payment p on p.order_id = r.order_id and p.direction = 'in'
      where r.id > ${from.refund} and r.order_kind = 'film' and r.state in ('done', 'pay_failed')
      order by r.id`)
  await db.execute(sql`
    insert into order_log (order_id, event, from_status, to_status, actor_type, actor_id, memo, at)
    select logs.* from (
      select order_id id, 'create' event, null from_status, 'pending_payment' to_status,
        'member' actor_type, member_id, '' memo, created_at "at" from film_order
      union all select id, 'pay', 'pending_payment', 'issuing', 'channel', null, '', paid_at
        from "order" where kind = 'film' and paid_at is not null
      union all select order_id, 'issue', 'issuing', 'finished', 'channel', null, provider_no,
        ticketed_at from film_order where ticketed_at is not null
      union all select f.order_id, 'issue_failed', null, null, 'channel', null, f.provider_status,
        o.paid_at + 20 from film_order f join "order" o on o.id = f.order_id
        where o.paid_at is not null and f.ticketed_at is null
        and f.ticket_state in ('issue_failed', 'released')
      union all select id, 'cancel', 'pending_payment', 'cancelled',
        case cancel_type when 'member' then 'member' else 'system' end, null, '', closed_at from "order"
        where kind = 'film' and closed_at is not null
      union all select id, 'freeze', null, 'freezing', 'staff', 3, coalesce(freeze_reason, ''),
        updated_at from "order" where kind = 'film' and frozen
      union all select order_id, 'refund_open', null, 'refunding',
        case source when 'system' then 'system' else 'member' end, null, reason, created_at
        from refund where order_kind = 'film'
      union all select order_id, 'refund_done', null, null, 'channel', null, '', done_at from refund
        where order_kind = 'film' and done_at is not null
    ) logs join "order" o on o.id = logs.id where o.id > ${from.order} order by "at", 1`)
}
/** Film orders of ninety days, in every state; and shows that can be booked. */
const seedFilmOrders = async (db: Db, random: Random, world: World): Promise<void> => {
  const { now } = world
  const cinemas = await housesOf(db)
  const films = await db.select().from(film).orderBy(asc(film.id))
  const from = await nextIds(db)
  const shows = newShows(films)
  let canceled: Show | undefined
  const made = filmPlans(random, world).map((plan, at) => {
    const id = from.order + at + 1
    const popular = Math.floor(cinemas.length * random.next() ** 1.6)
    const showFor = () => shows.at(cinemas[popular]!, plan.show_at, random.int(0, 2))
    const show = plan.together ? (canceled ??= showFor()) : showFor()
    const cheap = plan.ticket === 'issued' && !plan.refund && at % 25 === 10
    const n = cheap
      ? 1
      : Number(random.weighted({ '1': 18, '2': 56, '3': 14, '4': 9, '5': 2, '6': 1 }))
    return madeOf(plan, {
      id,
      item_id: from.item + at + 1,
      show,
      seats: shows.seatsIn(show, n),
      random,
      world,
      cheap,
    })
  })
  if (canceled)
    Object.assign(canceled, { state: 'canceled', canceled_at: canceled.start_at - HOUR })
  for (const cinema of cinemas)
    for (let at = 0; at < 6; at++) shows.at(cinema, now + (5 + at * 7) * HOUR, at)
  await insertRows(
    db,
    film_show,
    shows.all().map(({ film: _, cinema: __, plan: ___, next: ____, ...row }) => row),
  )
  await insertRows(db, order, made.map(orderOf))
  await insertRows(db, order_item, made.map(itemOf))
  await insertRows(db, film_order, made.map(ticketOf))
  await insertRows(db, film_seat, made.flatMap(seatRows))
  await insertRows(db, film_request, made.flatMap(requestOf))
  const refunds = made
    .filter(one => one.plan.refund)
    .map((one, at) => refundOf(one, from.refund + at + 1))
  await insertRows(
    db,
    refund,
    refunds.map(one => one.row),
  )
  await insertRows(
    db,
    refund_item,
    refunds.map(one => one.line),
  )
  await insertRows(
    db,
    film_refund,
    refunds.map(one => one.more),
  )
  await followed(db, from, now)
  await afterIds(db)
}
export const demo: readonly DemoStep[] = [
  { place: 98, branch: 'film orders', title: '影票 / film tickets', run: seedFilmOrders },
]
