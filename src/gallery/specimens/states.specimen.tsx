import { Button } from '@blueprintjs/core'
import { Loading } from '#src/kit/loading.tsx'
import { Answer, Empty, Failed, Unanswered } from '#src/kit/states.tsx'
import { longNames, type Row } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const refetch = () => undefined
const answer = (data: { list: Row[] } | undefined, error?: { status: number; message: string }) => (
  <Answer of={{ data, error, refetch }} none="还没有记录">
    {({ list }) => <p>{list.length}</p>}
  </Answer>
)
export const specimen: Specimen = {
  part: 'states',
  title: ['空、加载、失败', 'Empty, loading, failed'],
  states: [
    {
      name: ['空，有下一步', 'Empty, with a next step'],
      draw: () => (
        <Empty title="没有符合条件的记录">
          <Button size="small">清除筛选</Button>
        </Empty>
      ),
    },
    { name: ['加载中', 'Loading'], draw: () => <Loading /> },
    {
      name: ['失败', 'Failed'],
      draw: () => <Failed error={{ status: 500, message: '服务器忙' }} retry={refetch} />,
    },
    {
      name: ['失败，说明很长', 'Failed, at length'],
      draw: () => <Failed error={{ status: 400, message: longNames[0]! }} retry={refetch} />,
    },
    {
      name: ['没有权限', 'No permission'],
      draw: () => <Failed error={{ status: 403, message: '' }} retry={refetch} />,
    },
    {
      name: ['连接中断', 'Connection lost'],
      draw: () => <Failed error={{ status: 0, message: '', lost: true }} retry={refetch} />,
    },
    { name: ['读取：未到', 'A read: not there yet'], draw: () => answer(undefined) },
    {
      name: ['读取：未到，长页面', 'A read: not there yet, a long page'],
      draw: () => <Unanswered of={{ refetch }} lines={16} />,
    },
    { name: ['读取：没有行', 'A read: no rows'], draw: () => answer({ list: [] }) },
    {
      name: ['读取：失败', 'A read: failed'],
      draw: () => answer(undefined, { status: 500, message: '服务器忙' }),
    },
  ],
}
