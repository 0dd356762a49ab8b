import { and, count, desc, eq, ne, sum } from 'drizzle-orm'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import type { revealCall, WithdrawalCalls } from '#src/contract/withdrawals.ts'
import { comma, say, type Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import type { Handler, WriteContext } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { countOf, listed, pageOf } from '#src/server/db/paging.ts'
import type { ExportColumn } from '#src/server/exports/exports.ts'
import { ordersOf, salesOf } from './applicants.server.ts'
import { withdrawal } from './withdrawal.table.ts'
import {
  shownWithdrawals,
  withdrawalsWhere,
  type WithdrawalFilters,
  type WithdrawalRecord,
} from './withdrawalRows.server.ts'
import {
  approveWithdrawal,
  backWithdrawal,
  cancelWithdrawal,
  holdWithdrawal,
  markWithdrawalFailed,
  markWithdrawalPaid,
  payWithdrawal,
  queryWithdrawal,
  rejectWithdrawal,
  retryWithdrawal,
  secondApproveWithdrawal,
  unholdWithdrawal,
  withdrawable,
  type Made,
  type Step,
} from './withdrawals.server.ts'
import { stepping } from './withdrawalStep.server.ts'
import { payoutChannels, riskFlags, withdrawalOwners, withdrawalStates } from './withdrawing.ts'

type Calls = WithdrawalCalls
type Handlers = { [K in keyof Calls]: Handler<Calls[K]> }
type One = { id: number; version: number }
/** A queue begins with the oldest; of what is over the newest is looked for. */
const isOver = (status: string | undefined): boolean =>
  status === 'paid' || status === 'rejected' || status === 'canceled'
type Of = {
  /** The withdrawals that the page is of. */
  rows: WithdrawalRecord
  /** The page's stem, and what a file of it is called. */
  page: string
  title: Text
}
/** How the withdrawals of a page are read. */
const reading = (rows: WithdrawalRecord) =>
  ({
    lst: async ({ page: at, pageSize, ...filters }, { db, staff }) => {
      const where = and(rows.seen(staff), withdrawalsWhere(filters))
      const found = await pageOf(db, withdrawal, {
        where,
        by: withdrawal.applied_at,
        down: isOver(filters.status),
        page: at,
        pageSize,
        reader: `${staff.id}|withdrawal|${JSON.stringify(filters)}`,
      })
      return listed({ page: at, pageSize }, found, shownWithdrawals(db, found), () =>
        countOf(db, withdrawal, where),
      )
    },
    totals: async (filters, { db, staff }) => {
      const found = await db
        .select({
          status: withdrawal.status,
          count: count(),
          amount_cents: sum(withdrawal.amount_cents).mapWith(Number),
          net_cents: sum(withdrawal.net_cents).mapWith(Number),
        })
        .from(withdrawal)
        .where(and(rows.seen(staff), withdrawalsWhere(filters)))
        .groupBy(withdrawal.status)
      return { states: found }
    },
    beside: async ({ id }, { db, staff, now }) => {
      const row = await rows.read(db, staff, id)
      const before = await db
        .select()
        .from(withdrawal)
        .where(
          and(
            eq(withdrawal.owner_kind, row.owner_kind),
            eq(withdrawal.owner_id, row.owner_id),
            ne(withdrawal.id, id),
          ),
        )
        .orderBy(desc(withdrawal.applied_at))
        .limit(5)
      return {
        balance_cents: await withdrawable(db, row),
        ...(await ordersOf(db, row, now)),
        sales: await salesOf(db, row, now),
        before,
      }
    },
  }) satisfies Pick<Handlers, 'lst' | 'totals' | 'beside'>
/** Every step of their lives. */
const deciding = (rows: WithdrawalRecord) => {
  const doing = stepping(rows)
  const each = (
    context: WriteContext,
    tasks: readonly One[],
    run: (tx: WriteContext['tx'], of: Step) => Promise<Made>,
  ) => {
    const versions = new Map(tasks.map(({ id, version }) => [id, version]))
    return eachRow(context, [...versions.keys()], (row, id) =>
      doing(row, { id, version: versions.get(id)! }, run),
    )
  }
  return {
    approve: (one, context) => doing(context, one, approveWithdrawal),
    secondApprove: (one, context) => doing(context, one, secondApproveWithdrawal),
    batchApprove: ({ tasks }, context) => each(context, tasks, approveWithdrawal),
    reject: ({ reason_code, reason, ...one }, context) =>
      doing(
        context,
        one,
        (tx, step) => rejectWithdrawal(tx, { ...step, reason_code, reason }),
        reason,
      ),
    pay: (one, context) => doing(context, one, payWithdrawal),
    batchPay: ({ tasks }, context) => each(context, tasks, payWithdrawal),
    markPaid: ({ channel_no, proof, ...one }, context) =>
      doing(context, one, (tx, step) => markWithdrawalPaid(tx, { ...step, channel_no, proof })),
    markFailed: ({ reason, ...one }, context) =>
      doing(context, one, (tx, step) => markWithdrawalFailed(tx, { ...step, reason }), reason),
    query: (one, context) => doing(context, one, queryWithdrawal),
    retry: (one, context) => doing(context, one, retryWithdrawal),
    cancel: ({ reason, ...one }, context) =>
      doing(context, one, (tx, step) => cancelWithdrawal(tx, { ...step, reason }), reason),
    back: ({ reason, ...one }, context) =>
      doing(context, one, (tx, step) => backWithdrawal(tx, { ...step, reason }), reason),
    hold: ({ reason, ...one }, context) =>
      doing(context, one, (tx, step) => holdWithdrawal(tx, { ...step, reason }), reason),
    unhold: (one, context) => doing(context, one, unholdWithdrawal),
  } satisfies Omit<Handlers, 'lst' | 'totals' | 'beside' | 'export'>
}
const columns = [
  { key: 'out_bill_no', title: ['打款单号', 'Payout no.'] },
  { key: 'payee_name', title: ['收款户名', 'Payee'] },
  { key: 'payee_no', title: ['收款账号', 'Account'], field: 'withdrawal.bank_no' },
  { key: 'bank_name', title: ['开户行', 'Bank'] },
  {
    key: 'net_cents',
    title: ['打款金额', 'To pay'],
    kind: 'money',
    field: 'withdrawal.amount_cents',
  },
  { key: 'use', title: ['用途', 'For'] },
  { key: 'no', title: ['提现单号', 'Withdrawal no.'] },
  { key: 'owner_kind', title: ['申请人类型', 'Kind of owner'] },
  { key: 'owner', title: ['申请人', 'Owner'] },
  { key: 'channel', title: ['渠道', 'Channel'] },
  {
    key: 'amount_cents',
    title: ['提现金额', 'Amount'],
    kind: 'money',
    field: 'withdrawal.amount_cents',
  },
  {
    key: 'fee_cents',
    title: ['手续费', 'Fee'],
    kind: 'money',
    field: 'withdrawal.amount_cents',
  },
  {
    key: 'tax_cents',
    title: ['代扣税', 'Tax'],
    kind: 'money',
    field: 'withdrawal.amount_cents',
  },
  { key: 'status', title: ['状态', 'State'] },
  { key: 'risk_flags', title: ['风险提示', 'Flags'] },
  { key: 'reviewer', title: ['初审人', 'Reviewer'] },
  { key: 'second_reviewer', title: ['复审人', 'Second reviewer'] },
  { key: 'payer', title: ['打款人', 'Paid by'] },
  { key: 'applied_at', title: ['申请时间', 'Asked at'], kind: 'time' },
  { key: 'paid_at', title: ['打款时间', 'Paid at'], kind: 'time' },
  { key: 'channel_no', title: ['渠道流水号', 'Channel no.'] },
  { key: 'channel_error', title: ['失败原因', 'Why it failed'] },
] as const satisfies readonly ExportColumn[]
const filing = ({ rows, page, title }: Of) =>
  exporting(
    {
      of: rows,
      where: (filters: WithdrawalFilters, { staff }) =>
        and(rows.seen(staff), withdrawalsWhere(filters)),
      shown: shownWithdrawals,
    },
    {
      page,
      title,
      permit: `${page}.export`,
      columns,
      words: ({ status, owner_kind, channel, keyword, flagged }, lang) => [
        status && say(withdrawalStates[status], lang),
        owner_kind && say(withdrawalOwners[owner_kind], lang),
        channel && say(payoutChannels[channel], lang),
        flagged && say(['有风险提示', 'Flagged'], lang),
        keyword,
      ],
      cells: (row, { lang }) => ({
        out_bill_no: row.out_bill_no ?? row.no,
        payee_name: row.payee_name,
        payee_no: row.payee_no,
        bank_name: row.bank_name,
        net_cents: row.net_cents,
        use: `${say(withdrawalOwners[row.owner_kind], lang)}${say(['提现', ' payout'], lang)}`,
        no: row.no,
        owner_kind: say(withdrawalOwners[row.owner_kind], lang),
        owner: row.title,
        channel: say(payoutChannels[row.channel], lang),
        amount_cents: row.amount_cents,
        fee_cents: row.fee_cents,
        tax_cents: row.tax_cents,
        status: say(withdrawalStates[row.status], lang),
        risk_flags: row.risk_flags.map(flag => say(riskFlags[flag], lang)).join(say(comma, lang)),
        reviewer: row.reviewer_name,
        second_reviewer: row.second_reviewer_name,
        payer: row.payer_name,
        applied_at: row.applied_at,
        paid_at: row.paid_at,
        channel_no: row.channel_no,
        channel_error: row.channel_error,
      }),
    },
  )
/** The handlers of a page of withdrawals (`withdrawalCalls`). */
export const withdrawalHandlers = (of: Of): Handlers => ({
  ...reading(of.rows),
  ...deciding(of.rows),
  export: filing(of),
})
/** The handler that tells a masked account, for a reason that is logged. */
export const revealing =
  (rows: WithdrawalRecord): Handler<ReturnType<typeof revealCall>> =>
  async ({ id, reason }, context) => {
    const row = await rows.read(context.tx, context.staff, id)
    const of = { object_type: 'withdrawal', object_id: id, object_label: row.no }
    return {
      id,
      payee_no: row.payee_no,
      ...(await noteReveal(context, 'withdrawal.bank_no', of, reason)),
    }
  }
