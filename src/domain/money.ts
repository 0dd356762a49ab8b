/**
 * Cents as yuan with separators and two decimals: 123456 → `1,234.56` (specification, section 5).
 */
export const yuan = (cents: number): string => {
  const [whole, part] = (Math.abs(cents) / 100).toFixed(2).split('.')
  return `${cents < 0 ? '-' : ''}${whole!.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`
}

/**
 * Yuan as typed (full-width digits, separators and ¥ allowed) to cents; undefined when it is not an
 * exact amount below 10^13 cents.
 */
export const centsOf = (typed: string): number | undefined => {
  const plain = typed.normalize('NFKC').replace(/[\s,¥￥]/g, '')
  const match = /^(\d{1,11})(?:\.(\d{1,2}))?$/.exec(plain)
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined
}

/** A typed percentage of at most two decimals in basis points: 12.5 → 1250. */
export const bpOf = (typed: number): number => Math.round(typed * 100)
/** Basis points as percent: 1250 → `12.5%`. */
export const percent = (bp: number): string => `${bp / 100}%`

/**
 * Spreads `total` over `weights` by largest remainder: the shares are integers and sum to `total`
 * exactly.
 */
export const shares = (total: number, weights: readonly number[]): number[] => {
  const sum = weights.reduce((a, b) => a + b, 0)
  if (sum === 0) return weights.map((_, i) => (i === 0 ? total : 0))
  const exact = weights.map(w => (total * w) / sum)
  const floors = exact.map(Math.floor)
  const left = total - floors.reduce((a, b) => a + b, 0)
  const byRemainder = exact
    .map((e, i) => [e - floors[i]!, i] as const)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1])
  for (const [, i] of byRemainder.slice(0, left)) floors[i]! += 1
  return floors
}
/** A sum that may be larger than any that can be told exactly is told as the largest. */
export const mostTold = (sum: number): number => Math.min(sum, Number.MAX_SAFE_INTEGER)
