import { useCallback, useState } from 'react'
import { groupActions, rollBuyActions, rollBuyDetailActions } from '#commands/order/rollBuy.ts'
import { partOf } from '#src/areas/order/orderMoney.ts'
import { leftOf } from '#src/areas/order/orderUnits.ts'
import { Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { rollBuy as calls, rollBuyDetail } from '../../contract/rollBuy.ts'
import type { OrderDetail } from '../../contract/shared.ts'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { GroupOf } from '../../parts/rollGroup.tsx'
import { Shipping } from '../../parts/ship.tsx'

const { retryRefund, approveRefund, refuseRefund, remark, freeze, unfreeze, revealPhone } =
  rollBuyActions
const actions = [
  ...Object.values(rollBuyDetailActions),
  ...Object.values(groupActions),
  retryRefund,
  approveRefund,
  refuseRefund,
  remark,
  freeze,
  unfreeze,
  revealPhone,
]
/** The one product of a group, where it is posted and some of it can be given back. */
const postedIn = (of: OrderDetail) =>
  of.items.find(item => item.fulfil === 'express' && leftOf(item) > 0)
/** How many of several posted units a refund is of. */
const Units = ({
  of,
  qty,
  onQty,
}: {
  of: OrderDetail
  qty: number
  onQty: (qty: number) => void
}) => {
  const say = useSay()
  const item = postedIn(of)
  if (!item || leftOf(item) < 2) return null
  const most = leftOf(item)
  return (
    <Section
      title={say(['退几件', 'How many to refund'])}
      aside={
        <span className="m-muted">
          {say(['不填件数则退全部剩余', 'Leave empty to refund everything left'])}
        </span>
      }
    >
      <p>
        {item.title}{' '}
        <input
          className="o-units m-num"
          type="number"
          inputMode="numeric"
          min={0}
          max={most}
          value={qty || ''}
          placeholder={`0–${most}`}
          aria-label={say(['「{title}」退几件，最多 {n}', 'How many of {title}, at most {n}'], {
            title: item.title,
            n: most,
          })}
          onChange={event =>
            onQty(Math.min(most, Math.max(0, Math.trunc(Number(event.currentTarget.value)))))
          }
        />
      </p>
    </Section>
  )
}
export default function RollBuyOrder() {
  const [mate, setMate] = useState<number | undefined>(undefined)
  // How many units were chosen belongs to the order they were chosen on.
  const [units, setUnits] = useState({ id: 0, qty: 0 })
  const chosen = useCallback(
    (of: OrderDetail) => {
      const item = units.id === of.order.id && units.qty > 0 ? postedIn(of) : undefined
      // Exact where nothing of it has gone back yet and no freight goes with it.
      const exact =
        item && item.qty === leftOf(item) && (units.qty < item.qty || of.facts.freight_cents === 0)
      return {
        ...(mate !== undefined && { mate_id: mate }),
        ...(item && {
          items: [{ id: item.id, qty: units.qty }],
          ...(exact && { chosen_cents: partOf(item.pay_cents, item.qty, units.qty) }),
        }),
      }
    },
    [mate, units],
  )
  return (
    <>
      <OrderPage calls={calls} actions={actions} revealPhone={revealPhone} chosen={chosen}>
        {of => (
          <>
            <GroupOf order={of.order} mate={mate} onMate={setMate} />
            <Units
              of={of}
              qty={units.id === of.order.id ? units.qty : 0}
              onQty={qty => setUnits({ id: of.order.id, qty })}
            />
          </>
        )}
      </OrderPage>
      <Shipping action={rollBuyDetailActions.ship} calls={rollBuyDetail} list={calls} />
    </>
  )
}
