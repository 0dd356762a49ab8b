import { RangeFilter } from '#src/kit/range-filter.tsx'
import type { Filtered } from '#src/kit/uselist.ts'

type Range = { min?: number | undefined; max?: number | undefined }
const written = ({ min, max }: Range): string => {
  if (min === undefined && max === undefined) return ''
  return min === max ? String(min) : `${min ?? ''}-${max ?? ''}`
}
/** What was typed as a range of points: `100`, `100-200`, `100-`; undefined for anything else. */
const sizeRange = (typed: string): Range | undefined => {
  const plain = typed.replaceAll(/[\s,]/g, '').replaceAll(/[~—–]/g, '-')
  if (plain === '') return {}
  const found = /^(\d{1,9})?(-)?(\d{1,9})?$/.exec(plain)
  if (!found || plain === '-') return undefined
  const [min, max] = [found[1], found[3]].map(one => (one ? Number(one) : undefined))
  return found[2] ? { min, max } : { min, max: min }
}
/** A filter by how many points a row moves. */
export const SizeFilter = ({ of }: { of: Filtered }) => (
  <RangeFilter
    asked={written(of.input as Range)}
    rangeOf={sizeRange}
    send={({ min, max }) => of.filter({ min, max })}
    label={['积分，如 100-200', 'Points: 100-200']}
    fault={['写法如 100-200', 'Such as 100-200']}
  />
)
