import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { raiseStates } from './raise.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  raise_batch: {
    title: ['众筹场次', 'Campaign'],
    fields: {
      raise_state: { title: ['众筹状态', 'Campaign is'], kind: 'enum', options: raiseStates },
      end_at: { title: ['众筹截止', 'Ends'], kind: 'time' },
      ship_at: { title: ['承诺发货', 'Promised shipping'], kind: 'time' },
      declare_by: { title: ['提请宣布成功', 'Asked for success'], kind: 'name', of: 'admin' },
      reminded_n: { title: ['提醒人数', 'Reminded'], kind: 'number' },
    },
  },
}
