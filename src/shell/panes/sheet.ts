import { colon, say } from '#src/domain/text.ts'
import { lang } from '#src/kit/text.ts'

/** What is in the document and drawn: a page that is kept stands hidden beside the one in front. */
const isDrawn = (part: Element): boolean => part.closest('[style*="display: none"]') === null

const namedBy = (part: Element): string => part.getAttribute('aria-label') ?? ''
const valueOf = (part: Element): string => {
  if (part instanceof HTMLSelectElement)
    return part.value === '' ? '' : (part.selectedOptions[0]?.textContent ?? '')
  if (part instanceof HTMLInputElement && part.type !== 'checkbox') return part.value.trim()
  return ''
}
/** One control of a list's head in words; empty where it filters nothing. */
const inWords = (part: Element): string => {
  // A tab's title and its count.
  if (part.matches('[role=tab]'))
    return [...part.childNodes].map(one => one.textContent ?? '').join(' ')
  if (part instanceof HTMLInputElement && part.type === 'checkbox')
    return part.checked ? (part.closest('label')?.textContent ?? '') : ''
  if (part.matches('button')) return part.textContent ?? ''
  const value = valueOf(part)
  return value && `${namedBy(part)}${say(colon, lang())}${value}`
}
const FILTERS = [
  '[role=tab][aria-selected=true]',
  ':is(.m-filters, .m-named) select',
  '.m-filters input',
  '.m-filters button.bp6-active',
].join()
/** What the page in a pane is filtered by, as its controls show it: `状态：待付款`. */
export const filtersIn = (pane: Element): string[] => [
  ...new Set(
    [...pane.querySelectorAll(FILTERS)]
      .filter(isDrawn)
      .map(part => inWords(part).trim())
      .filter(Boolean),
  ),
]

const SCROLLS = /auto|scroll/
/**
 * Marks what scrolls in a pane, and all that it stands in, to be as high as what it holds. Answers
 * how to take the marks away.
 */
export const unroll = (pane: Element): (() => void) => {
  const marked = new Set<Element>()
  for (const part of pane.querySelectorAll('*')) {
    const { overflowX, overflowY } = getComputedStyle(part)
    if (!SCROLLS.test(overflowX + overflowY)) continue
    for (let at: Element | null = part; at && at !== pane; at = at.parentElement) marked.add(at)
  }
  for (const part of marked) part.toggleAttribute('data-unrolled', true)
  return () => {
    for (const part of marked) part.removeAttribute('data-unrolled')
  }
}
