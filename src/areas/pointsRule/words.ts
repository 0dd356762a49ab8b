import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { ruleStates } from './rule.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  points_rule: {
    title: ['积分规则', 'Points rule'],
    fields: {
      name: { title: ['名称', 'Name'] },
      config: { title: ['规则内容', 'What it says'] },
      daily_cap: { title: ['每日上限', 'A day, at most'], kind: 'number' },
      total_cap: { title: ['累计上限', 'Altogether, at most'], kind: 'number' },
      sort: { title: ['展示顺序', 'Order'], kind: 'number' },
      start_at: { title: ['开始时间', 'From'], kind: 'time' },
      end_at: { title: ['结束时间', 'Until'], kind: 'time' },
      off_reason: { title: ['停用原因', 'Why it was turned off'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: ruleStates },
      effective_at: { title: ['生效时间', 'Effective from'], kind: 'time' },
      reject_reason: { title: ['驳回原因', 'Reject reason'] },
    },
  },
}
