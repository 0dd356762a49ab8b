import { useEffect, useMemo, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { Link, useSearch } from 'wouter'
import { productActions, productDetailActions, reading } from '#commands/audit/audit.ts'
import { to, type Action, type Me } from '#commands/command.ts'
import { product, productDetail } from '#commands/pages/audit.ts'
import { auditCan } from '#src/areas/audit/audit.ts'
import { fromQuery } from '#src/contract/query.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  dispatchWrite,
  isStale,
  skipToken,
  useAhead,
  useRead,
  type CallError,
} from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { nothingDecided, useAfter, useLease, useTopReasons } from '#src/kit/queue.ts'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useAction, usePane, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { product as calls, type AuditItem } from '../../contract.ts'
import { Submission } from '../../parts/Submission.tsx'

const actions = [
  productActions.approve,
  productActions.reject,
  ...Object.values(productDetailActions),
]

/** A flagged submission that may be approved is asked about once more. */
const asksTwice = (action: Action, row: AuditItem, me: Me): boolean =>
  action === productActions.approve && row.flags.length > 0 && action.when?.(row, me) === true

/**
 * One submission on the whole page. Opening it claims it; a decision goes straight to the next of
 * the queue it was opened from.
 */
export default function ProductAuditDetail() {
  const say = useSay()
  const dispatch = useDispatch()
  const workbench = useWorkbench()
  const pane = usePane()
  const search = useSearch()
  const params = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const id = Number(params.id)
  const sound = Number.isInteger(id) && id > 0
  const detail = useRead(calls.detail, sound ? { id } : skipToken)
  const task = detail.currentData?.task
  const [zoom, setZoom] = useState<number | undefined>(undefined)
  const [decided, setDecided] = usePaneState<number | undefined>('decided', undefined)

  // The queue this was opened from, with its filters and order: previous and next walk along it.
  const input = useMemo(() => {
    const { id: _, ...rest } = params
    const parsed = calls.lst.input.safeParse(fromQuery(calls.lst.input, rest))
    return parsed.success ? (parsed.data as object) : {}
  }, [params])
  const queue = useRead(calls.lst, input)
  const ids = useMemo(() => queue.data?.list.map(row => row.id) ?? [], [queue.data])
  const at = ids.indexOf(id)
  const go = (next: number | undefined) => {
    if (next !== undefined) workbench.open(to(productDetail, { ...params, id: next }))
  }
  const nextId = at >= 0 ? (ids[at + 1] ?? ids[at - 1]) : ids.find(one => one !== id)
  useAhead(calls.detail, nextId ? [{ id: nextId }] : [], detail.currentData !== undefined)

  const claimed = useRef<number | undefined>(undefined)
  const me = workbench.me
  useEffect(() => {
    if (
      !task ||
      claimed.current === task.id ||
      !me.can(calls.claim.permit) ||
      task.state !== 'pending' ||
      auditCan('claim', task, me.id, unixNow()) !== true
    )
      return
    claimed.current = task.id
    // Somebody may have been faster: then the page shows who, and that is answer enough.
    dispatchWrite(dispatch as never, calls.claim, { id: task.id }, { quiet: 'wholly' }).catch(
      (error: CallError) => {
        if (error.status !== 422 && error.status !== 409) workbench.toast(error.message, 'danger')
      },
    )
  }, [task, me, dispatch, workbench])
  const viewers = useLease(calls.beat, sound ? id : undefined)
  const after = useAfter(reading.after)
  useTopReasons(calls.reasons)

  const body = detail.currentData?.body
  const rows = useMemo(
    () => (task && body ? [{ ...task, tags: body.tags, images: body.images }] : []),
    [task, body],
  )
  useSubject(useMemo(() => ({ rows, total: queue.data?.total ?? 0 }), [rows, queue.data?.total]))
  const decide = (action: (typeof actions)[number]) => (given: readonly AuditItem[]) => {
    // A flagged submission is asked about once: a key pressed in the flow of the queue must not let
    // it through.
    if (given[0] && asksTwice(action, given[0], me) && asked.current !== given[0].id) {
      asked.current = given[0].id
      workbench.toast(
        say(['有机审标记，再按一次通过', 'Flagged: approve once more to confirm']),
        'warning',
      )
      return
    }
    void workbench.run(action, given, { pane: pane.id }).then(done => {
      if (!done) return
      setDecided(id)
      const { id: _, ...filters } = params
      if (after === 'next') go(nextId)
      else if (after === 'list') workbench.open(to(product, filters))
    })
  }
  const asked = useRef<number | undefined>(undefined)
  useAction(productActions.approve, decide(productActions.approve))
  useAction(productActions.reject, decide(productActions.reject))
  useAction(productDetailActions.approveWithEdit, decide(productDetailActions.approveWithEdit))
  useAction(productDetailActions.askMore, decide(productDetailActions.askMore))
  useAction(productDetailActions.next, () => go(at >= 0 ? ids[at + 1] : ids[0]))
  useAction(productDetailActions.prev, () => go(at > 0 ? ids[at - 1] : undefined))
  useAction(reading.back, () => {
    if (decided) go(decided)
    else workbench.toast(say(nothingDecided), 'none')
  })
  useAction(reading.zoom, () => {
    if (detail.data?.body.images.length) setZoom(0)
  })

  if (!sound)
    return (
      <Empty title={say(['没有指定要看的商品', 'No submission named'])}>
        <Link href={to(product)}>{say(['回到商品审核队列', 'Back to the queue'])}</Link>
      </Empty>
    )
  if (!detail.currentData) return <Unanswered of={detail} lines={16} />
  return (
    <Submission
      of={viewers ? { ...detail.currentData, viewers } : detail.currentData}
      me={me.id}
      stale={isStale(detail)}
      zoom={zoom}
      setZoom={setZoom}
    >
      <Toolbar actions={actions} rows={rows}>
        <span className="m-muted m-num">
          {at >= 0
            ? say(['第 {n} / {of} 条', '{n} of {of}'], { n: at + 1, of: queue.data?.total ?? 0 })
            : ''}
        </span>
      </Toolbar>
    </Submission>
  )
}
