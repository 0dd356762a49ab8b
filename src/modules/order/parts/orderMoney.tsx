import { Link } from 'wouter'
import { payWays } from '#src/areas/order/order.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import type { Text } from '#src/domain/text.ts'
import { Money, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderDetail } from '../contract/shared.ts'

/** What was paid and where it went, line by line; the lines add up to their totals. */
export const MoneyLines = ({ of: { order, facts } }: { of: OrderDetail }) => {
  const say = useSay()
  const { coupon } = facts
  const [store, platform] = [
    facts.store_discount_cents - (coupon?.merchant_cents ?? 0),
    order.platform_discount_cents - (coupon?.platform_cents ?? 0),
  ]
  const lines: readonly (readonly [Text, number, string?])[] = [
    [['商品合计', 'Goods'], facts.total_cents],
    ...(facts.freight_cents ? [[['运费', 'Freight'], facts.freight_cents] as const] : []),
    ...(order.adjust_cents ? [[['改价', 'Price change'], order.adjust_cents] as const] : []),
    ...(store ? [[['商户优惠', 'Store discount'], -store] as const] : []),
    ...(coupon?.merchant_cents
      ? [[['优惠券（商户承担）', 'Coupon, paid by the merchant'], -coupon.merchant_cents] as const]
      : []),
    ...(platform ? [[['平台优惠', 'Platform discount'], -platform] as const] : []),
    ...(coupon?.platform_cents
      ? [[['优惠券（平台承担）', 'Coupon, paid by the platform'], -coupon.platform_cents] as const]
      : []),
    [['应付', 'Due'], order.pay_cents, 'sum'],
    [['实付', 'Paid'], order.paid_cents],
    ...(order.refunded_cents
      ? [
          [['已退', 'Refunded'], -order.refunded_cents] as const,
          [['净收', 'Kept'], order.paid_cents - order.refunded_cents, 'sum'] as const,
        ]
      : []),
    ...(facts.late_penalty_cents
      ? [
          [
            ['逾期发货扣款（商户应付）', 'Late shipping, owed by the merchant'],
            facts.late_penalty_cents,
          ] as const,
        ]
      : []),
    ...(facts.settled_cents
      ? [[['核销结算给商户', 'Settled to the merchant'], facts.settled_cents] as const]
      : []),
    ...(facts.commission_cents
      ? [[['平台佣金', 'Commission'], facts.commission_cents] as const]
      : []),
  ]
  return (
    <dl className="o-money">
      {order.points_used > 0 && (
        <div>
          <dt>{say(['使用积分', 'Points used'])}</dt>
          <dd className="m-num">{order.points_used.toLocaleString()}</dd>
        </div>
      )}
      {lines.map(([title, cents, sum]) => (
        <div key={title[1]} data-sum={sum}>
          <dt>{say(title)}</dt>
          <dd>
            <Money cents={cents} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const paidStates: Readonly<Record<string, Text>> = {
  pending: ['处理中', 'Pending'],
  success: ['成功', 'Done'],
  failed: ['失败', 'Failed'],
  closed: ['已关闭', 'Closed'],
}
export const Payments = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  return (
    <table className="o-table">
      <tbody>
        {of.payments.map(one => (
          <tr key={one.id}>
            <td>
              <When at={one.at} />
            </td>
            <td>
              {one.direction === 'in' ? say(['收款', 'In']) : say(['退款', 'Out'])} ·{' '}
              {say(payWays[one.channel])}
            </td>
            <td className="m-num" title={one.channel_no ?? undefined}>
              {one.out_no}
            </td>
            <td className="o-right">
              <Money cents={one.direction === 'in' ? one.amount_cents : -one.amount_cents} />
            </td>
            <td>
              {one.state === 'failed' ? (
                <span className="m-bad">{one.fail_text ?? say(paidStates[one.state]!)}</span>
              ) : (
                say(paidStates[one.state]!)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
export const Refunds = ({ of, link }: { of: OrderDetail; link?: (id: number) => string }) => {
  const say = useSay()
  return (
    <table className="o-table">
      <tbody>
        {of.refunds.map(one => (
          <tr key={one.id}>
            <td>
              <When at={one.created_at} />
            </td>
            <td className="m-num">
              {link ? <Link href={link(one.id)}>{one.refund_no}</Link> : one.refund_no}
            </td>
            <td>{one.reason}</td>
            <td className="o-right">
              <Money cents={one.amount_cents} />
            </td>
            <td>{say(refundStates[one.state])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
