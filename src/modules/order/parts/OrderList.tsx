import { useCallback, useState, type ReactNode } from 'react'
import type { Action, Page } from '#commands/command.ts'
import { to } from '#commands/command.ts'
import { orderStatuses, statusTabs, type OrderStatus } from '#src/areas/order/order.ts'
import type { Text } from '#src/domain/text.ts'
import { Among } from '#src/kit/among.tsx'
import { Listed } from '#src/kit/cells.tsx'
import { skipToken, useRead, type ReadState } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Thumb } from '#src/kit/image.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { useRested } from '#src/kit/rested.ts'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { Seen } from '#src/kit/seen.tsx'
import { Money, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import {
  PERIOD_DAYS,
  quickFilters,
  type ListCalls,
  type OrderDetail,
  type QuickFilter,
} from '../contract/shared.ts'
import { Peek } from './Peek.tsx'
import { OrderKeyword, useUnread } from './search.tsx'
import { OrderState } from './show.tsx'
import './order.css'

type Row = OrderRow
/** The columns that most lists of orders have; a page takes those it needs and adds its own. */
export const columnsOf = {
  order_no: {
    key: 'order_no',
    title: ['订单号', 'Order no.'],
    width: 176,
    cell: row => row.order_no,
    words: row => row.order_no,
  },
  member: {
    key: 'member',
    title: ['会员', 'Member'],
    width: 96,
    cell: row => row.member_name || <span className="m-muted">—</span>,
    words: row => row.member_name,
  },
  phone: {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 104,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
  },
  title: {
    key: 'title',
    title: ['商品', 'Product'],
    width: 220,
    grow: true,
    cell: row => (
      <>
        <Thumb of={row.image} />
        {row.title}
        {row.item_count > 1 && <span className="m-muted"> +{row.item_count - 1}</span>}
      </>
    ),
    words: row => row.title,
  },
  store: {
    key: 'store',
    title: ['门店', 'Store'],
    width: 132,
    cell: row => row.store_name,
    words: row => row.store_name,
  },
  mall: {
    key: 'mall',
    title: ['商场', 'Mall'],
    width: 108,
    optional: true,
    cell: row => row.mall_name || '—',
  },
  merchant: {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    width: 132,
    optional: true,
    cell: row => row.merchant_name,
  },
  qty: { key: 'qty', title: ['数量', 'Qty'], width: 52, align: 'end', cell: row => row.qty },
  usage: {
    key: 'usage',
    title: ['已用/已退/总数', 'Used/ref./all'],
    width: 84,
    align: 'end',
    cell: row => `${row.used}/${row.refunded + row.refunding}/${row.units}`,
  },
  paid: {
    key: 'paid',
    title: ['实付', 'Paid'],
    width: 88,
    priority: 1,
    align: 'end',
    cell: row => <Money cents={row.paid_cents || row.pay_cents} />,
  },
  discount: {
    key: 'discount',
    title: ['平台优惠', 'Discount'],
    width: 76,
    align: 'end',
    optional: true,
    cell: row => <Money cents={row.platform_discount_cents} />,
  },
  left: {
    key: 'left',
    title: ['剩余价值', 'Left'],
    width: 88,
    align: 'end',
    cell: row => <Money cents={row.left_cents} />,
  },
  status: {
    key: 'status',
    title: ['状态', 'Status'],
    width: 148,
    cell: row => <OrderState row={row} />,
  },
  paid_at: {
    key: 'paid_at',
    title: ['支付时间', 'Paid at'],
    width: 104,
    cell: row => <When at={row.paid_at} />,
  },
  created_at: {
    key: 'created_at',
    title: ['下单时间', 'Placed'],
    width: 104,
    optional: true,
    cell: row => <When at={row.created_at} />,
  },
  valid_until: {
    key: 'valid_until',
    title: ['有效期至', 'Valid until'],
    width: 104,
    cell: row => <When at={row.valid_until} />,
  },
  tags: {
    key: 'tags',
    title: ['标签', 'Tags'],
    width: 96,
    optional: true,
    cell: row => <Listed of={row.tags} />,
  },
} satisfies Record<string, Column<Row>>

type Props = {
  calls: ListCalls
  at: Page
  detail: Page
  actions: readonly Action[]
  columns: readonly Column<Row>[]
  /** Statuses; or tabs of the page's own, by the filter that they set. */
  tabs: readonly OrderStatus[] | { by: string; all: Readonly<Record<string, Text>> }
  quick: readonly QuickFilter[]
  /** The period is of the payment, not of the order. */
  byPayment?: boolean
  /** More filters of the page's own. */
  filters?: (list: ListState<Row>) => ReactNode
  /** Beside the actions: totals, switches. */
  aside?: (list: ListState<Row>) => ReactNode
  revealPhone: Action
  /** Above the list: what its orders have in common. */
  above?: (list: ListState<Row>) => ReactNode
  /** What a status is called here, where it is called otherwise. */
  titles?: Partial<Record<OrderStatus, Text>>
  /** Above what is known of the order in focus: what waits for somebody. */
  notices?: (of: OrderDetail) => ReactNode
}
/** The tabs of a list with what each counts: the page's own, or those of statuses. */
const tabsOf = (
  tabs: Props['tabs'],
  titles: Props['titles'],
  counts: Readonly<Record<string, number>> = {},
) => {
  const tab = (key: string, title: Text) => ({
    key,
    title,
    ...(counts[key] !== undefined && { count: counts[key] }),
  })
  const all = tab('all', ['全部', 'All'])
  if ('by' in tabs)
    return {
      by: tabs.by,
      all: [all, ...Object.entries(tabs.all).map(([key, title]) => tab(key, title))],
    }
  return {
    by: 'status',
    all: [
      all,
      ...statusTabs(tabs, counts).map(key => tab(key, titles?.[key] ?? orderStatuses[key])),
    ],
  }
}
const Filters = ({
  list,
  calls,
  quick,
  byPayment,
  children,
}: Pick<Props, 'calls' | 'quick' | 'byPayment'> & {
  list: ListState<Row>
  children: ReactNode
}) => {
  const say = useSay()
  return (
    <>
      <OrderKeyword
        of={list}
        placeholder={say(['单号、手机、券码、商品', 'No., phone, code, product'])}
      />
      <Choice
        of={list}
        by="quick"
        label={say(['快捷筛选', 'Quick filter'])}
        options={quick.map(key => ({ value: key, label: say(quickFilters[key]) }))}
      />
      <CityFilter of={list} />
      <MallFilter of={list} />
      <Among
        of={list}
        by="store_id"
        label={say(['门店', 'Store'])}
        find={calls.stores}
        labelOf={row => row.name}
      />
      {byPayment ? (
        <Period
          of={list}
          from="paid_from"
          to="paid_to"
          most={PERIOD_DAYS}
          usual={['支付时间', 'When paid']}
        />
      ) : (
        <Period
          of={list}
          from="from"
          to="to"
          most={PERIOD_DAYS}
          usual={['下单时间', 'When placed']}
        />
      )}
      {children}
    </>
  )
}
/** What is known of the order in focus. */
const Beside = ({
  row,
  shown,
  peek,
  notices,
}: Pick<Props, 'notices'> & {
  row: Row | undefined
  shown: OrderDetail | undefined
  peek: ReadState<OrderDetail>
}) => {
  if (row === undefined) return <Inspector title={undefined} />
  return (
    <Inspector title={row.order_no} aside={<OrderState row={shown?.order ?? row} />}>
      <Seen>
        <Answer of={{ ...peek, data: shown }} lines={10}>
          {of => (
            <>
              {notices?.(of)}
              <Peek of={of} />
            </>
          )}
        </Answer>
      </Seen>
    </Inspector>
  )
}
/** A phone that was asked for, as long as it is shown. */
const useRevealed = (by: Action, list: ListState<Row>) => {
  const [revealed, setRevealed] = useState<Revealed | undefined>(undefined)
  const hide = useCallback(() => setRevealed(undefined), [])
  useResult(
    by,
    ({ id, phone, seconds, left }: { id: number; phone: string; seconds: number; left: number }) =>
      setRevealed({
        label: ['完整手机号', 'The phone'],
        of: list.rows.find(one => one.id === id)?.order_no ?? '',
        value: phone,
        seconds,
        left,
      }),
  )
  return [revealed, hide] as const
}
/**
 * A list of orders: one field that knows what was pasted, tabs whose counts are the list's own, and
 * everything about the order in focus beside it.
 */
export const OrderList = ({
  calls,
  at,
  detail,
  actions,
  columns,
  tabs,
  quick,
  byPayment,
  filters,
  aside,
  revealPhone,
  above,
  titles,
  notices,
}: Props) => {
  const say = useSay()
  const workbench = useWorkbench()
  const list = useList(calls.lst)
  const unread = useUnread(list)
  const { status: _, stage: ____, page: __, pageSize: ___, ...others } = list.input
  const counts = useRead(calls.counts, others)
  const row = list.focusedRow
  const [rested] = useRested(row?.id)
  const peek = useRead(calls.detail, rested === undefined ? skipToken : { id: rested })
  useExport(
    actions.find(action => action.call === calls.export)!,
    calls.export,
    { list },
  )
  const [revealed, hide] = useRevealed(revealPhone, list)
  const shown = peek.currentData?.order.id === row?.id ? peek.currentData : undefined
  const under = (part: ReactNode) =>
    above ? (
      <div className="o-above">
        {above(list)}
        {part}
      </div>
    ) : (
      part
    )
  return (
    <>
      <ListDetail>
        {under(
          <List
            of={list}
            empty={unread}
            label={say([at.title, at.en])}
            columns={columns}
            actions={actions}
            onOpen={row => workbench.open(to(detail, { id: row.id }))}
            aside={aside?.(list)}
            tabs={tabsOf(tabs, titles, counts.data)}
            filters={
              <Filters list={list} calls={calls} quick={quick} byPayment={byPayment}>
                {filters?.(list)}
              </Filters>
            }
          />,
        )}
        <Beside row={row} shown={shown} peek={peek} notices={notices} />
      </ListDetail>
      {revealed && <RevealDialog of={revealed} close={hide} />}
    </>
  )
}
