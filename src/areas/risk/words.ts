import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { riskLists, listTypes, riskScenes, riskActions, ruleStates, riskStates } from './risk.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  risk_list: {
    title: ['黑白名单', 'Black and white list'],
    fields: {
      list: { title: ['名单', 'List'], kind: 'enum', options: riskLists },
      value: { title: ['值', 'Value'] },
      until_at: { title: ['有效至', 'Until'], kind: 'time' },
      type: { title: ['类型', 'Type'], kind: 'enum', options: listTypes },
      phone: { title: ['手机号', 'Phone'], guard: 'member.phone' },
      status: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { on: ['生效', 'On'], removed: ['已移出', 'Taken off'] },
      },
    },
  },
  risk_rule: {
    title: ['风控规则', 'Risk rule'],
    fields: {
      scene: { title: ['场景', 'Scene'], kind: 'enum', options: riskScenes },
      condition: { title: ['条件', 'Condition'] },
      action: { title: ['动作', 'Action'], kind: 'enum', options: riskActions },
      status: { title: ['状态', 'State'], kind: 'enum', options: ruleStates },
      dry_run_days: { title: ['试跑天数', 'Days tried'], kind: 'number' },
      dry_run_orders: { title: ['会拦截的订单', 'Orders it would stop'], kind: 'number' },
      dry_run_amount_cents: { title: ['涉及金额', 'Their amount'], kind: 'money' },
    },
  },
  risk_hit: {
    title: ['风险命中', 'Risk hit'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: riskStates },
      claimed_by: { title: ['处理人', 'Claimed by'], kind: 'name', of: 'admin' },
      froze: { title: ['冻结数', 'Frozen'], kind: 'number' },
      unfrozen: { title: ['解冻数', 'Set free'], kind: 'number' },
      refunds_asked: { title: ['申请退款的订单数', 'Orders asked to be refunded'], kind: 'number' },
      report: { title: ['可疑交易报告', 'Report'] },
    },
  },
}
