import { couponGrantKinds, couponPieces } from '#src/areas/coupon/couponWords.ts'
import { orderSources, type OrderSource } from '#src/areas/order/order.ts'
import { percent } from '#src/domain/money.ts'
import { aside, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { CouponFigures } from '../contract/data.ts'

const rate = (part: number, of: number): string =>
  of === 0 ? '—' : percent(Math.round((part / of) * 10_000))
/** What an order brought for each yuan that the coupon took off it. */
const returned = (of: CouponFigures): string =>
  of.gmv_cents === undefined || of.cost_cents === 0
    ? '—'
    : (of.gmv_cents / of.cost_cents).toFixed(1)

/** Two coupons side by side. */
const Compared = ({ of, beside }: { of: CouponFigures; beside: CouponFigures }) => {
  const say = useSay()
  const lines: readonly (readonly [Text, (one: CouponFigures) => React.ReactNode])[] = [
    [['总量', 'Total'], one => one.total],
    [['领取率', 'Claim rate'], one => rate(one.claimed, one.total)],
    [['使用率', 'Used'], one => rate(one.pieces.used ?? 0, one.claimed)],
    [['订单', 'Orders'], one => one.orders],
    [['带动销售', 'Sales'], one => <Money cents={one.gmv_cents} />],
    [['费用', 'Cost'], one => <Money cents={one.cost_cents} />],
    [['投入产出', 'Return'], one => returned(one)],
    [['首单会员', 'First-time buyers'], one => one.new_buyers],
  ]
  return (
    <Section title={say(['对比', 'Side by side'])}>
      <SmallTable
        head={[
          ['指标', 'Metric'],
          [of.name, of.name],
          [beside.name, beside.name],
        ]}
        rows={lines}
        keyOf={([label]) => label[0]}
        cells={([label, show]) => [say(label), show(of), show(beside)]}
      />
    </Section>
  )
}
type Of = { of: CouponFigures }
const Days = ({ of }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['近 30 天', '30 days'])}>
      <Chart
        label={say(['每天领取与使用', 'Claimed and used by day'])}
        categories={of.by_day.map(one => timeFull(one.day).slice(5, 10))}
        format={value => value.toLocaleString('en')}
        step={1}
        series={[
          {
            name: say(['领取', 'Claimed']),
            kind: 'bar',
            values: of.by_day.map(one => one.claimed),
          },
          { name: say(['使用', 'Used']), kind: 'bar', values: of.by_day.map(one => one.used) },
        ]}
      />
    </Section>
  )
}
const Kinds = ({ of }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['来源', 'Sources'])}>
      <SmallTable
        head={[
          ['来源', 'Source'],
          ['领取', 'Claimed'],
          ['使用', 'Used'],
          ['费用', 'Cost'],
        ]}
        rows={of.by_kind}
        keyOf={one => one.name}
        cells={one => [
          say(couponGrantKinds[one.name as keyof typeof couponGrantKinds]),
          one.claimed,
          one.used,
          <Money key="cost" cents={one.cost_cents} />,
        ]}
      />
    </Section>
  )
}
type Counted = CouponFigures['by_store'][number]
/** Used pieces and what they cost, by a thing that `what` names. */
const UsedBy = ({
  title,
  what,
  rows,
  nameOf = one => one.name,
}: {
  title: Text
  what: Text
  rows: readonly Counted[]
  nameOf?: (one: Counted) => string
}) => {
  const say = useSay()
  if (rows.length === 0) return null
  return (
    <Section title={say(title)}>
      <SmallTable
        head={[what, ['使用', 'Used'], ['费用', 'Cost']]}
        rows={rows}
        keyOf={one => one.name}
        cells={one => [nameOf(one) || '—', one.used, <Money key="cost" cents={one.cost_cents} />]}
      />
    </Section>
  )
}
/** What became of a coupon in figures, and beside those of another where one is named. */
export const Figures = ({
  of,
  beside,
}: {
  of: CouponFigures
  beside: CouponFigures | undefined
}) => {
  const say = useSay()
  const pieces = Object.keys(couponPieces) as (keyof typeof couponPieces)[]
  return (
    <>
      {beside && <Compared of={of} beside={beside} />}
      <Section title={say(['漏斗', 'Funnel'])}>
        <Facts>
          <Fact label={say(['总量', 'Total'])}>{of.total}</Fact>
          <Fact label={say(['已领', 'Claimed'])}>
            {of.claimed}
            {say(aside, { it: rate(of.claimed, of.total) })}
          </Fact>
          {pieces.map(key => (
            <Fact key={key} label={say(couponPieces[key])}>
              {of.pieces[key] ?? 0}
              {say(aside, { it: rate(of.pieces[key] ?? 0, of.claimed) })}
            </Fact>
          ))}
        </Facts>
      </Section>
      <Section title={say(['费用与效果', 'Cost and effect'])}>
        <Facts>
          <Fact label={say(['费用', 'Cost'])}>
            <Money cents={of.cost_cents} sign />
          </Fact>
          <Fact label={say(['平台承担', 'Paid by platform'])}>
            <Money cents={of.platform_cents} sign />
          </Fact>
          <Fact label={say(['商户承担', 'Paid by merchants'])}>
            <Money cents={of.merchant_cents} sign />
          </Fact>
          <Fact label={say(['订单', 'Orders'])}>{of.orders}</Fact>
          <Fact label={say(['带动销售', 'Sales'])}>
            <Money cents={of.gmv_cents} sign />
          </Fact>
          <Fact label={say(['投入产出', 'Return'])}>{returned(of)}</Fact>
          <Fact label={say(['首单会员', 'First-time buyers'])}>{of.new_buyers}</Fact>
        </Facts>
      </Section>
      <Days of={of} />
      <Kinds of={of} />
      <UsedBy title={['使用商场', 'Malls']} what={['商场', 'Mall']} rows={of.by_mall} />
      <UsedBy title={['使用门店', 'Used at']} what={['门店', 'Store']} rows={of.by_store} />
      <UsedBy
        title={['下单渠道', 'Where orders came from']}
        what={['渠道', 'Channel']}
        rows={of.by_channel}
        nameOf={({ name }) => (name ? say(orderSources[name as OrderSource]) : '')}
      />
    </>
  )
}
