import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { commissionKinds, commissionStates, distributedStates } from './commission.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  dist_commission: {
    title: ['佣金', 'Commission'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: commissionStates },
      held: { title: ['暂缓结算', 'Held'], kind: 'flag' },
      reason: { title: ['原因', 'Reason'] },
      reversed_cents: { title: ['已扣回', 'Taken back'], kind: 'money' },
    },
  },
  dist_product: {
    title: ['分销商品', 'Distributed goods'],
    fields: {
      commission_kind: { title: ['计佣方式', 'Kind'], kind: 'enum', options: commissionKinds },
      rate_bp: { title: ['佣金比例', 'Rate'], kind: 'percent' },
      fixed_cents: { title: ['固定佣金', 'Fixed amount'], kind: 'money' },
      level_plus: { title: ['等级加成', 'By level'] },
      leader_bp: { title: ['团长奖励', 'Leader’s bonus'], kind: 'percent' },
      guide_bp: { title: ['导购奖励', 'Guide’s bonus'], kind: 'percent' },
      start_at: { title: ['开始时间', 'From'], kind: 'time' },
      end_at: { title: ['结束时间', 'Until'], kind: 'time' },
      sort: { title: ['排序', 'Place'], kind: 'number' },
      waiver: { title: ['分账上限豁免', 'Ceiling waived'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: distributedStates },
      reason: { title: ['原因', 'Reason'] },
    },
  },
}
