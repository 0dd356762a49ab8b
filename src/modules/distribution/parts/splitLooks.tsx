import { Cross, Error, Inbox, Tick, Time, Undo, WarningSign } from '@blueprintjs/icons'
import { openSplits, splitStates, WARN_S, type SplitState } from '#src/areas/split/split.ts'
import { unixNow } from '#src/domain/time.ts'
import { State, type States } from '#src/kit/cells.tsx'
import { Badge, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { SplitRow as Row } from '../contract/splitOrders.ts'

const states: States<SplitState> = {
  waiting: { text: splitStates.waiting, tone: 'info', icon: Inbox },
  processing: { text: splitStates.processing, tone: 'info', icon: Time },
  finished: { text: splitStates.finished, tone: 'good', icon: Tick },
  partial: { text: splitStates.partial, tone: 'warn', icon: WarningSign },
  failed: { text: splitStates.failed, tone: 'bad', icon: Error },
  unfrozen: { text: splitStates.unfrozen, icon: Cross },
  returned: { text: splitStates.returned, icon: Undo },
}
/** Where a split stands; while the channel does something else, what that is. */
export const SplitMark = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.status === 'processing' && row.doing !== 'share' ? (
    <Badge tone="info" icon={Time}>
      {say(row.doing === 'unfreeze' ? ['解冻中', 'Unfreezing'] : ['回退中', 'Returning'])}
    </Badge>
  ) : (
    <State of={row.status} in={states} />
  )
}
const isOpen = (of: Row): boolean => (openSplits as readonly SplitState[]).includes(of.status)
/** Until when the channel shares it; of what is not over said loudly when that is soon. */
export const Deadline = ({ row }: { row: Row }) => {
  const say = useSay()
  const left = row.deadline_at - unixNow()
  if (!isOpen(row)) return <When at={row.deadline_at} />
  if (left <= 0) return <Badge tone="bad">{say(['已过期限', 'Expired'])}</Badge>
  return left <= WARN_S ? (
    <Badge tone="warn">
      <When at={row.deadline_at} />
    </Badge>
  ) : (
    <When at={row.deadline_at} />
  )
}
/** How many of the receivers have their share. */
export const Shared = ({ row }: { row: Row }) => (
  <span className="m-num">
    {row.receivers.filter(one => one.status === 'done').length} / {row.receivers.length}
  </span>
)
