import { earnPoints } from '#src/areas/points/points.server.ts'
import { headed, joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Rules } from './ladder.server.ts'
import type { GrowthKind } from './level.ts'

/** Levels that staff set, move or correct bring no gift: only those that growth reached. */
const byGrowth = new Set<GrowthKind>(['buy', 'sign', 'comment', 'profile', 'achieve', 'ladder'])
/**
 * Gives what the rules in force give on reaching a level, for each level that was passed: once a
 * member and level, however often it is lost and reached again.
 */
export const giveUpgrades = async (
  tx: Db,
  of: {
    member_id: number
    kind: GrowthKind
    level_before: number
    level_after: number
    rules: Rules
    now: number
  },
): Promise<void> => {
  if (!byGrowth.has(of.kind)) return
  const { member_id, rules, now } = of
  const passed = rules.levels.filter(
    level => level.no > of.level_before && level.no <= of.level_after,
  )
  for (const level of passed)
    await earnPoints(tx, {
      member_id,
      points: level.gift_points,
      biz_kind: 'activity',
      biz_no: `LVG${member_id}-${level.no}`,
      title: joined(headed(['升级礼', 'Gift of a level'], level.name)),
      now,
    })
}
