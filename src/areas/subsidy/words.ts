import { limitKinds } from '#src/areas/limit/rule.ts'
import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { formulas, planStates, scopeKinds } from './subsidy.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  subsidy_plan: {
    title: ['补贴计划', 'Subsidy plan'],
    fields: {
      name: { title: ['名称', 'Name'] },
      scope_kind: { title: ['范围', 'Scope'], kind: 'enum', options: scopeKinds },
      scope_ids: { title: ['范围编号', 'IDs of the scope'], kind: 'list' },
      product_kind: { title: ['商品类型', 'Product kinds'], kind: 'enum', options: limitKinds },
      levels: { title: ['会员等级', 'Levels'], kind: 'list' },
      formula: { title: ['补贴方式', 'How'], kind: 'enum', options: formulas },
      unit_cents: { title: ['每件金额', 'Amount of a unit'], kind: 'money' },
      percent_bp: { title: ['补贴比例', 'Percent'], kind: 'percent' },
      cap_cents: { title: ['每件最多', 'Max. per unit'], kind: 'money' },
      zero_price: { title: ['允许补到 0 元', 'Price may drop to ¥0'], kind: 'flag' },
      platform_bp: { title: ['平台承担', 'The platform’s share'], kind: 'percent' },
      mall_bp: { title: ['商场承担', 'The mall’s share'], kind: 'percent' },
      merchant_bp: { title: ['商户承担', 'The merchants’ share'], kind: 'percent' },
      mall_id: { title: ['出资商场', 'Funding mall'], kind: 'name', of: 'mall' },
      budget_cents: { title: ['总预算', 'Budget'], kind: 'money' },
      day_budget_cents: { title: ['每日预算', 'Daily budget'], kind: 'money' },
      per_member_day_cents: { title: ['每人每日上限', 'Daily limit per member'], kind: 'money' },
      per_member_count: { title: ['每人可用次数', 'Uses per member'], kind: 'number' },
      stackable: { title: ['可叠加', 'Stacks'], kind: 'flag' },
      priority: { title: ['优先级', 'Priority'], kind: 'number' },
      warn_bp: { title: ['用量预警', 'Warns at'], kind: 'percent' },
      start_at: { title: ['开始', 'From'], kind: 'time' },
      end_at: { title: ['结束', 'Until'], kind: 'time' },
      status: { title: ['状态', 'State'], kind: 'enum', options: planStates },
      reason: { title: ['原因', 'Reason'] },
    },
  },
  subsidy_log: {
    title: ['补贴记录', 'Subsidy log row'],
    fields: {
      flagged: { title: ['标记可疑', 'Flagged'], kind: 'flag' },
      amount_cents: { title: ['追回金额', 'Claimed back'], kind: 'money' },
    },
  },
}
