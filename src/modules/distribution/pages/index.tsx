import { sellerViewActions, sellerViews } from '#commands/distribution/sellers.ts'
import { Turns } from '#src/kit/turns.tsx'
import { Sellers } from '../parts/Sellers.tsx'
import { Teams } from '../parts/Teams.tsx'

/** Sellers of three kinds, and their teams. */
export default function SellersPage() {
  return (
    <Turns
      words={sellerViews}
      actions={sellerViewActions}
      draw={{
        experts: () => <Sellers key="expert" kind="expert" />,
        guides: () => <Sellers key="guide" kind="guide" />,
        stores: () => <Sellers key="store" kind="store" />,
        teams: () => <Teams />,
      }}
    />
  )
}
