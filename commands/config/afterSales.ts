import {
  ANSWER_MAX_H,
  AUTO_MAX_CENTS,
  daysFault,
  DEFAULT_CATEGORY,
  freightPayers,
  LATE_MAX_BP,
  LATE_MAX_CENTS,
  LAW_DAYS,
  PHOTOS_MAX,
  policyId,
  RETURN_MAX_DAYS,
} from '#src/areas/afterSalePolicy/policy.ts'
import { faults, reasonTypes, type ReasonType } from '#src/areas/afterSalePolicy/reason.ts'
import { callableFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import {
  addressRow,
  afterSaleAddresses as addressCalls,
  afterSaleReasons as reasonCalls,
  afterSales as calls,
  policyRow,
  reasonRow,
  type AddressRow,
  type PolicyRow,
  type ReasonRow,
} from '#src/modules/config/contract/afterSales.ts'
import { ask, called } from '../command.ts'
import { afterSales } from '../pages/config.ts'
import {
  arrangeAction,
  asking,
  formOf,
  idOf,
  one,
  pageAction,
  reason,
  rowActions,
  type Arranged,
} from '../record.ts'

/** The page has three lists; an action takes the rows of one of them. */
const aPolicy: Text = ['请在“政策”中选择一行', 'Choose one among the policies']
const aReason: Text = ['请在“原因”中选择一行', 'Choose one among the reasons']
const anAddress: Text = ['请在“退货地址”中选择一行', 'Choose one among the addresses']
const isPolicy = (row: PolicyRow): true | Text => 'no_reason_days' in row || aPolicy
const isReason = (row: ReasonRow): true | Text => 'need_evidence' in row || aReason
const isAddress = (row: AddressRow): true | Text => 'merchant_id' in row || anAddress
const policy = rowActions(afterSales, policyRow)
const cause = rowActions(afterSales, reasonRow)
called(reasonRow, of => of.text)
const address = rowActions(afterSales, addressRow)

const policyForm = formOf(
  {
    no_reason_days: ask.number({
      label: ['无理由退货（天）', 'Return without a reason, days'],
      min: 0,
      max: RETURN_MAX_DAYS,
      hint: [
        `0–${RETURN_MAX_DAYS}，豁免分类外不少于法定 ${LAW_DAYS} 天；只影响之后的订单`,
        `0–${RETURN_MAX_DAYS}, the law’s ${LAW_DAYS} at least unless exempt; for later orders`,
      ],
      check: (days, { exempt }: { exempt?: boolean }) =>
        daysFault({ no_reason_days: days, exempt: exempt ?? false }, DEFAULT_CATEGORY + 1),
    }),
    exempt: ask.flag({ label: ['不适用七天无理由', 'Exempt from the seven days'] }),
    freight_payer: ask.choice({
      label: ['无理由退货运费', 'No-reason return freight'],
      options: freightPayers,
    }),
    evidence_photos: ask.number({
      label: ['凭证照片（张）', 'Pictures as evidence'],
      min: 1,
      max: PHOTOS_MAX,
      hint: ['收货后仅退款至少提供几张', 'Of a refund without a return, once received'],
    }),
    merchant_h: ask.number({
      label: ['商家处理时限（小时）', 'Merchant answers within, h'],
      min: 1,
      max: ANSWER_MAX_H,
      hint: ['从申请起，须短于平台时限', 'From the application; shorter than the platform’s'],
      check: (hours, { platform_h }: { platform_h?: number }) =>
        platform_h === undefined || hours < platform_h
          ? undefined
          : ['须短于平台时限', 'It must be shorter than the platform’s'],
    }),
    platform_h: ask.number({
      label: ['平台处理时限（小时）', 'Platform answers within, h'],
      min: 1,
      max: ANSWER_MAX_H,
    }),
    auto_agree_cents: ask.money({
      label: ['自动同意上限', 'Auto-approve up to'],
      min: 0,
      max: AUTO_MAX_CENTS,
      hint: [
        '未发货的仅退款，商家逾期未处理时；不能高于你的退款额度',
        'Unanswered refunds of unsent goods; never above your own limit',
      ],
    }),
    late_day_bp: ask.number({
      label: ['逾期发货每日赔付（%）', 'Due for each late day, %'],
      min: 0,
      max: LATE_MAX_BP / 100,
      places: 2,
      hint: ['占商品实付的比例；0 为不赔付', 'Of what was paid for the goods; 0: none'],
      initial: (rows: readonly PolicyRow[]) => rows[0] && rows[0].late_day_bp / 100,
    }),
    late_max_cents: ask.money({
      label: ['逾期赔付上限', 'Due at most'],
      min: 0,
      max: LATE_MAX_CENTS,
    }),
    reason: { ...reason, initial: () => undefined },
  },
  ({ late_day_bp, exempt, ...asked }) => ({
    ...asked,
    exempt: exempt ?? false,
    late_day_bp: Math.round(late_day_bp * 100),
  }),
)
const reasonForm = formOf(
  {
    text: ask.text({ label: ['原因', 'Reason'], min: 2, max: 64 }),
    fault: ask.choice({ label: ['责任方', 'At fault'], options: faults }),
    need_evidence: ask.flag({ label: ['须提供凭证', 'Evidence is needed'] }),
  },
  ({ text, fault, need_evidence }) => ({ text, fault, need_evidence: need_evidence ?? false }),
)
const addressForm = formOf(
  {
    name: ask.text({ label: ['收件人', 'Name'], max: 32 }),
    phone: ask.text({ label: ['电话', 'Phone'], max: 20, check: callableFault }),
    area: ask.text({ label: ['地区', 'Area'], max: 64, region: { level: 'district' } }),
    address: ask.text({ label: ['街道门牌', 'Street and number'], min: 2, max: 128 }),
  },
  asked => asked,
)

export type ReasonsArranged = Arranged & { type: ReasonType }
export const afterSalesActions = {
  savePolicy: policy.row(calls.savePolicy, ['编辑政策', 'Edit the policy'], {
    key: 'e',
    main: true,
    when: isPolicy,
    asks: policyForm.asks,
    input: asking(policyForm.input),
  }),
  setFastRefund: policy.row(calls.setFastRefund, ['设置极速退款', 'Set fast refunds'], {
    key: 'f',
    when: isPolicy,
    asks: {
      score: ask.number({
        label: ['买家信用分不低于', 'Buyer’s score at least'],
        min: 0,
        max: 100,
        hint: [
          '近一年付款订单中未退款的占比；不足 3 单为 0 分',
          'Of a year’s paid orders the share without a refund, in percent; below 3 orders: 0',
        ],
        initial: rows => rows[0]?.fast_score,
      }),
      limit_cents: ask.money({
        label: ['极速退款上限', 'Fast refund up to'],
        min: 0,
        max: AUTO_MAX_CENTS,
        hint: ['不高于自动同意上限；0 为关闭', 'Not above what is agreed to by itself; 0: off'],
        initial: rows => rows[0]?.fast_limit_cents,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  inherit: policy.row(calls.inherit, ['沿用上级政策', 'Follow the one above'], {
    key: 'u',
    danger: true,
    when: row => {
      if (isPolicy(row) !== true) return aPolicy
      if (row.id === policyId(DEFAULT_CATEGORY))
        return ['默认政策没有上级', 'Nothing stands above the default']
      return row.own || ['已沿用上级', 'It follows the one above']
    },
    asks: { reason },
    input: asking(asked => asked),
  }),
  rollback: policy.row(calls.rollback, ['回滚到历史版本', 'Go back to a version'], {
    key: 'b',
    danger: true,
    when: row => {
      if (isPolicy(row) !== true) return aPolicy
      return row.version > 1 || ['还没有历史版本', 'It has no earlier version']
    },
    asks: {
      to: ask.entity({
        label: ['版本', 'Version'],
        find: calls.history,
        given: rows => ({ ...idOf(rows), old: true }),
        labelOf: ({ name }: { name: string }) => name,
      }),
      reason,
    },
    input: asking(({ to, reason: why }) => ({ to, reason: why })),
  }),
  simulate: policy.row('config.afterSales.simulate', ['试算适用政策', 'Try the policy'], {
    key: 't',
    permit: calls.simulate.permit,
    when: isPolicy,
    asks: {
      order_no: ask.text({
        label: ['订单号', 'Order number'],
        max: 40,
        optional: true,
        hint: [
          '填写后按该订单下单时的政策逐件试算；留空试算该分类',
          'Each of its goods by the policy of its day of sale; empty: the category, sold now',
        ],
      }),
    },
  }),
  history: policy.row('config.afterSales.history', ['查看变更历史', 'History of versions'], {
    key: 'v',
    permit: calls.history.permit,
    when: isPolicy,
  }),
  addReason: pageAction(reasonCalls.addReason, ['新增原因', 'New reason'], afterSales, {
    key: 'c',
    main: true,
    asks: {
      type: ask.choice({ label: ['用途', 'For'], options: reasonTypes }),
      ...reasonForm.asks,
    },
    input: (_, { type, ...asked }) => ({ type, ...reasonForm.input(asked) }),
  }),
  editReason: cause.row(reasonCalls.editReason, ['编辑原因', 'Edit the reason'], {
    key: 'shift+e',
    when: isReason,
    asks: reasonForm.asks,
    input: asking(reasonForm.input),
  }),
  sortReasons: arrangeAction(
    reasonCalls.sortReasons,
    ['调整原因顺序', 'Arrange the reasons'],
    afterSales,
    ({ type }: ReasonsArranged) => ({ type }),
  ),
  enableReason: cause.row(reasonCalls.enableReason, ['启用', 'Enable'], {
    key: 'o',
    takenBack: 'opposite',
    when: row => {
      if (isReason(row) !== true) return aReason
      return row.status === 'off' || ['已启用', 'It is enabled']
    },
    input: one,
  }),
  disableReason: cause.disable(reasonCalls.disableReason, {
    key: 'd',
    when: row => {
      if (isReason(row) !== true) return aReason
      return row.status === 'on' || ['已停用', 'It is disabled']
    },
  }),
  addAddress: pageAction(addressCalls.addAddress, ['添加退货地址', 'Add an address'], afterSales, {
    key: 'a',
    main: true,
    asks: {
      merchant_id: ask.entity({
        label: ['商户', 'Merchant'],
        find: addressCalls.merchants,
        labelOf: ({ name }: { name: string }) => name,
      }),
      ...addressForm.asks,
    },
    input: (_, asked) => asked,
  }),
  editAddress: address.row(addressCalls.editAddress, ['编辑退货地址', 'Edit the address'], {
    key: 'shift+a',
    when: isAddress,
    asks: addressForm.asks,
    input: asking(addressForm.input),
  }),
  setDefaultAddress: address.row(addressCalls.setDefaultAddress, ['设为默认', 'Make default'], {
    key: 'm',
    takenBack: 'opposite',
    when: row => {
      if (isAddress(row) !== true) return anAddress
      return !row.is_default || ['已是默认地址', 'It is the default']
    },
    input: one,
  }),
  delAddress: address.del(addressCalls.delAddress, ['删除退货地址', 'Delete the address'], {
    when: row => {
      if (isAddress(row) !== true) return anAddress
      return !row.is_default || ['默认地址不能删除', 'The default can’t be deleted']
    },
  }),
}
