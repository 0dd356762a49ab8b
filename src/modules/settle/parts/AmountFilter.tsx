import { centsOf, yuan } from '#src/domain/money.ts'
import { RangeFilter } from '#src/kit/range-filter.tsx'
import type { Filtered } from '#src/kit/uselist.ts'

type Range = { min_cents?: number | undefined; max_cents?: number | undefined }
const written = ({ min_cents: min, max_cents: max }: Range): string => {
  if (min === undefined && max === undefined) return ''
  if (min === max) return yuan(min!)
  return `${min === undefined ? '' : yuan(min)}-${max === undefined ? '' : yuan(max)}`
}
/** What was typed as a range in yuan: `100`, `100-200`, `100-`, `-200`; undefined for anything else. */
export const amountRange = (typed: string): Range | undefined => {
  const plain = typed.replaceAll(/[\s,¥]/g, '').replaceAll(/[~—–]/g, '-')
  if (plain === '') return {}
  const found = /^(\d+(?:\.\d{1,2})?)?(?:(-)(\d+(?:\.\d{1,2})?)?)?$/.exec(plain)
  if (!found || plain === '-') return undefined
  const [min, max] = [found[1], found[3]].map(one => (one ? centsOf(one) : undefined))
  return found[2] ? { min_cents: min, max_cents: max } : { min_cents: min, max_cents: min }
}
/** A filter by an amount, or from one to another, in yuan. */
export const AmountFilter = ({ of }: { of: Filtered }) => (
  <RangeFilter
    asked={written(of.input as Range)}
    rangeOf={amountRange}
    send={({ min_cents, max_cents }) => of.filter({ min_cents, max_cents })}
    label={['金额，如 100-200', 'Amount, such as 100-200']}
    fault={['金额写法如 100-200', 'Amounts such as 100-200']}
  />
)
