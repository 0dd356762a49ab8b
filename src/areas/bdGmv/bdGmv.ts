import { monthOf, monthStart } from '#src/areas/merchant/bd.ts'
import { momentNamed, unitEnd, unitStart, weekdayOf } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'

/** How a result is counted; the page prints it, as bonuses are paid by it. */
export const definition: readonly Text[] = [
  [
    '支付：周期内付款的订单实付，归付款当时管辖该门店的 BD。',
    'Paid: orders paid within the period, for the BD who had the store at that moment.',
  ],
  [
    '退款：周期内退款成功的金额，计入退款当期，归付款当时的 BD。',
    'Refunded: what went back within the period, for the BD at the time of payment.',
  ],
  [
    '调整：退款中属于已锁定月份订单的部分；净额 = 支付 − 退款。',
    'Adjustment: the part of refunds that is of a locked month. Net is paid less refunded.',
  ],
  [
    '核销：周期内有效核销的实付；开店归首任 BD；达成率 = 净额 ÷ 月目标。',
    'Redeemed: valid redemptions, as paid. Openings go to the first BD; reached is net of target.',
  ],
]
/** The row of stores without a BD; no person has this number. */
export const NOBODY = 2147483646
/** The oldest period that is asked for, in months. */
export const MOST_MONTHS = 12

export type PeriodKind = 'month' | 'week'
export type GmvPeriod = { kind: PeriodKind; from: number; until: number }
/** A period by its name: `202611`, or `2026-11-23` for the week of that Monday; else undefined. */
export const periodNamed = (name: string): GmvPeriod | undefined => {
  const month = momentNamed(name, 'YYYYMM')
  if (month !== undefined) return { kind: 'month', from: month, until: unitEnd(month, 'month') }
  const day = momentNamed(name)
  return day !== undefined && weekdayOf(day) === 1
    ? { kind: 'week', from: day, until: unitEnd(day, 'isoWeek') }
    : undefined
}
export const nameOf = (kind: PeriodKind, at: number): string =>
  kind === 'month' ? `${monthOf(at)}` : dateOf(unitStart(at, 'isoWeek'))
/** The last periods of a kind, the present one first. */
export const lastPeriods = (kind: PeriodKind, now: number): string[] => {
  const names = [nameOf(kind, now)]
  while (names.length < MOST_MONTHS)
    names.push(nameOf(kind, periodNamed(names.at(-1)!)!.from - DAY))
  return names
}
/** The period of the same kind before one. */
export const periodBefore = (name: string): string => {
  const { kind, from } = periodNamed(name)!
  return nameOf(kind, from - DAY)
}
/** Why a period can't be asked for, or undefined: twelve months lie open, none of the future. */
export const periodFault = (name: string, now: number): Text | undefined => {
  const period = periodNamed(name)
  if (!period) return ['不是月份（202611）或周一日期（2026-11-23）', 'Neither a month nor a Monday']
  if (period.from > now) return ['周期还没有开始', 'It has not begun']
  const oldest = monthStart(Number(lastPeriods('month', now).at(-1)))
  return period.from < oldest
    ? [`最多查看近 ${MOST_MONTHS} 个月`, `Only the last ${MOST_MONTHS} months`]
    : undefined
}

/** Why a month can't be locked, or undefined: it must be over. */
export const lockFault = (month: number, now: number): Text | undefined =>
  periodFault(`${month}`, now) ??
  (month >= monthOf(now)
    ? ['本月尚未结束，结束后才能锁定', 'It is not over yet: lock it once it is']
    : undefined)

/** What is counted for one person, or for stores without any; money in cents. */
export type GmvSums = {
  paid_cents: number
  redeemed_cents: number
  refunded_cents: number
  /** The part of the refunds that is of locked months. */
  adjust_cents: number
  discount_cents: number
  list_cents: number
  orders: number
  opened: number
  active_stores: number
}
export const noSums: GmvSums = {
  paid_cents: 0,
  redeemed_cents: 0,
  refunded_cents: 0,
  adjust_cents: 0,
  discount_cents: 0,
  list_cents: 0,
  orders: 0,
  opened: 0,
  active_stores: 0,
}
export const netOf = (of: Pick<GmvSums, 'paid_cents' | 'refunded_cents'>): number =>
  of.paid_cents - of.refunded_cents
/** What was taken off the list price, in basis points of it; null where nothing was sold. */
export const discountOf = (of: Pick<GmvSums, 'discount_cents' | 'list_cents'>): number | null =>
  of.list_cents > 0 ? Math.round((of.discount_cents * 10_000) / of.list_cents) : null
export const addedUp = (all: readonly GmvSums[]): GmvSums =>
  all.reduce(
    (sum, one) =>
      Object.fromEntries(
        Object.entries(sum).map(([key, n]) => [key, n + one[key as keyof GmvSums]]),
      ) as GmvSums,
    noSums,
  )
/** Places by the net result from 1; equal results share a place. Stores of nobody have none. */
export const placesOf = (
  rows: readonly { id: number; net_cents: number }[],
): ReadonlyMap<number, number> => {
  const nets = rows.filter(row => row.id !== NOBODY)
  return new Map(
    nets.map(row => [row.id, 1 + nets.filter(one => one.net_cents > row.net_cents).length]),
  )
}
