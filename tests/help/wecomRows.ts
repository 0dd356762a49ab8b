import { eq, sql } from 'drizzle-orm'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { wecom_customer, wecom_follow, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { corpExternal, corpObjects, corpUser } from './wecom.ts'

export type NewCustomer = Partial<typeof wecom_customer.$inferInsert>
export type NewAdviser = Partial<typeof wecom_staff.$inferInsert>
let made = 0
/** A customer of a test's own, whom nobody follows yet. */
export const freshCustomer = async (database: Database, of: NewCustomer = {}) => {
  const n = ++made
  const [row] = await database.db
    .insert(wecom_customer)
    .values({
      external_userid: `wmTestOfOurOwnPeople${String(n).padStart(12, '0')}`,
      name: `测试客户${n}`,
      state: 'lost',
      synced_at: unixNow(),
      ...of,
    })
    .returning()
  return row!
}
/** Advisers of a test's own, who may have customers. */
export const freshAdvisers = async (database: Database, count: number, of: NewAdviser = {}) =>
  database.db
    .insert(wecom_staff)
    .values(
      Array.from({ length: count }, () => {
        const n = ++made
        return {
          userid: `tester${n}`,
          name: `测试顾问${n}`,
          department_ids: [1],
          main_department: 1,
          status: 'active' as const,
          is_verified: true,
          has_contact_right: true,
          has_group_right: true,
          synced_at: unixNow(),
          ...of,
        }
      }),
    )
    .returning()

/** How many rows tell another number than the rows below them come to; all 0 where all is well. */
export const wecomSums = async (database: Database) => {
  const { rows } = await database.db.execute<
    Record<'customers' | 'staff' | 'groups' | 'twice', number>
  >(
    sql`select
      (select count(*)::int from wecom_customer c where c.follow_count <> (
        select count(*) from wecom_follow f where f.customer_id = c.id and f.status = 'following')
        or (c.state <> 'merged' and (c.state = 'following') <> exists (select 1 from wecom_follow f
          where f.customer_id = c.id and f.status = 'following'))
        or c.group_count <> (select count(*) from wecom_group_member m
          where m.customer_id = c.id and m.left_at is null)) customers,
      (select count(*)::int from wecom_staff s where s.customer_count <> (
        select count(*) from wecom_follow f where f.staff_id = s.id and f.status = 'following')) staff,
      (select count(*)::int from wecom_group g where g.member_count <> (
        select count(*) from wecom_group_member m where m.group_id = g.id and m.left_at is null)) groups,
      (select count(*)::int from (select 1 from wecom_follow where status = 'following'
        group by customer_id, staff_id having count(*) > 1) two) twice`,
  )
  return rows[0]!
}
/**
 * A customer whom several advisers follow, here and in WeCom, the first of them first, each since a
 * second after the one before.
 */
export const freshFollowed = async (
  database: Database,
  count = 1,
  of: NewCustomer = {},
  staff: NewAdviser = {},
) => {
  const since = unixNow() - 3000
  const advisers = await freshAdvisers(database, count, staff)
  const { id, external_userid } = await freshCustomer(database, of)
  const userids = advisers.map(one => one.userid)
  await corpObjects(
    database,
    'user',
    userids.map(userid => corpUser(userid)),
  )
  await corpObjects(database, 'external', [corpExternal(external_userid, userids)])
  await database.transaction(tx =>
    applyRelations(
      tx,
      advisers.map((one, at) => ({
        customer_id: id,
        staff_id: one.id,
        kind: 'add' as const,
        at: since + at,
      })),
    ),
  )
  const follows = await database.db
    .select()
    .from(wecom_follow)
    .where(eq(wecom_follow.customer_id, id))
    .orderBy(wecom_follow.added_at)
  return { id, advisers, follows }
}
