import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useSearch } from 'wouter'
import {
  bulksActions,
  cardActions,
  productActions,
  reading,
  voucherActions,
} from '#commands/audit/audit.ts'
import type { Action, Page } from '#commands/command.ts'
import { to } from '#commands/command.ts'
import { productDetail, queuePages } from '#commands/pages/audit.ts'
import {
  auditCan,
  flagsOf,
  auditTabs,
  submitTypes,
  type AuditQueue as QueueName,
} from '#src/areas/audit/audit.ts'
import { ownMs } from '#src/domain/clock.ts'
import { unixNow } from '#src/domain/time.ts'
import { isStale, useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import { NoneYet } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { useAfter, useQueueFlow, useQueueKeys, useTopReasons } from '#src/kit/queue.ts'
import { Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction, useAnswered, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { queues, type AuditDetail, type AuditItem } from '../contract.ts'
import { columnsOf, firstShown } from './columns.tsx'
import { Done } from './Done.tsx'
import { Submission } from './Submission.tsx'

const actionsOf: Record<QueueName, Record<string, Action>> = {
  bulks: bulksActions,
  card: cardActions,
  voucher: voucherActions,
  product: productActions,
}
type Calls = (typeof queues)['bulks']
/**
 * Where a queue's rows come from and by which actions they are decided, where that is not the real
 * queue.
 */
export type Practised = {
  page: Page
  calls: Pick<Calls, 'lst' | 'counts' | 'detail' | 'claimNext'>
  actions: Record<string, Action>
  reading: Record<'zen' | 'back' | 'zoom', Action>
  claim: (row: AuditItem) => void
  /**
   * Says whether a decision was right: true goes on to the next, false stays with it; undefined
   * where it was not taken.
   */
  judge: (
    row: AuditItem,
    action: Action,
    answers: Record<string, unknown>,
    seconds: number,
  ) => Promise<boolean | undefined>
  under: (of: AuditDetail) => ReactNode
  empty: ReactNode
}
const Answered = ({
  action,
  by,
}: {
  action: Action
  by: (answers: Record<string, unknown>) => void
}) => {
  useAnswered(action, by)
  return null
}
const tabs = (
  ['open', 'mine', 'second_audit', 'need_more', 'approved', 'rejected', 'withdrawn'] as const
).map(key => ({ key, title: auditTabs[key] }))

const Filters = ({
  list,
  queue,
  isPractice,
}: {
  list: ListState<AuditItem>
  queue: QueueName
  isPractice: boolean
}) => {
  const say = useSay()
  return (
    <>
      <Keyword of={list} placeholder={say(['商品、商户或门店', 'Product, merchant or store'])} />
      {!isPractice && (
        <>
          <CityFilter of={list} />
          <MallFilter of={list} />
        </>
      )}
      <Choice
        of={list}
        by="submit_type"
        label={say(['提交类型', 'Submit type'])}
        options={Object.entries(submitTypes).map(([value, text]) => ({
          value,
          label: say(text),
        }))}
      />
      {queue === 'product' && (
        <Choice
          of={list}
          by="kind"
          label={say(['类型', 'Kind'])}
          options={[
            { value: 'goods', label: say(['门店商品', 'Store goods']) },
            { value: 'elist', label: say(['电商商品', 'Express goods']) },
          ]}
        />
      )}
      <Choice
        of={list}
        by="sort"
        always
        label={say(['排序', 'Order'])}
        options={[
          { value: 'sla', label: say(['按时限', 'By deadline']) },
          { value: 'newest', label: say(['最新提交', 'Newest']) },
          { value: 'price', label: say(['价格', 'Price']) },
        ]}
      />
      {!isPractice && <Toggle of={list} by="over_sla" label={say(['已超时', 'Late'])} />}
      <Toggle of={list} by="flagged" label={say(['有标记', 'Flagged'])} />
    </>
  )
}
type Flow = ReturnType<typeof useQueueFlow<AuditItem, AuditDetail>>
/** The submission on which the eye rests. */
const Beside = ({
  list,
  flow: { detail, shown, viewers },
  me,
  trial,
  zoom,
  setZoom,
  under,
}: {
  list: ListState<AuditItem>
  flow: Pick<Flow, 'detail' | 'shown' | 'viewers'>
  me: number
  trial: boolean
  zoom: number | undefined
  setZoom: (index: number | undefined) => void
  under: Practised['under'] | undefined
}) => {
  if (shown === undefined)
    return list.loaded && list.rows.length === 0 ? null : <NoneYet of={list} />
  if (detail.data?.task.id !== shown) return <Unanswered of={detail} lines={14} />
  return (
    <Submission
      of={viewers ? { ...detail.data, viewers } : detail.data}
      me={me}
      stale={isStale(detail)}
      trial={trial}
      zoom={zoom}
      setZoom={setZoom}
    >
      {under?.(detail.data)}
    </Submission>
  )
}
/**
 * A queue to be cleared by keyboard: rows left, the submission in full right; a decision takes the
 * eye to the next one at once.
 */
export const AuditQueue = ({ queue, practised }: { queue: QueueName; practised?: Practised }) => {
  const say = useSay()
  const now = useLang()
  const workbench = useWorkbench()
  const pane = usePane()
  const search = useSearch()
  const calls: Practised['calls'] & Partial<Calls> = practised?.calls ?? queues[queue]
  const actions = practised?.actions ?? actionsOf[queue]
  const read = practised?.reading ?? reading
  const list = useList(calls.lst)
  const { state: _, sort: __, page: ___, pageSize: ____, ...filters } = list.input
  const counts = useRead(calls.counts, filters)

  const [trial, setTrial] = useState(false)
  const [zoom, setZoom] = useState<number | undefined>(undefined)
  const flow = useQueueFlow({
    list,
    call: calls.detail,
    beat: calls.beat,
    after: useAfter(reading.after),
    mine: row => auditCan('approve', row, workbench.me.id, unixNow()) === true,
  })
  const { detail, shown, zen, advance } = flow
  useTopReasons(queues[queue].reasons)

  const since = useRef(0)
  useEffect(() => {
    since.current = ownMs()
    setTrial(false)
  }, [shown])
  const judged = useRef<AuditItem>(undefined)
  const judge = (action: Action) => (answers: Record<string, unknown>) => {
    const row = judged.current
    if (!row || !practised) return
    void practised
      .judge(row, action, answers, Math.round((ownMs() - since.current) / 1000))
      .then(right => {
        if (right !== undefined) advance([row.id], right ? 'next' : 'stay')(true)
      })
  }
  const decide = (action: Action) => (rows: readonly AuditItem[]) => {
    if (!practised) {
      flow.decide(action)(rows)
      return
    }
    judged.current = rows[0]
    if (rows[0]) void workbench.run(action, rows, { pane: pane.id })
  }
  // With what an edit needs.
  const current = (rows: readonly AuditItem[]) => {
    const of = flow.onScreen(rows)
    return of ? [{ ...of.task, tags: of.body.tags, images: of.body.images }] : rows
  }
  useAction(actions.approve!, rows => decide(actions.approve!)(current(rows)))
  useAction(actions.reject!, rows => decide(actions.reject!)(current(rows)))
  useAction(actions.askMore ?? actions.reject!, rows =>
    decide(actions.askMore ?? actions.reject!)(current(rows)),
  )
  useAction(actions.approveWithEdit ?? actions.reject!, rows =>
    decide(actions.approveWithEdit ?? actions.reject!)(current(rows)),
  )
  useQueueKeys({ claimNext: actions.claimNext!, ...read }, flow, {
    calls,
    filters,
    zoom: () => {
      if (detail.data?.body.images.length) setZoom(0)
    },
  })
  useExport(actions.export, calls.export, { list })
  useDetailAction(cardActions.calcRefund, () => setTrial(true))
  useAction(productActions.openDetail, rows => {
    if (rows[0]) openRow(rows[0])
  })

  const openRow = (row: AuditItem) => {
    if (queue === 'product') {
      workbench.open(
        to(productDetail, { ...Object.fromEntries(new URLSearchParams(search)), id: row.id }),
        'here',
      )
      return
    }
    if (practised) {
      practised.claim(row)
      return
    }
    void workbench.run(actions.claim!, [row], { pane: pane.id })
  }
  const isWork = list.input.state === 'open' || list.input.state === 'mine'
  const done = isWork ? (
    <Done
      queue={queue}
      claimNext={actions.claimNext!}
      filtered={Object.keys(filters).length > 0}
      clear={() =>
        list.filter(Object.fromEntries(Object.keys(filters).map(key => [key, undefined])))
      }
    />
  ) : undefined
  const title = titleIn(practised?.page ?? queuePages[queue], now)
  const columns = useMemo(
    () =>
      columnsOf[queue].map(column =>
        firstShown[queue].includes(column.key) ? column : { ...column, optional: true },
      ),
    [queue],
  )
  // What the rules say of the one on screen is newer than what its row was read with: what they
  // forbid now is not offered.
  const looked = detail.currentData
  const { rows, focused } = list
  const fresh = useMemo(() => {
    const now = rows.map(row =>
      looked && row.id === looked.task.id ? { ...row, flags: flagsOf(looked.findings) } : row,
    )
    return { rows: now, focusedRow: now.find(row => row.id === focused) }
  }, [rows, focused, looked])
  return (
    <>
      {practised &&
        (['approve', 'reject', 'askMore'] as const).map(verb => (
          <Answered key={verb} action={actions[verb]!} by={judge(actions[verb]!)} />
        ))}
      <ListDetail label={say(['列表与详情的分隔', 'Between list and submission'])} work alone={zen}>
        <List
          of={{ ...list, ...fresh, focus: flow.focus, step: flow.step }}
          label={title}
          columns={columns}
          actions={Object.values(actions)}
          onOpen={openRow}
          tabs={{
            by: 'state',
            all: tabs.map(tab => ({
              ...tab,
              ...(counts.data ? { count: counts.data[tab.key] ?? 0 } : {}),
            })),
          }}
          empty={practised ? practised.empty : done}
          filters={<Filters list={list} queue={queue} isPractice={practised !== undefined} />}
        />
        <Beside
          list={list}
          flow={flow}
          me={workbench.me.id}
          trial={trial}
          zoom={zoom}
          setZoom={setZoom}
          under={practised?.under}
        />
      </ListDetail>
    </>
  )
}
