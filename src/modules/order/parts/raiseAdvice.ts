import { forecast, isMet } from '#src/areas/raise/raise.ts'
import { yuan } from '#src/domain/money.ts'
import { clause, countEn } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { ToneName } from '#src/kit/show.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import type { BatchRow } from '../contract/raiseList.ts'

const LATELY_DAYS = 7
export const forecastOf = (of: BatchRow): number =>
  forecast(
    {
      target_type: of.raise.target_type,
      end_at: of.raise.end_at,
      now: unixNow(),
      days: LATELY_DAYS,
    },
    of.raised,
    of.lately,
  )
type Advice = readonly [ToneName, string]
const atItsPace = (of: BatchRow, say: Say): Advice => {
  const { raise } = of
  const to = forecastOf(of)
  const shown = (n: number) =>
    raise.target_type === 'cents' ? `¥${yuan(n)}` : say([`${n} 件`, countEn(n, 'unit')])
  if (to >= raise.target)
    return [
      'good',
      say(
        [
          '按近 {d} 天的进度，到期约 {n}，可达标',
          'At the pace of the last {d} days: about {n} by the end, on target',
        ],
        { d: LATELY_DAYS, n: shown(to) },
      ),
    ]
  return [
    'bad',
    say(
      raise.extended
        ? [
            '按近 {d} 天的进度，到期约 {n}，差 {m}；已延长过',
            'At the pace of the last {d} days: about {n} by the end, short by {m}; already extended',
          ]
        : [
            '按近 {d} 天的进度，到期约 {n}，差 {m}；可延长一次',
            'At the pace of the last {d} days: about {n} by the end, short by {m}; can be extended once',
          ],
      { d: LATELY_DAYS, n: shown(to), m: shown(raise.target - to) },
    ),
  ]
}
const whileRaising = (of: BatchRow, say: Say): Advice => {
  if (of.declare_by !== '')
    return [
      'warn',
      say(
        [
          '{who} 提请宣布成功：{why}——待另一人确认',
          '{who} asks for success: {why}. Another person must agree',
        ],
        { who: of.declare_by, why: of.declare_reason ?? '' },
      ),
    ]
  if (isMet(of.raise, of.raised))
    return [
      'good',
      say([
        '已达标，到期自动成功；也可提前宣布',
        'It has met its target and succeeds at its end, or when you say so',
      ]),
    ]
  return atItsPace(of, say)
}
const onceFailed = (of: BatchRow, say: Say): Advice => {
  if (of.owing_n === 0) return ['plain', say(['支持者已全部退款', 'Everybody was paid back'])]
  const refused =
    of.payout_failed_n > 0
      ? say(['，其中 {n} 人打款失败', ', {n} refused by the channel'], { n: of.payout_failed_n })
      : ''
  return ['bad', say(['{n} 人未退完', '{n} not paid back yet'], { n: of.owing_n }) + refused]
}
const leftToDo = (of: BatchRow, say: Say): Advice => {
  const parts = [
    ...(of.owed_n > 0
      ? [
          say(['待付尾款 {n} 单 ¥{m}', '{n} balances due, ¥{m}'], {
            n: of.owed_n,
            m: yuan(of.owed_cents),
          }),
        ]
      : []),
    ...(of.to_ship_n > 0 ? [say(['待发货 {n} 单', '{n} to ship'], { n: of.to_ship_n })] : []),
    ...(of.shipped_n > 0 ? [say(['已发货 {n} 单', '{n} shipped'], { n: of.shipped_n })] : []),
    ...(of.refund_open_n > 0
      ? [say(['退款中 {n} 单', '{n} refunds open'], { n: of.refund_open_n })]
      : []),
    ...(of.kept_cents > 0
      ? [say(['不退定金 ¥{m}', 'deposits kept ¥{m}'], { m: yuan(of.kept_cents) })]
      : []),
  ]
  return [
    of.to_ship_n > 0 && of.raise.ship_at < unixNow() ? 'bad' : 'plain',
    parts.join(say(clause)) || say(['没有待办', 'Nothing is left to do']),
  ]
}
/** In one line what its figures say of the decision that is due. */
const adviceOf = (of: BatchRow, say: Say): Advice => {
  if (of.raise.state === 'raising') return whileRaising(of, say)
  return of.raise.state === 'failed' ? onceFailed(of, say) : leftToDo(of, say)
}
export const useAdvice = () => {
  const say = useSay()
  return (of: BatchRow): Advice => adviceOf(of, say)
}
