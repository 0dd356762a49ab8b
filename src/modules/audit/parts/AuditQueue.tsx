import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
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
import { skipToken, useAhead, useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useAnswered, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { queues, type AuditDetail, type AuditItem } from '../contract.ts'
import { claimOrMine, noneFree, nothingDecided } from './claim.ts'
import { columnsOf, firstShown } from './columns.tsx'
import { Done } from './Done.tsx'
import { useAfter, useLease, useTopReasons } from './flow.ts'
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
const AHEAD = 2

/**
 * A queue to be cleared by keyboard: rows left, the submission in full right; a decision takes the
 * eye to the next one at once.
 */
export const AuditQueue = ({ queue, practised }: { queue: QueueName; practised?: Practised }) => {
  const say = useSay()
  const now = useLang()
  const dispatch = useDispatch()
  const workbench = useWorkbench()
  const pane = usePane()
  const search = useSearch()
  const calls: Practised['calls'] & Partial<Calls> = practised?.calls ?? queues[queue]
  const actions = practised?.actions ?? actionsOf[queue]
  const read = practised?.reading ?? reading
  const list = useList(calls.lst)
  const { state: _, sort: __, page: ___, pageSize: ____, ...filters } = list.input
  const counts = useRead(calls.counts, filters)

  const [zen, setZen] = usePaneState('zen', false)
  const [held, setHeld] = usePaneState<number | undefined>('held', undefined)
  const [trial, setTrial] = useState(false)
  const [zoom, setZoom] = useState<number | undefined>(undefined)
  const [lastDecided, setLastDecided] = usePaneState<number | undefined>('decided', undefined)
  const [shown, setShown] = useRested(held ?? list.focused)
  const detail = useRead(calls.detail, shown === undefined ? skipToken : { id: shown })

  const at = list.rows.findIndex(row => row.id === shown)
  // The next one that is mine to decide: what a colleague holds is passed over.
  const mineOf = (rows: readonly AuditItem[]) =>
    rows.find(row => auditCan('approve', row, workbench.me.id, unixNow()) === true)
  const later = list.rows.slice(at + 1)
  const ahead = [...new Set([mineOf(later), ...later.slice(0, AHEAD)])].flatMap(row =>
    row ? [{ id: row.id }] : [],
  )
  useAhead(calls.detail, ahead, detail.currentData !== undefined)

  const viewers = useLease(calls.beat, shown)
  const after = useAfter()
  useTopReasons(queue)

  const since = useRef(0)
  useEffect(() => {
    since.current = ownMs()
  }, [shown])
  const advance = (ids: readonly number[], where = after) => {
    setLastDecided(ids.at(-1))
    setHeld(undefined)
    setTrial(false)
    const from = list.rows.findIndex(row => row.id === ids[0])
    const others = list.rows.slice(from + 1).filter(row => !ids.includes(row.id))
    const next =
      mineOf(others) ??
      others[0] ??
      list.rows.slice(0, Math.max(0, from)).findLast(row => !ids.includes(row.id))
    const back = list.hide(ids)
    list.focus(next?.id)
    // A reader who stays sees the decided item as it is now; the list goes on beside it.
    if (where === 'stay') setHeld(ids[0])
    if (where === 'list') setZen(false)
    setShown(where === 'stay' ? ids[0] : next?.id)
    return (done: boolean) => {
      back(done ? 'done' : 'refused')
      if (!done) {
        list.focus(ids[0])
        setShown(ids[0])
      }
    }
  }
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
  // Without questions the next one is there before the server has answered; a refusal brings the
  // decided one back.
  const decide = (action: Action) => (rows: readonly AuditItem[]) => {
    const [row] = rows
    if (!row) return
    if (practised) {
      judged.current = row
      void workbench.run(action, rows, { pane: pane.id })
      return
    }
    if (action.asks) {
      void workbench.run(action, rows, { pane: pane.id }).then(done => {
        if (done) advance([row.id])(true)
      })
      return
    }
    const settle = advance([row.id])
    void workbench.run(action, rows, { pane: pane.id }).then(settle)
  }
  // The row as its detail knows it, when that is the one on screen: newer, and with what an edit
  // needs.
  const current = (rows: readonly AuditItem[]) => {
    const of = detail.currentData
    return of && (held === of.task.id || (rows.length === 1 && rows[0]!.id === of.task.id))
      ? [{ ...of.task, tags: of.body.tags, images: of.body.images }]
      : rows
  }
  useAction(actions.approve!, rows => decide(actions.approve!)(current(rows)))
  useAction(actions.reject!, rows => decide(actions.reject!)(current(rows)))
  useAction(actions.askMore ?? actions.reject!, rows =>
    decide(actions.askMore ?? actions.reject!)(current(rows)),
  )
  useAction(actions.approveWithEdit ?? actions.reject!, rows =>
    decide(actions.approveWithEdit ?? actions.reject!)(current(rows)),
  )
  useDetailAction(actions.claimNext!, () => {
    void claimOrMine(dispatch, calls, filters).then(
      found => {
        if (found) {
          setHeld(list.rows.some(row => row.id === found.task.id) ? undefined : found.task.id)
          list.focus(found.task.id)
          setShown(found.task.id)
        }
        if (!found || found.own) workbench.toast(say(noneFree(found?.task)), 'none')
      },
      () => {},
    )
  })
  useExport(actions.export, calls.export, { list })
  useAction(read.zen, () => setZen(!zen))
  useDetailAction(read.zoom, () => {
    if (detail.data?.body.images.length) setZoom(0)
  })
  useDetailAction(read.back, () => {
    if (lastDecided) {
      setHeld(lastDecided)
      setShown(lastDecided)
    } else workbench.toast(say(nothingDecided), 'none')
  })
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
  // From what is looked at beside the list a step leads to the list's own row, which nobody has
  // seen yet.
  const step = (by: number, extend?: boolean) => {
    const beside = held !== undefined && held !== list.focused
    setHeld(undefined)
    if (!beside || extend) list.step(by, extend)
  }
  const focusRow = (id: number | undefined) => {
    setHeld(undefined)
    setTrial(false)
    list.focus(id)
  }
  return (
    <>
      {practised &&
        (['approve', 'reject', 'askMore'] as const).map(verb => (
          <Answered key={verb} action={actions[verb]!} by={judge(actions[verb]!)} />
        ))}
      <ListDetail label={say(['列表与详情的分隔', 'Between list and submission'])} work alone={zen}>
        <List
          of={{ ...list, ...fresh, focus: focusRow, step }}
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
          empty={
            practised ? (
              practised.empty
            ) : list.input.state === 'open' || list.input.state === 'mine' ? (
              <Done
                queue={queue}
                claimNext={actions.claimNext!}
                filtered={Object.keys(filters).length > 0}
                clear={() =>
                  list.filter(Object.fromEntries(Object.keys(filters).map(key => [key, undefined])))
                }
              />
            ) : undefined
          }
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['商品、商户或门店', 'Product, merchant or store'])}
              />
              {!practised && (
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
              {!practised && <Toggle of={list} by="over_sla" label={say(['已超时', 'Late'])} />}
              <Toggle of={list} by="flagged" label={say(['有标记', 'Flagged'])} />
            </>
          }
        />
        {shown === undefined ? (
          list.loaded && list.rows.length === 0 ? null : (
            <Loading />
          )
        ) : detail.data && detail.data.task.id === shown ? (
          <Submission
            of={viewers ? { ...detail.data, viewers } : detail.data}
            me={workbench.me.id}
            stale={detail.isFetching && !detail.currentData}
            trial={trial}
            zoom={zoom}
            setZoom={setZoom}
          >
            {practised?.under(detail.data)}
          </Submission>
        ) : detail.error ? (
          <Failed error={detail.error} retry={detail.refetch} />
        ) : (
          <Loading lines={14} />
        )}
      </ListDetail>
    </>
  )
}
