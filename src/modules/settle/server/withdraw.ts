import { and, count, desc, eq, ne, sum } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { withdrawPage as page } from '#commands/pages/settle.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { ordersOf } from '#src/areas/payout/applicants.server.ts'
import { bookWithdrawals } from '#src/areas/payout/oldWithdrawals.server.ts'
import { awaitsTransfer, sendTransfers } from '#src/areas/payout/transfers.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import {
  shownWithdrawals,
  withdrawalRecord as rows,
  withdrawalsWhere,
  type WithdrawalFilters,
} from '#src/areas/payout/withdrawalRows.server.ts'
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
  settleTransfer,
  unholdWithdrawal,
  withdrawable,
  type Made,
  type Step,
} from '#src/areas/payout/withdrawals.server.ts'
import {
  payoutChannels,
  riskFlags,
  withdrawalOwners,
  withdrawalStates,
} from '#src/areas/payout/withdrawing.ts'
import { say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting } from '#src/server/call/record.ts'
import { countTodo, defineTodo } from '#src/server/call/todos.ts'
import { countOf, listed, pageOf } from '#src/server/db/paging.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { withdrawals as contract } from '../contract/withdraw.ts'
import { importHandlers } from './withdrawImport.ts'
import { doing } from './withdrawStep.ts'

type Calls = typeof contract
type One = { id: number; version: number }
/** A queue begins with the oldest; of what is over the newest is looked for. */
const isOver = (status: string | undefined): boolean =>
  status === 'paid' || status === 'rejected' || status === 'canceled'
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

const handlers = {
  ...importHandlers,
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
      before,
    }
  },
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
  revealPayee: async ({ id, reason }, context) => {
    const row = await rows.read(context.tx, context.staff, id)
    const of = { object_type: 'withdrawal', object_id: id, object_label: row.no }
    return {
      id,
      payee_no: row.payee_no,
      ...(await noteReveal(context, 'withdrawal.bank_no', of, reason)),
    }
  },
  export: exporting(
    {
      of: rows,
      where: (filters: WithdrawalFilters, { staff }) =>
        and(rows.seen(staff), withdrawalsWhere(filters)),
      shown: shownWithdrawals,
    },
    {
      page: 'settle.withdraw',
      title: ['提现打款', 'Payouts'],
      permit: contract.export.permit,
      columns: [
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
      ],
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
        risk_flags: row.risk_flags.map(flag => say(riskFlags[flag], lang)).join('、'),
        reviewer: row.reviewer_name,
        second_reviewer: row.second_reviewer_name,
        payer: row.payer_name,
        applied_at: row.applied_at,
        paid_at: row.paid_at,
        channel_no: row.channel_no,
        channel_error: row.channel_error,
      }),
    },
  ),
} satisfies { [K in keyof Calls]: Handler<Calls[K]> }
export const withdrawServer = implement(contract, handlers)

defineTodo({
  key: 'withdraw_review',
  title: [page.title, page.en],
  permit: page.permit,
  target: ({ city_id }) => to(page, { status: 'pending', city_id }),
  count: ({ db, staff, city_id }) =>
    countTodo(
      db,
      withdrawal,
      and(rows.seen(staff), withdrawalsWhere({ status: 'pending', city_id })),
      { since: withdrawal.applied_at, money: withdrawal.amount_cents },
    ),
  beside: to(page),
})

/**
 * Transfers are sent and asked for: as soon as one was handed out, again while its channel is about
 * to answer, and by the minute for what was kept waiting.
 */
defineTimer(
  'settle.transfer',
  '* * * * *',
  async ({ database, install, log, now }) => {
    const failed = (error: unknown, id: number) =>
      log.error({ err: error, what: 'a transfer', id }, 'the clock could not do it')
    const heard = await install.transfer.due(now)
    for (const notice of heard)
      await database.transaction(tx => settleTransfer(tx, { ...notice, now }))
    const channel = install.transfer
    const sent = await sendTransfers({ database, channel, log, now, failed })
    return [
      ...(heard.length + sent > 0 ? ['withdrawal', 'ledger'] : []),
      ...((await awaitsTransfer(database.db, now)) ? ['transfer'] : []),
    ]
  },
  ['withdrawal', 'transfer'],
)

/** Withdrawals of before the journal are posted after their orders; every new one is looked at once. */
defineTimer('settle.books', '* * * * *', async ({ database, log }) =>
  (await bookWithdrawals({ database, log })) > 0 ? ['ledger'] : [],
)
