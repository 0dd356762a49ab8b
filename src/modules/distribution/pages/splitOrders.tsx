import { splitActions as actions } from '#commands/distribution/splitOrders.ts'
import { splitTabs, type SplitTab } from '#src/areas/split/split.ts'
import { moneyColumn, None, textColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Money, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { splitOrders as calls, type SplitRow as Row } from '../contract/splitOrders.ts'
import { SplitFile } from '../parts/SplitFile.tsx'
import { Deadline, Shared, SplitMark } from '../parts/splitLooks.tsx'

const columns: readonly Column<Row>[] = [
  { ...textColumn('merchant_name', ['商户', 'Merchant'], 160), grow: true },
  {
    key: 'status',
    title: ['状态', 'State'],
    width: 104,
    priority: 1,
    cell: row => <SplitMark row={row} />,
  },
  {
    key: 'shared',
    title: ['接收方', 'Receivers'],
    width: 80,
    align: 'end',
    cell: row => <Shared row={row} />,
  },
  { ...moneyColumn('total_cents', ['应分金额', 'Share due'], 104), priority: 1 },
  {
    key: 'deadline_at',
    title: ['分账期限', 'Deadline'],
    width: 124,
    priority: 1,
    cell: row => <Deadline row={row} />,
  },
  {
    key: 'fail_reason',
    title: ['失败原因', 'Failure reason'],
    width: 180,
    priority: 2,
    cell: row => row.fail_reason || <None />,
  },
  textColumn('order_no', ['订单号', 'Order no.'], 176),
  moneyColumn('splittable_cents', ['可分金额', 'Shareable'], 104),
  moneyColumn('order_cents', ['订单实付', 'Paid'], 104),
  { ...moneyColumn('returned_cents', ['已回退', 'Returned'], 104), optional: true },
  { ...textColumn('split_no', ['分账单号', 'Split no.'], 176), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 64), optional: true },
  {
    key: 'created_at',
    title: ['创建时间', 'Made at'],
    width: 108,
    optional: true,
    cell: row => <When at={row.created_at} />,
  },
]
/** The tabs with their numbers, and what the one in sight adds up to. */
const useTotals = (list: ListState<Row>) => {
  const { status, page: _, pageSize: __, ...filters } = list.input as Record<string, unknown>
  const { data } = useRead(calls.totals, filters)
  const within = (key: string) =>
    (data?.states ?? []).filter(one =>
      key === 'open'
        ? ['waiting', 'processing', 'partial', 'failed'].includes(one.status)
        : one.status === key,
    )
  const of = (key: string) => ({
    count: within(key).reduce((sum, one) => sum + one.count, 0),
    cents: within(key).reduce((sum, one) => sum + (one.total_cents ?? 0), 0),
  })
  return {
    tabs: {
      by: 'status',
      all: (Object.keys(splitTabs) as SplitTab[]).map(key => ({
        key,
        title: splitTabs[key],
        ...(data && { count: of(key).count }),
      })),
    },
    sum: data && of(status as string).cents,
  }
}
/** Orders whose money is shared at the payment channel, what is soonest first. */
export default function SplitOrders() {
  const say = useSay()
  const list = useList(calls.lst) as ListState<Row>
  const { tabs, sum } = useTotals(list)
  useExport(actions.export, calls.export, { list })
  return (
    <ListDetail label={say(['列表与分账详情的分隔', 'Between list and split'])} work>
      <List
        of={list}
        label={say(['分账订单', 'Profit-sharing orders'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
        filters={
          <>
            <Keyword of={list} placeholder={say(['分账单号或订单号', 'Split or order number'])} />
            <CityFilter of={list} />
            <Toggle of={list} by="soon" label={say(['5 天内到期', 'Ends in 5 days'])} />
          </>
        }
        aside={
          sum !== undefined && (
            <span className="m-muted m-num">
              {say(['合计', 'Total'])} <Money cents={sum} sign />
            </span>
          )
        }
      />
      <Chosen of={list} none={say(['选择一笔分账', 'Choose a split'])}>
        {row => <SplitFile key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
