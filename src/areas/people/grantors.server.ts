import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import { admin, role } from './people.table.ts'

const GRANTING = 'system.role.setPerms'
const MOST = 3

/**
 * The people who may give a right to a role: they set rights of roles, and hold this one
 * themselves. At most three, those of the asker's department first.
 */
export const grantorsOf = async (
  db: Db,
  permit: string | undefined,
  admin_id: number,
): Promise<{ name: string; role: string }[]> => {
  const roles = await db.select().from(role).where(eq(role.status, 'on')).orderBy(role.id)
  const granting = roles.filter(({ perms }) => checker(perms)(GRANTING))
  if (granting.length === 0) return []
  const people = await db
    .select({ name: admin.name, role_ids: admin.role_ids })
    .from(admin)
    .where(
      sql`${admin.status} = 'active' and (${sql.join(
        granting.map(({ id }) => sql`${admin.role_ids} @> ${JSON.stringify(id)}::jsonb`),
        sql` or `,
      )})`,
    )
    .orderBy(
      sql`${admin.department_id} is not distinct from (select me.department_id from ${admin} me where me.id = ${admin_id}) desc`,
      asc(admin.pinyin),
      asc(admin.id),
    )
  return people
    .flatMap(({ name, role_ids }) => {
      const held = roles.filter(({ id }) => role_ids.includes(id))
      const able = permit === undefined || checker(held.flatMap(({ perms }) => perms))(permit)
      const by = granting.find(({ id }) => role_ids.includes(id))
      return able && by ? [{ name, role: by.name }] : []
    })
    .slice(0, MOST)
}
