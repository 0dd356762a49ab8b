import { and, asc, desc, eq, ilike, ne, or, sql } from 'drizzle-orm'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { mallsNamed } from './places.server.ts'
import { advisers, staffSeen } from './staff.server.ts'
import { wecom_staff } from './wecom.table.ts'

type Asked = {
  page: number
  pageSize: number
  keyword?: string | undefined
  but?: number | undefined
}
/** Colleagues who may take over: those of the giver's malls first, and of them who holds the fewest. */
export const receiversFor = async (
  db: Db,
  staff: Staff,
  { page, pageSize, keyword, but }: Asked,
) => {
  // A giver whom the person does not see changes nothing, not even the order.
  const own = but === undefined ? [] : ((await advisers.find(db, staff, but))?.mall_ids ?? [])
  const where = and(
    staffSeen(staff),
    eq(wecom_staff.status, 'active'),
    eq(wecom_staff.has_contact_right, true),
    but === undefined ? undefined : ne(wecom_staff.id, but),
    keyword
      ? or(ilike(wecom_staff.name, like(keyword)), ilike(wecom_staff.userid, like(keyword)))
      : undefined,
  )
  const list = await db
    .select({
      id: wecom_staff.id,
      name: wecom_staff.name,
      userid: wecom_staff.userid,
      place: mallsNamed(wecom_staff.mall_ids, staff.lang),
      customer_count: wecom_staff.customer_count,
    })
    .from(wecom_staff)
    .where(where)
    .orderBy(
      desc(sql`${wecom_staff.mall_ids} && ${sql.param(`{${own.join()}}`)}::int[]`),
      asc(wecom_staff.customer_count),
      asc(wecom_staff.id),
    )
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, wecom_staff, where)) }
}
