import type { Text } from '#src/domain/text.ts'
import { unixNow, DAY } from '#src/domain/time.ts'
import { pullCampaigns } from '#src/modules/film/contract/pullNew.ts'
import {
  pullRecordRow,
  pullStats as calls,
  type PullRecordRow as Row,
} from '#src/modules/film/contract/pullNewStat.ts'
import { action, ask, inAll } from '../command.ts'
import { filmPullStat as at } from '../pages/film.ts'
import { asking, exportAction, idsOf, pageAction, reason, rowActions } from '../record.ts'

/** The views of the page; the first needs no word in its address. */
export const pullViews = {
  stat: ['统计', 'Figures'],
  records: ['拉新明细', 'Referrals'],
} as const satisfies Record<string, Text>
const turn = (view: keyof typeof pullViews, key: string) =>
  action(`film.pullNewStat.${view}View`, {
    title: pullViews[view][0],
    en: pullViews[view][1],
    key,
    at,
    permit: calls.lst.permit,
  })
export const pullViewActions = { stat: turn('stat', '1'), records: turn('records', '2') }

const row = rowActions(at, pullRecordRow)
/** Rows of the figures are no referrals. */
const only =
  (may: (row: Row) => true | Text) =>
  (of: Row): true | Text =>
    of.view === 'records' ? may(of) : ['先切到拉新明细', 'Go to the referrals first']
const counts = only(({ status }) => status !== 'void' || ['该记录已作废', 'It is void already'])
const day = (label: Text, ago: number) => ask.time({ label, initial: () => unixNow() - ago * DAY })

/** What is done with referrals, and what promoters are given for them. */
export const pullStatActions = {
  settleReward: pageAction(calls.settleReward, ['结算奖励', 'Pay rewards'], at, {
    key: 's',
    main: true,
    takenBack: 'final',
    asks: {
      activity_id: ask.entity({
        label: ['活动', 'Campaign'],
        find: pullCampaigns.lst,
        labelOf: (of: { name: string }) => of.name,
      }),
      from: day(['有效日期从', 'Valid from'], 30),
      to: day(['到', 'Until'], 0),
    },
    input: (_, { activity_id, from, to }) => ({ activity_id, from: from!, to: to! }),
  }),
  void: row.row(calls.void, ['作废', 'Void'], {
    key: 'd',
    main: 'plain',
    danger: true,
    when: counts,
    asks: { reason },
    input: asking(asked => asked),
  }),
  batchVoid: row.row(calls.batchVoid, ['批量作废', 'Void several'], {
    key: 'shift+d',
    takes: 'rows',
    most: 100,
    danger: true,
    tells: inAll,
    when: counts,
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  restore: row.row(calls.restore, ['恢复', 'Restore'], {
    key: 'u',
    when: only(({ status }) => status === 'void' || ['该记录未作废', 'It is not void']),
    asks: { reason },
    input: asking(asked => asked),
  }),
  banPromoter: row.row(calls.banPromoter, ['停用推广人', 'Ban the promoter'], {
    key: 'b',
    danger: true,
    when: only(({ banned }) => !banned || ['该推广人已停用', 'The promoter is banned already']),
    asks: { reason },
    input: asking(asked => asked),
  }),
  export: exportAction(calls.export, ['导出拉新明细', 'Export referrals'], at),
}
