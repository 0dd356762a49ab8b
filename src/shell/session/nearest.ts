import type { Page } from '#commands/command.ts'
import { opensAlone, pages } from '../registry.ts'

/** Letters to change, add or drop to make one text of the other. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    row = next
  }
  return row[b.length]!
}
/**
 * The pages whose path or title is most like what was asked for, of those this person may open; the
 * nearest first.
 */
export const nearest = (asked: string, permits: readonly string[], most = 4): Page[] => {
  const path = asked.toLowerCase().slice(0, 120)
  const words = path.split(/[/.\-_?=&]+/).filter(word => word.length > 2 && word !== 'manage')
  const may = new Set(permits)
  return pages
    .filter(page => opensAlone(page) && (page.permit === 'signed-in' || may.has(page.permit)))
    .map(page => {
      const shared = words.filter(
        word =>
          page.path.toLowerCase().includes(word) ||
          page.en.toLowerCase().includes(word) ||
          page.title.includes(word),
      ).length
      return {
        page,
        far:
          distance(path, page.path.toLowerCase()) / Math.max(path.length, page.path.length) -
          shared * 0.4,
      }
    })
    .filter(({ far }) => far < 0.7)
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ page }) => page)
}
