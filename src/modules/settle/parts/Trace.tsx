import { InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { settleDetail, withdrawPage } from '#commands/pages/settle.ts'
import { traceOf } from '#commands/settle/flow.ts'
import { businesses } from '#src/areas/ledger/ledger.ts'
import { orderStatuses, payWays } from '#src/areas/order/order.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import { lineStates } from '#src/areas/settle/settle.ts'
import type { Result } from '#src/contract/call.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer, Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { flow as calls } from '../contract/flow.ts'
import { BilledNo, Lines, OrderNo, RefundNo, TxnNo } from './looks.tsx'

type Traced = Result<typeof calls.trace>
type Of = { of: Traced }
const payStates = {
  pending: ['等待渠道', 'Pending'],
  success: ['成功', 'Done'],
  failed: ['失败', 'Failed'],
  closed: ['已关闭', 'Closed'],
} as const

/** A withdrawal by its number, for whoever may open the queue that it is in. */
const WithdrawalNo = ({ of }: { of: NonNullable<Traced['withdrawal']> }) => {
  const { me } = useWorkbench()
  const no = <span className="m-num">{of.no}</span>
  return me.can(withdrawPage.permit) ? (
    <Link href={to(withdrawPage, { status: of.status, keyword: of.no })}>{no}</Link>
  ) : (
    no
  )
}
/** A batch, which leads to its lines. */
const BatchNo = ({ id }: { id: number | null }) => {
  const { me } = useWorkbench()
  if (id === null) return '—'
  const no = <span className="m-num">#{id}</span>
  return me.can(settleDetail.permit) ? (
    <Link href={to(settleDetail, { view: 'lines', batch_id: id })}>{no}</Link>
  ) : (
    no
  )
}
const Order = ({ of: { order, withdrawal } }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['订单', 'Order'])}>
      <Facts>
        <Fact label={say(['订单号', 'Number'])}>
          <OrderNo kind={order.kind} id={order.id} no={order.order_no} />
        </Fact>
        <Fact label={say(['状态', 'State'])}>{say(orderStatuses[order.status])}</Fact>
        <Fact label={say(['应付', 'To pay'])}>
          <Money cents={order.pay_cents} />
        </Fact>
        <Fact label={say(['已退', 'Refunded'])}>
          <Money cents={order.refunded_cents} />
        </Fact>
        <Fact label={say(['支付时间', 'Paid'])}>
          <When at={order.paid_at} />
        </Fact>
        <Fact label={say(['归属', 'Where'])}>{order.place || '—'}</Fact>
        <Fact wide label={say(['商户 · 门店', 'Merchant · store'])}>
          {order.merchant} · {order.store}
        </Fact>
        {withdrawal && (
          <Fact wide label={say(['结算后首笔提现', 'First withdrawal after it settled'])}>
            <WithdrawalNo of={withdrawal} /> <Money cents={withdrawal.amount_cents} />{' '}
            <When at={withdrawal.applied_at} />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Payments = ({ of: { order, payments, refunds } }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['支付与退款', 'Payments and refunds'])}>
      {payments.length === 0 && (
        <p className="m-muted">{say(['还没有支付', 'Nothing was paid yet'])}</p>
      )}
      {payments.length > 0 && (
        <SmallTable
          head={[
            ['方向', 'Way'],
            ['金额', 'Amount'],
            ['状态', 'State'],
            ['商户单号', 'Our number'],
            ['渠道单号', 'Number of the channel'],
            ['时间', 'When'],
          ]}
          rows={payments}
          keyOf={one => one.id}
          cells={one => [
            `${one.direction === 'in' ? say(['收款', 'In']) : say(['退款', 'Back'])} · ${say(payWays[one.channel])}`,
            <Money key="sum" cents={one.amount_cents} />,
            say(payStates[one.state]),
            <BilledNo key="out" no={one.out_no} />,
            <span key="no" className="m-num">
              {one.channel_no || '—'}
            </span>,
            <When key="at" at={one.success_at} />,
          ]}
        />
      )}
      {refunds.length > 0 && (
        <SmallTable
          head={[
            ['退款单', 'Refund'],
            ['金额', 'Amount'],
            ['状态', 'State'],
            ['申请时间', 'Asked'],
          ]}
          rows={refunds}
          keyOf={one => one.id}
          cells={one => [
            <RefundNo key="no" of={one} order={order} />,
            <Money key="sum" cents={one.amount_cents} />,
            say(refundStates[one.state]),
            <When key="at" at={one.created_at} />,
          ]}
        />
      )}
    </Section>
  )
}
const Units = ({ of: { lines } }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['结算明细', 'Settlement lines'])}>
      {lines.length === 0 && (
        <p className="m-muted">{say(['还没有结算明细', 'It has no settlement line yet'])}</p>
      )}
      {lines.length > 0 && (
        <SmallTable
          head={[
            ['件', 'Unit'],
            ['状态', 'State'],
            ['售价', 'Price'],
            ['佣金', 'Commission'],
            ['手续费', 'Fee'],
            ['商户应得', 'Merchant'],
            ['解冻 / 结算', 'Free or settled'],
            ['批次', 'Batch'],
          ]}
          rows={lines}
          keyOf={one => one.id}
          cells={one => [
            one.unit_no,
            <span key="state">
              {say(lineStates[one.status])}{' '}
              {one.held && <Badge tone="warn">{say(['人工冻结', 'Held'])}</Badge>}
            </span>,
            <Money key="price" cents={one.price_cents} />,
            <Money key="commission" cents={one.commission_cents} />,
            <Money key="fee" cents={one.fee_cents} />,
            <Money key="merchant" cents={one.merchant_cents - one.gone_merchant_cents} />,
            <When key="at" at={one.settled_at ?? one.freeze_until_at} />,
            <BatchNo key="batch" id={one.batch_id} />,
          ]}
        />
      )}
    </Section>
  )
}
const Moved = ({ of: { txns } }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['记账（按先后）', 'Postings, in order'])}>
      {txns.length === 0 && (
        <p className="m-muted">{say(['还没有记账', 'Nothing was posted yet'])}</p>
      )}
      {txns.map(one => (
        <section key={one.id} className="st-posting" aria-label={one.no}>
          <header>
            <b>{say(businesses[one.biz])}</b> <Money cents={one.amount_cents} />{' '}
            <When at={one.created_at} /> <TxnNo no={one.no} />{' '}
            {one.reversed_no && <Badge tone="bad">{say(['已红冲', 'Reversed'])}</Badge>}
            <span className="m-muted">{one.memo}</span>
          </header>
          <Lines lines={one.lines} />
        </section>
      ))}
    </Section>
  )
}
const Found = ({ order_no }: { order_no: string }) => {
  const read = useRead(calls.trace, { order_no })
  return (
    <Answer of={read}>
      {told => (
        <article className="st-trace" tabIndex={0} aria-label={told.order.order_no}>
          <Order of={told} />
          <Payments of={told} />
          <Units of={told} />
          <Moved of={told} />
        </article>
      )}
    </Answer>
  )
}
/** Where the money of one order is, in one pane. */
export const Trace = () => {
  const say = useSay()
  const [, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('order_no') ?? ''
  const [typed, setTyped] = useState(asked)
  useEffect(() => setTyped(asked), [asked])
  return (
    <div className="st-tracing">
      <form
        role="search"
        onSubmit={event => {
          event.preventDefault()
          if (typed.trim()) navigate(traceOf(typed.trim()))
        }}
      >
        <InputGroup
          autoFocus={asked === ''}
          leftIcon={<Search />}
          aria-label={say(['订单号', 'Order number'])}
          placeholder={say(['输入订单号，回车追踪', 'An order number, then Enter'])}
          value={typed}
          maxLength={64}
          onValueChange={setTyped}
        />
      </form>
      {asked ? (
        <Found key={asked} order_no={asked} />
      ) : (
        <Empty title={say(['这笔订单的钱在哪里', 'Where is the money of an order'])}>
          <p>
            {say([
              '输入订单号，查看支付、退款、结算明细与每一笔记账。',
              'Its payments, refunds, settlement lines and every posting stand here.',
            ])}
          </p>
        </Empty>
      )}
    </div>
  )
}
