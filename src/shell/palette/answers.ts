import { articles, type Article } from '#commands/articles.ts'
import { glossary } from '#src/areas/workbench/glossary.ts'
import type { Term } from '#src/areas/workbench/term.ts'
import type { Text } from '#src/domain/text.ts'
import { pageAt } from '../registry.ts'
import { plain } from './plain.ts'
import { indexed, ranker, type Readings } from './rank.ts'

/**
 * An answer of the help: an article or a term, as the palette lists it and the help page shows it.
 */
export type Answer = { id: string; title: Text; of: 'article' | 'term' }
/**
 * What may be shown to whom: an article where something of it may be done, a term where the page it
 * stands on may be opened.
 */
export const mayRead = (can: (permit: string) => boolean) => ({
  article: ({ does }: Article) => does.some(({ permit }) => can(permit)),
  term: ({ at }: Term) => {
    const page = pageAt(at)
    return page !== undefined && can(page.permit)
  },
})

/** Words that every question has and that say nothing of what is meant. */
const idle =
  /怎么样|怎么|如何|怎样|什么|意思|哪里|哪儿|可以|能不能|是不是|一下|我|想|要|的|了|吗|呢|啊|是|在|把|给|请问|\b(?:what|how|where|is|are|does|do|can|i|a|an|the|to|of|my|it|me|mean|means|meaning|and|for|in|on|be|if)\b/giu
/**
 * Han characters by pairs, other words by their first six letters: what two texts have in common.
 */
const gramsOf = (text: string): Set<string> => {
  const said = text.normalize('NFKC').toLowerCase().replace(idle, ' ')
  const grams = new Set<string>()
  for (const run of said.match(/\p{Script=Han}+|[a-z0-9]+/gu) ?? []) {
    if (/^[a-z0-9]/.test(run)) grams.add(run.replace(/(?:ing|ed|s)$/, '').slice(0, 6))
    else if (run.length === 1) grams.add(run)
    else for (let i = 0; i + 1 < run.length; i++) grams.add(run.slice(i, i + 2))
  }
  return grams
}
const LEAST = 0.2
/**
 * Finds answers for what is asked: by the words they share, the rare ones counting most; by pinyin
 * and initials as everything else in the palette.
 */
export const answering = (readings: Readings) => {
  const all = [
    ...articles.map(of => ({
      id: of.id,
      title: of.title,
      of: 'article' as const,
      asks: of.asks,
      source: of,
    })),
    ...glossary.map(of => ({
      id: `term.${of.id}`,
      title: of.title,
      of: 'term' as const,
      asks: of.asks ?? [],
      source: of,
    })),
  ]
  const rank = ranker(
    all.map(({ id, title, asks }) =>
      indexed({ id, title: title[0], en: title[1], alias: asks }, readings),
    ),
  )
  const texts = all.map(({ title, asks }) => [...title, ...asks].map(gramsOf))
  const seen = new Map<string, number>()
  for (const sets of texts)
    for (const gram of new Set(sets.flatMap(set => [...set])))
      seen.set(gram, (seen.get(gram) ?? 0) + 1)
  const weigh = (gram: string) => Math.log(1 + all.length / (seen.get(gram) ?? 0.5))
  const sum = (grams: Iterable<string>) => {
    let total = 0
    for (const gram of grams) total += weigh(gram)
    return total
  }
  return (asked: string, can: (permit: string) => boolean, most = 5, least = LEAST): Answer[] => {
    if (plain(asked) === '') return []
    const read = mayRead(can)
    const grams = gramsOf(asked)
    const whole = sum(grams)
    const worths = new Map<number, number>()
    texts.forEach((sets, at) => {
      // The best of its phrasings, and a little of all of them together.
      const shares = sets.map(set => {
        const common = sum([...grams].filter(gram => set.has(gram)))
        return common === 0 ? 0 : (2 * common) / (whole + sum(set))
      })
      const together =
        whole === 0 ? 0 : sum([...grams].filter(gram => sets.some(set => set.has(gram)))) / whole
      const worth = 0.6 * Math.max(...shares) + 0.4 * together
      if (worth >= least) worths.set(at, worth)
    })
    for (const { at, worth } of rank(asked, () => 0, 12).top)
      if (worth > 380 && worth / 560 >= least)
        worths.set(at, Math.max(worths.get(at) ?? 0, worth / 560))
    return [...worths]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .map(([at]) => all[at]!)
      .filter(one =>
        one.of === 'article' ? read.article(one.source as Article) : read.term(one.source as Term),
      )
      .slice(0, most)
      .map(({ id, title, of }) => ({ id, title, of }))
  }
}
