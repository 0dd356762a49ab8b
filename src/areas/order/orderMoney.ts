import { percent, shares, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'

const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)

/**
 * What `n` of `left` units that are worth `cents` together take with them: the parts differ by a
 * cent at most, and the last takes the rest.
 */
export const partOf = (cents: number, left: number, n: number): number =>
  n >= left ? cents : n * Math.floor(cents / left) + Math.min(n, cents % left)
/**
 * What one unit settles to the merchant: its shares of what the member and the platform paid, less
 * the commission (rounded half up).
 */
export const settleOf = (
  pay_cents: number,
  platform_cents: number,
  commission_bp: number,
): number => {
  const gross = pay_cents + platform_cents
  return gross - Math.round((gross * commission_bp) / 10_000)
}
/**
 * Splits a payment over `qty` equal units; the parts sum to it exactly and differ by at most a
 * cent.
 */
export const unitShares = (pay_cents: number, qty: number): number[] =>
  shares(
    pay_cents,
    Array.from({ length: qty }, () => 1),
  )
export type TimeShare = {
  n: number
  cents: number
  as: 'used' | 'refund' | 'left' | 'bonus'
  /** The redemption that used it. */
  use_id?: number
}
/**
 * Every time of a code of several, with what it is worth and what became of it: used ones in their
 * order, those refunded or in refund, those left, and those given on top, which are worth nothing.
 */
export const timeShares = (
  code: {
    pay_cents: number
    times_total: number
    times_bonus: number
    left_times: number
    left_pay_cents: number
  },
  uses: readonly {
    id: number
    state: 'valid' | 'reversed'
    times: number
    paid_times: number
    pay_cents: number
    verified_at: number
  }[],
): TimeShare[] => {
  const valid = uses
    .filter(use => use.state === 'valid')
    .sort((a, b) => a.verified_at - b.verified_at || a.id - b.id)
  const used = valid.flatMap(use =>
    unitShares(use.pay_cents, use.paid_times).map(cents => ({
      cents,
      as: 'used' as const,
      use_id: use.id,
    })),
  )
  const back = code.times_total - used.length - code.left_times
  const backCents = code.pay_cents - sum(used, one => one.cents) - code.left_pay_cents
  const given = valid.flatMap(use =>
    Array.from({ length: use.times - use.paid_times }, () => ({
      cents: 0,
      as: 'used' as const,
      use_id: use.id,
    })),
  )
  return [
    ...used,
    ...unitShares(backCents, back).map(cents => ({ cents, as: 'refund' as const })),
    ...unitShares(code.left_pay_cents, code.left_times).map(cents => ({
      cents,
      as: 'left' as const,
    })),
    ...given,
    ...Array.from({ length: code.times_bonus - given.length }, () => ({
      cents: 0,
      as: 'bonus' as const,
    })),
  ].map((one, at) => ({ n: at + 1, ...one }))
}
/**
 * What items are worth after a change of price, spread over them by what they were worth: to the
 * cent, none below zero and, where it became cheaper, none dearer.
 */
export const adjusted = (pays: readonly number[], adjust_cents: number): number[] =>
  shares(pays.reduce((all, cents) => all + cents, 0) + adjust_cents, pays)
/**
 * Why a price can't be changed so, or undefined. Freight is what it is: only what the goods cost
 * can be taken off, and of the whole no more than `most_bp`.
 */
export const adjustFault = (
  of: { pay_cents: number; freight_cents: number },
  adjust_cents: number,
  most_bp: number,
): Text | undefined => {
  const least = Math.max(
    1,
    of.freight_cents,
    of.pay_cents - Math.floor((of.pay_cents * most_bp) / 10_000),
  )
  if (adjust_cents === 0) return ['改价金额不能为 0', 'It would change nothing']
  if (adjust_cents < 0 && of.pay_cents + adjust_cents < least)
    return [
      `改价后不能低于 ${yuan(least)} 元（最多优惠 ${percent(most_bp)}，不减运费）`,
      `Not below ¥${yuan(least)} (at most ${percent(most_bp)} off, and not the freight)`,
    ]
  if (adjust_cents > of.pay_cents)
    return [`最多加价 ${yuan(of.pay_cents)} 元`, `At most ¥${yuan(of.pay_cents)} more`]
  return undefined
}
/**
 * What a merchant owes for a parcel that left past its promise: a share of the goods, at most so
 * much.
 */
export const latePenalty = (
  of: { goods_cents: number; promise_at: number | null; shipped_at: number },
  rules: { late_ship_penalty_bp: number; late_ship_penalty_max_cents: number },
): number =>
  of.promise_at === null || of.shipped_at <= of.promise_at
    ? 0
    : Math.min(
        rules.late_ship_penalty_max_cents,
        Math.round((of.goods_cents * rules.late_ship_penalty_bp) / 10_000),
      )
