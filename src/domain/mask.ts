export type MaskRule = 'phone' | 'id_no' | 'name' | 'bank' | 'address' | 'code' | 'amount' | 'all'

const middle = (s: string, from: number, to: number) => s.slice(0, from) + '*'.repeat(Math.max(1, s.length - from - to)) + (to ? s.slice(-to) : '')

/** Text as a person without the right sees it (specification, section 5); a text that is masked already stays as it is. */
export const masked = (rule: MaskRule, value: string): string => {
  if (value === '' || value.includes('*')) return value
  switch (rule) {
    case 'phone': return value.length >= 8 ? middle(value, 3, 4) : '*'.repeat(value.length)
    case 'id_no': return value.length >= 15 ? middle(value, 6, 4) : '*'.repeat(value.length)
    case 'name': return value.length > 2 ? middle(value, 1, 1) : `${value.slice(0, 1)}*`
    case 'bank': return value.length >= 12 ? middle(value, 4, 4) : '*'.repeat(value.length)
    case 'code': return value.length > 6 ? middle(value, 2, 2) : '*'.repeat(value.length)
    case 'address': return value.length > 6 ? `${value.slice(0, 6)}****` : '****'
    case 'amount':
    case 'all': return '****'
  }
}
