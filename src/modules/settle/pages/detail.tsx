import { settleViewActions, settleViews } from '#commands/settle/detail.ts'
import { Turns } from '#src/kit/turns.tsx'
import { Batches } from '../parts/Batches.tsx'
import { Lines } from '../parts/Lines.tsx'
import { Terms } from '../parts/Terms.tsx'

/** Settlement: batches of merchants, the lines in them, and the terms that they go by. */
export default function SettleDetail() {
  return (
    <Turns
      words={settleViews}
      actions={settleViewActions}
      draw={{
        batches: () => <Batches />,
        lines: () => <Lines />,
        merchants: () => <Terms />,
      }}
    />
  )
}
