import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { adjustStates, groupStates, inviteStates, sellerKinds, sellerStates } from './sellers.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  distributor: {
    title: ['分销员', 'Distributor'],
    fields: {
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: sellerKinds },
      name: { title: ['姓名', 'Name'] },
      phone: { title: ['手机号', 'Phone'], guard: 'distributor.phone' },
      level_no: { title: ['等级', 'Level'], kind: 'number' },
      group_id: { title: ['团队', 'Team'], kind: 'name', of: 'dist_group' },
      is_leader: { title: ['团长', 'Leader'], kind: 'flag' },
      store_id: { title: ['门店', 'Store'], kind: 'name', of: 'store' },
      wecom_userid: { title: ['企微成员', 'WeCom member'] },
      plus_bp: { title: ['额外加成', 'On top'], kind: 'percent' },
      rate_bp: { title: ['专属比例', 'Rate of its own'], kind: 'percent' },
      product_ids: { title: ['可分销商品', 'What it may sell'], kind: 'list' },
      paused: { title: ['暂停分销', 'Paused'], kind: 'flag' },
      quitting: { title: ['等待清退', 'Waiting to quit'], kind: 'flag' },
      poster_of: { title: ['海报商品', 'Poster of'], kind: 'name', of: 'product' },
      moves_at: { title: ['团队调整生效', 'Changes teams at'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: sellerStates },
      reason: { title: ['原因', 'Reason'] },
    },
  },
  dist_adjust: {
    title: ['佣金调整', 'Adjustment of commission'],
    fields: {
      amount_cents: { title: ['金额', 'Amount'], kind: 'money' },
      state: { title: ['状态', 'State'], kind: 'enum', options: adjustStates },
      reject_reason: { title: ['驳回原因', 'Why rejected'] },
      reason: { title: ['原因', 'Reason'] },
    },
  },
  dist_invite: {
    title: ['达人邀请', 'Invitation'],
    fields: {
      name: { title: ['姓名', 'Name'] },
      phone: { title: ['手机号', 'Phone'], guard: 'distributor.phone' },
      level_no: { title: ['等级', 'Level'], kind: 'number' },
      group_id: { title: ['团队', 'Team'], kind: 'name', of: 'dist_group' },
      plus_bp: { title: ['额外加成', 'On top'], kind: 'percent' },
      expire_at: { title: ['失效时间', 'Until'], kind: 'time' },
      sms_count: { title: ['短信次数', 'Messages sent'], kind: 'number' },
      status: { title: ['状态', 'State'], kind: 'enum', options: inviteStates },
      reason: { title: ['原因', 'Reason'] },
    },
  },
  dist_group: {
    title: ['分销团队', 'Team'],
    fields: {
      name: { title: ['名称', 'Name'] },
      leader_bp: { title: ['团长奖励', 'Leader’s bonus'], kind: 'percent' },
      member_limit: { title: ['人数上限', 'Members at most'], kind: 'number' },
      targets: { title: ['月度目标', 'Targets'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: groupStates },
      reason: { title: ['原因', 'Reason'] },
    },
  },
}
