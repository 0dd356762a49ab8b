/** Lists and their tabs are counted exactly up to here: an exact count of millions costs more than it tells. A count above it says only that there are more. */
export const COUNT_MAX = 10_000
/** `10,000+` for more than are counted. */
export const countText = (n: number): string => (n > COUNT_MAX ? `${COUNT_MAX.toLocaleString('en')}+` : n.toLocaleString('en'))
