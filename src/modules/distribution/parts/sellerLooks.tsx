import { Cross, Lock, Stopwatch, Tick } from '@blueprintjs/icons'
import {
  groupStates,
  REFUNDS_MANY_PERCENT,
  sellerStates,
  type GroupState,
  type SellerState,
} from '#src/areas/distribution/sellers.ts'
import { percent } from '#src/domain/money.ts'
import { State, type States } from '#src/kit/cells.tsx'
import { Alarming, Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { SellerRow, TeamRow } from '../contract/index.ts'

const sellerLooks: States<SellerState> = {
  pending: { text: sellerStates.pending, tone: 'info', icon: Stopwatch },
  active: { text: sellerStates.active, tone: 'good', icon: Tick },
  frozen: { text: sellerStates.frozen, tone: 'warn', icon: Lock },
  quit: { text: sellerStates.quit, icon: Cross },
  rejected: { text: sellerStates.rejected, icon: Cross },
}
export const groupLooks: States<GroupState> = {
  active: { text: groupStates.active, tone: 'good', icon: Tick },
  dissolved: { text: groupStates.dissolved, icon: Cross },
  merged: { text: groupStates.merged, icon: Cross },
}
/** Refunds of what was sold. */
export const RefundRate = ({ bp }: { bp: number }) => {
  const text = percent(Math.round(bp / 10) * 10)
  return bp >= REFUNDS_MANY_PERCENT * 100 ? (
    <Alarming>{text}</Alarming>
  ) : (
    <span className="m-num">{text}</span>
  )
}
/** A seller's state, and that it waits to quit or is paused. */
export const StateOf = ({ row }: { row: Pick<SellerRow, 'status' | 'quitting' | 'paused'> }) => {
  const say = useSay()
  if (row.quitting) return <Badge tone="warn">{say(['等待清退', 'Awaiting removal'])}</Badge>
  if (row.paused && row.status === 'active')
    return <Badge tone="warn">{say(['暂停分销', 'Paused'])}</Badge>
  return <State of={row.status} in={sellerLooks} />
}
/** A seller's team, that it leads it, and where it goes at 00:00. */
export const TeamOf = ({
  row,
}: {
  row: Pick<SellerRow, 'group_name' | 'is_leader' | 'moves_to'>
}) => {
  const say = useSay()
  const next = row.moves_to === '' ? say(['移出', 'none']) : row.moves_to
  return (
    <>
      {row.group_name || '—'}{' '}
      {row.is_leader && <Badge tone="info">{say(['团长', 'Leader'])}</Badge>}
      {row.moves_to !== null && (
        <span
          className="m-muted"
          title={say(['次日 00:00 生效', 'Takes effect at 00:00 the next day'])}
        >
          {` → ${next}`}
        </span>
      )}
    </>
  )
}
/** How far a team is with its target of the month, in basis points; undefined without one. */
const reachedBp = (row: Pick<TeamRow, 'gmv_cents' | 'target_cents'>): number | undefined =>
  row.gmv_cents === undefined || !row.target_cents
    ? undefined
    : Math.floor((row.gmv_cents * 10_000) / row.target_cents)
/** How far a team is with its target of the month. */
export const Reached = ({ row }: { row: Pick<TeamRow, 'gmv_cents' | 'target_cents'> }) => {
  const bp = reachedBp(row)
  return bp === undefined ? <span className="m-muted">—</span> : percent(Math.round(bp / 10) * 10)
}
