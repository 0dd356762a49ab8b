import type { Text } from '#src/domain/text.ts'

/** What may stand in the timeline of a customer, each thing once whatever told of it. */
export const timelineKinds = {
  added: ['添加成员', 'Added an adviser'],
  deleted_by_customer: ['客户删除成员', 'Deleted the adviser'],
  deleted_by_staff: ['成员删除客户', 'Deleted by the adviser'],
  transferred: ['转出', 'Handed over'],
  transfer: ['转接', 'Hand-over'],
  joined: ['进群', 'Joined a chat'],
  left: ['退群', 'Left a chat'],
  note: ['跟进记录', 'Note'],
  tag: ['打标签', 'Tags'],
  remark: ['修改备注', 'Remark'],
  mass: ['收到群发', 'Got a text'],
  order: ['付款', 'Paid an order'],
  used: ['核销', 'Redeemed'],
  coupon: ['获得优惠券', 'Got a coupon'],
} as const satisfies Record<string, Text>
export type TimelineKind = keyof typeof timelineKinds
