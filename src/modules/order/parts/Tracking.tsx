import { HTMLSelect } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { Action } from '#commands/command.ts'
import { useWrite } from '#src/kit/data.ts'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderCalls, OrderDetail } from '../contract/shared.ts'
import type { ShipCalls } from '../contract/ship.ts'
import { Asking, ReasonField, useSending } from './asking.tsx'
import { ParcelFields, useParcel } from './ParcelFields.tsx'
import { WithCouriers, type ParcelAsk } from './WithCouriers.tsx'

const ParcelChoice = ({
  parcels,
  at,
  choose,
}: {
  parcels: OrderDetail['shipments']
  at: number | undefined
  choose: (id: number) => void
}) => {
  const say = useSay()
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{say(['包裹', 'Parcel'])}</label>
      <HTMLSelect
        id={id}
        fill
        value={at}
        onChange={event => choose(Number(event.target.value))}
        options={parcels.map(one => ({
          value: one.id,
          label: `${one.courier_name} ${one.tracking_no}`,
        }))}
      />
    </div>
  )
}
type ParcelRow = OrderRow & { shipment_id?: number }
const TrackingDialog = ({
  row,
  detail,
  couriers,
  call,
  title,
  close,
}: ParcelAsk<ParcelRow> & { call: ShipCalls['editTracking'] }) => {
  const say = useSay()
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
        {parcels.length > 1 && <ParcelChoice parcels={parcels} at={at} choose={setAt} />}
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
        <ReasonField value={reason} change={setReason} submit={submit} />
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
}) => (
  <WithCouriers<ParcelRow> action={action} calls={calls} list={list}>
    {asked => <TrackingDialog {...asked} call={calls.editTracking} />}
  </WithCouriers>
)
