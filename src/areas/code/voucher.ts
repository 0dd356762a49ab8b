import { weekdayOf } from '#src/domain/calendar.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'

/** What a voucher was sold under, as its order keeps it. */
export type VoucherRule = {
  face_cents: number
  min_spend_cents: number
  per_bill_limit: number | null
  exclude_weekdays: readonly number[]
  unavailable_dates: readonly string[]
  use_time: string
}
/** Out of the snapshot of an item; undefined where it is no voucher. */
export const voucherRule = (
  snapshot: Readonly<Record<string, unknown>>,
): VoucherRule | undefined => {
  const of = snapshot as Partial<VoucherRule>
  return of.face_cents
    ? {
        face_cents: of.face_cents,
        min_spend_cents: of.min_spend_cents ?? 0,
        per_bill_limit: of.per_bill_limit ?? null,
        exclude_weekdays: of.exclude_weekdays ?? [],
        unavailable_dates: of.unavailable_dates ?? [],
        use_time: of.use_time ?? '',
      }
    : undefined
}
export const weekdays: readonly Text[] = [
  ['周一', 'Monday'],
  ['周二', 'Tuesday'],
  ['周三', 'Wednesday'],
  ['周四', 'Thursday'],
  ['周五', 'Friday'],
  ['周六', 'Saturday'],
  ['周日', 'Sunday'],
]

const RANGE = /^([01]?\d|2[0-4]):([0-5]\d)[-–—~～至到]([01]?\d|2[0-4]):([0-5]\d)$/
/**
 * The hours of a day that words such as 11:00-14:00, 17:00-21:00 name, in minutes; undefined where
 * they name none, or more than hours: words are for people.
 */
const hoursOf = (use_time: string): (readonly [from: number, until: number])[] | undefined => {
  const parts = use_time
    .normalize('NFKC')
    .replace(/(?<!\s)\s+(?=[-–—~至到])|(?<=[-–—~至到])\s+/g, '')
    .split(/[,;、\s]+/)
    .filter(Boolean)
    .map(part => RANGE.exec(part))
  return parts.length === 0 || parts.includes(null)
    ? undefined
    : parts.map(part => {
        const [h1, m1, h2, m2] = part!.slice(1).map(Number)
        return [h1! * 60 + m1!, h2! * 60 + m2!] as const
      })
}
/** Whether it is one of the hours, in Shanghai; some go past midnight. */
const within = (hours: readonly (readonly [number, number])[], at: number): boolean => {
  const minute = Math.floor(((at + 8 * 3600) % DAY) / 60)
  return hours.some(([from, until]) =>
    from <= until ? minute >= from && minute < until : minute >= from || minute < until,
  )
}

export type BillRefusal = { rule: string; text: Text; values: Record<string, string | number> }
/**
 * Why a voucher can't be used for a bill, the first reason that holds; `on_bill` are all vouchers
 * on it with this one. A bill below the face is no reason: no change is given.
 */
export const billRefusal = (
  of: VoucherRule,
  { bill_cents, on_bill, at }: { bill_cents: number; on_bill: number; at: number },
): BillRefusal | undefined => {
  if (of.exclude_weekdays.includes(weekdayOf(at)))
    return {
      rule: 'excluded_day',
      text: [
        `该代金券${weekdays[weekdayOf(at) - 1]![0]}不可用`,
        `It can’t be used on a ${weekdays[weekdayOf(at) - 1]![1]}`,
      ],
      values: {},
    }
  if (of.unavailable_dates.includes(dateOf(at)))
    return {
      rule: 'excluded_day',
      text: ['该代金券 {date} 不可用', 'It can’t be used on {date}'],
      values: { date: dateOf(at) },
    }
  const hours = hoursOf(of.use_time)
  if (hours && !within(hours, at))
    return {
      rule: 'excluded_time',
      text: ['该代金券限 {hours} 使用', 'It can only be used at {hours}'],
      values: { hours: of.use_time },
    }
  if (bill_cents < of.min_spend_cents)
    return {
      rule: 'min_spend',
      text: [
        '账单 {bill} 元未达到最低消费 {min} 元',
        'The bill of ¥{bill} is below the least of ¥{min}',
      ],
      values: { bill: yuan(bill_cents), min: yuan(of.min_spend_cents) },
    }
  if (of.per_bill_limit !== null && on_bill > of.per_bill_limit)
    return {
      rule: 'per_bill',
      text: [
        '每单限用 {max} 张，加上本次共 {n} 张',
        'At most {max} a bill: with these there would be {n}',
      ],
      values: { max: of.per_bill_limit, n: on_bill },
    }
  return undefined
}

/**
 * Bills exactly as high as the vouchers on them, so often a day by one clerk, are what cashing out
 * looks like.
 */
export const EQUAL_BILLS = 5
