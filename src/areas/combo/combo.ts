import { statusOf, type OrderStatus } from '#src/areas/order/order.ts'
import { factsOf, type ItemUnits } from '#src/areas/order/orderUnits.ts'
import type { Text } from '#src/domain/text.ts'

/**
 * 组合套餐的退款政策: `whole` gives back all or nothing, and nothing once a part was used; `part` each
 * unused part at its share.
 */
export const comboPolicies = {
  whole: ['整套退', 'Whole only'],
  part: ['可退单项', 'By part'],
} as const satisfies Record<string, Text>
export type ComboPolicy = keyof typeof comboPolicies
export const policyWords = {
  whole: [
    '未使用前可整套退；任一子项使用或发货后不退，例外须另一人复核',
    'All of it while nothing was used or sent; after that nothing, unless a second person agrees',
  ],
  part: [
    '未使用、未发货的子项可按分摊金额单独退',
    'Each part that was neither used nor sent, at its share',
  ],
} as const satisfies Record<ComboPolicy, Text>

/**
 * What of a part was used (or sent), is in refund, was refunded, and can still be given back: times
 * of codes, units of goods.
 */
export type PartUnits = {
  units: number
  used: number
  refunding: number
  refunded: number
  left: number
}
const sum = <T>(of: readonly T[], n: (one: T) => number): number =>
  of.reduce((all, one) => all + n(one), 0)
const givable: readonly string[] = ['locked', 'unused', 'part_used', 'expired']
export const partUnits = (item: ItemUnits): PartUnits => {
  if (item.fulfil !== 'code' && item.fulfil !== 'pickup')
    return {
      units: item.qty,
      used: item.shipped_qty,
      refunding: item.refunding_qty,
      refunded: item.refunded_qty,
      left: Math.max(0, item.qty - item.shipped_qty - item.refunding_qty - item.refunded_qty),
    }
  const codes = item.codes.filter(code => code.state !== 'void')
  return {
    units: sum(codes, code => code.times_total + code.times_bonus),
    used: sum(codes, code => code.times_used),
    refunding: sum(codes, code => code.times_refunding),
    refunded: sum(codes, code => code.times_refunded),
    left: sum(codes, code =>
      givable.includes(code.state)
        ? code.times_total +
          code.times_bonus -
          code.times_used -
          code.times_refunding -
          code.times_refunded
        : 0,
    ),
  }
}
/** How far one part is, in the words of an order: what the order's own status is computed from. */
export const partStatus = (
  item: ItemUnits,
  pay_state: 'unpaid' | 'part_paid' | 'paid' | 'closed',
): OrderStatus =>
  statusOf(factsOf({ pay_state, balance_due: false, frozen: false, waiting: false, items: [item] }))

/**
 * Why the policy refuses to give parts back, or undefined. `used`: anything of the order was used
 * or sent. `rest`: units that would be left outside, parts of closed stores aside. `closed`: all
 * that is chosen belongs to stores that closed, which goes back at its share whatever the policy
 * says.
 */
export const policyRefusal = (
  policy: ComboPolicy,
  of: { used: boolean; rest: number; closed: boolean },
): Text | undefined => {
  if (policy === 'part' || of.closed) return undefined
  if (of.used)
    return [
      '整套退政策：已有子项使用或发货，只能作为例外退款（须填原因并由另一人复核）',
      'Whole only: a part was used or sent. Only as an exception, with a reason and a second person',
    ]
  if (of.rest > 0)
    return [
      '整套退政策：不能只退部分子项，只能整单退，或作为例外退款（须另一人复核）',
      'Whole only: all parts together, or as an exception that a second person agrees to',
    ]
  return undefined
}

/**
 * What a refund of a bundle comes to, by the shares of its parts, and for comparison if what was
 * used were paid at its single price.
 */
export type ComboFigures = { amount_cents: number; used_cents: number; single_cents: number }
/**
 * What would be given back if what was used cost its single price: the saving on it is taken off
 * again; never below nothing.
 */
export const atSinglePrice = (of: {
  amount_cents: number
  used_cents: number
  used_single_cents: number
}): number => Math.max(0, of.amount_cents - (of.used_single_cents - of.used_cents))
