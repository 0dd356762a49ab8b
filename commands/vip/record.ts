import { reverseMay } from '#src/areas/level/level.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { growthRow, record as calls, type GrowthRow } from '#src/modules/vip/contract/record.ts'
import { ask, called } from '../command.ts'
import { growthRecordPage as page } from '../pages/vip.ts'
import { exportAction, idOf, reason, rowActions } from '../record.ts'

const row = rowActions(page, growthRow)
called(growthRow, of => of.nickname || of.uid)
export const growthRecordActions = {
  protect: row.row(calls.protect, ['等级保护', 'Protect the level'], {
    key: 'p',
    main: true,
    tells: ([of]) =>
      of && [
        ['「{name}」在到期前不会降级', '{name} won’t be downgraded until then'],
        { name: of.nickname },
      ],
    asks: {
      until_at: ask.time({
        label: ['保护至', 'Until'],
        initial: () => unixNow() + 90 * DAY,
      }),
      reason,
    },
    input: (rows, { until_at, reason: why }) => ({
      ...idOf(rows),
      until_at: until_at ?? unixNow() + 90 * DAY,
      reason: why,
    }),
    takenBack: 'again',
  }),
  reverse: row.row(calls.reverse, ['冲正成长值', 'Reverse the growth'], {
    key: 'shift+r',
    danger: true,
    when: (of: GrowthRow) => reverseMay(of),
    tells: ([of]) =>
      of && [
        [
          '记一笔 {n} 的冲正，原记录保留，每条只能冲正一次',
          'Books {n} as a reversal; the original stays. Once per record',
        ],
        { n: -of.delta },
      ],
    asks: { reason },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
    takenBack: 'final',
  }),
  resendNotice: row.row(calls.resendNotice, ['重发等级通知', 'Send the notice again'], {
    key: 'n',
    when: ({ notice }) =>
      notice
        ? notice.state !== 'queued' || ['通知正在发送', 'The notice is being sent']
        : ['等级没有变化，无需通知', 'The level did not change; no notice needed'],
    input: idOf,
    takenBack: 'again',
  }),
  recalc: row.row(calls.recalc, ['重算该会员等级', 'Recalculate the level'], {
    key: 'c',
    input: idOf,
    takenBack: 'again',
  }),
  export: exportAction(calls.export, ['导出成长记录', 'Export growth records'], page),
}
