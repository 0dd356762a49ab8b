import {
  batchCan,
  lineCan,
  mayAskReverse,
  mayPost,
  mayReverse,
  type BatchVerb,
  type LineVerb,
} from '#src/areas/settle/batch.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import {
  batches as calls,
  BATCHES_MOST,
  batchRow,
  lineRow,
  settleLines as lineCalls,
  type BatchRow,
  type LineRow,
  type SettleMerchantRow,
} from '#src/modules/settle/contract/detail.ts'
import { ask, to, type Me, type Told } from '../command.ts'
import { settleDetail } from '../pages/settle.ts'
import { asking, exportAction, idsOf, one, pageAction, reason, rowActions } from '../record.ts'

/** The three views of the page; one of them stands in its address. */
export const settleViews = {
  batches: ['批次', 'Batches'],
  lines: ['明细', 'Lines'],
  merchants: ['结算主体', 'Terms'],
} as const satisfies Record<string, Text>
export const settleViewActions = {
  batches: pageAction('settle.detail.batches', settleViews.batches, settleDetail, { key: '1' }),
  lines: pageAction('settle.detail.lines', settleViews.lines, settleDetail, { key: '2' }),
  merchants: pageAction('settle.detail.merchants', settleViews.merchants, settleDetail, {
    key: '3',
  }),
}
type Row = BatchRow | LineRow | SettleMerchantRow
const elsewhere: Readonly<Record<Row['kind'], Text>> = {
  batch: ['先切到批次', 'Go to the batches first'],
  line: ['先切到明细', 'Go to the lines first'],
  merchant: ['先切到结算主体', 'Go to the terms first'],
}
/** Actions of one kind of row stay away from the others, which the page shows in turn. */
export const only =
  <R extends Row>(kind: R['kind'], when: (row: R, me: Me) => true | Text) =>
  (row: R, me: Me) =>
    row.kind === kind ? when(row, me) : elsewhere[kind]
const can = (verb: BatchVerb) => only<BatchRow>('batch', row => batchCan(verb, row))
const line = (verb: LineVerb) => only<LineRow>('line', row => lineCan(verb, row))
const posting = only<BatchRow>('batch', (row, me) => mayPost(row, me.id, row.maker))
const asksReverse = only<BatchRow>('batch', row => mayAskReverse(row, row.reverse_name))
const reversing = only<BatchRow>('batch', (row, me) => mayReverse(row, me.id, row.reverse_name))
/** What a reversal comes to, for whoever asks for it and whoever checks it. */
const back = ([row]: readonly BatchRow[]): Told | undefined =>
  row && [
    [
      '从商户余额扣回 {sum} 元，{n} 条明细退回冻结中，可重新生成批次；商户余额不足则不能冲销',
      '¥{sum} is taken back from the merchant’s balance and its {n} lines return to hold; refused if the balance is too low',
    ],
    { n: row.line_count, sum: yuan(row.payable_cents ?? 0) },
    row.payable_cents,
  ]
const sum = (rows: readonly BatchRow[]): Told | undefined => {
  const cents = rows.reduce((all, row) => all + (row.payable_cents ?? 0), 0)
  return rows.length === 0
    ? undefined
    : [
        [
          '{n} 个批次，{sum} 元由冻结转入商户余额；入账后不能作废',
          '{n} in total, ¥{sum} moves to merchants’ balances; can’t be voided afterwards',
        ],
        { n: rows.length, sum: yuan(cents) },
        cents,
      ]
}

const batch = rowActions(settleDetail, batchRow)
/** What is done with batches. */
export const batchActions = {
  generate: pageAction(calls.generate, ['生成批次', 'Generate batches'], settleDetail, {
    key: 'c',
    main: true,
    asks: {
      from: ask.time({
        label: ['起始日', 'From'],
        initial: () => dayStart(unixNow()) - 7 * DAY,
      }),
      to: ask.time({
        label: ['截止日（含）', 'To (inclusive)'],
        initial: () => dayStart(unixNow()) - DAY,
        hint: [
          '冻结期在截止日结束前届满、未入批次且未人工冻结的明细进入批次',
          'Lines whose hold period has ended by then, not in a batch and not held by hand',
        ],
      }),
      merchant_ids: ask.entities({
        label: ['商户（不选则为全部）', 'Merchants (empty: all)'],
        find: calls.merchants,
        max: BATCHES_MOST,
        optional: true,
        labelOf: (of: { name: string }) => of.name,
      }),
    },
    input: (_, { from, to, merchant_ids }) => ({
      from: from!,
      to: to!,
      ...(merchant_ids?.length > 0 && { merchant_ids }),
    }),
    takenBack: 'asked',
    alias: ['结算', 'settlement run'],
  }),
  send: batch.row(calls.send, ['发送商户确认', 'Send to the merchant'], {
    key: 's',
    main: true,
    when: can('send'),
    input: one,
    takenBack: 'again',
  }),
  confirm: batch.row(calls.confirm, ['代商户确认', 'Confirm for the merchant'], {
    key: 'a',
    main: true,
    when: can('confirm'),
    asks: {
      proof: ask.images({ label: ['商户确认凭证', 'Proof of the merchant’s consent'], max: 1 }),
    },
    input: asking(({ proof }) => ({ proof: proof[0] ?? '' })),
  }),
  dispute: batch.row(calls.dispute, ['登记异议', 'Record a dispute'], {
    key: 'd',
    when: can('dispute'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  recalc: batch.row(calls.recalc, ['重算', 'Recalculate'], {
    key: 'r',
    main: 'plain',
    when: can('recalc'),
    tells: rows =>
      rows[0] && rows[0].status !== 'draft'
        ? [
            [
              '重算后回到待发送，须由商户重新确认',
              'It goes back to draft and the merchant must confirm again',
            ],
            {},
          ]
        : undefined,
    input: one,
    takenBack: 'again',
  }),
  post: batch.row(calls.post, ['入账', 'Post'], {
    key: 'p',
    main: true,
    when: posting,
    tells: sum,
    input: one,
    takenBack: 'final',
  }),
  batchPost: batch.row(calls.batchPost, ['批量入账', 'Post selected'], {
    key: 'shift+a',
    takes: 'rows',
    most: BATCHES_MOST,
    when: posting,
    tells: sum,
    input: idsOf,
    takenBack: 'final',
  }),
  void: batch.row(calls.void, ['作废', 'Void'], {
    key: 'v',
    danger: true,
    when: can('void'),
    tells: rows =>
      rows[0] && [
        [
          '{n} 条明细退出批次，可重新生成',
          'Its {n} lines leave the batch and can be batched again',
        ],
        { n: rows[0].line_count },
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  askReverse: batch.row(calls.askReverse, ['申请冲销', 'Request reversal'], {
    key: 't',
    danger: true,
    when: asksReverse,
    tells: back,
    asks: { reason },
    input: asking(asked => asked),
    alias: ['红冲', '反向批次', 'reversing batch'],
  }),
  reverse: batch.row(calls.reverse, ['复核冲销', 'Reverse'], {
    key: 'i',
    main: true,
    when: reversing,
    tells: back,
    input: one,
    takenBack: 'final',
  }),
  refuseReverse: batch.row(calls.refuseReverse, ['驳回冲销', 'Reject the reversal'], {
    key: 'o',
    danger: true,
    when: reversing,
    asks: { reason },
    input: asking(asked => asked),
  }),
  openLines: batch.row('settle.detail.openLines', ['查看明细', 'View its lines'], {
    key: 'l',
    permit: settleDetail.permit,
    when: only<BatchRow>('batch', () => true),
    to: rows => to(settleDetail, { view: 'lines', batch_id: rows[0]!.id }),
  }),
  download: batch.row(
    'settle.detail.download',
    ['结算单（打印 / 存 PDF）', 'Statement, to print or save as PDF'],
    {
      key: 'b',
      permit: calls.statement.permit,
      when: only<BatchRow>('batch', () => true),
      alias: ['下载结算单PDF', 'PDF'],
    },
  ),
  export: exportAction(calls.export, ['导出结算单', 'Export batches'], settleDetail),
}

const lines = rowActions(settleDetail, lineRow)
/** What is done with lines. */
export const settleLineActions = {
  hold: lines.row(lineCalls.hold, ['冻结明细', 'Hold'], {
    key: 'f',
    takes: 'rows',
    most: BATCHES_MOST,
    main: 'plain',
    when: line('hold'),
    tells: rows => [
      [
        '{n} 条明细不再进入批次；已在批次中的须重算',
        '{n} stay out of batches; a batch that already has them must be recalculated',
      ],
      { n: rows.length },
    ],
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  release: lines.row(lineCalls.release, ['解冻明细', 'Release'], {
    key: 'u',
    takes: 'rows',
    most: BATCHES_MOST,
    when: line('release'),
    tells: rows => [
      ['{n} 条明细过冻结期后可进入批次', '{n} may enter a batch once their hold period is over'],
      { n: rows.length },
    ],
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
}
