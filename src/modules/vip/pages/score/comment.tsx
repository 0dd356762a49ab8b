import { commentViewActions, commentViews } from '#commands/vip/scoreComment.ts'
import { Turns } from '#src/kit/turns.tsx'
import { CommentRewards } from '../../parts/CommentRewards.tsx'
import { CommentRules } from '../../parts/CommentRules.tsx'

const draw = { rules: () => <CommentRules />, rewards: () => <CommentRewards /> }
/** What reviews after redemption earn, and the last ones that were rewarded. */
export default function ScoreComment() {
  return <Turns words={commentViews} actions={commentViewActions} draw={draw} />
}
