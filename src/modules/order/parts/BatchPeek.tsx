import type { ReactNode } from 'react'
import { depositRules, raisedBy, raiseEnds, raiseModes } from '#src/areas/raise/raise.ts'
import type { Text } from '#src/domain/text.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { BatchRow } from '../contract/raiseList.ts'
import { Amount, RaiseBar, RaiseLeft, ShipDay, type Look } from './raise.tsx'
import { forecastOf, useAdvice } from './raiseAdvice.ts'

const PromisedDays = ({ of }: { of: Look }) => {
  const say = useSay()
  return (
    <>
      {of.balance_end_at !== null && (
        <Fact label={say(['尾款截止', 'Balance until'])}>
          <When at={of.balance_end_at} />
        </Fact>
      )}
      <Fact label={say(['承诺发货', 'Promised shipping'])}>
        <ShipDay of={of} />
      </Fact>
      {of.ship_at !== of.promised_ship_at && (
        <Fact label={say(['最初承诺', 'Promised first'])}>
          <When at={of.promised_ship_at} />
        </Fact>
      )}
    </>
  )
}
const HowItEnds = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  return (
    <>
      {of.declare_by !== '' && (
        <Fact wide label={say(['提请宣布成功', 'Success asked for'])}>
          {of.declare_by} <When at={of.declare_at} />
          <div className="m-muted">{of.declare_reason}</div>
        </Fact>
      )}
      {of.end_by && (
        <Fact wide label={say(['如何结束', 'Outcome'])}>
          {say(raiseEnds[of.end_by])}
          {of.ended_by && ` · ${of.ended_by}`} <When at={of.ended_at} />
          {of.end_reason && <div className="m-muted">{of.end_reason}</div>}
        </Fact>
      )}
    </>
  )
}
/** A campaign in full, beside the list of campaigns and on the page of an order. */
export const BatchFacts = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  const { raise } = of
  return (
    <Facts>
      <Fact label={say(['已筹 / 目标', 'Raised / target'])}>
        <b className="m-num">
          <Amount type={raise.target_type} n={raisedBy(raise.target_type, of.raised)} />
        </b>{' '}
        / <Amount type={raise.target_type} n={raise.target} />
      </Fact>
      <Fact label={say(['支持人数', 'Backers'])}>
        <span className="m-num">{of.backers}</span> · <Money cents={of.raised.cents} sign />
      </Fact>
      <Fact label={say(['已占 / 上限', 'Taken / cap'])}>
        <span className="m-num">
          {of.taken_units.toLocaleString('en-US')} / {raise.cap_units.toLocaleString('en-US')}
        </span>
        {of.unpaid_n > 0 && (
          <span className="m-muted">
            {' '}
            {say(['{n} 单未付款', '{n} unpaid'], { n: of.unpaid_n })}
          </span>
        )}
      </Fact>
      <Fact label={say(['近 7 天', 'Last 7 days'])}>
        <span className="m-num">
          <Amount type={raise.target_type} n={raisedBy(raise.target_type, of.lately)} />
        </span>
      </Fact>
      <Fact label={say(['方式', 'Mode'])}>
        {say(raiseModes[raise.mode])}
        {raise.mode === 'deposit' && (
          <>
            {' '}
            <Money cents={raise.deposit_cents} sign /> · {say(depositRules[raise.deposit_rule])}
          </>
        )}
      </Fact>
      <Fact label={say(['开始', 'Began'])}>
        <When at={raise.start_at} />
      </Fact>
      <Fact label={say(['截止', 'Ends'])}>
        <When at={raise.end_at} /> {raise.extended && <Badge>{say(['已延长', 'Extended'])}</Badge>}{' '}
        {raise.state === 'raising' && (
          <>
            {say(['剩', 'left'])} <RaiseLeft of={raise} />
          </>
        )}
      </Fact>
      <PromisedDays of={raise} />
      <Fact label={say(['商户', 'Merchant'])}>{of.merchant_name}</Fact>
      <Fact label={say(['商场', 'Mall'])}>
        {of.mall_name || say(['商场外', 'Outside malls'])} · {of.city_name}
      </Fact>
      <HowItEnds of={of} />
    </Facts>
  )
}
/** The work that the orders of a campaign still need. */
const BatchOrders = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  const lines: readonly (readonly [Text, number, ReactNode?])[] = [
    [['待付尾款', 'Balance due'], of.owed_n, <Money key="m" cents={of.owed_cents} sign />],
    [['待发货', 'To ship'], of.to_ship_n],
    [['已发货', 'Shipped'], of.shipped_n],
    [['退款中', 'Refund open'], of.refund_open_n],
    [['未退完', 'Not paid back'], of.owing_n],
    [['打款失败', 'Refund not paid'], of.payout_failed_n],
  ]
  return (
    <table className="o-table">
      <tbody>
        {lines.map(([title, n, more]) => (
          <tr key={title[1]}>
            <td>{say(title)}</td>
            <td className="o-right m-num">{n}</td>
            <td className="o-right">{n > 0 ? more : null}</td>
          </tr>
        ))}
        {of.kept_cents > 0 && (
          <tr>
            <td>{say(['不退的定金', 'Deposits kept'])}</td>
            <td />
            <td className="o-right">
              <Money cents={of.kept_cents} sign />
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
/** A campaign beside the list of campaigns. */
export const BatchPeek = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  const advice = useAdvice()
  const [tone, words] = advice(of)
  return (
    <>
      <Section title={say(['进度', 'Progress'])}>
        <RaiseBar of={of} {...(of.raise.state === 'raising' && { forecast: forecastOf(of) })} />
        <p data-tone={tone} className="ra-words">
          {words}
        </p>
      </Section>
      <Section title={say(['众筹', 'Campaign'])}>
        <BatchFacts of={of} />
      </Section>
      <Section title={say(['订单', 'Orders'])}>
        <BatchOrders of={of} />
      </Section>
    </>
  )
}
