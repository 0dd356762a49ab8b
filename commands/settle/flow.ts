import { mayReverse } from '#src/areas/ledger/journal.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import {
  accountRow,
  entryRow,
  flow as calls,
  txnRow,
  type AccountRow,
  type EntryRow,
  type TxnRow,
} from '#src/modules/settle/contract/flow.ts'
import { action, to } from '../command.ts'
import { moneyJournal as at } from '../pages/settle.ts'
import { exportAction, reason } from '../record.ts'

/** The views of the page; the first needs no word in its address. */
export const flowViews = {
  journal: ['凭证', 'Journal'],
  trace: ['订单追踪', 'Order trace'],
  account: ['账户', 'Accounts'],
  adjust: ['调账', 'Adjustments'],
  recon: ['对账', 'Reconciliation'],
} as const satisfies Record<string, Text>
export type FlowView = keyof typeof flowViews
const turn = (view: FlowView, key: string) =>
  action(`settle.flow.${view}View`, {
    title: flowViews[view][0],
    en: flowViews[view][1],
    key,
    at,
  })
export const flowViewActions: Readonly<Record<FlowView, ReturnType<typeof turn>>> = {
  journal: turn('journal', '1'),
  trace: turn('trace', '2'),
  account: action('settle.flow.accountsView', {
    title: flowViews.account[0],
    en: flowViews.account[1],
    key: '3',
    at,
  }),
  adjust: turn('adjust', '4'),
  recon: turn('recon', '5'),
}
/** The view of a row; an action of another view says where its rows are. */
type Viewed = { view: FlowView | 'statement' }
const elsewhere: Readonly<Record<Viewed['view'], Text>> = {
  journal: ['先切到凭证', 'Go to the journal first'],
  trace: ['先切到订单追踪', 'Go to the trace first'],
  account: ['先切到账户', 'Go to the accounts first'],
  statement: ['先打开一个账户的明细账', 'Open an account’s statement first'],
  adjust: ['先切到调账', 'Go to the adjustments first'],
  recon: ['先切到对账', 'Go to the reconciliation first'],
}
/** True of rows of these views, of which `may` holds. */
export const only =
  <Row extends Viewed, Me>(
    views: readonly Row['view'][],
    may: (row: Row, me: Me) => true | Text = () => true,
  ) =>
  (row: Row, me: Me): true | Text =>
    views.includes(row.view) ? may(row, me) : elsewhere[views[0]!]

const none: Text = ['这笔凭证不涉及订单', 'No order is involved']
/** The trace of an order. */
export const traceOf = (order_no: string): string => to(at, { view: 'trace', order_no })
/** The statement of an account. */
export const statementOf = (account_id: number): string => to(at, { view: 'account', account_id })
/** What is done in the journal. */
export const flowActions = {
  trace: action('settle.flow.trace', {
    title: '按订单追踪全链路',
    en: 'Trace order funds',
    key: 't',
    at,
    on: txnRow,
    takes: 'row',
    main: true,
    permit: calls.trace.permit,
    when: only<TxnRow, unknown>(['journal'], row => row.order_no !== '' || none),
    to: rows => traceOf(rows[0]!.order_no),
    alias: ['钱在哪', '资金追踪', 'where is the money'],
  }),
  lines: action('settle.flow.lines', {
    title: '到分录的账户',
    en: 'Open its accounts',
    key: 'a',
    at,
    on: txnRow,
    takes: 'row',
    main: 'plain',
    when: only<TxnRow, unknown>(['journal']),
  }),
  reverse: action(calls.reverse, {
    title: '红冲',
    en: 'Reverse',
    key: 'shift+r',
    danger: true,
    at,
    on: txnRow,
    takes: 'row',
    when: only<TxnRow, unknown>(['journal'], mayReverse),
    tells: rows =>
      rows[0] && [
        [
          '记入今天：{no} {biz} {sum} 元的反向凭证；凭证永不修改',
          'Posts today the reverse of {no} {biz}, ¥{sum}; posted entries never change',
        ],
        { no: rows[0].no, biz: rows[0].biz_no, sum: yuan(rows[0].amount_cents) },
        rows[0].amount_cents,
      ],
    asks: { reason },
    input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
    takenBack: 'final',
  }),
  export: exportAction(calls.export, ['导出流水', 'Export the journal'], at),
}
/** What is done with accounts and their statements. */
export const accountActions = {
  accountView: action('settle.flow.accountView', {
    title: '查看账户明细账',
    en: 'Statement of the account',
    key: 'v',
    at,
    on: accountRow,
    takes: 'row',
    main: true,
    permit: calls.accountView.permit,
    when: only<AccountRow, unknown>(['account']),
    to: rows => statementOf(rows[0]!.id),
    alias: ['明细账', '余额', 'ledger account'],
  }),
  entry: action('settle.flow.entry', {
    title: '查看凭证',
    en: 'See the transaction',
    key: 'o',
    at,
    on: entryRow,
    takes: 'row',
    main: true,
    when: only<EntryRow, unknown>(['statement']),
    to: rows => to(at, { no: rows[0]!.no }),
  }),
  accounts: action('settle.flow.allAccounts', {
    title: '返回账户列表',
    en: 'Back to the accounts',
    key: 'b',
    at,
  }),
}
