import { BATCH_MAX } from '#src/areas/audit/audit.ts'
import { receiverRoles, splitCan, type SplitVerb } from '#src/areas/split/split.ts'
import { yuan } from '#src/domain/money.ts'
import { countEn } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  splitOrders as calls,
  splitRow,
  type SplitRow,
} from '#src/modules/distribution/contract/splitOrders.ts'
import { ask, type Told } from '../command.ts'
import { splitPage } from '../pages/distribution.ts'
import { tasksOf, words } from '../queue.ts'
import { asking, exportAction, one, rowActions } from '../record.ts'

type Row = SplitRow
type Receiver = Row['receivers'][number]
const can = (verb: SplitVerb) => (row: Row) => splitCan(verb, row, unixNow())
const left = (of: Receiver) => (of.amount_cents ?? 0) - (of.returned_cents ?? 0)
const given = (status: Receiver['status']) => (rows: readonly Row[]) => ({
  id: rows[0]?.id,
  status,
})
/** The receiver that a question begins with: the first that can be meant. */
const first = (fits: (of: Receiver) => boolean) => (rows: readonly Row[]) =>
  rows[0]?.receivers.find(fits)
const hasFailed = (of: Receiver) => of.status === 'failed'
const givesBack = (of: Receiver) =>
  of.status === 'done' && (of.role === 'merchant' || of.role === 'platform') && left(of) > 0
const labelOf = (of: Receiver) => `${receiverRoles[of.role][0]} ${of.name} · ¥${yuan(left(of))}`
const why = ask.text({ ...words, max: 200, label: ['原因', 'Reason'] })
/** What is asked of the channel once more, of several their sum. */
const again = (rows: readonly Row[]): Told => {
  const cents = rows
    .flatMap(row => row.receivers.filter(hasFailed))
    .reduce((sum, of) => sum + (of.amount_cents ?? 0), 0)
  return [
    ['{n} 笔，重新分账 ¥{cents}', `${countEn(rows.length, 'split')}, ¥{cents} asked for again`],
    { n: rows.length, cents: yuan(cents) },
    cents,
  ]
}
/** What goes to the merchant for good. */
const rest = (rows: readonly Row[]): Told => {
  const cents = rows
    .flatMap(row => row.receivers.filter(of => of.status !== 'done'))
    .reduce((sum, of) => sum + (of.amount_cents ?? 0), 0)
  return [
    [
      '¥{cents} 解冻给商户，此后不能再分账；其中属于他人的部分记为商户欠款',
      '¥{cents} is unfrozen to the merchant and can’t be shared again; amounts due to others become the merchant’s debt',
    ],
    { cents: yuan(cents) },
    cents,
  ]
}
const { row } = rowActions<Row>(splitPage, splitRow)

/** What finance does with the sharing of orders' money. */
export const splitActions = {
  retry: row(calls.retry, ['重试分账', 'Retry split'], {
    key: 't',
    main: true,
    when: can('retry'),
    tells: again,
    input: one,
    takenBack: 'final',
  }),
  skipReceiver: row(calls.skipReceiver, ['跳过接收方', 'Skip a receiver'], {
    key: 's',
    main: 'plain',
    danger: true,
    when: can('skip'),
    asks: {
      receiver_id: ask.entity({
        label: ['接收方', 'Receiver'],
        find: calls.receivers,
        given: given('failed'),
        labelOf,
        initial: rows => first(hasFailed)(rows)?.id,
        named: rows => {
          const of = first(hasFailed)(rows)
          return of && labelOf(of)
        },
        hint: ['其份额转入余额，由提现付出', 'Its share goes to its balance instead'],
      }),
      reason: why,
    },
    input: asking(asked => asked),
  }),
  unfreeze: row(calls.unfreeze, ['解冻剩余资金', 'Unfreeze the rest'], {
    key: 'u',
    danger: true,
    when: can('unfreeze'),
    tells: rest,
    asks: { reason: why },
    input: asking(asked => asked),
  }),
  returnSplit: row(calls.returnSplit, ['分账回退', 'Return a share'], {
    key: 'b',
    danger: true,
    when: of => {
      const may = can('giveBack')(of)
      if (may !== true) return may
      return (
        of.receivers.some(givesBack) || [
          '没有可回退的接收方：个人接收方不支持回退',
          'No receiver can return a share: individuals can’t',
        ]
      )
    },
    asks: {
      receiver_id: ask.entity({
        label: ['接收方', 'Receiver'],
        find: calls.receivers,
        given: given('done'),
        labelOf,
        initial: rows => first(givesBack)(rows)?.id,
        named: rows => {
          const of = first(givesBack)(rows)
          return of && labelOf(of)
        },
      }),
      amount_cents: ask.money({
        label: ['回退金额', 'Amount'],
        min: 1,
        initial: rows => {
          const of = first(givesBack)(rows)
          return of && left(of)
        },
      }),
      reason: why,
    },
    input: asking(asked => asked),
  }),
  syncResult: row(calls.syncResult, ['查询渠道结果', 'Check with the channel'], {
    key: 'q',
    when: can('sync'),
    input: one,
    takenBack: 'again',
  }),
  batchRetry: row(calls.batchRetry, ['批量重试', 'Retry selected'], {
    key: 'shift+t',
    takes: 'rows',
    most: BATCH_MAX,
    when: can('retry'),
    tells: again,
    input: tasksOf,
    takenBack: 'final',
  }),
  export: exportAction(calls.export, ['导出分账单', 'Export splits'], splitPage),
}
