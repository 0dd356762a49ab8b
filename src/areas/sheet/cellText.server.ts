import { allKept } from '#src/domain/digits.ts'
import { DAY } from '#src/domain/time.ts'
import { attributesOf, walk } from './markup.server.ts'

/** What a cell's number format makes of its number. */
type Format = { kind: 'plain' } | { kind: 'date' } | { kind: 'zeros'; digits: number }
export type Styles = readonly Format[]

const dateIds = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const
/** A format's code without what is shown as it stands: quoted text, escaped signs, colours. */
const bareCode = (code: string): string =>
  code
    .slice(0, 255)
    .replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '')
    .split(';')[0]!
const formatOf = (id: number, code: string | undefined): Format => {
  if (code === undefined)
    return dateIds.some(([from, to]) => id >= from && id <= to)
      ? { kind: 'date' }
      : { kind: 'plain' }
  const bare = bareCode(code)
  if (/[ymdhs]/i.test(bare) && !/general/i.test(bare)) return { kind: 'date' }
  return /^[0\s-]{2,}$/.test(bare)
    ? { kind: 'zeros', digits: bare.replace(/[^0]/g, '').length }
    : { kind: 'plain' }
}
/** The formats of a workbook's cells, by the number that a cell names. */
export const stylesOf = (xml: string | undefined): Styles => {
  const codes = new Map<number, string>()
  const styles: Format[] = []
  let inCells = false
  if (xml !== undefined)
    walk(xml, {
      open: (name, text) => {
        if (name === 'cellXfs') inCells = true
        if (name !== 'numFmt' && !(name === 'xf' && inCells)) return
        const attributes = attributesOf(text)
        const id = Number(attributes.get('numfmtid') ?? 0)
        if (name === 'numFmt') codes.set(id, attributes.get('formatcode') ?? '')
        else styles.push(formatOf(id, codes.get(id)))
      },
      close: name => {
        if (name === 'cellXfs') inCells = false
      },
      text: () => {},
    })
  return styles
}

const DAY_MS = DAY * 1000
/** The day, and the time of it where there is one, that a spreadsheet counts from its first day. */
const dateText = (days: number, from1904: boolean): string => {
  const first = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const at = new Date(first + Math.round((days * DAY_MS) / 1000) * 1000)
  if (Number.isNaN(at.getTime())) return String(days)
  const [day = '', time = ''] = at.toISOString().slice(0, 19).split('T')
  return Number.isInteger(days) ? day : `${day} ${time}`
}
/**
 * A number as its digits. Of one that lost some it is shown what it has become, so that nobody takes
 * it for what was typed.
 */
const numberText = (raw: string): string => {
  const text = raw.trim().replace(/\.0{1,20}$/, '')
  const value = Number(text)
  // A fraction too small for a double is one all the same.
  const hasFraction = /^-?\d*\.\d/.test(text) && !/e/i.test(text)
  if (text === '' || hasFraction || !Number.isInteger(value)) return text
  if (allKept(String(Math.abs(value)))) return String(value)
  return /e/i.test(text) ? text : value.toExponential()
}
/** A cell's number in its format: a date as one, and with the zeros that a format puts before it. */
export const formatted = (raw: string, format: Format | undefined, from1904: boolean): string => {
  const value = Number(raw)
  if (format?.kind === 'date' && raw.trim() !== '' && Number.isFinite(value))
    return dateText(value, from1904)
  const text = numberText(raw)
  return format?.kind === 'zeros' && /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text
}
