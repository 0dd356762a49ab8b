type Valued = { values: readonly (number | null)[]; right?: boolean; stacked?: boolean }
/** Lines across a drawing, about. */
const LINES = 4
const STEPS = [1, 2, 5, 10] as const
/** The next step above that is read at once: 1, 2 or 5 and noughts; values are whole numbers. */
const roundStep = (least: number): number => {
  if (least <= 1) return 1
  const ten = 10 ** Math.floor(Math.log10(least))
  return (STEPS.find(step => step * ten >= least) ?? 10) * ten
}
const extentOf = (series: readonly Valued[], right: boolean) => {
  const values = series
    .filter(one => Boolean(one.right) === right)
    .flatMap(one => one.values.map(value => value ?? 0))
  return { low: -Math.min(0, ...values), high: Math.max(0, ...values) }
}
type Bounds = { min: number; max: number; interval: number }
/**
 * Where two axes begin and end so that their noughts are one line: undefined where nothing is below
 * it, there is one axis alone, or bars stand on each other.
 */
export const sharedZero = (
  series: readonly Valued[],
): { left: Bounds; right: Bounds } | undefined => {
  const [left, right] = [extentOf(series, false), extentOf(series, true)]
  if (!series.some(one => one.right) || series.some(one => one.stacked)) return undefined
  const isEmpty = [left, right].some(of => of.low + of.high === 0)
  if (isEmpty || left.low + right.low === 0) return undefined
  const step = (of: typeof left) => roundStep((of.low + of.high) / LINES)
  const lines = (of: typeof left, way: 'low' | 'high') => Math.ceil(of[way] / step(of))
  const below = Math.max(lines(left, 'low'), lines(right, 'low'))
  const above = Math.max(lines(left, 'high'), lines(right, 'high'))
  const bounds = (of: typeof left): Bounds => {
    const interval = step(of)
    return { min: -below * interval, max: above * interval, interval }
  }
  return { left: bounds(left), right: bounds(right) }
}
