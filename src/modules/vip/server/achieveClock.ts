import { settleBadges } from '#src/areas/achievement/awarding.server.ts'
import { beginCount, beginRecent, countPiece } from '#src/areas/achievement/counting.server.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'

/** The most pieces of one turn: what is left goes on at the next. */
const PIECES = 20
const changed = [
  'achievement',
  'member_achievement',
  'achievement_count',
  'points_ledger',
  'growth_ledger',
  'member',
]
/** Members whose facts changed are counted, open counts go on, and badges follow what was counted. */
defineTimer(
  'achievement.count',
  '* * * * *',
  async ({ database, now }) => {
    await database.transaction(tx => beginRecent(tx, now))
    let pieces = 0
    for (const kind of ['recent', 'all'] as const)
      for (let left = true; left && pieces < PIECES; pieces++)
        left = await database.transaction(tx => countPiece(tx, kind, now))
    const settled = await settleBadges(database, now)
    return settled > 0 || pieces > 2 ? changed : []
  },
  ['achievement_count'],
)
/** What no moment tells is counted each night: what was voided, deleted or merged. */
defineTimer('achievement.night', '20 3 * * *', async ({ database, now }) => {
  const id = await database.transaction(tx => beginCount(tx, { now }))
  return id === null ? [] : ['achievement_count']
})
