import { prizesOf, rankCan, type Measure, type Ranked } from '#src/areas/ranking/ranking.ts'
import type { Text } from '#src/domain/text.ts'
import {
  ranking as calls,
  rankRow,
  type FrozenRow,
} from '#src/modules/distribution/contract/ranking.ts'
import { action, ask } from '../command.ts'
import { rankingPage as at } from '../pages/distribution.ts'
import { asking, exportAction, one, pageAction, reason } from '../record.ts'

/** The views of the page; the first needs no word in its address. */
export const rankViews = {
  live: ['实时排行', 'Live'],
  lists: ['冻结的榜单', 'Frozen lists'],
} as const satisfies Record<string, Text>
const turn = (view: keyof typeof rankViews, key: string) =>
  action(`distribution.ranking.${view}View`, {
    title: rankViews[view][0],
    en: rankViews[view][1],
    key,
    at,
  })
export const rankViewActions = { live: turn('live', '1'), lists: turn('lists', '2') }

/** What the page gives when a list is frozen: the ranking that it shows. */
export type RankShown = {
  id: number
  name: string
  who: Ranked
  measure: Measure
  from: number
  to: number
  city_id?: number
  mid?: number
}
export const liveActions = {
  /** Its page gives what it shows. */
  freezeList: pageAction(calls.freezeList, ['冻结榜单', 'Freeze the list'], at, {
    key: 'f',
    main: true,
    tells: rows => {
      const shown = rows[0] as RankShown | undefined
      return (
        shown && [
          [
            '{name}：冻结后名次不再变化，之后的退款只在旁边显示',
            '{name}: places no longer change; later refunds are only shown beside them',
          ],
          { name: shown.name },
        ]
      )
    },
    asks: { reason },
    input: (rows, asked) => {
      const { id: _, name: __, ...shown } = rows[0] as RankShown
      return { ...shown, ...asked }
    },
  }),
  export: exportAction(calls.export, ['导出榜单', 'Export the ranking'], at),
}

const only =
  (verb: Parameters<typeof rankCan>[0]) =>
  (row: FrozenRow): true | Text =>
    row.view === 'lists' ? rankCan(verb, row) : ['先切到冻结的榜单', 'Go to the frozen lists first']
const place = ask.number({ label: ['名次', 'Place'], min: 1, max: 10_000 })
export const rankActions = {
  publish: action(calls.publish, {
    title: '发布到小程序',
    en: 'Publish',
    key: 'p',
    at,
    on: rankRow,
    takes: 'row',
    main: true,
    when: only('publish'),
    input: one,
  }),
  unpublish: action(calls.unpublish, {
    title: '取消发布',
    en: 'Take back',
    key: 'u',
    danger: true,
    at,
    on: rankRow,
    takes: 'row',
    when: only('unpublish'),
    asks: { reason },
    input: asking(asked => asked as { reason: string }),
  }),
  exclude: action(calls.exclude, {
    title: '剔除违规人员',
    en: 'Take somebody off',
    key: 'shift+x',
    danger: true,
    at,
    on: rankRow,
    takes: 'row',
    when: only('exclude'),
    tells: () => [
      ['剔除后名次依次上移，原因记入日志', 'Those below move up; the reason is logged'],
      {},
    ],
    asks: { place, reason },
    input: asking(asked => asked as { place: number; reason: string }),
  }),
  grantPrize: action(calls.grantPrize, {
    title: '发放榜单奖励',
    en: 'Give the prizes',
    key: 'a',
    danger: true,
    at,
    on: rankRow,
    takes: 'row',
    when: only('grantPrize'),
    tells: rows =>
      rows[0] && [
        [
          '{name}：奖励直接进入佣金余额（先抵欠款），每人每榜一次',
          '{name}: prizes go to commission balances (debts first), once per person and list',
        ],
        { name: rows[0].name },
      ],
    asks: {
      rule: ask.text({
        label: ['奖励规则', 'Prizes'],
        hint: [
          '每行一条：名次 金额（元），如 1 500 或 2-5 200',
          'One per line: place and yuan, e.g. 1 500 or 2-5 200',
        ],
        max: 500,
        lines: 4,
        check: (value: string) => {
          const prizes = prizesOf(value)
          return 'fault' in prizes ? prizes.fault : undefined
        },
      }),
      reason,
    },
    input: asking(asked => asked as { rule: string; reason: string }),
  }),
}
