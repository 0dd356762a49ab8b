import { useState } from 'react'
import { shopAuditActions as actions, shopReading as reading } from '#commands/shop/audit.ts'
import {
  applicationCan,
  applicationKinds,
  bodyFields,
  refuseCodes,
  waits,
  type RefuseCode,
} from '#src/areas/application/application.ts'
import { shortApplicationRule } from '#src/areas/application/findings.ts'
import { auditTabs } from '#src/areas/audit/audit.ts'
import { unixNow } from '#src/domain/time.ts'
import { textColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { QueueEnd } from '#src/kit/queue-end.tsx'
import { useAfter, useQueueFlow, useQueueKeys, useTopReasons } from '#src/kit/queue.ts'
import { duration, When } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { Flags, StateBadge, Waiting } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { shopAudit as calls, type ApplicationItem } from '../contract/audit.ts'
import { ApplicationView } from '../parts/application.tsx'
import '../parts/shop.css'

const Flagged = ({ row }: { row: ApplicationItem }) => {
  const say = useSay()
  return <Flags words={row.flags.map(flag => say(shortApplicationRule(flag)))} />
}
const Kind = ({ row }: { row: ApplicationItem }) => {
  const say = useSay()
  return (
    <>
      {say(applicationKinds[row.kind])}
      {row.round > 1 && <span className="m-muted"> ·{row.round}</span>}
    </>
  )
}
const Changes = ({ row }: { row: ApplicationItem }) => {
  const say = useSay()
  if (row.kind === 'merchant') return <span className="m-muted">—</span>
  return <>{row.changed.map(field => say(bodyFields[field])).join('、')}</>
}
const Decision = ({ row }: { row: ApplicationItem }) => {
  const say = useSay()
  if (!row.decider_name) return <span className="m-muted">—</span>
  return (
    <>
      {row.decider_name}
      {row.reason_code && (
        <span className="m-muted"> · {say(refuseCodes[row.reason_code as RefuseCode])}</span>
      )}
    </>
  )
}
const columns: readonly Column<ApplicationItem>[] = [
  { ...textColumn('title', ['商户', 'Merchant'], 200), grow: true },
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
  { key: 'kind', title: ['类型', 'Kind'], width: 120, cell: row => <Kind row={row} /> },
  { key: 'flags', title: ['风险提示', 'Flags'], width: 116, cell: row => <Flagged row={row} /> },
  textColumn('city_name', ['城市', 'City'], 64),
  textColumn('bd_name', ['BD', 'BD'], 72),
  {
    key: 'claimer',
    title: ['领取人', 'Claimed by'],
    width: 84,
    cell: row => row.claimer_name ?? <span className="m-muted">—</span>,
  },
  {
    key: 'changed',
    title: ['变更内容', 'Changes'],
    width: 180,
    cell: row => <Changes row={row} />,
  },
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
    cell: row => <Decision row={row} />,
    words: row => row.reason ?? '',
    optional: true,
  },
]
const tabs = (['open', 'mine', 'need_more', 'approved', 'rejected', 'withdrawn'] as const).map(
  key => ({ key, title: auditTabs[key] }),
)

const Filters = ({
  list,
  counts,
}: {
  list: ListState<ApplicationItem>
  counts: Record<string, number> | undefined
}) => {
  const say = useSay()
  const counted = <K extends string>(of: Record<K, readonly [string, string]>, prefix: string) =>
    (Object.keys(of) as K[]).map(value => {
      const n = counts?.[prefix + value]
      return { value, label: n === undefined ? say(of[value]) : `${say(of[value])} ${n}` }
    })
  return (
    <>
      <Keyword of={list} placeholder={say(['商户名称或编号', 'Merchant or number'])} />
      <Choice
        of={list}
        by="kind"
        label={say(['类型', 'Kind'])}
        options={counted(applicationKinds, 'kind_')}
      />
      <Choice
        of={list}
        by="wait"
        label={say(['等待', 'Waiting'])}
        options={counted(waits, 'wait_')}
      />
      <CityFilter of={list} />
      <Toggle of={list} by="flagged" label={say(['有风险提示', 'Flagged'])} />
    </>
  )
}
/** What I did today, where nothing waits. */
const Done = ({ list, filters }: { list: ListState<ApplicationItem>; filters: object }) => {
  const say = useSay()
  const { data } = useRead(calls.today, {})
  const keys = Object.keys(filters)
  return (
    <QueueEnd
      next={actions.claimNext}
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

type Zoom = readonly [number | undefined, (at: number | undefined) => void]
type BesideOf = { flow: ReturnType<typeof useFlow>; none: boolean; me: number; zoom: Zoom }
/** The application on which the eye rests. */
const Beside = ({
  flow: { detail, shown, viewers },
  none,
  me,
  zoom: [zoom, setZoom],
}: BesideOf) => {
  if (shown === undefined) return none ? null : <Loading />
  if (detail.data?.task.id !== shown)
    return detail.error ? (
      <Failed error={detail.error} retry={detail.refetch} />
    ) : (
      <Loading lines={14} />
    )
  return (
    <ApplicationView
      of={viewers ? { ...detail.data, viewers } : detail.data}
      me={me}
      stale={detail.isFetching && !detail.currentData}
      zoom={zoom}
      setZoom={setZoom}
    />
  )
}
const useFlow = (list: ListState<ApplicationItem>, me: number) =>
  useQueueFlow({
    list,
    call: calls.detail,
    beat: calls.beat,
    after: useAfter(reading.after),
    mine: row => applicationCan('approve', row, me, unixNow()) === true,
  })

/** What merchants apply for: rows left, one in full right; a decision goes to the next at once. */
export default function MerchantApplications() {
  const say = useSay()
  const { me } = useWorkbench()
  const list = useList(calls.lst)
  const { state, page: _, pageSize: __, ...filters } = list.input
  const counts = useRead(calls.counts, filters).data
  const [zoom, setZoom] = useState<number | undefined>(undefined)
  const flow = useFlow(list, me.id)
  const { detail, decide, onScreen } = flow
  const current = (rows: readonly ApplicationItem[]) => {
    const of = onScreen(rows)
    return of ? [of.task] : rows
  }
  useTopReasons(calls.reasons)
  useAction(actions.approve, rows => decide(actions.approve)(current(rows)))
  useAction(actions.reject, rows => decide(actions.reject)(current(rows)))
  useAction(actions.askMore, rows => decide(actions.askMore)(current(rows)))
  useAction(actions.blacklist, rows => decide(actions.blacklist)(current(rows)))
  useQueueKeys({ claimNext: actions.claimNext, ...reading }, flow, {
    calls,
    filters,
    zoom: () => {
      if (detail.data?.body.license_image) setZoom(0)
    },
  })
  useExport(actions.export, calls.export, { list })
  const isOpen = state === 'open' || state === 'mine'
  return (
    <ListDetail
      label={say(['列表与详情的分隔', 'Between list and application'])}
      work
      alone={flow.zen}
    >
      <List
        of={{ ...list, focus: flow.focus, step: flow.step }}
        label={say(['入驻申请', 'Applications'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={{
          by: 'state',
          all: tabs.map(tab => ({ ...tab, ...(counts && { count: counts[tab.key] ?? 0 }) })),
        }}
        empty={isOpen ? <Done list={list} filters={filters} /> : undefined}
        filters={<Filters list={list} counts={counts} />}
      />
      <Beside
        flow={flow}
        none={list.loaded && list.rows.length === 0}
        me={me.id}
        zoom={[zoom, setZoom]}
      />
    </ListDetail>
  )
}
