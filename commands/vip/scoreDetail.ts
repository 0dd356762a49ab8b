import { canReverse } from '#src/areas/points/points.ts'
import {
  pointsRow,
  scoreDetail as calls,
  type PointsRow,
} from '#src/modules/vip/contract/scoreDetail.ts'
import { ask, type Told } from '../command.ts'
import { scoreDetailPage as at } from '../pages/vip.ts'
import { exportAction, idOf, pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(at, pointsRow)
/** What reversing a row comes to; what was spent of it is owed from then on. */
const comesTo = ([of]: readonly PointsRow[]): Told | undefined => {
  if (!of) return undefined
  const n = Math.abs(of.delta) - of.over - of.taken
  return of.delta > 0
    ? [
        [
          '将从「{name}」收回 {n} 积分，先扣本批，已花掉的部分记为欠分',
          'Takes {n} points from {name}, from this lot first; points already spent become a debt',
        ],
        { name: of.nickname, n },
      ]
    : [
        [
          '将退回「{name}」 {n} 积分，回到原批次',
          'Returns {n} points to {name}, to their original lots',
        ],
        { name: of.nickname, n },
      ]
}

/** What is done with rows of the points ledger. */
export const scoreDetailActions = {
  reverse: row.row(calls.reverse, ['冲正流水', 'Reverse'], {
    key: 'r',
    main: 'plain',
    danger: true,
    tells: comesTo,
    when: (of: PointsRow) => canReverse(of),
    asks: { reason },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  addNote: row.row(calls.addNote, ['补充备注', 'Add a note'], {
    key: 'm',
    main: 'plain',
    asks: {
      note: ask.text({
        label: ['备注', 'Note'],
        max: 255,
        min: 2,
        lines: 2,
        hint: [
          '流水本身不改，备注另行留存',
          'The entry itself doesn’t change; the note is kept beside it',
        ],
      }),
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  traceLots: pageAction('vip.score.detail.traceLots', ['查看批次消耗', 'Trace the lots'], at, {
    key: 'l',
    permit: calls.lots.permit,
  }),
  export: exportAction(calls.export, ['导出积分流水', 'Export the ledger'], at),
}
