import { useEffect, useMemo, useRef } from 'react'
import { useDispatch } from 'react-redux'
import { Link, useSearch } from 'wouter'
import type { Action, Page } from '#commands/command.ts'
import type {
  couponAuditActions,
  couponDetailActions,
  couponReading,
} from '#commands/coupon/audit.ts'
import type { couponAuditDetail, ecouponAuditDetail } from '#commands/pages/coupon.ts'
import { couponAuditCan } from '#src/areas/coupon/couponAudit.ts'
import { fromQuery } from '#src/contract/query.ts'
import { unixNow } from '#src/domain/time.ts'
import { dispatchWrite, useAhead, useRead, type CallError } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { nothingDecided, useAfter, useLease, useTopReasons } from '#src/kit/queue.ts'
import { Answer, Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useAction, usePane, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import type { CouponAuditCalls, CouponAuditItem } from '../contract/audit.ts'
import { CouponSubmission } from './auditSubmission.tsx'

type DetailPage = typeof couponAuditDetail | typeof ecouponAuditDetail
type Of = {
  calls: CouponAuditCalls
  actions: typeof couponAuditActions
  own: typeof couponDetailActions
  reading: typeof couponReading
  at: DetailPage
  queue: Page
}
type Params = Readonly<Record<string, string>>
const addressOf = (
  { path }: Pick<Page, 'path'>,
  params: Readonly<Record<string, string | number>>,
) =>
  `${path}?${new URLSearchParams(Object.entries(params).map(([key, value]) => [key, String(value)]))}`

/** The queue that a submission was opened from, with its filters and order: where its neighbours are. */
const useNeighbours = ({ calls, at: page }: Of, id: number, params: Params) => {
  const workbench = useWorkbench()
  const input = useMemo(() => {
    const { id: _, ...rest } = params
    const parsed = calls.lst.input.safeParse(fromQuery(calls.lst.input, rest))
    return parsed.success ? (parsed.data as object) : {}
  }, [params, calls])
  const { data } = useRead(calls.lst, input)
  const ids = useMemo(() => data?.list.map(row => row.id) ?? [], [data])
  const at = ids.indexOf(id)
  const go = (next: number | undefined) => {
    if (next !== undefined) workbench.open(addressOf(page, { ...params, id: next }))
  }
  return {
    at,
    total: data?.total ?? 0,
    after: at < 0 ? ids[0] : ids[at + 1],
    before: at > 0 ? ids[at - 1] : undefined,
    go,
  }
}
/** Opening a submission claims it, where it waits and is mine to decide. */
const useClaimed = (calls: CouponAuditCalls, task: CouponAuditItem | undefined) => {
  const dispatch = useDispatch()
  const workbench = useWorkbench()
  const claimed = useRef<number | undefined>(undefined)
  const { me } = workbench
  useEffect(() => {
    if (!task || claimed.current === task.id || task.state !== 'pending') return
    if (!me.can(calls.claim.permit)) return
    if (couponAuditCan('claim', task, me.id, unixNow()) !== true) return
    claimed.current = task.id
    // Somebody may have been faster: then the page shows who, and that is answer enough.
    dispatchWrite(dispatch as never, calls.claim, { id: task.id }, { quiet: 'wholly' }).catch(
      (error: CallError) => {
        if (error.status !== 422 && error.status !== 409) workbench.toast(error.message, 'danger')
      },
    )
  }, [task, me, dispatch, workbench, calls])
}
const Decided = ({
  action,
  decide,
}: {
  action: Action
  decide: (action: Action) => (rows: readonly CouponAuditItem[]) => void
}) => {
  const done = decide(action)
  useAction(action, rows => done(rows as readonly CouponAuditItem[]))
  return null
}
const decisionsOf = ({ actions, own }: Of): readonly Action[] => [
  actions.approve,
  actions.approveKnowing,
  actions.finance,
  actions.reject,
  own.excludeGoods,
  actions.askMore,
  actions.escalate,
]

const Detail = ({ of, id, params }: { of: Of; id: number; params: Params }) => {
  const { calls, actions, own, reading, queue } = of
  const say = useSay()
  const workbench = useWorkbench()
  const pane = usePane()
  const detail = useRead(calls.detail, { id })
  const task = detail.currentData?.task
  const neighbours = useNeighbours(of, id, params)
  const { after: next, before, go, at, total } = neighbours
  const [decided, setDecided] = usePaneState<number | undefined>('decided', undefined)
  useAhead(calls.detail, next ? [{ id: next }] : [], task !== undefined)
  useClaimed(calls, task)
  const viewers = useLease(calls.beat, id)
  const after = useAfter(reading.after)
  useTopReasons(calls.reasons)
  const rows = useMemo(() => (task ? [task] : []), [task])
  useSubject(useMemo(() => ({ rows, total }), [rows, total]))
  const decide = (action: Action) => (given: readonly CouponAuditItem[]) =>
    void workbench.run(action, given, { pane: pane.id }).then(done => {
      if (!done) return
      setDecided(id)
      const { id: _, ...filters } = params
      if (after === 'next') go(next ?? before)
      else if (after === 'list') workbench.open(addressOf(queue, filters))
    })
  useExport(own.exportGoods, calls.exportGoods, { filters: () => ({ id }) })
  useAction(own.next, () => go(next))
  useAction(own.prev, () => go(before))
  useAction(reading.back, () => {
    if (decided) go(decided)
    else workbench.toast(say(nothingDecided), 'none')
  })
  const decisions = decisionsOf(of)
  return (
    <>
      {decisions.map(action => (
        <Decided key={action.id} action={action} decide={decide} />
      ))}
      <Answer of={{ ...detail, data: detail.currentData }} lines={16}>
        {data => (
          <CouponSubmission
            of={viewers ? { ...data, viewers } : data}
            me={workbench.me.id}
            stale={false}
            goods={calls.goods}
          >
            <Toolbar
              actions={[...decisions, actions.comment, own.exportGoods, own.prev, own.next]}
              rows={rows}
            >
              <span className="m-muted m-num">
                {at >= 0 && say(['第 {n} / {of} 条', '{n} of {of}'], { n: at + 1, of: total })}
              </span>
            </Toolbar>
          </CouponSubmission>
        )}
      </Answer>
    </>
  )
}
/** The page of one submission: opening it claims it, a decision goes to the next of its queue. */
export const couponDetailPage = (of: Of) =>
  function CouponAuditDetail() {
    const say = useSay()
    const search = useSearch()
    const params = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
    const id = Number(params.id)
    if (Number.isInteger(id) && id > 0) return <Detail of={of} id={id} params={params} />
    return (
      <Empty title={say(['没有指定要看的优惠券', 'No coupon named'])}>
        <Link href={of.queue.path}>{say(['回到审核队列', 'Back to the queue'])}</Link>
      </Empty>
    )
  }
