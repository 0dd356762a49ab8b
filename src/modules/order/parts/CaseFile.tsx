import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { offeredRefusals } from '#commands/order/reasons.ts'
import { eRefundDetail } from '#commands/pages/order.ts'
import { freightPayers } from '#src/areas/afterSalePolicy/policy.ts'
import { statusWords } from '#src/areas/order/order.ts'
import { isOpen, refundReasons, refundTypes } from '#src/areas/refund/refund.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { Picture } from '#src/kit/image.tsx'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { useReasons } from '#src/kit/queue.ts'
import { Seen } from '#src/kit/seen.tsx'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { Decisions } from '#src/kit/toolbar.tsx'
import type { ERefundDetail } from '../contract/eRefundRow.ts'
import { CaseMoney } from './CaseMoney.tsx'
import { CaseParcels } from './CaseParcels.tsx'
import { CaseState, Payouts, Pictures, Stages, Steps, Talk, useWord } from './cases.tsx'
import { OrderLink } from './OrderLink.tsx'
import { AgreedOnce, FailedPay, Frozen, PaysBack, Refusal, Sum, VerdictLine } from './verdict.tsx'

/** What agreeing to an application does: what is sent, what must come back first, or the money. */
const onApplied = ({ row, money, paid }: ERefundDetail, say: Say) => {
  if (row.type === 'resend')
    return (
      <VerdictLine tone="info">
        {say([
          '同意后生成一张 0 元补发单，不退款',
          'Approving makes an order of ¥0 that sends it again; nothing is paid back',
        ])}
      </VerdictLine>
    )
  if (row.type === 'return_refund')
    return (
      <VerdictLine tone="info">
        {say(['先同意退货，收到货后退', 'Agree to the return first; then'])}{' '}
        <Sum cents={row.amount_cents} />
      </VerdictLine>
    )
  if (row.received && row.evidence === 0)
    return (
      <VerdictLine tone="warn">
        {say([
          '已收货仅退款但没有凭证：请买家补充图片，或改为退货退款',
          'Refund-only of goods that arrived, without pictures: ask for some, or for the goods',
        ])}
      </VerdictLine>
    )
  const { limit_cents } = money
  return (
    <VerdictLine tone={row.amount_cents > limit_cents ? 'warn' : 'info'}>
      <PaysBack amount_cents={row.amount_cents} limit_cents={limit_cents} paid={paid} />
    </VerdictLine>
  )
}
/**
 * What the decision would do, before it is made: how much, to where, and whether another person
 * must agree.
 */
const Verdict = ({ of }: { of: ERefundDetail }) => {
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
      return onApplied(of, say)
    case 'second_audit':
      return (
        <VerdictLine tone="warn">
          {row.offline ? (
            say(
              [
                '{who} 申请线下打款，复核通过后记为已打款',
                '{who} asks to pay by hand: approving says that it was paid',
              ],
              { who: row.first_name ?? '' },
            )
          ) : (
            <AgreedOnce by={row.first_name ?? ''} />
          )}{' '}
          <Sum cents={row.amount_cents} />
        </VerdictLine>
      )
    case 'returning':
      return (
        <VerdictLine tone="info">
          {say(['确认收到退货后退', 'Once the goods are back'])} <Sum cents={row.amount_cents} />
        </VerdictLine>
      )
    case 'pay_failed':
      return (
        <VerdictLine tone="bad">
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
const whereWords = (shipped_qty: number, received: boolean): Text => {
  if (shipped_qty === 0) return ['未发货', 'Not sent']
  return received ? ['已收货', 'Arrived'] : ['已发货', 'Sent']
}
const Items = ({ of }: { of: ERefundDetail }) => {
  const say = useSay()
  return (
    <Section title={say(['退款商品', 'Items'])}>
      <ul className="r-lines">
        {of.lines.map((line, i) => (
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
                · {say(whereWords(line.shipped_qty, of.row.received))}
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
  )
}
const PaidOut = ({ of: { payouts, offline } }: { of: ERefundDetail }) => {
  const say = useSay()
  if (payouts.length === 0) return null
  return (
    <Section title={say(['退款打款', 'Payouts'])}>
      <Payouts of={payouts} />
      {offline && (
        <Facts>
          <Fact wide label={say(['线下账户', 'By hand to'])}>
            {offline.account ?? '—'}
            <Pictures
              of={offline.proof ? [offline.proof] : []}
              label={say(['打款凭证', 'Proof'])}
            />
          </Fact>
        </Facts>
      )}
    </Section>
  )
}
const policies = {
  anytime: ['随时可退', 'Any time'],
  before_expiry: ['到期前可退', 'Before it expires'],
  none: ['不可退', 'None'],
} as const satisfies Record<string, Text>

const Rules = ({ of: { policy, row } }: { of: ERefundDetail }) => {
  const say = useSay()
  return (
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
  )
}
const Buyer = ({ of: { buyer, past } }: { of: ERefundDetail }) => {
  const say = useSay()
  const word = useWord()
  return (
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
                <Link href={to(eRefundDetail, { id: one.id })}>{one.title || one.refund_no}</Link>{' '}
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
  )
}
const OrderFacts = ({ of }: { of: ERefundDetail['order'] }) => {
  const say = useSay()
  return (
    <Section title={say(['订单', 'Order'])}>
      <Facts>
        <Fact label={say(['订单号', 'Number'])}>
          <span className="m-num">
            <OrderLink kind={of.kind} id={of.id}>
              {of.order_no}
            </OrderLink>
          </span>
        </Fact>
        <Fact label={say(['状态', 'Status'])}>{say(statusWords(of))}</Fact>
        <Fact label={say(['支付', 'Paid'])}>
          <When at={of.paid_at} />
        </Fact>
        <Fact label={say(['完成', 'Finished'])}>
          <When at={of.finished_at} />
        </Fact>
        {of.receiver_name !== undefined && (
          <Fact wide label={say(['收货人', 'Receiver'])}>
            {of.receiver_name} <span className="m-num">{of.receiver_phone ?? '—'}</span>{' '}
            {of.receiver_address ?? ''}
          </Fact>
        )}
        {of.remark && (
          <Fact wide label={say(['买家留言', 'Buyer’s note'])}>
            {of.remark}
          </Fact>
        )}
        {of.freeze_reason && (
          <Fact wide label={say(['冻结原因', 'Why frozen'])}>
            {of.freeze_reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/**
 * One case as a negotiation file: what is asked, what it is worth, who said what, where the goods
 * are, and what the rules are.
 */
export const CaseFile = ({ of, stale }: { of: ERefundDetail; stale?: boolean }) => {
  useReasons(offeredRefusals)
  const say = useSay()
  const { row, order, steps } = of
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
            <Items of={of} />
            <Section title={say(['退款金额', 'Refund amount'])}>
              <CaseMoney of={of} />
            </Section>
            <CaseParcels of={of} />
            <PaidOut of={of} />
            <Section title={say(['处理记录', 'What was done'])}>
              <Steps of={steps} />
            </Section>
          </Seen>
        </div>
        <div>
          <Seen>
            <Rules of={of} />
            <Buyer of={of} />
            <OrderFacts of={order} />
          </Seen>
        </div>
      </div>
      <FoldedFacts />
    </article>
  )
}
