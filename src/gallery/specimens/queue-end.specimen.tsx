import { Button } from '@blueprintjs/core'
import { QueueEnd, WorkEnd } from '#src/kit/queue-end.tsx'
import { add } from '../actions.ts'
import type { Specimen } from '../specimen.ts'

const nothing = () => undefined
const done = [
  ['今日通过', 42],
  ['驳回', 3],
  ['平均用时', '1 分钟'],
] as const
export const specimen: Specimen = {
  part: 'queue-end',
  title: ['队列末尾', 'The end of a queue'],
  states: [
    {
      name: ['已清空', 'Empty'],
      draw: () => (
        <QueueEnd next={add} filtered={false} clear={nothing} done={done}>
          <Button size="small">其他队列</Button>
        </QueueEnd>
      ),
    },
    {
      name: ['筛选后为空', 'Filtered'],
      draw: () => <QueueEnd next={add} filtered clear={nothing} done={done} />,
    },
    {
      name: ['由操作日志计数', 'Counted by the log'],
      draw: () => <WorkEnd queue="risk" next={add} filtered={false} clear={nothing} />,
    },
  ],
}
