import { useMemo } from 'react'
import { Link, useSearch } from 'wouter'
import { to, type Action } from '#commands/command.ts'
import { eRefundActions, eRefundDetailActions } from '#commands/order/refund.ts'
import { eRefund, eRefundDetail } from '#commands/pages/order.ts'
import { fromQuery } from '#src/contract/query.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useAction, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { eRefund as calls } from '../../contract/eRefund.ts'
import { CaseFile } from '../../parts/CaseFile.tsx'

const actions: readonly Action[] = [
  ...Object.values(eRefundActions).filter(action => action.also?.includes(eRefundDetail)),
  ...Object.values(eRefundDetailActions),
]

/** One case on the whole page; `n` goes on along the queue it was opened from. */
export default function ERefundCase() {
  const say = useSay()
  const workbench = useWorkbench()
  const search = useSearch()
  const params = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const id = Number(params['id'])
  const sound = Number.isInteger(id) && id > 0
  const file = useRead(calls.detail, sound ? { id } : skipToken)
  // The queue this was opened from, with its filters and order.
  const input = useMemo(() => {
    const { id: _, ...rest } = params
    const parsed = calls.lst.input.safeParse(fromQuery(calls.lst.input, rest))
    return parsed.success ? (parsed.data as object) : {}
  }, [params])
  const queue = useRead(calls.lst, input)
  const ids = queue.data?.list.map(row => row.id) ?? []
  const at = ids.indexOf(id)
  useAction(eRefundDetailActions.next, () => {
    const next = at >= 0 ? ids[at + 1] : ids.find(one => one !== id)
    if (next === undefined) workbench.toast(say(['已是最后一单', 'This was the last one']), 'none')
    else workbench.open(to(eRefundDetail, { ...params, id: next }))
  })
  const row = file.currentData?.row
  const rows = useMemo(() => (row ? [row] : []), [row])
  useSubject(useMemo(() => ({ rows, total: queue.data?.total ?? 0 }), [rows, queue.data?.total]))
  if (!sound)
    return (
      <Empty title={say(['没有指定要看的售后单', 'No case named'])}>
        <Link href={to(eRefund)}>{say(['回到电商售后单', 'Back to the queue'])}</Link>
      </Empty>
    )
  if (!file.currentData) return <Unanswered of={file} lines={16} />
  return (
    <div className="r-page">
      <Toolbar actions={actions} rows={rows}>
        <span className="m-muted m-num">
          {at >= 0
            ? say(['第 {n} / {of} 单', '{n} of {of}'], { n: at + 1, of: queue.data?.total ?? 0 })
            : ''}
        </span>
      </Toolbar>
      <CaseFile of={file.currentData} />
    </div>
  )
}
