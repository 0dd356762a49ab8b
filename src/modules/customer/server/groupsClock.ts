import { countAll, countNightly, dropStale } from '#src/areas/segment/counting.server.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'

/** The most pieces of one turn: what is left goes on at the next. */
const PIECES = 60
/** Segments that wait are counted piece by piece; each piece commits by itself. */
defineTimer(
  'segment.count',
  '* * * * *',
  async ({ database, now }) => ((await countAll(database, now, PIECES)) > 0 ? ['segment'] : []),
  ['segment'],
)
/** What a rule names may go at any time. */
defineTimer(
  'segment.stale',
  '*/10 * * * *',
  async ({ database }) =>
    (await database.transaction(tx => dropStale(tx))) > 0 ? ['segment'] : [],
  ['mall', 'wecom_tag', 'wecom_group', 'segment'],
)
/** Time passes for rules that look so many days back. */
defineTimer('segment.night', '20 4 * * *', async ({ database }) =>
  (await database.transaction(tx => countNightly(tx))) > 0 ? ['segment'] : [],
)
