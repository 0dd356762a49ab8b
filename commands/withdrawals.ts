import { BATCH_MAX } from '#src/areas/audit/audit.ts'
import {
  rejectReasons,
  withdrawalCan,
  type RejectReason,
  type WithdrawalVerb,
} from '#src/areas/payout/withdrawing.ts'
import {
  withdrawalRow,
  type revealCall,
  type WithdrawalCalls,
  type WithdrawalRow,
} from '#src/contract/withdrawals.ts'
import { yuan } from '#src/domain/money.ts'
import { countEn, type Text } from '#src/domain/text.ts'
import { ask, type Me, type Page, type Told } from './command.ts'
import { tasksOf, words } from './queue.ts'
import { asking, exportAction, idOf, one, rowActions } from './record.ts'

type Row = WithdrawalRow
const can = (verb: WithdrawalVerb) => (row: Row, me: Me) => withdrawalCan(verb, row, me.id)
/** What a person has to look at by themselves is not approved among others. */
const inBatch = (row: Row, me: Me): true | Text => {
  const may = can('approve')(row, me)
  if (may !== true) return may
  if (row.need_second) return ['大额提现须逐笔审核', 'Large withdrawals are reviewed individually']
  return (
    row.risk_flags.length === 0 || ['有风险提示，须逐笔审核', 'Flagged: review it individually']
  )
}
const sumOf = (rows: readonly Row[], key: 'amount_cents' | 'net_cents') =>
  rows.reduce((sum, row) => sum + (row[key] ?? 0), 0)
/** The money that a decision is about: of several, their sum. */
const approves = (rows: readonly Row[]): Told => {
  const cents = sumOf(rows, 'amount_cents')
  return [
    ['{n} 笔，合计提现 ¥{cents}', `${countEn(rows.length, 'withdrawal')}, ¥{cents} in total`],
    { n: rows.length, cents: yuan(cents) },
    cents,
  ]
}
/** What leaves the house: to one payee, with their name and account; of several, their sum. */
const leaves = (rows: readonly Row[]): Told => {
  const cents = sumOf(rows, 'net_cents')
  const [row] = rows
  return [
    ['{n} 笔，合计打款 ¥{cents}', `${countEn(rows.length, 'payout')}, ¥{cents} in total`],
    { n: rows.length, cents: yuan(cents) },
    cents,
    {
      exactly: true,
      facts:
        rows.length === 1 && row
          ? [
              [['申请人', 'Owner'], row.title],
              [['收款户名', 'Payee'], row.payee_name],
              [['收款账号', 'Account'], row.payee_no ?? '—'],
            ]
          : [],
    },
  ]
}
/** What goes back to the balance, with its fee. */
const returns = (rows: readonly Row[]): Told => {
  const cents = sumOf(rows, 'amount_cents')
  return [
    ['¥{cents} 退回余额（含手续费）', '¥{cents} will be returned to the balance, fee included'],
    { cents: yuan(cents) },
    cents,
  ]
}
const why = (label: Text) => ({ reason: ask.text({ ...words, max: 200, label }) })
const reasoned = asking((asked: { reason: string }) => asked)

type Reveal = ReturnType<typeof revealCall>
type RowOf = ReturnType<typeof rowActions<Row>>['row']
/** What is decided of one, and how its money goes out. */
const deciding = (row: RowOf, calls: WithdrawalCalls) => ({
  approve: row(calls.approve, ['通过', 'Approve'], {
    key: 'a',
    main: true,
    when: can('approve'),
    tells: approves,
    input: one,
    takenBack: 'final',
  }),
  secondApprove: row(calls.secondApprove, ['大额复审通过', 'Second approval'], {
    key: 'shift+s',
    main: true,
    when: can('secondApprove'),
    tells: approves,
    input: one,
    takenBack: 'final',
  }),
  reject: row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    danger: true,
    main: true,
    when: can('reject'),
    tells: returns,
    asks: {
      why: ask.reason({
        label: ['驳回原因（申请人可见）', 'Reason (shown to the applicant)'],
        codes: rejectReasons,
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      reason_code: asked.why.code as RejectReason,
      reason: asked.why.text,
    }),
  }),
  pay: row(calls.pay, ['发起打款', 'Pay'], {
    key: 'p',
    main: true,
    when: can('pay'),
    tells: leaves,
    input: one,
    takenBack: 'final',
  }),
})
/** What becomes of money that goes out. */
const following = (row: RowOf, calls: WithdrawalCalls) => ({
  markPaid: row(calls.markPaid, ['登记打款', 'Mark as paid'], {
    key: 'm',
    main: 'plain',
    when: can('markPaid'),
    tells: leaves,
    asks: {
      channel_no: ask.text({ label: ['银行流水号', 'Bank reference'], max: 64 }),
      proof: ask.images({ label: ['打款凭证', 'Proof of payment'], max: 1 }),
    },
    input: asking(({ channel_no, proof }) => ({ channel_no, proof: proof[0] ?? '' })),
  }),
  markFailed: row(calls.markFailed, ['登记打款失败', 'Mark as failed'], {
    key: 'f',
    danger: true,
    when: can('markFailed'),
    asks: why(['银行退回的原因', 'Why the bank returned it']),
    input: reasoned,
  }),
  retry: row(calls.retry, ['重试打款', 'Retry payment'], {
    key: 't',
    main: true,
    when: can('retry'),
    tells: leaves,
    input: one,
    takenBack: 'final',
  }),
  back: row(calls.back, ['退回余额', 'Return to balance'], {
    key: 'b',
    danger: true,
    when: can('back'),
    tells: returns,
    asks: why(['退回原因（申请人可见）', 'Reason (shown to the applicant)']),
    input: reasoned,
  }),
  query: row(calls.query, ['查询渠道结果', 'Check with the channel'], {
    key: 'q',
    when: can('query'),
    input: one,
    takenBack: 'again',
  }),
  cancel: row(calls.cancel, ['撤销打款', 'Cancel'], {
    key: 'd',
    danger: true,
    when: can('cancel'),
    tells: returns,
    asks: why(['撤销原因（申请人可见）', 'Reason (shown to the applicant)']),
    input: reasoned,
  }),
})
const waiting = (row: RowOf, calls: WithdrawalCalls) => ({
  hold: row(calls.hold, ['挂起', 'Put on hold'], {
    key: 's',
    when: can('hold'),
    asks: why(['挂起原因', 'Reason']),
    input: reasoned,
  }),
  unhold: row(calls.unhold, ['取消挂起', 'Take off hold'], {
    key: 'u',
    when: can('unhold'),
    input: one,
    takenBack: 'opposite',
  }),
})
const severally = (row: RowOf, calls: WithdrawalCalls) => ({
  batchApprove: row(calls.batchApprove, ['批量通过', 'Approve selected'], {
    key: 'shift+a',
    takes: 'rows',
    most: BATCH_MAX,
    when: inBatch,
    tells: approves,
    input: tasksOf,
    takenBack: 'final',
  }),
  batchPay: row(calls.batchPay, ['批量打款', 'Pay selected'], {
    key: 'shift+y',
    takes: 'rows',
    most: BATCH_MAX,
    when: can('pay'),
    tells: leaves,
    input: tasksOf,
    takenBack: 'final',
  }),
})
/** What a cashier does with the withdrawals of a page. */
export const actionsOfWithdrawals = (at: Page, calls: WithdrawalCalls) => {
  const { row } = rowActions<Row>(at, withdrawalRow)
  return {
    ...deciding(row, calls),
    ...following(row, calls),
    ...waiting(row, calls),
    ...severally(row, calls),
  }
}
/** Asks why, and tells an account that is masked. */
export const revealsAccount = (at: Page, call: Reveal) =>
  rowActions<Row>(at, withdrawalRow).row(call, ['查看收款账号', 'Reveal the account'], {
    key: 'v',
    asks: {
      reason: ask.text({
        ...words,
        label: ['原因', 'Reason'],
        hint: ['会记入操作日志', 'This is logged'],
      }),
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  })
/** Begins a file of payouts. */
export const exportsPayouts = (at: Page, calls: WithdrawalCalls) =>
  exportAction(calls.export, ['导出打款文件', 'Export payouts'], at)
