import { numberViewActions, numberViews } from '#commands/vip/cardManage.ts'
import { Turns } from '#src/kit/turns.tsx'
import { Numbers } from '../../parts/Numbers.tsx'
import { VipBatches } from '../../parts/VipBatches.tsx'

const draw = { batches: () => <VipBatches />, codes: () => <Numbers /> }
/** Numbers that open a membership: the batches that were made, and one number looked up. */
export default function VipNumbers() {
  return <Turns words={numberViews} actions={numberViewActions} draw={draw} />
}
