/** A preview may be opened for so many seconds. */
export const PREVIEW_SECONDS = 1800
const SIGNED = 16
const BASE = 36
type Signs = (text: string) => string
const signed = (id: number, until: number, sign: Signs): string =>
  sign(`ecard-preview ${id} ${until}`).slice(0, SIGNED)
/**
 * What a mini-program is opened with to preview a card until `until` (unix seconds): at most the 32
 * characters that WeChat carries.
 */
export const previewKey = (id: number, until: number, sign: Signs): string =>
  [id.toString(BASE), until.toString(BASE), signed(id, until, sign)].join('.')
/** The card and the end of a key; undefined where nobody signed it. */
export const previewOf = (key: string, sign: Signs): { id: number; until: number } | undefined => {
  const [first = '', second = '', mark, ...more] = key.split('.')
  const [id, until] = [Number.parseInt(first, BASE), Number.parseInt(second, BASE)]
  const isWhole = Number.isSafeInteger(id) && Number.isSafeInteger(until) && more.length === 0
  return isWhole && mark === signed(id, until, sign) ? { id, until } : undefined
}
