import { to, type Given, type Page, type RecordFinder } from '#commands/command.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useSay, useLang } from '#src/kit/text.ts'
import { opensAlone } from '../registry.ts'

/** A record that a page may be opened with. */
export type Choice = { id: string; title: string; more: string; address: string }
const LONGEST = 200

/** Where a page of one record shows this one; undefined where it shows nothing of its kind. */
const placeOf = (page: Page, given: Given): string | undefined => {
  const query = page.follows?.(given)
  return query && to(page, query)
}
/** Whether a page shows one record, and opens when that is named. */
export const asksRecord = (page: Page): boolean =>
  !opensAlone(page) && !page.path.includes(':') && page.follows !== undefined
/** The id itself, where nothing but digits was typed: `1234` opens record 1234. */
const byId = (page: Page, words: string, type: string): Choice[] => {
  const digits = /^#?(\d{1,9})$/.exec(words.normalize('NFKC').trim())?.[1]
  const id = Number(digits)
  const address = digits && placeOf(page, { type, id, row: { id } })
  return digits && address ? [{ id: `id ${digits}`, title: `#${digits}`, more: '', address }] : []
}

/** The records that what is typed names, of those the page shows and the person may see. */
export const useRecordsOf = (page: Page, finder: RecordFinder, typed: string): Choice[] => {
  const say = useSay()
  const now = useLang()
  const words = typed.trim().slice(0, LONGEST)
  const { currentData } = useRead(finder.find, finder.asked(words) ?? skipToken)
  const found = (currentData?.list ?? []).flatMap((row): Choice[] => {
    const given = finder.given(row)
    const address = placeOf(page, given)
    const more = finder.more ? say(finder.more(row)) : ''
    return address === undefined
      ? []
      : [{ id: `${given.type} ${given.id}`, title: finder.title(row, now), more, address }]
  })
  const own = finder.byId === undefined ? [] : byId(page, words, finder.byId)
  return [...found, ...own.filter(one => !found.some(({ address }) => address === one.address))]
}
