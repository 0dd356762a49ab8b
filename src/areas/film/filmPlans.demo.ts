import { sized } from '#src/areas/merchant/trade.demo.ts'
import type { RefundState } from '#src/areas/refund/refund.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { FilmRefundKind, TicketState } from './film.ts'

/** What becomes of a film order of the demo. */
export type FilmFate = {
  pay: 'unpaid' | 'closed' | 'paid'
  ticket: TicketState
  /** Seconds ago that it was placed. */
  ago: readonly [from: number, to: number]
  /** Seconds from the order to its show; undefined: the usual spread. */
  show?: readonly [from: number, to: number]
  refund?: { kind: FilmRefundKind; state: RefundState }
  frozen?: true
  /** Nobody has answered yet, for longer than usual. */
  stuck?: true
  /** All of them are of one show, which was cancelled. */
  together?: true
}
const PAST: readonly [number, number] = [4 * DAY, 90 * DAY]
const MINUTE = 60
const refunded = (kind: FilmRefundKind, ticket: TicketState = 'released'): FilmFate => ({
  pay: 'paid',
  ticket,
  ago: PAST,
  refund: { kind, state: 'done' },
})
const asked = (kind: FilmRefundKind, state: RefundState): FilmFate => ({
  pay: 'paid',
  ticket: state === 'pay_failed' ? 'released' : 'issued',
  ago: [40 * MINUTE, 20 * HOUR],
  // A complaint comes after the show, the others while it is still to come.
  show: kind === 'complaint' ? [15 * MINUTE, 30 * MINUTE] : [30 * HOUR, 4 * DAY],
  refund: { kind, state },
})
/** So many at full size, and at the least. */
const counts: readonly (readonly [full: number, least: number, fate: FilmFate])[] = [
  [12, 2, { pay: 'unpaid', ticket: 'locked', ago: [30, 5 * MINUTE], show: [3 * HOUR, 2 * DAY] }],
  [6, 2, { pay: 'paid', ticket: 'issuing', ago: [60, 3 * MINUTE], show: [4 * HOUR, 2 * DAY] }],
  // A stuck order's show begins in twenty minutes.
  [1, 1, { pay: 'paid', ticket: 'issuing', ago: [540, 600], show: [1800, 1800], stuck: true }],
  [
    2,
    2,
    { pay: 'paid', ticket: 'issuing', ago: [420, 780], show: [4 * HOUR, 2 * DAY], stuck: true },
  ],
  [25, 4, { pay: 'paid', ticket: 'issue_failed', ago: [120, 840], show: [3 * HOUR, 2 * DAY] }],
  [40, 2, refunded('ticket_failed')],
  [112, 4, refunded('user')],
  [28, 2, refunded('complaint')],
  [38, 5, { ...refunded('show_canceled'), ago: [2 * DAY, 2 * DAY + 4 * HOUR], together: true }],
  [9, 4, asked('user', 'applied')],
  [5, 2, asked('complaint', 'applied')],
  [3, 2, asked('user', 'pay_failed')],
  [40, 3, { pay: 'paid', ticket: 'issued', ago: PAST, frozen: true }],
  [300, 5, { pay: 'closed', ticket: 'released', ago: PAST }],
  [
    160,
    8,
    { pay: 'paid', ticket: 'issued', ago: [20 * MINUTE, 20 * HOUR], show: [30 * HOUR, 4 * DAY] },
  ],
  [
    60,
    4,
    { pay: 'paid', ticket: 'issued', ago: [HOUR, 3 * DAY], show: [20 * MINUTE, 40 * MINUTE] },
  ],
  [4359, 60, { pay: 'paid', ticket: 'issued', ago: PAST }],
]
export type FilmPlan = FilmFate & {
  /** When it is placed, and about when its show begins (unix seconds). */
  at: number
  show_at: number
}
/** The film orders of the demo in the order of time, at any size one of every state. */
export const filmPlans = (
  random: Random,
  { now, scale }: { now: number; scale: number },
): FilmPlan[] => {
  const usual = [40 * MINUTE, 3 * DAY] as const
  return counts
    .flatMap(([full, least, fate]) =>
      Array.from({ length: sized(full, scale, least) }, () => {
        const at = now - random.int(...fate.ago)
        const ahead = fate.show ?? usual
        return { ...fate, at, show_at: at + random.int(ahead[0], ahead[1]) }
      }),
    )
    .sort((a, b) => a.at - b.at)
}
