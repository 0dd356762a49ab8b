import { eq, isNull, or } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { film_setting } from './film.table.ts'
import { termsIn, type BlockedCinema, type FilmTerms } from './filmSettings.ts'

/** How films are sold in a city now. */
export type FilmSale = {
  terms: FilmTerms
  /** Why nothing is sold, where a person paused it: the city's own pause, else that of all. */
  paused: { reason: string; at: number } | null
  /** Cinemas that are not sold, here or anywhere. */
  blocked: readonly BlockedCinema[]
}
/** The terms of a city, with what is paused and blocked for it or for all. */
export const filmTermsOf = async (db: Db, city_id: number): Promise<FilmSale> => {
  const rows = await db
    .select()
    .from(film_setting)
    .where(or(isNull(film_setting.city_id), eq(film_setting.city_id, city_id)))
  const [own, standard] = [
    rows.find(row => row.city_id !== null),
    rows.find(row => row.city_id === null),
  ]
  const said = (row: typeof own) => row as Partial<FilmTerms> | undefined
  const paused = [own, standard].find(row => row && row.paused_at !== null)
  return {
    terms: termsIn(said(standard), said(own)),
    paused: paused ? { reason: paused.paused_reason, at: paused.paused_at! } : null,
    blocked: [...(own?.blocked_cinemas ?? []), ...(standard?.blocked_cinemas ?? [])],
  }
}
