import { momentNamed } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { findCreditCode } from './creditCode.ts'

/** What is read from a business licence. */
export const licenceFields = {
  license_no: ['统一社会信用代码', 'Credit code'],
  name: ['名称', 'Name'],
  legal_name: ['法定代表人', 'Legal person'],
  license_expire_at: ['有效期', 'Until'],
  kind: ['类型', 'Type'],
  established_at: ['成立日期', 'Established'],
  address: ['住所', 'Address'],
} as const satisfies Record<string, Text>
export type LicenceField = keyof typeof licenceFields
/** Moments are unix seconds; a licence without end has `license_expire_at` null. */
export type LicenceValues = {
  license_no?: string
  name?: string
  legal_name?: string
  license_expire_at?: number | null
  kind?: string
  established_at?: number
  address?: string
}
/** What a picture seems to say: a field that is absent was not found. Never a value by itself. */
export type LicenceReading = {
  values: LicenceValues
  /** Fields whose check digit fits: they hardly are misread. */
  checked: LicenceField[]
}

/** What stands on a licence before a value; `other` ends the value before it and is of no use here. */
type Mark = LicenceField | 'other'
const words: readonly (readonly [word: string, mark: Mark])[] = [
  ['统一社会信用代码', 'license_no'],
  ['执行事务合伙人', 'legal_name'],
  ['法定代表人', 'legal_name'],
  ['负责人', 'legal_name'],
  ['经营者', 'legal_name'],
  ['投资人', 'legal_name'],
  ['主要经营场所', 'address'],
  ['经营场所', 'address'],
  ['营业场所', 'address'],
  ['住所', 'address'],
  ['成立日期', 'established_at'],
  ['注册日期', 'established_at'],
  ['营业期限', 'license_expire_at'],
  ['经营期限', 'license_expire_at'],
  ['合伙期限', 'license_expire_at'],
  ['名称', 'name'],
  ['类型', 'kind'],
  ['注册资本', 'other'],
  ['出资额', 'other'],
  ['组成形式', 'other'],
  ['经营范围', 'other'],
  ['登记机关', 'other'],
]
/** So many letters of a long word let one of them be misread. */
const FORGIVING = 4
const stands = (line: string, at: number, word: string): boolean => {
  const most = word.length >= FORGIVING ? 1 : 0
  let wrong = 0
  for (let i = 0; i < word.length && wrong <= most; i++) if (line[at + i] !== word[i]) wrong++
  return wrong <= most
}
type Part = { mark: Mark | 'more'; text: string }
/** A line cut at the words that it holds; what stands before the first goes on from the line above. */
const partsOf = (line: string): Part[] => {
  const parts: Part[] = [{ mark: 'more', text: '' }]
  for (let at = 0; at < line.length;) {
    const found = words.find(([word]) => stands(line, at, word))
    if (found) parts.push({ mark: found[1], text: '' })
    else parts.at(-1)!.text += line[at]
    at += found?.[0].length ?? 1
  }
  return parts.filter(({ mark, text }) => mark !== 'more' || text !== '')
}

const LINES_MAX = 120
const LINE_MAX = 200
/** A line in plain letters, without its spaces and the small signs that stains are read as. */
const plainLine = (line: string): string =>
  line
    .slice(0, LINE_MAX)
    .normalize('NFKC')
    .slice(0, LINE_MAX)
    .replace(/[\s,"“”'‘’|]/g, '')
/** Without the signs before and after that a frame or a stain is read as. */
const trimmed = (text: string): string => {
  const letters = [...text]
  const isLetter = (one: string) => /[\p{L}\p{N}()]/u.test(one)
  return letters.slice(letters.findIndex(isLetter), letters.findLastIndex(isLetter) + 1).join('')
}
/** A value by its form, with brackets as licences print them; undefined where it has another form. */
const formed = (text: string, form: RegExp): string | undefined => {
  const found = form.exec(trimmed(text))?.[0]
  return found?.replaceAll('(', '（').replaceAll(')', '）')
}
const nameForm = /^[\p{Script=Han}A-Za-z0-9()·&.-]{2,60}/u
const personForm = /^[\p{Script=Han}·]{2,20}/u
const kindForm = /^[\p{Script=Han}()、]{2,40}/u
const addressForm = /^[\p{Script=Han}A-Za-z0-9()、#.-]{4,100}/u

const numberOf = (read: string): number => Number(read.replace(/[OQD]/g, '0').replace(/[IL]/g, '1'))
const dateForm = /([0-9OQDIL]{4})[年.\-/]([0-9OQDIL]{1,2})[月.\-/]([0-9OQDIL]{1,2})/g
/** The days in a text, each as the moment that it begins at in Shanghai. */
const daysIn = (text: string): number[] =>
  [...text.toUpperCase().matchAll(dateForm)].flatMap(([, ...read]) => {
    const [year, month, day] = read.map(numberOf) as [number, number, number]
    const at = momentNamed(`${year}-${month}-${day}`, 'YYYY-M-D')
    return at !== undefined && year >= 1900 ? [at] : []
  })
const endless = /长期|无固定期限|永续|永久/
/** Until when a term lasts: its last minute, null where it has no end, undefined where it can't be told. */
const untilIn = (text: string): number | null | undefined => {
  if (endless.test(text)) return null
  const days = daysIn(text)
  const isEnd = days.length > 1 || (days.length === 1 && trimmed(text).startsWith('至'))
  return isEnd ? dayStart(days.at(-1)!) + DAY - 60 : undefined
}

/** Whether a name that is cut by the end of its line goes on in the next one. */
const company = /(?:公司|厂|店|行|部|社|院|馆|所|中心|企业|合伙\)|\(有限合伙\))$/
const whole: Partial<Record<LicenceField, RegExp>> = {
  name: company,
  kind: /(?:公司|\)|户|企业)$/,
  address: /[号室楼层幢座铺位]$/,
}
/** What stands after a word, with the next line where it goes on there. */
const textAt = (parts: readonly Part[], at: number): string => {
  const { mark, text } = parts[at]!
  const next = parts[at + 1]
  if (next?.mark !== 'more') return text
  const cut = whole[mark as LicenceField]
  return trimmed(text) === '' || (cut && !cut.test(trimmed(text))) ? text + next.text : text
}
/** The first value of a field that has its form. */
const firstOf = <T>(
  parts: readonly Part[],
  field: LicenceField,
  read: (text: string) => T | undefined,
): T | undefined => {
  for (const [at, { mark }] of parts.entries()) {
    const value = mark === field ? read(textAt(parts, at)) : undefined
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * What the lines read from a picture of a business licence seem to say. The credit code is looked for
 * in every line and mended where letters that look alike explain its check digit.
 */
export const readLicence = (lines: readonly string[]): LicenceReading => {
  const plain = lines.slice(0, LINES_MAX).map(plainLine)
  const parts = plain.flatMap(partsOf)
  const code = findCreditCode(plain)
  const found = {
    license_no: code?.code,
    name: firstOf(parts, 'name', text => formed(text, nameForm)),
    legal_name: firstOf(parts, 'legal_name', text => formed(text, personForm)),
    license_expire_at: firstOf(parts, 'license_expire_at', untilIn),
    kind: firstOf(parts, 'kind', text => formed(text, kindForm)),
    established_at: firstOf(parts, 'established_at', text => daysIn(text)[0]),
    address: firstOf(parts, 'address', text => formed(text, addressForm)),
  }
  return {
    values: Object.fromEntries(
      Object.entries(found).filter(([, value]) => value !== undefined),
    ) as LicenceValues,
    checked: code?.checked ? ['license_no'] : [],
  }
}

type Value = string | number | null | undefined
const comparable = (value: Value): string =>
  typeof value === 'number'
    ? dateOf(value)
    : (value ?? '')
        .normalize('NFKC')
        .replace(/[^\p{L}\p{N}]/gu, '')
        .toUpperCase()
/** Whether two values of a licence are the same but for spaces, brackets and the hour of a day. */
export const isSameOnLicence = (one: Value, other: Value): boolean =>
  comparable(one) === comparable(other)
/** A value in words. */
export const licenceValue = (value: Value): Text => {
  if (value === null) return ['长期', 'Without end']
  const text = typeof value === 'number' ? dateOf(value) : (value ?? '')
  return [text, text]
}
