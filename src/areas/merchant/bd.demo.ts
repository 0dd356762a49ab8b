import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { monthOf, monthStart } from './bd.ts'

/** How many months have targets, this one the last but one. */
const MONTHS = 12
/**
 * Each store that is no draft has the BD of its merchant; a few have none, a few that of somebody
 * who has left, and some had another one before.
 */
const seedBd = async (db: Db, now: number): Promise<void> => {
  const stores = sql`store s join merchant m on m.id = s.merchant_id where s.status <> 'draft' and m.bd_admin_id is not null`
  const gone = sql`(select min(id) from admin where status <> 'active')`
  await db.execute(
    sql`insert into bd_assignment (store_id, admin_id, start_at, end_at, reason) select s.id, (select a.id from admin a where a.id <> m.bd_admin_id and a.id in (select bd_admin_id from merchant) order by (a.id * 7 + s.id) % 11, a.id limit 1), s.created_at, greatest(s.created_at, ${now - 90 * DAY}), '' from ${stores} and s.id % 4 = 1`,
  )
  await db.execute(
    sql`insert into bd_assignment (store_id, admin_id, start_at, reason) select s.id, case when s.id % 23 = 7 then ${gone} else m.bd_admin_id end, case when s.id % 4 = 1 then greatest(s.created_at, ${now - 90 * DAY}) else s.created_at end, case when s.id % 4 = 1 then '区域调整' else '' end from ${stores} and s.id % 29 <> 11`,
  )
  const months = [monthOf(now)]
  while (months.length < MONTHS) months.push(monthOf(monthStart(months.at(-1)!) - DAY))
  const next = monthOf(monthStart(months[0]!) + 35 * DAY)
  for (const month of [next, ...months])
    await db.execute(
      sql`insert into bd_target (admin_id, month, gmv_target_cents, new_store_target) select id, ${month}, (20 + id % 5 * 5) * 1000000::bigint, 3 + id % 4 from admin where id in (select bd_admin_id from merchant) and status = 'active'`,
    )
  await afterIds(db)
}
export const demo: readonly DemoStep[] = [
  { place: 19, branch: 'bd', run: (db, _, { now }) => seedBd(db, now) },
]
