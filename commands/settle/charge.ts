import {
  CHARGE_MAX_CENTS,
  chargeCan,
  chargeKinds,
  writtenKinds,
  type ChargeDirection,
  type ChargeKind,
  type ChargeVerb,
} from '#src/areas/fund/fund.ts'
import { yuan } from '#src/domain/money.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { chargeRow, charges as calls, type ChargeRow } from '#src/modules/settle/contract/charge.ts'
import { ask, type Me, type Told } from '../command.ts'
import { chargePage } from '../pages/settle.ts'
import { words } from '../queue.ts'
import { asking, exportAction, one, pageAction, rowActions } from '../record.ts'

type Row = ChargeRow
const can = (verb: ChargeVerb) => (row: Row, me: Me) => chargeCan(verb, row, me.id)
const owing = (row: Row, me: Me): true | Text => {
  const may = can('remind')(row, me)
  if (may !== true) return may
  return row.owes_cents > 0 || ['欠款已还清', 'Nothing is owed']
}
/** What posting does: of money out, what the owner lacks becomes debt. */
const posts = ([row]: readonly Row[]): Told | undefined => {
  if (!row) return undefined
  const of = { amount: yuan(row.amount_cents), has: yuan(row.has_cents) }
  if (row.would_owe_cents > 0)
    return [
      [
        '扣 ¥{amount}：余额 ¥{has} 扣至 0，其余 ¥{debt} 记为商户欠款',
        '¥{amount}: the balance of ¥{has} falls to 0 and ¥{debt} becomes debt',
      ],
      { ...of, debt: yuan(row.would_owe_cents) },
      row.amount_cents,
    ]
  return row.direction === 'in'
    ? [['入账 ¥{amount}', '¥{amount} will be credited'], of, row.amount_cents]
    : [
        ['扣 ¥{amount}，现有余额 ¥{has}', '¥{amount} will be taken from the balance of ¥{has}'],
        of,
        row.amount_cents,
      ]
}
/** What taking it back does: of money in, what was spent since becomes debt. */
const undoes = ([row]: readonly Row[]): Told | undefined => {
  if (!row) return undefined
  const lacks = row.direction === 'in' ? Math.max(0, row.amount_cents - row.has_cents) : 0
  return lacks > 0
    ? [
        [
          '冲销 ¥{amount}：对方只剩 ¥{has}，其余 ¥{debt} 记为欠款',
          'Reverses ¥{amount}: only ¥{has} is left, so ¥{debt} becomes debt',
        ],
        { amount: yuan(row.amount_cents), has: yuan(row.has_cents), debt: yuan(lacks) },
      ]
    : [['冲销 ¥{amount}', 'Reverses ¥{amount}'], { amount: yuan(row.amount_cents) }]
}
/** A deposit goes back as it was paid in, once another person agrees. */
const goesBack = ([row]: readonly Row[]): Told | undefined =>
  row && [
    [
      '退还保证金 ¥{amount}，另一人复核后付出',
      'A deposit of ¥{amount}, paid out once a second person approves',
    ],
    { amount: yuan(row.amount_cents) },
    row.amount_cents,
  ]
const { row } = rowActions<Row>(chargePage, chargeRow)
const why = { reason: ask.text({ ...words, max: 200, label: ['原因', 'Reason'] }) }
const reasoned = asking((asked: { reason: string }) => asked)
const kinds = (direction: ChargeDirection) =>
  ask.choice({
    label: ['类型', 'Kind'],
    options: Object.fromEntries(
      writtenKinds(direction).map(kind => [kind, chargeKinds[kind]]),
    ) as Record<ChargeKind, Text>,
  })
type Standing = { name: string; has_cents: number; owes_cents: number }
/** An owner with what they have, so that whoever charges them sees what they lack. */
const labelOf = ({ name, has_cents, owes_cents }: Standing, lang: Lang): string =>
  [
    name,
    say(['余额 ¥{sum}', 'balance ¥{sum}'], lang, { sum: yuan(has_cents) }),
    ...(owes_cents > 0 ? [say(['欠 ¥{sum}', 'owes ¥{sum}'], lang, { sum: yuan(owes_cents) })] : []),
  ].join(' · ')
const merchantAsk = (shown?: (answers: Record<string, unknown>) => boolean) =>
  ask.entity({
    label: ['商户', 'Merchant'],
    find: calls.merchants,
    labelOf,
    by: ['名称、商户号或编号', 'name or number'],
    ...(shown && { shown }),
  })
const amount = ask.money({
  label: ['金额（元）', 'Amount (yuan)'],
  min: 1,
  max: CHARGE_MAX_CENTS,
  field: 'amount_cents',
})
const ofMall = (answers: Record<string, unknown>): boolean =>
  answers['kind'] === 'subsidy_fund' || answers['owner'] === 'mall'

/** What is done with money in and out that is no sale. */
export const chargeActions = {
  createIn: pageAction(calls.createIn, ['登记充值', 'Record top-up'], chargePage, {
    key: 'c',
    main: true,
    asks: {
      kind: kinds('in'),
      owner: ask.choice({
        label: ['充值对象', 'For'],
        options: { merchant: ['商户', 'Merchant'], mall: ['商场', 'Mall'] },
        initial: () => 'merchant',
        shown: answers => answers.kind === 'recharge',
      }),
      merchant: merchantAsk(answers => !ofMall(answers)),
      mall: ask.entity({
        label: ['商场', 'Mall'],
        find: calls.malls,
        labelOf,
        shown: answers => ofMall(answers),
      }),
      amount,
      bank: ask.text({ label: ['银行', 'Bank'], max: 60 }),
      bank_flow_no: ask.text({ label: ['银行流水号', 'Bank reference'], max: 40 }),
      proof: ask.images({ label: ['回单凭证', 'Bank slip'], max: 1, optional: true }),
      memo: ask.text({ label: ['摘要', 'Memo'], max: 200 }),
    },
    input: (_, asked) => {
      const isMall = ofMall(asked)
      return {
        kind: asked.kind,
        owner_kind: isMall ? ('mall' as const) : ('merchant' as const),
        owner_id: isMall ? asked.mall : asked.merchant,
        amount_cents: asked.amount,
        bank: asked.bank,
        bank_flow_no: asked.bank_flow_no,
        proof: asked.proof?.[0] ?? '',
        memo: asked.memo,
      }
    },
  }),
  createOut: pageAction(calls.createOut, ['登记扣费', 'Record charge'], chargePage, {
    key: 'shift+c',
    main: 'plain',
    asks: {
      kind: kinds('out'),
      merchant: merchantAsk(),
      amount: {
        ...amount,
        hint: [
          '超过余额的部分在复核入账时记为商户欠款',
          'Anything beyond the balance becomes debt once approved',
        ],
      },
      memo: ask.text({ label: ['原因', 'Reason'], max: 200, min: 2, lines: 2, field: 'memo' }),
    },
    input: (_, asked) => ({
      kind: asked.kind,
      owner_id: asked.merchant,
      amount_cents: asked.amount,
      memo: asked.memo,
    }),
  }),
  approve: row(calls.approve, ['复核通过', 'Approve'], {
    key: 'a',
    main: true,
    when: can('approve'),
    tells: posts,
    input: one,
    takenBack: 'final',
  }),
  reject: row(calls.reject, ['驳回', 'Reject'], {
    key: 'r',
    danger: true,
    main: true,
    when: can('reject'),
    asks: why,
    input: reasoned,
  }),
  reverse: row(calls.reverse, ['冲销', 'Reverse'], {
    key: 'd',
    danger: true,
    when: can('reverse'),
    tells: undoes,
    asks: why,
    input: reasoned,
  }),
  remind: row(calls.remind, ['催缴欠款', 'Remind'], {
    key: 'm',
    when: owing,
    input: one,
  }),
  refundDeposit: row(calls.refundDeposit, ['退还保证金', 'Refund the deposit'], {
    key: 'b',
    when: can('refundDeposit'),
    tells: goesBack,
    asks: why,
    input: reasoned,
  }),
  import: pageAction(calls.import, ['导入银行回单', 'Import bank slips'], chargePage, {
    key: 'i',
    alias: ['导入', 'Excel', 'CSV', '模板', 'template'],
  }),
  export: exportAction(calls.export, ['导出充值与扣费', 'Export charges'], chargePage),
}
