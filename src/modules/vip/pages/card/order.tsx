import { vipOrderActions as actions } from '#commands/vip/cardOrder.ts'
import { payWays } from '#src/areas/order/order.ts'
import { openedBy } from '#src/areas/vipCard/subscription.ts'
import { vipOrderStates } from '#src/areas/vipCard/vipOrder.ts'
import { Among } from '#src/kit/among.tsx'
import { moneyColumn, stateColumn, textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Period } from '#src/kit/period.tsx'
import { CityFilter } from '#src/kit/places.tsx'
import { Money } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { vipOrders as calls, type VipOrderRow as Row } from '../../contract/cardOrder.ts'
import { Figures } from '../../parts/Figures.tsx'
import { orderLooks, VipOrderDetail } from '../../parts/VipOrderDetail.tsx'

const YEARS_DAYS = 1100
const columns: readonly Column<Row>[] = [
  { ...timeColumn('created_at', ['下单时间', 'Ordered'], 116), priority: 1 },
  { ...textColumn('member_name', ['会员', 'Member'], 110), grow: true },
  { ...textColumn('card_name', ['卡种', 'Plan'], 104), grow: true },
  wordColumn('kind', ['类型', 'Kind'], 80, openedBy),
  stateColumn('state', ['状态', 'State'], 88, orderLooks),
  moneyColumn('pay_cents', ['金额', 'Amount'], 84),
  { ...moneyColumn('refunded_cents', ['已退', 'Refunded'], 84), priority: 1 },
  { ...timeColumn('start_at', ['开始', 'From'], 108), priority: 3 },
  { ...timeColumn('end_at', ['结束', 'Until'], 108), priority: 2 },
  {
    ...textColumn('source', ['来源', 'Source'], 120),
    priority: 2,
    cell: row => row.source || row.distributor || <span className="m-muted">—</span>,
  },
  {
    key: 'channel',
    title: ['支付渠道', 'Paid by'],
    width: 88,
    priority: 4,
    cell: row => <Channel row={row} />,
  },
  { ...textColumn('order_no', ['订单号', 'Order no.'], 176), optional: true },
  { ...textColumn('city_name', ['城市', 'City'], 72), optional: true },
]
const Channel = ({ row }: { row: Row }) => {
  const say = useSay()
  return row.channel === null ? (
    <span className="m-muted">—</span>
  ) : (
    <>{say(payWays[row.channel])}</>
  )
}
/** What the orders of the filters brought. */
const Totals = ({ list }: { list: ListState<Row> }) => {
  const say = useSay()
  const { page: _, pageSize: __, sort: ___, ...filters } = list.input as Record<string, unknown>
  const { data } = useRead(calls.totals, filters)
  return (
    <Figures
      label={say(['合计', 'Totals'])}
      of={[
        [say(['订单', 'Orders']), data?.orders.toLocaleString('en')],
        [say(['实付', 'Paid']), data && <Money cents={data.paid_cents} sign />],
        [say(['已退', 'Refunded']), data && <Money cents={data.refunded_cents} sign />],
        [say(['净额', 'Net']), data && <Money cents={data.net_cents} sign />],
      ]}
    />
  )
}

/** Purchases of memberships: money in and back, the period each bought, and its trail. */
export default function VipOrders() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, vipOrderStates)
  useExport(actions.export, calls.export, { list })
  useResult(actions.resendGift, ({ given, failed, msg }) => {
    toast(
      failed === 0
        ? say(['已补发 {n} 张', '{n} given'], { n: given })
        : say(['已补发 {n} 张，{bad} 张未发：{msg}', '{n} given, {bad} not: {msg}'], {
            n: given,
            bad: failed,
            msg,
          }),
      failed === 0 ? 'success' : 'warning',
    )
    return true
  })
  useResult(actions.syncPay, ({ said }) => {
    const words = {
      success: ['渠道已收款，订单已入账', 'Payment received; order booked'],
      pending: ['渠道处理中，请稍后再同步', 'Still processing; sync again later'],
      failed: ['渠道确认未支付', 'The channel confirms no payment'],
      unknown: ['渠道没有应答，请稍后再试', 'No answer from the channel; try again later'],
      none: ['没有待确认的支付', 'No payment to confirm'],
    } as const
    toast(say(words[said]), said === 'success' ? 'success' : 'warning')
    return true
  })
  return (
    <div className="vp-page">
      <Totals list={list} />
      <ListDetail>
        <List
          of={list}
          label={say(['购卡订单', 'VIP card orders'])}
          columns={columns}
          tabs={tabs}
          actions={Object.values(actions)}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['订单号、手机号、会员号或昵称', 'Order, phone, nickname'])}
              />
              <Among
                of={list}
                by="card_id"
                label={say(['卡种', 'Plan'])}
                find={calls.plans}
                labelOf={row => row.name}
              />
              <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={openedBy} />
              <CityFilter of={list} />
              <Period
                of={list}
                from="from"
                to="to"
                most={YEARS_DAYS}
                usual={['全部时间', 'All time']}
              />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一笔购卡订单', 'Choose an order'])}>
          {row => <VipOrderDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
    </div>
  )
}
