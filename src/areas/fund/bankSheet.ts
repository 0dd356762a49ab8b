import type { SheetColumn } from '#src/areas/sheet/table.ts'
import { centsOf } from '#src/domain/money.ts'
import { CHARGE_MAX_CENTS } from './fund.ts'

/** The columns of a bank's list of transfers that came in. */
export const bankColumns = [
  {
    key: 'name',
    title: ['付款商户', 'Merchant'],
    names: ['商户', '商户名称', '付款方', '付款人', '对方户名', 'payer'],
    needed: true,
    note: ['商户名称、商户号或编号', 'Its name or number'],
    example: '示例餐饮有限公司',
  },
  {
    key: 'amount',
    title: ['金额', 'Amount'],
    names: ['到账金额', '收入金额', '贷方金额', '交易金额'],
    needed: true,
    note: ['元，最多两位小数', 'Yuan, at most two decimals'],
    example: '20000.00',
  },
  {
    key: 'bank',
    title: ['银行', 'Bank'],
    names: ['收款银行', '开户行', '本方银行'],
    needed: true,
    note: ['到账的银行', 'The bank that it came to'],
    example: '招商银行',
  },
  {
    key: 'flow',
    title: ['银行流水号', 'Bank number'],
    names: ['流水号', '交易流水号', '回单号'],
    needed: true,
    note: ['每家银行内不重复，最多 40 个字', 'Once at each bank, at most 40 letters'],
    example: '2026112000000001',
  },
  {
    key: 'kind',
    title: ['类型', 'Kind'],
    names: ['用途类型'],
    note: ['充值或保证金，留空为充值', 'Top-up or deposit; empty is a top-up'],
    example: '充值',
  },
  {
    key: 'memo',
    title: ['摘要', 'Memo'],
    names: ['备注', '用途', '附言'],
    note: ['最多 200 个字', 'At most 200 letters'],
    example: '活动备付金',
  },
] as const satisfies readonly SheetColumn[]
export type BankKey = (typeof bankColumns)[number]['key']

/**
 * An amount as a bank writes it (`20,000.00`), in cents; undefined for anything else: no exponent, no
 * sign, no part of a cent, nothing beyond the most that is taken.
 */
export const bankCents = (cell: string): number | undefined => {
  const plain = cell.trim().replace(/^[¥￥]/, '')
  if (!/^(?:\d{1,3}(?:,\d{3})+|\d{1,10})(?:\.\d{1,2})?$/.test(plain)) return undefined
  const cents = centsOf(plain.replaceAll(',', ''))
  return cents !== undefined && cents >= 1 && cents <= CHARGE_MAX_CENTS ? cents : undefined
}
/** The kind that a cell names; undefined where it names none that comes in. */
export const bankKind = (cell: string): 'recharge' | 'deposit' | undefined => {
  const word = cell.trim().toLowerCase()
  if (['', '充值', 'top-up', 'recharge'].includes(word)) return 'recharge'
  return ['保证金', 'deposit'].includes(word) ? 'deposit' : undefined
}
