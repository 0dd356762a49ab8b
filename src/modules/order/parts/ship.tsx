import { useState } from 'react'
import type { Action } from '#commands/command.ts'
import { useWrite } from '#src/kit/data.ts'
import { Badge } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderCalls, OrderDetail } from '../contract/shared.ts'
import type { ShipCalls } from '../contract/ship.ts'
import { Asking, OrderSubject, useSending } from './asking.tsx'
import { ParcelFields, useParcel } from './ParcelFields.tsx'
import { WithCouriers, type ParcelAsk } from './WithCouriers.tsx'

export type Item = OrderDetail['items'][number]
/** How many of an item may leave now: not sent, not refunded, not in refund. */
export const leftToShip = (item: Item): number =>
  item.fulfil === 'express'
    ? Math.max(0, item.qty - item.shipped_qty - item.refunding_qty - item.refunded_qty)
    : 0
/** What goes into a parcel; asked only where there is a choice. */
const ItemsToShip = ({
  items,
  chosen,
  change,
}: {
  items: readonly Item[]
  chosen: Readonly<Record<number, number>>
  change: (id: number, qty: number) => void
}) => {
  const say = useSay()
  return (
    <table className="o-table o-chosen">
      <thead>
        <tr>
          <th>{say(['商品', 'Item'])}</th>
          <th className="o-right">{say(['可发', 'Left'])}</th>
          <th>{say(['本包裹', 'In this parcel'])}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(item => {
          const left = leftToShip(item)
          return (
            <tr key={item.id}>
              <td>
                {item.title} <span className="m-muted">{item.sku}</span>
                {item.refunding_qty > 0 && (
                  <>
                    {' '}
                    <Badge tone="warn">
                      {say(['退款中 {n} 件，不发', '{n} in refund stay'], {
                        n: item.refunding_qty,
                      })}
                    </Badge>
                  </>
                )}
              </td>
              <td className="o-right m-num">{left}</td>
              <td>
                <input
                  type="number"
                  min={0}
                  max={left}
                  disabled={left === 0}
                  value={chosen[item.id] ?? left}
                  aria-label={say(['{title} 本包裹件数', 'Of {title} in this parcel'], {
                    title: item.title,
                  })}
                  onChange={event =>
                    change(
                      item.id,
                      Math.max(0, Math.min(left, Math.trunc(Number(event.target.value) || 0))),
                    )
                  }
                />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

type ShipRow = OrderRow & { /** The part that goes, of an order with parts. */ item_id?: number }
type Chosen = Readonly<Record<number, number>>
/** What goes into the parcel: of each item what was chosen, else all that is left of it. */
const contentOf = (row: ShipRow, detail: OrderDetail, chosen: Chosen) => {
  const items = detail.items.filter(
    item => item.fulfil === 'express' && (row.item_id === undefined || item.id === row.item_id),
  )
  const qtyOf = (item: Item) => chosen[item.id] ?? leftToShip(item)
  return {
    items,
    going: items.map(item => ({ id: item.id, qty: qtyOf(item) })).filter(one => one.qty > 0),
    choice: items.length > 1 || items.some(item => leftToShip(item) > 1),
    whole: row.item_id === undefined && items.every(item => qtyOf(item) === leftToShip(item)),
  }
}
const ShipDialog = ({
  row,
  detail,
  couriers,
  call,
  title,
  close,
}: ParcelAsk<ShipRow> & { call: ShipCalls['ship'] }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [ship] = useWrite(call)
  const parcel = useParcel(couriers)
  const [chosen, setChosen] = useState<Chosen>({})
  const { busy, said, send, warned, clear } = useSending(() => {
    toast(
      say(['已发货：{name} {no}', 'Shipped: {name} {no}'], {
        name: parcel.courier!.name,
        no: parcel.tracking_no,
      }),
      'success',
    )
    close()
  })
  const { items, going, choice, whole } = contentOf(row, detail, chosen)
  const submit = () => {
    if (parcel.sound && going.length > 0)
      send(ship, {
        id: row.id,
        version: detail.order.version,
        courier_id: parcel.courier!.id,
        tracking_no: parcel.tracking_no,
        ...(!whole && { items: going }),
      })
  }
  return (
    <Asking
      title={title}
      close={close}
      submit={submit}
      busy={busy}
      ready={parcel.sound && going.length > 0}
      verb={title}
      said={said?.text}
      warned={warned}
      subject={<OrderSubject order_no={row.order_no} receiver={detail.facts.receiver} />}
    >
      <div onInput={clear} className="m-ask">
        <ParcelFields of={parcel} couriers={couriers} submit={submit} />
      </div>
      {choice && (
        <ItemsToShip
          items={items}
          chosen={chosen}
          change={(id, qty) => {
            clear()
            setChosen({ ...chosen, [id]: qty })
          }}
        />
      )}
      {detail.order.remark && (
        <p className="m-hint">
          {say(['买家留言：{text}', 'The buyer’s note: {text}'], { text: detail.order.remark })}
        </p>
      )}
    </Asking>
  )
}

/** Performs the page's action `ship`: S, the number, Enter. */
export const Shipping = ({
  action,
  calls,
  list,
}: {
  action: Action
  calls: Pick<ShipCalls, 'ship' | 'couriers'>
  list: Pick<OrderCalls, 'detail'>
}) => (
  <WithCouriers<ShipRow> action={action} calls={calls} list={list}>
    {asked => <ShipDialog {...asked} call={calls.ship} />}
  </WithCouriers>
)
