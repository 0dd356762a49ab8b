import { z } from 'zod'
import {
  ages,
  bases,
  figures,
  type AgeKey,
  type Basis,
  type FigureKey,
} from '#src/areas/funds/figures.ts'
import { dayChecks, dayStates, type DayCheckKey, type DayState } from '#src/areas/ledger/days.ts'
import { businesses, type Business } from '#src/areas/ledger/ledger.ts'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import { lineStates, type LineState } from '#src/areas/settle/settle.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, keysOf, keyText, unix } from '#src/contract/shapes.ts'

const count = z.int().min(0)
const figure = keysOf<FigureKey>(figures)
const order_kind = keysOf<OrderKind>(orderKinds)
/** Both ends are moments of the first and the last day; without them the last 30 days. */
const filters = {
  from: unix.optional(),
  to: unix.optional(),
  city_id: id.optional(),
  /** 0 is outside malls. */ mid: z.int().min(0).max(2_147_483_647).optional(),
  order_kind: order_kind.optional(),
}
export type FundsFilters = Partial<z.output<z.ZodObject<typeof filters>>>

/** One of the thirteen figures. */
export const figureRow = z.object({
  id,
  view: z.literal('figures'),
  key: figure,
  basis: keysOf<Basis>(bases),
  /** Null where balances say nothing of one kind of orders. */
  amount_cents: cents.nullable(),
  /** The rows that it opens: units, or entries of the journal. */
  count: count.nullable(),
})
export type FigureRow = z.output<typeof figureRow>
/** A row that a figure is made of: a settlement line, or an entry of the journal. */
export const behindRow = z.object({
  id,
  view: z.literal('rows'),
  at: unix,
  what: z.string(),
  order_no: z.string(),
  order_kind: order_kind.nullable(),
  status: keysOf<LineState>(lineStates).nullable(),
  biz: keysOf<Business>(businesses).nullable(),
  /** The number of its transaction; empty for a line. */
  no: z.string(),
  amount_cents: cents,
})
export type BehindRow = z.output<typeof behindRow>
export const dayRow = z.object({
  /** The day as a number: 20261127. */
  id,
  view: z.literal('days'),
  /** What questions about it call it. */
  name: z.string(),
  day: z.string(),
  status: keysOf<DayState>(dayStates),
  checks: z.array(
    z.object({ key: keysOf<DayCheckKey>(dayChecks), ok: z.boolean(), value: z.int() }),
  ),
  checked_at: unix.nullable(),
  closed_by: z.string(),
  closed_at: unix.nullable(),
  asked_by: id.nullable(),
  asked_name: z.string(),
  asked_at: unix.nullable(),
  reopened_by: z.string(),
  reopen_reason: z.string(),
})
export type DayRow = z.output<typeof dayRow>

const sum = { amount_cents: cents, count }
const call = callsOf('settle/data', {
  touches: ['settle_line', 'ledger_txn', 'settle_day'],
  rows: 'settle_line',
})
const house = { scope: 'all' as const }
const view = 'settle.data.view'
const day = { day: keyText(10, 10) }
/** Where the money is, and the closing of its days. */
export const funds = {
  lst: call.lists('lst', ['资金总览', 'Funds overview'], { filters, row: figureRow }),
  /** The rows that a figure is made of; together they come to it. */
  rows: call.lists('drill', ['查看明细', 'Rows of a figure'], {
    filters: { figure: figure.default('total'), ...filters },
    row: behindRow,
    answer: { amount_cents: cents.nullable() },
  }),
  /** A figure day by day, and its parts. */
  look: call.read('look', ['趋势与构成', 'Trend and parts'], {
    input: z.object({ figure, ...filters }),
    output: z.object({
      days: z.array(z.object({ day: z.string(), ...sum })),
      kinds: z.array(z.object({ key: order_kind.nullable(), ...sum })),
      cities: z.array(z.object({ name: z.string(), ...sum })),
      malls: z.array(z.object({ name: z.string(), ...sum })),
    }),
    permit: view,
  }),
  ageing: call.read('ageing', ['账龄与欠款', 'Ageing and debts'], {
    input: z.object({}),
    output: z.object({
      ages: z.array(z.object({ key: keysOf<AgeKey>(ages), ...sum, oldest_at: unix.nullable() })),
      debtors: z.array(
        z.object({ id, name: z.string(), owes_cents: cents, since: unix.nullable() }),
      ),
    }),
    permit: view,
  }),
  days: call.lists('days', ['日结', 'Days'], {
    filters: {},
    row: dayRow,
    permit: view,
    ...house,
  }),
  runCheck: call.write('runCheck', ['日终检查', 'Check a day'], {
    input: z.object(day),
    output: dayRow,
    ...house,
  }),
  closeDay: call.write('closeDay', ['日结', 'Close a day'], {
    input: z.object(day),
    output: dayRow,
    ...house,
  }),
  reopenDay: call.write('reopenDay', ['申请反日结', 'Ask to open a day again'], {
    input: z.object({ ...day, reason }),
    output: dayRow,
    ...house,
  }),
  approveReopen: call.write('approveReopen', ['复核反日结', 'Open a day again'], {
    input: z.object(day),
    output: dayRow,
    ...house,
  }),
  rejectReopen: call.write('rejectReopen', ['驳回反日结', 'Leave a day closed'], {
    input: z.object(day),
    output: dayRow,
    ...house,
  }),
  /** WeChat Pay paid out to the bank. */
  sweep: call.write('sweep', ['登记微信结算到账', 'Record a WeChat payout to the bank'], {
    input: z.object({ at: unix, amount_cents: cents.min(1), bank_no: keyText(40, 4) }),
    output: z.object({ no: z.string() }),
    ...house,
  }),
  export: call.startsExport('export', ['导出资金日报', 'Export the days'], { filters }),
}
