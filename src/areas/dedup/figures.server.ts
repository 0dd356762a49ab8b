import { sql, type SQL } from 'drizzle-orm'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'

/** Rows of either ranking. */
const SHOWN = 5
type Sum = { adds: number; people: number }
type Again = { id: number; name: string; adds: number; again: number }
/** Adds of people whom somebody, here or elsewhere, had added before. */
const again = sql`(count(*) filter (where l.at > 1))::int`
const placed = ({ scope }: Pick<Staff, 'scope'>): SQL =>
  within(scope, {
    mall: { several: sql`select unnest(l.mall_ids)` },
    city: { several: sql`select m.city_id from mall m where m.id = any(l.mall_ids)` },
  }) ?? sql`true`
/** Live relations, each with the person and how many had added that person before. */
const live = sql`select f.id, f.staff_id, s.name staff_name, s.mall_ids, coalesce(c.unionid, c.external_userid) person,
    row_number() over (partition by coalesce(c.unionid, c.external_userid)
      order by f.added_at, f.id) as at
  from wecom_follow f join wecom_customer c on c.id = f.customer_id
    join wecom_staff s on s.id = f.staff_id
  where f.status = 'following' and c.state <> 'merged'`

/**
 * How many adds are the same people again: over all, for each mall, and by the advisers who most
 * often added somebody whom a colleague had added before. Of the relations that the person sees.
 */
export const dupFigures = async (db: Db, staff: Pick<Staff, 'scope'>) => {
  const mine = sql`(select * from (${live}) l where ${placed(staff)})`
  const all = (
    await db.execute<Sum>(
      sql`select count(*)::int adds, count(distinct l.person)::int people from ${mine} l`,
    )
  ).rows[0]!
  const malls = (
    await db.execute<Again>(sql`
      select m.id, m.name, count(*)::int adds, ${again} again
      from ${mine} l join mall m on m.id = any(l.mall_ids) group by m.id, m.name
      order by ${again}::float / count(*) desc, m.id limit ${SHOWN}`)
  ).rows
  const advisers = (
    await db.execute<Again>(sql`
      select l.staff_id id, l.staff_name name, count(*)::int adds, ${again} again
      from ${mine} l group by 1, 2 having ${again} > 0
      order by 4 desc, 1 limit ${SHOWN}`)
  ).rows
  return { ...all, malls, advisers }
}
