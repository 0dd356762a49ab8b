import { returnConditions } from '#src/areas/refund/refund.ts'
import { parcelStates, returnNews } from '#src/areas/shipping/track.ts'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ERefundDetail } from '../contract/eRefundRow.ts'
import { OrderLink } from './OrderLink.tsx'
import { ShipmentBadge } from './ShipmentBadge.tsx'

type Back = NonNullable<ERefundDetail['back']>
/** Where what comes back was last, the newest first. */
const Traces = ({
  of: { state, traces, traced_at, sent_at },
}: {
  of: NonNullable<Back['track']>
}) => {
  const say = useSay()
  return (
    <div className="r-track">
      <span className="m-muted">
        {say(parcelStates[state])} · {say(['寄出', 'Left'])} <When at={sent_at} />
        {traced_at !== null && (
          <>
            {' '}
            · {say(['轨迹更新于', 'Heard of'])} <When at={traced_at} />
          </>
        )}
      </span>
      {traces.length === 0 ? (
        <p className="m-muted">{say(['暂无轨迹', 'No trace yet'])}</p>
      ) : (
        <ol>
          {traces
            .toReversed()
            .slice(0, 5)
            .map((trace, at) => (
              <li key={at}>
                <When at={trace.at} /> {trace.text}
              </li>
            ))}
        </ol>
      )}
    </div>
  )
}
/** The parcel that comes back: whether it is there, and in what condition. */
const Returned = ({ back, news }: { back: Back; news: ERefundDetail['row']['parcel'] }) => {
  const say = useSay()
  return (
    <Fact wide label={say(['退货', 'Returned'])}>
      <span className="m-num">
        {back.courier} {back.tracking_no}
      </span>
      {back.received_at && (
        <>
          {' '}
          <Badge tone="good">{say(['已收到', 'Received'])}</Badge> <When at={back.received_at} />
          {back.condition && ` ${say(returnConditions[back.condition])}`}
        </>
      )}
      {news && (
        <>
          {' '}
          <Badge tone={news === 'arrived' ? 'good' : 'bad'}>{say(returnNews[news])}</Badge>
        </>
      )}
      {back.track && <Traces of={back.track} />}
    </Fact>
  )
}
/** What was sent, what comes back, and what is sent again. */
export const CaseParcels = ({
  of: { row, order, outbound, back, reissue },
}: {
  of: ERefundDetail
}) => {
  const say = useSay()
  return (
    <Section title={say(['物流', 'Parcels'])}>
      <Facts>
        {outbound.map((one, i) => (
          <Fact key={i} wide label={say(['发货', 'Sent'])}>
            <span className="m-num">
              {one.courier} {one.tracking_no}
            </span>{' '}
            <ShipmentBadge state={one.state} /> <When at={one.signed_at ?? one.shipped_at} />
            {one.last && <span className="m-muted"> {one.last}</span>}
          </Fact>
        ))}
        {outbound.length === 0 && (
          <Fact wide label={say(['发货', 'Sent'])}>
            <span className="m-muted">{say(['尚未发货', 'Nothing was sent yet'])}</span>
          </Fact>
        )}
        {back && (
          <Fact wide label={say(['退货地址', 'Return to'])}>
            {back.address} {back.name} <span className="m-num">{back.phone ?? '—'}</span>
          </Fact>
        )}
        {back?.tracking_no && <Returned back={back} news={row.parcel} />}
        {reissue && (
          <Fact wide label={say(['补发单', 'Sent again as'])}>
            <span className="m-num">
              <OrderLink kind={order.kind} id={reissue.id}>
                {reissue.order_no}
              </OrderLink>
            </span>
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
