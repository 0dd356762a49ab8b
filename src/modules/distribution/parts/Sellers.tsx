import { useMemo } from 'react'
import { sellerActions as actions } from '#commands/distribution/sellers.ts'
import { levels, sellerStates, type SellerKind } from '#src/areas/distribution/sellers.ts'
import type { Text } from '#src/domain/text.ts'
import { moneyColumn, numberColumn, textColumn, timeColumn, Words } from '#src/kit/cells.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { CityFilter, MallFilter } from '#src/kit/places.tsx'
import { Badge, Money } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { sellersPage as calls, type SellerRow } from '../contract/index.ts'
import { SellerDetail } from './SellerDetail.tsx'
import { RefundRate, StateOf, TeamOf } from './sellerLooks.tsx'
import { useSellerTold } from './useSellerTold.tsx'

const Balance = ({ row }: { row: SellerRow }) => {
  const say = useSay()
  if (row.debt_cents === 0) return <Money cents={row.balance_cents} />
  return (
    <>
      <Badge tone="bad">{say(['欠款', 'Owes'])}</Badge> <Money cents={-row.debt_cents} />
    </>
  )
}
const refunds: Column<SellerRow> = {
  key: 'refund_bp',
  title: ['退款率', 'Refund rate'],
  width: 76,
  align: 'end',
  priority: 2,
  cell: row => <RefundRate bp={row.refund_bp} />,
}
const level: Column<SellerRow> = {
  key: 'level_no',
  title: ['等级', 'Level'],
  width: 64,
  priority: 2,
  cell: row => <Words of={levels[row.level_no]!} />,
}
const team: Column<SellerRow> = {
  key: 'group',
  title: ['团队', 'Team'],
  width: 140,
  priority: 2,
  cell: row => <TeamOf row={row} />,
  words: row => row.group_name,
}
const store: Column<SellerRow> = {
  ...textColumn('store_name', ['门店', 'Store'], 150),
  priority: 2,
}
const name: Column<SellerRow> = { ...textColumn('name', ['姓名', 'Name'], 120), grow: true }
const status: Column<SellerRow> = {
  key: 'status',
  title: ['状态', 'State'],
  width: 92,
  cell: row => <StateOf row={row} />,
}
const figures: readonly Column<SellerRow>[] = [
  { ...numberColumn('customer_count', ['绑定客户', 'Customers'], 76), priority: 2 },
  { ...moneyColumn('gmv_cents', ['成交额', 'GMV'], 104), sort: 'gmv', priority: 1 },
  { ...numberColumn('order_count', ['订单', 'Orders'], 60), priority: 3 },
  refunds,
  { ...moneyColumn('estimated_cents', ['预估佣金', 'Estimated'], 92), priority: 3 },
  { ...moneyColumn('frozen_cents', ['冻结佣金', 'On hold'], 92), priority: 3 },
  {
    key: 'balance',
    title: ['佣金余额', 'Balance'],
    width: 104,
    align: 'end',
    priority: 2,
    cell: row => <Balance row={row} />,
  },
  { ...moneyColumn('withdrawn_cents', ['已提现', 'Withdrawn'], 92), priority: 4 },
  { ...timeColumn('last_sale_at', ['最近成交', 'Last sale'], 104), priority: 3 },
  { ...textColumn('city_name', ['城市', 'City'], 64), priority: 4 },
  { ...textColumn('mall_name', ['商场', 'Mall'], 120), optional: true },
  { ...timeColumn('joined_at', ['加入时间', 'Joined'], 104), optional: true },
  { ...timeColumn('created_at', ['申请时间', 'Applied'], 104), optional: true },
  { ...numberColumn('id', ['编号', 'ID'], 64), optional: true },
]
const columnsOf: Readonly<Record<SellerKind, readonly Column<SellerRow>[]>> = {
  expert: [name, status, level, team, ...figures],
  guide: [name, status, store, ...figures],
  store: [name, status, ...figures],
}
const labels: Readonly<Record<SellerKind, Text>> = {
  expert: ['达人列表', 'Experts'],
  guide: ['导购列表', 'Store guides'],
  store: ['分销门店列表', 'Distributing stores'],
}

/** Sellers of one kind: what they brought, what they earned, and who waits to be admitted. */
export const Sellers = ({ kind }: { kind: SellerKind }) => {
  const say = useSay()
  const list = useList(
    calls.lst,
    useMemo(() => ({ kind }), [kind]),
  )
  const { tabs } = useStateTabs(list, calls.lst, sellerStates)
  useExport(actions.export, calls.export, { list })
  const told = useSellerTold(list.rows)
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(labels[kind])}
          columns={columnsOf[kind]}
          actions={Object.values(actions)}
          tabs={tabs}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['姓名、手机号、邀请码', 'Name, phone or invite code'])}
              />
              <CityFilter of={list} />
              <MallFilter of={list} />
              {kind === 'expert' && (
                <Choice of={list} by="level_no" label={say(['等级', 'Level'])} words={levels} />
              )}
              <Toggle of={list} by="idle" label={say(['30 天无成交', 'No sales in 30 days'])} />
              <Toggle of={list} by="refunding" label={say(['高退款率', 'High refund rate'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一位分销员', 'Choose a seller'])}>
          {row => <SellerDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {told}
    </>
  )
}
