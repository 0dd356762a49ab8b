import type { Text } from '#src/domain/text.ts'
import type { TicketProviderKey } from './film.ts'

/** What a city may say for itself; what it leaves out is the default's. */
export type FilmTerms = {
  is_open: boolean
  /** In the order that they are asked in; one that is off is not asked. */
  providers: readonly { key: TicketProviderKey; on: boolean }[]
  /** On the provider's price (basis points), before the subsidy. */
  markup_bp: number
  /** Off each seat, borne by the house. */
  subsidy_cents: number
  /** On each seat, shown to the buyer before they pay. */
  service_fee_cents: number
  seat_limit: number
  lock_minutes: number
  refund_before_minutes: number
  refund_monthly_times: number
  refund_charge_bp: number
  /** Between the end of the show and settlement. */
  freeze_days: number
  /** The prepaid money at a provider below which somebody is warned. */
  deposit_alarm_cents: number
}
export type FilmTerm = keyof FilmTerms
/** What its numbers are called: in the form, on the page and in the operation log. */
export const termNames = {
  markup_bp: ['加价', 'Mark-up'],
  subsidy_cents: ['每座补贴', 'Subsidy per seat'],
  service_fee_cents: ['每座服务费', 'Service fee per seat'],
  seat_limit: ['每单座位上限', 'Seats per order'],
  lock_minutes: ['锁座时长（分钟）', 'Seat hold (minutes)'],
  refund_before_minutes: ['开场前可退（分钟）', 'Refund cutoff (minutes before)'],
  refund_monthly_times: ['每月可退次数', 'Refunds per month'],
  refund_charge_bp: ['退票手续费', 'Refund fee'],
  freeze_days: ['散场后冻结（天）', 'On hold after the show (days)'],
  deposit_alarm_cents: ['预存款预警', 'Low deposit alert'],
} satisfies Partial<Record<FilmTerm, Text>>
export type FilmNumber = keyof typeof termNames
/** What an installation begins with. */
export const termsAtFirst: FilmTerms = {
  is_open: true,
  providers: [
    { key: 'provider_a', on: true },
    { key: 'provider_b', on: true },
    { key: 'direct', on: false },
  ],
  markup_bp: 300,
  subsidy_cents: 0,
  service_fee_cents: 300,
  seat_limit: 6,
  lock_minutes: 10,
  refund_before_minutes: 60,
  refund_monthly_times: 3,
  refund_charge_bp: 1000,
  freeze_days: 3,
  deposit_alarm_cents: 20_000_00,
}
/** A cinema that is not sold. */
export type BlockedCinema = { cinema_no: string; reason: string; by: number; at: number }

/** The terms of a city: its own where it has some, else the default's, else those at first. */
export const termsIn = (
  standard: Partial<FilmTerms> | undefined,
  own: Partial<FilmTerms> | undefined,
): FilmTerms => {
  const said = (of: Partial<FilmTerms> | undefined) =>
    Object.fromEntries(
      Object.entries(of ?? {}).filter(([key, value]) => key in termsAtFirst && value !== null),
    )
  return { ...termsAtFirst, ...said(standard), ...said(own) }
}
