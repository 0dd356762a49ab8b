import { eq } from 'drizzle-orm'
import { film_cinema } from '#src/areas/film/film.table.ts'
import { placeFilm } from '#src/areas/film/filmPlacing.server.ts'
import { embeddedProviders } from '#src/areas/film/provider.channel.ts'
import {
  film_pull_activity,
  film_pull_promoter,
  film_pull_record,
} from '#src/areas/filmPull/pull.table.ts'
import { keepPull, takePull, spendPull } from '#src/areas/filmPull/pulls.server.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import type { Show } from './films.ts'
import { freshSeller } from './sellers.ts'

let made = 0
export type Campaign = typeof film_pull_activity.$inferSelect
/** A campaign that runs now, everywhere, unless said otherwise. */
export const aCampaign = async (
  { db }: Pick<Database, 'db'>,
  of: Partial<typeof film_pull_activity.$inferInsert> & { maker_id: number },
): Promise<Campaign> => {
  const now = unixNow()
  const [row] = await db
    .insert(film_pull_activity)
    .values({
      name: `测试活动Q${++made}`,
      price_cents: 990,
      subsidy_cents: 3000,
      reward_cents: 500,
      quota: 10,
      quota_day: 10,
      budget_cents: 35_000,
      start_at: now - DAY,
      end_at: now + 30 * DAY,
      status: 'running',
      ...of,
    })
    .returning()
  return row!
}
export const campaignOf = async ({ db }: Pick<Database, 'db'>, id: number): Promise<Campaign> =>
  (await db.select().from(film_pull_activity).where(eq(film_pull_activity.id, id)))[0]!
/** A promoter of a campaign whose code a member scanned so many seconds ago. */
export const scannedBy = async (
  database: Pick<Database, 'db'>,
  of: { activity_id: number; member_id: number; ago?: number; distributor_id?: number },
) => {
  const { activity_id, member_id, ago = 600 } = of
  const distributor_id = of.distributor_id ?? (await freshSeller(database)).id
  await database.db
    .insert(film_pull_promoter)
    .values({ activity_id, distributor_id })
    .onConflictDoNothing()
  const at = unixNow() - ago
  const [record] = await database.db
    .insert(film_pull_record)
    .values({
      activity_id,
      distributor_id,
      city_id: 1,
      member_id,
      scan_at: at,
      register_at: at + 60,
      status: 'registered',
    })
    .returning()
  return record!
}
export const recordOf = async ({ db }: Pick<Database, 'db'>, id: number) =>
  (await db.select().from(film_pull_record).where(eq(film_pull_record.id, id)))[0]!
/** Buys one seat of a show at a campaign's price, unpaid. */
export const placePulled = async (
  database: Database,
  of: {
    activity_id: number
    member_id: number
    show: Show
    seat: { row: number; col: number }
    device?: string
    now?: number
  },
): Promise<Order> => {
  const { show, now = unixNow() } = of
  const [cinema] = await database.db
    .select()
    .from(film_cinema)
    .where(eq(film_cinema.id, show.cinema_id))
  return database.transaction(async tx => {
    const pulled = await takePull(tx, {
      activity_id: of.activity_id,
      member_id: of.member_id,
      device: of.device,
      show: {
        film_id: show.film_id,
        cinema_id: cinema!.id,
        city_id: cinema!.city_id,
        mall_id: cinema!.mall_id,
      },
      now,
    })
    const made = await placeFilm(tx, embeddedProviders, {
      member_id: of.member_id,
      show_id: show.id,
      seats: [of.seat],
      pull: pulled,
      proved: true,
      now,
      ...(of.device !== undefined && { device: of.device }),
    })
    await keepPull(tx, pulled, { order_id: made.id, now })
    return made
  })
}
/** The place of a paid order is used. */
export const spendPlace = (database: Database, row: Order, now = unixNow()) =>
  database.transaction(tx => spendPull(tx, row, now))
