import { Link } from 'wouter'
import { to, type Action } from '#commands/command.ts'
import { queuePages } from '#commands/pages/audit.ts'
import { auditQueues, type AuditQueue } from '#src/areas/audit/audit.ts'
import { useRead } from '#src/kit/data.ts'
import { QueueEnd } from '#src/kit/queue-end.tsx'
import { duration } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { queues } from '../contract.ts'

type DoneOf = {
  queue: AuditQueue
  claimNext: Action
  /** Something is filtered away, and `clear` shows it. */
  filtered: boolean
  clear: () => void
}
/** What I did today, where the queue is empty. */
export const Done = ({ queue, claimNext, filtered, clear }: DoneOf) => {
  const say = useSay()
  const now = useLang()
  const { data } = useRead(queues[queue].today, {})
  const others = auditQueues.filter(one => one !== queue)
  return (
    <QueueEnd
      next={claimNext}
      filtered={filtered}
      clear={clear}
      done={
        data && [
          [say(['今日通过', 'Approved']), data.approved],
          [say(['驳回', 'Rejected']), data.rejected],
          [say(['要求补充', 'Asked']), data.asked],
          [
            say(['平均用时', 'Each took']),
            data.seconds_each === null ? '—' : duration(data.seconds_each, say),
          ],
        ]
      }
    >
      <p>
        {say(['去看看其他队列：', 'Other queues: '])}
        {others.map((one, i) => (
          <span key={one}>
            {i > 0 && ' · '}
            <Link href={to(queuePages[one])}>{titleIn(queuePages[one], now)}</Link>
          </span>
        ))}
      </p>
    </QueueEnd>
  )
}
