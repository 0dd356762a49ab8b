import {
  BanCircle as Ban,
  Box as Truck,
  CreditCard,
  Lock,
  Tick,
  Time as Clock,
  Undo,
  WarningSign as Warning,
} from '@blueprintjs/icons'
import type { ComponentType, ReactNode } from 'react'
import { couponUses } from '#src/areas/coupon/coupon.ts'
import { storeStates } from '#src/areas/mall/mall.ts'
import { smsStates, type SmsState } from '#src/areas/member/visitor.ts'
import {
  codeStates,
  fulfilStates,
  itemWays,
  messageKinds,
  orderEvents,
  orderSources,
  orderStatuses,
  reviewers,
  statusWords,
  type CodeState,
  type OrderStatus,
} from '#src/areas/order/order.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import { percent } from '#src/domain/money.ts'
import { aside, clause, type Text } from '#src/domain/text.ts'
import { Badge, Fact, Facts, Money, When, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderDetail } from '../contract/shared.ts'
import { ShipmentBadge } from './ShipmentBadge.tsx'
import './order.css'

type Icon = ComponentType<{ size?: number }>
const looks: Record<OrderStatus, readonly [ToneName, Icon]> = {
  pending_payment: ['warn', CreditCard],
  waiting_group: ['info', Clock],
  pending_ship: ['warn', Truck],
  part_shipped: ['info', Truck],
  shipped: ['info', Truck],
  pending_use: ['info', Clock],
  part_used: ['info', Clock],
  issuing: ['info', Clock],
  finished: ['good', Tick],
  expired: ['plain', Clock],
  refunding: ['warn', Undo],
  refunded: ['plain', Undo],
  cancelled: ['plain', Ban],
  freezing: ['bad', Lock],
}
/** The status of one part of an order, in the order's own words. */
export const StatusBadge = ({ status }: { status: OrderStatus }) => {
  const say = useSay()
  const [tone, icon] = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {say(orderStatuses[status])}
    </Badge>
  )
}
type Standing = Pick<OrderRow, 'status' | 'fulfil_state' | 'refund_state' | 'to_decide'> &
  Partial<Pick<OrderRow, 'kind' | 'balance_due'>>
/** What an order's status leaves unsaid: the refund to decide, or how far it is otherwise. */
const besideStatus = (row: Standing): Text | undefined => {
  if (row.to_decide) return refundStates[row.to_decide.state]
  if (row.kind === 'raise' && row.fulfil_state === 'waiting_group') return undefined
  if (row.status === 'refunding' || row.status === 'freezing') return fulfilStates[row.fulfil_state]
  return row.refund_state === 'part_refunded' ? ['部分退款', 'Part refunded'] : undefined
}
/** An order's status; beside an open refund or a freeze, how far it is otherwise. */
export const OrderState = ({ row }: { row: Standing }) => {
  const say = useSay()
  const [tone, icon] = looks[row.status]
  const words = statusWords(row)
  const also = besideStatus(row)
  return (
    <span className="o-states">
      <Badge tone={tone} icon={icon}>
        {say(words)}
      </Badge>
      {also && row.fulfil_state !== 'none' && <span className="m-muted">{say(also)}</span>}
    </span>
  )
}
const codeTones: Record<CodeState, ToneName> = {
  locked: 'plain',
  unused: 'info',
  part_used: 'info',
  used: 'good',
  refunding: 'warn',
  refunded: 'plain',
  expired: 'plain',
  void: 'plain',
}
export const CodeBadge = ({ state }: { state: CodeState }) => {
  const say = useSay()
  return <Badge tone={codeTones[state]}>{say(codeStates[state])}</Badge>
}

/** Until when what was received may be asked back. */
export const AfterSale = ({
  of: { after_sale_until },
}: {
  of: Pick<OrderDetail['items'][number], 'after_sale_until'>
}) => {
  const say = useSay()
  return after_sale_until === null ? null : (
    <>
      {' '}
      · {say(['售后截止', 'After-sale until'])} <When at={after_sale_until} />
    </>
  )
}
export const Items = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  return (
    <ul className="o-items">
      {of.items.map(item => (
        <li key={item.id}>
          {item.image && (
            <img src={`/uploads/${item.image}`} alt="" width={40} height={40} loading="lazy" />
          )}
          <div>
            <b>{item.title}</b>
            {item.sku && <span className="m-muted"> {item.sku}</span>}
            <br />
            <span className="m-muted">
              {say(itemWays[item.fulfil])} · {item.store_name}
              {item.refund_policy &&
                ` · ${say(policies[item.refund_policy] ?? [item.refund_policy, item.refund_policy])}`}
              <AfterSale of={item} />
            </span>
          </div>
          <div className="o-right">
            <span className="m-num">
              ¥<Money cents={item.price_cents} /> × {item.qty}
            </span>
            <br />
            <Money cents={item.pay_cents} sign />
            {(item.refunded_qty > 0 || item.refunding_qty > 0) && (
              <>
                <br />
                <span className="m-muted">
                  {item.refunded_qty > 0 &&
                    say(['已退 {n} 件', '{n} refunded'], { n: item.refunded_qty })}
                  {item.refunding_qty > 0 &&
                    say([' 退款中 {n} 件', ' {n} in refund'], { n: item.refunding_qty })}
                </span>
              </>
            )}
            {item.issue_state === 'failed' && (
              <>
                <br />
                <Badge tone="bad" icon={Warning}>
                  {item.issue_note || say(['发放失败', 'Issue failed'])}
                </Badge>
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
const policies: Readonly<Record<string, Text>> = {
  anytime: ['随时退', 'Refund any time'],
  before_expiry: ['过期前可退', 'Refund before expiry'],
  none: ['不可退', 'No refund'],
}

export const Shipments = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  return (
    <ul className="o-parcels">
      {of.shipments.map(one => (
        <li key={one.id}>
          <b className="m-num">
            {one.courier_name} {one.tracking_no}
          </b>{' '}
          <ShipmentBadge state={one.state} />
          <div className="m-muted">
            {one.items.map(item => `${item.title} × ${item.qty}`).join(say(clause))} ·{' '}
            <When at={one.shipped_at} />
          </div>
          {one.traces.length > 0 && (
            <ol>
              {one.traces.slice(0, 6).map(trace => (
                <li key={trace.at}>
                  <When at={trace.at} /> {trace.text}
                </li>
              ))}
            </ol>
          )}
        </li>
      ))}
    </ul>
  )
}
export const smsTones: Record<SmsState, ToneName> = {
  none: 'plain',
  queued: 'info',
  sent: 'good',
  failed: 'bad',
}
/** What was sent about an order, and whether it arrived. */
export const SentMessages = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  return (
    <table className="o-table">
      <tbody>
        {of.messages.map(one => (
          <tr key={one.id}>
            <td>
              <When at={one.at} />
            </td>
            <td>
              {say(messageKinds[one.kind])}
              <div className="m-muted">{one.text}</div>
            </td>
            <td>
              <Badge tone={smsTones[one.state]}>{say(smsStates[one.state])}</Badge>
              {one.fault && <div className="m-muted">{one.fault}</div>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
export const Timeline = ({ of, most }: { of: OrderDetail; most?: number }) => {
  const say = useSay()
  const rows = most ? of.log.slice(0, most) : of.log
  return (
    <ol className="o-timeline">
      {rows.map(one => (
        <li key={one.id}>
          <When at={one.at} />
          <span>
            <b>{say(orderEvents[one.event])}</b>
            {one.to && one.from !== one.to && (
              <span className="m-muted">
                {' '}
                → {say(statusWords({ status: one.to, kind: of.order.kind }))}
              </span>
            )}{' '}
            <span className="m-muted">{one.by}</span>
            {one.memo && <div>{one.memo}</div>}
          </span>
        </li>
      ))}
    </ol>
  )
}
export const Buyer = ({ of, children }: { of: OrderDetail; children?: ReactNode }) => {
  const say = useSay()
  const { order, facts, buyer } = of
  return (
    <Facts>
      <Fact label={say(['会员', 'Member'])}>
        {order.member_id
          ? `${order.member_name}${say(aside, { it: order.member_id })}`
          : say(['游客', 'Visitor'])}
      </Fact>
      <Fact label={say(['手机号', 'Phone'])}>
        <span className="m-num">{order.phone ?? order.visitor?.phone ?? '—'}</span>
      </Fact>
      {buyer && (
        <Fact wide label={say(['购买记录', 'Purchases'])}>
          {say(['{n} 单，其中退款 {r} 单', '{n} orders, {r} refunded'], {
            n: buyer.orders,
            r: buyer.refunded,
          })}
          {buyer.refunded > 0 &&
            say(['（{p}）', ' ({p})'], {
              p: percent(Math.round((buyer.refunded * 1000) / buyer.orders) * 10),
            })}
        </Fact>
      )}
      {facts.receiver && (
        <Fact wide label={say(['收货人', 'Receiver'])}>
          {facts.receiver.name} <span className="m-num">{facts.receiver.phone}</span>{' '}
          {facts.receiver.area}
          {facts.receiver.address}
          {order.receiver_changed_at && <Badge tone="warn">{say(['改过地址', 'Changed'])}</Badge>}
        </Fact>
      )}
      {order.remark && (
        <Fact wide label={say(['买家留言', 'Buyer’s note'])}>
          {order.remark}
        </Fact>
      )}
      {children}
    </Facts>
  )
}
/** The store of an order, and that it is not open where that is so: nothing can be used in it. */
export const StoreOf = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return (
    <>
      {row.store_name}
      {row.store_name !== '' && row.store_status !== 'open' && (
        <>
          {' '}
          <Badge tone="warn">{say(storeStates[row.store_status])}</Badge>
        </>
      )}
    </>
  )
}
/** When an order was paid, or until when it may be. */
const PaidAt = ({
  order,
}: {
  order: Pick<OrderDetail['order'], 'paid_at' | 'pay_state' | 'expire_pay_at'>
}) => {
  const say = useSay()
  if (order.paid_at) return <When at={order.paid_at} />
  if (order.pay_state !== 'unpaid') return '—'
  return (
    <>
      {say(['待支付，截止', 'Unpaid, due:'])} <When at={order.expire_pay_at} />
    </>
  )
}
export const Head = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  const { order, facts } = of
  return (
    <Facts>
      <Fact label={say(['下单', 'Placed'])}>
        <When at={order.created_at} />
      </Fact>
      <Fact label={say(['支付', 'Paid'])}>
        <PaidAt order={order} />
      </Fact>
      <Fact label={say(['门店', 'Store'])}>
        <StoreOf row={order} />
      </Fact>
      <Fact label={say(['商户', 'Merchant'])}>{order.merchant_name}</Fact>
      <Fact label={say(['商场', 'Mall'])}>
        {order.mall_name || say(['商场外', 'Outside malls'])} · {order.city_name}
      </Fact>
      {order.valid_until !== null && (
        <Fact label={say(['有效期至', 'Valid until'])}>
          <When at={order.valid_until} />
        </Fact>
      )}
      <Fact label={say(['来源', 'Source'])}>
        {say(orderSources[facts.source])}
        {facts.live_room !== null && ` · ${facts.live_room}`}
        {facts.h5_link !== null && ` · ${facts.h5_link}`}
      </Fact>
      {facts.shared_by && (
        <Fact label={say(['分享人', 'Shared by'])}>
          {facts.shared_by.name}
          {say(aside, { it: facts.shared_by.id })}
        </Fact>
      )}
      {facts.coupon && (
        <Fact label={say(['优惠券', 'Coupon'])}>
          {facts.coupon.name}{' '}
          <Badge tone={facts.coupon.use === 'used' ? 'good' : 'plain'}>
            {say(couponUses[facts.coupon.use])}
          </Badge>
        </Fact>
      )}
      {(facts.review_by !== null || facts.auto_review_at !== null) && (
        <Fact label={say(['评价', 'Review'])}>
          {facts.review_by !== null ? (
            <>
              {say(reviewers[facts.review_by])} <When at={facts.reviewed_at} />
            </>
          ) : (
            <>
              {say(['待评价，自动好评于', 'Not yet; good by itself'])}{' '}
              <When at={facts.auto_review_at} />
            </>
          )}
        </Fact>
      )}
      {order.frozen && (
        <Fact wide label={say(['冻结原因', 'Why frozen'])}>
          <span className="m-bad">{order.freeze_reason}</span>
        </Fact>
      )}
      {order.tags.length > 0 && (
        <Fact wide label={say(['标签', 'Tags'])}>
          {order.tags.map(tag => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </Fact>
      )}
    </Facts>
  )
}
