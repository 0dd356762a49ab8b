import { BanCircle, Cross, MergeLinks, Stopwatch, Tick, VolumeOff } from '@blueprintjs/icons'
import { accountStates, risks, type AccountState, type Risk } from '#src/areas/member/member.ts'
import { State, type States } from '#src/kit/cells.tsx'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { MemberRow } from '../contract/index.ts'

const accountLooks: States<AccountState> = {
  normal: { text: accountStates.normal, tone: 'good', icon: Tick },
  muted: { text: accountStates.muted, tone: 'warn', icon: VolumeOff },
  banned: { text: accountStates.banned, tone: 'bad', icon: BanCircle },
  canceling: { text: accountStates.canceling, tone: 'warn', icon: Stopwatch },
  canceled: { text: accountStates.canceled, icon: Cross },
  merged: { text: accountStates.merged, icon: MergeLinks },
}
/** An account's state, and that its benefits are frozen. */
export const StateOf = ({ row }: { row: Pick<MemberRow, 'account_state' | 'benefits_frozen'> }) => {
  const say = useSay()
  if (row.benefits_frozen) return <Badge tone="warn">{say(['权益冻结', 'Benefits frozen'])}</Badge>
  return <State of={row.account_state} in={accountLooks} />
}
/** Whether a member is watched or blacklisted; nothing for the many who are neither. */
export const RiskOf = ({ risk }: { risk: Risk }) => {
  const say = useSay()
  if (risk === 'none') return <span className="m-muted">—</span>
  return <Badge tone={risk === 'high' ? 'bad' : 'warn'}>{say(risks[risk])}</Badge>
}
/** Points that can be spent, or what the member owes of them. */
export const PointsOf = ({ row }: { row: Pick<MemberRow, 'points' | 'points_debt'> }) => {
  const say = useSay()
  if (row.points_debt === 0) return <span className="m-num">{row.points.toLocaleString()}</span>
  return (
    <>
      <Badge tone="bad">{say(['欠账', 'Debt'])}</Badge>{' '}
      <span className="m-num">{row.points_debt.toLocaleString()}</span>
    </>
  )
}
