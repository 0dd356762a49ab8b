import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, lines, listOf, page, searched, text, unix } from '#src/contract/shapes.ts'
import {
  customerChat,
  relation,
  staffPick,
  staffState,
  timelineCall,
  transferRow,
} from '#src/contract/wecom.ts'
import { customerRow } from './weChatCustomerList.ts'

const n = z.int().min(0)
/**
 * A customer on a page of their own; `others`: advisers of malls that the person does not see
 * follow them.
 */
export const customerDetailRow = customerRow.extend({ others: z.boolean() })
export type CustomerDetailRow = z.output<typeof customerDetailRow>
const standing = z.object({
  level: n,
  growth: n,
  points: n,
  points_debt: n,
  total_paid_cents: cents,
  order_count: n,
  last_order_at: unix.nullable(),
  /** The membership that runs, or ran last; empty: there never was one. */
  card: z.string(),
  card_end_at: unix.nullable(),
  coupons_unused: n,
  coupons: z.array(
    z.object({ id, name: z.string(), status: z.string(), end_at: unix, created_at: unix }),
  ),
  orders: z.array(
    z.object({
      id,
      order_no: z.string(),
      kind: z.string(),
      status: z.string(),
      pay_cents: cents,
      created_at: unix,
    }),
  ),
})
export type Standing = z.output<typeof standing>
const rows = 'wecom_customer'
const call = callsOf('vip/weChatCustomerList/detail', { touches: [rows], rows })
const view = 'vip.weChatCustomerList.detail.view'
const picked = { ...page, keyword: searched(20).optional() }
const task = [rows, 'wecom_task'] as const

/** One customer from all sides: who follows them, what they bought, and what happened when. */
export const customerDetail = {
  facts: call.read('facts', ['企微会员客户详情', 'A customer'], {
    input: z.object({ id }),
    output: z.object({
      row: customerDetailRow,
      relations: z.array(relation),
      chats: z.array(customerChat),
      /** Null without a member, and for a customer of others. */
      standing: standing.nullable(),
      next: z.object({ at: unix, content: z.string(), by: z.string() }).nullable(),
      transfers: z.array(transferRow),
    }),
    touches: [rows, 'wecom_group', 'wecom_transfer', 'wecom_staff', 'member', 'order', 'coupon'],
    scope: placed(rows, 'id'),
    permit: view,
  }),
  timeline: timelineCall(call, view),
  /** The live relations of a customer, of advisers whom the person sees. */
  follows: call.read('follows', ['跟进成员', 'Advisers of a customer'], {
    input: z.object({ ...picked, of: id.optional() }),
    output: listOf(z.object({ id, name: z.string(), place: z.string(), status: staffState })),
    permit: view,
  }),
  receivers: call.read('receivers', ['可接收的成员', 'Colleagues who may take over'], {
    input: z.object(picked),
    output: listOf(staffPick.extend({ customer_count: n })),
    touches: ['wecom_staff'],
    scope: placed('wecom_staff'),
    permit: view,
  }),
  coupons: call.read('coupons', ['可发放的优惠券', 'Coupons to give'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), left: n })),
    touches: ['coupon'],
    scope: placed('coupon'),
    permit: view,
  }),
  remark: call.changes('remark', ['修改备注', 'Change the remark'], {
    fields: { follow_id: id, remark: text(20) },
    touches: task,
  }),
  tag: call.changes('tag', ['打标签', 'Add tags'], {
    fields: { follow_id: id, tag_ids: z.array(id).min(1).max(20) },
    touches: task,
  }),
  transfer: call.changes('transfer', ['转接给其他成员', 'Hand over'], {
    fields: {
      follow_id: id,
      to_staff_id: id,
      notice: text(200, 0).default(''),
      reason,
    },
    touches: [rows, 'wecom_staff', 'wecom_transfer'],
    scope: placed(rows, { id: rows, to_staff_id: 'wecom_staff' }),
  }),
  grantCoupon: call.changes('grantCoupon', ['发放优惠券', 'Issue a coupon'], {
    fields: { coupon_id: id, reason },
    touches: [rows, 'coupon'],
    scope: placed(rows, { id: rows, coupon_id: 'coupon' }),
  }),
  addFollow: call.changes('addFollow', ['添加跟进记录', 'Add a note'], {
    fields: { content: lines(500), next_at: unix.optional() },
  }),
  syncOne: call.changes('syncOne', ['刷新资料', 'Refresh'], { touches: task }),
}
