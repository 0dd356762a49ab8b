/** Lists and their tabs are counted exactly up to here: an exact count of millions costs more than it tells. A count above it says only that there are more. */
export const COUNT_MAX = 10_000
/** `10,000+` for more than are counted. */
export const countText = (n: number): string => (n > COUNT_MAX ? `${COUNT_MAX.toLocaleString('en')}+` : n.toLocaleString('en'))
/** How often each word was said, in the order it was first said. */
export const counted = (words: readonly string[]): [word: string, n: number][] => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
}
/** `原因 ×3；另一个原因` */
export const countedText = (words: readonly string[]): string => counted(words).map(([word, n]) => (n > 1 ? `${word} ×${n}` : word)).join('；')
