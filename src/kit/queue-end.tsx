import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { Action } from '#commands/command.ts'
import { workQueues, type WorkQueue } from '#src/areas/workbench/queues.ts'
import { doneToday } from '#src/contract/done.ts'
import { useRead } from './data.ts'
import { Keys } from './show.tsx'
import { Empty } from './states.tsx'
import { titleIn, useLang, useSay } from './text.ts'
import { usePane, useWorkbench } from './workbench.ts'

type End = {
  /** Takes the next item of the queue. */
  next: Action
  /** Something is filtered away, and `clear` shows it. */
  filtered: boolean
  clear: () => void
  children?: ReactNode
}
/** The end of a queue: what was done today, as label and value, and the next item by its key. */
export const QueueEnd = ({
  next,
  filtered,
  clear,
  done,
  children,
}: End & { done: readonly (readonly [label: string, value: ReactNode])[] | undefined }) => {
  const say = useSay()
  const now = useLang()
  const { me, keysOf } = useWorkbench()
  const { stage } = usePane()
  return (
    <Empty
      title={
        filtered
          ? say(['筛选出的都处理完了', 'All that was filtered is done'])
          : say(['队列已清空', 'The queue is empty'])
      }
    >
      {done && (
        <dl className="m-done">
          {done.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <p>
        {me.can(next.permit) && (
          <Button data-command={next.id} onClick={() => void stage.performer(next.id)?.([])}>
            {titleIn(next, now)}
            <Keys keys={keysOf(next.id)} />
          </Button>
        )}{' '}
        {filtered && <Button onClick={clear}>{say(['清除筛选', 'Clear the filters'])}</Button>}
      </p>
      {children}
    </Empty>
  )
}
/** The same for a queue whose decisions the operation log counts. */
export const WorkEnd = ({ queue, ...end }: End & { queue: WorkQueue }) => {
  const say = useSay()
  const { data } = useRead(doneToday.of, { queue })
  const labels = workQueues[queue].map(([name]) =>
    say(['今日{name}', '{name} today'], { name: say(name) }),
  )
  return (
    <QueueEnd
      {...end}
      done={data && labels.map((label, at) => [label, data.counts[at] ?? 0] as const)}
    />
  )
}
