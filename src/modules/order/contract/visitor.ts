import { z } from 'zod'
import { orderKinds, type OrderKind } from '#src/areas/order/order.ts'
import { listTypes, riskLists, type ListType, type RiskList } from '#src/areas/risk/risk.ts'
import { placed, read, write } from '#src/contract/call.ts'
import { memberFinds } from '#src/contract/finds.ts'
import {
  batchResult,
  cents,
  guarded,
  id,
  keysOf,
  lines,
  listOf,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { orderStatus } from './orderRow.ts'
import { BATCH_MAX, codeCalls, codeDetailCalls, decideCalls, orderCalls } from './shared.ts'

const reason = lines(255, 2)
const changed = z.object({ id, status: orderStatus, version })
const bound = z.object({ id, status: orderStatus, version, bound: z.boolean() })
/** Others of the same phone, device or WeChat identity: what tells a regular from a fraud. */
const relatedOrders = z.object({
  orders: z.array(
    z.object({
      id,
      order_no: z.string(),
      kind: keysOf<OrderKind>(orderKinds),
      status: orderStatus,
      title: z.string(),
      store_name: z.string(),
      paid_cents: cents,
      refunded_cents: cents,
      created_at: unix,
      by: z.array(z.enum(['phone', 'device', 'openid'])),
    }),
  ),
  sums: z.object({
    orders: z.int(),
    /** There are more than were read. */ more: z.boolean(),
    day: z.int(),
    paid_cents: cents,
    refunded_cents: cents,
    refunded: z.int(),
    frozen: z.int(),
    cancelled: z.int(),
    /** Phones on this device, and devices of this phone, its own counted. */ phones: z.int(),
    devices: z.int(),
    first_at: unix.nullable(),
  }),
  lists: z.array(
    z.object({
      list: keysOf<RiskList>(riskLists),
      type: keysOf<ListType>(listTypes),
      until_at: unix.nullable(),
    }),
  ),
  hits: z.int(),
  /** Codes sent again today by staff, of how many. */
  resent: z.int(),
  resend_max: z.int(),
  /** How giving it to a member went, the newest first. */
  binds: z.array(
    z.object({
      id,
      state: z.enum(['asked', 'bound', 'refused', 'undone']),
      name: z.string(),
      first_name: z.string(),
      second_name: z.string().nullable(),
      reason: z.string(),
      second_reason: z.string().nullable(),
      at: unix,
    }),
  ),
})
export type RelatedOrders = z.output<typeof relatedOrders>

export const visitor = {
  ...orderCalls('visitor', '游客订单', 'Visitor orders'),
  ...decideCalls('visitor'),
  resendCode: codeCalls('visitor').resendCode,
  /**
   * Members to bind it to: by phone, number or name; whoever has the phone it was ordered by comes
   * first, and is marked.
   */
  members: read('order/visitor/members', ['可绑定会员', 'Members to bind to'], {
    input: z.object({ order_id: id, keyword: searched(40).optional(), ...page }),
    output: listOf(
      z.object({
        id,
        name: z.string(),
        uid: z.string(),
        phone: guarded('member.phone', z.string()),
        same: z.boolean(),
      }),
    ),
    touches: ['order'],
    finds: memberFinds,
    scope: placed('member', { order_id: 'order' }),
    permit: 'order.visitor.bindMember',
  }),
  related: read('order/visitor/related', ['同源订单', 'Related orders'], {
    input: z.object({ id }),
    output: relatedOrders,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.visitor.view',
  }),
  /**
   * Bound at once where the phones are the same; else it is asked for, and another person must
   * agree.
   */
  bindMember: write('order/visitor/bindMember', ['绑定到会员', 'Bind to a member'], {
    input: z.object({ id, version, member_id: id, reason }),
    output: bound,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.visitor.bindMember',
  }),
  confirmBind: write('order/visitor/confirmBind', ['同意绑定', 'Approve the binding'], {
    input: z.object({ id, version, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.visitor.confirmBind',
  }),
  refuseBind: write('order/visitor/refuseBind', ['不同意绑定', 'Reject the binding'], {
    input: z.object({ id, version, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.visitor.refuseBind',
  }),
  batchFreeze: write('order/visitor/batchFreeze', ['批量冻结', 'Freeze several'], {
    input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX), reason }),
    output: batchResult,
    touches: ['order'],
    scope: placed('order', 'ids'),
    permit: 'order.visitor.batchFreeze',
  }),
}
export const visitorDetail = {
  queryPay: codeDetailCalls('visitor').queryPay,
  unbindMember: write('order/visitor/detail/unbindMember', ['撤销绑定', 'Undo the binding'], {
    input: z.object({ id, version, reason }),
    output: changed,
    touches: ['order'],
    scope: placed('order', 'id'),
    permit: 'order.visitor.detail.unbindMember',
  }),
  /** By the code that its holder reads out: staff do not get to see it. */
  verifyForStore: write(
    'order/visitor/detail/verifyForStore',
    ['平台代核销', 'Redeem for the store'],
    {
      input: z.object({ id, code: text(24, 6), store_id: id, reason }),
      output: z.object({ id, record_id: id }),
      touches: ['order'],
      scope: placed('order', 'id'),
      permit: 'order.visitor.detail.verifyForStore',
    },
  ),
}
