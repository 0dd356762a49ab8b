import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { pointsMoves } from './points.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  points_ledger: {
    title: ['积分流水', 'Points ledger row'],
    fields: {
      kind: { title: ['类型', 'Kind'], kind: 'enum', options: pointsMoves },
      delta: { title: ['变动积分', 'Points'], kind: 'number' },
      debt_delta: { title: ['欠分变动', 'Points owed'], kind: 'number' },
      reversed_by: { title: ['冲正流水编号', 'Reversed by row'], kind: 'number' },
      note: { title: ['备注', 'Note'] },
    },
  },
}
