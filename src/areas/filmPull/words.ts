import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { pullRecordStates, pullStates } from './pull.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  film_pull_activity: {
    title: ['影票拉新活动', 'Film referral campaign'],
    fields: {
      name: { title: ['名称', 'Name'] },
      city_ids: { title: ['城市', 'Cities'], kind: 'names', of: 'city' },
      mall_ids: { title: ['商场', 'Malls'], kind: 'names', of: 'mall' },
      film_ids: { title: ['影片编号', 'Films'], kind: 'list' },
      cinema_ids: { title: ['影院编号', 'Cinemas'], kind: 'list' },
      price_cents: { title: ['新客价', 'Price'], kind: 'money' },
      subsidy_cents: { title: ['每张最多补贴', 'Subsidy at most'], kind: 'money' },
      reward_cents: { title: ['每位新客奖励', 'Reward'], kind: 'money' },
      quota: { title: ['总名额', 'Places'], kind: 'number' },
      quota_day: { title: ['每日名额', 'Places a day'], kind: 'number' },
      budget_cents: { title: ['预算', 'Budget'], kind: 'money' },
      start_at: { title: ['开始', 'From'], kind: 'time' },
      end_at: { title: ['结束', 'Until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: pullStates },
      reason: { title: ['原因', 'Reason'] },
      promoters: { title: ['新增推广人', 'Promoters added'], kind: 'number' },
      codes: { title: ['生成推广码', 'Codes made'], kind: 'number' },
    },
  },
  film_pull_record: {
    title: ['影票拉新记录', 'Film referral'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: pullRecordStates },
      reason: { title: ['原因', 'Reason'] },
      rewarded: { title: ['结算记录数', 'Rewarded'], kind: 'number' },
      amount_cents: { title: ['金额', 'Amount'], kind: 'money' },
      banned: { title: ['停用推广人', 'Banned'], kind: 'flag' },
      distributor_id: { title: ['推广人', 'Promoter'], kind: 'name', of: 'distributor' },
    },
  },
}
