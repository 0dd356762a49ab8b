import { settleCycles } from '#src/areas/merchant/merchant.ts'
import { feeBearers } from '#src/areas/settle/settle.ts'
import {
  FREEZE_MOST_DAYS,
  mayCheck,
  RATE_MOST_BP,
  subMchidFault,
  subMchidOf,
} from '#src/areas/settle/settleMerchant.ts'
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import {
  settleMerchantRow,
  settleMerchants as merchantCalls,
  type SettleMerchantRow,
} from '#src/modules/settle/contract/detail.ts'
import { ask, type Told } from '../command.ts'
import { settleDetail } from '../pages/settle.ts'
import { asking, one, reason, rowActions } from '../record.ts'
import { only } from './detail.ts'

const checking = only<SettleMerchantRow>('merchant', (row, me) =>
  mayCheck({ ...row, pending_change: row.pending as never }, me.id, row.pending_name),
)
const of = rowActions(settleDetail, settleMerchantRow)
type Key = keyof SettleMerchantRow
const now =
  <K extends Key>(key: K) =>
  (rows: readonly SettleMerchantRow[]) =>
    rows[0]?.[key]
const bankText = ({ bank_holder, bank_name, bank_no = '' }: NonNullable<Pending['bank']>): string =>
  `${bank_holder} ${bank_name} ${bank_no}`.trim()
type Pending = NonNullable<SettleMerchantRow['pending']>
const agreed: Text = ['按商品约定', 'Per product']
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
    ...words(of.profit_sharing, () =>
      of.profit_sharing
        ? ['开启微信分账', 'profit sharing on']
        : ['关闭微信分账', 'profit sharing off'],
    ),
    ...words(of.sub_mchid, () => [
      `特约商户号 ${of.sub_mchid || '清空'}`,
      `number at WeChat Pay ${of.sub_mchid || 'none'}`,
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
/** A change is asked for only while no other one waits. */
const asks = only<SettleMerchantRow>(
  'merchant',
  row =>
    row.pending === null || [
      `${row.pending_name}提交的变更待复核`,
      `A change by ${row.pending_name} waits for its check`,
    ],
)
/** What is done with the terms of merchants. */
export const settleMerchantActions = {
  editMerchant: of.row(merchantCalls.editMerchant, ['修改结算主体', 'Change the terms'], {
    key: 'e',
    main: 'plain',
    when: asks,
    asks: {
      rate: ask.number({
        label: ['佣金费率（%）', 'Rate (%)'],
        min: 0,
        max: RATE_MOST_BP / 100,
        places: 2,
        optional: true,
        field: 'commission_bp',
        initial: rows => (rows[0]?.commission_bp == null ? undefined : rows[0].commission_bp / 100),
        hint: [
          '不填则按商品约定；对生效后支付的订单有效，默认次日零点',
          'Empty: per product. Applies to orders paid from the start date, tomorrow by default',
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
        label: ['最低提现', 'Min. withdrawal'],
        min: 0,
        field: 'min_withdraw_cents',
        initial: now('min_withdraw_cents'),
      }),
      bank_holder: ask.text({
        label: ['新账户名', 'New account holder'],
        max: 60,
        optional: true,
        hint: [
          '只在更换收款账户时填写；复核通过前暂停向该商户打款',
          'Only to change the account; payouts stop until it is approved',
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
  setSharing: of.row(merchantCalls.setSharing, ['修改微信分账', 'Change profit sharing'], {
    key: 'm',
    when: asks,
    asks: {
      profit_sharing: ask.flag({
        label: ['通过微信分账结算', 'Settle by WeChat profit sharing'],
        initial: now('profit_sharing'),
        hint: [
          '开启后，符合条件的订单由微信直接分账给商户，不再进入批次',
          'Eligible orders are then shared out to the merchant by WeChat Pay and enter no batch',
        ],
      }),
      sub_mchid: ask.text({
        label: ['特约商户号', 'WeChat Pay merchant no.'],
        max: 32,
        optional: true,
        initial: now('sub_mchid'),
        hint: ['微信支付 sub_mchid，8 至 10 位数字', 'sub_mchid, 8 to 10 digits'],
        check: (typed, { profit_sharing }) =>
          subMchidFault({ profit_sharing, sub_mchid: subMchidOf(typed) }),
      }),
      reason,
    },
    input: asking(asked => asked),
    alias: ['分账', '特约商户号', 'sub_mchid', 'profit sharing'],
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
