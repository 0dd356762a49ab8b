import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { level_hold, level_ladder } from './level.table.ts'
import {
  standardEarns,
  standardLevels,
  type GrowthEarns,
  type Holds,
  type Ladder,
} from './level.ts'

export type Rules = Ladder & { no: number; earns: GrowthEarns }
/** The rules in force; the standard ones until somebody has published any. */
export const liveRules = async (db: Db): Promise<Rules> =>
  (
    await db
      .select({
        no: level_ladder.no,
        levels: level_ladder.levels,
        merged: level_ladder.merged,
        earns: level_ladder.earns,
      })
      .from(level_ladder)
      .where(eq(level_ladder.state, 'live'))
  )[0] ?? { no: 0, levels: standardLevels, merged: [], earns: standardEarns }

type Hold = typeof level_hold.$inferSelect
/** What holds a member's level, of rows that have not ended. */
export const holdsIn = (rows: readonly Hold[]): Holds => ({
  manual: rows.find(row => row.kind === 'manual'),
  protect: rows.find(row => row.kind === 'protect'),
})
/** What staff set or protect of a member and has not ended. */
export const holdsOf = async (db: Db, member_id: number): Promise<Holds> =>
  holdsIn(
    await db
      .select()
      .from(level_hold)
      .where(and(eq(level_hold.member_id, member_id), isNull(level_hold.ended_at))),
  )
