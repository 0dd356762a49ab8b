import type { Db } from '#src/server/call/implement.ts'
import { ofDatabase } from '#src/server/db/memory.ts'
import type { FeatureRule } from './featureSwitch.ts'
import { feature_switch } from './release.table.ts'

/** A process asks again after this time, so that a feature that is switched off ends everywhere soon. */
const FRESH_MS = 1000

type Kept = { at: number; rules: Promise<FeatureRule[]> | undefined }
const kept = ofDatabase((): Kept => ({ at: 0, rules: undefined }))
const rulesOf = (db: Db): Promise<FeatureRule[]> =>
  db
    .select({
      feature: feature_switch.feature,
      city_id: feature_switch.city_id,
      mall_id: feature_switch.mall_id,
      status: feature_switch.status,
      percent: feature_switch.percent,
      min_version: feature_switch.min_version,
      testers: feature_switch.testers,
    })
    .from(feature_switch)
/**
 * All switches as they were at most a second ago: thousands who ask at once are answered by one
 * query. What can't be read is asked for again by the next.
 */
export const rulesLately = (db: Db): Promise<FeatureRule[]> => {
  const memory = kept(db)
  const now = performance.now()
  if (memory.rules && now - memory.at < FRESH_MS) return memory.rules
  const rules = rulesOf(db)
  Object.assign(memory, { at: now, rules })
  rules.catch(() => {
    if (memory.rules === rules) memory.rules = undefined
  })
  return rules
}
