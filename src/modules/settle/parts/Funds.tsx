import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { figureActions as actions, rowsOf } from '#commands/settle/data.ts'
import { bases, FIGURE_DAYS, figureOf, figureTitles } from '#src/areas/funds/figures.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { SmallTable, wordColumn } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Figure, Money, Section, shortYuan } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { filtersOf, useList, type Filtered } from '#src/kit/uselist.ts'
import { useAction } from '#src/kit/workbench.ts'
import { funds as calls, type FigureRow, type FundsFilters } from '../contract/data.ts'

const PARTS = 8
const Name = ({ of }: { of: FigureRow['key'] }) => <>{useSay()(figureTitles[of])}</>
const columns: readonly Column<FigureRow>[] = [
  {
    key: 'key',
    title: ['指标', 'Figure'],
    width: 120,
    cell: row => <Name of={row.key} />,
  },
  {
    key: 'amount_cents',
    title: ['金额', 'Amount'],
    width: 120,
    align: 'end',
    cell: row => (row.amount_cents === null ? '—' : <Money cents={row.amount_cents} />),
  },
  {
    key: 'count',
    title: ['行数', 'Rows'],
    width: 80,
    align: 'end',
    cell: row => (row.count === null ? '—' : <Figure of={row.count} />),
  },
  wordColumn('basis', ['口径', 'Counted'], 84, bases),
  {
    key: 'how',
    title: ['说明', 'Definition'],
    width: 170,
    grow: true,
    priority: 2,
    cell: row => <How of={row.key} />,
  },
]
const How = ({ of }: { of: FigureRow['key'] }) => <>{useSay()(figureOf(of).how)}</>

type Part = { name: string; amount_cents: number; count: number }
/** The largest parts of a figure, and what the others come to. */
const Parts = ({ title, of }: { title: string; of: readonly Part[] }) => {
  const say = useSay()
  const rest = of.slice(PARTS)
  const shown =
    rest.length === 0
      ? of
      : [
          ...of.slice(0, PARTS),
          {
            name: say(['其他 {n} 项', '{n} others'], { n: rest.length }),
            amount_cents: rest.reduce((sum, one) => sum + one.amount_cents, 0),
            count: rest.reduce((sum, one) => sum + one.count, 0),
          },
        ]
  if (of.length === 0) return null
  return (
    <Section title={title}>
      <SmallTable
        head={[
          ['名称', 'Name'],
          ['金额', 'Amount'],
          ['行数', 'Rows'],
        ]}
        rows={shown}
        keyOf={part => part.name}
        cells={part => [part.name, <Money key="amount" cents={part.amount_cents} />, part.count]}
      />
    </Section>
  )
}
const Look = ({ row, filters }: { row: FigureRow; filters: FundsFilters }) => {
  const say = useSay()
  const read = useRead(calls.look, { ...filters, figure: row.key })
  const figure = figureOf(row.key)
  const days = read.data?.days
  const categories = useMemo(() => (days ?? []).map(one => one.day.slice(5)), [days])
  const series = useMemo(
    () => [
      {
        name: say(figure.title),
        kind: figure.basis === 'stock' ? ('line' as const) : ('bar' as const),
        values: (days ?? []).map(one => one.amount_cents / 100),
      },
    ],
    [days, figure, say],
  )
  return (
    <Inspector title={say(figure.title)} aside={<Badge>{say(bases[figure.basis])}</Badge>}>
      {row.amount_cents === null ? (
        <p>
          {say([
            '余额不区分订单类型，请去掉该筛选',
            'Balances are of all orders: take that filter off',
          ])}
        </p>
      ) : (
        <Answer of={read} lines={10}>
          {of => (
            <>
              <Section title={say(['每日', 'By day'])}>
                <p className="m-muted">{say(figure.how)}</p>
                <Chart
                  label={say(['{figure}每日金额（元）', '{figure} by day, yuan'], {
                    figure: say(figure.title),
                  })}
                  categories={categories}
                  series={series}
                  axis={value => shortYuan(value * 100, say)}
                  height={180}
                />
              </Section>
              <Parts
                title={say(['按订单类型', 'By kind of order'])}
                of={of.kinds.map(({ key, ...sum }) => ({
                  name: key === null ? say(['不涉及订单', 'No order']) : say(orderKinds[key]),
                  ...sum,
                }))}
              />
              <Parts title={say(['按城市', 'By city'])} of={of.cities} />
              <Parts title={say(['按商场', 'By mall'])} of={of.malls} />
            </>
          )}
        </Answer>
      )}
    </Inspector>
  )
}
/** What the figures and their rows are filtered by. */
export const FundsFilterBar = ({ of }: { of: Filtered }) => {
  const say = useSay()
  return (
    <>
      <Period of={of} from="from" to="to" most={FIGURE_DAYS} usual={['近 30 天', 'Last 30 days']} />
      <CityFilter of={of} />
      <MallFilter of={of} />
      <Choice
        of={of}
        by="order_kind"
        label={say(['订单类型', 'Kind of order'])}
        words={orderKinds}
      />
    </>
  )
}
/** The thirteen figures; beside them the trend and the parts of the one in focus. */
export const Funds = () => {
  const say = useSay()
  const list = useList(calls.lst)
  const [, navigate] = useLocation()
  const filters = filtersOf(list)
  const drill = (row: FigureRow) => {
    if (row.count !== null) navigate(rowsOf(row.key, filters as Record<string, string | number>))
  }
  useAction(actions.drill, () => {
    if (list.focusedRow) drill(list.focusedRow)
  })
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['资金指标', 'Figures'])}
        columns={columns}
        actions={Object.values(actions)}
        onOpen={drill}
        filters={<FundsFilterBar of={list} />}
      />
      <Chosen
        of={list}
        none={say(['选择一个指标，看趋势与构成', 'Choose a figure for its trend and parts'])}
      >
        {row => <Look key={row.key} row={row} filters={filters} />}
      </Chosen>
    </ListDetail>
  )
}
