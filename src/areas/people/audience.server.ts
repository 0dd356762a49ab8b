import { and, asc, count, eq, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { like } from '#src/server/db/like.ts'
import { admin, department, role } from './people.table.ts'

/**
 * What was published to a department (theirs or one above it) or to a role that this person has,
 * where the role is on.
 */
export const sharedWith = (
  staff: Pick<Staff, 'id'>,
  of: { department_id: PgColumn; role_id: PgColumn },
): SQL =>
  or(
    sql`${of.department_id} in (select up.id from ${admin} me join ${department} d on d.id = me.department_id join ${department} up on d.path like up.path || '%' where me.id = ${staff.id} and up.path <> '')`,
    sql`${of.role_id} in (select r.id from ${role} r join ${admin} me on me.role_ids @> to_jsonb(r.id) where me.id = ${staff.id} and r.status = 'on')`,
  )!
/** A page of the roles that something can be published to. */
export const rolesOn = async (
  db: Db,
  { keyword, page, pageSize }: { keyword?: string | undefined; page: number; pageSize: number },
): Promise<{ list: { id: number; name: string }[]; total: number }> => {
  const where = and(
    eq(role.status, 'on'),
    keyword ? sql`${role.name} ilike ${like(keyword)}` : undefined,
  )
  const [all] = await db.select({ n: count() }).from(role).where(where)
  return {
    list: await db
      .select({ id: role.id, name: role.name })
      .from(role)
      .where(where)
      .orderBy(asc(role.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    total: all!.n,
  }
}
