import { fundFoot, fundHead, localTime, yuan2 } from './bills.ts'
import { growsBy, type BillRow, type ItemKind } from './reconcile.ts'

const words: Partial<Record<ItemKind, string>> = {
  pay: '交易',
  refund: '退款',
  fee: '扣除交易手续费',
  transfer: '商家转账',
  share: '分账',
  sweep: '提现',
}
/**
 * A fund bill as WeChat Pay writes it: what the embedded channel says of a day. A payment's fee is a
 * row of its own.
 */
export const writeFundBill = (rows: readonly Omit<BillRow, 'line'>[]): string => {
  const all = rows.flatMap(row =>
    row.kind === 'pay' && row.fee_cents
      ? [row, { ...row, kind: 'fee' as const, cents: row.fee_cents }]
      : [row],
  )
  const into = all.filter(row => growsBy(row.kind))
  const out = all.filter(row => !growsBy(row.kind))
  const sum = (of: readonly { cents: number }[]) =>
    yuan2(of.reduce((cents, row) => cents + row.cents, 0))
  const line = (row: Omit<BillRow, 'line'>, n: number): string => {
    const word = words[row.kind]!
    const cells = [
      localTime(row.at),
      row.channel_no,
      `${row.channel_no}-${n}`,
      word,
      word,
      growsBy(row.kind) ? '收入' : '支出',
      yuan2(row.cents),
      '0.00',
      'system',
      '',
      row.our_no,
    ]
    return cells.map(cell => `\`${cell}`).join(',')
  }
  const foot = [String(all.length), String(into.length), sum(into), String(out.length), sum(out)]
  const lines = [fundHead, ...all.map(line), fundFoot, foot.map(cell => `\`${cell}`).join(',')]
  return `\uFEFF${lines.join('\r\n')}\r\n`
}
