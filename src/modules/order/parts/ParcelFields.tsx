import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { couriersFor, fitsCourier, readTracking, trackingOf } from '#src/areas/shipping/courier.ts'
import { comma } from '#src/domain/text.ts'
import { useSay, type Say } from '#src/kit/text.ts'
import type { CourierRow } from '../contract/ship.ts'

/** The courier that a number tells while it is typed, until somebody chooses another. */
export const useParcel = (
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
type Parcel = ReturnType<typeof useParcel>
/** What a typed number tells: whose it is, or what is wrong with it. */
const parcelTold = ({ typed, courier, likely, fault, sound }: Parcel, say: Say): string => {
  if (typed === '')
    return say([
      '扫描或粘贴快递单号，自动识别快递公司',
      'Scan or paste the number: it tells the courier',
    ])
  if (sound && likely.length > 1)
    return say(['识别为 {name}，也可能是 {others}', 'It is {name}, or {others}'], {
      name: courier!.name,
      others: likely
        .filter(one => one !== courier)
        .map(one => one.name)
        .join(say(comma)),
    })
  if (sound) return say(['识别为 {name}', 'It is {name}'], { name: courier!.name })
  if (fault) return say(fault)
  return courier
    ? say(['不是{name}的单号，如 {sample}', 'No number of {name}, such as {sample}'], {
        name: courier.name,
        sample: courier.sample,
      })
    : say([
        '不像任何一家快递的单号，请核对或选择快递公司',
        'It looks like no courier’s number: check it, or choose a courier',
      ])
}
export const ParcelFields = ({
  of,
  couriers,
  submit,
}: {
  of: Parcel
  couriers: readonly CourierRow[]
  submit: () => void
}) => {
  const say = useSay()
  const id = useId()
  const { typed, courier, sound } = of
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
          {parcelTold(of, say)}
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
