import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import {
  voucher as calls,
  voucherDetail as detailCalls,
} from '#src/modules/order/contract/voucher.ts'
import { action, ask } from '../command.ts'
import { voucher, voucherDetail } from '../pages/order.ts'
import {
  can,
  codeActions,
  codeViewActions,
  decideActions,
  one,
  orderActions,
  reason,
  refundAll,
  takenIn,
  atMost,
} from './shared.ts'

/** What was chosen on the page of the order. */
type Row = OrderRow & { code_ids?: number[]; verify_id?: number; bill_cents?: number }
const chosen = (rows: readonly OrderRow[]) => rows[0] as Row
const needsUse = (row: OrderRow) =>
  (row as Row).verify_id === undefined
    ? (['请先选中一条核销记录', 'Choose a redemption first'] as const)
    : true
const consent = {
  consent: ask.text({
    label: ['持有人同意', 'Holder’s consent'],
    max: 200,
    min: 2,
    optional: true,
    hint: ['券已转赠并被领取时必填', 'Required if it was given away'],
  }),
}

export const voucherActions = {
  refund: refundAll(calls, voucher),
  reportRisk: action(calls.reportRisk, {
    title: '提交风控',
    en: 'Report to risk control',
    key: 'a',
    at: voucher,
    also: [voucherDetail],
    on: orderRow,
    takes: 'row',
    when: row => (row.pay_state === 'paid' ? true : ['订单未付款', 'Not paid']),
    asks: reason,
    input: (rows, answers) => ({ ...one(rows), ...answers }),
  }),
  ...codeActions(calls, voucher, voucherDetail),
  ...decideActions(calls, voucher, voucherDetail),
  ...orderActions(calls, voucher, voucherDetail),
}
export const voucherDetailActions = {
  refund: action(detailCalls.refund, {
    title: '退所选券码',
    en: 'Refund selected codes',
    key: 'r',
    danger: true,
    main: true,
    at: voucherDetail,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: { ...consent, ...reason },
    input: (rows, { consent: agreed, reason: why }) => {
      const { code_ids } = chosen(rows)
      return {
        ...one(rows),
        ...(code_ids?.length && { code_ids }),
        ...(agreed && { consent: agreed }),
        reason: why,
      }
    },
  }),
  verifyForStore: action(detailCalls.verifyForStore, {
    title: '平台代核销',
    en: 'Redeem for the store',
    key: 'c',
    main: true,
    at: voucherDetail,
    on: orderRow,
    takes: 'row',
    when: row => {
      const may = orderCan('redeem', row)
      if (may !== true) return may
      return Boolean((row as Row).code_ids?.length) || ['请先选中券码', 'Choose codes first']
    },
    asks: {
      store: takenIn(calls),
      bill: ask.money({ label: ['账单金额', 'Bill'], min: 1, field: 'bill_cents' }),
      bill_no: ask.text({
        label: ['账单号', 'Bill no.'],
        max: 32,
        optional: true,
        hint: [
          '收银小票或桌台单号；留空由平台编号',
          'Number of the slip or table; empty: numbered by the platform',
        ],
      }),
      ...reason,
    },
    input: (rows, { store, bill, bill_no, reason: why }) => ({
      id: rows[0]!.id,
      code_ids: chosen(rows).code_ids!,
      store_id: store,
      bill_cents: bill,
      ...(bill_no && { bill_no }),
      reason: why,
    }),
  }),
  reverseVerify: action(detailCalls.reverseVerify, {
    title: '撤销核销',
    en: 'Reverse a redemption',
    key: 'shift+c',
    danger: true,
    at: voucherDetail,
    on: orderRow,
    takes: 'row',
    when: needsUse,
    asks: {
      whole_bill: ask.flag({
        label: ['连同账单上其他券一起撤销', 'Together with the other vouchers on its bill'],
        initial: () => false,
      }),
      ...reason,
    },
    input: (rows, answers) => ({ id: rows[0]!.id, verify_id: chosen(rows).verify_id!, ...answers }),
  }),
  fixBill: action(detailCalls.fixBill, {
    title: '更正账单金额',
    en: 'Correct the bill',
    key: 'shift+b',
    at: voucherDetail,
    on: orderRow,
    takes: 'row',
    when: needsUse,
    asks: {
      bill: ask.money({
        label: ['账单金额', 'Bill'],
        min: 1,
        field: 'bill_cents',
        hint: [
          '仅限结算前；不改变结算金额',
          'Before settlement only; the settled amount stays the same',
        ],
      }),
      ...reason,
    },
    input: (rows, { bill, reason: why }) => ({
      id: rows[0]!.id,
      verify_id: chosen(rows).verify_id!,
      was_cents: chosen(rows).bill_cents ?? 0,
      bill_cents: bill,
      reason: why,
    }),
  }),
  ...codeViewActions(detailCalls, calls, voucherDetail),
}
