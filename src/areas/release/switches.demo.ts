import { DAY, HOUR } from '#src/domain/time.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { featureKeys, type Feature } from './featureSwitch.ts'
import { feature_switch } from './release.table.ts'

/** How far each part is released in the country. */
const national: Readonly<Record<Feature, number>> = {
  goodies: 100,
  goodies_entry: 100,
  goodies_feed: 60,
  goodies_comments: 20,
  goodies_share: 10,
  goodies_checkout: 0,
}
/** Cities that go ahead of the country, one step after the other. */
const STEPS = [100, 80, 50, 30, 20, 10, 5, 0] as const

export const demo: readonly DemoStep[] = [
  {
    place: 50,
    branch: 'switches',
    run: async (db, random, { now, cityIds, people, memberCount }) => {
      const director = people.find(one => one.role === 'ops_director') ?? people[0]!
      const testers = Array.from({ length: 3 }, () => random.int(1, memberCount))
      const changed = (at: number) => ({
        changed_at: now - at * DAY - random.int(1, 20) * HOUR,
        changed_by: director.id,
      })
      const country = featureKeys.map((feature, at) => ({
        feature,
        status: 'on' as const,
        percent: national[feature],
        min_version: '3.2.0',
        testers: feature === 'goodies_checkout' ? [...new Set(testers)] : [],
        reason: '按计划放量',
        ...changed(20 - at),
      }))
      const cities = featureKeys.slice(1).flatMap((feature, at) =>
        cityIds.slice(0, STEPS.length).map((city_id, nth) => ({
          feature,
          city_id,
          status: nth === STEPS.length - 1 ? ('off' as const) : ('on' as const),
          percent: STEPS[nth]!,
          reason: nth === STEPS.length - 1 ? '当地客服未就绪，暂不开放' : '先行城市',
          ...changed(12 - at),
        })),
      )
      await insertRows(db, feature_switch, country)
      await insertRows(db, feature_switch, cities)
    },
  },
]
