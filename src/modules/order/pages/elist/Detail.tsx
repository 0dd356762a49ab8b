import { useCallback, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { elistActions, elistDetailActions } from '#commands/order/elist.ts'
import { elistDetail, eRefundDetail } from '#commands/pages/order.ts'
import { itemWays, orderStatuses } from '#src/areas/order/order.ts'
import { leftOf } from '#src/areas/order/orderUnits.ts'
import { refundStates, refundTypes } from '#src/areas/refund/refund.ts'
import { Badge, Fact, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { elist as calls, elistDetail as detailCalls } from '../../contract/elist.ts'
import type { OrderDetail } from '../../contract/shared.ts'
import { Address } from '../../parts/address.tsx'
import { InvoiceOf } from '../../parts/invoice.tsx'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { Packages } from '../../parts/packages.tsx'
import { Parcels, Promised, toLeave } from '../../parts/parcels.tsx'
import { Waybills } from '../../parts/print.tsx'
import { Shipping } from '../../parts/ship.tsx'
import { AfterSale } from '../../parts/show.tsx'
import { Tracking } from '../../parts/Tracking.tsx'

/** What of an item can still be given back. */
/** The item that is meant: the one chosen, or the only one. */
const itemIn = (of: OrderDetail, item: number | undefined) =>
  of.items.find(one => one.id === item) ?? (of.items.length === 1 ? of.items[0] : undefined)
/**
 * Each item with its share, where it is, and the cases about it; one of them is chosen for refunds,
 * cases and what is sent again.
 */
const Lots = ({
  of,
  chosen,
  choose,
}: {
  of: OrderDetail
  chosen: number | undefined
  choose: (id: number) => void
}) => {
  const say = useSay()
  return (
    <ul className="o-lots">
      {of.items.map(item => {
        const cases = of.refunds.filter(one => one.items.some(part => part.item_id === item.id))
        return (
          <li key={item.id} className="o-lot">
            <input
              type="radio"
              name={`lot-${of.order.id}`}
              aria-label={say(['选择商品 {title}', 'Choose {title}'], { title: item.title })}
              checked={chosen === item.id}
              onChange={() => choose(item.id)}
            />
            <div>
              <b>{item.title}</b> <span className="m-muted">{item.sku}</span>
              <br />
              <span className="m-muted">
                {say(itemWays[item.fulfil])} ·{' '}
                {say(['已发 {s}/{n}', '{s}/{n} sent'], {
                  s: item.shipped_qty,
                  n: item.qty - item.refunded_qty,
                })}
                {item.received_qty > 0 &&
                  ` · ${say(['已收 {n}', '{n} received'], { n: item.received_qty })}`}
                <AfterSale of={item} />
              </span>
              {item.refunding_qty > 0 && (
                <>
                  {' '}
                  <Badge tone="warn">
                    {say(['退款中 {n} 件，不能发货', '{n} in refund, can’t go'], {
                      n: item.refunding_qty,
                    })}
                  </Badge>
                </>
              )}
              {cases.map(one => (
                <div key={one.id} className="m-muted">
                  <Link href={to(eRefundDetail, { id: one.id })} className="m-num">
                    {one.refund_no}
                  </Link>{' '}
                  {say(refundTypes[one.type])} ×{' '}
                  {one.items.find(part => part.item_id === item.id)!.qty} ·{' '}
                  {say(refundStates[one.state])}
                </div>
              ))}
            </div>
            <div className="o-right">
              <span className="m-num">
                ¥<Money cents={item.price_cents} /> × {item.qty}
              </span>
              <br />
              <span title={say(['实付分摊', 'Its share of what was paid'])}>
                <Money cents={item.pay_cents} sign />
              </span>
              {item.refunded_cents > 0 && (
                <>
                  <br />
                  <span className="m-muted">
                    {say(['已退', 'Refunded'])} <Money cents={item.refunded_cents} />
                  </span>
                </>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
const Answers = () => {
  const say = useSay()
  const { toast, open } = useWorkbench()
  useResult(elistDetailActions.refreshTrack, ({ heard, asked, fault }) =>
    toast(
      fault === null
        ? say(['{n} 个包裹的轨迹已更新', '{n} parcels were heard of'], { n: heard })
        : say(
            [
              '{ok}/{n} 个包裹有更新；{why}，其余保留上次轨迹',
              '{ok} of {n} were heard of; {why}: the rest stay as they were',
            ],
            { ok: heard, n: asked, why: fault },
          ),
      fault === null ? 'success' : 'warning',
    ),
  )
  useResult(elistDetailActions.reissue, ({ order_id, order_no }) =>
    toast(say(['已生成补发订单 {no}', 'It is sent again as {no}'], { no: order_no }), 'success', {
      text: say(['打开', 'Open']),
      does: () => open(to(elistDetail, { id: order_id })),
    }),
  )
  useResult(elistDetailActions.createAfterSale, ({ refund_id, refund_no }) =>
    toast(say(['已申请售后 {no}', 'Case {no} was opened'], { no: refund_no }), 'success', {
      text: say(['打开', 'Open']),
      does: () => open(to(eRefundDetail, { id: refund_id })),
    }),
  )
  return null
}
const More = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  const { facts, order } = of
  return (
    <>
      {order.promise_at !== null && toLeave(order) && (
        <Fact label={say(['发货承诺', 'To leave by'])}>
          <When at={order.promise_at} /> <Promised row={order} />
        </Fact>
      )}
      {order.fulfil_state === 'shipped' && (
        <Fact label={say(['自动收货', 'Auto-received'])}>
          <When at={order.receive_by} />
          {facts.receive_extended > 0 && (
            <span className="m-muted">
              {' '}
              {say(['已延长 {n} 次', 'put off {n} times'], { n: facts.receive_extended })}
            </span>
          )}
        </Fact>
      )}
      <Fact wide label={say(['发票', 'Invoice'])}>
        <InvoiceOf of={facts.invoice} />
      </Fact>
      {facts.reissue_of !== null && (
        <Fact label={say(['补发自', 'Sent again for'])}>
          <Link href={to(elistDetail, { id: facts.reissue_of })}>
            {say(['打开原订单', 'Open the first order'])}
          </Link>
        </Fact>
      )}
      {facts.reissues.map(one => (
        <Fact key={one.id} label={say(['补发订单', 'Sent again as'])}>
          <Link href={to(elistDetail, { id: one.id })} className="m-num">
            {one.order_no}
          </Link>{' '}
          {say(orderStatuses[one.status])}
        </Fact>
      ))}
    </>
  )
}

const {
  ship: _,
  batchShip: __,
  refund: ___,
  editTracking: ____,
  editAddress: _____,
  batchPrint: ______,
  export: _______,
  ...shared
} = elistActions
const own = ['items', 'parcels'] as const
export default function ElistOrder() {
  const say = useSay()
  const at = useSearch()
  // What was chosen belongs to the order it was chosen on: the page may show another meanwhile.
  const [picked, setPicked] = useState<{ at: string; item?: number; parcel?: number }>({ at })
  const { item, parcel } = picked.at === at ? picked : {}
  const chosen = useCallback(
    (of: OrderDetail) => {
      const one = itemIn(of, item)
      return {
        invoice: of.facts.invoice,
        ...(one && {
          item_id: one.id,
          item_left: leftOf(one),
          after_sale_until: one.after_sale_until,
        }),
        ...(parcel !== undefined && { shipment_id: parcel }),
        ...(of.facts.reissues[0] && { reissue_id: of.facts.reissues[0].id }),
      }
    },
    [item, parcel],
  )
  return (
    <>
      <OrderPage
        calls={calls}
        actions={[...Object.values(elistDetailActions), ...Object.values(shared)]}
        revealPhone={elistActions.revealPhone}
        queryPay={elistDetailActions.queryPay}
        chosen={chosen}
        own={own}
        facts={of => <More of={of} />}
      >
        {of => (
          <>
            <Section title={say(['商品与售后', 'Items and after-sales'])}>
              <Lots
                of={of}
                chosen={itemIn(of, item)?.id}
                choose={id => setPicked({ ...(picked.at === at && picked), at, item: id })}
              />
            </Section>
            <Section title={say(['包裹', 'Parcels'])}>
              <Parcels
                of={of}
                chosen={parcel}
                choose={id => setPicked({ ...(picked.at === at && picked), at, parcel: id })}
              />
            </Section>
          </>
        )}
      </OrderPage>
      <Answers />
      <Shipping action={elistDetailActions.ship} calls={detailCalls} list={calls} />
      <Packages action={elistActions.splitShip} />
      <Tracking action={elistDetailActions.editTracking} calls={detailCalls} list={calls} />
      <Address action={elistDetailActions.editAddress} calls={detailCalls} list={calls} />
      <Waybills action={elistActions.printWaybill} />
    </>
  )
}
