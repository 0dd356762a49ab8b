import { returnStates, type ReturnState } from '#src/areas/film/film.ts'
import { refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import { unixNow } from '#src/domain/time.ts'
import { Badge, duration, Money, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { FilmRefundRow as Row } from '../contract/refund.ts'

const tones: Partial<Record<RefundState, ToneName>> = {
  applied: 'warn',
  second_audit: 'warn',
  paying: 'info',
  pay_failed: 'bad',
  done: 'good',
}
/** How far a refund of tickets is; while the provider is asked it says so. */
export const FilmRefundMark = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.provider_state === 'returning')
    return <Badge tone="info">{say(['渠道退票中', 'At the provider'])}</Badge>
  return <Badge tone={tones[row.state]}>{say(refundStates[row.state])}</Badge>
}
const ofReturn: Partial<Record<ReturnState, ToneName>> = {
  returning: 'info',
  returned: 'good',
  refused: 'bad',
}
/** What the provider said to tickets that come back. */
export const ReturnMark = ({ row }: { row: Row }) => {
  const say = useSay()
  const { provider_state: state } = row
  if (state === 'none')
    return (
      <span className="m-muted">
        {row.has_tickets ? say(['待发起', 'Not asked yet']) : say(returnStates.none)}
      </span>
    )
  return <Badge tone={ofReturn[state]}>{say(returnStates[state])}</Badge>
}
/** How long until the show, or that it has begun. */
export const TimeToShow = ({ row }: { row: Row }) => {
  const say = useSay()
  const left = row.show_at - unixNow()
  if (left <= 0) return <span className="m-muted">{say(['已开场', 'Started'])}</span>
  const soon = left < 2 * 3600
  return <span className={soon ? 'm-bad m-num' : 'm-num'}>{duration(left, say)}</span>
}
/** When the show begins, and how long until then. */
export const ShowTime = ({ row }: { row: Row }) => (
  <>
    <When at={row.show_at} /> <TimeToShow row={row} />
  </>
)
/** What the house loses, red; where as much or more comes back it loses nothing. */
export const Loss = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.loss_cents <= 0) return <span className="m-muted">{say(['无亏损', 'None'])}</span>
  return (
    <span className="m-bad">
      <Money cents={row.loss_cents} />
    </span>
  )
}
