import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { dupOutcomes, dupStates } from './dup.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  customer_dup: {
    title: ['重复客户', 'Duplicate'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: dupStates },
      outcome: { title: ['处理结果', 'Outcome'], kind: 'enum', options: dupOutcomes },
      primary_follow_id: { title: ['主跟进关系', 'Main relation'], kind: 'number' },
      keep_id: { title: ['保留会员', 'Member kept'], kind: 'name', of: 'member' },
      drop_ids: { title: ['并入会员', 'Members merged'], kind: 'list' },
      found: { title: ['新发现', 'New'], kind: 'number' },
      raised: { title: ['再次出现', 'Back'], kind: 'number' },
      gone: { title: ['不再重复', 'None any more'], kind: 'number' },
    },
  },
}
