import type { Text } from './text.ts'

/** What is written between the digits of a number, or round them. */
const marks = /[\s\p{Pd}()·.]/gu
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** No number is so long, with all its marks: a longer text is not looked through. */
const LONGEST = 64
const halved = (typed: string): string =>
  typed.length > LONGEST ? '' : typed.normalize('NFKC').replace(invisible, '').trim()
const mobile = /^(?:\+?(?:00)?86)?(1[3-9]\d{9})$/
/** Area code and number of a landline; the area codes of 010 and 02x have three digits. */
const landline = /^(?:\+?(?:00)?86)?(0?)(10|2\d|[3-9]\d{2})([2-9]\d{6,7})$/
const extension = /\s*(?:-|转|分机|ext\.?|x|#)\s*(\d{1,6})$/i

/**
 * A mobile number as it is kept, `13800138000`: of one typed with a country code, spaces, marks or
 * full-width digits. Undefined where it is none.
 */
export const mobileOf = (typed: string): string | undefined =>
  mobile.exec(halved(typed).replace(marks, ''))?.[1]

/** `02162345678` as `021-62345678`; undefined where it is no landline with its area code. */
const landlineOf = (digits: string): string | undefined => {
  const [, zero, area, number] = landline.exec(digits) ?? []
  if (area === undefined || (zero === '' && !/^\+?(?:00)?86/.test(digits))) return undefined
  return `0${area}-${number}`
}
/**
 * A number that somebody can be called by, as it is kept: a mobile, a landline with its extension
 * (`021-62345678-801`), a 400 or 800 number (`4008001234`). Undefined where it is none.
 */
export const callableOf = (typed: string): string | undefined => {
  const text = halved(typed)
  const whole = text.replace(marks, '')
  const plain = mobileOf(text) ?? /^[48]00\d{7}$/.exec(whole)?.[0] ?? landlineOf(whole)
  if (plain) return plain
  const [written, inner] = extension.exec(text) ?? []
  const line = written && landlineOf(text.slice(0, -written.length).replace(marks, ''))
  return line && `${line}-${inner}`
}

const phoneEmpty: Text = ['手机号不能为空', 'The phone number can’t be empty']
export const phoneRule: Text = [
  '请输入格式正确的手机号码',
  'Enter a mobile number of 11 digits, such as 13800138000',
]
export const callableRule: Text = [
  '请填写手机号、400 或座机号码，如 021-51234567',
  'A mobile, 400 or landline number, such as 021-51234567',
]
const fault =
  (of: (typed: string) => string | undefined, rule: Text) =>
  (typed: string): Text | undefined => {
    if (typed.trim() === '') return phoneEmpty
    return of(typed) === undefined ? rule : undefined
  }
/** What is wrong with a mobile number, or undefined; what can be brought to its plain form is right. */
export const phoneFault = fault(mobileOf, phoneRule)
/** What is wrong with a number to be called by, or undefined. */
export const callableFault = fault(callableOf, callableRule)
export const isCallable = (typed: string): boolean => callableOf(typed) !== undefined
