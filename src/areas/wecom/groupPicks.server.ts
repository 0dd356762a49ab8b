import { and, asc, desc, eq, ilike, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { groups } from './groupDesk.server.ts'
import { mallsNamed } from './places.server.ts'
import { staffSeen } from './staff.server.ts'
import { wecom_staff } from './wecom.table.ts'
import { wecom_group } from './wecomGroup.table.ts'

type Asker = { db: Db; staff: Staff }
type Paged = { page: number; pageSize: number; keyword?: string | undefined }
/**
 * Colleagues who may own a chat, by a part of the name or account: those of its mall first, and of
 * them whoever owns the fewest.
 */
export const pickOwners = async (
  {
    page,
    pageSize,
    keyword,
    but,
    mall_id,
  }: Paged & { but?: number | undefined; mall_id?: number | undefined },
  { db, staff }: Asker,
) => {
  const s = wecom_staff
  const where = and(
    staffSeen(staff),
    eq(s.status, 'active'),
    eq(s.has_contact_right, true),
    eq(s.has_group_right, true),
    but === undefined ? undefined : ne(s.id, but),
    keyword ? or(ilike(s.name, like(keyword)), ilike(s.userid, like(keyword))) : undefined,
  )
  const owned = sql<number>`(select count(*)::int from wecom_group g
    where g.owner_id = wecom_staff.id and g.status <> 'dismissed')`
  const list = await db
    .select({
      id: s.id,
      name: s.name,
      userid: s.userid,
      place: mallsNamed(s.mall_ids, staff.lang),
      group_count: owned,
    })
    .from(s)
    .where(where)
    .orderBy(desc(sql`${mall_id ?? 0} = any(${s.mall_ids})`), asc(owned), asc(s.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, s, where)) }
}
/** Chats that stand and that no code in use leads to, but the one of `way_id`. */
export const freeChats = (way_id: number): SQL | undefined =>
  and(
    inArray(wecom_group.status, ['normal', 'transferring']),
    sql`${wecom_group.id} not in (select j.group_id from wecom_join_group j
      where j.is_held and j.way_id <> ${way_id})`,
  )
/** Chats of a code. */
export const chatsOfWay = (way_id: number): SQL =>
  sql`${wecom_group.id} in (select j.group_id from wecom_join_group j where j.way_id = ${way_id})`
/** Chats that a person sees, with their fill and mall, by a part of the name; the emptiest first. */
export const pickChats = async (
  { page, pageSize, keyword, where }: Paged & { where: SQL | undefined },
  { db, staff }: Asker,
) => {
  const g = wecom_group
  const all = and(groups.seen(staff), where, keyword ? ilike(g.name, like(keyword)) : undefined)
  const list = await db
    .select({
      id: g.id,
      name: g.name,
      member_count: g.member_count,
      max_members: g.max_members,
      mall_name: sql<string>`coalesce(${mall.name}, '')`,
    })
    .from(g)
    .leftJoin(mall, eq(mall.id, g.mall_id))
    .where(all)
    .orderBy(asc(sql`${g.member_count} - ${g.max_members}`), asc(g.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, g, all)) }
}
