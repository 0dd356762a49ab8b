import { and, eq, isNull } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_seat, film_show } from '#src/areas/film/film.table.ts'
import { payOf } from '#src/areas/film/film.ts'
import { filmTermsOf } from '#src/areas/film/filmTerms.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import {
  aCinema,
  aFilmCity,
  aShow,
  filmTerms,
  heldBy,
  placeTickets,
  seatsOf,
  ticketsOf,
} from '../../help/films.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
const ruleOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.data['rule'] ?? error.status
      throw error
    },
  )

describe('an order of seats', () => {
  it('keeps its price as it was sold, and its seats until its lock ends', async () => {
    const show = await aShow(database)
    const now = unixNow()
    const row = await placeTickets(database, { show_id: show.id, now })
    const kept = await ticketsOf(database, row.id)
    expect([row.kind, row.status, row.sub_kind]).toEqual(['film', 'pending_payment', 'virtual'])
    expect(row.pay_cents).toBe(payOf(kept))
    expect([row.total_cents, kept.sale_cents + kept.service_fee_cents]).toEqual([
      row.pay_cents,
      row.total_cents,
    ])
    expect([kept.cost_cents, kept.origin_cents, kept.ticket_state]).toEqual([
      8000,
      12_000,
      'locked',
    ])
    expect([row.expire_pay_at, kept.lock_expire_at, row.receive_by]).toEqual([
      now + 600,
      now + 600,
      show.end_at,
    ])
    expect(await heldBy(database, row.id)).toEqual(['3-4', '3-5'])
    const [item] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, row.id))
    expect([item!.product_id, item!.qty, item!.snapshot['cost_cents']]).toEqual([null, 2, 8000])
  })
  it('is refused with what stands against it', async () => {
    const show = await aShow(database)
    const ask = (of: Parameters<typeof placeTickets>[1]) =>
      ruleOf(placeTickets(database, { show_id: show.id, ...of }))
    expect([
      await ask({ seats: [] }),
      await ask({ seats: seatsOf('1-1', '1-2', '1-3', '1-4', '2-1', '2-2', '2-3') }),
      await ask({ seats: seatsOf('9-1') }),
      await ask({ seats: seatsOf('1-5') }),
      await ask({ seats: seatsOf('2-2', '2-2') }),
      await ask({ now: show.start_at }),
      await ask({ show_id: 99_999_999 }),
      await ask({ pull: { price_cents: 990, activity_id: 1, distributor_id: null } }),
    ]).toEqual([
      'seat_limit',
      'seat_limit',
      'no_seat',
      'no_seat',
      'no_seat',
      'show_begun',
      404,
      'pull_seats',
    ])
    await database.db.update(film_show).set({ state: 'canceled' }).where(eq(film_show.id, show.id))
    expect(await ask({})).toBe('show_canceled')
  })
  it('is sold at its city’s terms: closed, paused, blocked, without a provider, dearer', async () => {
    const sold = async (of: Omit<Parameters<typeof filmTerms>[1], 'city_id'>) => {
      const city_id = aFilmCity()
      const cinema = await aCinema(database, { city_id })
      const blocked_cinemas = of.blocked_cinemas?.map(one => ({ ...one, cinema_no: cinema.no }))
      await filmTerms(database, { ...of, city_id, ...(blocked_cinemas && { blocked_cinemas }) })
      const show = await aShow(database, { cinema })
      return ruleOf(placeTickets(database, { show_id: show.id }))
    }
    const off = [{ key: 'provider_a' as const, on: false }]
    expect([
      await sold({ is_open: false }),
      await sold({ paused_at: unixNow(), paused_reason: '余额不足' }),
      await sold({ blocked_cinemas: [{ cinema_no: '', reason: '停业', by: 1, at: 1 }] }),
      await sold({ providers: off }),
      await sold({ seat_limit: 1 }),
      await sold({ markup_bp: 500 }),
    ]).toEqual([
      'film_closed',
      'film_paused',
      'cinema_blocked',
      'no_provider',
      'seat_limit',
      'done',
    ])
    const city_id = aFilmCity()
    await filmTerms(database, { city_id, service_fee_cents: 0, lock_minutes: 5 })
    const { terms, paused } = await filmTermsOf(database.db, city_id)
    expect([terms.service_fee_cents, terms.lock_minutes, paused]).toEqual([0, 5, null])
  })
  it('of fifty buyers of one seat one has it, and the others hear which is gone', async () => {
    const show = await aShow(database)
    const buyers = await Promise.all(Array.from({ length: 50 }, () => aBuyer(database)))
    const said = await Promise.all(
      buyers.map(({ id }, at) =>
        ruleOf(
          placeTickets(database, {
            member_id: id,
            show_id: show.id,
            // They ask for more than the one seat, in either order.
            seats:
              at % 2 ? seatsOf('4-4', `5-${(at % 10) + 1}`) : seatsOf(`5-${(at % 10) + 1}`, '4-4'),
          }),
        ),
      ),
    )
    expect(said.filter(one => one === 'done')).toHaveLength(1)
    expect(said.filter(one => one === 'seat_taken')).toHaveLength(49)
    expect(
      await database.db
        .select()
        .from(film_seat)
        .where(and(eq(film_seat.show_id, show.id), isNull(film_seat.freed_at))),
    ).toHaveLength(2)
  })
})
