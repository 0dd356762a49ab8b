import { UNBIND_S } from '#src/areas/member/visitor.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { orderRow, type OrderRow } from '#src/modules/order/contract/orderRow.ts'
import {
  visitor as calls,
  visitorDetail as detailCalls,
} from '#src/modules/order/contract/visitor.ts'
import { action, ask, type Me, inAll } from '../command.ts'
import { visitor, visitorDetail } from '../pages/order.ts'
import {
  ROWS_A_CALL,
  can,
  decideActions,
  one,
  orderActions,
  reason,
  takenIn,
  atMost,
} from './shared.ts'

const both = { at: visitor, also: [visitorDetail], on: orderRow, takes: 'row' } as const
const detail = { at: visitorDetail, on: orderRow, takes: 'row' } as const
const asked = (row: OrderRow): true | Text =>
  row.visitor?.bind ? true : ['没有待复核的绑定', 'No binding awaits approval']
const agree = (row: OrderRow, me: Me): true | Text =>
  row.visitor?.bind?.first_by === me.id
    ? ['须由申请人以外的另一人复核', 'A second person must approve']
    : asked(row)
const undo = (row: OrderRow): true | Text => {
  const may = orderCan('unbindMember', row)
  return may === true && unixNow() >= (row.claimed_at ?? 0) + UNBIND_S
    ? ['绑定超过 24 小时，不能撤销', 'Bound more than 24 hours ago']
    : may
}

export const visitorActions = {
  refund: action(calls.refund, {
    title: '发起退款',
    en: 'Refund',
    key: 'r',
    danger: true,
    main: true,
    ...both,
    tells: atMost,
    when: can('refund'),
    asks: {
      amount: ask.money({
        label: ['退款金额（元）', 'Amount (yuan)'],
        min: 1,
        field: 'amount_cents',
        initial: rows => rows[0]?.left_cents || undefined,
        hint: [
          '默认为全部可退；买单只能整单退，不能改金额',
          'Defaults to the full refundable amount; a bill can only be refunded whole',
        ],
      }),
      consent: ask.text({
        label: ['门店同意', 'Store’s consent'],
        max: 200,
        min: 2,
        optional: true,
        field: 'store_agreed',
        hint: [
          '隔日买单必填：门店何人、何时、以何种方式同意',
          'Required for a bill of an earlier day: who agreed, when and how',
        ],
      }),
      ...reason,
    },
    input: (rows, { amount, consent, reason: why }) => ({
      ...one(rows),
      // All that can go back needs no sum of its own: of a bill none may be said.
      ...(amount !== rows[0]!.left_cents && { amount_cents: amount }),
      ...(consent && { consent }),
      reason: why,
    }),
  }),
  bindMember: action(calls.bindMember, {
    title: '绑定到会员',
    en: 'Bind to a member',
    key: 'l',
    main: true,
    ...both,
    when: row =>
      row.visitor?.bind
        ? ['已有待复核的绑定', 'A binding already awaits approval']
        : orderCan('bindMember', row),
    asks: {
      member: ask.entity({
        label: ['会员', 'Member'],
        find: calls.members,
        labelOf: row => `${row.name} · ${row.phone ?? row.uid}${row.same ? ' (=)' : ''}`,
        given: rows => ({ order_id: rows[0]?.id }),
        hint: [
          '带 (=) 的与下单手机号一致，立即绑定；其他会员须另一人复核',
          'Members marked (=) have the phone used to order and are bound at once; others need a second approver',
        ],
      }),
      ...reason,
    },
    input: (rows, { member, reason: why }) => ({ ...one(rows), member_id: member, reason: why }),
  }),
  confirmBind: action(calls.confirmBind, {
    title: '同意绑定',
    en: 'Approve the binding',
    key: 'a',
    ...both,
    when: agree,
    asks: reason,
    input: (rows, answers) => ({ ...one(rows), ...answers }),
  }),
  refuseBind: action(calls.refuseBind, {
    title: '不同意绑定',
    en: 'Reject the binding',
    key: 'd',
    ...both,
    when: asked,
    asks: reason,
    input: (rows, answers) => ({ ...one(rows), ...answers }),
  }),
  resendCode: action(calls.resendCode, {
    title: '重发券码短信',
    en: 'Send the codes again',
    key: 'm',
    ...both,
    when: can('resendCode'),
    input: rows => ({ id: rows[0]!.id }),
  }),
  ...decideActions(calls, visitor, visitorDetail),
  ...orderActions(calls, visitor, visitorDetail),
  batchFreeze: action(calls.batchFreeze, {
    title: '批量冻结',
    en: 'Freeze selected',
    key: 'shift+f',
    danger: true,
    at: visitor,
    on: orderRow,
    most: ROWS_A_CALL,
    tells: inAll,
    when: can('freeze'),
    asks: reason,
    input: (rows, answers) => ({ ids: rows.map(row => row.id), ...answers }),
  }),
}
export const visitorDetailActions = {
  unbindMember: action(detailCalls.unbindMember, {
    title: '撤销绑定',
    en: 'Undo the binding',
    key: 'u',
    danger: true,
    ...detail,
    when: undo,
    asks: reason,
    input: (rows, answers) => ({ ...one(rows), ...answers }),
  }),
  verifyForStore: action(detailCalls.verifyForStore, {
    title: '平台代核销',
    en: 'Redeem for the store',
    key: 'c',
    ...detail,
    when: can('redeem'),
    asks: {
      code: ask.text({
        label: ['券码', 'Code'],
        max: 24,
        min: 6,
        hint: ['由持码人报出的 12 位数字', 'The 12 digits read out by the holder'],
      }),
      store: takenIn(calls),
      ...reason,
    },
    input: (rows, { code, store, reason: why }) => ({
      id: rows[0]!.id,
      code,
      store_id: store,
      reason: why,
    }),
  }),
  queryPay: action(detailCalls.queryPay, {
    title: '向支付渠道查单',
    en: 'Check payment status',
    key: 'q',
    ...detail,
    when: row => (row.pay_state === 'paid' ? ['已支付', 'Already paid'] : true),
    input: rows => ({ id: rows[0]!.id }),
  }),
}
