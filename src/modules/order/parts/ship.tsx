import { Button, Dialog, DialogBody, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useId, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { Action } from '#commands/command.ts'
import { couriersFor, fitsCourier, readTracking, trackingOf } from '#src/areas/shipping/courier.ts'
import { comma, semicolon } from '#src/domain/text.ts'
import type { CallError } from '#src/kit/data.ts'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { DialogEnd } from '#src/kit/dialog-end.tsx'
import { goToFirstFault, watchPerson } from '#src/kit/faults.ts'
import { useReturnFocus } from '#src/kit/focus.ts'
import { Badge, Keys } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderCalls, OrderDetail } from '../contract/shared.ts'
import type { CourierRow, ShipCalls } from '../contract/ship.ts'
import './ship.css'

/** Rules that only warn: the same answer sent once more goes through. */
const warns = ['same_tracking', 'address']
/**
 * Sends what a dialog holds: a refusal is shown, a warning is sent once more with `anyway` when it
 * is confirmed.
 */
export const useSending = (done: () => void) => {
  const say = useSay()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<
    | { text: string; for?: string; fields?: Readonly<Record<string, string>> | undefined }
    | undefined
  >(undefined)
  const send = <I extends object>(
    by: (input: I & { anyway?: boolean }, more: { quiet: true }) => Promise<unknown>,
    input: I,
  ) => {
    if (busy) return
    setBusy(true)
    const sign = JSON.stringify(input)
    const person = watchPerson()
    const dialog = document.activeElement?.closest('.bp6-dialog')
    by({ ...input, ...(said?.for === sign && { anyway: true }) }, { quiet: true })
      .then(done, (fault: CallError) => {
        const { fields } = fault.data ?? {}
        flushSync(() =>
          setSaid({
            text: fields ? Object.values(fields).join(say(semicolon)) : fault.message,
            fields,
            ...(warns.includes(String(fault.data?.rule)) && { for: sign }),
          }),
        )
        if (fields && person.stayed()) goToFirstFault(dialog, [])
      })
      .finally(() => {
        person.end()
        setBusy(false)
      })
  }
  return { busy, said, send, warned: said?.for !== undefined, clear: () => setSaid(undefined) }
}

/** The courier that a number tells while it is typed, until somebody chooses another. */
const useParcel = (
  couriers: readonly CourierRow[],
  start: { tracking_no: string; courier_id: number | undefined } = {
    tracking_no: '',
    courier_id: undefined,
  },
) => {
  const [typed, setTyped] = useState(start.tracking_no)
  const [chosen, setChosen] = useState<number | undefined>(start.courier_id)
  const likely = couriersFor(typed, couriers)
  const courier = couriers.find(one => one.id === chosen) ?? likely[0]
  const tracking_no = trackingOf(typed)
  const read = readTracking(typed)
  const fault = 'fault' in read ? read.fault : undefined
  return {
    typed,
    setTyped,
    setChosen,
    likely,
    courier,
    tracking_no,
    fault,
    sound: !fault && courier !== undefined && fitsCourier(tracking_no, courier),
  }
}
const ParcelFields = ({
  of,
  couriers,
  submit,
}: {
  of: ReturnType<typeof useParcel>
  couriers: readonly CourierRow[]
  submit: () => void
}) => {
  const say = useSay()
  const id = useId()
  const { typed, courier, likely, fault, sound } = of
  const told =
    typed === ''
      ? say([
          '扫描或粘贴快递单号，自动识别快递公司',
          'Scan or paste the number: it tells the courier',
        ])
      : sound
        ? likely.length > 1
          ? say(['识别为 {name}，也可能是 {others}', 'It is {name}, or {others}'], {
              name: courier!.name,
              others: likely
                .filter(one => one !== courier)
                .map(one => one.name)
                .join(say(comma)),
            })
          : say(['识别为 {name}', 'It is {name}'], { name: courier!.name })
        : fault
          ? say(fault)
          : courier
            ? say(['不是{name}的单号，如 {sample}', 'No number of {name}, such as {sample}'], {
                name: courier.name,
                sample: courier.sample,
              })
            : say([
                '不像任何一家快递的单号，请核对或选择快递公司',
                'It looks like no courier’s number: check it, or choose a courier',
              ])
  return (
    <>
      <div>
        <label htmlFor={`${id}-no`}>{say(['快递单号', 'Tracking number'])}</label>
        <InputGroup
          id={`${id}-no`}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          value={typed}
          className="m-num"
          aria-describedby={`${id}-told`}
          aria-invalid={typed !== '' && !sound}
          onValueChange={of.setTyped}
          onKeyDown={event => {
            if (event.key === 'Enter') {
              event.preventDefault()
              submit()
            }
          }}
        />
        <div
          className={typed === '' || sound ? 'm-hint' : 'm-error'}
          id={`${id}-told`}
          role="status"
        >
          {told}
        </div>
      </div>
      <div>
        <label htmlFor={`${id}-by`}>{say(['快递公司', 'Courier'])}</label>
        <HTMLSelect
          id={`${id}-by`}
          fill
          value={courier?.id ?? ''}
          onChange={event => of.setChosen(Number(event.target.value) || undefined)}
          options={[
            { value: '', label: say(['按单号识别', 'By its number']) },
            ...couriers.map(one => ({ value: one.id, label: one.name })),
          ]}
        />
      </div>
    </>
  )
}

/** A dialog of this module: a title, what it is about, Esc and Enter. */
export const Asking = ({
  title,
  subject,
  close,
  submit,
  busy,
  ready,
  verb,
  danger,
  wide,
  said,
  warned,
  children,
}: {
  title: string
  subject: ReactNode
  close: () => void
  submit: () => void
  busy: boolean
  ready: boolean
  verb: string
  danger?: boolean
  wide?: boolean
  said?: string | undefined
  warned?: boolean
  children: ReactNode
}) => {
  const say = useSay()
  useReturnFocus()
  return (
    <Dialog
      isOpen
      title={title}
      aria-label={title}
      onClose={close}
      canOutsideClickClose={false}
      shouldReturnFocusOnClose
      style={{ width: wide ? 720 : 520 }}
    >
      <DialogBody>
        <div
          className="m-ask"
          onKeyDown={event => {
            if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
              event.preventDefault()
              submit()
            }
          }}
        >
          <p className="m-subject">{subject}</p>
          {children}
          {said && (
            <div className={warned ? 'o-warning' : 'm-error'} role="alert">
              {said}
            </div>
          )}
        </div>
      </DialogBody>
      <DialogEnd close={close}>
        <Button
          intent={danger || warned ? 'danger' : 'primary'}
          loading={busy}
          disabled={!ready}
          onClick={submit}
        >
          {warned ? say(['仍要{verb}', '{verb} nevertheless'], { verb }) : verb}
          <Keys keys="↵" />
        </Button>
      </DialogEnd>
    </Dialog>
  )
}

type Item = OrderDetail['items'][number]
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
const ShipDialog = ({
  row,
  detail,
  couriers,
  call,
  title,
  close,
}: {
  row: ShipRow
  detail: OrderDetail
  couriers: readonly CourierRow[]
  call: ShipCalls['ship']
  title: string
  close: () => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [ship] = useWrite(call)
  const parcel = useParcel(couriers)
  const [chosen, setChosen] = useState<Readonly<Record<number, number>>>({})
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
  const items = detail.items.filter(
    item => item.fulfil === 'express' && (row.item_id === undefined || item.id === row.item_id),
  )
  const going = items
    .map(item => ({ id: item.id, qty: chosen[item.id] ?? leftToShip(item) }))
    .filter(one => one.qty > 0)
  const choice = items.length > 1 || items.some(item => leftToShip(item) > 1)
  const whole =
    row.item_id === undefined &&
    items.every(item => (chosen[item.id] ?? leftToShip(item)) === leftToShip(item))
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
  const { receiver } = detail.facts
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
      subject={
        <>
          <b className="m-num">{row.order_no}</b>
          {receiver && (
            <>
              {' '}
              · {receiver.name} {receiver.phone} {receiver.area}
              {receiver.address}
            </>
          )}
        </>
      }
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

/** Loads what a dialog about an order needs, at the order's newest. */
export const WithOrder = ({
  id,
  calls,
  title,
  close,
  children,
}: {
  id: number
  calls: Pick<OrderCalls, 'detail'>
  title: string
  close: () => void
  children: (of: OrderDetail) => ReactNode
}) => {
  // Two dialogs follow each other here: this is where the focus was before the first.
  useReturnFocus()
  const detail = useRead(calls.detail, { id })
  const of = detail.currentData
  if (of) return children(of)
  return (
    <Dialog isOpen title={title} aria-label={title} onClose={close}>
      <DialogBody>
        {detail.error ? (
          <Failed error={detail.error} retry={detail.refetch} />
        ) : (
          <Loading lines={6} />
        )}
      </DialogBody>
    </Dialog>
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
}) => {
  const now = useLang()
  const [row, setRow] = useState<ShipRow | undefined>(undefined)
  const couriers = useRead(calls.couriers, row ? {} : skipToken)
  useAction(action, ([one]) => setRow(one as ShipRow))
  if (!row) return null
  const title = titleIn(action, now)
  const close = () => setRow(undefined)
  return (
    <WithOrder key={row.id} id={row.id} calls={list} title={title} close={close}>
      {of =>
        couriers.data ? (
          <ShipDialog
            row={row}
            detail={of}
            couriers={couriers.data.list}
            call={calls.ship}
            title={title}
            close={close}
          />
        ) : null
      }
    </WithOrder>
  )
}

const TrackingDialog = ({
  row,
  detail,
  couriers,
  call,
  title,
  close,
}: {
  row: OrderRow & { shipment_id?: number }
  detail: OrderDetail
  couriers: readonly CourierRow[]
  call: ShipCalls['editTracking']
  title: string
  close: () => void
}) => {
  const say = useSay()
  const id = useId()
  const { toast } = useWorkbench()
  const [edit] = useWrite(call)
  const parcels = detail.shipments.filter(one => one.state !== 'void')
  const [at, setAt] = useState(row.shipment_id ?? parcels.at(-1)?.id)
  const [reason, setReason] = useState('')
  const parcel = useParcel(couriers)
  const known = parcels.find(one => one.id === at)
  const { busy, said, send, warned, clear } = useSending(() => {
    toast(say(['单号已改为 {no}', 'The number is now {no}'], { no: parcel.tracking_no }), 'success')
    close()
  })
  const ready = parcel.sound && reason.trim().length > 1 && known !== undefined
  const submit = () => {
    if (ready)
      send(edit, {
        id: row.id,
        shipment_id: known.id,
        version: known.version,
        courier_id: parcel.courier!.id,
        tracking_no: parcel.tracking_no,
        reason: reason.trim(),
      })
  }
  return (
    <Asking
      title={title}
      close={close}
      submit={submit}
      busy={busy}
      ready={ready}
      verb={title}
      said={said?.text}
      warned={warned}
      subject={<b className="m-num">{row.order_no}</b>}
    >
      <div onInput={clear} className="m-ask">
        {parcels.length > 1 && (
          <div>
            <label htmlFor={`${id}-which`}>{say(['包裹', 'Parcel'])}</label>
            <HTMLSelect
              id={`${id}-which`}
              fill
              value={at}
              onChange={event => setAt(Number(event.target.value))}
              options={parcels.map(one => ({
                value: one.id,
                label: `${one.courier_name} ${one.tracking_no}`,
              }))}
            />
          </div>
        )}
        {known && (
          <p className="m-hint">
            {say(
              [
                '原单号 {name} {no}，发货后 24 小时内可改',
                'Now {name} {no}; it can change within 24 hours',
              ],
              { name: known.courier_name, no: known.tracking_no },
            )}
          </p>
        )}
        <ParcelFields of={parcel} couriers={couriers} submit={submit} />
        <div>
          <label htmlFor={`${id}-why`}>{say(['原因', 'Reason'])}</label>
          <InputGroup
            id={`${id}-why`}
            maxLength={255}
            value={reason}
            onValueChange={setReason}
            onKeyDown={event => {
              if (event.key === 'Enter') {
                event.preventDefault()
                submit()
              }
            }}
          />
        </div>
      </div>
    </Asking>
  )
}
/** Performs the page's action `editTracking`; a row may name the parcel as `shipment_id`. */
export const Tracking = ({
  action,
  calls,
  list,
}: {
  action: Action
  calls: Pick<ShipCalls, 'editTracking' | 'couriers'>
  list: Pick<OrderCalls, 'detail'>
}) => {
  const now = useLang()
  const [row, setRow] = useState<OrderRow | undefined>(undefined)
  const couriers = useRead(calls.couriers, row ? {} : skipToken)
  useAction(action, ([one]) => setRow(one as OrderRow))
  if (!row) return null
  const title = titleIn(action, now)
  const close = () => setRow(undefined)
  return (
    <WithOrder key={row.id} id={row.id} calls={list} title={title} close={close}>
      {of =>
        couriers.data ? (
          <TrackingDialog
            row={row}
            detail={of}
            couriers={couriers.data.list}
            call={calls.editTracking}
            title={title}
            close={close}
          />
        ) : null
      }
    </WithOrder>
  )
}
