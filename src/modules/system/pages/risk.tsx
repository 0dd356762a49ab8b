import { riskViewActions, riskViews } from '#commands/system/risk.ts'
import { Turns } from '#src/kit/turns.tsx'
import { RiskHits } from '../parts/riskHits.tsx'
import { RiskLists } from '../parts/riskLists.tsx'
import { RiskRules } from '../parts/riskRules.tsx'
import '../parts/risk.css'

const draw = {
  hits: () => <RiskHits />,
  rules: () => <RiskRules />,
  lists: () => <RiskLists />,
}
/** Three lists in one page. */
export default function Risk() {
  return <Turns words={riskViews} actions={riskViewActions} draw={draw} />
}
