import type { Text } from './text.ts'

/**
 * How long a value that was revealed stays on the screen, and how often a day one person may reveal
 * a field for which nothing else is set.
 */
export const REVEAL_SECONDS = 60
export const REVEALS_A_DAY = 50

export type MaskRule = 'phone' | 'id_no' | 'name' | 'bank' | 'address' | 'code' | 'amount' | 'all'

export const maskRules = {
  phone: ['手机号', 'Phone'],
  id_no: ['证件号', 'ID number'],
  name: ['姓名', 'Name'],
  bank: ['银行卡', 'Bank card'],
  address: ['地址', 'Address'],
  code: ['券码', 'Code'],
  amount: ['金额', 'Amount'],
  all: ['全部隐藏', 'Everything'],
} as const satisfies Record<MaskRule, Text>

const middle = (s: string, from: number, to: number) =>
  s.slice(0, from) + '*'.repeat(Math.max(1, s.length - from - to)) + (to ? s.slice(-to) : '')

const landline = /^0\d{2,3}-\d{7,8}(?:-\d{1,6})?$/
/** A `-` in a number says so too; a landline and a text may hold one and still be in clear. */
const isMasked = (rule: MaskRule, value: string) =>
  value.includes('*') ||
  /^-*$/.test(value) ||
  (['phone', 'id_no', 'bank'].includes(rule) && value.includes('-') && !landline.test(value))

/**
 * Text as a person without the right sees it (specification, section 5): a phone without its middle
 * 4, an ID number without its middle 8 digits, parts of a name and a bank card. One that is masked
 * already (`*`, and `-` in a number) stays as it is.
 */
export const masked = (rule: MaskRule, value: string): string => {
  if (isMasked(rule, value)) return value
  switch (rule) {
    case 'phone':
      return value.length >= 8 ? middle(value, 3, 4) : '*'.repeat(value.length)
    case 'id_no':
      if (value.length > 15) return middle(value, 6, value.length - 14)
      return value.length === 15 ? middle(value, 4, 3) : '*'.repeat(value.length)
    case 'name':
      return value.length > 2 ? middle(value, 1, 1) : `${value.slice(0, 1)}*`
    case 'bank':
      return value.length >= 12 ? middle(value, 4, 4) : '*'.repeat(value.length)
    case 'code':
      return value.length > 6 ? middle(value, 2, 2) : '*'.repeat(value.length)
    case 'address':
      return value.length > 6 ? `${value.slice(0, 6)}****` : '****'
    case 'amount':
    case 'all':
      return '****'
  }
}
