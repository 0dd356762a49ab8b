import { visitorActions } from '#commands/order/visitor.ts'
import { bindStates, smsStates, type BindState } from '#src/areas/member/visitor.ts'
import {
  cancelTypes,
  orderKinds,
  orderSources,
  orderSubKinds,
  statusWords,
} from '#src/areas/order/order.ts'
import { listTypes, riskLists } from '#src/areas/risk/risk.ts'
import { yuan } from '#src/domain/money.ts'
import { aside, colon, comma, type Text } from '#src/domain/text.ts'
import { useRead } from '#src/kit/data.ts'
import { Badge, Fact, Facts, Keys, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderDetail } from '../contract/shared.ts'
import { visitor as calls, type RelatedOrders } from '../contract/visitor.ts'
import { OrderLink } from './OrderLink.tsx'
import { SentMessages, smsTones, StoreOf } from './show.tsx'
import './visitor.css'

/** Says that another person must agree, where the phones differ. */
export const useBindWait = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(visitorActions.bindMember, ({ bound }: { bound: boolean }) => {
    if (!bound)
      toast(
        say(['手机号不一致，已提交另一人复核', 'The phones differ: another person must agree']),
        'none',
      )
    return !bound
  })
}
/** Whether the codes reached the visitor; of a bill there are none to send. */
export const Sms = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  if (row.sub_kind === 'pay_bill' || !row.visitor || row.pay_state !== 'paid')
    return <span className="m-muted">—</span>
  return <Badge tone={smsTones[row.visitor.sms]}>{say(smsStates[row.visitor.sms])}</Badge>
}
/** Whom it was given to, or who is to get it. */
export const Claimed = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  if (row.visitor?.bind)
    return (
      <Badge tone="warn">
        {say(['待复核：{name}', 'To confirm: {name}'], { name: row.visitor.bind.name })}
      </Badge>
    )
  return row.member_id === null ? (
    <span className="m-muted">{say(['未绑定', 'Not bound'])}</span>
  ) : (
    <>{row.member_name}</>
  )
}
export const SubKind = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return <>{say(orderSubKinds[row.sub_kind])}</>
}
export const Source = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return <>{say(orderSources[row.source])}</>
}
export const LatePaid = ({ row }: { row: OrderRow }) => {
  const say = useSay()
  return row.cancel_type === 'late_pay' ? (
    <Badge tone="warn">{say(['超时到账', 'Paid too late'])}</Badge>
  ) : null
}

/** What stands out about the order, before anything is done with it. */
export const Notices = ({ of: { order, refunds } }: { of: OrderDetail }) => {
  const say = useSay()
  const { keysOf, me } = useWorkbench()
  const bind = order.visitor?.bind
  const late =
    order.cancel_type === 'late_pay'
      ? (refunds.find(one => one.cause === 'late_pay') ?? refunds[0])
      : undefined
  return (
    <>
      {bind && (
        <div className="o-notice" data-tone="warn" role="status">
          <span>
            {say(
              ['{who} 申请绑定到「{name}」：{reason}', '{who} asks to bind it to {name}: {reason}'],
              { who: bind.first_name, name: bind.name, reason: bind.reason },
            )}
          </span>
          <When at={bind.at} />
          {bind.first_by === me.id ? (
            <span className="m-muted">{say(['须另一人复核', 'Another person must agree'])}</span>
          ) : (
            <span>
              <Keys keys={keysOf('order.visitor.confirmBind')} /> {say(['同意', 'Agree'])}　
              <Keys keys={keysOf('order.visitor.refuseBind')} /> {say(['不同意', 'Refuse'])}
            </span>
          )}
        </div>
      )}
      {order.cancel_type === 'late_pay' && (
        <div className="o-notice" data-tone="warn" role="status">
          <span>{say(cancelTypes.late_pay)}</span>
          {late && (
            <>
              <b>¥{yuan(late.amount_cents)}</b>
              <span>
                {late.done_at ? (
                  <>
                    {say(['已退回', 'Sent back'])} <When at={late.done_at} />
                  </>
                ) : (
                  say(['退款处理中', 'On its way back'])
                )}
              </span>
            </>
          )}
        </div>
      )}
    </>
  )
}
/** By what the payer is known. */
const Payer = ({ of: { order, facts } }: { of: OrderDetail }) => {
  const say = useSay()
  return (
    <Section title={say(['付款人线索', 'Who paid'])}>
      <Facts>
        <Fact label={say(['下单手机', 'Phone'])}>
          <span className="m-num">{order.visitor?.phone ?? '—'}</span>
        </Fact>
        <Fact wide label={say(['微信标识', 'WeChat ID'])}>
          <span className="m-num">{order.visitor?.openid ?? '—'}</span>
        </Fact>
        <Fact label={say(['设备', 'Device'])}>
          <span className="m-num">{facts.device_id ?? '—'}</span>
        </Fact>
        <Fact label={say(['渠道', 'Channel'])}>
          {say(orderSources[order.source])} · {say(orderSubKinds[order.sub_kind])}
        </Fact>
        <Fact wide label={say(['地点', 'Place'])}>
          {order.city_name} · {order.mall_name || say(['商场外', 'Outside malls'])} ·{' '}
          <StoreOf row={order} />
        </Fact>
        <Fact wide label={say(['归属会员', 'Member'])}>
          {order.member_id === null ? (
            <span className="m-muted">{say(['未绑定', 'Not bound'])}</span>
          ) : (
            <>
              {order.member_name}
              {say(aside, { it: order.member_id })} <When at={order.claimed_at} />{' '}
              {say(['绑定，保留游客标记', 'bound; stays a visitor’s order'])}
            </>
          )}
        </Fact>
      </Facts>
    </Section>
  )
}
/** What was sent to the visitor, and whether it arrived. */
const Messages = ({ of, resent, most }: { of: OrderDetail; resent: number; most: number }) => {
  const say = useSay()
  if (of.order.sub_kind === 'pay_bill') return null
  return (
    <Section
      title={say(['券码短信', 'Code SMS'])}
      aside={
        <span className="m-muted m-num">
          {say(['今日已重发 {n} / {most}', 'Sent again today {n} / {most}'], { n: resent, most })}
        </span>
      }
    >
      {of.messages.length === 0 ? (
        <p className="m-muted">
          {say(
            of.order.pay_state === 'paid'
              ? ['没有发送记录', 'Nothing was sent']
              : ['支付后发送', 'Sent once it is paid'],
          )}
        </p>
      ) : (
        <SentMessages of={of} />
      )}
    </Section>
  )
}

const clues: Readonly<Record<'phone' | 'device' | 'openid', Text>> = {
  phone: ['手机', 'Phone'],
  device: ['设备', 'Device'],
  openid: ['微信', 'WeChat'],
}
/** What in the numbers is unusual, in words; the numbers themselves stand beside. */
const signsOf = ({
  sums,
  lists,
  hits,
}: RelatedOrders): (readonly [ToneName, Text, Record<string, number>])[] => [
  ...(lists.some(one => one.list === 'black')
    ? [['bad', ['在黑名单', 'On the black list'], {}] as const]
    : []),
  ...(lists.some(one => one.list === 'white')
    ? [['good', ['在白名单', 'On the white list'], {}] as const]
    : []),
  ...(hits > 0
    ? [['bad', ['设备风控命中 {n} 次', '{n} risk hits of the device'], { n: hits }] as const]
    : []),
  ...(sums.phones > 2
    ? [['bad', ['同设备 {n} 个手机号', '{n} phones on the device'], { n: sums.phones }] as const]
    : []),
  ...(sums.devices > 3
    ? [['warn', ['同手机 {n} 台设备', '{n} devices of the phone'], { n: sums.devices }] as const]
    : []),
  ...(sums.day >= 5
    ? [['warn', ['前后 24 小时 {n} 单', '{n} orders within a day'], { n: sums.day }] as const]
    : []),
  ...(sums.refunded >= 3 && sums.refunded * 2 > sums.orders
    ? [['warn', ['多数已退款', 'Most were refunded'], {}] as const]
    : []),
  ...(sums.frozen > 0
    ? [['warn', ['{n} 单冻结中', '{n} frozen'], { n: sums.frozen }] as const]
    : []),
]
const RelatedTable = ({ of }: { of: RelatedOrders['orders'] }) => {
  const say = useSay()
  return (
    <table className="o-table">
      <thead>
        <tr>
          <th>{say(['下单', 'Placed'])}</th>
          <th>{say(['订单', 'Order'])}</th>
          <th>{say(['门店', 'Store'])}</th>
          <th>{say(['相同', 'In common'])}</th>
          <th className="o-right">{say(['实付', 'Paid'])}</th>
          <th>{say(['状态', 'Status'])}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(one => (
          <tr key={one.id}>
            <td>
              <When at={one.created_at} />
            </td>
            <td>
              <OrderLink kind={one.kind} id={one.id}>
                {one.title || one.order_no}
              </OrderLink>{' '}
              <span className="m-muted">{say(orderKinds[one.kind])}</span>
            </td>
            <td>{one.store_name}</td>
            <td>{one.by.map(by => say(clues[by])).join(say(comma))}</td>
            <td className="o-right">
              <Money cents={one.paid_cents} />
            </td>
            <td>{say(statusWords(one))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
/** Other orders of the same phone, device or WeChat identity, with what a fraud would show. */
const Related = ({ of }: { of: RelatedOrders }) => {
  const say = useSay()
  const { sums, orders, lists } = of
  const signs = signsOf(of)
  return (
    <Section
      title={say(['同源订单', 'Related orders'])}
      aside={
        <span className="m-muted m-num">
          {say(['{n} 单 · 实付 ¥{paid} · 已退 ¥{back}', '{n} · paid ¥{paid} · refunded ¥{back}'], {
            n: `${sums.orders}${sums.more ? '+' : ''}`,
            paid: yuan(sums.paid_cents),
            back: yuan(sums.refunded_cents),
          })}
        </span>
      }
    >
      <p className="v-signs">
        {signs.length === 0 ? (
          <span className="m-muted">
            {say(
              sums.orders === 0
                ? [
                    '同手机、设备、微信没有其他订单',
                    'No other orders with this phone, device or WeChat ID',
                  ]
                : ['没有异常迹象', 'Nothing unusual'],
            )}
          </span>
        ) : (
          signs.map(([tone, text, values]) => (
            <Badge key={text[1]} tone={tone}>
              {say(text, values)}
            </Badge>
          ))
        )}
        {lists.map(one => (
          <span key={one.list + one.type} className="m-muted">
            {say(riskLists[one.list])} · {say(listTypes[one.type])}
            {one.until_at !== null && (
              <>
                {' '}
                <When at={one.until_at} />
              </>
            )}
          </span>
        ))}
      </p>
      {orders.length > 0 && <RelatedTable of={orders} />}
    </Section>
  )
}
const bindTones: Record<BindState, ToneName> = {
  asked: 'warn',
  bound: 'good',
  refused: 'plain',
  undone: 'plain',
}
const Binds = ({ of }: { of: RelatedOrders }) => {
  const say = useSay()
  if (of.binds.length === 0) return null
  return (
    <Section title={say(['会员绑定', 'Bindings'])}>
      <table className="o-table">
        <tbody>
          {of.binds.map(one => (
            <tr key={one.id}>
              <td>
                <When at={one.at} />
              </td>
              <td>
                {one.name} <Badge tone={bindTones[one.state]}>{say(bindStates[one.state])}</Badge>
              </td>
              <td>
                {one.first_name}
                {say(colon)}
                {one.reason}
                {one.second_name && (
                  <>
                    <br />
                    {one.second_name}
                    {say(colon)}
                    {one.second_reason}
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
/** All of a visitor's order that other orders have not. */
export const VisitorFile = ({ of }: { of: OrderDetail }) => {
  const others = useRead(calls.related, { id: of.order.id })
  return (
    <>
      <Notices of={of} />
      <Payer of={of} />
      <Answer of={{ ...others, data: others.currentData }} lines={4}>
        {found => (
          <>
            <Related of={found} />
            <Binds of={found} />
            <Messages of={of} resent={found.resent} most={found.resend_max} />
          </>
        )}
      </Answer>
    </>
  )
}
