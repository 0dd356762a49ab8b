import { useMemo } from 'react'
import { offeredRefusals } from '#commands/order/reasons.ts'
import { comboPolicies, policyWords } from '#src/areas/combo/combo.ts'
import { payWays } from '#src/areas/order/order.ts'
import { isOpen, refundReasons, refundRejects } from '#src/areas/refund/refund.ts'
import { yuan } from '#src/domain/money.ts'
import { comma } from '#src/domain/text.ts'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { useReasons } from '#src/kit/queue.ts'
import { Badge, Fact, Facts, Keys, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { ComboCase } from '../contract/comboRefund.ts'
import { CaseState, Payouts, Stages, Steps, Talk, useFault, useWord } from './cases.tsx'
import { HowMuch, LaneOf, Policy } from './combo.tsx'

/**
 * What the decision would do, before it is made; first of all whether the policy lets it be made.
 */
const Verdict = ({ of: { row, limit_cents, paid }, picked }: { of: ComboCase; picked: number }) => {
  const say = useSay()
  const word = useWord()
  const fault = useFault()
  const { keysOf } = useWorkbench()
  const way = [...new Set(paid.map(one => say(payWays[one.channel])))].join(say(comma))
  const sum = <b>¥{yuan(row.amount_cents)}</b>
  const [tone, words]: readonly [ToneName, React.ReactNode] | readonly [undefined, null] =
    row.frozen && isOpen(row.state)
      ? ['bad', say(['订单已冻结，解冻前不能处理', 'The order is frozen: nothing can be decided'])]
      : row.state === 'applied' && row.refused
        ? [
            'bad',
            <>
              {say(row.refused)}　<Keys keys={keysOf('order.combo.refund.approvePartial')} />
              {say(['勾选子项并作为例外同意', 'tick the parts and agree as an exception'])}
            </>,
          ]
        : row.state === 'applied' && picked > 0
          ? [
              'info',
              <>
                <Keys keys={keysOf('order.combo.refund.approvePartial')} />
                {say(
                  [
                    '只同意勾选的 {n} 项，其余子项解锁',
                    'Agree to the {n} ticked; the others are free again',
                  ],
                  { n: picked },
                )}
              </>,
            ]
          : row.state === 'applied'
            ? [
                row.amount_cents > limit_cents ? 'warn' : 'info',
                <>
                  <Keys keys={keysOf('order.combo.refund.approve')} />
                  {row.amount_cents > limit_cents
                    ? say(
                        [
                          '超过你的额度 ¥{max}，同意后转他人复核',
                          'Above your ¥{max}: another person must agree to',
                        ],
                        { max: yuan(limit_cents) },
                      )
                    : say(
                        [
                          '同意后立即原路退回{way}，不可撤回',
                          'Approving pays it back at once by {way}; it can’t be undone',
                        ],
                        { way },
                      )}{' '}
                  {sum}
                </>,
              ]
            : row.state === 'second_audit'
              ? [
                  'warn',
                  <>
                    <Keys keys={keysOf('order.combo.refund.secondApprove')} />
                    {row.override
                      ? say(
                          [
                            '{who} 申请政策例外，须另一人复核',
                            '{who} asks for an exception: another person must agree',
                          ],
                          { who: row.first_name ?? '' },
                        )
                      : say(
                          ['{who} 已同意，须另一人复核', '{who} agreed; another person must too'],
                          { who: row.first_name ?? '' },
                        )}{' '}
                    {sum}
                  </>,
                ]
              : row.state === 'pay_failed'
                ? [
                    'bad',
                    <>
                      <Keys keys={keysOf('order.combo.refund.retryPay')} />
                      {fault(row)}{' '}
                      {say(['（失败 {n} 次）', '(failed {n} times)'], { n: row.fails })} {sum}
                    </>,
                  ]
                : row.state === 'rejected'
                  ? [
                      'bad',
                      <>
                        {word(refundRejects, row.reject_code, '')}
                        {row.reject_reason && <span>{row.reject_reason}</span>}
                      </>,
                    ]
                  : [undefined, null]
  return tone ? (
    <div className="r-verdict" data-tone={tone} role="status">
      {words}
    </div>
  ) : null
}

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
  picked: ReadonlySet<number>
  onPicked: (ids: ReadonlySet<number>) => void
}) => {
  useReasons(offeredRefusals)
  const say = useSay()
  const word = useWord()
  const { row, lanes, others, buyer, past, payouts } = of
  const tick = useMemo(
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
          <Section title={say(['退多少', 'Refund amount'])}>
            <HowMuch of={row.figures} label={['本单退款（按分摊）', 'This refund (pro rata)']} />
            <p className="m-muted">
              {say(['实付 ¥{paid}', 'Paid ¥{paid}'], { paid: yuan(of.paid_cents) })}
              {others.length > 0 &&
                say(['，其他退款 {n} 单', ', {n} other refunds'], { n: others.length })}
              {of.freight_cents > 0 &&
                say(['，含运费 ¥{n}', ', freight of ¥{n} with it'], { n: yuan(of.freight_cents) })}
            </p>
          </Section>
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
          <Section title={say(['退款政策', 'Policy'])}>
            <p className="m-muted">
              {say(comboPolicies[row.policy])}
              {say(['：', ': '])}
              {say(policyWords[row.policy])}
            </p>
          </Section>
          {others.length > 0 && (
            <Section title={say(['本单其他退款', 'Other refunds of the order'])}>
              <ul className="r-rows">
                {others.map(one => (
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
          )}
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
        </div>
      </div>
      <FoldedFacts />
    </article>
  )
}
