import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { accountStates, adjustKinds, adjustStates, sanctionKinds } from './member.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  member: {
    title: ['会员', 'Member'],
    fields: {
      nickname: { title: ['昵称', 'Nickname'] },
      level: { title: ['等级', 'Level'], kind: 'number' },
      level_keep_until: { title: ['等级保留至', 'Level kept until'], kind: 'time' },
      tags: { title: ['标签', 'Tags'] },
      coupon: { title: ['优惠券', 'Coupon'] },
      quantity: { title: ['张数', 'Pieces'], kind: 'number' },
      benefits_frozen: { title: ['权益冻结', 'Benefits frozen'], kind: 'flag' },
      benefits_reason: { title: ['冻结原因', 'Why frozen'] },
      account_state: { title: ['账号状态', 'Account'], kind: 'enum', options: accountStates },
      phone: { title: ['手机号', 'Phone'], guard: 'member.phone' },
      data_copy: { title: ['个人信息副本行数', 'Lines of the data copy'], kind: 'number' },
      signed_out: { title: ['强制下线', 'Signed out'], kind: 'flag' },
      bound: { title: ['绑定微信', 'WeChat bound'], kind: 'flag' },
      avatar: { title: ['头像', 'Picture'] },
      sanction: { title: ['处罚', 'Sanction'], kind: 'enum', options: sanctionKinds },
      until: { title: ['截止', 'Until'], kind: 'time' },
      merged_into: { title: ['并入会员', 'Merged into'], kind: 'name', of: 'member' },
    },
  },
  member_adjust: {
    title: ['会员调整', 'Adjustment of a member'],
    fields: {
      member_id: { title: ['会员', 'Member'], kind: 'name', of: 'member' },
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: adjustKinds },
      delta: { title: ['数量', 'Amount'], kind: 'number' },
      state: { title: ['状态', 'State'], kind: 'enum', options: adjustStates },
      reason: { title: ['原因', 'Reason'] },
      reject_reason: { title: ['驳回原因', 'Reject reason'] },
    },
  },
}
