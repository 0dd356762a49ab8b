/** What a bank answered to a file of payouts: each line ends one that is being paid. */
import { and, inArray } from 'drizzle-orm'
import { lineFault, tellLines } from '#src/areas/merchant/sheetNames.server.ts'
import { resultColumns, resultOf, type ResultKey } from '#src/areas/payout/bankResult.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { withdrawalRecord as rows } from '#src/areas/payout/withdrawalRows.server.ts'
import {
  markWithdrawalFailed,
  markWithdrawalPaid,
  type Withdrawal,
} from '#src/areas/payout/withdrawals.server.ts'
import { stepping } from '#src/areas/payout/withdrawalStep.server.ts'
import { withdrawalCan } from '#src/areas/payout/withdrawing.ts'
import {
  linesAgain,
  templateOf,
  tryImport,
  writeLines,
  type CellLine,
  type Foreseen,
  type Import,
} from '#src/areas/sheet/importing.server.ts'
import { centsOf, yuan } from '#src/domain/money.ts'
import type { Handler } from '#src/server/call/implement.ts'
import { withdrawals as contract } from '../contract/withdraw.ts'

const doing = stepping(rows)
type Given = { id: number; version: number } & (
  | { result: 'paid'; channel_no: string }
  | { result: 'failed'; reason: string }
)
const foreseenOf = (
  { row, cells }: CellLine<ResultKey>,
  found: Withdrawal | undefined,
  me: number,
): Foreseen<Given> => {
  if (!found)
    throw lineFault(
      '没有这个打款单号，或不在你的数据范围内',
      'No such payout, or outside your data scope',
    )
  const result = resultOf(cells.result)
  if (!result) throw lineFault('结果只能是“成功”或“失败”', 'The result is paid or failed')
  const [channel_no, reason] = [cells.channel_no.trim(), cells.reason.trim()]
  const told = { row, name: found.no, version: found.version }
  if (found.status === 'paid' && result === 'paid' && found.channel_no === channel_no)
    return { ...told, state: 'already', text: ['已登记打款', 'It is marked as paid'] }
  if (centsOf(cells.amount.trim().replaceAll(',', '')) !== found.net_cents)
    throw lineFault(
      `金额与打款单不符，应为 ${yuan(found.net_cents)} 元`,
      `Another amount than was to be paid: ¥${yuan(found.net_cents)}`,
    )
  const may = withdrawalCan(result === 'paid' ? 'markPaid' : 'markFailed', found, me)
  if (may !== true) throw lineFault(may[0], may[1])
  const one = { id: found.id, version: found.version }
  if (result === 'paid') {
    if (channel_no === '' || channel_no.length > 64)
      throw lineFault('请填写银行流水号，最多 64 个字', 'Give the bank’s number')
    return {
      ...told,
      state: 'ready',
      text: [`登记打款 ${yuan(found.net_cents)} 元`, `Paid: ¥${yuan(found.net_cents)}`],
      given: { ...one, result, channel_no },
    }
  }
  if (reason.length < 2 || reason.length > 200)
    throw lineFault('请填写失败原因，2 至 200 个字', 'Say why it failed')
  return {
    ...told,
    state: 'ready',
    text: [`登记失败：${reason}`, `Failed: ${reason}`],
    given: { ...one, result, reason },
  }
}
const resultImport: Import<ResultKey, Given> = {
  title: ['打款结果导入', 'Import of payout results'],
  columns: resultColumns,
  foresee: async ({ tx, staff }, lines) => {
    const numbers = [...new Set(lines.map(one => one.cells.name.trim()))]
    const found =
      numbers.length === 0
        ? []
        : await tx
            .select()
            .from(withdrawal)
            .where(and(rows.seen(staff), inArray(withdrawal.out_bill_no, numbers)))
    const by = new Map(found.map(one => [one.out_bill_no, one]))
    return tellLines(
      lines,
      line => foreseenOf(line, by.get(line.cells.name.trim()), staff.id),
      given => String(given.id),
    )
  },
}

type Calls = 'importTemplate' | 'readImport' | 'import'
export const importHandlers = {
  importTemplate: async (_, context) => templateOf(resultImport, context),
  readImport: async (asked, context) => tryImport(resultImport, asked, context),
  import: async ({ lines }, context) => {
    const { ready, told } = await linesAgain(resultImport, context, lines)
    const written = await writeLines(context, ready, async (inside, given) => {
      const one = { id: given.id, version: given.version }
      if (given.result === 'paid') {
        const { channel_no } = given
        await doing(inside, one, (tx, step) => markWithdrawalPaid(tx, { ...step, channel_no }))
        return { made: true, text: ['已登记打款', 'Marked as paid'] }
      }
      const { reason } = given
      await doing(inside, one, (tx, step) => markWithdrawalFailed(tx, { ...step, reason }), reason)
      return { made: true, text: ['已登记失败', 'Marked as failed'] }
    })
    return { lines: [...told, ...written].sort((a, b) => a.row - b.row) }
  },
} satisfies { [K in Calls]: Handler<(typeof contract)[K]> }
