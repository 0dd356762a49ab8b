import { Button } from '@blueprintjs/core'
import { Lock } from '@blueprintjs/icons'
import { useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { orderDetailOf } from '#commands/pages/order.ts'
import { bdGmvActions as actions, type MonthShown } from '#commands/shop/bdGmv.ts'
import {
  definition,
  lastPeriods,
  periodBefore,
  periodNamed,
  type PeriodKind,
} from '#src/areas/bdGmv/bdGmv.ts'
import { monthOf } from '#src/areas/merchant/bd.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { percent } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { moneyColumn, numberColumn, SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, usePane, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { bdGmv as calls, type GmvRow } from '../../contract/bdGmv.ts'

const Name = ({ row }: { row: GmvRow }) => {
  const say = useSay()
  return (
    <>
      {row.name} {!row.active && <Badge tone="bad">{say(['已停用', 'Disabled'])}</Badge>}
    </>
  )
}
/** The place, and by how many it rose or fell against the period beside it. */
const Place = ({ row: { place, place_before } }: { row: GmvRow }) => {
  const say = useSay()
  if (place === null) return '—'
  const by = place_before === null ? 0 : place_before - place
  return (
    <>
      {place}{' '}
      {by !== 0 && (
        <Badge tone={by > 0 ? 'good' : 'warn'}>
          {by > 0 ? say(['升 {n}', 'up {n}'], { n: by }) : say(['降 {n}', 'down {n}'], { n: -by })}
        </Badge>
      )}
    </>
  )
}
const rate = (bp: number | null | undefined) => (bp == null ? '—' : percent(bp))
const columns: readonly Column<GmvRow>[] = [
  { key: 'place', title: ['名次', 'Place'], width: 84, cell: row => <Place row={row} /> },
  {
    key: 'name',
    title: ['BD', 'BD'],
    width: 140,
    cell: row => <Name row={row} />,
    words: row => row.name,
    grow: true,
  },
  moneyColumn('paid_cents', ['支付', 'Paid'], 120),
  moneyColumn('refunded_cents', ['退款', 'Refunded'], 120),
  moneyColumn('net_cents', ['净额', 'Net'], 120),
  {
    key: 'reached_bp',
    title: ['达成率', 'Achieved'],
    width: 80,
    align: 'end',
    cell: row => rate(row.reached_bp),
  },
  moneyColumn('redeemed_cents', ['核销', 'Redeemed'], 120),
  numberColumn('opened', ['新开门店', 'Opened'], 80),
  numberColumn('active_stores', ['动销门店', 'Active'], 80),
  {
    key: 'discount_bp',
    title: ['平均优惠', 'Discount'],
    width: 80,
    align: 'end',
    cell: row => rate(row.discount_bp),
  },
  { ...moneyColumn('adjust_cents', ['其中调整', 'Adjustment'], 120), optional: true },
]

type Behind = { period: string; id: number }
const OrderNo = ({ row }: { row: { id: number; kind: OrderKind; order_no: string } }) => {
  const page = orderDetailOf(row.kind)
  return page ? <Link href={to(page, { id: row.id })}>{row.order_no}</Link> : row.order_no
}
/** The orders of one store behind a person's result. */
const Orders = ({ of, store_id }: { of: Behind; store_id: number }) => {
  const say = useSay()
  const read = useRead(calls.orders, { ...of, store_id, pageSize: 20 })
  return (
    <Answer of={read} none={say(['周期内没有付款订单', 'No paid orders in this period'])}>
      {({ list, total }) => (
        <>
          <SmallTable
            head={[
              ['订单', 'Order'],
              ['付款时间', 'Paid at'],
              ['实付', 'Paid'],
            ]}
            rows={list}
            keyOf={row => row.id}
            cells={row => [
              <OrderNo key="no" row={row} />,
              <When key="at" at={row.paid_at} />,
              <Money key="paid" cents={row.paid_cents} />,
            ]}
          />
          {total > list.length && (
            <p className="m-muted">
              {say(['共 {n} 笔，显示最近 {m} 笔', '{n}, the last {m} shown'], {
                n: total,
                m: list.length,
              })}
            </p>
          )}
        </>
      )}
    </Answer>
  )
}
const Stores = ({ of }: { of: Behind }) => {
  const say = useSay()
  const [store, open] = useState<number | undefined>(undefined)
  const read = useRead(calls.drill, { ...of, pageSize: 50 })
  return (
    <>
      <Section title={say(['门店', 'Stores'])}>
        <Answer of={read} none={say(['没有成交的门店', 'No stores with sales'])}>
          {({ list }) => (
            <SmallTable
              head={[
                ['门店', 'Store'],
                ['订单', 'Orders'],
                ['支付', 'Paid'],
                ['净额', 'Net'],
              ]}
              rows={list}
              keyOf={row => row.id}
              cells={row => [
                <Button
                  key="name"
                  size="small"
                  variant="minimal"
                  aria-expanded={store === row.id}
                  text={row.name}
                  onClick={() => open(store === row.id ? undefined : row.id)}
                />,
                row.orders,
                <Money key="paid" cents={row.paid_cents} />,
                <Money key="net" cents={row.net_cents} />,
              ]}
            />
          )}
        </Answer>
      </Section>
      {store !== undefined && (
        <Section title={say(['订单', 'Orders'])}>
          <Orders of={of} store_id={store} />
        </Section>
      )}
    </>
  )
}
const Detail = ({ row, drilled }: { row: GmvRow; drilled: Behind | undefined }) => {
  const say = useSay()
  return (
    <Inspector
      title={row.name}
      aside={row.place !== null && <Badge>{say(['第 {n} 名', 'No. {n}'], { n: row.place })}</Badge>}
    >
      <Section title={say(['业绩', 'Results'])}>
        <Facts>
          <Fact label={say(['支付', 'Paid'])}>
            <Money cents={row.paid_cents} sign />
          </Fact>
          <Fact label={say(['退款', 'Refunded'])}>
            <Money cents={row.refunded_cents} sign />
          </Fact>
          <Fact label={say(['净额', 'Net'])}>
            <Money cents={row.net_cents} sign />
          </Fact>
          <Fact label={say(['其中调整', 'Incl. adjustments'])}>
            <Money cents={row.adjust_cents} sign />
          </Fact>
          {row.net_before_cents !== null && (
            <Fact label={say(['对比期净额', 'Previous net'])}>
              <Money cents={row.net_before_cents} sign />
            </Fact>
          )}
          {row.target_cents !== null && (
            <Fact label={say(['月目标', 'Target'])}>
              <Money cents={row.target_cents} sign />
            </Fact>
          )}
          <Fact label={say(['达成率', 'Achieved'])}>{rate(row.reached_bp)}</Fact>
          <Fact label={say(['付款订单', 'Orders'])}>{row.orders}</Fact>
        </Facts>
      </Section>
      {drilled && <Stores of={drilled} />}
      <Section title={say(['口径', 'Basis'])}>
        {definition.map(line => (
          <p key={line[0]}>{say(line)}</p>
        ))}
      </Section>
    </Inspector>
  )
}

const periodLabel = (name: string): Text =>
  name.length === 6
    ? [`${name.slice(0, 4)} 年 ${Number(name.slice(4))} 月`, `${name.slice(0, 4)}-${name.slice(4)}`]
    : [`${name} 起一周`, `Week of ${name}`]
/** What people who look after stores reached in a month or a week, beside another one. */
export default function BdGmv() {
  const say = useSay()
  const pane = usePane()
  const { run, toast } = useWorkbench()
  const list = useList(calls.lst)
  const { period: asked, versus } = list.input
  const period = asked ?? lastPeriods('month', unixNow())[0]!
  const head = useRead(calls.lst, { period, ...(versus && { versus }), pageSize: 1 }).data
  const [drilled, drill] = useState<Behind | undefined>(undefined)
  const kind = periodNamed(period)?.kind ?? 'month'
  const options = (of: PeriodKind) =>
    lastPeriods(of, unixNow()).map(value => ({ value, label: say(periodLabel(value)) }))
  const shown = (): MonthShown => ({
    id: 1,
    name: period,
    month: monthOf(periodNamed(period)?.from ?? unixNow()),
  })
  useAction(actions.drill, () => {
    if (list.focused !== undefined) drill({ period, id: list.focused })
  })
  useAction(actions.compare, () =>
    list.filter({ versus: versus === undefined ? periodBefore(period) : undefined }),
  )
  useAction(
    actions.lockMonth,
    () => void run(actions.lockMonth, [], { pane: pane.id, on: shown() }),
  )
  useAction(
    actions.unlockMonth,
    () => void run(actions.unlockMonth, [], { pane: pane.id, on: shown() }),
  )
  useExport(actions.export, calls.export, { list })
  useResult(actions.lockMonth, ({ month }: { month: number }) => {
    toast(say(['已锁定 {month}', '{month} is locked'], { month }), 'success')
    return true
  })
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['BD 业绩', 'BD results'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Choice
              of={list}
              by="period"
              label={say(['周期', 'Period'])}
              options={[...options('month'), ...options('week')]}
            />
            <Choice
              of={list}
              by="versus"
              label={say(['对比', 'Compare with'])}
              options={options(kind)}
            />
            {head && (
              <span className="m-muted">
                {say(periodLabel(period))} {say(['净额合计', 'total net'])}{' '}
                <Money cents={head.headline.net_cents} sign />
                {head.headline_before_cents != null && (
                  <>
                    {' '}
                    {say(['，对比期', ', previous'])}{' '}
                    <Money cents={head.headline_before_cents} sign />
                  </>
                )}
              </span>
            )}
            {head?.locked && (
              <Badge tone="info">
                <Lock size={12} /> {say(['已锁定 · {by}', 'Locked · {by}'], { by: head.locked.by })}
              </Badge>
            )}
          </>
        }
      />
      <Chosen
        of={list}
        none={say([
          '选择一位 BD。业绩归付款当时管辖门店的 BD，退款计入退款当期',
          'Choose a BD. Sales go to the BD assigned at payment; refunds count in the period they are made',
        ])}
      >
        {row => (
          <Detail
            row={row}
            drilled={drilled?.id === row.id && drilled.period === period ? drilled : undefined}
          />
        )}
      </Chosen>
    </ListDetail>
  )
}
