import type { Random } from '#src/server/demo/random.ts'
import type { World } from '#src/server/demo/step.ts'
import { payOf, type Seat } from './film.ts'
import type { FilmPlan } from './filmPlans.demo.ts'
import { termsAtFirst } from './filmSettings.ts'
import type { Show } from './filmShows.demo.ts'

const COUPON_CENTS = 500
type Priced = ReturnType<typeof pricesOf>
/** The parts of a price, as the city's terms make them; a few are sold far below their cost. */
const pricesOf = (show: Show, of: { seats: number; cheap: boolean; coupon: boolean }) => {
  const { seats: n, cheap } = of
  const usual = Math.ceil((show.cost_cents * 10_300) / 10_000 / 10) * 10
  const city = show.cinema.city_id === 2 ? 500 : 0
  const each = cheap ? 990 : Math.max(show.floor_cents, usual - city)
  const price = {
    sale_cents: each * n,
    service_fee_cents: termsAtFirst.service_fee_cents * n,
    coupon_cents: of.coupon ? COUPON_CENTS : 0,
    points_cents: 0,
  }
  return {
    ...price,
    origin_cents: show.origin_cents * n,
    subsidy_cents: (usual - each) * n,
    cost_cents: show.cost_cents * n,
    pay_cents: payOf(price),
  }
}
export type Made = {
  /** Its order's. */
  id: number
  item_id: number
  plan: FilmPlan
  show: Show
  seats: Seat[]
  price: Priced
  member_id: number
  paid_at: number | null
  ticketed_at: number | null
  shown_at: number | null
  back_cents: number
  charge_cents: number
  cost_return_cents: number
  now: number
}
/** What came back of an order's price, what of it was kept, and what the provider gave back. */
const backOf = (plan: FilmPlan, price: Priced) => {
  if (!plan.refund) return { charge_cents: 0, back_cents: 0, cost_return_cents: 0 }
  const { kind, state } = plan.refund
  const share = kind === 'user' ? termsAtFirst.refund_charge_bp : 0
  const charge_cents = Math.round((price.pay_cents * share) / 10_000)
  // The provider gives nothing back for a show that was seen.
  const returned = kind !== 'complaint' && (state === 'done' || state === 'pay_failed')
  return {
    charge_cents,
    back_cents: price.pay_cents - charge_cents,
    cost_return_cents: returned ? price.cost_cents : 0,
  }
}
export const isBack = ({ plan }: Made): boolean => plan.refund?.state === 'done'
export const isAsked = ({ plan }: Made): boolean =>
  plan.refund !== undefined && plan.refund.state !== 'done'
/** What a plan comes to, with its seats taken. */
export const madeOf = (
  plan: FilmPlan,
  of: {
    id: number
    item_id: number
    show: Show
    seats: Seat[]
    random: Random
    world: World
    cheap: boolean
  },
): Made => {
  const { id, show, seats, random, world } = of
  const { now } = world
  const price = pricesOf(show, { seats: seats.length, cheap: of.cheap, coupon: id % 7 === 3 })
  const paid_at = plan.pay === 'paid' ? plan.at + random.int(8, 55) : null
  const wasIssued =
    plan.ticket === 'issued' ||
    (plan.ticket === 'released' && plan.pay === 'paid' && plan.refund?.kind !== 'ticket_failed')
  const ticketed_at = wasIssued ? paid_at! + random.int(3, 40) : null
  const seen = plan.ticket === 'issued' && !plan.frozen && show.end_at <= now - 60
  return {
    id,
    item_id: of.item_id,
    plan,
    show,
    seats,
    price,
    member_id: 1 + ((id * 13) % world.memberCount),
    paid_at,
    ticketed_at,
    shown_at: seen && !plan.refund ? show.end_at + 60 : null,
    ...backOf(plan, price),
    now,
  }
}
