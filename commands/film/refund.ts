import { BATCH_MAX } from '#src/areas/audit/audit.ts'
import { filmRefundCan, type FilmRefundVerb } from '#src/areas/filmRefund/filmRefund.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  filmRefundRow,
  filmRefunds as calls,
  type FilmRefundRow as Row,
} from '#src/modules/film/contract/refund.ts'
import { ask, byAccount, type Me, type Told } from '../command.ts'
import { filmRefundPage } from '../pages/film.ts'
import { tasksOf, words } from '../queue.ts'
import { asking, exportAction, one, rowActions } from '../record.ts'

const can =
  (verb: FilmRefundVerb) =>
  (row: Row, me: Me): true | Text =>
    filmRefundCan(verb, row, { id: me.id, now: unixNow() })
/** What a second person must see by itself is not agreed to among others. */
const inBatch = (row: Row, me: Me): true | Text => {
  if (row.state === 'second_audit' || row.after_settled)
    return ['须逐单复审', 'A second person decides it by itself']
  return can('approve')(row, me)
}
const sum = (rows: readonly Row[], key: 'amount_cents' | 'loss_cents') =>
  rows.reduce((all, row) => all + row[key], 0)
/** What leaves, and what the house loses by it, before anybody agrees. */
const agrees = (rows: readonly Row[]): Told => {
  const [cents, loss] = [sum(rows, 'amount_cents'), sum(rows, 'loss_cents')]
  const returns = rows.some(row => row.returnable && row.provider_state === 'none')
  return [
    returns
      ? [
          '{n} 单，退 ¥{cents}；渠道退票后亏损 ¥{loss}，渠道拒绝则亏损 ¥{most}',
          '{n}: ¥{cents} go back; ¥{loss} are lost once the provider returns its part, ¥{most} if it refuses',
        ]
      : ['{n} 单，退 ¥{cents}，亏损 ¥{loss}', '{n}: ¥{cents} go back, ¥{loss} are lost'],
    { n: rows.length, cents: yuan(cents), loss: yuan(loss), most: yuan(cents) },
    cents,
    { exactly: true, facts: rows.length === 1 && rows[0] ? factsOf(rows[0]) : [] },
  ]
}
const factsOf = (row: Row): [Text, string][] => [
  [['影片', 'Film'], row.film_name],
  [['影院', 'Cinema'], row.cinema_name],
  [['座位', 'Seats'], row.seats],
]
const why = ask.text({ ...words, max: 255, label: ['原因', 'Why'] })
const { row } = rowActions<Row>(filmRefundPage, filmRefundRow)

/** What service and finance do with film tickets that go back. */
export const filmRefundActions = {
  approve: row(calls.approve, ['同意退款', 'Approve'], {
    key: 'a',
    main: true,
    when: can('approve'),
    tells: agrees,
    input: one,
    takenBack: 'final',
  }),
  reject: row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    danger: true,
    main: 'plain',
    when: can('reject'),
    asks: {
      reason: ask.text({
        ...words,
        max: 255,
        label: ['驳回原因（用户可见）', 'Reason (shown to the buyer)'],
      }),
    },
    input: asking(asked => asked),
  }),
  editAmount: row(calls.editAmount, ['调整退款金额', 'Change the amount'], {
    key: 'm',
    when: can('editAmount'),
    asks: {
      amount_cents: ask.money({
        label: ['退款金额', 'Amount'],
        min: 1,
        initial: rows => (rows[0] as Row | undefined)?.amount_cents,
      }),
      reason: why,
    },
    input: asking(asked => asked),
  }),
  retry: row(calls.retry, ['重试退款', 'Retry payment'], {
    key: 't',
    main: true,
    when: can('retry'),
    tells: agrees,
    input: one,
    takenBack: 'final',
  }),
  confirmProvider: row(calls.confirmProvider, ['登记渠道退票结果', 'Write down the return'], {
    key: 'p',
    when: can('confirmProvider'),
    asks: {
      cost_return_cents: ask.money({
        label: ['渠道退回金额', 'Given back by the provider'],
        min: 0,
        initial: rows => (rows[0] as Row | undefined)?.give_back_cents,
        hint: ['渠道拒绝退票填 0', '0 where it refuses'],
      }),
    },
    input: asking(asked => asked),
  }),
  assign: row(calls.assign, ['指派', 'Assign'], {
    key: 's',
    when: can('assign'),
    asks: {
      admin_id: ask.entity({
        label: ['处理人', 'Assign to'],
        find: calls.people,
        by: byAccount,
        labelOf: person => `${person.name} ${person.account}`,
      }),
    },
    input: asking(asked => asked),
  }),
  batchApprove: row(calls.batchApprove, ['批量同意', 'Approve selected'], {
    key: 'shift+a',
    takes: 'rows',
    most: BATCH_MAX,
    when: inBatch,
    tells: agrees,
    input: tasksOf,
    takenBack: 'final',
  }),
  export: exportAction(calls.export, ['导出退款单', 'Export'], filmRefundPage),
}
