import { useSearch } from 'wouter'
import { behindActions } from '#commands/settle/data.ts'
import { figureOf, figureTitles, type FigureKey } from '#src/areas/funds/figures.ts'
import { businesses } from '#src/areas/ledger/ledger.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { lineStates } from '#src/areas/settle/settle.ts'
import { textColumn, timeColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { Money } from '#src/kit/show.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { filtersOf, useList } from '#src/kit/uselist.ts'
import { funds as calls, type BehindRow } from '../contract/data.ts'
import { FundsFilterBar } from './Funds.tsx'
import { Traced } from './looks.tsx'

const Stands = ({ row }: { row: BehindRow }) => {
  const say = useSay()
  if (row.status) return <>{say(lineStates[row.status])}</>
  return <>{row.biz ? say(businesses[row.biz]) : ''}</>
}
const Kind = ({ row }: { row: BehindRow }) => {
  const say = useSay()
  return <>{row.order_kind ? say(orderKinds[row.order_kind]) : '—'}</>
}
const columns: readonly Column<BehindRow>[] = [
  timeColumn('at', ['时间', 'When'], 120),
  { ...textColumn('what', ['商品 / 账户', 'Goods or account'], 240), grow: true },
  {
    key: 'stands',
    title: ['状态 / 业务', 'State or business'],
    width: 120,
    cell: row => <Stands row={row} />,
  },
  {
    key: 'amount_cents',
    title: ['金额', 'Amount'],
    width: 130,
    align: 'end',
    cell: row => <Money cents={row.amount_cents} />,
  },
  {
    key: 'order_no',
    title: ['订单号', 'Order'],
    width: 190,
    priority: 1,
    cell: row => (row.order_no ? <Traced no={row.order_no} /> : '—'),
    words: row => row.order_no,
  },
  {
    key: 'order_kind',
    title: ['订单类型', 'Kind'],
    width: 100,
    priority: 2,
    cell: row => <Kind row={row} />,
  },
  {
    ...textColumn('no', ['凭证号', 'Number'], 170),
    priority: 3,
    cell: row => <span className="m-num">{row.no || '—'}</span>,
  },
]
/** What the figure of these rows comes to: the same as on the overview. */
const Sum = ({ of }: { of: object }) => {
  const say = useSay()
  const { data } = useRead(calls.rows, { ...of, page: 1, pageSize: 1 } as never)
  return (
    <span className="m-muted" role="status">
      {data && (
        <>
          {say(['合计', 'Total'])} <Money cents={data.amount_cents} sign />
        </>
      )}
    </span>
  )
}
const Behind = ({ figure }: { figure: FigureKey }) => {
  const say = useSay()
  const list = useList(calls.rows)
  return (
    <List
      of={list}
      label={say(['{figure}明细', 'Rows of {figure}'], { figure: say(figureTitles[figure]) })}
      columns={columns}
      actions={Object.values(behindActions)}
      filters={
        <>
          <Choice
            of={list}
            by="figure"
            label={say(['指标', 'Figure'])}
            words={figureTitles}
            always
          />
          <FundsFilterBar of={list} />
          <Sum of={filtersOf(list)} />
        </>
      }
      empty={
        <Empty title={say(['期间没有这样的明细', 'Nothing within the range'])}>
          <p>{say(figureOf(figure).how)}</p>
        </Empty>
      }
    />
  )
}
/** The rows of the figure that the address names: of the total where it names none. */
export const FundsRows = () => {
  const asked = new URLSearchParams(useSearch()).get('figure')
  const figure = asked !== null && asked in figureTitles ? (asked as FigureKey) : 'total'
  return <Behind key={figure} figure={figure} />
}
