import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import {
  badgeGroups,
  badgeMetrics,
  badgeStates,
  ownerStates,
  rewardStates,
  sources,
} from './achievement.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  achievement: {
    title: ['成就勋章', 'Badge'],
    fields: {
      name: { title: ['名称', 'Name'] },
      group: { title: ['分组', 'Group'], kind: 'enum', options: badgeGroups },
      metric: { title: ['统计指标', 'Metric'], kind: 'enum', options: badgeMetrics },
      threshold: { title: ['门槛', 'Threshold'], kind: 'number' },
      icon_on: { title: ['点亮图标', 'Earned icon'] },
      icon_off: { title: ['未点亮图标', 'Locked icon'] },
      reward_points: { title: ['奖励积分', 'Points'], kind: 'number' },
      reward_coupon_id: { title: ['奖励优惠券', 'Coupon'], kind: 'number' },
      start_at: { title: ['开始时间', 'Starts'], kind: 'time' },
      end_at: { title: ['结束时间', 'Ends'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: badgeStates },
      off_reason: { title: ['下线原因', 'Reason offline'] },
      order: { title: ['顺序', 'Order'], kind: 'list' },
    },
  },
  member_achievement: {
    title: ['会员勋章', 'Member’s badge'],
    fields: {
      achievement_id: { title: ['勋章', 'Badge'], kind: 'number' },
      member_id: { title: ['会员', 'Member'], kind: 'number' },
      state: { title: ['状态', 'State'], kind: 'enum', options: ownerStates },
      reward_status: { title: ['奖励', 'Reward'], kind: 'enum', options: rewardStates },
      source: { title: ['来源', 'By'], kind: 'enum', options: sources },
      points: { title: ['收回积分', 'Points taken'], kind: 'number' },
      coupon: { title: ['收回优惠券', 'Coupon taken'], kind: 'flag' },
    },
  },
  achievement_count: { title: ['进度统计', 'Count of progress'], fields: {} },
}
