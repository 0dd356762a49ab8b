import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import { to } from '#commands/command.ts'
import { rollBuyActions } from '#commands/order/rollBuy.ts'
import { rollBuyDetail } from '#commands/pages/order.ts'
import { groupStates, type GroupState } from '#src/areas/group/rollGroup.ts'
import { dispatchRead, useRead } from '#src/kit/data.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Badge, Money, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import {
  groupQuicks,
  rollBuy as calls,
  type GroupQuick,
  type GroupRow,
} from '../contract/rollBuy.ts'
import { Countdown, GroupBadge, GroupPeek, SeatDots } from './rollGroup.tsx'
import { OrderKeyword, useUnread } from './search.tsx'

const Owing = ({ of }: { of: GroupRow }) => {
  const say = useSay()
  return of.owing_n === 0 ? (
    <span className="m-muted">—</span>
  ) : (
    <Badge tone={of.payout_failed_n > 0 ? 'bad' : 'warn'}>
      {of.payout_failed_n > 0
        ? say(['{n} 人打款失败', '{n} refused'], { n: of.payout_failed_n })
        : say(['{n} 人未退完', '{n} owed'], { n: of.owing_n })}
    </Badge>
  )
}
const columns: readonly Column<GroupRow>[] = [
  {
    key: 'group_no',
    title: ['团号', 'Group'],
    width: 148,
    cell: row => row.group.group_no,
    words: row => row.group.group_no,
  },
  {
    key: 'state',
    title: ['团状态', 'Group'],
    width: 92,
    cell: row => <GroupBadge of={row.group} />,
  },
  {
    key: 'title',
    title: ['商品', 'Product'],
    width: 132,
    grow: true,
    cell: row => row.title,
    words: row => row.title,
  },
  {
    key: 'seats',
    title: ['已参团/成团', 'Joined'],
    width: 92,
    cell: row => <SeatDots of={row.group} />,
  },
  {
    key: 'left',
    title: ['剩余', 'Left'],
    width: 88,
    align: 'end',
    cell: row => <Countdown of={row.group} />,
  },
  {
    key: 'leader',
    title: ['团长', 'Leader'],
    width: 76,
    cell: row => row.leader_name || '—',
    words: row => row.leader_name,
  },
  {
    key: 'price',
    title: ['团价', 'Price'],
    width: 76,
    optional: true,
    align: 'end',
    cell: row => <Money cents={row.group_price_cents} />,
  },
  {
    key: 'paid',
    title: ['已收', 'Paid'],
    width: 84,
    optional: true,
    align: 'end',
    cell: row => <Money cents={row.paid_cents} />,
  },
  { key: 'owing', title: ['退款', 'Refunds'], width: 108, cell: row => <Owing of={row} /> },
  {
    key: 'created_at',
    title: ['开团', 'Opened'],
    width: 104,
    optional: true,
    cell: row => <When at={row.created_at} />,
  },
  {
    key: 'mall',
    title: ['商场', 'Mall'],
    width: 108,
    optional: true,
    cell: row => row.mall_name || '—',
  },
  { key: 'city', title: ['城市', 'City'], width: 72, optional: true, cell: row => row.city_name },
]

/** The groups themselves, those that still form by their end; Enter opens the leader's order. */
export const GroupList = ({ actions }: { actions: readonly Action[] }) => {
  const say = useSay()
  const workbench = useWorkbench()
  const dispatch = useDispatch()
  const list = useList(calls.groups)
  const unread = useUnread(list)
  const { state: _, page: __, pageSize: ___, ...others } = list.input
  const counts = useRead(calls.groupCounts, others)
  useAction(rollBuyActions.export, () =>
    workbench.toast(say(['导出的是订单：先切到订单', 'Orders are exported: show them first'])),
  )
  const open = async (row: GroupRow) => {
    const { seats } = await dispatchRead(dispatch as never, calls.seats, { group_id: row.id })
    const leader = seats.find(seat => seat.group_role === 'leader') ?? seats[0]
    if (leader) workbench.open(to(rollBuyDetail, { id: leader.id }))
  }
  const tabs = ['all', ...Object.keys(groupStates)] as ('all' | GroupState)[]
  const focused = list.focusedRow
  return (
    <ListDetail>
      <List
        of={list}
        empty={unread}
        label={say(['拼团', 'Groups'])}
        columns={columns}
        actions={actions}
        onOpen={row => void open(row).catch(() => {})}
        tabs={{
          by: 'state',
          all: tabs.map(key => ({
            key,
            title: key === 'all' ? ['全部', 'All'] : groupStates[key],
            ...(counts.data && { count: counts.data[key] ?? 0 }),
          })),
        }}
        filters={
          <>
            <OrderKeyword
              of={list}
              placeholder={say(['团号、订单号、手机号、商品', 'Group, order, phone, product'])}
            />
            <Choice
              of={list}
              by="quick"
              label={say(['快捷筛选', 'Quick filter'])}
              options={(Object.keys(groupQuicks) as GroupQuick[]).map(key => ({
                value: key,
                label: say(groupQuicks[key]),
              }))}
            />
            <CityFilter of={list} />
          </>
        }
      />
      {focused ? (
        <Inspector title={focused.group.group_no} aside={<GroupBadge of={focused.group} />}>
          <GroupPeek id={focused.id} />
        </Inspector>
      ) : (
        <Inspector title={undefined} />
      )}
    </ListDetail>
  )
}
