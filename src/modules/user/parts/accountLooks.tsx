import { BanCircle, Cross, MergeLinks, Stopwatch, Tick, VolumeOff } from '@blueprintjs/icons'
import { accountStates, sanctionKinds, type AccountState } from '#src/areas/member/member.ts'
import { State, type States } from '#src/kit/cells.tsx'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { AccountRow } from '../contract/list.ts'

const looks: States<AccountState> = {
  normal: { text: accountStates.normal, tone: 'good', icon: Tick },
  muted: { text: accountStates.muted, tone: 'warn', icon: VolumeOff },
  banned: { text: accountStates.banned, tone: 'bad', icon: BanCircle },
  canceling: { text: accountStates.canceling, tone: 'warn', icon: Stopwatch },
  canceled: { text: accountStates.canceled, icon: Cross },
  merged: { text: accountStates.merged, icon: MergeLinks },
}
export const StateOf = ({ row }: { row: Pick<AccountRow, 'account_state'> }) => (
  <State of={row.account_state} in={looks} />
)
/** The sanctions in force of an account. */
export const SanctionsOf = ({ row }: { row: Pick<AccountRow, 'sanctions'> }) => {
  const say = useSay()
  if (row.sanctions.length === 0) return <span className="m-muted">—</span>
  return row.sanctions.map(one => (
    <span key={one.id} title={one.reason}>
      <Badge tone={one.kind === 'watch' ? 'info' : 'warn'}>
        {say(sanctionKinds[one.kind])}
      </Badge>{' '}
    </span>
  ))
}
