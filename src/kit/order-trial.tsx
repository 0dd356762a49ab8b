import type { OrderTrial } from '#src/contract/orderTrial.ts'
import { SmallTable } from './cells.tsx'
import { Badge, Fact, Facts, Money } from './show.tsx'
import { useSay } from './text.ts'

/** What a coupon takes off a real order, line by line, and who pays it; or why it takes nothing. */
export const TrialLines = ({ of }: { of: OrderTrial }) => {
  const say = useSay()
  return (
    <>
      {of.refused && (
        <p>
          <Badge tone="warn">{of.refused}</Badge>
        </p>
      )}
      {of.lines.length > 0 && (
        <SmallTable
          head={[
            ['商品', 'Product'],
            ['金额', 'Amount'],
            ['减免', 'Off'],
          ]}
          rows={of.lines.map((line, at) => ({ ...line, at }))}
          keyOf={line => line.at}
          cells={line => [
            `${line.title} × ${line.qty}`,
            <Money key="cost" cents={line.cost_cents} />,
            <Money key="off" cents={line.off_cents} />,
          ]}
        />
      )}
      {of.order_id > 0 && (
        <Facts>
          <Fact label={say(['共减免', 'Total off'])}>
            <Money cents={of.discount_cents} sign />
          </Fact>
          <Fact label={say(['买家实付', 'The buyer pays'])}>
            <Money cents={of.pay_cents} sign />
          </Fact>
          <Fact label={say(['平台承担', 'The platform pays'])}>
            <Money cents={of.platform_cents} sign />
          </Fact>
          <Fact label={say(['商户承担', 'The merchant pays'])}>
            <Money cents={of.merchant_cents} sign />
          </Fact>
          <Fact label={say(['含运费', 'With freight'])}>
            <Money cents={of.freight_cents} sign />
          </Fact>
          <Fact label={say(['订单', 'Order'])}>{of.order_no}</Fact>
        </Facts>
      )}
    </>
  )
}
