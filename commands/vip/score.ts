import type { PointsRuleKind } from '#src/areas/pointsRule/rule.ts'
import { score as calls, taskRow, type TaskRow } from '#src/modules/vip/contract/score.ts'
import { action, type Page } from '../command.ts'
import {
  scoreBuyPage,
  scoreClockedPage,
  scoreCommentPage,
  scorePage as at,
  scoreProfilePage,
  scoreRatePage,
} from '../pages/vip.ts'
import { arrangeAction, exportAction, one, pageAction, reason, rowActions } from '../record.ts'

/** Where the rules of each kind are set. */
const settings: Readonly<Record<PointsRuleKind, Page>> = {
  buy: scoreBuyPage,
  clocked: scoreClockedPage,
  comment: scoreCommentPage,
  profile: scoreProfilePage,
  rate: scoreRatePage,
}
const row = rowActions(at, taskRow)
/** What is done on the centre of points. */
export const scoreActions = {
  open: action<unknown, unknown, TaskRow>('vip.score.open', {
    title: '打开规则设置',
    en: 'Open settings',
    key: 'o',
    at,
    on: taskRow,
    takes: 'row',
    main: true,
    permit: 'vip.score.view',
    when: (of, me) =>
      me.can(settings[of.kind].permit) || [
        '没有该设置页的权限',
        'No permission for this settings page',
      ],
    to: ([of]) => settings[of!.kind].path,
  }),
  enableRule: row.row(calls.enableRule, ['启用规则', 'Enable'], {
    key: 'b',
    when: of => of.status === 'off' || ['已启用', 'Already on'],
    input: one,
  }),
  disableRule: row.row(calls.disableRule, ['停用规则', 'Disable'], {
    key: 'p',
    danger: true,
    when: of => of.status === 'on' || ['已停用', 'Already off'],
    tells: ([of]) =>
      of && [
        [
          '停用「{name}」只停止新发放，已发积分保留',
          'Only stops new points for {name}; points already issued stay',
        ],
        { name: of.name },
      ],
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
    takenBack: 'opposite',
  }),
  sortRules: arrangeAction(calls.sortRules, ['调整任务顺序', 'Arrange tasks'], at, () => ({})),
  recalc: pageAction(calls.recalc, ['重新核对余额', 'Recheck balances'], at, {
    key: 'c',
    main: 'plain',
    input: () => ({}),
    takenBack: 'again',
  }),
  export: exportAction(calls.export, ['导出积分日报', 'Export points by day'], at),
}
