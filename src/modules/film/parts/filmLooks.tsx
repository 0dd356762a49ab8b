import {
  Error,
  Blank,
  Confirm,
  Cross,
  Endorsed,
  Refresh,
  Snowflake,
  Time,
  Undo,
} from '@blueprintjs/icons'
import { filmStages, seatName, ticketStates, type FilmStage } from '#src/areas/film/film.ts'
import { isStuck, isWaiting } from '#src/areas/film/filmVerbs.ts'
import { comma } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { State, type States } from '#src/kit/cells.tsx'
import { Alarming, Badge, duration, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { FilmRow as Row } from '../contract/index.ts'

const stageLooks: States<FilmStage> = {
  pending_payment: { text: filmStages.pending_payment, icon: Time },
  pending_tickets: { text: filmStages.pending_tickets, tone: 'info', icon: Refresh },
  ticketed: { text: filmStages.ticketed, tone: 'good', icon: Confirm },
  settled: { text: filmStages.settled, icon: Endorsed },
  refunding: { text: filmStages.refunding, tone: 'warn', icon: Undo },
  refunded: { text: filmStages.refunded, icon: Undo },
  cancelled: { text: filmStages.cancelled, icon: Cross },
  freezing: { text: filmStages.freezing, tone: 'bad', icon: Snowflake },
}
/** Where an order stands; that nobody could issue it is said louder. */
export const Stage = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.stage === 'pending_tickets' && row.ticket_state === 'issue_failed' ? (
    <Badge tone="bad" icon={Error} title={row.provider_status}>
      {say(ticketStates.issue_failed)}
    </Badge>
  ) : (
    <State of={row.stage} in={stageLooks} />
  )
}
/** How long it waits for its tickets; once somebody must look after it, in the colour of danger. */
export const Waited = ({ row }: { row: Row }) => {
  const say = useSay()
  const now = unixNow()
  if (!isWaiting(row) || row.waiting_since === null) return <span className="m-muted">—</span>
  const text = duration(now - row.waiting_since, say)
  return isStuck({ ...row, now }) ? (
    <Alarming>{text}</Alarming>
  ) : (
    <span className="m-num">{text}</span>
  )
}
/** When the show begins; that it is cancelled, or near while there are no tickets, is said loudly. */
export const ShowTime = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.show_state === 'canceled')
    return (
      <Badge tone="bad" icon={Blank}>
        {say(['场次取消', 'Cancelled'])} <When at={row.show_at} />
      </Badge>
    )
  const soon = isWaiting(row) && row.show_at - unixNow() < 3600
  return soon ? (
    <Badge tone="warn" icon={Time}>
      <When at={row.show_at} />
    </Badge>
  ) : (
    <When at={row.show_at} />
  )
}
export const useSeats = () => {
  const say = useSay()
  return (row: Pick<Row, 'seats'>): string =>
    row.seats.map(seat => say(seatName(seat))).join(say(comma))
}
