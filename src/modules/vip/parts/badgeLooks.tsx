import {
  amountOf,
  badgeMetrics,
  badgeStates,
  isNear,
  ownerStates,
  rewardStates,
  sources,
  type RewardState,
} from '#src/areas/achievement/achievement.ts'
import { hasEnded } from '#src/domain/period.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull, unixNow } from '#src/domain/time.ts'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Thumb } from '#src/kit/image.tsx'
import { BoardLine } from '#src/kit/pool.tsx'
import { Badge, Fact, Facts, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { BadgeRow, OwnerRow } from '../contract/achieve.ts'

const number = (n: number): string => n.toLocaleString('en-US')
/** What a person should know of a badge before opening it: off, over, failed rewards. */
export const useBadgeFlags = () => {
  const say = useSay()
  return (row: BadgeRow): readonly Flag[] => [
    ...(row.failed > 0
      ? [{ tone: 'warn' as const, text: say(['{n} 份奖励失败', '{n} failed'], { n: row.failed }) }]
      : []),
    ...(row.coupon && !row.coupon.given
      ? [{ tone: 'warn' as const, text: say(['券已停发', 'Coupon stopped']) }]
      : []),
    ...(row.coupon?.given && row.coupon.left === 0
      ? [{ tone: 'warn' as const, text: say(['券已领完', 'Coupon gone']) }]
      : []),
    ...(hasEnded(row, unixNow())
      ? [{ tone: 'plain' as const, text: say(['已结束', 'Over']) }]
      : []),
    ...(row.status === 'on'
      ? []
      : [{ tone: 'plain' as const, text: say(badgeStates[row.status]) }]),
  ]
}
/** A badge of the wall: what it asks, and how many hold or nearly hold it. */
export const BadgeLine = ({ of }: { of: BadgeRow }) => {
  const say = useSay()
  return (
    <BoardLine image={of.icon_on ?? ''} name={of.name}>
      <span>
        {say(badgeMetrics[of.metric])}{' '}
        <b className="m-num">{say(amountOf(of.metric, of.threshold))}</b>
      </span>
      <span>
        {say(['获得', 'Earned'])} <b className="m-num">{number(of.held)}</b>
      </span>
      <span>
        {say(['将得', 'Near'])} <b className="m-num">{number(of.near)}</b>
      </span>
    </BoardLine>
  )
}
const Reward = ({ of }: { of: BadgeRow }) => {
  const say = useSay()
  const { coupon } = of
  if (of.reward_points === 0 && !coupon)
    return <span className="m-muted">{say(['无积分和优惠券', 'No points or coupon'])}</span>
  return (
    <>
      {of.reward_points > 0 && (
        <div>{say(['{n} 积分', '{n} points'], { n: number(of.reward_points) })}</div>
      )}
      {coupon && (
        <div>
          {say(['{name}（剩 {n} 张）', '{name} ({n} left)'], {
            name: coupon.name,
            n: number(coupon.left),
          })}
        </div>
      )}
    </>
  )
}
/** The terms of a badge, what it gives, and how members stand to it. */
export const BadgeFacts = ({ of, growth }: { of: BadgeRow; growth: number }) => {
  const say = useSay()
  const day = (at: number | null) => (at === null ? '' : timeFull(at).slice(0, 16))
  return (
    <>
      <div className="vp-icons">
        <Thumb of={of.icon_on} /> <Thumb of={of.icon_off} />
      </div>
      <Facts>
        <Fact label={say(['状态', 'State'])}>{say(badgeStates[of.status])}</Fact>
        <Fact label={say(['统计指标', 'Metric'])}>{say(badgeMetrics[of.metric])}</Fact>
        <Fact label={say(['门槛', 'Threshold'])}>{say(amountOf(of.metric, of.threshold))}</Fact>
        <Fact label={say(['门槛能否修改', 'Threshold editable'])}>
          {of.got_count > 0
            ? say(['已有人获得，不能改', 'No, already earned'])
            : say(['可以修改', 'Yes'])}
        </Fact>
        {of.start_at !== null && (
          <Fact wide label={say(['统计时间', 'Counting period'])}>
            <span className="m-num">
              {day(of.start_at)} – {day(of.end_at)}
            </span>
          </Fact>
        )}
        <Fact wide label={say(['奖励', 'Reward'])}>
          <Reward of={of} />
        </Fact>
        <Fact label={say(['成长值', 'Growth'])}>
          {growth > 0
            ? say(['+{n}（等级规则）', '+{n} (level rules)'], { n: growth })
            : say(['等级规则未设', 'Not set in level rules'])}
        </Fact>
        <Fact label={say(['已获得', 'Earned'])}>{number(of.held)}</Fact>
        <Fact label={say(['即将获得', 'Nearly there'])}>{number(of.near)}</Fact>
        <Fact label={say(['奖励失败', 'Reward failed'])}>{number(of.failed)}</Fact>
        <Fact label={say(['已收回', 'Revoked'])}>{number(of.revoked)}</Fact>
        {of.off_reason && (
          <Fact wide label={say(['下线原因', 'Reason offline'])}>
            {of.off_reason}
          </Fact>
        )}
      </Facts>
    </>
  )
}

const rewardTones: Readonly<Record<RewardState, ToneName>> = {
  none: 'plain',
  issued: 'good',
  failed: 'warn',
  revoked: 'plain',
}
const stateOf = (row: OwnerRow): { tone: ToneName; text: Text } => {
  if (row.state === 'held') return { tone: 'good', text: ownerStates.held }
  if (row.state === 'progress' && row.progress >= row.threshold)
    return { tone: 'info', text: ['已达标，待统计', 'Reached, not yet given'] }
  if (row.state === 'progress' && isNear(row.progress, row.threshold))
    return { tone: 'info', text: ['即将获得', 'Nearly there'] }
  return { tone: 'plain', text: ownerStates[row.state] }
}
/** A member's standing to a badge; `of` by the badge's name where the column is of one member. */
export const OwnerLine = ({ row, byBadge }: { row: OwnerRow; byBadge: boolean }) => {
  const say = useSay()
  const { tone, text } = stateOf(row)
  const [progress, threshold] = [row.progress, row.threshold].map(n => say(amountOf(row.metric, n)))
  return (
    <div>
      <div className="m-boardline-name">
        {byBadge ? row.badge : row.nickname} <Badge tone={tone}>{say(text)}</Badge>
        {row.reward_status !== 'none' && row.state === 'held' && (
          <Badge tone={rewardTones[row.reward_status]}>
            {say(['奖励', 'Reward:'])} {say(rewardStates[row.reward_status])}
          </Badge>
        )}
      </div>
      <div className="m-boardline-meta">
        {!byBadge && <span className="m-num">{row.uid}</span>}
        <span className="m-num">
          {progress} / {threshold}
        </span>
        {row.state === 'held' && (
          <span>
            {say(sources[row.source])} <When at={row.got_at} />
          </span>
        )}
      </div>
      {row.reward_fault && <div className="vp-small">{row.reward_fault}</div>}
      {row.reason && <div className="vp-small">{row.reason}</div>}
    </div>
  )
}
