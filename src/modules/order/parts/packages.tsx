import { Button } from '@blueprintjs/core'
import { Cross, Plus } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import type { Action } from '#commands/command.ts'
import { couriersFor, fitsCourier, readTracking, trackingOf } from '#src/areas/shipping/courier.ts'
import { useWrite } from '#src/kit/data.ts'
import { useSay, type Say } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { elist, PACKAGES_MAX } from '../contract/elist.ts'
import type { CourierRow } from '../contract/ship.ts'
import { Asking, useSending } from './asking.tsx'
import { leftToShip, type Item } from './ship.tsx'
import { WithCouriers, type ParcelAsk } from './WithCouriers.tsx'

type Package = {
  key: number
  typed: string
  courier_id: number | undefined
  qty: Readonly<Record<number, number>>
}
const newPackage = (key: number, qty: Package['qty'] = {}): Package => ({
  key,
  typed: '',
  courier_id: undefined,
  qty,
})
/** Two parcels to begin with: the first item goes by itself, or one unit of the only one. */
const firstPackages = (items: readonly Item[]): readonly Package[] => {
  const lone = items.length === 1
  const others = lone ? items : items.slice(1)
  return [
    newPackage(
      1,
      Object.fromEntries(items.slice(0, 1).map(item => [item.id, leftToShip(item) - Number(lone)])),
    ),
    newPackage(2, Object.fromEntries(others.map(item => [item.id, lone ? 1 : leftToShip(item)]))),
  ]
}
type Couriers = readonly CourierRow[]
const courierOf = (one: Package, couriers: Couriers) =>
  couriers.find(each => each.id === one.courier_id) ?? couriersFor(one.typed, couriers)[0]
/** How many of an item are in all the parcels. */
const spread = (all: readonly Package[], id: number) =>
  all.reduce((sum, one) => sum + (one.qty[id] ?? 0), 0)
/** Why a parcel can’t leave yet. */
const packageFault = (one: Package, couriers: Couriers, say: Say): string | undefined => {
  if (one.typed === '') return say(['请填写单号', 'Its number'])
  const read = readTracking(one.typed)
  if ('fault' in read) return say(read.fault)
  const courier = courierOf(one, couriers)
  if (!courier) return say(['无法识别快递公司', 'Whose number is it?'])
  if (!fitsCourier(one.typed, courier))
    return say(['不是{name}的单号', 'No number of {name}'], { name: courier.name })
  if (Object.values(one.qty).every(qty => qty === 0)) return say(['包裹是空的', 'Nothing is in it'])
  return undefined
}
/** An item of which more is in the parcels than can go holds all of them up. */
const tooManyWords = (
  items: readonly Item[],
  all: readonly Package[],
  say: Say,
): string | undefined => {
  const over = items.find(item => spread(all, item.id) > leftToShip(item))
  return (
    over &&
    say(['「{title}」最多还能发 {n} 件', 'At most {n} of “{title}” can go'], {
      title: over.title,
      n: leftToShip(over),
    })
  )
}
const sentFrom = (one: Package, couriers: Couriers) => ({
  courier_id: courierOf(one, couriers)!.id,
  tracking_no: trackingOf(one.typed),
  items: Object.entries(one.qty)
    .filter(([, qty]) => qty > 0)
    .map(([id, qty]) => ({ id: Number(id), qty })),
})

type RowProps = {
  all: readonly Package[]
  change: (key: number, more: Partial<Package>) => void
}
const HeadRow = ({
  all,
  setAll,
}: Pick<RowProps, 'all'> & { setAll: (all: readonly Package[]) => void }) => {
  const say = useSay()
  return (
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
  )
}
const NumberRow = ({
  all,
  couriers,
  faults,
  change,
}: RowProps & { couriers: Couriers; faults: readonly (string | undefined)[] }) => {
  const say = useSay()
  const base = useId()
  return (
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
            {faults[at] ?? courierOf(one, couriers)!.name}
          </div>
        </td>
      ))}
    </tr>
  )
}
const CourierChoiceRow = ({ all, couriers, change }: RowProps & { couriers: Couriers }) => {
  const say = useSay()
  return (
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
            value={courierOf(one, couriers)?.id ?? ''}
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
  )
}
const ItemRow = ({ of, all, change }: RowProps & { of: Item }) => {
  const say = useSay()
  return (
    <tr>
      <td>
        {of.title} <span className="m-muted">{of.sku}</span>
      </td>
      <td className={spread(all, of.id) > leftToShip(of) ? 'o-right m-num m-bad' : 'o-right m-num'}>
        {spread(all, of.id)}/{leftToShip(of)}
      </td>
      {all.map((one, at) => (
        <td key={one.key}>
          <input
            type="number"
            min={0}
            max={leftToShip(of)}
            value={one.qty[of.id] ?? 0}
            aria-label={say(['{title} 放入包裹 {n} 的件数', 'Of {title} in parcel {n}'], {
              title: of.title,
              n: at + 1,
            })}
            onChange={event =>
              change(one.key, {
                qty: {
                  ...one.qty,
                  [of.id]: Math.max(0, Math.trunc(Number(event.target.value) || 0)),
                },
              })
            }
          />
        </td>
      ))}
    </tr>
  )
}
const OneMore = ({ all, add }: Pick<RowProps, 'all'> & { add: (key: number) => void }) => {
  const say = useSay()
  return (
    <Button
      size="small"
      variant="minimal"
      icon={<Plus />}
      onClick={() => add(Math.max(...all.map(one => one.key)) + 1)}
    >
      {say(['再加一个包裹', 'One more parcel'])}
    </Button>
  )
}
const PackagesDialog = ({ row, detail, couriers, title, close }: ParcelAsk) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [ship] = useWrite(elist.splitShip)
  const items = detail.items.filter(item => leftToShip(item) > 0)
  const [all, setAll] = useState<readonly Package[]>(() => firstPackages(items))
  const { busy, said, send, warned, clear } = useSending(() => {
    toast(say(['已发出 {n} 个包裹', '{n} parcels have left'], { n: all.length }), 'success')
    close()
  })
  const change = (key: number, more: Partial<Package>) => {
    clear()
    setAll(all.map(one => (one.key === key ? { ...one, ...more } : one)))
  }
  const faults = all.map(one => packageFault(one, couriers, say))
  const tooMany = tooManyWords(items, all, say)
  const ready = faults.every(fault => fault === undefined) && tooMany === undefined
  const submit = () => {
    if (ready)
      send(ship, {
        id: row.id,
        version: detail.order.version,
        packages: all.map(one => sentFrom(one, couriers)),
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
      said={tooMany ?? said?.text}
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
            <HeadRow all={all} setAll={setAll} />
          </thead>
          <tbody>
            <NumberRow all={all} couriers={couriers} faults={faults} change={change} />
            <CourierChoiceRow all={all} couriers={couriers} change={change} />
            {items.map(item => (
              <ItemRow key={item.id} of={item} all={all} change={change} />
            ))}
          </tbody>
        </table>
        {all.length < PACKAGES_MAX && (
          <OneMore all={all} add={key => setAll([...all, newPackage(key)])} />
        )}
      </div>
    </Asking>
  )
}
/**
 * Performs the page's action `splitShip`: what goes into which parcel, each with its number; all of
 * them leave, or none.
 */
export const Packages = ({ action }: { action: Action }) => (
  <WithCouriers action={action} calls={elist} list={elist}>
    {asked => <PackagesDialog {...asked} />}
  </WithCouriers>
)
