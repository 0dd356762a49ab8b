import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { segmentKinds, segmentStates } from './segment.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  segment: {
    title: ['客户分群', 'Segment'],
    fields: {
      name: { title: ['名称', 'Name'] },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: segmentKinds },
      rule: { title: ['规则', 'Rule'] },
      exclude_ids: { title: ['排除分群', 'Excluded segments'], kind: 'list' },
      status: { title: ['状态', 'State'], kind: 'enum', options: segmentStates },
      customer_count: { title: ['人数', 'People'], kind: 'number' },
      archive_reason: { title: ['归档原因', 'Archive reason'] },
      combined: { title: ['运算方式', 'Put together'] },
      mass: { title: ['群发内容', 'Text'] },
      send_at: { title: ['发送时间', 'Send time'], kind: 'time' },
      people_n: { title: ['接收人数', 'For'], kind: 'number' },
      coupon_id: { title: ['优惠券', 'Coupon'], kind: 'number' },
      quantity: { title: ['每人张数', 'For each'], kind: 'number' },
      member_id: { title: ['加入会员', 'Put on it'], kind: 'name', of: 'member' },
    },
  },
}
