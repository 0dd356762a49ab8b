import type { Schema } from '#src/contract/call.ts'
import { action, to, type Page } from './command.ts'
import { moneyJournal } from './pages/settle.ts'

type Numbered = { id: number; order_no: string }
/** Opens the trace of an order's money from pages whose rows (`on`) are orders. */
export const traceAction = <Row extends Numbered>(
  id: string,
  on: Schema<unknown, Row>,
  at: Page,
  also: readonly Page[],
) =>
  action<unknown, unknown, Row>(id, {
    title: '追踪资金',
    en: 'Trace its money',
    key: 'shift+4',
    at,
    also,
    on,
    takes: 'row',
    permit: 'settle.flow.trace',
    to: rows => to(moneyJournal, { view: 'trace', order_no: rows[0]!.order_no }),
    alias: ['钱在哪', '资金流水', 'where is the money'],
  })
