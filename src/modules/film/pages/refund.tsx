import type { Action } from '#commands/command.ts'
import { filmRefundActions as actions } from '#commands/film/refund.ts'
import { filmRefundKinds, ticketProviders } from '#src/areas/film/film.ts'
import {
  filmRefundCan,
  filmRefundTabs,
  type FilmRefundTab,
  type FilmRefundVerb,
} from '#src/areas/filmRefund/filmRefund.ts'
import { unixNow } from '#src/domain/time.ts'
import { moneyColumn, textColumn, wordColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { duration, Money, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'
import { filmRefunds as calls, type FilmRefundRow as Row } from '../contract/refund.ts'
import { FilmRefundFile } from '../parts/FilmRefundFile.tsx'
import { FilmRefundMark, Loss, ReturnMark, TimeToShow } from '../parts/filmRefundLooks.tsx'

const Waited = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.done_at) return <When at={row.done_at} />
  return <span className="m-num">{duration(unixNow() - row.created_at, say)}</span>
}
const columns: readonly Column<Row>[] = [
  {
    key: 'state',
    title: ['阶段', 'Stage'],
    width: 96,
    priority: 1,
    cell: row => <FilmRefundMark row={row} />,
  },
  {
    key: 'left',
    title: ['距开场', 'Starts in'],
    width: 92,
    priority: 1,
    align: 'end',
    cell: row => <TimeToShow row={row} />,
  },
  {
    key: 'waited',
    title: ['等待', 'Waiting'],
    width: 96,
    priority: 2,
    align: 'end',
    cell: row => <Waited row={row} />,
  },
  wordColumn('kind', ['原因', 'Cause'], 84, filmRefundKinds),
  { ...textColumn('film_name', ['影片', 'Film'], 112), grow: true },
  { ...moneyColumn('amount_cents', ['退款金额', 'Refund'], 88), priority: 1 },
  { ...moneyColumn('charge_cents', ['手续费', 'Fee'], 88), priority: 2 },
  { ...moneyColumn('give_back_cents', ['渠道退回', 'Recovered'], 88), priority: 2 },
  {
    key: 'loss',
    title: ['亏损', 'Loss'],
    width: 80,
    priority: 1,
    align: 'end',
    cell: row => <Loss row={row} />,
  },
  {
    key: 'provider_state',
    title: ['渠道退票', 'At the provider'],
    width: 96,
    cell: row => <ReturnMark row={row} />,
  },
  textColumn('cinema_name', ['影院', 'Cinema'], 150),
  textColumn('assignee_name', ['处理人', 'Assigned to'], 80),
  textColumn('order_no', ['订单号', 'Order no.'], 176),
  { ...textColumn('refund_no', ['退款单号', 'Refund no.'], 168), optional: true },
  {
    ...textColumn('seats', ['座位', 'Seats'], 140, seats => <span className="m-num">{seats}</span>),
    optional: true,
  },
  { ...wordColumn('provider', ['出票渠道', 'Provider'], 96, ticketProviders), optional: true },
  { ...moneyColumn('pay_cents', ['订单实付', 'Paid'], 88), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
]
/** The decisions after which the next row comes. */
const decided = ['approve', 'reject', 'retry'] as const satisfies readonly FilmRefundVerb[]
const Decision = ({ action, of }: { action: Action; of: ListState<Row> }) => {
  const workbench = useWorkbench()
  const pane = usePane()
  const by = { id: workbench.me.id, now: unixNow() }
  const waits = (row: Row) => decided.some(verb => filmRefundCan(verb, row, by) === true)
  useAction(action, (rows: readonly Row[]) => {
    const [row] = rows
    if (!row) return
    const later = of.rows.slice(of.rows.findIndex(one => one.id === row.id) + 1)
    const next = later.find(waits) ?? later[0]
    void workbench.run(action, rows, { pane: pane.id }).then(done => {
      if (done && next) of.focus(next.id)
    })
  })
  return null
}
/** The tabs with their numbers, and what the one in sight adds up to. */
const useTotals = (list: ListState<Row>) => {
  const { state, page: _, pageSize: __, ...filters } = list.input as Record<string, unknown>
  const { data } = useRead(calls.totals, filters)
  const of = (key: FilmRefundTab) => data?.tabs.find(one => one.state === key)
  return {
    tabs: {
      by: 'state',
      all: (Object.keys(filmRefundTabs) as FilmRefundTab[]).map(key => ({
        key,
        title: filmRefundTabs[key],
        ...(data && { count: of(key)?.count ?? 0 }),
      })),
    },
    sum: data && of(state as FilmRefundTab),
  }
}
/** Film tickets that go back, the soonest show first; a decision takes the eye to the next one. */
export default function FilmRefunds() {
  const say = useSay()
  const list = useList(calls.lst) as ListState<Row>
  const { tabs, sum } = useTotals(list)
  useExport(actions.export, calls.export, { list })
  return (
    <>
      {decided.map(verb => (
        <Decision key={verb} action={actions[verb]} of={list} />
      ))}
      <ListDetail label={say(['列表与退款详情的分隔', 'Between list and refund'])} work>
        <List
          of={list}
          label={say(['影票退款', 'Film refunds'])}
          columns={columns}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['退款单号或订单号', 'Refund or order number'])}
              />
              <Choice of={list} by="kind" label={say(['原因', 'Cause'])} words={filmRefundKinds} />
              <CityFilter of={list} />
              <Toggle of={list} by="refused" label={say(['渠道拒绝', 'Refused by provider'])} />
            </>
          }
          aside={
            sum && (
              <span className="m-muted m-num">
                {say(['合计', 'Total'])} <Money cents={sum.amount_cents} sign />
              </span>
            )
          }
        />
        <Chosen of={list} none={say(['选择一笔退款', 'Choose a refund'])}>
          {row => <FilmRefundFile key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
    </>
  )
}
