import {
  batchCan,
  refundCan,
  refundRejects,
  returnConditions,
  type RefundVerb,
  type ReturnCondition,
} from '#src/areas/refund/refund.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { eRefund as calls } from '#src/modules/order/contract/eRefund.ts'
import { eRefundRow, type ERefundRow } from '#src/modules/order/contract/eRefundRow.ts'
import { action, ask, byKeyword, recordFinder, type Me } from '../command.ts'
import { eRefund, eRefundDetail } from '../pages/order.ts'
import { offeredRefusals } from './reasons.ts'
import { ROWS_A_CALL, sumBack } from './shared.ts'

const can =
  (verb: RefundVerb) =>
  (row: ERefundRow, me: Me): true | Text =>
    refundCan(verb, row, { id: me.id, now: unixNow() })
const one = (rows: readonly ERefundRow[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
const both = { at: eRefund, also: [eRefundDetail], on: eRefundRow, takes: 'row' } as const
const detail = { at: eRefundDetail, on: eRefundRow, takes: 'row' } as const
const why = { reason: ask.text({ label: ['原因', 'Reason'], max: 500, min: 2, lines: 3 }) }
const images = ask.images({ label: ['图片', 'Pictures'], optional: true, max: 9 })
/** Money that others must agree to as well says so before it is asked for. */
const inBatch = (row: ERefundRow, me: Me): true | Text => {
  const may = can('approve')(row, me)
  return may === true ? batchCan(row, Number.MAX_SAFE_INTEGER) : may
}

export const eRefundActions = {
  claim: action(calls.claim, {
    title: '领取',
    en: 'Claim',
    key: 'c',
    ...both,
    when: can('claim'),
    input: one,
  }),
  takeNext: action('order.eRefund.takeNext', {
    title: '领取下一条',
    en: 'Claim next',
    key: 'n',
    at: eRefund,
    permit: calls.claim.permit,
  }),
  approve: action(calls.approve, {
    title: '同意退款',
    en: 'Approve',
    key: 'a',
    main: true,
    ...both,
    tells: sumBack,
    when: can('approve'),
    input: one,
  }),
  approveReturn: action(calls.approveReturn, {
    title: '同意退货',
    en: 'Approve the return',
    key: 'b',
    main: true,
    ...both,
    when: can('approveReturn'),
    asks: {
      address: ask.entity({
        label: ['退货地址', 'Return to'],
        find: calls.addresses,
        labelOf: row => row.name,
        given: rows => ({ refund_id: rows[0]?.id }),
      }),
    },
    input: (rows, asked) => ({ ...one(rows), address_id: asked.address }),
  }),
  reject: action(calls.reject, {
    title: '拒绝',
    en: 'Reject',
    key: 'r',
    main: true,
    danger: true,
    ...both,
    when: can('reject'),
    asks: {
      why: ask.reason({
        label: ['拒绝原因（买家可见）', 'Reason (shown to the buyer)'],
        codes: refundRejects,
        from: offeredRefusals,
      }),
      images,
    },
    input: (rows, asked) => ({
      ...one(rows),
      reason_code: asked.why.code,
      reason: asked.why.text,
      images: asked.images,
    }),
  }),
  confirmReceive: action(calls.confirmReceive, {
    title: '确认收到退货',
    en: 'Confirm return',
    key: 'y',
    main: true,
    ...both,
    tells: sumBack,
    when: can('confirmReceive'),
    asks: {
      condition: ask.choice({
        label: ['商品状况', 'Condition'],
        options: returnConditions,
        hint: ['完好的重新上架库存', 'Sound goods go back into stock'],
        initial: () => 'good',
      }),
    },
    input: (rows, asked) => ({ ...one(rows), condition: asked.condition as ReturnCondition }),
  }),
  refuseReceive: action(calls.refuseReceive, {
    title: '拒收退货',
    en: 'Refuse the goods',
    key: 'shift+y',
    danger: true,
    ...both,
    when: can('refuseReceive'),
    asks: { ...why, images },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  changeAmount: action(calls.changeAmount, {
    title: '协商改金额',
    en: 'Agree on another amount',
    key: 'm',
    ...both,
    when: can('changeAmount'),
    asks: {
      amount: ask.money({
        label: ['退款金额（元）', 'Amount (yuan)'],
        min: 1,
        field: 'amount_cents',
        initial: rows => rows[0]?.amount_cents,
        hint: ['不超过可退上限', 'No more than the maximum refund'],
      }),
      consent: ask.text({
        label: ['买家同意的原话', 'The buyer’s consent, word for word'],
        max: 500,
        min: 2,
        lines: 2,
      }),
      reason: ask.text({ label: ['改金额的原因', 'Why'], max: 500, min: 2, lines: 2 }),
      images,
    },
    input: (rows, { amount, ...asked }) => ({ ...one(rows), amount_cents: amount, ...asked }),
  }),
  secondApprove: action(calls.secondApprove, {
    title: '复核通过',
    en: 'Second approval',
    key: '2',
    ...both,
    tells: sumBack,
    when: can('secondApprove'),
    input: one,
  }),
  secondReject: action(calls.secondReject, {
    title: '复核驳回',
    en: 'Second rejection',
    key: '3',
    danger: true,
    ...both,
    when: can('secondReject'),
    asks: why,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  retryPay: action(calls.retryPay, {
    title: '重试退款打款',
    en: 'Retry payment',
    key: 't',
    ...both,
    tells: sumBack,
    when: can('retryPay'),
    input: one,
  }),
  intervene: action(calls.intervene, {
    title: '平台介入',
    en: 'The platform decides',
    key: 'i',
    ...both,
    when: can('intervene'),
    asks: why,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  remark: action(calls.remark, {
    title: '添加备注',
    en: 'Add a note',
    key: 'p',
    ...both,
    when: can('remark'),
    asks: {
      text: ask.text({
        label: ['备注（仅内部可见）', 'Note (colleagues only)'],
        max: 500,
        lines: 3,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  batchApprove: action(calls.batchApprove, {
    title: '批量同意',
    en: 'Approve selected',
    key: 'shift+a',
    at: eRefund,
    on: eRefundRow,
    most: ROWS_A_CALL,
    when: inBatch,
    tells: sumBack,
    input: rows => ({ cases: rows.map(({ id, version }) => ({ id, version })) }),
  }),
  export: action(calls.export, { title: '导出售后单', en: 'Export', key: 'shift+e', at: eRefund }),
}
export const eRefundDetailActions = {
  fillReturnTracking: action(calls.fillReturnTracking, {
    title: '代填退货单号',
    en: 'Return tracking number',
    key: 'f',
    ...detail,
    when: can('fillReturnTracking'),
    asks: {
      tracking_no: ask.text({
        label: ['退货单号', 'Tracking number'],
        max: 40,
        min: 6,
        hint: ['不能与发货单号相同', 'Can’t be the number it was shipped with'],
      }),
      courier: ask.entity({
        label: ['快递公司', 'Courier'],
        optional: true,
        hint: ['留空按单号识别', 'Empty: recognised by its number'],
        find: calls.couriers,
        labelOf: row => `${row.name} ${row.sample}`,
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      ...(asked.courier !== undefined && { courier_id: asked.courier }),
      tracking_no: asked.tracking_no,
    }),
  }),
  offlinePay: action(calls.offlinePay, {
    title: '转线下打款',
    en: 'Pay by hand',
    key: 'shift+t',
    danger: true,
    ...detail,
    tells: sumBack,
    when: (row, me) => {
      const may = can('offlinePay')(row, me)
      return may === true ? row.by_hand : may
    },
    asks: {
      account: ask.text({
        label: ['收款账户', 'Account'],
        max: 120,
        min: 4,
        hint: [
          '户名、开户行与账号；须另一人复核',
          'Name, bank and account number; needs a second approver',
        ],
        field: 'offline_account',
      }),
      proof: ask.images({ label: ['打款凭证', 'Proof of payment'], max: 1 }),
      ...why,
    },
    input: (rows, { proof, ...asked }) => ({ ...one(rows), ...asked, proof: proof[0] ?? '' }),
  }),
  extendDeadline: action(calls.extendDeadline, {
    title: '延长时限',
    en: 'More time',
    key: 'e',
    ...detail,
    when: can('extendDeadline'),
    asks: {
      hours: ask.number({ label: ['延长小时数', 'Hours'], min: 1, max: 168, initial: () => 24 }),
      ...why,
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  reply: action(calls.reply, {
    title: '回复买家',
    en: 'Reply to the buyer',
    key: 'l',
    ...detail,
    when: can('reply'),
    asks: { text: ask.text({ label: ['回复内容', 'Reply'], max: 500, lines: 4 }), images },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  close: action(calls.close, {
    title: '关闭售后',
    en: 'Close the case',
    key: 'd',
    danger: true,
    ...detail,
    when: can('close'),
    asks: why,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  next: action('order.eRefund.detail.next', {
    title: '下一单',
    en: 'Next case',
    key: 'n',
    at: eRefundDetail,
  }),
}

export const cases = recordFinder({
  pages: [eRefundDetail],
  hint: ['退款单号、订单号或快递单号', 'Number of the case, its order or parcel'],
  find: calls.lst,
  asked: words => ({ ...byKeyword(words), sort: 'newest' }),
  given: row => ({ type: 'refund', id: row.id, row }),
  title: row => row.refund_no,
  more: row => [row.order_no, row.order_no],
  byId: 'refund',
})
