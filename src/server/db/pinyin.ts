import { pinyin } from 'pinyin-pro'
import { searchable } from '#src/domain/search.ts'

/** `linruoxi`: a name in letters. */
export const latinOf = (name: string): string =>
  pinyin(name, { toneType: 'none', type: 'array' }).join('').toLowerCase().replaceAll('ü', 'v')
/** `linruoxi|lrx`: how a name is searched. */
export const pinyinOf = (name: string): string =>
  `${latinOf(name)}|${pinyin(name, { pattern: 'first', toneType: 'none', type: 'array' }).join('').toLowerCase().replaceAll('ü', 'v')}`
/** `hangzhoushi|hzs` in one reading, for the many names of a table at once. */
export const readingsOf = (name: string): string => {
  const parts = pinyin(name, { toneType: 'none', type: 'array' }).map(part =>
    part.toLowerCase().replaceAll('ü', 'v'),
  )
  return `${parts.join('')}|${parts.map(part => part[0]).join('')}`
}
/**
 * Whether what was typed means a name: some of its words, in letters or by initials. For a few
 * names at hand; of many a column is asked.
 */
export const isMeant = (name: string, typed: string): boolean => {
  const words = searchable(typed)
  return (
    searchable(name).includes(words) ||
    pinyinOf(name)
      .split('|')
      .some(reading => reading.includes(words.replaceAll(' ', '')))
  )
}
