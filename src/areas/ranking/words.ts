import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { rankStates } from './ranking.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  dist_rank: {
    title: ['分销榜单', 'Ranking'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: rankStates },
      reason: { title: ['说明', 'Why'] },
      excluded: { title: ['已剔除', 'Taken off'], kind: 'list' },
      rule: { title: ['奖励规则', 'Prizes'] },
    },
  },
}
