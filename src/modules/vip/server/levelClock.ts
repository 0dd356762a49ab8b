import {
  fallDue,
  PIECE,
  publishDue,
  recalcPiece,
  sendNotices,
} from '#src/areas/level/publishing.server.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'

/** The most pieces of one turn: what is left goes on at the next. */
const PIECES = 40
/** Rules take effect at their moment; their members are recalculated piece by piece, at once. */
defineTimer(
  'level.publish',
  '* * * * *',
  async ({ database, now }) => {
    await database.transaction(tx => publishDue(tx, now))
    const piece = () => database.transaction(tx => recalcPiece(tx, now))
    let left = await piece()
    // What went live has members to look at, so this tells of every version that took effect.
    if (left === undefined) return []
    for (let at = 1; left && at < PIECES; at++) left = await piece()
    return ['level_ladder', 'member', 'growth_ledger']
  },
  ['level_ladder'],
)
/** Keep dates, and the end of what staff set or protected. */
defineTimer('level.fall', '*/5 * * * *', async ({ database, now }) => {
  let looked = 0
  for (let at = 0, n = PIECE; n === PIECE && at < PIECES; at++) {
    n = await database.transaction(tx => fallDue(tx, now))
    looked += n
  }
  return looked > 0 ? ['member', 'growth_ledger'] : []
})
defineTimer('level.notices', '* * * * *', async ({ database, install, now }) =>
  (await sendNotices(database.db, install, now)) > 0 ? ['level_notice', 'growth_ledger'] : [],
)
