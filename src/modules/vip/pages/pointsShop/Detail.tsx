import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { pointsShopDetail } from '#commands/pages/order.ts'
import { pointsEditPage, pointsShopPage } from '#commands/pages/vip.ts'
import { goodsDetailActions as actions } from '#commands/vip/pointsGoods.ts'
import { orderStatuses } from '#src/areas/order/order.ts'
import { stockMoves } from '#src/areas/points/shop.ts'
import { productStates } from '#src/areas/product/product.ts'
import type { Result } from '#src/contract/call.ts'
import { colon, type Text } from '#src/domain/text.ts'
import { SmallTable, State } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { DetailFrame, OfAddress } from '#src/kit/detailframe.tsx'
import { useExport } from '#src/kit/exporting.ts'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { goodsDetail as calls } from '../../contract/pointsGoods.ts'
import { GoodsFacts, Price, shopLooks } from '../../parts/goodsLooks.tsx'

type Detail = Result<(typeof calls)['facts']>
const Terms = ({ of: { row } }: { of: Detail }) => {
  const say = useSay()
  return (
    <Section title={say(['条件与库存', 'Terms and stock'])}>
      <GoodsFacts of={row} />
      <p className="m-muted">
        {say(['货源', 'Source'])} {row.product_title}
        {say(['（{state}，余 {n}）', ' ({state}, {n} left)'], {
          state: say(productStates[row.product_state]),
          n: row.product_left.toLocaleString('en-US'),
        })}
        {row.coupon_name && ` · ${say(['发放', 'Gives'])} ${row.coupon_name}`}
      </p>
    </Section>
  )
}
/** How it went over 30 days. */
const Trend = ({ of }: { of: Detail }) => {
  const say = useSay()
  return (
    <Section title={say(['近 30 天兑换', 'Redeemed, last 30 days'])}>
      <Chart
        height={150}
        label={say(['近 30 天每日兑换件数', 'Redeemed each day, last 30 days'])}
        categories={of.days.map(({ day }) => day.slice(5))}
        unit={say(['件', 'items'])}
        series={[
          { name: say(['兑换', 'Redeemed']), kind: 'bar', values: of.days.map(({ n }) => n) },
        ]}
      />
      <Facts>
        <Fact label={say(['已达限兑', 'At the limit'])}>{of.limited_n}</Fact>
        <Fact label={say(['售后中', 'In after-sales'])}>{of.refunding_n}</Fact>
        <Fact label={say(['已退回', 'Returned'])}>{of.refunded_n}</Fact>
      </Facts>
    </Section>
  )
}
/** With whom. */
const Shares = ({ of }: { of: Detail }) => {
  const say = useSay()
  const share = (title: Text, list: Detail['levels']) =>
    list.length > 0 && (
      <SmallTable
        head={[title, ['件数', 'Quantity']]}
        rows={list}
        keyOf={row => row.name}
        cells={row => [row.name, row.n]}
      />
    )
  return (
    <Section title={say(['谁在兑换', 'Who redeems'])}>
      {of.levels.length === 0 && (
        <p className="m-muted">{say(['还没有人兑换', 'No redemptions yet'])}</p>
      )}
      {share(['等级', 'Level'], of.levels)}
      {share(['城市', 'City'], of.cities)}
    </Section>
  )
}
const moveHead = [
  ['时间', 'When'],
  ['类型', 'Kind'],
  ['变动', 'Change'],
  ['库存', 'Stock'],
  ['来源', 'By'],
] as const
const Moves = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.moves, { id, page: 1, pageSize: 20 })
  return (
    <Section title={say(['库存流水', 'Stock movements'])}>
      <Answer of={read} lines={6}>
        {({ list, total }) =>
          total === 0 ? (
            <p className="m-muted">{say(['还没有变动', 'No movements yet'])}</p>
          ) : (
            <>
              <SmallTable
                head={moveHead}
                rows={list}
                keyOf={move => move.id}
                cells={move => [
                  <When key="at" at={move.at} />,
                  say(stockMoves[move.kind]),
                  `${move.delta > 0 ? '+' : ''}${move.delta}`,
                  move.stock_after,
                  move.order_no || [move.by, move.reason].filter(Boolean).join(say(colon)),
                ]}
              />
              {total > list.length && (
                <p className="m-muted">
                  {say(['仅显示最近 {n} 条，共 {total} 条', 'The last {n} of {total}'], {
                    n: list.length,
                    total,
                  })}
                </p>
              )}
            </>
          )
        }
      </Answer>
    </Section>
  )
}
/** The last exchanges; all of them are a list of orders. */
const Exchanges = ({ of }: { of: Detail }) => {
  const say = useSay()
  const read = useRead(calls.lst, { goods_id: of.row.id, pageSize: 20 })
  const head = [
    ['订单', 'Order'],
    ['会员', 'Member'],
    ['件数', 'Quantity'],
    ['现金', 'Cash'],
    ['状态', 'State'],
    ['兑换时间', 'When'],
  ] as const
  return (
    <Section title={say(['最近兑换', 'Latest redemptions'])}>
      <Answer of={read} lines={6}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['还没有人兑换', 'No redemptions yet'])}</p>
          ) : (
            <SmallTable
              head={head}
              rows={list}
              keyOf={row => row.id}
              cells={row => [
                <Link key="no" href={to(pointsShopDetail, { id: row.order_id })}>
                  {row.order_no}
                </Link>,
                row.member_name,
                row.qty,
                <Money key="cash" cents={row.cash_cents} />,
                say(orderStatuses[row.status]),
                <When key="at" at={row.created_at} />,
              ]}
            />
          )
        }
      </Answer>
    </Section>
  )
}
const Life = ({ of }: { of: Detail }) => {
  const { open, me } = useWorkbench()
  const { id } = of.row
  useExport(actions.export, calls.export, { filters: () => ({ goods_id: id }) })
  useResult(actions.copyItem, made => {
    if (me.can(pointsEditPage.permit)) open(to(pointsEditPage, { id: made.id }), 'beside')
    return false
  })
  return (
    <DetailFrame
      row={of.row}
      actions={Object.values(actions)}
      aside={
        <>
          <State of={of.row.status} in={shopLooks} />
          <Price of={of.row} />
          <span className="m-muted">{of.row.zone_name}</span>
        </>
      }
    >
      <>
        <Terms of={of} />
        <Trend of={of} />
        <Exchanges of={of} />
      </>
      <>
        <Shares of={of} />
        <Moves id={id} />
      </>
    </DetailFrame>
  )
}

/** The life of the goods of `?id=`: its terms, its exchanges, and what its stock did. */
export default function GoodsLife() {
  return (
    <OfAddress
      call={calls.facts}
      none={['没有指定积分商品', 'No goods selected']}
      back={{ to: pointsShopPage.path, text: ['去积分商城选择', 'Go to the points shop'] }}
    >
      {of => <Life of={of} />}
    </OfAddress>
  )
}
