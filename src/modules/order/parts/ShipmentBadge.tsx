import { shipmentStates, type ShipmentState } from '#src/areas/order/order.ts'
import { Badge, type ToneName } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'

const tones: Readonly<Record<ShipmentState, ToneName>> = {
  shipped: 'info',
  transit: 'info',
  delivering: 'info',
  signed: 'good',
  problem: 'bad',
  void: 'info',
}
/** How far a parcel is. */
export const ShipmentBadge = ({ state }: { state: ShipmentState }) => {
  const say = useSay()
  return <Badge tone={tones[state]}>{say(shipmentStates[state])}</Badge>
}
