import { clockedViewActions, clockedViews } from '#commands/vip/scoreClocked.ts'
import { Turns } from '#src/kit/turns.tsx'
import { CheckinSpots } from '../../parts/CheckinSpots.tsx'
import { ClockedRules } from '../../parts/ClockedRules.tsx'
import { SignRecords } from '../../parts/SignRecords.tsx'

const draw = {
  rules: () => <ClockedRules />,
  records: () => <SignRecords />,
  spots: () => <CheckinSpots />,
}
/** What signing in and checking in earn: rules and today, records, and the malls. */
export default function ScoreClocked() {
  return <Turns words={clockedViews} actions={clockedViewActions} draw={draw} />
}
