import { useMemo, useState } from 'react'
import { comboActions, comboDetailActions } from '#commands/order/combo.ts'
import { useRead } from '#src/kit/data.ts'
import { Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { combo as calls, comboDetail as detailCalls } from '../../contract/combo.ts'
import { Lanes } from '../../parts/combo.tsx'
import { OrderPage } from '../../parts/OrderPage.tsx'
import { Shipping } from '../../parts/ship.tsx'

const { ship: _, refund: __, export: ___, ...shared } = comboActions
const Bundle = ({
  id,
  chosen,
  onChosen,
}: {
  id: number
  chosen: ReadonlySet<number>
  onChosen: (ids: ReadonlySet<number>) => void
}) => {
  const say = useSay()
  const file = useRead(calls.lanes, { id })
  const of = file.currentData
  return (
    <Section
      title={say(['子项', 'Parts'])}
      aside={of && <span className="m-muted">{of.name}</span>}
    >
      <Answer of={{ ...file, data: of }} lines={6}>
        {shown => <Lanes of={shown} chosen={chosen} onChosen={onChosen} />}
      </Answer>
    </Section>
  )
}
const OWN = ['items'] as const
export default function ComboOrder() {
  const [items, setItems] = useState<ReadonlySet<number>>(new Set())
  // One lane alone is the part that is sent or replaced.
  const chosen = useMemo(
    () => ({ item_ids: [...items], ...(items.size === 1 && { item_id: [...items][0] }) }),
    [items],
  )
  return (
    <>
      <OrderPage
        calls={calls}
        actions={[...Object.values(comboDetailActions), ...Object.values(shared)]}
        chosen={chosen}
        own={OWN}
        revealPhone={shared.revealPhone}
      >
        {of => <Bundle id={of.order.id} chosen={items} onChosen={setItems} />}
      </OrderPage>
      <Shipping action={comboDetailActions.ship} calls={detailCalls} list={calls} />
    </>
  )
}
