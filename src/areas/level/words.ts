import type { ObjectWord } from '#src/areas/log/objectWord.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  level_ladder: {
    title: ['等级规则', 'Level rules'],
    fields: {
      no: { title: ['版本', 'Version'], kind: 'number' },
      levels: { title: ['等级', 'Levels'], kind: 'list' },
      merged: { title: ['并入的等级', 'Merged levels'], kind: 'list' },
      earns: { title: ['成长值获取', 'Growth earned'] },
      effective_at: { title: ['生效时间', 'Effective from'], kind: 'time' },
      state: { title: ['状态', 'State'] },
      reject_reason: { title: ['驳回原因', 'Reject reason'] },
    },
  },
  growth_ledger: {
    title: ['成长值流水', 'Growth record'],
    fields: {
      delta: { title: ['变动', 'Change'], kind: 'number' },
      balance_after: { title: ['变动后成长值', 'Growth after'], kind: 'number' },
      level_after: { title: ['变动后等级', 'Level after'], kind: 'number' },
      reversed_by: { title: ['冲正记录', 'Reversed by'], kind: 'number' },
    },
  },
  level_hold: {
    title: ['等级保护', 'Level protection'],
    fields: {
      until_at: { title: ['到期时间', 'Until'], kind: 'time' },
      level: { title: ['等级', 'Level'], kind: 'number' },
    },
  },
}
