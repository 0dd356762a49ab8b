import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { offeredRefusals } from '#commands/order/reasons.ts'
import { eRefundDetail } from '#commands/pages/order.ts'
import { freightPayers } from '#src/areas/afterSalePolicy/policy.ts'
import { payWays, shipmentStates, statusWords } from '#src/areas/order/order.ts'
import {
  isOpen,
  refundReasons,
  refundRejects,
  refundTypes,
  returnConditions,
} from '#src/areas/refund/refund.ts'
import { parcelStates, returnNews } from '#src/areas/shipping/track.ts'
import { yuan } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { Picture } from '#src/kit/image.tsx'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { useReasons } from '#src/kit/queue.ts'
import { Seen } from '#src/kit/seen.tsx'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { Decisions } from '#src/kit/toolbar.tsx'
import type { ERefundDetail } from '../contract/eRefundRow.ts'
import { CaseState, Payouts, Pictures, Stages, Steps, Talk, useFault, useWord } from './cases.tsx'
import { OrderLink } from './OrderLink.tsx'

/**
 * What the decision would do, before it is made: how much, to where, and whether another person
 * must agree.
 */
const Verdict = ({ of: { row, money, paid } }: { of: ERefundDetail }) => {
  const say = useSay()
  const word = useWord()
  const fault = useFault()
  const way = [...new Set(paid.map(one => say(payWays[one.channel])))].join(say(comma))
  const sum = <b>¥{yuan(row.amount_cents)}</b>
  const tell = (tone: ToneName, children: ReactNode) => (
    <div className="r-verdict" data-tone={tone} role="status">
      {children}
    </div>
  )
  if (row.frozen && isOpen(row.state))
    return tell(
      'bad',
      say(['订单已冻结，解冻前不能处理', 'The order is frozen: nothing can be decided']),
    )
  switch (row.state) {
    case 'applied': {
      if (row.type === 'resend')
        return tell(
          'info',
          <>
            {say([
              '同意后生成一张 0 元补发单，不退款',
              'Approving makes an order of ¥0 that sends it again; nothing is paid back',
            ])}
          </>,
        )
      if (row.type === 'return_refund')
        return tell(
          'info',
          <>
            {say(['先同意退货，收到货后退', 'Agree to the return first; then'])} {sum}
          </>,
        )
      if (row.received && row.evidence === 0)
        return tell(
          'warn',
          say([
            '已收货仅退款但没有凭证：请买家补充图片，或改为退货退款',
            'Refund-only of goods that arrived, without pictures: ask for some, or for the goods',
          ]),
        )
      return tell(
        row.amount_cents > money.limit_cents ? 'warn' : 'info',
        <>
          {row.amount_cents > money.limit_cents ? (
            <>
              {say(
                [
                  '超过你的额度 ¥{max}，同意后转他人复核',
                  'Above your ¥{max}: another person must agree to',
                ],
                { max: yuan(money.limit_cents) },
              )}{' '}
              {sum}
            </>
          ) : (
            <>
              {say(
                [
                  '同意后立即原路退回{way}，不可撤回',
                  'Approving pays it back at once by {way}; it can’t be undone',
                ],
                { way },
              )}{' '}
              {sum}
            </>
          )}
        </>,
      )
    }
    case 'second_audit':
      return tell(
        'warn',
        <>
          {row.offline
            ? say(
                [
                  '{who} 申请线下打款，复核通过后记为已打款',
                  '{who} asks to pay by hand: approving says that it was paid',
                ],
                { who: row.first_name ?? '' },
              )
            : say(['{who} 已同意，须另一人复核', '{who} agreed; another person must too'], {
                who: row.first_name ?? '',
              })}{' '}
          {sum}
        </>,
      )
    case 'returning':
      return tell(
        'info',
        <>
          {say(['确认收到退货后退', 'Once the goods are back'])} {sum}
        </>,
      )
    case 'pay_failed':
      return tell(
        'bad',
        <>
          {fault(row)} {say(['（失败 {n} 次）', '(failed {n} times)'], { n: row.fails })} {sum}
        </>,
      )
    case 'rejected':
      return tell(
        'bad',
        <>
          {word(refundRejects, row.reject_code, '')}
          {row.reject_reason && <span>{row.reject_reason}</span>}
        </>,
      )
    default:
      return null
  }
}

/**
 * The amount, line by line: what the units are worth, what was agreed less, the freight; what comes
 * back beside the money, and what does not.
 */
const Formula = ({ of: { money, order, row, outbound } }: { of: ERefundDetail }) => {
  const say = useSay()
  const less = money.given_cents - money.share_cents
  const sent = outbound.length > 0
  return (
    <dl className="r-money">
      <div>
        <dt>{say(['商品实付分摊', 'Paid for these items'])}</dt>
        <dd>
          <Money cents={money.share_cents} />
        </dd>
      </div>
      {less !== 0 && (
        <div>
          <dt>{say(['协商减少', 'Agreed less'])}</dt>
          <dd>
            <Money cents={less} />
          </dd>
        </div>
      )}
      {(money.freight_cents > 0 || order.freight_cents > 0) && (
        <div>
          <dt>
            {money.freight_cents > 0
              ? say(['运费', 'Freight'])
              : say(
                  sent
                    ? ['运费 ¥{n} 不退（已发货）', 'Freight of ¥{n} is kept: it was sent']
                    : [
                        '运费 ¥{n} 不退（非整单退款）',
                        'Freight of ¥{n} is kept: not the whole order',
                      ],
                  { n: yuan(order.freight_cents) },
                )}
          </dt>
          <dd>
            <Money cents={money.freight_cents} />
          </dd>
        </div>
      )}
      <div data-sum="">
        <dt>{say(['退款金额', 'Refund'])}</dt>
        <dd>
          <Money cents={money.amount_cents} sign />
        </dd>
      </div>
      <div>
        <dt>{say(['可退上限', 'Max. refund'])}</dt>
        <dd>
          <Money cents={money.cap_cents} />
        </dd>
      </div>
      <div>
        <dt>{say(['订单实付', 'Paid for the order'])}</dt>
        <dd>
          <Money cents={order.paid_cents} />
        </dd>
      </div>
      {money.before_cents > 0 && (
        <div>
          <dt>{say(['本单其他退款', 'Other refunds of the order'])}</dt>
          <dd>
            <Money cents={-money.before_cents} />
          </dd>
        </div>
      )}
      {money.coupon !== 'none' && (
        <div>
          <dt>
            {money.coupon === 'back'
              ? say(['优惠券随整单退回', 'The coupon goes back with the whole order'])
              : say(['平台优惠不退（非整单退款）', 'The discount is kept: not the whole order'])}
          </dt>
          <dd>
            <Money cents={money.coupon_cents} />
          </dd>
        </div>
      )}
      {money.points_used > 0 && (
        <div>
          <dt>
            {row.state === 'done'
              ? say(['已退积分', 'Points given back'])
              : say(['按比例退积分', 'Points go back in proportion'])}
          </dt>
          <dd className="m-num">
            {money.points_back} / {money.points_used}
          </dd>
        </div>
      )}
    </dl>
  )
}

const policies = {
  anytime: ['随时可退', 'Any time'],
  before_expiry: ['到期前可退', 'Before it expires'],
  none: ['不可退', 'None'],
} as const satisfies Record<string, Text>

/** Where what comes back was last, the newest first. */
const Traces = ({
  of: { state, traces, traced_at, sent_at },
}: {
  of: NonNullable<NonNullable<ERefundDetail['back']>['track']>
}) => {
  const say = useSay()
  return (
    <div className="r-track">
      <span className="m-muted">
        {say(parcelStates[state])} · {say(['寄出', 'Left'])} <When at={sent_at} />
        {traced_at !== null && (
          <>
            {' '}
            · {say(['轨迹更新于', 'Heard of'])} <When at={traced_at} />
          </>
        )}
      </span>
      {traces.length === 0 ? (
        <p className="m-muted">{say(['暂无轨迹', 'No trace yet'])}</p>
      ) : (
        <ol>
          {traces
            .toReversed()
            .slice(0, 5)
            .map((trace, at) => (
              <li key={at}>
                <When at={trace.at} /> {trace.text}
              </li>
            ))}
        </ol>
      )}
    </div>
  )
}
/**
 * One case as a negotiation file: what is asked, what it is worth, who said what, where the goods
 * are, and what the rules are.
 */
export const CaseFile = ({ of, stale }: { of: ERefundDetail; stale?: boolean }) => {
  useReasons(offeredRefusals)
  const say = useSay()
  const word = useWord()
  const { row, order, lines, policy, buyer, past, payouts, outbound, back, steps, reissue } = of
  return (
    <article className="r-file" tabIndex={0} aria-label={row.refund_no} aria-busy={stale}>
      <header>
        <h2>
          {row.title}
          {row.lines > 1 && say([' 等 {n} 项', ', {n} items'], { n: row.lines })}
        </h2>
        <p>
          <CaseState state={row.state} />
          <Badge>{say(refundTypes[row.type])}</Badge>
          <span className="m-num">{row.refund_no}</span>
          <span>{row.merchant_name}</span>
          {row.intervened && <Badge tone="info">{say(['平台介入', 'Platform decides'])}</Badge>}
          {row.claimer_name && (
            <span>{say(['{who} 处理中', '{who} works on it'], { who: row.claimer_name })}</span>
          )}
        </p>
        <Decisions />
      </header>
      <Verdict of={of} />
      <Stages of={of} />
      <div className="r-columns">
        <div>
          <Seen>
            <Section
              title={say(['协商记录', 'Conversation'])}
              aside={
                row.evidence > 0 ? (
                  <span className="m-muted m-num">
                    {say(['凭证 {n} 张', '{n} pictures'], { n: row.evidence })}
                  </span>
                ) : undefined
              }
            >
              <Talk of={of} />
            </Section>
            <Section title={say(['退款商品', 'Items'])}>
              <ul className="r-lines">
                {lines.map((line, i) => (
                  <li key={i}>
                    {line.image ? <Picture of={line.image} label="" /> : <span />}
                    <div>
                      {line.title}
                      <br />
                      <span className="m-muted">
                        {line.sku && `${line.sku} · `}
                        {say(['退 {n} / 共 {of} 件', '{n} of {of}'], {
                          n: line.qty,
                          of: line.bought,
                        })}{' '}
                        ·{' '}
                        {line.shipped_qty === 0
                          ? say(['未发货', 'Not sent'])
                          : row.received
                            ? say(['已收货', 'Arrived'])
                            : say(['已发货', 'Sent'])}
                      </span>
                    </div>
                    <div>
                      <Money cents={line.amount_cents} sign />
                      {line.amount_cents !== line.share_cents && (
                        <>
                          <br />
                          <span className="m-muted">
                            <Money cents={line.share_cents} />
                          </span>
                        </>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            </Section>
            <Section title={say(['退款金额', 'Refund amount'])}>
              <Formula of={of} />
            </Section>
            <Section title={say(['物流', 'Parcels'])}>
              <Facts>
                {outbound.map((one, i) => (
                  <Fact key={i} wide label={say(['发货', 'Sent'])}>
                    <span className="m-num">
                      {one.courier} {one.tracking_no}
                    </span>{' '}
                    <Badge
                      tone={
                        one.state === 'signed' ? 'good' : one.state === 'problem' ? 'bad' : 'info'
                      }
                    >
                      {say(shipmentStates[one.state])}
                    </Badge>{' '}
                    <When at={one.signed_at ?? one.shipped_at} />
                    {one.last && <span className="m-muted"> {one.last}</span>}
                  </Fact>
                ))}
                {outbound.length === 0 && (
                  <Fact wide label={say(['发货', 'Sent'])}>
                    <span className="m-muted">{say(['尚未发货', 'Nothing was sent yet'])}</span>
                  </Fact>
                )}
                {back && (
                  <Fact wide label={say(['退货地址', 'Return to'])}>
                    {back.address} {back.name} <span className="m-num">{back.phone ?? '—'}</span>
                  </Fact>
                )}
                {back?.tracking_no && (
                  <Fact wide label={say(['退货', 'Returned'])}>
                    <span className="m-num">
                      {back.courier} {back.tracking_no}
                    </span>
                    {back.received_at && (
                      <>
                        {' '}
                        <Badge tone="good">{say(['已收到', 'Received'])}</Badge>{' '}
                        <When at={back.received_at} />
                        {back.condition && ` ${say(returnConditions[back.condition])}`}
                      </>
                    )}
                    {row.parcel && (
                      <>
                        {' '}
                        <Badge tone={row.parcel === 'arrived' ? 'good' : 'bad'}>
                          {say(returnNews[row.parcel])}
                        </Badge>
                      </>
                    )}
                    {back.track && <Traces of={back.track} />}
                  </Fact>
                )}
                {reissue && (
                  <Fact wide label={say(['补发单', 'Sent again as'])}>
                    <span className="m-num">
                      <OrderLink kind={order.kind} id={reissue.id}>
                        {reissue.order_no}
                      </OrderLink>
                    </span>
                  </Fact>
                )}
              </Facts>
            </Section>
            {payouts.length > 0 && (
              <Section title={say(['退款打款', 'Payouts'])}>
                <Payouts of={payouts} />
                {of.offline && (
                  <Facts>
                    <Fact wide label={say(['线下账户', 'By hand to'])}>
                      {of.offline.account ?? '—'}
                      <Pictures
                        of={of.offline.proof ? [of.offline.proof] : []}
                        label={say(['打款凭证', 'Proof'])}
                      />
                    </Fact>
                  </Facts>
                )}
              </Section>
            )}
            <Section title={say(['处理记录', 'What was done'])}>
              <Steps of={steps} />
            </Section>
          </Seen>
        </div>
        <div>
          <Seen>
            <Section
              title={say(['适用规则', 'Rules at purchase'])}
              aside={<span className="m-muted m-num">v{policy.version_no}</span>}
            >
              <Facts>
                <Fact label={say(['退款政策', 'Refund'])}>{say(policies[policy.refund])}</Fact>
                <Fact label={say(['售后期', 'After-sale'])}>
                  {say(['收货后 {n} 天', '{n} days after arrival'], { n: policy.after_sale_days })}
                </Fact>
                <Fact label={say(['截止', 'Ends'])}>
                  {policy.until === null ? (
                    say(['尚未收货', 'Not arrived yet'])
                  ) : (
                    <>
                      <When at={policy.until} />{' '}
                      {policy.until < row.created_at && (
                        <Badge tone="warn">{say(['超期申请', 'Applied too late'])}</Badge>
                      )}
                    </>
                  )}
                </Fact>
                <Fact label={say(['自动同意', 'Auto-approval'])}>
                  {say(['未发货且 ≤ ¥{n}', 'Unsent, up to ¥{n}'], { n: yuan(policy.auto_cents) })}
                </Fact>
                {policy.freight_payer && (
                  <Fact label={say(['无理由退货运费', 'No-reason return freight'])}>
                    {say(freightPayers[policy.freight_payer])}
                  </Fact>
                )}
              </Facts>
            </Section>
            <Section title={say(['买家与既往售后', 'The buyer and earlier cases'])}>
              {buyer && (
                <Facts>
                  <Fact label={say(['买家', 'Buyer'])}>
                    {buyer.name} <span className="m-num">{buyer.phone ?? ''}</span>
                  </Fact>
                  <Fact label={say(['订单', 'Orders'])}>
                    <span className="m-num">{buyer.orders}</span>
                  </Fact>
                  <Fact label={say(['售后', 'Cases'])}>
                    <span className="m-num">
                      {say(['{n} 次，近 90 天 {m} 次', '{n}, {m} in 90 days'], {
                        n: buyer.refunds,
                        m: buyer.refunds_90d,
                      })}
                    </span>
                  </Fact>
                  <Fact label={say(['仅退款', 'Refund-only'])}>
                    <span className="m-num">{buyer.refund_only}</span>
                  </Fact>
                </Facts>
              )}
              {past.length === 0 ? (
                <p className="m-muted">{say(['没有其他售后', 'No other case'])}</p>
              ) : (
                <ul className="r-rows">
                  {past.map(one => (
                    <li key={one.id}>
                      <When at={one.at} />
                      <span>
                        <Link href={to(eRefundDetail, { id: one.id })}>
                          {one.title || one.refund_no}
                        </Link>{' '}
                        <span className="m-muted">{word(refundReasons, one.reason_code, '')}</span>
                        {one.similar && (
                          <>
                            {' '}
                            <Badge tone="warn">{say(['相似', 'Similar'])}</Badge>
                          </>
                        )}
                      </span>
                      <span>
                        <Money cents={one.amount_cents} /> <CaseState state={one.state} />
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </Section>
            <Section title={say(['订单', 'Order'])}>
              <Facts>
                <Fact label={say(['订单号', 'Number'])}>
                  <span className="m-num">
                    <OrderLink kind={order.kind} id={order.id}>
                      {order.order_no}
                    </OrderLink>
                  </span>
                </Fact>
                <Fact label={say(['状态', 'Status'])}>{say(statusWords(order))}</Fact>
                <Fact label={say(['支付', 'Paid'])}>
                  <When at={order.paid_at} />
                </Fact>
                <Fact label={say(['完成', 'Finished'])}>
                  <When at={order.finished_at} />
                </Fact>
                {order.receiver_name !== undefined && (
                  <Fact wide label={say(['收货人', 'Receiver'])}>
                    {order.receiver_name}{' '}
                    <span className="m-num">{order.receiver_phone ?? '—'}</span>{' '}
                    {order.receiver_address ?? ''}
                  </Fact>
                )}
                {order.remark && (
                  <Fact wide label={say(['买家留言', 'Buyer’s note'])}>
                    {order.remark}
                  </Fact>
                )}
                {order.freeze_reason && (
                  <Fact wide label={say(['冻结原因', 'Why frozen'])}>
                    {order.freeze_reason}
                  </Fact>
                )}
              </Facts>
            </Section>
          </Seen>
        </div>
      </div>
      <FoldedFacts />
    </article>
  )
}
