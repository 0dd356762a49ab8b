import { Button } from '@blueprintjs/core'
import { Link } from 'wouter'
import { to, type Action } from '#commands/command.ts'
import { queuePages } from '#commands/pages/audit.ts'
import { auditQueues, type AuditQueue } from '#src/areas/audit/audit.ts'
import { useRead } from '#src/kit/data.ts'
import { duration, Keys } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { usePane, useWorkbench } from '#src/kit/workbench.ts'
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
  const { keysOf } = useWorkbench()
  const { stage } = usePane()
  const { data } = useRead(queues[queue].today, {})
  const others = auditQueues.filter(one => one !== queue)
  return (
    <Empty
      title={
        filtered
          ? say(['筛选出的都处理完了', 'All that was filtered is done'])
          : say(['队列已清空', 'The queue is empty'])
      }
    >
      {data && (
        <dl className="a-today">
          <div>
            <dt>{say(['今日通过', 'Approved'])}</dt>
            <dd>{data.approved}</dd>
          </div>
          <div>
            <dt>{say(['驳回', 'Rejected'])}</dt>
            <dd>{data.rejected}</dd>
          </div>
          <div>
            <dt>{say(['要求补充', 'Asked'])}</dt>
            <dd>{data.asked}</dd>
          </div>
          <div>
            <dt>{say(['平均用时', 'Each took'])}</dt>
            <dd>{data.seconds_each === null ? '—' : duration(data.seconds_each, say)}</dd>
          </div>
        </dl>
      )}
      <p>
        <Button
          data-command={claimNext.id}
          onClick={() => void stage.performer(claimNext.id)?.([])}
        >
          {titleIn(claimNext, now)}
          <Keys keys={keysOf(claimNext.id)} />
        </Button>{' '}
        {filtered && <Button onClick={clear}>{say(['清除筛选', 'Clear the filters'])}</Button>}
      </p>
      <p>
        {say(['去看看其他队列：', 'Other queues: '])}
        {others.map((one, i) => (
          <span key={one}>
            {i > 0 && ' · '}
            <Link href={to(queuePages[one])}>{titleIn(queuePages[one], now)}</Link>
          </span>
        ))}
      </p>
    </Empty>
  )
}
