import { DAY, HOUR, dayStart } from '#src/domain/time.ts'
import type { film, film_cinema, film_owner, film_show } from './film.table.ts'
import { hasSeat, type Hall, type Seat } from './film.ts'

const SLOT_S = 2.5 * HOUR
export type Cinema = typeof film_cinema.$inferSelect & { owner: typeof film_owner.$inferSelect }
type Film = typeof film.$inferSelect
export type Show = typeof film_show.$inferInsert & {
  id: number
  film: Film
  cinema: Cinema
  plan: Hall
  /** The next place of the plan that nobody took. */
  next: number
}
/** Shows come into being as orders ask for them; no seat is given out twice. */
export const newShows = (films: readonly Film[]) => {
  const shows = new Map<string, Show>()
  const at = (cinema: Cinema, near: number, turn: number): Show => {
    const start = dayStart(near) + Math.ceil((near - dayStart(near)) / 300) * 300
    const plan = cinema.halls[turn % cinema.halls.length]!
    const key = `${cinema.id}:${Math.floor(start / SLOT_S)}:${plan.name}`
    const found = shows.get(key)
    if (found && found.next + 6 < plan.rows * plan.cols) return found
    const film = films[(cinema.id + turn + Math.floor(start / DAY)) % films.length]!
    const cost_cents = 2600 + ((cinema.id * 7 + turn * 3) % 9) * 300
    const show: Show = {
      id: shows.size + 1,
      cinema_id: cinema.id,
      film_id: film.id,
      hall: plan.name,
      start_at: start,
      end_at: start + film.minutes * 60,
      origin_cents: cost_cents + 1200,
      cost_cents,
      floor_cents: cost_cents - 600,
      state: 'on',
      canceled_at: null,
      created_at: start - 7 * DAY,
      updated_at: start - 7 * DAY,
      film,
      cinema,
      plan,
      next: plan.cols * 2 + 3,
    }
    // A second house of the same hour is another hall's.
    shows.set(found ? `${key}:${show.id}` : key, show)
    return show
  }
  const seatsIn = (show: Show, n: number): Seat[] => {
    const { plan } = show
    const seats: Seat[] = []
    while (seats.length < n) {
      const seat = { row: 1 + Math.floor(show.next / plan.cols), col: 1 + (show.next % plan.cols) }
      show.next++
      if (hasSeat(plan, seat)) seats.push(seat)
    }
    return seats
  }
  return { at, seatsIn, all: () => [...shows.values()] }
}
