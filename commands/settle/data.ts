import type { FigureKey } from '#src/areas/funds/figures.ts'
import { mayAskReopen, mayClose, mayReopen } from '#src/areas/ledger/days.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf, unixNow } from '#src/domain/time.ts'
import {
  behindRow,
  dayRow,
  figureRow,
  funds as calls,
  type BehindRow,
  type DayRow,
} from '#src/modules/settle/contract/data.ts'
import { action, ask, to } from '../command.ts'
import { fundsPage as at, moneyJournal } from '../pages/settle.ts'
import { exportAction, pageAction, reason } from '../record.ts'
import { traceOf } from './flow.ts'

/** The views of the page; the first needs no word in its address. */
export const fundsViews = {
  figures: ['资金', 'Funds'],
  rows: ['明细', 'Rows'],
  days: ['日结管理', 'Closing'],
  ageing: ['账龄与欠款', 'Ageing and debts'],
} as const satisfies Record<string, Text>
export type FundsView = keyof typeof fundsViews
const turn = (view: FundsView, key: string) =>
  action(`settle.data.${view}View`, {
    title: fundsViews[view][0],
    en: fundsViews[view][1],
    key,
    at,
  })
export const fundsViewActions: Readonly<Record<FundsView, ReturnType<typeof turn>>> = {
  figures: turn('figures', '1'),
  rows: turn('rows', '2'),
  days: turn('days', '3'),
  ageing: turn('ageing', '4'),
}
const elsewhere: Readonly<Record<'figures' | 'rows' | 'days', Text>> = {
  figures: ['先切到资金', 'Go to the figures first'],
  rows: ['先切到明细', 'Go to the rows first'],
  days: ['先切到日结', 'Go to the days first'],
}
const only =
  <Row extends { view: keyof typeof elsewhere }, Me = unknown>(
    view: Row['view'],
    may: (row: Row, me: Me) => true | Text = () => true,
  ) =>
  (row: Row, me: Me): true | Text =>
    row.view === view ? may(row, me) : elsewhere[view]

/** The rows of a figure, by the filters that stand. */
export const rowsOf = (figure: FigureKey, filters: Record<string, string | number> = {}): string =>
  to(at, { ...filters, view: 'rows', figure })
/** What is done with a figure and its rows. */
export const figureActions = {
  drill: action('settle.data.drill', {
    title: '查看明细',
    en: 'View rows',
    key: 'o',
    at,
    on: figureRow,
    takes: 'row',
    main: true,
    permit: calls.rows.permit,
    when: only<{ view: 'figures'; count: number | null }>(
      'figures',
      row => row.count !== null || ['余额不区分订单类型', 'Balances cover all kinds of orders'],
    ),
  }),
  export: exportAction(calls.export, ['导出资金日报', 'Export the days'], at),
}
export const behindActions = {
  trace: action('settle.data.trace', {
    title: '追踪订单资金',
    en: 'Trace order funds',
    key: 't',
    at,
    on: behindRow,
    takes: 'row',
    main: true,
    permit: 'settle.flow.trace',
    when: only<BehindRow>(
      'rows',
      row => row.order_no !== '' || ['这一行不涉及订单', 'No order is involved'],
    ),
    to: rows => traceOf(rows[0]!.order_no),
  }),
  entry: action('settle.data.entry', {
    title: '查看凭证',
    en: 'See the transaction',
    key: 'v',
    at,
    on: behindRow,
    takes: 'row',
    permit: 'settle.flow.view',
    when: only<BehindRow>(
      'rows',
      row =>
        row.no !== '' || [
          '结算明细还没有凭证，请追踪订单',
          'Settlement lines have no voucher yet: trace the order',
        ],
    ),
    to: rows => to(moneyJournal, { no: rows[0]!.no }),
  }),
}
const ofDay = (rows: readonly DayRow[]) => ({ day: rows[0]!.day })
/** What is done with the books of a day. */
export const dayActions = {
  runCheck: action(calls.runCheck, {
    title: '日终检查',
    en: 'Check the day',
    key: 'c',
    at,
    on: dayRow,
    takes: 'row',
    when: only<DayRow>('days'),
    input: ofDay,
    takenBack: 'again',
  }),
  closeDay: action(calls.closeDay, {
    title: '日结',
    en: 'Close the day',
    key: 'd',
    at,
    on: dayRow,
    takes: 'row',
    main: true,
    danger: true,
    when: only<DayRow>('days', mayClose),
    tells: rows =>
      rows[0] && [
        [
          '日结后 {day} 不再接受记账，之后的更正记入下一个未结的日期',
          'Nothing more is posted to {day}; corrections go to the next open day',
        ],
        { day: rows[0].day },
      ],
    input: ofDay,
  }),
  reopenDay: action(calls.reopenDay, {
    title: '申请反日结',
    en: 'Request to reopen',
    key: 'shift+o',
    danger: true,
    at,
    on: dayRow,
    takes: 'row',
    when: only<DayRow>('days', mayAskReopen),
    tells: rows =>
      rows[0] && [
        ['{day} 须由另一人复核后才会打开', 'A second person must approve before {day} reopens'],
        { day: rows[0].day },
      ],
    asks: { reason },
    input: (rows, asked) => ({ ...ofDay(rows), ...asked }),
  }),
  approveReopen: action(calls.approveReopen, {
    title: '复核反日结',
    en: 'Reopen the day',
    key: 'a',
    danger: true,
    at,
    on: dayRow,
    takes: 'row',
    when: only<DayRow, { id: number }>('days', (row, me) => mayReopen(row, me.id)),
    tells: rows =>
      rows[0] && [
        [
          '{day} 将重新接受记账；{name}的原因：{why}',
          '{day} accepts postings again; {name}’s reason: {why}',
        ],
        { day: rows[0].day, name: rows[0].asked_name, why: rows[0].reopen_reason },
      ],
    input: ofDay,
  }),
  rejectReopen: action(calls.rejectReopen, {
    title: '驳回反日结',
    en: 'Keep closed',
    key: 'r',
    at,
    on: dayRow,
    takes: 'row',
    when: only<DayRow, { id: number }>('days', (row, me) => mayReopen(row, me.id)),
    input: ofDay,
    takenBack: 'final',
  }),
  sweep: pageAction(calls.sweep, ['登记微信结算到账', 'Record a WeChat payout'], at, {
    key: 'b',
    asks: {
      at: ask.time({
        label: ['到账时间', 'Arrived at'],
        initial: () => unixNow(),
        check: (value: number | undefined) =>
          value !== undefined && dateOf(value) > dateOf(unixNow())
            ? ['到账日期不能晚于今天', 'Can’t be later than today']
            : undefined,
      }),
      amount_cents: ask.money({ label: ['到账金额', 'Amount'], min: 1, max: 100_000_000_000 }),
      bank_no: ask.text({
        label: ['银行流水号', 'Bank reference'],
        max: 40,
        min: 4,
        hint: ['同一流水号只登记一次', 'Each reference is recorded once'],
      }),
    },
    input: (_, asked) => ({ ...asked, at: asked.at ?? unixNow() }),
  }),
}
