import { and, desc, inArray, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import { city } from '#src/areas/place/place.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { listing } from '#src/server/call/record.ts'
import { isAddressed } from './compile.server.ts'
import { segment as t, segment_person as p } from './segment.table.ts'

type Member = typeof member.$inferSelect
/** Members as they stand beside a segment, in the order given. */
const shownPeople = async (db: Db, rows: readonly Member[]) => {
  if (rows.length === 0) return []
  const cities = new Map(
    (await db.select({ id: city.id, name: city.city_name }).from(city)).map(one => [
      one.id,
      one.name,
    ]),
  )
  const { rows: friends } = await db.execute<{ id: number }>(sql`
    select c.member_id as id from wecom_customer c where c.state = 'following'
      and c.member_id = any(${sql.param(`{${rows.map(row => row.id).join()}}`)}::int[])`)
  const isFriend = new Set(friends.map(row => row.id))
  return rows.map(row => ({
    ...row,
    city_name: cities.get(row.city_id) ?? '',
    is_friend: isFriend.has(row.id),
  }))
}
/** People by their ids, the newest first. */
export const peopleByIds = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : shownPeople(
        db,
        await db
          .select()
          .from(member)
          .where(inArray(member.id, [...ids]))
          .orderBy(desc(member.id)),
      )
/** True of the members on the list of a segment that holds. */
const ofSegment = (segment_id: number): SQL =>
  and(
    isAddressed,
    sql`exists (select 1 from ${p} join ${t} on ${t.id} = ${p.segment_id} and ${t.gen} = ${p.gen}
      where ${p.member_id} = ${member.id} and ${p.segment_id} = ${segment_id})`,
  )!
/** The people of a segment, the newest first. */
export const peopleList = listing(members, {
  by: member.id,
  down: true,
  where: (of: { segment_id: number }) => ofSegment(of.segment_id),
  shown: shownPeople,
})
