import type { SheetColumn } from '#src/areas/sheet/table.ts'

/** The columns of a bank's answer to a file of payouts. */
export const resultColumns = [
  {
    key: 'name',
    title: ['打款单号', 'Payout no.'],
    names: ['单号', '业务参考号', '客户参考号', 'payoutno'],
    needed: true,
    note: ['导出的打款文件中的打款单号', 'As it stands in the exported file'],
    example: 'TX1790000000123456',
  },
  {
    key: 'result',
    title: ['结果', 'Result'],
    names: ['处理结果', '交易状态', '状态'],
    needed: true,
    note: ['成功或失败', 'Paid or failed'],
    example: '成功',
  },
  {
    key: 'amount',
    title: ['打款金额', 'Amount'],
    names: ['金额', '交易金额'],
    needed: true,
    note: ['元，须与打款单一致', 'Yuan, the same as was to be paid'],
    example: '1998.00',
  },
  {
    key: 'channel_no',
    title: ['银行流水号', 'Bank number'],
    names: ['流水号', '交易流水号'],
    note: ['成功的必填，最多 64 个字', 'Of what was paid; at most 64 letters'],
    example: '2026112000000001',
  },
  {
    key: 'reason',
    title: ['失败原因', 'Why it failed'],
    names: ['原因', '备注'],
    note: ['失败的必填', 'Of what failed'],
    example: '账号不存在',
  },
] as const satisfies readonly SheetColumn[]
export type ResultKey = (typeof resultColumns)[number]['key']

/** Whether a cell says that it was paid or that it failed; undefined for anything else. */
export const resultOf = (cell: string): 'paid' | 'failed' | undefined => {
  const word = cell.trim().toLowerCase()
  if (['成功', '已打款', '交易成功', 'paid', 'success'].includes(word)) return 'paid'
  return ['失败', '打款失败', '交易失败', '退回', 'failed'].includes(word) ? 'failed' : undefined
}
