import {
  Confirm,
  Cross,
  Error,
  Inbox,
  Pause,
  Stopwatch,
  Tick,
  Time,
  Undo,
} from '@blueprintjs/icons'
import {
  withdrawalStates,
  type WithdrawalState as StateName,
} from '#src/areas/payout/withdrawing.ts'
import { State, type States } from './cells.tsx'
import { Badge } from './show.tsx'
import { useSay } from './text.ts'

const states: States<StateName> = {
  pending: { text: withdrawalStates.pending, tone: 'info', icon: Inbox },
  approved: { text: withdrawalStates.approved, tone: 'info', icon: Confirm },
  paying: { text: withdrawalStates.paying, tone: 'info', icon: Time },
  wait_confirm: { text: withdrawalStates.wait_confirm, tone: 'warn', icon: Stopwatch },
  paid: { text: withdrawalStates.paid, tone: 'good', icon: Tick },
  failed: { text: withdrawalStates.failed, tone: 'bad', icon: Error },
  rejected: { text: withdrawalStates.rejected, icon: Cross },
  canceled: { text: withdrawalStates.canceled, icon: Undo },
}
type Shown = {
  status: StateName
  hold?: boolean
  canceling?: boolean
  need_second?: boolean
  reviewer_id?: number | null
}
/** Where it stands, and what keeps it there. */
export const WithdrawalState = ({ row }: { row: Shown }) => {
  const say = useSay()
  if (row.hold)
    return (
      <Badge tone="warn" icon={Pause}>
        {say(['已挂起', 'On hold'])}
      </Badge>
    )
  if (row.canceling) return <Badge tone="warn">{say(['撤销中', 'Canceling'])}</Badge>
  if (row.status === 'pending' && row.need_second && row.reviewer_id)
    return <Badge tone="warn">{say(['待复审', 'Second review'])}</Badge>
  return <State of={row.status} in={states} />
}
