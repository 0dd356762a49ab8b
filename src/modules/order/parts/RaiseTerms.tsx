import { depositRules, forfeitCauses, raisedBy } from '#src/areas/raise/raise.ts'
import type { Result } from '#src/contract/call.ts'
import { aside, clause, type Text } from '#src/domain/text.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { raiseList as calls } from '../contract/raiseList.ts'
import type { OrderDetail } from '../contract/shared.ts'
import { BatchFacts } from './BatchPeek.tsx'
import { Amount, percentOf, RaiseBadge, RaiseBar } from './raise.tsx'
import { balances } from './raiseColumns.tsx'

type Found = Result<typeof calls.terms>
const Promised = ({
  of,
  at_pay,
}: {
  of: NonNullable<Found['promised']>
  at_pay: Found['at_pay']
}) => {
  const say = useSay()
  return (
    <Section title={say(['下单时的约定', 'Terms at purchase'])}>
      <Facts>
        {at_pay && (
          <Fact wide label={say(['付款时进度', 'When it was paid'])}>
            <span className="m-num">
              <Amount type={of.target_type} n={raisedBy(of.target_type, at_pay)} />
            </span>{' '}
            / <Amount type={of.target_type} n={of.target} />
            {say(aside, {
              it: `${percentOf(raisedBy(of.target_type, at_pay), of.target)}%`,
            })}
          </Fact>
        )}
        <Fact label={say(['截止', 'Ends'])}>
          <When at={of.end_at} />
        </Fact>
        <Fact label={say(['承诺发货', 'Promised shipping'])}>
          <When at={of.ship_at} />
        </Fact>
        {of.mode === 'deposit' && (
          <>
            <Fact label={say(['定金', 'Deposit'])}>
              <Money cents={of.deposit_cents} sign /> · {say(depositRules[of.deposit_rule])}
            </Fact>
            <Fact label={say(['尾款截止', 'Balance until'])}>
              <When at={of.balance_end_at} />
            </Fact>
          </>
        )}
      </Facts>
    </Section>
  )
}
const Forfeit = ({ of }: { of: Found['forfeits'][number] }) => {
  const say = useSay()
  return (
    <tr data-off={of.state === 'returned' || undefined}>
      <td>
        {say(['不退定金', 'Deposit kept'])} · {say(forfeitCauses[of.cause])}
      </td>
      <td className="o-right">
        <Money cents={of.amount_cents} />
      </td>
      <td>
        {of.state === 'returned' ? (
          <>
            {say(['已特退', 'Given back'])} <When at={of.returned_at} />
          </>
        ) : (
          <>
            {say(['商户收入', 'Merchant'])} <Money cents={of.merchant_cents} sign />
            {say(clause)}
            {say(['平台收入', 'platform'])} <Money cents={of.platform_cents} sign />
          </>
        )}
      </td>
    </tr>
  )
}
const DepositAndBalance = ({
  of,
  forfeits,
}: {
  of: NonNullable<OrderRow['dues']>
  forfeits: Found['forfeits']
}) => {
  const say = useSay()
  return (
    <Section title={say(['定金与尾款', 'Deposit and balance'])}>
      <table className="o-table">
        <tbody>
          <tr>
            <td>{say(['定金', 'Deposit'])}</td>
            <td className="o-right">
              <Money cents={of.deposit_cents} />
            </td>
            <td>{of.deposit_cents > 0 ? say(['已付', 'Paid']) : say(['未付', 'Not paid'])}</td>
          </tr>
          <tr>
            <td>{say(['尾款', 'Balance'])}</td>
            <td className="o-right">
              <Money cents={of.balance_cents} />
            </td>
            <td>
              {say(balances[of.balance])}
              {of.until !== null && (
                <>
                  {say(['，截止', ', until'])} <When at={of.until} />
                </>
              )}
            </td>
          </tr>
          {forfeits.map(one => (
            <Forfeit key={one.id} of={one} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}
type Messages = OrderDetail['messages']
const sends: Readonly<Record<Messages[number]['state'], Text>> = {
  queued: ['待发送', 'Queued'],
  sent: ['已发送', 'Sent'],
  failed: ['发送失败', 'Failed'],
}
const sendTones: Readonly<Record<Messages[number]['state'], ToneName>> = {
  queued: 'plain',
  sent: 'good',
  failed: 'bad',
}
const Notices = ({ of }: { of: Messages }) => {
  const say = useSay()
  return (
    <Section title={say(['已发通知', 'Notices sent'])}>
      {of.length === 0 ? (
        <p className="m-muted">{say(['没有发过通知', 'None sent'])}</p>
      ) : (
        <table className="o-table">
          <tbody>
            {of.map(one => (
              <tr key={one.id}>
                <td>
                  <When at={one.at} />
                </td>
                <td>{one.text}</td>
                <td>
                  <Badge tone={sendTones[one.state]}>{say(sends[one.state])}</Badge>
                  {one.fault && <div className="m-muted">{one.fault}</div>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
const RefundNow = ({ of }: { of: NonNullable<Found['back']> }) => {
  const say = useSay()
  return (
    <Section title={say(['现在退款', 'A refund now'])}>
      <p>
        {say(['退', 'Gives back'])}{' '}
        <b>
          <Money cents={of.cents} sign />
        </b>
        {of.kept_cents > 0 && (
          <>
            {say(clause)}
            {say(['定金', 'the deposit of'])} <Money cents={of.kept_cents} sign />{' '}
            {say(['按约定不退', 'stays, as was promised'])}
          </>
        )}
        {of.free && (
          <span className="m-muted">
            {say(['（延期超过 7 天，全额退）', ' (more than 7 days late: all of it)'])}
          </span>
        )}
      </p>
    </Section>
  )
}
/**
 * What the buyer of an order was promised and told, what became of the deposit, and what a refund
 * would give back now.
 */
export const RaiseTerms = ({ of: { order, messages } }: { of: OrderDetail }) => {
  const say = useSay()
  const read = useRead(calls.terms, order.batch_id === null ? skipToken : { id: order.id })
  const of = read.currentData
  if (order.batch_id === null) return null
  if (!of)
    return (
      <Section title={say(['众筹', 'Campaign'])}>
        <Unanswered of={read} lines={8} />
      </Section>
    )
  const { promised, at_pay, back, batch } = of
  return (
    <>
      <Section title={say(['众筹', 'Campaign'])}>
        <p>
          <b>{batch.raise.title}</b> <RaiseBadge of={batch.raise} />
        </p>
        <RaiseBar of={batch} />
        <BatchFacts of={batch} />
      </Section>
      {promised && <Promised of={promised} at_pay={at_pay} />}
      {order.dues && <DepositAndBalance of={order.dues} forfeits={of.forfeits} />}
      <Notices of={messages} />
      {back && <RefundNow of={back} />}
    </>
  )
}
