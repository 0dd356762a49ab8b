import { orderCan } from '#src/areas/order/orderVerbs.ts'
import {
  batchCan,
  isOpen,
  refundCan,
  refundRejects,
  type RefundVerb,
} from '#src/areas/refund/refund.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { combo as calls, comboDetail as detailCalls } from '#src/modules/order/contract/combo.ts'
import {
  comboCaseRow,
  comboRefund as caseCalls,
  type ComboCaseRow,
} from '#src/modules/order/contract/comboRefund.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import { action, ask, to, type Me } from '../command.ts'
import { combo, comboDetail, comboRefund } from '../pages/order.ts'
import { offeredRefusals } from './reasons.ts'
import { ROWS_A_CALL, can, one, orderActions, reason, sumBack, takenIn, atMost } from './shared.ts'
import { shipAction } from './ship.ts'

/** What was chosen on the page of an order: lanes, a code, a redemption. */
type Row = OrderRow & {
  item_ids?: readonly number[]
  item_id?: number
  code_id?: number
  verify_id?: number
}
const chosen = (rows: readonly OrderRow[]) => rows[0] as Row
const exception = ask.flag({
  label: ['作为政策例外（须另一人复核）', 'Policy exception (needs a second approver)'],
  initial: () => false,
})
const until = ask.time({
  label: ['新的有效期', 'Valid until'],
  hint: [
    '只能延长，最多到商品有效期后 365 天',
    'Can only be extended, to at most 365 days past the product’s end',
  ],
  initial: rows => {
    const [row] = rows as OrderRow[]
    return row?.valid_until ? row.valid_until + 30 * DAY : undefined
  },
})
const both = { at: combo, also: [comboDetail], on: orderRow, takes: 'row' } as const
const detail = { at: comboDetail, on: orderRow, takes: 'row' } as const
/** What forbids a verb of the order, else that nothing of it is chosen. */
const chosenFor = (
  verb: Parameters<typeof orderCan>[0],
  row: OrderRow,
  what: unknown,
  lack: Text,
) => {
  const may = orderCan(verb, row)
  return may === true ? Boolean(what) || lack : may
}
const lanes = (row: OrderRow): true | Text =>
  chosenFor('refund', row, (row as Row).item_ids?.length, [
    '请先选中要退的子项',
    'Choose the parts first',
  ])

export const comboActions = {
  ship: shipAction(calls, combo),
  refund: action(calls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    main: true,
    at: combo,
    on: orderRow,
    takes: 'row',
    tells: atMost,
    when: can('refund'),
    asks: {
      parts: ask.entities({
        label: ['退哪些子项', 'Which parts'],
        optional: true,
        max: 20,
        find: calls.parts,
        labelOf: row => `${row.name} · ${row.store_name}`,
        given: rows => ({ order_id: rows[0]?.id }),
        hint: ['留空退全部未使用、未发货的子项', 'Empty: all that was neither used nor shipped'],
      }),
      exception,
      ...reason,
    },
    input: (rows, { parts, exception: override, reason: why }) => ({
      ...one(rows),
      ...(parts?.length && { parts }),
      override,
      reason: why,
    }),
  }),
  extendValidity: action(calls.extendValidity, {
    title: '延长有效期',
    en: 'Extend validity',
    key: 'e',
    ...both,
    when: can('extendValidity'),
    asks: { until, ...reason },
    input: (rows, asked) => ({ ...one(rows), until: asked.until!, reason: asked.reason }),
  }),
  resendCode: action(calls.resendCode, {
    title: '重发券码',
    en: 'Send codes again',
    key: 'm',
    ...both,
    when: can('resendCode'),
    input: rows => ({ id: rows[0]!.id }),
  }),
  ...orderActions(calls, combo, comboDetail),
}
export const comboDetailActions = {
  refund: action(detailCalls.refund, {
    title: '退所选部分',
    en: 'Refund selected parts',
    key: 'r',
    danger: true,
    main: true,
    ...detail,
    tells: atMost,
    when: lanes,
    asks: { exception, ...reason },
    input: (rows, { exception: override, reason: why }) => ({
      ...one(rows),
      items: [...chosen(rows).item_ids!],
      override,
      reason: why,
    }),
  }),
  refundAll: action(detailCalls.refundAll, {
    title: '整单退款',
    en: 'Refund all',
    key: 'shift+r',
    danger: true,
    ...detail,
    tells: atMost,
    when: can('refund'),
    asks: {
      reason: ask.text({
        label: ['原因', 'Reason'],
        max: 255,
        min: 2,
        lines: 2,
        hint: [
          '已使用或已发货的子项按分摊扣除，并须另一人复核',
          'Used or shipped parts are deducted at their share; needs a second approver',
        ],
      }),
    },
    input: (rows, answers) => ({ ...one(rows), ...answers }),
  }),
  ship: shipAction(detailCalls, comboDetail),
  replacePart: action(detailCalls.replacePart, {
    title: '更换子项',
    en: 'Replace a part',
    key: 't',
    ...detail,
    when: row =>
      chosenFor('refund', row, (row as Row).item_id, ['请先选中一个子项', 'Choose one part first']),
    asks: {
      product: ask.entity({
        label: ['换成', 'For'],
        find: detailCalls.replacements,
        labelOf: row =>
          `${row.name} · ¥${(row.price_cents / 100).toFixed(2)} · ${row.merchant_name}`,
        given: rows => ({ order_id: rows[0]?.id, item_id: chosen(rows as OrderRow[])?.item_id }),
        hint: [
          '同城等价或更贵的商品，不另收费；分摊金额不变，原券码作废',
          'Same city, same price or higher, no extra charge; its share stays, old codes are void',
        ],
      }),
      ...reason,
    },
    input: (rows, { product, reason: why }) => ({
      ...one(rows),
      item_id: chosen(rows).item_id!,
      product_id: product,
      reason: why,
    }),
  }),
  verifyForStore: action(detailCalls.verifyForStore, {
    title: '平台代核销',
    en: 'Redeem for the store',
    key: 'c',
    ...detail,
    when: row =>
      chosenFor('redeem', row, (row as Row).code_id, ['请先选中一个券码', 'Choose a code first']),
    asks: {
      store: takenIn(calls),
      times: ask.number({ label: ['次数', 'Uses'], min: 1, max: 9999, initial: () => 1 }),
      ...reason,
    },
    input: (rows, asked) => ({
      id: rows[0]!.id,
      code_id: chosen(rows).code_id!,
      store_id: asked.store,
      times: asked.times,
      reason: asked.reason,
    }),
  }),
  reverseVerify: action(detailCalls.reverseVerify, {
    title: '撤销核销',
    en: 'Reverse a redemption',
    key: 'shift+c',
    danger: true,
    ...detail,
    when: row =>
      (row as Row).verify_id === undefined
        ? ['请先选中一条核销记录', 'Choose a redemption first']
        : true,
    asks: reason,
    input: (rows, asked) => ({ id: rows[0]!.id, verify_id: chosen(rows).verify_id!, ...asked }),
  }),
}

const mayCase =
  (verb: RefundVerb) =>
  (row: ComboCaseRow, me: Me): true | Text =>
    refundCan(verb, row, { id: me.id, now: unixNow() })
/** What the policy forbids is not agreed to in one word. */
const byPolicy =
  (verb: 'approve' | 'secondApprove') =>
  (row: ComboCaseRow, me: Me): true | Text => {
    const may = mayCase(verb)(row, me)
    return may === true && row.refused && isOpen(row.state) ? row.refused : may
  }
const inBatch = (row: ComboCaseRow, me: Me): true | Text => {
  const may = byPolicy('approve')(row, me)
  if (may !== true) return may
  if (row.figures.used_cents > 0 || row.parts_used > 0)
    return ['有子项已使用，须逐单处理', 'A part was used: decide it individually']
  return batchCan(
    { type: row.type, shipped: false, amount_cents: row.amount_cents },
    Number.MAX_SAFE_INTEGER,
  )
}
const version = (rows: readonly ComboCaseRow[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
/** The sums on screen go with the decision: where they are others by then, it is asked again. */
const seen = (rows: readonly ComboCaseRow[]) => ({ ...version(rows), seen: rows[0]!.figures })
const why = { reason: ask.text({ label: ['原因', 'Reason'], max: 500, min: 2, lines: 3 }) }
const queue = { at: comboRefund, on: comboCaseRow, takes: 'row' } as const
type Chosen = ComboCaseRow & { item_ids?: readonly number[] }
export const comboRefundActions = {
  claim: action(caseCalls.claim, {
    title: '领取',
    en: 'Claim',
    key: 'c',
    ...queue,
    when: mayCase('claim'),
    input: version,
  }),
  takeNext: action('order.combo.refund.takeNext', {
    title: '领取下一条',
    en: 'Claim next',
    key: 'n',
    at: comboRefund,
    permit: caseCalls.claim.permit,
  }),
  approve: action(caseCalls.approve, {
    title: '同意退款',
    en: 'Approve',
    key: 'a',
    main: true,
    ...queue,
    tells: sumBack,
    when: byPolicy('approve'),
    input: seen,
  }),
  approvePartial: action(caseCalls.approvePartial, {
    title: '部分同意',
    en: 'Approve some parts',
    key: 'p',
    main: true,
    ...queue,
    tells: sumBack,
    when: mayCase('approvePartial'),
    asks: { exception, ...why },
    input: (rows, { exception: override, reason: text }) => ({
      ...seen(rows),
      items: [...((rows[0] as Chosen).item_ids ?? [])],
      override,
      reason: text,
    }),
  }),
  reject: action(caseCalls.reject, {
    title: '拒绝',
    en: 'Reject',
    key: 'r',
    main: true,
    danger: true,
    ...queue,
    when: mayCase('reject'),
    asks: {
      why: ask.reason({
        label: ['拒绝原因（买家可见）', 'Reason (shown to the buyer)'],
        codes: refundRejects,
        from: offeredRefusals,
      }),
    },
    input: (rows, asked) => ({
      ...version(rows),
      reason_code: asked.why.code,
      reason: asked.why.text,
    }),
  }),
  secondApprove: action(caseCalls.secondApprove, {
    title: '复核通过',
    en: 'Second approval',
    key: '2',
    ...queue,
    tells: sumBack,
    when: byPolicy('secondApprove'),
    input: seen,
  }),
  secondReject: action(caseCalls.secondReject, {
    title: '复核驳回',
    en: 'Second rejection',
    key: '3',
    danger: true,
    ...queue,
    when: mayCase('secondReject'),
    asks: why,
    input: (rows, asked) => ({ ...version(rows), ...asked }),
  }),
  retryPay: action(caseCalls.retryPay, {
    title: '重试退款打款',
    en: 'Retry payment',
    key: 't',
    ...queue,
    tells: sumBack,
    when: mayCase('retryPay'),
    input: version,
  }),
  batchApprove: action(caseCalls.batchApprove, {
    title: '批量同意',
    en: 'Approve selected',
    key: 'shift+a',
    at: comboRefund,
    on: comboCaseRow,
    most: ROWS_A_CALL,
    when: inBatch,
    tells: sumBack,
    input: rows => ({
      cases: rows.map(row => ({ id: row.id, version: row.version, seen: row.figures })),
    }),
  }),
  remark: action(caseCalls.remark, {
    title: '添加备注',
    en: 'Add a note',
    key: 'b',
    ...queue,
    when: mayCase('remark'),
    asks: {
      text: ask.text({
        label: ['备注（仅内部可见）', 'Note (colleagues only)'],
        max: 500,
        lines: 3,
      }),
    },
    input: (rows, asked) => ({ ...version(rows), ...asked }),
  }),
  openOrder: action('order.combo.refund.openOrder', {
    title: '打开订单',
    en: 'Open the order',
    key: 'o',
    ...queue,
    to: rows => to(comboDetail, { id: rows[0]!.order_id }),
  }),
  export: action(caseCalls.export, {
    title: '导出组合退款',
    en: 'Export',
    key: 'shift+e',
    at: comboRefund,
  }),
}
