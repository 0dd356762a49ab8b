import type { Text } from './text.ts'

/**
 * A character's width in a length-limited input: a double-byte character counts as 2
 * (specification, section 5).
 */
const widthOfOne = (char: string): number => (char.codePointAt(0)! > 0xff ? 2 : 1)

/** How wide a text is, each double-byte character counting as 2. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + widthOfOne(char), 0)

/** The beginning of a text that is at most `max` wide; a character is never cut in two. */
export const cutToWidth = (text: string, max: number): string => {
  let width = 0
  let end = 0
  for (const char of text) {
    width += widthOfOne(char)
    if (width > max) break
    end += char.length
  }
  return text.slice(0, end)
}

/**
 * 6 to 16 of letters, digits and these signs (specification, sections 5 and 9; the signs are our
 * reading of "listed").
 */
export const passwordPattern = /^[A-Za-z0-9!@#$%^&*()_+\-=[\]{};:'",.<>/?\\|`~]{6,16}$/
const emailPattern =
  /^[A-Za-z0-9](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9_%+-])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$/
const idPattern =
  /^(?:[1-9]\d{5}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}|[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx])$/

const passwordEmpty: Text = ['请输入密码', 'Enter a password']
/**
 * The specification's message says 6–12 where its pattern takes 16: the pattern holds, and so does
 * what we say.
 */
export const passwordRule: Text = [
  '密码为 6–16 位字母、数字或特殊字符',
  'A password has 6–16 letters, digits or special characters',
]
const emailEmpty: Text = ['邮箱不能为空', 'The e-mail can’t be empty']
export const emailRule: Text = ['请输入格式正确的邮箱', 'Enter a correct e-mail address']
const idEmpty: Text = ['身份证号不能为空', 'The ID number can’t be empty']
const idRule: Text = ['请输入格式正确的身份证号码', 'Enter a correct ID number of 15 or 18 digits']

/** What is wrong with a form's value, or undefined: asked on blur (specification, section 5). */
const faultOf =
  (pattern: RegExp, empty: Text, rule: Text) =>
  (value: string): Text | undefined => {
    if (value.trim() === '') return empty
    return pattern.test(value.trim()) ? undefined : rule
  }
export const passwordFault = (value: string): Text | undefined => {
  if (value === '') return passwordEmpty
  return passwordPattern.test(value) ? undefined : passwordRule
}
export const emailFault = faultOf(emailPattern, emailEmpty, emailRule)
export const idFault = faultOf(idPattern, idEmpty, idRule)

/**
 * Whose ID number it is: the 17th character odd is male, otherwise female (specification, section
 * 5).
 */
export const genderOf = (idNo: string): 'male' | 'female' =>
  Number(idNo[16]) % 2 === 1 ? 'male' : 'female'

export const wrongPlace =
  'A length limit is bound in the wrong place: it belongs on a single-line or multi-line text input'
const textInputs = new Set(['text', 'search', 'tel', 'url', 'email', 'password'])
/**
 * What a length-limited input holds after typing: cut at `max` wide, and in integer mode without
 * what is no digit. Throws when it is bound to anything but a single-line or multi-line text input
 * (specification, section 5).
 */
export const limited = (
  value: string,
  {
    max,
    integer = false,
    on,
  }: { max: number; integer?: boolean; on: { tag: string; type?: string | undefined } },
): string => {
  const tag = on.tag.toLowerCase()
  if (tag !== 'textarea' && !(tag === 'input' && textInputs.has((on.type ?? 'text').toLowerCase())))
    throw new Error(wrongPlace)
  return cutToWidth(integer ? value.normalize('NFKC').replace(/\D/g, '') : value, max)
}
