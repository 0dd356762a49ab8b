import type { z } from 'zod'
import { rowJobStates } from '#src/areas/export/rowJob.ts'
import {
  segmentKinds,
  segmentStates,
  type SegmentState,
  useKinds,
  type Sized,
} from '#src/areas/segment/segment.ts'
import { sendStates } from '#src/areas/wecom/sending.ts'
import type { Text } from '#src/domain/text.ts'
import { None, SmallTable, State, Words, type States } from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Delta, Money, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { Person, sized, SegmentRow, SegmentUse } from '../contract/groups.ts'

export const segmentLooks: States<SegmentState> = {
  computing: { text: segmentStates.computing, tone: 'info' },
  ready: { text: segmentStates.ready, tone: 'good' },
  stale: { text: segmentStates.stale, tone: 'bad' },
  archived: { text: segmentStates.archived },
}
export const segmentColumns: readonly Column<SegmentRow>[] = [
  {
    key: 'name',
    title: ['名称', 'Name'],
    width: 150,
    cell: row => row.name,
    words: row => row.name,
  },
  {
    key: 'said',
    title: ['规则', 'Rule'],
    width: 220,
    grow: true,
    priority: 1,
    cell: row =>
      row.said ? <span title={row.said}>{row.said}</span> : <Words of={segmentKinds.static} />,
    words: row => row.said,
  },
  {
    key: 'status',
    title: ['状态', 'State'],
    width: 84,
    cell: row => <State of={row.status} in={segmentLooks} />,
  },
  {
    key: 'customer_count',
    title: ['人数', 'People'],
    width: 80,
    align: 'end',
    cell: row => row.customer_count,
  },
  {
    key: 'delta',
    title: ['较上次', 'Change'],
    width: 72,
    align: 'end',
    priority: 2,
    cell: row => (row.delta === null ? <None /> : <Delta of={row.delta} />),
  },
  {
    key: 'refreshed_at',
    title: ['刷新时间', 'Updated'],
    width: 104,
    priority: 2,
    cell: row => <When at={row.refreshed_at} />,
  },
  {
    key: 'used_n',
    title: ['使用次数', 'Used'],
    width: 76,
    align: 'end',
    priority: 3,
    cell: row => row.used_n,
  },
  {
    key: 'owner_name',
    title: ['负责人', 'Owner'],
    width: 80,
    priority: 3,
    cell: row => row.owner_name,
    words: row => row.owner_name,
  },
]
const sizes: Readonly<Record<Sized['how'], Text>> = {
  exact: ['{n} 人', '{n} people'],
  sample: ['约 {n} 人', 'About {n} people'],
  below: ['少于 {n} 人', 'Fewer than {n} people'],
}
/** How many people there are, and how that is known. */
export const SizeSaid = ({ of }: { of: z.output<typeof sized> }) => {
  const say = useSay()
  const n = of.n.toLocaleString('en-US')
  const how: Readonly<Record<Sized['how'], Text>> = {
    exact: ['全部会员精确计数', 'Exact count of all members'],
    sample: [
      '按 {m} 名会员抽样估算，误差约 ±{give} 人；保存后精确计算',
      'Estimated from {m} members, about ±{give}; counted exactly when saved',
    ],
    below: [
      '抽样 {m} 名会员中极少命中，保存后精确计算',
      'Few matches among {m} sampled members; counted exactly when saved',
    ],
  }
  return (
    <p role="status">
      <strong>{say(sizes[of.how], { n })}</strong>{' '}
      <span className="m-muted">
        {say(how[of.how], {
          m: of.sampled.toLocaleString('en-US'),
          give: of.give.toLocaleString('en-US'),
        })}
      </span>
    </p>
  )
}
/** Some people, with what tells whether they are the right ones. */
export const PeopleTable = ({ of }: { of: readonly Person[] }) => {
  const say = useSay()
  if (of.length === 0) return <p className="m-muted">{say(['没有会员', 'Nobody'])}</p>
  return (
    <SmallTable
      head={[
        ['会员', 'Member'],
        ['等级', 'Level'],
        ['城市', 'City'],
        ['好友', 'Friend'],
        ['累计实付', 'Paid'],
        ['最近下单', 'Last order'],
      ]}
      rows={of}
      keyOf={one => one.id}
      cells={one => [
        <span key="who" title={one.uid}>
          {one.nickname}
        </span>,
        `V${one.level}`,
        one.city_name,
        say(one.is_friend ? ['是', 'Yes'] : ['否', 'No']),
        <Money key="paid" cents={one.total_paid_cents} />,
        <When key="at" at={one.last_order_at} />,
      ]}
    />
  )
}
const taskStates: Readonly<Record<string, Text>> = { ...rowJobStates, ...sendStates }
/** What a segment was used for; what became of it. */
export const UsesTable = ({ of }: { of: readonly SegmentUse[] }) => {
  const say = useSay()
  if (of.length === 0) return <p className="m-muted">{say(['还没有使用过', 'Not used yet'])}</p>
  return (
    <SmallTable
      head={[
        ['用途', 'Purpose'],
        ['内容', 'What'],
        ['名单', 'List'],
        ['完成', 'Done'],
        ['状态', 'State'],
        ['时间', 'Time'],
      ]}
      rows={of}
      keyOf={one => one.id}
      cells={one => [
        <Words key="kind" of={useKinds[one.kind]} />,
        <span key="what" title={`${one.what} · ${one.by_name}`}>
          {one.what}
        </span>,
        one.begun_n,
        one.done_n,
        say(taskStates[one.state ?? ''] ?? ['已结束', 'Over']),
        <When key="at" at={one.created_at} />,
      ]}
    />
  )
}
