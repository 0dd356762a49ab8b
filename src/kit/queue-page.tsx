import { useState, type ComponentType } from 'react'
import type { Action } from '#commands/command.ts'
import { waits } from '#src/areas/application/application.ts'
import { auditTabs } from '#src/areas/audit/audit.ts'
import type { Read, Write } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { textColumn } from './cells.tsx'
import { isStale, useRead } from './data.ts'
import { useExport } from './exporting.ts'
import { Choice, Keyword, Toggle } from './filters.tsx'
import type { Column } from './grid.tsx'
import { NoneYet } from './inspector.tsx'
import { List } from './list.tsx'
import { ListDetail } from './listdetail.tsx'
import { CityFilter } from './places.tsx'
import { QueueEnd } from './queue-end.tsx'
import { useAfter, useQueueFlow, useQueueKeys, useTopReasons } from './queue.ts'
import { duration, When } from './show.tsx'
import { Unanswered } from './states.tsx'
import { Flags, StateBadge, Waiting, type Waits } from './submission.tsx'
import { useSay } from './text.ts'
import { useList, type ListState } from './uselist.ts'
import { useAction, useWorkbench } from './workbench.ts'

/** What the list of a queue of applications shows of a row. */
type Queued = Waits & {
  city_name: string
  bd_name: string
  submitter_name: string
  round: number
  flags: readonly string[]
  reason_code: string | null
}
type Words = Readonly<Record<string, Text>>
type Names = {
  kinds: Words
  codes: Words
  flag: (rule: string) => Text
  /** Whose it is: the BD, unless said otherwise. */
  owner?: Text
}

const Flagged = ({ of, flag }: { of: readonly string[]; flag: Names['flag'] }) => {
  const say = useSay()
  return <Flags words={of.map(rule => say(flag(rule)))} />
}
const Kind = ({ row, kinds }: { row: Queued & { kind: string }; kinds: Words }) => {
  const say = useSay()
  return (
    <>
      {say(kinds[row.kind]!)}
      {row.round > 1 && <span className="m-muted"> ·{row.round}</span>}
    </>
  )
}
const Decision = ({ row, codes }: { row: Queued; codes: Words }) => {
  const say = useSay()
  if (!row.decider_name) return <span className="m-muted">—</span>
  const code = row.reason_code === null ? undefined : codes[row.reason_code]
  return (
    <>
      {row.decider_name}
      {code && <span className="m-muted"> · {say(code)}</span>}
    </>
  )
}
/**
 * The columns that every queue of applications has: `named` is the first, `more` stand among them.
 */
export const queueColumns = <Row extends Queued & { kind: string }>(
  { kinds, codes, flag, owner = ['BD', 'BD'] }: Names,
  named: Text,
  more: readonly Column<Row>[],
): readonly Column<Row>[] => [
  { ...textColumn('title', named, 200), grow: true },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 92,
    priority: 1,
    cell: row => <StateBadge row={row} />,
  },
  {
    key: 'waiting',
    title: ['等待', 'Waiting'],
    width: 96,
    priority: 1,
    align: 'end',
    cell: row => <Waiting row={row} />,
  },
  {
    key: 'kind',
    title: ['类型', 'Kind'],
    width: 120,
    cell: row => <Kind row={row} kinds={kinds} />,
  },
  {
    key: 'flags',
    title: ['风险提示', 'Flags'],
    width: 116,
    cell: row => <Flagged of={row.flags} flag={flag} />,
  },
  textColumn('city_name', ['城市', 'City'], 64),
  textColumn('bd_name', owner, 72),
  {
    key: 'claimer',
    title: ['领取人', 'Claimed by'],
    width: 84,
    cell: row => row.claimer_name ?? <span className="m-muted">—</span>,
  },
  ...more,
  { ...textColumn('submitter_name', ['提交人', 'Submitted by'], 80), optional: true },
  {
    key: 'submitted',
    title: ['提交时间', 'Submitted'],
    width: 104,
    cell: row => <When at={row.submitted_at} />,
    optional: true,
  },
  {
    key: 'decision',
    title: ['审核结果', 'Decision'],
    width: 150,
    cell: row => <Decision row={row} codes={codes} />,
    words: row => row.reason ?? '',
    optional: true,
  },
]

const tabs = (['open', 'mine', 'need_more', 'approved', 'rejected', 'withdrawn'] as const).map(
  key => ({ key, title: auditTabs[key] }),
)
type Counts = Readonly<Record<string, number>> | undefined
const Filters = <Row extends Queued>({
  list,
  counts,
  kinds,
  placeholder,
  More,
}: {
  list: ListState<Row>
  counts: Counts
  kinds: Words
  placeholder: Text
  More: Of<Row, unknown>['More']
}) => {
  const say = useSay()
  const counted = (of: Words, prefix: string) =>
    Object.entries(of).map(([value, text]) => {
      const n = counts?.[prefix + value]
      return { value, label: n === undefined ? say(text) : `${say(text)} ${n}` }
    })
  return (
    <>
      <Keyword of={list} placeholder={say(placeholder)} />
      <Choice of={list} by="kind" label={say(['类型', 'Kind'])} options={counted(kinds, 'kind_')} />
      <Choice
        of={list}
        by="wait"
        label={say(['等待', 'Waiting'])}
        options={counted(waits, 'wait_')}
      />
      <CityFilter of={list} />
      <Toggle of={list} by="flagged" label={say(['有风险提示', 'Flagged'])} />
      {More && <More list={list} />}
    </>
  )
}
type Today = { approved: number; rejected: number; asked: number; seconds_each: number | null }
/** What I did today, where nothing waits. */
const Done = <Row extends Queued>({
  list,
  filters,
  call,
  next,
}: {
  list: ListState<Row>
  filters: object
  call: Read<{}, unknown, Today>
  next: Action
}) => {
  const say = useSay()
  const { data } = useRead(call, {})
  const keys = Object.keys(filters)
  return (
    <QueueEnd
      next={next}
      filtered={keys.length > 0}
      clear={() => list.filter(Object.fromEntries(keys.map(key => [key, undefined])))}
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
    />
  )
}

type Viewers = readonly { id: number; name: string }[]
type Detail<Row> = { task: Row; viewers: Viewers }
/** What a view of a submission is given. */
export type Viewed<D> = {
  of: D
  me: number
  stale: boolean
  zoom: number | undefined
  setZoom: (at: number | undefined) => void
}
type Calls<Row, D> = {
  lst: Read<object, unknown, { list: Row[]; total: number }>
  counts: Read<object, unknown, Record<string, number>>
  detail: Read<{ id: number }, unknown, D>
  today: Read<{}, unknown, Today>
  reasons: Read<{}, unknown, { codes: readonly string[] }>
  beat: Write<{ id: number }, unknown, { viewers: { id: number; name: string }[] }>
  claimNext: Write<object, unknown, { tasks: Row[] }>
  export: Parameters<typeof useExport>[1] & object
}
type Of<Row, D> = {
  calls: Calls<Row, D>
  actions: Readonly<Record<string, Action>> & { claimNext: Action; export: Action }
  /** The actions after which the next one comes. */
  decisions: readonly Action[]
  reading: Record<'zen' | 'back' | 'zoom' | 'after', Action>
  columns: readonly Column<Row>[]
  kinds: Words
  /** What the list is of, and what its search finds by. */
  label: Text
  placeholder: Text
  /** Filters beside those that every queue has. */
  More?: ComponentType<{ list: ListState<Row> }>
  /** Whether a row is for this person to decide now. */
  mine: (row: Row, me: number) => boolean
  /** Whether there is a picture to look at. */
  pictured: (of: D) => boolean
  View: ComponentType<Viewed<D>>
}
/** A decision of the queue, made about what is on screen. */
const Decided = <Row extends Queued, D extends { task: Row }>({
  action,
  flow: { decide, onScreen },
}: {
  action: Action
  flow: ReturnType<typeof useQueueFlow<Row, D>>
}) => {
  useAction(action, rows => {
    const of = onScreen(rows as readonly Row[])
    decide(action)(of ? [of.task] : (rows as readonly Row[]))
  })
  return null
}
/** What the page does by keys: reads on, claims, shows pictures, exports. */
const useQueue = <Row extends Queued, D extends Detail<Row>>(
  { calls, actions, reading, mine, pictured }: Of<Row, D>,
  setZoom: (at: number) => void,
) => {
  const { me } = useWorkbench()
  const list = useList(calls.lst) as ListState<Row>
  const { state, page: _, pageSize: __, ...filters } = list.input as Asked
  const flow = useQueueFlow<Row, D>({
    list,
    call: calls.detail,
    beat: calls.beat,
    after: useAfter(reading.after),
    mine: row => mine(row, me.id),
  })
  const { data } = flow.detail
  useTopReasons(calls.reasons as never)
  useQueueKeys({ claimNext: actions.claimNext, ...reading }, flow, {
    calls: calls as never,
    filters,
    zoom: () => {
      if (data && pictured(data)) setZoom(0)
    },
  })
  useExport(actions.export, calls.export, { list })
  return { me: me.id, list, filters, flow, isOpen: state === 'open' || state === 'mine' }
}
type Asked = { state: string; page: number; pageSize: number }
type Flow<Row extends Queued, D extends Detail<Row>> = ReturnType<typeof useQueue<Row, D>>
/** The submission on which the eye rests. */
const Beside = <Row extends Queued, D extends Detail<Row>>({
  queue: {
    me,
    list,
    flow: { detail, shown, viewers },
  },
  zoom,
  setZoom,
  View,
}: { queue: Flow<Row, D>; View: Of<Row, D>['View'] } & Pick<Viewed<D>, 'zoom' | 'setZoom'>) => {
  if (shown === undefined)
    return list.loaded && list.rows.length === 0 ? null : <NoneYet of={list} />
  if (detail.data?.task.id !== shown) return <Unanswered of={detail} lines={14} />
  return (
    <View
      of={viewers ? { ...detail.data, viewers } : detail.data}
      me={me}
      stale={isStale(detail)}
      zoom={zoom}
      setZoom={setZoom}
    />
  )
}
const Page = <Row extends Queued, D extends Detail<Row>>({ of }: { of: Of<Row, D> }) => {
  const { calls, actions, kinds, placeholder } = of
  const say = useSay()
  const [zoom, setZoom] = useState<number | undefined>(undefined)
  const queue = useQueue(of, setZoom)
  const { list, filters, flow, isOpen } = queue
  const counts = useRead(calls.counts, filters).data
  return (
    <ListDetail
      label={say(['列表与详情的分隔', 'Between list and application'])}
      work
      alone={flow.zen}
    >
      <>
        {of.decisions.map(action => (
          <Decided key={action.id} action={action} flow={flow} />
        ))}
        <List
          of={{ ...list, focus: flow.focus, step: flow.step }}
          label={say(of.label)}
          columns={of.columns}
          actions={Object.values(actions)}
          tabs={{
            by: 'state',
            all: tabs.map(tab => ({ ...tab, ...(counts && { count: counts[tab.key] ?? 0 }) })),
          }}
          empty={
            isOpen ? (
              <Done list={list} filters={filters} call={calls.today} next={actions.claimNext} />
            ) : undefined
          }
          filters={
            <Filters
              list={list}
              counts={counts}
              kinds={kinds}
              placeholder={placeholder}
              More={of.More}
            />
          }
        />
      </>
      <Beside queue={queue} View={of.View} zoom={zoom} setZoom={setZoom} />
    </ListDetail>
  )
}
/**
 * The page of a queue of applications: rows left, one in full right; a decision goes to the next at
 * once.
 */
export const queuePage = <Row extends Queued, D extends Detail<Row>>(of: Of<Row, D>) =>
  function QueuePage() {
    return <Page of={of} />
  }
