import { orderKinds } from '#src/areas/order/order.ts'
import { orderSteps, orderStepTitles } from '#src/areas/order/orderSteps.ts'
import { Badge, Money } from '#src/kit/show.tsx'
import { StepBar } from '#src/kit/step-bar.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderDetail } from '../contract/shared.ts'
import { OrderState } from './show.tsx'

const Way = ({ of: { order, items, log } }: { of: OrderDetail }) => {
  const say = useSay()
  const steps = orderSteps({ ...order, ways: items.map(item => item.fulfil), log })
  return (
    <StepBar
      label={say(['订单进度', 'How far the order is'])}
      steps={steps.map(({ key, mark, at, n }) => ({
        key,
        mark,
        at,
        title: say(orderStepTitles[key]),
        ...(n && mark === 'now' && { note: <span className="m-num">{n.join(' / ')}</span> }),
      }))}
    />
  )
}
/** The heading of an order's page: its number, state and sum, what was bought, and how far it is. */
export const OrderHead = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  const { order } = of
  return (
    <header className="o-head">
      <h2>
        <span className="m-num">{order.order_no}</span>
        <OrderState row={order} />
        <Badge>{say(orderKinds[order.kind])}</Badge>
      </h2>
      <p>
        <span>
          {order.title}
          {order.item_count > 1 && say([' 等 {n} 项', ', {n} items'], { n: order.item_count })}
        </span>
        <b>
          <Money cents={order.pay_cents} sign />
        </b>
      </p>
      <Way of={of} />
    </header>
  )
}
