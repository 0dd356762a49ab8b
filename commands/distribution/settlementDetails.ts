import { commissionCan, type CommissionVerb } from '#src/areas/commission/commission.ts'
import { yuan } from '#src/domain/money.ts'
import { countEn } from '#src/domain/text.ts'
import {
  commissionDetails as calls,
  commissionRow,
  COMMISSIONS_MOST,
  type CommissionRow as Row,
} from '#src/modules/distribution/contract/settlementDetails.ts'
import { ask, called, type Told } from '../command.ts'
import { commissionPage as at } from '../pages/distribution.ts'
import { asking, exportAction, idsOf, reason, rowActions } from '../record.ts'

const can = (verb: CommissionVerb) => (row: Row) => commissionCan(verb, row)
const sum = (rows: readonly Row[]): number => rows.reduce((all, row) => all + row.left_cents, 0)
const settles = (rows: readonly Row[]): Told => [
  [
    '{n} 笔佣金共 ¥{sum} 计入余额；有欠款的先抵欠款',
    `${countEn(rows.length, 'line')}, ¥{sum} in total, to balances; debts are paid first`,
  ],
  { n: rows.length, sum: yuan(sum(rows)) },
  sum(rows),
]
const { row } = rowActions<Row>(at, commissionRow)
called(commissionRow, ({ title, name, seller }) => `${title || name} · ${seller}`)
/** What is done with commission, line by line. */
export const commissionActions = {
  settleNow: row(calls.settleNow, ['提前结算', 'Settle now'], {
    key: 's',
    main: true,
    when: can('settleNow'),
    tells: settles,
    asks: { reason },
    input: asking(asked => asked),
    takenBack: 'final',
  }),
  batchSettle: row(calls.batchSettle, ['批量结算', 'Settle selected'], {
    key: 'shift+a',
    takes: 'rows',
    most: COMMISSIONS_MOST,
    when: can('batchSettle'),
    tells: settles,
    input: idsOf,
    takenBack: 'final',
  }),
  hold: row(calls.hold, ['暂缓结算', 'Hold'], {
    key: 'f',
    main: 'plain',
    takes: 'rows',
    most: COMMISSIONS_MOST,
    when: of =>
      of.held
        ? [`已由${of.holder}暂缓：${of.reason}`, `Held by ${of.holder}: ${of.reason}`]
        : commissionCan('hold', of),
    tells: rows => [
      ['{n} 笔佣金不参与结算，直到解除', '{n} are not settled until they are released'],
      { n: rows.length },
    ],
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  release: row(calls.release, ['解除暂缓', 'Release'], {
    key: 'u',
    takes: 'rows',
    most: COMMISSIONS_MOST,
    when: can('release'),
    tells: rows => [['{n} 笔佣金恢复结算', '{n} may be settled again'], { n: rows.length }],
    input: idsOf,
    takenBack: 'again',
  }),
  explain: row('distribution.settlementDetails.explain', ['查看计算过程', 'Explain'], {
    key: 'e',
    main: 'plain',
    permit: calls.explain.permit,
    alias: ['公式', '为什么', '佣金怎么算', 'formula', 'why'],
  }),
  cancel: row(calls.cancel, ['取消佣金', 'Cancel'], {
    key: 'v',
    danger: true,
    when: can('cancel'),
    tells: rows => [
      ['¥{sum} 不再结算，退回承担方', '¥{sum} will not be settled and goes back to its bearer'],
      { sum: yuan(sum(rows)) },
      sum(rows),
    ],
    asks: { reason },
    input: asking(asked => asked),
    takenBack: 'final',
  }),
  clawBack: row(calls.clawBack, ['追回已结佣金', 'Claw back'], {
    key: 'b',
    danger: true,
    when: can('clawBack'),
    tells: rows => [
      [
        '先扣分销员余额，余额不足的部分记为欠款；最多 ¥{sum}',
        'Taken from the seller’s balance, any shortfall becomes debt; up to ¥{sum}',
      ],
      { sum: yuan(sum(rows)) },
    ],
    asks: {
      amount: ask.money({
        label: ['追回金额（元）', 'Amount (yuan)'],
        min: 1,
        field: 'amount_cents',
        initial: rows => sum(rows as Row[]),
      }),
      reason,
    },
    input: asking(({ amount, ...asked }) => ({ amount_cents: amount, ...asked })),
    takenBack: 'final',
  }),
  export: exportAction(calls.export, ['导出结算明细', 'Export'], at),
}
