import { eq } from 'drizzle-orm'
import {
  film,
  film_cinema,
  film_order,
  film_owner,
  film_seat,
  film_setting,
  film_show,
} from '#src/areas/film/film.table.ts'
import type { Seat } from '#src/areas/film/film.ts'
import { placeFilm, type BuyingFilm } from '#src/areas/film/filmPlacing.server.ts'
import { embeddedProviders, type TicketProviders } from '#src/areas/film/provider.channel.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { HOUR, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { aBuyer } from './cardOrders.ts'
import { freshMerchant } from './merchants.ts'

let made = 0
/** A city that nobody else has: its terms and owner are a test's own. */
export const aFilmCity = (): number => 900_000 + ++made
/** The terms of one city alone, as an override of the default. */
export const filmTerms = async (
  { db }: Pick<Database, 'db'>,
  of: Partial<typeof film_setting.$inferInsert> & { city_id: number },
) => (await db.insert(film_setting).values(of).returning())[0]!
/** A merchant that trades with an open store, which sells a city's tickets. */
const anOwner = async (database: Pick<Database, 'db'>, city_id: number) => {
  const own = await freshMerchant(database as Database)
  return (
    await database.db
      .insert(film_owner)
      .values({ merchant_id: own.id, store_id: own.store_id, city_id })
      .returning()
  )[0]!
}
export type Cinema = typeof film_cinema.$inferSelect
export type Show = typeof film_show.$inferSelect
/** A cinema of a test's own city, with a hall of 8 rows of 10 seats and an aisle. */
export const aCinema = async (
  database: Pick<Database, 'db'>,
  of: Partial<typeof film_cinema.$inferInsert> = {},
): Promise<Cinema> => {
  const city_id = of.city_id ?? aFilmCity()
  const owner = await anOwner(database, city_id)
  const [row] = await database.db
    .insert(film_cinema)
    .values({
      no: `TQ${++made}`,
      name: `测试影城${made}`,
      owner_id: owner.id,
      halls: [{ name: '1号厅', rows: 8, cols: 10, gaps: [{ row: 1, col: 5 }] }],
      ...of,
      city_id,
    })
    .returning()
  return row!
}
/** A show of a film of its own: it begins in three hours and lasts two, unless said. */
export const aShow = async (
  database: Pick<Database, 'db'>,
  of: Partial<typeof film_show.$inferInsert> & { cinema?: Cinema } = {},
): Promise<Show> => {
  const { cinema = await aCinema(database), ...show } = of
  const start_at = show.start_at ?? unixNow() + 3 * HOUR
  const [shown] = await database.db
    .insert(film)
    .values({ name: `测试影片Q${++made}号`, minutes: 120 })
    .returning()
  const [row] = await database.db
    .insert(film_show)
    .values({
      cinema_id: cinema.id,
      film_id: shown!.id,
      hall: '1号厅',
      origin_cents: 6000,
      cost_cents: 4000,
      floor_cents: 3000,
      ...show,
      start_at,
      end_at: show.end_at ?? start_at + 2 * HOUR,
    })
    .returning()
  return row!
}
export const seatsOf = (...seats: readonly `${number}-${number}`[]): Seat[] =>
  seats.map(one => {
    const [row, col] = one.split('-').map(Number)
    return { row: row!, col: col! }
  })
type Placing = Partial<BuyingFilm> & { tickets?: TicketProviders }
/** Places an order of a show's seats as a member of its own does. */
export const placeTickets = async (database: Database, of: Placing = {}): Promise<Order> => {
  const { tickets = embeddedProviders, ...rest } = of
  const asked = {
    member_id: rest.member_id ?? (await aBuyer(database)).id,
    show_id: rest.show_id ?? (await aShow(database)).id,
    seats: seatsOf('3-4', '3-5'),
    proved: true,
    now: unixNow(),
    ...rest,
  }
  return database.transaction(tx => placeFilm(tx, tickets, asked))
}
/** The same, paid. Answers the order as it is then. */
export const buyTickets = async (database: Database, of: Placing = {}): Promise<Order> => {
  const row = await placeTickets(database, of)
  await database.transaction(tx => payOrder(tx, row.id, of.now ?? unixNow()))
  return (await database.db.select().from(order).where(eq(order.id, row.id)))[0]!
}
export const ticketsOf = async ({ db }: Pick<Database, 'db'>, order_id: number) =>
  (await db.select().from(film_order).where(eq(film_order.order_id, order_id)))[0]!
/** The seats that an order holds now. */
export const heldBy = async ({ db }: Pick<Database, 'db'>, order_id: number): Promise<string[]> =>
  (await db.select().from(film_seat).where(eq(film_seat.order_id, order_id)))
    .filter(one => one.freed_at === null)
    .map(one => one.seat)
    .toSorted()
