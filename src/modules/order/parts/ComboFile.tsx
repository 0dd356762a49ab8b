import { useMemo } from 'react'
import { offeredRefusals } from '#commands/order/reasons.ts'
import { comboPolicies, policyWords } from '#src/areas/combo/combo.ts'
import { isOpen, refundReasons } from '#src/areas/refund/refund.ts'
import { yuan } from '#src/domain/money.ts'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { useReasons } from '#src/kit/queue.ts'
import { Badge, Fact, Facts, Keys, Money, Section, When } from '#src/kit/show.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { ComboCase } from '../contract/comboRefund.ts'
import { CaseState, Payouts, Stages, Steps, Talk, useWord } from './cases.tsx'
import { HowMuch, LaneOf, Policy } from './combo.tsx'
import { AgreedOnce, FailedPay, Frozen, PaysBack, Refusal, Sum, VerdictLine } from './verdict.tsx'

const KeysOf = ({ action }: { action: string }) => {
  const { keysOf } = useWorkbench()
  return <Keys keys={keysOf(action)} />
}
/** What agreeing to an application does, to all of it or to the parts that are ticked. */
const onApplied = ({ row, limit_cents, paid }: ComboCase, picked: number, say: Say) => {
  if (row.refused)
    return (
      <VerdictLine tone="bad">
        {say(row.refused)}　<KeysOf action="order.combo.refund.approvePartial" />
        {say(['勾选子项并作为例外同意', 'tick the parts and agree as an exception'])}
      </VerdictLine>
    )
  if (picked > 0)
    return (
      <VerdictLine tone="info">
        <KeysOf action="order.combo.refund.approvePartial" />
        {say(
          [
            '只同意勾选的 {n} 项，其余子项解锁',
            'Agree to the {n} ticked; the others are free again',
          ],
          { n: picked },
        )}
      </VerdictLine>
    )
  return (
    <VerdictLine tone={row.amount_cents > limit_cents ? 'warn' : 'info'}>
      <KeysOf action="order.combo.refund.approve" />
      <PaysBack amount_cents={row.amount_cents} limit_cents={limit_cents} paid={paid} />
    </VerdictLine>
  )
}
/**
 * What the decision would do, before it is made; first of all whether the policy lets it be made.
 */
const Verdict = ({ of, picked }: { of: ComboCase; picked: number }) => {
  const say = useSay()
  const { row } = of
  if (row.frozen && isOpen(row.state))
    return (
      <VerdictLine tone="bad">
        <Frozen />
      </VerdictLine>
    )
  switch (row.state) {
    case 'applied':
      return onApplied(of, picked, say)
    case 'second_audit':
      return (
        <VerdictLine tone="warn">
          <KeysOf action="order.combo.refund.secondApprove" />
          {row.override ? (
            say(
              [
                '{who} 申请政策例外，须另一人复核',
                '{who} asks for an exception: another person must agree',
              ],
              { who: row.first_name ?? '' },
            )
          ) : (
            <AgreedOnce by={row.first_name ?? ''} />
          )}{' '}
          <Sum cents={row.amount_cents} />
        </VerdictLine>
      )
    case 'pay_failed':
      return (
        <VerdictLine tone="bad">
          <KeysOf action="order.combo.refund.retryPay" />
          <FailedPay row={row} />
        </VerdictLine>
      )
    case 'rejected':
      return (
        <VerdictLine tone="bad">
          <Refusal row={row} />
        </VerdictLine>
      )
    default:
      return null
  }
}

const HowMuchAsked = ({ of }: { of: ComboCase }) => {
  const say = useSay()
  return (
    <Section title={say(['退多少', 'Refund amount'])}>
      <HowMuch of={of.row.figures} label={['本单退款（按分摊）', 'This refund (pro rata)']} />
      <p className="m-muted">
        {say(['实付 ¥{paid}', 'Paid ¥{paid}'], { paid: yuan(of.paid_cents) })}
        {of.others.length > 0 &&
          say(['，其他退款 {n} 单', ', {n} other refunds'], { n: of.others.length })}
        {of.freight_cents > 0 &&
          say(['，含运费 ¥{n}', ', freight of ¥{n} with it'], { n: yuan(of.freight_cents) })}
      </p>
    </Section>
  )
}
const PolicySaid = ({ policy }: Pick<ComboCase['row'], 'policy'>) => {
  const say = useSay()
  return (
    <Section title={say(['退款政策', 'Policy'])}>
      <p className="m-muted">
        {say(comboPolicies[policy])}
        {say(['：', ': '])}
        {say(policyWords[policy])}
      </p>
    </Section>
  )
}
const Others = ({ of }: { of: ComboCase['others'] }) => {
  const say = useSay()
  if (of.length === 0) return null
  return (
    <Section title={say(['本单其他退款', 'Other refunds of the order'])}>
      <ul className="r-rows">
        {of.map(one => (
          <li key={one.id}>
            <When at={one.at} />
            <span className="m-num">{one.refund_no}</span>
            <span>
              <Money cents={one.amount_cents} /> <CaseState state={one.state} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
const Buyer = ({ of: { buyer, past } }: { of: ComboCase }) => {
  const say = useSay()
  const word = useWord()
  return (
    <Section title={say(['买家与既往退款', 'The buyer and earlier cases'])}>
      {buyer && (
        <Facts>
          <Fact label={say(['买家', 'Buyer'])}>
            {buyer.name} <span className="m-num">{buyer.phone ?? ''}</span>
          </Fact>
          <Fact label={say(['订单', 'Orders'])}>
            <span className="m-num">{buyer.orders}</span>
          </Fact>
          <Fact label={say(['退款', 'Refunds'])}>
            <span className="m-num">
              {say(['{n} 次，近 90 天 {m} 次', '{n}, {m} in 90 days'], {
                n: buyer.refunds,
                m: buyer.refunds_90d,
              })}
            </span>
          </Fact>
        </Facts>
      )}
      {past.length === 0 ? (
        <p className="m-muted">{say(['没有其他组合退款', 'No other refund of a bundle'])}</p>
      ) : (
        <ul className="r-rows">
          {past.map(one => (
            <li key={one.id}>
              <When at={one.at} />
              <span>
                {one.title || one.refund_no}{' '}
                <span className="m-muted">{word(refundReasons, one.reason_code, '')}</span>
              </span>
              <span>
                <Money cents={one.amount_cents} /> <CaseState state={one.state} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
type Parts = ReadonlySet<number>
/** The boxes of the parts, as long as they can be agreed to one by one. */
const useTicks = ({ row, lanes }: ComboCase, picked: Parts, onPicked: (ids: Parts) => void) =>
  useMemo(
    () =>
      row.state === 'applied'
        ? {
            has: (id: number) => picked.has(id),
            can: (lane: { item_id: number }) =>
              (lanes.find(one => one.item_id === lane.item_id)?.asked ?? 0) > 0,
            toggle: (id: number) => {
              const next = new Set(picked)
              if (!next.delete(id)) next.add(id)
              onPicked(next)
            },
            says: ['同意退 {title}', 'Agree to {title}'] as const,
          }
        : undefined,
    [row.state, picked, lanes, onPicked],
  )
/**
 * A case of a bundle: how much, part by part; what the policy says; and who said what. Parts are
 * ticked here for an agreement to some of them.
 */
export const ComboFile = ({
  of,
  stale,
  picked,
  onPicked,
}: {
  of: ComboCase
  stale?: boolean
  picked: Parts
  onPicked: (ids: Parts) => void
}) => {
  useReasons(offeredRefusals)
  const say = useSay()
  const { row, lanes, others, payouts } = of
  const tick = useTicks(of, picked, onPicked)
  return (
    <article className="r-file" tabIndex={0} aria-label={row.refund_no} aria-busy={stale}>
      <header>
        <h2>{row.combo_name}</h2>
        <p>
          <CaseState state={row.state} />
          <Policy policy={row.policy} />
          {row.override && <Badge tone="bad">{say(['政策例外', 'Exception'])}</Badge>}
          <span className="m-num">{row.refund_no}</span>
          <span>{row.merchant_name}</span>
          {row.claimer_name && (
            <span>{say(['{who} 处理中', '{who} works on it'], { who: row.claimer_name })}</span>
          )}
        </p>
      </header>
      <Verdict of={of} picked={picked.size} />
      <Stages of={of} />
      <div className="r-columns">
        <div>
          <HowMuchAsked of={of} />
          <Section title={say(['子项', 'Parts'])}>
            <ul className="cb-lanes">
              {lanes.map(lane => (
                <LaneOf
                  key={lane.item_id}
                  of={lane}
                  tick={tick}
                  asked={{ n: lane.asked, cents: lane.asked_cents }}
                />
              ))}
            </ul>
          </Section>
          <Section title={say(['买家与门店意见', 'The buyer and the stores'])}>
            <Talk of={of} />
          </Section>
          {payouts.length > 0 && (
            <Section title={say(['退款打款', 'Payouts'])}>
              <Payouts of={payouts} />
            </Section>
          )}
          <Section title={say(['处理记录', 'What was done'])}>
            <Steps of={of.steps} />
          </Section>
        </div>
        <div>
          <PolicySaid policy={row.policy} />
          <Others of={others} />
          <Buyer of={of} />
        </div>
      </div>
      <FoldedFacts />
    </article>
  )
}
