import { commissionStates, type CommissionState } from '#src/areas/commission/commission.ts'
import { sellerStates, type SellerState } from '#src/areas/distribution/sellers.ts'
import { SmallTable, type States } from '#src/kit/cells.tsx'
import { Money, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import './share.css'

export const sellerStateLooks: States<SellerState> = {
  pending: { text: sellerStates.pending, tone: 'warn' },
  active: { text: sellerStates.active, tone: 'good' },
  frozen: { text: sellerStates.frozen, tone: 'bad' },
  quit: { text: sellerStates.quit },
  rejected: { text: sellerStates.rejected },
}
type Sold = { id: number; title: string; n: number; gmv_cents?: number | undefined }
/** What a seller sold most of in 90 days. */
export const SoldProducts = ({ products }: { products: readonly Sold[] }) => {
  const say = useSay()
  return (
    <Section title={say(['近 90 天商品', 'Products, last 90 days'])}>
      {products.length === 0 ? (
        <p className="m-muted">{say(['近 90 天没有出单', 'No sales in 90 days'])}</p>
      ) : (
        <SmallTable
          head={[
            ['商品', 'Product'],
            ['件数', 'Units'],
            ['销售额', 'GMV'],
          ]}
          rows={products}
          keyOf={one => one.id}
          cells={one => [one.title, one.n, <Money key="gmv" cents={one.gmv_cents} />]}
        />
      )}
    </Section>
  )
}
type InState = { status: CommissionState; count: number; sum_cents: number }
/** What a seller earned, by the state of its commission. */
export const EarnedByState = ({ states }: { states: readonly InState[] }) => {
  const say = useSay()
  return states.length === 0 ? (
    <p className="m-muted di-none">{say(['还没有佣金', 'No commission yet'])}</p>
  ) : (
    <SmallTable
      head={[
        ['状态', 'State'],
        ['笔数', 'Lines'],
        ['金额', 'Amount'],
      ]}
      rows={states}
      keyOf={one => one.status}
      cells={one => [
        say(commissionStates[one.status]),
        one.count,
        <Money key="sum" cents={one.sum_cents} />,
      ]}
    />
  )
}
