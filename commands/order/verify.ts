import { reverseRefusal } from '#src/areas/order/orderVerbs.ts'
import {
  bulksVerify as bulksCalls,
  rollBuyVerify as rollCalls,
  verifyRow,
  voucherVerify as voucherCalls,
  type VerifyCalls,
  type VerifyRow,
} from '#src/modules/order/contract/verify.ts'
import { action, type Me, type Page, to, inAll } from '../command.ts'
import {
  bulksDetail,
  bulksVerify,
  rollBuyDetail,
  rollBuyVerify,
  voucherDetail,
  voucherVerify,
} from '../pages/order.ts'
import { ROWS_A_CALL, reason } from './shared.ts'

const one = (rows: readonly VerifyRow[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
// The window is the order's own and the server's to judge: here only what can be seen.
const reversible = (row: VerifyRow, me: Me) =>
  reverseRefusal(row, { now: row.verified_at, window_h: 0, admin_id: me.id, frozen: row.frozen }) ??
  true
const verifyActions = (calls: VerifyCalls, at: Page, order: Page) => ({
  openOrder: action<unknown, unknown, VerifyRow>(
    `${calls.lst.permit.replace(/\.view$/, '')}.openOrder`,
    {
      title: '打开订单',
      en: 'Open the order',
      key: 'o',
      main: true,
      at,
      on: verifyRow,
      takes: 'row',
      to: rows => to(order, { id: rows[0]!.order_id }),
    },
  ),
  reverse: action(calls.reverse, {
    title: '撤销核销',
    en: 'Reverse',
    key: 'r',
    danger: true,
    main: true,
    at,
    on: verifyRow,
    takes: 'row',
    when: reversible,
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  batchReverse: action(calls.batchReverse, {
    title: '批量撤销',
    en: 'Reverse selected',
    key: 'shift+r',
    danger: true,
    at,
    on: verifyRow,
    most: ROWS_A_CALL,
    tells: inAll,
    when: reversible,
    asks: reason,
    input: (rows, asked) => ({ ids: rows.map(row => row.id), ...asked }),
  }),
  markAbnormal: action(calls.markAbnormal, {
    title: '标记异常',
    en: 'Mark as abnormal',
    key: 'm',
    at,
    on: verifyRow,
    takes: 'row',
    when: row => (row.abnormal ? ['已标记为异常', 'Already marked'] : true),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  clearAbnormal: action(calls.clearAbnormal, {
    title: '取消异常标记',
    en: 'Clear the mark',
    key: 'shift+m',
    at,
    on: verifyRow,
    takes: 'row',
    when: row => (row.abnormal ? true : ['没有异常标记', 'Not marked']),
    input: one,
  }),
  export: action(calls.export, { title: '导出核销记录', en: 'Export', key: 'shift+e', at }),
})
export const bulksVerifyActions = {
  ...verifyActions(bulksCalls, bulksVerify, bulksDetail),
  dayReport: action<unknown, unknown, VerifyRow>('order.bulks.verify.dayReport', {
    title: '门店日汇总',
    en: 'Store’s daily total',
    key: 'd',
    at: bulksVerify,
    on: verifyRow,
    takes: 'row',
    permit: bulksCalls.dayReport.permit,
  }),
}
export const rollBuyVerifyActions = {
  ...verifyActions(rollCalls, rollBuyVerify, rollBuyDetail),
  openGroup: action<unknown, unknown, VerifyRow>('order.rollBuy.verify.openGroup', {
    title: '查看同团核销情况',
    en: 'The whole group',
    key: 't',
    at: rollBuyVerify,
    on: verifyRow,
    takes: 'row',
  }),
}
const onBill = (row: VerifyRow, me: Me) =>
  row.bill?.no ? reversible(row, me) : (['这张券没有账单号', 'It has no bill'] as const)
export const voucherVerifyActions = {
  ...verifyActions(voucherCalls, voucherVerify, voucherDetail),
  reverseBill: action(voucherCalls.reverseBill, {
    title: '撤销整单核销',
    en: 'Reverse the bill',
    key: 'b',
    danger: true,
    at: voucherVerify,
    on: verifyRow,
    takes: 'row',
    when: onBill,
    asks: reason,
    input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
  }),
  reportRisk: action(voucherCalls.reportRisk, {
    title: '提交风控',
    en: 'Report to risk control',
    key: 'a',
    at: voucherVerify,
    on: verifyRow,
    takes: 'row',
    asks: reason,
    input: (rows, asked) => ({ id: rows[0]!.id, ...asked }),
  }),
}
