import { and, eq, gt, inArray, isNotNull, notInArray, sql } from 'drizzle-orm'
import { film_cinema, film_setting, film_show } from '#src/areas/film/film.table.ts'
import type { TicketProviderKey } from '#src/areas/film/film.ts'
import { termsIn, type FilmTerms } from '#src/areas/film/filmSettings.ts'
import type { TicketProviders } from '#src/areas/film/provider.channel.ts'
import type { Db } from '#src/server/call/implement.ts'

export type Setting = typeof film_setting.$inferSelect
/** The default's row, which is always there once a setting was saved. */
export const standardOf = async (db: Db): Promise<Setting | undefined> =>
  (
    await db
      .select()
      .from(film_setting)
      .where(sql`${film_setting.city_id} is null`)
  )[0]

/** The least that the providers that are on keep seats for (minutes). */
export const longestLock = (
  { providers }: Pick<FilmTerms, 'providers'>,
  channels: TicketProviders,
): number =>
  Math.min(...providers.filter(one => one.on).map(one => channels[one.key].lock_minutes), 15)

/** How many shows to come would be sold below what the provider allows, at a city's terms. */
export const tooCheap = async (
  db: Db,
  terms: Pick<FilmTerms, 'markup_bp' | 'subsidy_cents'>,
  { city_id, now }: { city_id: number | null; now: number },
): Promise<number> => {
  // Cities with a price of their own are asked for themselves.
  const own = db
    .select({ id: film_setting.city_id })
    .from(film_setting)
    .where(
      and(
        isNotNull(film_setting.city_id),
        sql`${film_setting.markup_bp} is not null and ${film_setting.subsidy_cents} is not null`,
      ),
    )
  const there =
    city_id === null
      ? notInArray(film_cinema.city_id, own)
      : inArray(film_cinema.city_id, [city_id])
  const price = sql`${film_show.cost_cents} * (10000 + ${terms.markup_bp}::int) / 10000.0 - ${terms.subsidy_cents}::int`
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(film_show)
    .innerJoin(film_cinema, eq(film_cinema.id, film_show.cinema_id))
    .where(and(there, gt(film_show.start_at, now), sql`${price} < ${film_show.floor_cents}`))
  return row!.n
}
/** The terms that a row comes to: its own over the default's. */
export const termsOfRow = (row: Partial<FilmTerms>, standard: Setting | undefined): FilmTerms =>
  termsIn(standard as Partial<FilmTerms> | undefined, row)
/** The list of providers with one of them first, and on. */
export const withFirst = (
  providers: FilmTerms['providers'],
  key: TicketProviderKey,
): FilmTerms['providers'] => [{ key, on: true }, ...providers.filter(one => one.key !== key)]
