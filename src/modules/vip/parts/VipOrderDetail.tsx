import { orderEvents, payWays } from '#src/areas/order/order.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import { contractStates } from '#src/areas/vipCard/renewal.ts'
import { openedBy } from '#src/areas/vipCard/subscription.ts'
import { refundPolicies } from '#src/areas/vipCard/vipCard.ts'
import { vipOrderStates, type VipOrderState } from '#src/areas/vipCard/vipOrder.ts'
import { type Text } from '#src/domain/text.ts'
import { SmallTable, State, type States } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import {
  vipOrders as calls,
  type VipOrderRow as Row,
  type VipTrail,
} from '../contract/cardOrder.ts'

const tones: Readonly<Record<VipOrderState, ToneName>> = {
  unpaid: 'warn',
  paid: 'good',
  failed: 'bad',
  refunding: 'info',
  partly_refunded: 'plain',
  refunded: 'plain',
  closed: 'plain',
}
/** How a purchase stands, as lists show it. */
export const orderLooks = Object.fromEntries(
  Object.entries(vipOrderStates).map(([key, text]) => [
    key,
    { text, tone: tones[key as VipOrderState] },
  ]),
) as States<VipOrderState>
const payStates: Readonly<Record<string, Text>> = {
  pending: ['待确认', 'Pending'],
  success: ['成功', 'Done'],
  failed: ['失败', 'Failed'],
  closed: ['已关闭', 'Closed'],
}
const Refundable = ({ row }: { row: Row }) => {
  const say = useSay()
  const { refundable } = row
  if (refundable.cents > 0)
    return (
      <>
        <Money cents={refundable.cents} sign />{' '}
        <span className="m-muted">
          {say(['（收回 {n} 天）', '({n} days)'], { n: row.days_left })}
        </span>
      </>
    )
  return <span className="m-muted">{say(refundable.why ?? ['—', '—'])}</span>
}
const Contract = ({ of }: { of: VipTrail }) => {
  const say = useSay()
  if (of.contract === null) return null
  return (
    <Section title={say(['签约', 'Contract'])}>
      <Facts>
        <Fact label={say(['状态', 'State'])}>{say(contractStates[of.contract.state])}</Fact>
        <Fact label={say(['每期', 'Per period'])}>
          <Money cents={of.contract.price_cents} sign />
        </Fact>
        <Fact wide label={say(['签约号', 'Contract no.'])}>
          {of.contract.contract_no}
        </Fact>
        <Fact label={say(['签约时间', 'Signed'])}>
          <When at={of.contract.signed_at} />
        </Fact>
      </Facts>
    </Section>
  )
}
const Payments = ({ of }: { of: VipTrail }) => {
  const say = useSay()
  if (of.payments.length === 0) return null
  return (
    <Section title={say(['收付款', 'Payments'])}>
      <SmallTable
        head={[
          ['方向', 'Direction'],
          ['金额', 'Amount'],
          ['渠道', 'Channel'],
          ['结果', 'Result'],
          ['时间', 'Time'],
        ]}
        rows={of.payments}
        keyOf={one => one.id}
        cells={one => [
          one.direction === 'in' ? say(['收', 'In']) : say(['退', 'Out']),
          <Money key="cents" cents={one.amount_cents} />,
          say(payWays[one.channel]),
          <span key="state" title={`${one.out_no} ${one.fail_text ?? ''}`}>
            {say(payStates[one.state]!)}
            {one.fail_text && ` · ${one.fail_text}`}
          </span>,
          <When key="at" at={one.at} />,
        ]}
      />
    </Section>
  )
}
const Refunds = ({ of }: { of: VipTrail }) => {
  const say = useSay()
  if (of.refunds.length === 0) return null
  return (
    <Section title={say(['退款', 'Refunds'])}>
      <SmallTable
        head={[
          ['退款单', 'Refund'],
          ['金额', 'Amount'],
          ['状态', 'State'],
          ['原因', 'Reason'],
        ]}
        rows={of.refunds}
        keyOf={one => one.id}
        cells={one => [
          one.refund_no,
          <Money key="cents" cents={one.amount_cents} />,
          say(refundStates[one.state]),
          one.reason,
        ]}
      />
    </Section>
  )
}
const Gifts = ({ of }: { of: VipTrail }) => {
  const say = useSay()
  if (of.gifts.length === 0) return null
  return (
    <Section title={say(['开卡礼券', 'Welcome coupons'])}>
      <SmallTable
        head={[
          ['礼券', 'Coupon'],
          ['状态', 'State'],
        ]}
        rows={of.gifts}
        keyOf={one => one.coupon_id}
        cells={one => [one.name, one.state]}
      />
    </Section>
  )
}
const Steps = ({ of }: { of: VipTrail }) => {
  const say = useSay()
  if (of.log.length === 0) return null
  return (
    <Section title={say(['订单轨迹', 'Order timeline'])}>
      <SmallTable
        head={[
          ['事件', 'Event'],
          ['操作人', 'By'],
          ['说明', 'Note'],
          ['时间', 'Time'],
        ]}
        rows={of.log}
        keyOf={one => one.id}
        cells={one => [
          say(orderEvents[one.event]),
          one.by,
          one.memo || '—',
          <When key="at" at={one.at} />,
        ]}
      />
    </Section>
  )
}
const Trails = ({ row }: { row: Row }) => {
  const read = useRead(calls.trail, { id: row.id })
  return (
    <Answer of={read}>
      {of => (
        <>
          <Contract of={of} />
          <Payments of={of} />
          <Refunds of={of} />
          <Gifts of={of} />
          <Steps of={of} />
        </>
      )}
    </Answer>
  )
}
const MoneyFacts = ({ row }: { row: Row }) => {
  const say = useSay()
  const isUnpaid = row.state === 'unpaid' || row.state === 'closed'
  return (
    <Section title={say(['款项', 'Payment'])}>
      <Facts>
        <Fact label={say(isUnpaid ? ['应付', 'To pay'] : ['实付', 'Paid'])}>
          <Money cents={row.pay_cents} sign />
        </Fact>
        <Fact label={say(['已退', 'Refunded'])}>
          <Money cents={row.refunded_cents} sign />
        </Fact>
        {row.credit_cents > 0 && (
          <Fact label={say(['升级抵扣', 'Credited'])}>
            <Money cents={row.credit_cents} sign />
          </Fact>
        )}
        <Fact label={say(['支付时间', 'Paid at'])}>
          <When at={row.paid_at} />
        </Fact>
        <Fact wide label={say(['现在可退', 'Refundable now'])}>
          <Refundable row={row} />
        </Fact>
        <Fact wide label={say(['退款规则', 'Refund rule'])}>
          {say(refundPolicies[row.refund_policy])}
          {row.gift_used_cents > 0 && (
            <>
              {say(['，已用礼券扣除 ', ', less used coupons '])}
              <Money cents={row.gift_used_cents} sign />
            </>
          )}
        </Fact>
        {row.refund_error && (
          <Fact wide label={say(['退款失败', 'Refund failed'])}>
            {row.refund_error}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const PeriodFacts = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Section title={say(['会员与期限', 'Member and period'])}>
      <Facts>
        <Fact label={say(['会员', 'Member'])}>{row.member_name}</Fact>
        <Fact label={say(['手机号', 'Phone'])}>{row.phone}</Fact>
        <Fact label={say(['卡种', 'Plan'])}>
          {row.card_name} · {say(['{n} 天', '{n} days'], { n: row.days })}
        </Fact>
        <Fact label={say(['城市', 'City'])}>{row.city_name}</Fact>
        <Fact label={say(['开始', 'From'])}>
          <When at={row.start_at} />
        </Fact>
        <Fact label={say(['结束', 'Until'])}>
          <When at={row.end_at} />
        </Fact>
        <Fact label={say(['来源', 'Source'])}>{row.source || '—'}</Fact>
        <Fact label={say(['分销员', 'Distributor'])}>{row.distributor || '—'}</Fact>
        {row.note && (
          <Fact wide label={say(['备注', 'Note'])}>
            {row.note}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** One purchase: its money and what may go back, its period, and how it came to that. */
export const VipOrderDetail = ({ row }: { row: Row }) => {
  const say = useSay()
  return (
    <Inspector
      title={row.order_no}
      aside={
        <>
          <State of={row.state} in={orderLooks} />
          <Badge>{say(openedBy[row.kind])}</Badge>
        </>
      }
    >
      <MoneyFacts row={row} />
      <PeriodFacts row={row} />
      <Trails row={row} />
    </Inspector>
  )
}
