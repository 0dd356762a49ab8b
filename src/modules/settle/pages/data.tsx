import { useSearch } from 'wouter'
import { fundsViewActions, fundsViews } from '#commands/settle/data.ts'
import { Turns } from '#src/kit/turns.tsx'
import { Funds } from '../parts/Funds.tsx'
import { FundsAgeing } from '../parts/FundsAgeing.tsx'
import { FundsDays } from '../parts/FundsDays.tsx'
import { FundsRows } from '../parts/FundsRows.tsx'
import '../parts/funds.css'

const draw = {
  figures: () => <Funds />,
  rows: () => <FundsRows />,
  days: () => <FundsDays />,
  ageing: () => <FundsAgeing />,
}
/** The range and the places go along from view to view. */
const kept = ['from', 'to', 'city_id', 'mid', 'order_kind']
/** The thirteen figures, the rows of each, the closing of days, and what waits or is owed. */
export default function FundsPage() {
  const query = new URLSearchParams(useSearch())
  const keep = Object.fromEntries([...query].filter(([key]) => kept.includes(key)))
  return <Turns words={fundsViews} actions={fundsViewActions} draw={draw} keep={keep} />
}
