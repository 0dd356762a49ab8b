import { invoiceable, invoiceNoRule, isInvoiceNo } from '#src/areas/order/order.ts'
import { invoiceCan } from '#src/areas/order/orderVerbs.ts'
import { refundReasons, refundTypes, type RefundType } from '#src/areas/refund/refund.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  elist as calls,
  elistDetail as detailCalls,
  PRINT_MAX,
} from '#src/modules/order/contract/elist.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import { action, ask, to } from '../command.ts'
import { elist, elistDetail } from '../pages/order.ts'
import { offeredReasons } from './reasons.ts'
import { can, lotsAsk, one, orderActions, reason, tagAction, atMost, wasSent } from './shared.ts'
import { addressAction, sheetAction, shipAction, trackingAction } from './ship.ts'

const also = [elistDetail]
/** What the page of one order has chosen, beside the order itself. */
export type ChosenRow = OrderRow & {
  item_id?: number
  item_left?: number
  after_sale_until?: number | null
  reissue_id?: number
  after_sale_id?: number
  invoice?: OrderDetail['facts']['invoice']
}
const ofItem = (row: OrderRow): true | Text =>
  (row as ChosenRow).item_id === undefined ? ['请先选中一件商品', 'Choose an item first'] : true
/**
 * An item whose after-sale period is over is given back by staff of their own accord, if at all.
 */
const inTime = (row: OrderRow): true | Text => {
  const until = (row as ChosenRow).after_sale_until
  return until != null && unixNow() > until
    ? ['已超过售后期，不能申请售后', 'The after-sale period is over']
    : true
}
const sent = (row: OrderRow): true | Text =>
  row.shipped > 0 ? true : ['还没有发出包裹', 'No parcels shipped yet']
const back = {
  amount: ask.money({
    label: ['退款金额（元）', 'Amount (yuan)'],
    min: 1,
    optional: true,
    field: 'amount_cents',
    hint: [
      '留空退所选商品的全部分摊；未发货的整单连运费',
      'Empty: the goods’ full share, plus freight if nothing was shipped',
    ],
  }),
  keep: ask.text({
    label: ['无需退回的原因', 'Why no return is needed'],
    max: 120,
    min: 2,
    optional: true,
    shown: (_, rows) => wasSent(rows),
    hint: [
      '已发货的商品必填；要退回请用“代客申请售后”',
      'Required for shipped goods; to have them returned, open a case',
    ],
  }),
  fault: ask.flag({ label: ['平台责任，运费一并退还', 'Platform’s fault: refund freight too'] }),
  ...reason,
}
const given = ({
  amount,
  keep,
  fault,
  reason: why,
}: {
  amount: number
  keep: string
  fault: boolean
  reason: string
}) => ({
  ...(amount && { amount_cents: amount }),
  ...(keep && { keep }),
  ...(fault && { fault }),
  reason: why,
})

export const elistActions = {
  ship: shipAction(calls, elist),
  batchShip: sheetAction(calls, elist),
  splitShip: action(calls.splitShip, {
    title: '拆单发货',
    en: 'Ship in parcels',
    key: 'd',
    at: elist,
    also,
    on: orderRow,
    takes: 'row',
    when: row => {
      const may = can('ship')(row)
      if (may !== true) return may
      const left = row.qty - row.shipped - row.refunded - row.refunding
      return left > 1 || ['只剩一件，不需要拆', 'Only one unit is left']
    },
  }),
  editTracking: trackingAction(calls, elist),
  editAddress: addressAction(calls, elist),
  adjustPrice: action(calls.adjustPrice, {
    title: '改价',
    en: 'Change the price',
    key: 'p',
    at: elist,
    also,
    on: orderRow,
    takes: 'row',
    when: can('adjustPrice'),
    asks: {
      way: ask.choice({
        label: ['方式', 'How'],
        options: { less: ['优惠', 'Discount'], more: ['加价', 'Surcharge'] },
        initial: () => 'less',
      }),
      cents: ask.money({
        label: ['金额（元）', 'Amount (yuan)'],
        min: 1,
        field: 'adjust_cents',
        hint: ['每单只能改一次，分摊到各商品', 'Once per order; spread over its items'],
      }),
      ...reason,
    },
    input: (rows, asked) => ({
      ...one(rows),
      adjust_cents: asked.way === 'more' ? asked.cents : -asked.cents,
      reason: asked.reason,
    }),
  }),
  refund: action(calls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    main: true,
    at: elist,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: { items: lotsAsk(calls.lots), ...back },
    input: (rows, { items, ...asked }) => ({
      ...one(rows),
      ...(items?.length && { items: items.map(item => ({ id: item })) }),
      ...given(asked),
    }),
  }),
  confirmReceive: action(calls.confirmReceive, {
    title: '确认收货',
    en: 'Confirm receipt',
    key: 'c',
    at: elist,
    also,
    on: orderRow,
    takes: 'row',
    when: can('confirmReceive'),
    asks: reason,
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  extendReceive: action(calls.extendReceive, {
    title: '延长收货',
    en: 'Extend receipt period',
    key: 'e',
    at: elist,
    also,
    on: orderRow,
    takes: 'row',
    when: can('extendReceive'),
    asks: {
      days: ask.number({ label: ['延长天数', 'Days'], min: 1, max: 15, initial: () => 3 }),
      ...reason,
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  ...tagAction(calls, elist, elistDetail),
  printWaybill: action(calls.printWaybill, {
    title: '打印面单',
    en: 'Print waybills',
    key: 'i',
    at: elist,
    also,
    on: orderRow,
    takes: 'row',
    when: can('print'),
    alias: ['电子面单', 'label'],
    input: rows => ({ id: rows[0]!.id }),
  }),
  batchPrint: action(calls.batchPrint, {
    title: '批量打印配货单',
    en: 'Print picking lists',
    key: 'shift+i',
    at: elist,
    on: orderRow,
    most: PRINT_MAX,
    when: can('ship'),
    alias: ['拣货', 'picking'],
    input: rows => ({ ids: rows.map(row => row.id) }),
  }),
  ...orderActions(calls, elist, elistDetail),
}
const counted = ask.number({
  label: ['件数', 'How many'],
  min: 1,
  max: 9999,
  initial: rows => (rows as ChosenRow[])[0]?.item_left ?? 1,
})
export const elistDetailActions = {
  ship: shipAction(detailCalls, elistDetail),
  editTracking: trackingAction(detailCalls, elistDetail),
  refreshTrack: action(detailCalls.refreshTrack, {
    title: '刷新物流',
    en: 'Refresh tracking',
    key: 'l',
    at: elistDetail,
    on: orderRow,
    takes: 'row',
    when: sent,
    input: rows => ({ id: rows[0]!.id }),
  }),
  editAddress: addressAction(detailCalls, elistDetail),
  refund: action(detailCalls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    main: true,
    at: elistDetail,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: {
      qty: ask.number({
        label: ['退几件', 'How many'],
        min: 1,
        max: 9999,
        optional: true,
        hint: [
          '先选中商品再按件退；留空退选中商品的全部，未选中则退全单',
          'Choose an item first to refund by unit; empty: all of that item, or the whole order if none is chosen',
        ],
        initial: rows => (rows as ChosenRow[])[0]?.item_left,
      }),
      ...back,
    },
    input: (rows, { qty, ...asked }) => {
      const { item_id, item_left } = rows[0] as ChosenRow
      return {
        ...one(rows),
        ...(item_id !== undefined && { items: [{ id: item_id, qty: qty ?? item_left ?? 1 }] }),
        ...given(asked),
      }
    },
  }),
  createAfterSale: action(detailCalls.createAfterSale, {
    title: '代客申请售后',
    en: 'Open a case for the buyer',
    key: 'f',
    main: true,
    at: elistDetail,
    on: orderRow,
    takes: 'row',
    when: row => {
      const may = can('refund')(row)
      const chosen = may === true ? ofItem(row) : may
      return chosen === true ? inTime(row) : chosen
    },
    asks: {
      type: ask.choice({
        label: ['类型', 'Type'],
        options: refundTypes,
        initial: rows =>
          ((rows as ChosenRow[])[0]?.shipped ?? 0) > 0 ? 'return_refund' : 'refund_only',
      }),
      qty: counted,
      why: ask.reason({
        label: ['原因', 'Reason'],
        codes: refundReasons,
        from: offeredReasons,
      }),
      images: ask.images({ label: ['凭证', 'Evidence'], optional: true, max: 9 }),
    },
    input: (rows, { type, qty, why, images }) => ({
      ...one(rows),
      item_id: (rows[0] as ChosenRow).item_id!,
      qty,
      type: type as RefundType,
      reason_code: why.code,
      reason: why.text,
      ...(images?.length && { images }),
    }),
  }),
  invoice: action(detailCalls.invoice, {
    title: '登记开票',
    en: 'Enter the invoice',
    key: 'u',
    at: elistDetail,
    on: orderRow,
    takes: 'row',
    alias: ['发票', 'invoice'],
    when: row => invoiceCan(row, (row as ChosenRow).invoice ?? null),
    tells: ([row]) => {
      const cents = row ? invoiceable(row) : 0
      return [
        ['开票金额 ¥{cents}（实付减已退）', 'Invoice amount ¥{cents} (paid less refunded)'],
        { cents: yuan(cents) },
        cents,
      ]
    },
    asks: {
      no: ask.text({
        label: ['发票号', 'Invoice number'],
        max: 40,
        min: 8,
        check: typed => (isInvoiceNo(typed) ? undefined : invoiceNoRule),
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  reissue: action(detailCalls.reissue, {
    title: '补发',
    en: 'Reship',
    key: 'm',
    at: elistDetail,
    on: orderRow,
    takes: 'row',
    when: row => {
      const may = sent(row)
      return may === true ? ofItem(row) : may
    },
    asks: { qty: counted, ...reason },
    input: (rows, { qty, reason: why }) => ({
      ...one(rows),
      items: [{ id: (rows[0] as ChosenRow).item_id!, qty }],
      reason: why,
    }),
  }),
  queryPay: action(detailCalls.queryPay, {
    title: '向支付渠道查单',
    en: 'Check payment status',
    key: 'q',
    at: elistDetail,
    on: orderRow,
    takes: 'row',
    when: row => (row.pay_state === 'paid' ? ['已支付', 'Already paid'] : true),
    input: rows => ({ id: rows[0]!.id }),
  }),
  openReissue: action('order.elist.Detail.openReissue', {
    title: '打开补发订单',
    en: 'Open the reshipment',
    key: 'o',
    at: elistDetail,
    on: orderRow,
    takes: 'row',
    when: row =>
      (row as ChosenRow).reissue_id === undefined
        ? ['没有关联的补发订单', 'No linked reshipment']
        : true,
    to: rows => to(elistDetail, { id: (rows[0] as ChosenRow).reissue_id! }),
  }),
}
