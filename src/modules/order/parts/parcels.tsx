import { Time as Clock, WarningSign as Warning } from '@blueprintjs/icons'
import { clause } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Badge, duration, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { OrderDetail } from '../contract/shared.ts'
import { ShipmentBadge } from './ShipmentBadge.tsx'
import './ship.css'

const waits: readonly OrderRow['fulfil_state'][] = ['waiting_ship', 'part_shipped']
const SOON_S = 12 * 3600
/** Whether something of it has still to leave. */
export const toLeave = (row: Pick<OrderRow, 'fulfil_state' | 'refund_state'>): boolean =>
  waits.includes(row.fulfil_state) && row.refund_state !== 'refunded'
/** How long until what was promised must have left, or since when it should have. */
export const Promised = ({
  row,
}: {
  row: Pick<OrderRow, 'fulfil_state' | 'promise_at' | 'refund_state' | 'parcels'>
}) => {
  const say = useSay()
  if (row.promise_at === null || !toLeave(row)) return <span className="m-muted">—</span>
  const left = row.promise_at - unixNow()
  return left < 0 ? (
    <Badge tone="bad" icon={Warning}>
      {say(['超时 {t}', 'Late {t}'], { t: duration(-left, say) })}
    </Badge>
  ) : (
    <Badge tone={left < SOON_S ? 'warn' : 'plain'} icon={Clock}>
      {duration(left, say)}
    </Badge>
  )
}
const First = ({ row }: { row: OrderRow }) => {
  const [one] = row.parcels
  if (!one) return <span className="m-muted">—</span>
  return (
    <span title={row.parcels.map(each => `${each.courier_name} ${each.tracking_no}`).join('\n')}>
      {one.courier_name} <span className="m-num">{one.tracking_no}</span>
      {row.parcels.length > 1 && <span className="m-muted"> +{row.parcels.length - 1}</span>}
    </span>
  )
}
/** Columns of lists that send parcels. */
export const parcelColumns = {
  promised: {
    key: 'promised',
    title: ['发货时效', 'Ship within'],
    width: 124,
    cell: row => <Promised row={row} />,
  },
  parcel: {
    key: 'parcel',
    title: ['快递', 'Parcel'],
    width: 196,
    cell: row => <First row={row} />,
    words: row => row.parcels.map(one => one.tracking_no).join(' '),
  },
} satisfies Record<string, Column<OrderRow>>

const SHOWN = 5
/**
 * Each parcel with what is in it and where it is; without an answer of its courier, where it was
 * last and when.
 */
export const Parcels = ({
  of,
  chosen,
  choose,
}: {
  of: OrderDetail
  chosen: number | undefined
  choose: (id: number) => void
}) => {
  const say = useSay()
  if (of.shipments.length === 0)
    return <p className="m-muted">{say(['还没有发出包裹', 'No parcels shipped yet'])}</p>
  return (
    <ul className="o-parcels o-track">
      {of.shipments.map(one => (
        <li key={one.id}>
          <header>
            {of.shipments.length > 1 && (
              <input
                type="radio"
                name={`parcel-${of.order.id}`}
                aria-label={say(['选择包裹 {no}', 'Choose parcel {no}'], { no: one.tracking_no })}
                checked={chosen === one.id}
                onChange={() => choose(one.id)}
              />
            )}
            <b>
              {one.courier_name} <span className="m-num">{one.tracking_no}</span>
            </b>
            <ShipmentBadge state={one.state} />
            <span className="m-muted">
              {one.items.map(item => `${item.title} × ${item.qty}`).join(say(clause))} ·{' '}
              {say(['发出', 'Left'])} <When at={one.shipped_at} />
              {one.traced_at !== null && (
                <>
                  {' '}
                  · {say(['轨迹更新于', 'Heard of'])} <When at={one.traced_at} />
                </>
              )}
            </span>
          </header>
          {one.traces.length === 0 ? (
            <p className="m-muted">{say(['暂无轨迹', 'No trace yet'])}</p>
          ) : (
            <ol>
              {one.traces
                .toReversed()
                .slice(0, SHOWN)
                .map((trace, at) => (
                  <li key={at}>
                    <When at={trace.at} />
                    <span>{trace.text}</span>
                  </li>
                ))}
            </ol>
          )}
        </li>
      ))}
    </ul>
  )
}
