/** A brand's name as `likeness` of likeness.server.ts makes it: the same letters stand for the same brand. */
export const plainBrand = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s·・•._&'’()-]/g, '')
    .replace(/(官方旗舰店|旗舰店|官方店|官方|品牌)$/, '')
/** A store's name without what tells it from its brand's others: the mall in brackets, its number. */
export const storeStem = (name: string): string =>
  plainBrand(
    name
      .normalize('NFKC')
      .replace(/[(【[].*$/, '')
      .replace(/\s*[\d一二三四五六七八九十]*号?(分|旗舰)?店$/, ''),
  )

/** How many letters one must change, add or take away to make one text of another. */
const edits = (a: string, b: string): number => {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row.push(
        Math.min(row[j - 1]! + 1, above[j]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      )
    above = row
  }
  return above[b.length]!
}
/** How alike two plain names are, 0 to 100. */
export const alikePercent = (a: string, b: string): number => {
  const longer = Math.max(a.length, b.length)
  return longer === 0 ? 0 : Math.floor((1 - edits(a, b) / longer) * 100)
}

/** A brand is only suggested for a name above this. */
export const SUGGESTED_ABOVE = 85
type Named = { id: number; name: string; en_name: string }
export type Alike = { id: number; name: string; percent: number }
/** Whether two names may be alike by more than `least` percent, as far as their lengths tell. */
const mayBeAlike = (a: string, b: string, least: number): boolean => {
  const [shorter, longer] = [Math.min(a.length, b.length), Math.max(a.length, b.length)]
  // In a short name one letter is too much already: the two are the same or not alike.
  return a === b || (shorter * 100 > least * longer && (longer - 1) * 100 > least * longer)
}
/**
 * Finds the brands whose name is like a plain one, above `least` percent, the most alike first.
 * Names whose lengths do not allow that are passed over.
 */
export const finderOf = (brands: readonly Named[]) => {
  const known = brands.flatMap(({ id, name, en_name }) =>
    [...new Set([plainBrand(name), plainBrand(en_name)])]
      .filter(Boolean)
      .map(form => ({ id, name, form })),
  )
  return (plain: string, least: number, most = 5): Alike[] => {
    const found = new Map<number, Alike>()
    for (const { id, name, form } of known) {
      if (!mayBeAlike(form, plain, least)) continue
      const percent = alikePercent(form, plain)
      if (percent > Math.max(least, found.get(id)?.percent ?? 0))
        found.set(id, { id, name, percent })
    }
    return [...found.values()].sort((a, b) => b.percent - a.percent || a.id - b.id).slice(0, most)
  }
}
