import { useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import { goodsActions, goodsDetailActions } from '#commands/order/goods.ts'
import { isAtStore } from '#src/areas/order/order.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import { unixNow } from '#src/domain/time.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Badge, duration, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult } from '#src/kit/workbench.ts'
import { goods as calls, goodsDetail } from '../../contract/goods.ts'
import type { OrderDetail } from '../../contract/shared.ts'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { printSlip } from '../../parts/slip.ts'

const km = (metres: number) => `${(metres / 1000).toFixed(1)} km`
type Progress = ReturnType<typeof useProgress>['data']
const useProgress = (id: number | undefined) =>
  useRead(goodsDetail.progress, id === undefined ? skipToken : { id })

type Found = NonNullable<Progress>
const Delivery = ({ at }: { at: Found }) => {
  const say = useSay()
  return (
    <>
      <Fact label={say(['骑手', 'Rider'])}>
        {at.rider ? (
          <>
            {at.rider.name} <span className="m-num">{at.rider.phone}</span>
          </>
        ) : (
          '—'
        )}
      </Fact>
      <Fact label={say(['出发', 'Set out'])}>
        <When at={at.dispatched_at} />
      </Fact>
      <Fact label={say(['送达', 'Delivered'])}>
        <When at={at.delivered_at} />
      </Fact>
      <Fact label={say(['距门店', 'From the store'])}>
        {at.distance_m === null ? (
          '—'
        ) : (
          <span
            className={
              at.store.radius_m !== null && at.distance_m > at.store.radius_m
                ? 'm-num m-bad'
                : 'm-num'
            }
          >
            {km(at.distance_m)}
          </span>
        )}
        {at.store.radius_m !== null && (
          <span className="m-muted">
            {' '}
            {say(['配送范围', 'delivers within'])} {km(at.store.radius_m)}
          </span>
        )}
      </Fact>
    </>
  )
}
const PickUp = ({ at, promise_at }: { at: Found; promise_at: number | null }) => {
  const say = useSay()
  return (
    <>
      <Fact label={say(['提货', 'Picked up'])}>
        <When at={at.picked_up_at} />
      </Fact>
      {at.refund_at !== null && (
        <Fact label={say(['未提自动退款', 'Refund when not picked up'])}>
          <When at={at.refund_at} />
          {promise_at !== null && promise_at < unixNow() && (
            <>
              {' '}
              <Badge tone={at.warn_at! < unixNow() ? 'bad' : 'warn'}>
                {say(['已逾期 {t}', 'Late {t}'], {
                  t: duration(unixNow() - promise_at, say),
                })}
              </Badge>
            </>
          )}
        </Fact>
      )}
    </>
  )
}
const OpenRefund = ({ of }: { of: NonNullable<Found['open_refund']> }) => {
  const say = useSay()
  return (
    <Fact wide label={say(['退款', 'Refund'])}>
      <span className="m-num">{of.refund_no}</span> <Money cents={of.amount_cents} sign />{' '}
      {say(refundStates[of.state])} · {of.reason}{' '}
      {of.state === 'applied' && (
        <Badge tone={of.intervened ? 'bad' : 'warn'}>
          {of.intervened ? (
            say(['门店逾期未答复，待平台裁决', 'The store did not answer: decide it'])
          ) : (
            <>
              {say(['待门店答复，截止', 'The store answers until'])} <When at={of.deadline_at} />
            </>
          )}
        </Badge>
      )}
    </Fact>
  )
}
/**
 * From the store to the buyer: what is done, by when the rest is due, and what happens if it is
 * not.
 */
const Way = ({ of, at }: { of: OrderDetail; at: Progress }) => {
  const say = useSay()
  if (!at) return null
  const { order } = of
  const delivery = order.sub_kind === 'store_delivery'
  const open = at.open_refund
  return (
    <Section title={say(delivery ? ['门店配送', 'Store delivery'] : ['到店自提', 'Pick-up'])}>
      <Facts>
        <Fact label={say(['承诺时间', 'Promised'])}>
          <When at={order.promise_at} />
        </Fact>
        <Fact label={say(['备好', 'Ready'])}>
          {order.ready_at || !isAtStore(order) ? (
            <When at={order.ready_at} />
          ) : (
            <Badge tone="warn">{say(['备货中', 'Not ready'])}</Badge>
          )}
          {at.reminded_at !== null && (
            <span className="m-muted">
              {' '}
              {say(['催促', 'Urged'])} <When at={at.reminded_at} />
            </span>
          )}
        </Fact>
        {delivery ? <Delivery at={at} /> : <PickUp at={at} promise_at={order.promise_at} />}
        <Fact wide label={say(['门店', 'Store'])}>
          {at.store.name} <span className="m-num">{at.store.phone ?? ''}</span>{' '}
          <span className="m-muted">
            {at.store.open_hours} · {at.store.address}
          </span>{' '}
          {at.store.status !== 'open' && <Badge tone="bad">{say(['未营业', 'Not open'])}</Badge>}
        </Fact>
        {open && <OpenRefund of={open} />}
      </Facts>
    </Section>
  )
}
/**
 * What can be given back of each item, and how many of it are chosen; beside it what the store
 * still has.
 */
const Chooser = ({
  of,
  at,
  chosen,
  choose,
}: {
  of: OrderDetail
  at: Progress
  chosen: ReadonlyMap<number, number>
  choose: (of: ReadonlyMap<number, number>) => void
}) => {
  const say = useSay()
  if (!at || of.order.pay_state !== 'paid') return null
  return (
    <Section title={say(['退款件数与门店库存', 'Refund quantity and store stock'])}>
      <table className="o-table">
        <thead>
          <tr>
            <th>{say(['商品', 'Item'])}</th>
            <th className="o-right">{say(['购买', 'Bought'])}</th>
            <th className="o-right">{say(['已退/退款中', 'Refunded/open'])}</th>
            <th className="o-right">{say(['可退金额', 'Refundable'])}</th>
            <th className="o-right">{say(['门店可用库存', 'Store stock'])}</th>
            <th className="o-right">{say(['退几件', 'Refund'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.items.map(item => {
            const own = at.items.find(one => one.id === item.id)
            const most = own?.refundable ?? 0
            return (
              <tr key={item.id}>
                <td>
                  {item.title}
                  {item.sku && <span className="m-muted"> {item.sku}</span>}
                </td>
                <td className="o-right m-num">{item.qty}</td>
                <td className="o-right m-num">
                  {item.refunded_qty}/{item.refunding_qty}
                </td>
                <td className="o-right">
                  <Money cents={own?.left_cents ?? 0} />
                </td>
                <td className="o-right m-num">{own?.free ?? '—'}</td>
                <td className="o-right">
                  <input
                    className="o-units m-num"
                    type="number"
                    inputMode="numeric"
                    min={0}
                    max={most}
                    disabled={most === 0}
                    placeholder={most === 0 ? '—' : `0–${most}`}
                    aria-label={say(
                      ['「{title}」退几件，最多 {n}', 'How many of {title}, at most {n}'],
                      { title: item.title, n: most },
                    )}
                    value={chosen.get(item.id) ?? ''}
                    onChange={event => {
                      const n = Math.min(
                        most,
                        Math.max(0, Math.trunc(Number(event.currentTarget.value))),
                      )
                      const next = new Map(chosen)
                      if (n > 0) next.set(item.id, n)
                      else next.delete(item.id)
                      choose(next)
                    }}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {chosen.size === 0 && (
        <p className="m-muted">
          {say(['不填件数则退全部剩余', 'Leave empty to refund everything left'])}
        </p>
      )}
    </Section>
  )
}

const { refund: _, batchRemind: __, export: ___, ...shared } = goodsActions
const actions = [
  goodsActions.confirmReady,
  goodsActions.dispatch,
  goodsActions.confirmPickup,
  ...Object.values(goodsDetailActions),
  ...Object.values(shared).filter(
    action =>
      action !== goodsActions.confirmReady &&
      action !== goodsActions.dispatch &&
      action !== goodsActions.confirmPickup,
  ),
]
export default function GoodsOrder() {
  const say = useSay()
  const id = Number(new URLSearchParams(useSearch()).get('id'))
  const { data } = useProgress(Number.isInteger(id) && id > 0 ? id : undefined)
  const [chosen, choose] = useState<ReadonlyMap<number, number>>(new Map())
  useResult(goodsDetailActions.printSlip, slip => printSlip(slip, say))
  const open = data?.open_refund
  const more = useMemo(
    () => ({
      items: [...chosen].map(([item, qty]) => ({ id: item, qty })),
      waits: (open?.state === 'applied' && open.intervened) || open?.state === 'second_audit',
    }),
    [chosen, open],
  )
  return (
    <OrderPage calls={calls} actions={actions} chosen={more} revealPhone={goodsActions.revealPhone}>
      {of => (
        <>
          <Way of={of} at={data} />
          <Chooser of={of} at={data} chosen={chosen} choose={choose} />
        </>
      )}
    </OrderPage>
  )
}
