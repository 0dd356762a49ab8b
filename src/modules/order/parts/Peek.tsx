import { Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderDetail } from '../contract/shared.ts'
import { Codes, Uses } from './codes.tsx'
import { MoneyLines, Refunds } from './orderMoney.tsx'
import { Buyer, Head, Items, Shipments, Timeline } from './show.tsx'

/** The panel beside a list: what answers most calls without leaving it. */
export const Peek = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  return (
    <>
      <Section title={say(['订单', 'Order'])}>
        <Head of={of} />
      </Section>
      <Section title={say(['商品', 'Items'])}>
        <Items of={of} />
      </Section>
      {of.codes.length > 0 && (
        <Section title={say(['券码', 'Codes'])}>
          <Codes of={of} />
        </Section>
      )}
      {of.uses.length > 0 && (
        <Section title={say(['核销', 'Redemptions'])}>
          <Uses of={of} />
        </Section>
      )}
      {of.shipments.length > 0 && (
        <Section title={say(['包裹', 'Parcels'])}>
          <Shipments of={of} />
        </Section>
      )}
      <Section title={say(['金额', 'Money'])}>
        <MoneyLines of={of} />
      </Section>
      {of.refunds.length > 0 && (
        <Section title={say(['退款', 'Refunds'])}>
          <Refunds of={of} />
        </Section>
      )}
      <Section title={say(['买家', 'Buyer'])}>
        <Buyer of={of} />
      </Section>
      <Section title={say(['订单动态', 'Order activity'])}>
        <Timeline of={of} most={12} />
      </Section>
    </>
  )
}
