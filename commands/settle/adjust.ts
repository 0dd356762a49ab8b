import { mayDecide } from '#src/areas/ledger/journal.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { adjusting as calls, askRow, type AskRow } from '#src/modules/settle/contract/adjust.ts'
import { called, type Me } from '../command.ts'
import { moneyJournal as at } from '../pages/settle.ts'
import { asking, one, pageAction, reason, rowActions } from '../record.ts'
import { only } from './flow.ts'

const row = rowActions(at, askRow)
called(askRow, ({ amount_cents }) => [
  `调账 ${yuan(amount_cents)} 元`,
  `Adjustment of ¥${yuan(amount_cents)}`,
])
const decides = only<AskRow, Me>(['adjust'], (of, me) => mayDecide(of, me.id))
const told = (rows: readonly AskRow[]) => {
  const [of] = rows
  const text: Text = [
    '{maker} 申请调账 {sum} 元（{n} 行）：{why}',
    '{maker} requests an adjustment of ¥{sum} ({n} lines): {why}',
  ]
  return (
    of &&
    ([
      text,
      { maker: of.maker, sum: yuan(of.amount_cents), n: of.lines.length, why: of.reason },
      of.amount_cents,
    ] as const)
  )
}
/** Adjustments: asked for by one person, posted or turned down by another. */
export const adjustActions = {
  adjust: pageAction('settle.flow.adjust', ['调账申请', 'Request an adjustment'], at, {
    key: 'c',
    main: true,
    permit: calls.adjust.permit,
    alias: ['手工分录', '补记', 'manual entry'],
  }),
  approveAdjust: row.row(calls.approveAdjust, ['复核调账', 'Approve'], {
    key: 'e',
    main: true,
    when: decides,
    tells: told,
    input: one,
    takenBack: 'final',
  }),
  rejectAdjust: row.row(calls.rejectAdjust, ['驳回调账', 'Reject'], {
    key: 'r',
    danger: true,
    when: decides,
    tells: told,
    asks: { reason },
    input: asking(asked => asked),
  }),
}
