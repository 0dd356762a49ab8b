import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { member } from './member.table.ts'

type Asked = { keyword?: string | undefined; page: number; pageSize: number }
/** A page of members whose account is in order, by the beginning of a nickname or a whole UID. */
export const pickMembers = async (
  { keyword, page, pageSize }: Asked,
  { db, staff }: { db: Db; staff: Pick<Staff, 'scope'> },
) => {
  const where = and(
    eq(member.account_state, 'normal'),
    within(staff.scope, { city: member.city_id }),
    keyword
      ? sql`(${member.nickname} like ${begins(keyword)} or ${member.uid} = ${keyword})`
      : undefined,
  )
  const list = await db
    .select({ id: member.id, name: sql<string>`${member.nickname} || ' · ' || ${member.uid}` })
    .from(member)
    .where(where)
    .orderBy(asc(member.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, member, where)) }
}
