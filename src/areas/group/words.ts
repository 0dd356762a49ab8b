import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { groupStates, rewardStates } from './rollGroup.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  roll_group: {
    title: ['拼团', 'Group of buyers'],
    fields: {
      group_state: { title: ['团状态', 'Group'], kind: 'enum', options: groupStates },
      virtual_n: { title: ['虚拟席位', 'Virtual seats'], kind: 'number' },
      reward_state: {
        title: ['团长免单', 'Leader goes free'],
        kind: 'enum',
        options: rewardStates,
      },
      reward_cents: { title: ['免单金额', 'Reward'], kind: 'money' },
      expire_at: { title: ['成团截止', 'Ends'], kind: 'time' },
    },
  },
}
