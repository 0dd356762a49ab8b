import { asc, eq } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { DAY, dayStart, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { rankNow, rankWithout } from './ranking.server.ts'
import { dist_rank } from './ranking.table.ts'
import type { Measure, Ranked, RankState } from './ranking.ts'

type Made = { who: Ranked; measure: Measure; weeks: number; status: RankState }
const lists: readonly Made[] = [
  { who: 'expert', measure: 'net', weeks: 1, status: 'frozen' },
  { who: 'expert', measure: 'orders', weeks: 2, status: 'published' },
  { who: 'guide', measure: 'net', weeks: 4, status: 'published' },
  { who: 'group', measure: 'net', weeks: 4, status: 'frozen' },
  { who: 'product', measure: 'net', weeks: 4, status: 'unpublished' },
]
/** Lists of the last weeks; somebody was taken off the largest. */
const seedLists = async (db: Db, _: Random, { now }: World): Promise<void> => {
  const [maker] = await db
    .select({ id: admin.id })
    .from(admin)
    .where(eq(admin.status, 'active'))
    .orderBy(asc(admin.id))
  const to_at = dayStart(now) - 1
  const rows: (typeof dist_rank.$inferInsert)[] = []
  for (const { who, measure, weeks, status } of lists) {
    const from_at = dayStart(now) - weeks * 7 * DAY
    const asked = { who, measure, from: from_at, to: to_at }
    const found = await rankNow(db, asked, { scope: everything })
    if (found.length === 0) continue
    const off = status === 'published' && found.length > 3 ? found[1] : undefined
    rows.push({
      who,
      measure,
      from_at,
      to_at,
      rows: off ? rankWithout({ rows: found, measure }, off.id) : found,
      excluded: off
        ? [
            {
              id: off.id,
              name: off.name,
              reason: '自买刷单，取消名次',
              by: maker!.id,
              at: now - HOUR,
            },
          ]
        : [],
      maker_id: maker!.id,
      published_at: status === 'published' ? now - HOUR / 2 : null,
      reason: status === 'unpublished' ? '个别商品已下架' : '按活动规则发奖',
      status,
      created_at: now - 2 * HOUR,
    })
  }
  await insertRows(db, dist_rank, rows)
}
/** After the money, whose commission they rank. */
export const demo: readonly DemoStep[] = [{ place: 101, branch: 'rankings', run: seedLists }]
