import { pullViewActions, pullViews } from '#commands/film/pullNewStat.ts'
import { Turns } from '#src/kit/turns.tsx'
import { PullFigures } from '../parts/PullFigures.tsx'
import { PullRecords } from '../parts/PullRecords.tsx'

const draw = { stat: () => <PullFigures />, records: () => <PullRecords /> }
/** What campaigns of first tickets brought: in figures, and referral by referral. */
export default function PullStatistics() {
  return <Turns words={pullViews} actions={pullViewActions} draw={draw} />
}
