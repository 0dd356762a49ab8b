import { momentNamed } from '#src/domain/calendar.ts'
import type { Text } from '#src/domain/text.ts'
import { idFault } from '#src/domain/validate.ts'

/** GB 32100: the signs of a unified social credit code, each worth its place; I, O, S, V and Z are none. */
const CREDIT_SIGNS = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const creditForm = new RegExp(`^[159AN][1239]\\d{6}[${CREDIT_SIGNS}]{10}$`)
const creditRule: Text = [
  '统一社会信用代码为 18 位数字与大写字母（不含 I、O、S、V、Z），如 91350100M000100Y43',
  'A credit code has 18 digits and capitals, none of I, O, S, V, Z',
]
const creditCheck: Text = [
  '统一社会信用代码的校验位不符，请核对是否抄错',
  'The check digit of the credit code does not fit: look whether it is copied right',
]
/** A credit code as it is stored: capitals without spaces. */
export const creditCodeOf = (typed: string): string =>
  typed.normalize('NFKC').replace(/\s/g, '').toUpperCase()
/** The 18th sign of a credit code, of its first 17 (GB 32100). */
export const creditCheckSign = (first: string): string => {
  const sum = [...first].reduce(
    (all, sign, at) => all + CREDIT_SIGNS.indexOf(sign) * (3 ** at % 31),
    0,
  )
  return CREDIT_SIGNS[(31 - (sum % 31)) % 31]!
}
/** What is wrong with a credit code, or undefined. */
export const creditCodeFault = (typed: string): Text | undefined => {
  const code = creditCodeOf(typed)
  if (!creditForm.test(code)) return creditRule
  return creditCheckSign(code.slice(0, 17)) === code[17] ? undefined : creditCheck
}

const idCheck: Text = [
  '身份证号的校验位不符，请核对是否抄错',
  'The check digit of the ID number does not fit: look whether it is copied right',
]
const idLength: Text = ['请输入 18 位身份证号', 'Enter the ID number of 18 digits']
const idDay: Text = ['身份证号中的出生日期不存在', 'The birthday in the ID number does not exist']
/** An ID number as it is stored: without spaces, the X as a capital. */
export const nationalIdOf = (typed: string): string =>
  typed.normalize('NFKC').replace(/\s/g, '').toUpperCase()
/** The 18th sign of an ID number, of its first 17 (GB 11643). */
export const nationalIdCheckSign = (first: string): string => {
  const sum = [...first].reduce((all, digit, at) => all + Number(digit) * (2 ** (17 - at) % 11), 0)
  return '10X98765432'[sum % 11]!
}
/** What is wrong with the ID number of a legal person, or undefined: 18 digits, a day that was, the check digit. */
export const nationalIdFault = (typed: string): Text | undefined => {
  const no = nationalIdOf(typed)
  const form = idFault(no)
  if (form) return form
  if (no.length !== 18) return idLength
  if (momentNamed(no.slice(6, 14), 'YYYYMMDD') === undefined) return idDay
  return nationalIdCheckSign(no.slice(0, 17)) === no[17] ? undefined : idCheck
}

const bankForm = /^\d{12,19}$/
/** A bank account as it is stored: digits alone. */
export const bankNoOf = (typed: string): string => typed.normalize('NFKC').replace(/[\s-]/g, '')
/** What is wrong with the number of a settlement account, or undefined. */
export const bankNoFault = (typed: string): Text | undefined =>
  bankForm.test(bankNoOf(typed))
    ? undefined
    : ['结算账号为 12 至 19 位数字', 'An account has 12 to 19 digits']
