import type { DemoStep } from '#src/server/demo/step.ts'
import { checkBalances } from './checking.server.ts'

/** The clock compared all balances with the ledger, after everything else of points was booked. */
export const demo: readonly DemoStep[] = [
  {
    place: 160,
    branch: 'points check',
    run: (db, _, { now }) => checkBalances(db, { now: now - 600 }),
  },
]
