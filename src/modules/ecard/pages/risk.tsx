import { cardRiskViewActions, cardRiskViews } from '#commands/ecard/risk.ts'
import { Turns } from '#src/kit/turns.tsx'
import { CardHits } from '../parts/CardHits.tsx'
import { CardRules } from '../parts/CardRules.tsx'
import '../parts/code.css'

const draw = { hits: () => <CardHits />, rules: () => <CardRules /> }
/** Fraud with e-cards: what was found, and by which rules. */
export default function CardRisk() {
  return <Turns words={cardRiskViews} actions={cardRiskViewActions} draw={draw} />
}
