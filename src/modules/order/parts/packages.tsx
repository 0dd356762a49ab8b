import { Button } from '@blueprintjs/core'
import { Cross, Plus } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import type { Action } from '#commands/command.ts'
import { couriersFor, fitsCourier, readTracking, trackingOf } from '#src/areas/shipping/courier.ts'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { elist, PACKAGES_MAX } from '../contract/elist.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderDetail } from '../contract/shared.ts'
import type { CourierRow } from '../contract/ship.ts'
import { Asking, leftToShip, useSending, WithOrder } from './ship.tsx'

type Package = {
  key: number
  typed: string
  courier_id: number | undefined
  qty: Readonly<Record<number, number>>
}
const PackagesDialog = ({
  row,
  detail,
  couriers,
  title,
  close,
}: {
  row: OrderRow
  detail: OrderDetail
  couriers: readonly CourierRow[]
  title: string
  close: () => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [ship] = useWrite(elist.splitShip)
  const items = detail.items.filter(item => leftToShip(item) > 0)
  // Two parcels to begin with: the first item by itself, or one unit of the only one.
  const lone = items.length === 1
  const base = useId()
  const [all, setAll] = useState<readonly Package[]>(() => [
    {
      key: 1,
      typed: '',
      courier_id: undefined,
      qty: Object.fromEntries(
        items.slice(0, 1).map(item => [item.id, leftToShip(item) - Number(lone)]),
      ),
    },
    {
      key: 2,
      typed: '',
      courier_id: undefined,
      qty: Object.fromEntries(
        lone
          ? items.map(item => [item.id, 1])
          : items.slice(1).map(item => [item.id, leftToShip(item)]),
      ),
    },
  ])
  const { busy, said, send, warned, clear } = useSending(() => {
    toast(say(['已发出 {n} 个包裹', '{n} parcels have left'], { n: all.length }), 'success')
    close()
  })
  const courierOf = (one: Package) =>
    couriers.find(each => each.id === one.courier_id) ?? couriersFor(one.typed, couriers)[0]
  const change = (key: number, more: Partial<Package>) => {
    clear()
    setAll(all.map(one => (one.key === key ? { ...one, ...more } : one)))
  }
  const spread = (id: number) => all.reduce((sum, one) => sum + (one.qty[id] ?? 0), 0)
  const faults = all.map(one => {
    const courier = courierOf(one)
    const read = readTracking(one.typed)
    return one.typed === ''
      ? say(['请填写单号', 'Its number'])
      : 'fault' in read
        ? say(read.fault)
        : !courier
          ? say(['无法识别快递公司', 'Whose number is it?'])
          : !fitsCourier(one.typed, courier)
            ? say(['不是{name}的单号', 'No number of {name}'], { name: courier.name })
            : Object.values(one.qty).every(qty => qty === 0)
              ? say(['包裹是空的', 'Nothing is in it'])
              : undefined
  })
  const over = items.find(item => spread(item.id) > leftToShip(item))
  const ready = faults.every(fault => fault === undefined) && !over
  const submit = () => {
    if (ready)
      send(ship, {
        id: row.id,
        version: detail.order.version,
        packages: all.map(one => ({
          courier_id: courierOf(one)!.id,
          tracking_no: trackingOf(one.typed),
          items: Object.entries(one.qty)
            .filter(([, qty]) => qty > 0)
            .map(([id, qty]) => ({ id: Number(id), qty })),
        })),
      })
  }
  return (
    <Asking
      wide
      title={title}
      close={close}
      submit={submit}
      busy={busy}
      ready={ready}
      verb={title}
      said={
        over
          ? say(['「{title}」最多还能发 {n} 件', 'At most {n} of “{title}” can go'], {
              title: over.title,
              n: leftToShip(over),
            })
          : said?.text
      }
      warned={warned}
      subject={<b className="m-num">{row.order_no}</b>}
    >
      <div
        className="o-packages"
        onKeyDown={event => {
          if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) {
            event.preventDefault()
            submit()
          }
        }}
      >
        <table className="o-table o-chosen">
          <thead>
            <tr>
              <th>{say(['商品', 'Item'])}</th>
              <th className="o-right">{say(['可发', 'Left'])}</th>
              {all.map((one, at) => (
                <th key={one.key}>
                  {say(['包裹 {n}', 'Parcel {n}'], { n: at + 1 })}{' '}
                  {all.length > 2 && (
                    <Button
                      size="small"
                      variant="minimal"
                      icon={<Cross />}
                      aria-label={say(['移除包裹 {n}', 'Take parcel {n} out'], { n: at + 1 })}
                      onClick={() => setAll(all.filter(each => each !== one))}
                    />
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <td colSpan={2} className="m-muted">
                {say(['快递单号', 'Tracking number'])}
              </td>
              {all.map((one, at) => (
                <td key={one.key}>
                  <input
                    className="m-num"
                    autoFocus={at === 0}
                    aria-label={say(['包裹 {n} 的快递单号', 'Number of parcel {n}'], { n: at + 1 })}
                    aria-invalid={one.typed !== '' && faults[at] !== undefined}
                    aria-describedby={`${base}-${one.key}`}
                    value={one.typed}
                    maxLength={60}
                    onChange={event => change(one.key, { typed: event.target.value })}
                  />
                  <div
                    id={`${base}-${one.key}`}
                    className={one.typed !== '' && faults[at] ? 'm-error' : 'm-hint'}
                  >
                    {faults[at] ?? courierOf(one)!.name}
                  </div>
                </td>
              ))}
            </tr>
            <tr>
              <td colSpan={2} className="m-muted">
                {say(['快递公司', 'Courier'])}
              </td>
              {all.map((one, at) => (
                <td key={one.key}>
                  <select
                    aria-label={say(['包裹 {n} 的快递公司', 'Courier of parcel {n}'], {
                      n: at + 1,
                    })}
                    value={courierOf(one)?.id ?? ''}
                    onChange={event =>
                      change(one.key, { courier_id: Number(event.target.value) || undefined })
                    }
                  >
                    <option value="">{say(['按单号识别', 'By its number'])}</option>
                    {couriers.map(each => (
                      <option key={each.id} value={each.id}>
                        {each.name}
                      </option>
                    ))}
                  </select>
                </td>
              ))}
            </tr>
            {items.map(item => (
              <tr key={item.id}>
                <td>
                  {item.title} <span className="m-muted">{item.sku}</span>
                </td>
                <td
                  className={
                    spread(item.id) > leftToShip(item) ? 'o-right m-num m-bad' : 'o-right m-num'
                  }
                >
                  {spread(item.id)}/{leftToShip(item)}
                </td>
                {all.map((one, at) => (
                  <td key={one.key}>
                    <input
                      type="number"
                      min={0}
                      max={leftToShip(item)}
                      value={one.qty[item.id] ?? 0}
                      aria-label={say(['{title} 放入包裹 {n} 的件数', 'Of {title} in parcel {n}'], {
                        title: item.title,
                        n: at + 1,
                      })}
                      onChange={event =>
                        change(one.key, {
                          qty: {
                            ...one.qty,
                            [item.id]: Math.max(0, Math.trunc(Number(event.target.value) || 0)),
                          },
                        })
                      }
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {all.length < PACKAGES_MAX && (
          <Button
            size="small"
            variant="minimal"
            icon={<Plus />}
            onClick={() =>
              setAll([
                ...all,
                {
                  key: Math.max(...all.map(one => one.key)) + 1,
                  typed: '',
                  courier_id: undefined,
                  qty: {},
                },
              ])
            }
          >
            {say(['再加一个包裹', 'One more parcel'])}
          </Button>
        )}
      </div>
    </Asking>
  )
}
/**
 * Performs the page's action `splitShip`: what goes into which parcel, each with its number; all of
 * them leave, or none.
 */
export const Packages = ({ action }: { action: Action }) => {
  const now = useLang()
  const [row, setRow] = useState<OrderRow | undefined>(undefined)
  const couriers = useRead(elist.couriers, row ? {} : skipToken)
  useAction(action, ([one]) => setRow(one as OrderRow))
  if (!row) return null
  const title = titleIn(action, now)
  const close = () => setRow(undefined)
  return (
    <WithOrder key={row.id} id={row.id} calls={elist} title={title} close={close}>
      {of =>
        couriers.data ? (
          <PackagesDialog
            row={row}
            detail={of}
            couriers={couriers.data.list}
            title={title}
            close={close}
          />
        ) : null
      }
    </WithOrder>
  )
}
