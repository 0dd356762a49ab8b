import { rankViewActions, rankViews } from '#commands/distribution/ranking.ts'
import { Turns } from '#src/kit/turns.tsx'
import { FrozenLists } from '../parts/FrozenLists.tsx'
import { LiveRanking } from '../parts/LiveRanking.tsx'

const draw = { live: () => <LiveRanking />, lists: () => <FrozenLists /> }
/** The ranking as it stands, and the lists that were frozen for prizes. */
export default function RankingPage() {
  return <Turns words={rankViews} actions={rankViewActions} draw={draw} />
}
