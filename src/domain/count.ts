import { say, semicolon, type Lang } from '#src/domain/text.ts'
/**
 * Lists and their tabs are counted exactly up to here: an exact count of millions costs more than
 * it tells. A count above it says only that there are more.
 */
export const COUNT_MAX = 10_000
/** `10,000+` for more than are counted. */
export const countText = (n: number): string =>
  n > COUNT_MAX ? `${COUNT_MAX.toLocaleString('en')}+` : n.toLocaleString('en')
/** How often each of these was said, by its words, in the order it was first said. */
const counted = <T>(
  said: readonly T[],
  keyOf: (one: T) => string,
  wordsOf: (one: T) => string,
): [words: string, n: number][] => {
  const groups = new Map<string, { words: Set<string>; n: number }>()
  for (const one of said) {
    const group = groups.get(keyOf(one)) ?? { words: new Set(), n: 0 }
    groups.set(keyOf(one), { words: group.words.add(wordsOf(one)), n: group.n + 1 })
  }
  return [...groups.values()].map(({ words, n }) => [
    words.size > 1 ? `${[...words][0]!} …` : [...words][0]!,
    n,
  ])
}
const text = (counts: readonly [words: string, n: number][], lang: Lang): string =>
  counts.map(([words, n]) => (n > 1 ? `${words} ×${n}` : words)).join(say(semicolon, lang))
/** `原因 ×3；另一个原因` */
export const countedText = (words: readonly string[], lang: Lang): string =>
  text(
    counted(
      words,
      word => word,
      word => word,
    ),
    lang,
  )
type Failed = { code: string; msg: string }
/**
 * Why rows failed, by the rule: where its words name a time or a person, the first stands for all,
 * with an ellipsis. A bare status is no rule.
 */
export const reasonsOf = (failed: readonly Failed[]) =>
  counted(
    failed,
    ({ code, msg }) => (/^\d*$/.test(code) ? msg : code),
    ({ msg }) => msg,
  )
/** Why rows failed, in one line of a language. */
export const reasonsText = (failed: readonly Failed[], lang: Lang): string =>
  text(reasonsOf(failed), lang)
