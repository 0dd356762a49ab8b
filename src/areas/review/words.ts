import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { rewardStates } from './review.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  comment_reward: {
    title: ['评价奖励', 'Reward of a review'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: rewardStates },
      points: { title: ['积分', 'Points'], kind: 'number' },
      bonus: { title: ['精选加奖', 'Bonus'], kind: 'number' },
      taken: { title: ['收回积分', 'Points taken back'], kind: 'number' },
      featured: { title: ['精选', 'Featured'], kind: 'flag' },
      revoke_reason: { title: ['收回原因', 'Why taken back'] },
    },
  },
}
