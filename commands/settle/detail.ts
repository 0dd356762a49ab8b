import { settleCycles } from '#src/areas/merchant/merchant.ts'
import {
  batchCan,
  lineCan,
  mayPost,
  type BatchVerb,
  type LineVerb,
} from '#src/areas/settle/batch.ts'
import { feeBearers } from '#src/areas/settle/settle.ts'
import { FREEZE_MOST_DAYS, mayCheck, RATE_MOST_BP } from '#src/areas/settle/settleMerchant.ts'
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import {
  batches as calls,
  BATCHES_MOST,
  batchRow,
  lineRow,
  settleLines as lineCalls,
  settleMerchantRow,
  settleMerchants as merchantCalls,
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
  batch: ['先切到批次（1）', 'Go to the batches first (1)'],
  line: ['先切到明细（2）', 'Go to the lines first (2)'],
  merchant: ['先切到结算主体（3）', 'Go to the terms first (3)'],
}
/** Actions of one kind of row stay away from the others, which the page shows in turn. */
const only =
  <R extends Row>(kind: R['kind'], when: (row: R, me: Me) => true | Text) =>
  (row: R, me: Me) =>
    row.kind === kind ? when(row, me) : elsewhere[kind]
const can = (verb: BatchVerb) => only<BatchRow>('batch', row => batchCan(verb, row))
const line = (verb: LineVerb) => only<LineRow>('line', row => lineCan(verb, row))
const posting = only<BatchRow>('batch', (row, me) => mayPost(row, me.id, row.maker))
const checking = only<SettleMerchantRow>('merchant', (row, me) =>
  mayCheck({ ...row, pending_change: row.pending as never }, me.id, row.pending_name),
)
const sum = (rows: readonly BatchRow[]): Told | undefined => {
  const cents = rows.reduce((all, row) => all + (row.payable_cents ?? 0), 0)
  return rows.length === 0
    ? undefined
    : [
        [
          '{n} 个批次，{sum} 元由冻结转入商户余额；入账后不能作废',
          '{n} in all, {sum} yuan goes to balances; it can’t be voided then',
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
        label: ['截止日（含）', 'To, that day included'],
        initial: () => dayStart(unixNow()) - DAY,
        hint: [
          '冻结期在截止日结束前届满、未入批次且未人工冻结的明细进入批次',
          'Lines whose freeze is over by then, in no batch and not held',
        ],
      }),
      merchant_ids: ask.entities({
        label: ['商户（不选则为全部）', 'Merchants, all unless some are named'],
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
    asks: { proof: ask.images({ label: ['商户确认凭证', 'Proof that it agreed'], max: 1 }) },
    input: asking(({ proof }) => ({ proof: proof[0] ?? '' })),
  }),
  dispute: batch.row(calls.dispute, ['登记异议', 'Note a dispute'], {
    key: 'd',
    when: can('dispute'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  recalc: batch.row(calls.recalc, ['重算', 'Calculate again'], {
    key: 'r',
    main: 'plain',
    when: can('recalc'),
    tells: rows =>
      rows[0] && rows[0].status !== 'draft'
        ? [
            [
              '重算后回到待发送，须由商户重新确认',
              'It is a draft then: its merchant confirms anew',
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
        ['{n} 条明细退出批次，可重新生成', 'Its {n} lines are free for another batch'],
        { n: rows[0].line_count },
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  openLines: batch.row('settle.detail.openLines', ['查看明细', 'See its lines'], {
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
        '{n} stay out of batches; a batch that has them is calculated again',
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
      ['{n} 条明细过冻结期后可进入批次', '{n} may enter a batch once their freeze is over'],
      { n: rows.length },
    ],
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
}

const of = rowActions(settleDetail, settleMerchantRow)
type Key = keyof SettleMerchantRow
const now =
  <K extends Key>(key: K) =>
  (rows: readonly SettleMerchantRow[]) =>
    rows[0]?.[key]
const bankText = ({ bank_holder, bank_name, bank_no = '' }: NonNullable<Pending['bank']>): string =>
  `${bank_holder} ${bank_name} ${bank_no}`.trim()
type Pending = NonNullable<SettleMerchantRow['pending']>
const agreed: Text = ['按商品约定', 'as each product agreed']
/** The parts of a change in words. */
export const pendingText = (of: Pending): Text[] => {
  const { commission_bp: bp, rate_from_at: at, freeze_days: days } = of
  const words = (known: unknown, text: () => Text): Text[] => (known === undefined ? [] : [text()])
  const rate = bp === null ? agreed : ([percent(bp ?? 0), percent(bp ?? 0)] as const)
  return [
    ...words(bp, () => [`费率 ${rate[0]}`, `rate ${rate[1]}`]),
    ...words(at, () => [`${dateOf(at!)} 起`, `from ${dateOf(at!)}`]),
    ...words(days, () => [`冻结 T+${days}`, `T+${days}`]),
    ...words(of.batch_cycle, () => settleCycles[of.batch_cycle!]),
    ...words(of.fee_bearer, () => [
      `手续费${feeBearers[of.fee_bearer!][0]}`,
      `fee: ${feeBearers[of.fee_bearer!][1]}`,
    ]),
    ...words(of.reserve_cents, () => [
      `留存 ${yuan(of.reserve_cents!)} 元`,
      `reserve ${yuan(of.reserve_cents!)}`,
    ]),
    ...words(of.min_withdraw_cents, () => [
      `最低提现 ${yuan(of.min_withdraw_cents!)} 元`,
      `least withdrawal ${yuan(of.min_withdraw_cents!)}`,
    ]),
    ...words(of.bank, () => [`收款账户 ${bankText(of.bank!)}`, `account ${bankText(of.bank!)}`]),
  ]
}
/** What a change comes to, for whoever checks it. */
const change = ([row]: readonly SettleMerchantRow[]): Told | undefined => {
  if (!row?.pending) return undefined
  const parts = pendingText(row.pending)
  const [zh, en] = [parts.map(one => one[0]).join('，'), parts.map(one => one[1]).join(', ')]
  return [[`{name} 提交：${zh}`, `{name} asks for: ${en}`], { name: row.pending_name }]
}
/** What is done with the terms of merchants. */
export const settleMerchantActions = {
  editMerchant: of.row(merchantCalls.editMerchant, ['修改结算主体', 'Change the terms'], {
    key: 'e',
    main: 'plain',
    when: only<SettleMerchantRow>(
      'merchant',
      row =>
        row.pending === null || [
          `${row.pending_name}提交的变更待复核`,
          `A change by ${row.pending_name} waits for its check`,
        ],
    ),
    asks: {
      rate: ask.number({
        label: ['佣金费率（%）', 'Rate (%)'],
        min: 0,
        max: RATE_MOST_BP / 100,
        optional: true,
        field: 'commission_bp',
        initial: rows => (rows[0]?.commission_bp == null ? undefined : rows[0].commission_bp / 100),
        hint: [
          '不填则按商品约定；对生效后支付的订单有效，默认次日零点',
          'As each product agreed if empty; for what is paid from its beginning, tomorrow by default',
        ],
      }),
      rate_from_at: ask.time({ label: ['新费率生效时间', 'New rate from'], optional: true }),
      freeze_days: ask.number({
        label: ['冻结天数（T+N）', 'Days on hold (T+N)'],
        min: 0,
        max: FREEZE_MOST_DAYS,
        initial: now('freeze_days'),
      }),
      batch_cycle: ask.choice({
        label: ['结算周期', 'Cycle'],
        options: settleCycles,
        initial: now('batch_cycle'),
      }),
      fee_bearer: ask.choice({
        label: ['微信手续费', 'WeChat fee'],
        options: feeBearers,
        initial: now('fee_bearer'),
      }),
      reserve: ask.money({
        label: ['留存金额', 'Reserve'],
        min: 0,
        field: 'reserve_cents',
        initial: now('reserve_cents'),
      }),
      least: ask.money({
        label: ['最低提现', 'Least withdrawal'],
        min: 0,
        field: 'min_withdraw_cents',
        initial: now('min_withdraw_cents'),
      }),
      bank_holder: ask.text({
        label: ['新账户名', 'New holder'],
        max: 60,
        optional: true,
        hint: [
          '只在更换收款账户时填写；复核通过前暂停向该商户打款',
          'To change the account only: nothing is paid out until it is checked',
        ],
      }),
      bank_name: ask.text({ label: ['新开户行', 'New bank'], max: 60, optional: true }),
      bank_no: ask.text({ label: ['新账号', 'New account'], max: 32, optional: true }),
      reason,
    },
    input: asking(
      ({ rate, rate_from_at, reserve, least, bank_holder, bank_name, bank_no, ...same }) => ({
        ...same,
        commission_bp: rate === undefined ? null : Math.round(rate * 100),
        ...(rate_from_at !== undefined && { rate_from_at }),
        reserve_cents: reserve,
        min_withdraw_cents: least,
        ...(bank_holder && { bank_holder }),
        ...(bank_name && { bank_name }),
        ...(bank_no && { bank_no }),
      }),
    ),
    alias: ['费率', '收款账户', 'rate', 'bank account'],
  }),
  approveMerchant: of.row(merchantCalls.approveMerchant, ['复核通过变更', 'Approve the change'], {
    key: 'y',
    main: true,
    when: checking,
    tells: change,
    input: one,
    takenBack: 'final',
  }),
  rejectMerchant: of.row(merchantCalls.rejectMerchant, ['驳回变更', 'Reject the change'], {
    key: 'n',
    danger: true,
    when: checking,
    tells: change,
    asks: { reason },
    input: asking(asked => asked),
  }),
}
