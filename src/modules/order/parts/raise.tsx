import { Box, Confirm, Cross, Tick, Time } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import {
  ENDING_SOON_S,
  isFreeToLeave,
  isMet,
  raisedBy,
  raiseStates,
  type RaiseState,
} from '#src/areas/raise/raise.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { Badge, duration, Money, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { BatchRow } from '../contract/raiseList.ts'
import './raise.css'

export type Look = NonNullable<OrderRow['raise']>
const tones: Record<RaiseState, readonly [ToneName, typeof Time]> = {
  draft: ['plain', Time],
  raising: ['info', Time],
  success: ['good', Confirm],
  failed: ['plain', Cross],
  shipping: ['info', Box],
  finished: ['good', Tick],
}
export const RaiseBadge = ({ of }: { of: Pick<Look, 'state'> }) => {
  const say = useSay()
  const [tone, icon] = tones[of.state]
  return (
    <Badge tone={tone} icon={icon}>
      {say(raiseStates[of.state])}
    </Badge>
  )
}
/** What is left of the time to raise; it counts by itself. */
export const RaiseLeft = ({ of }: { of: Pick<Look, 'state' | 'end_at'> }) => {
  const say = useSay()
  const [, tick] = useState(0)
  const raising = of.state === 'raising'
  useEffect(() => {
    if (!raising) return
    const timer = setInterval(() => tick(n => n + 1), 30_000)
    return () => clearInterval(timer)
  }, [raising])
  if (!raising) return <span className="m-muted">—</span>
  const left = of.end_at - unixNow()
  return left <= 0 ? (
    <span className="m-bad">{say(['已到时', 'Time is up'])}</span>
  ) : (
    <span className={left < ENDING_SOON_S ? 'm-bad m-num' : 'm-num'}>{duration(left, say)}</span>
  )
}
export const percentOf = (n: number, of: number) => (of <= 0 ? 0 : Math.floor((n / of) * 100))
/**
 * How much of its target a campaign has raised; a dotted line where it is going, a mark at the
 * target once it is past it.
 */
export const RaiseBar = ({ of, forecast: to }: { of: BatchRow; forecast?: number }) => {
  const n = raisedBy(of.raise.target_type, of.raised)
  const end = Math.max(of.raise.target, n, to ?? 0)
  const at = (value: number) => `${Math.min(100, (value / end) * 100)}%`
  return (
    <span
      className="ra-bar"
      data-met={isMet(of.raise, of.raised) || undefined}
      data-off={of.raise.state === 'failed' || undefined}
      aria-hidden="true"
    >
      <i style={{ width: at(n) }} />
      {to !== undefined && to > n && <b style={{ width: at(to) }} />}
      {end > of.raise.target && <s style={{ left: at(of.raise.target) }} />}
    </span>
  )
}
/** An amount of what a campaign counts in. */
export const Amount = ({ type, n }: { type: Look['target_type']; n: number }) => {
  const say = useSay()
  return type === 'cents' ? (
    <Money cents={n} sign />
  ) : (
    <>{say(['{n} 件', n === 1 ? '{n} unit' : '{n} units'], { n: n.toLocaleString('en-US') })}</>
  )
}

/** When goods are promised, and how that has moved. */
export const ShipDay = ({ of }: { of: Pick<Look, 'ship_at' | 'promised_ship_at'> }) => {
  const say = useSay()
  const days = Math.round((of.ship_at - of.promised_ship_at) / DAY)
  return (
    <>
      <When at={of.ship_at} />
      {days > 0 && (
        <>
          {' '}
          <Badge
            tone={isFreeToLeave(of) ? 'bad' : 'warn'}
            title={say(['最初承诺', 'Promised first'])}
          >
            {say(
              isFreeToLeave(of)
                ? ['晚 {n} 天，可免费退', '{n} d late, free to leave']
                : ['晚 {n} 天', '{n} d late'],
              { n: days },
            )}
          </Badge>
        </>
      )}
    </>
  )
}
