import { randomInt } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import { firstMerchantMenu, syncMenu } from '#src/areas/people/menu.server.ts'
import { admin, department, field_key, role } from '#src/areas/people/people.table.ts'
import { demoFields, demoRoles } from '#src/areas/people/roles.demo.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { START_MS } from '#src/server/db/alone.ts'
import type { Database } from '#src/server/db/database.ts'
import { hashPassword } from './passwords.ts'

/** Letters and digits that nobody mistakes for others. */
const signs = 'abcdefghjkmnpqrstuvwxyzACDEFGHJKLMNPQRSTUVWXYZ2345679'
const oneTimePassword = () =>
  Array.from({ length: 14 }, () => signs[randomInt(signs.length)]).join('')

/**
 * Gives an installation without people its first administrator, account `admin`, and the roles to
 * hand out. Answers the password when it was made up here: it is shown once and must be changed at
 * the first sign-in. Several processes may start at once: one of them wins.
 */
export const ensureFirstAdmin = async (
  database: Database,
  password: string | null,
): Promise<{ one_time_password: string } | undefined> => {
  const [people] = await database.db.select({ n: count() }).from(admin)
  if (people!.n > 0) return undefined
  const made = password ?? oneTimePassword()
  const password_hash = await hashPassword(made)
  const now = unixNow()
  const stamp = { created_at: now, updated_at: now }
  const make = async (tx: Db) => {
    await tx
      .insert(field_key)
      .values(demoFields.map(field => ({ ...stamp, ...field })))
      .onConflictDoNothing()
    await tx
      .insert(role)
      .values(
        demoRoles.map(each => ({
          ...stamp,
          ...each,
          perms: [...each.perms],
          builtin: each.code === 'super_admin',
        })),
      )
      .onConflictDoNothing()
    const roles = await tx.select({ id: role.id, code: role.code }).from(role)
    const all = roles.find(each => each.code === 'super_admin')!
    const first = await tx
      .insert(admin)
      .values({
        ...stamp,
        account: 'admin',
        name: '管理员',
        pinyin: 'guanliyuan|gly',
        password_hash,
        must_change: password === null,
        role_ids: [all.id],
      })
      .onConflictDoNothing()
      .returning({ id: admin.id })
    if (first.length > 0) {
      const [top] = await tx
        .insert(department)
        .values({ ...stamp, name: '总部' })
        .returning({ id: department.id })
      await tx
        .update(department)
        .set({ path: `/${top!.id}/` })
        .where(eq(department.id, top!.id))
      await tx.update(admin).set({ department_id: top!.id }).where(eq(admin.id, first[0]!.id))
      await syncMenu(tx, now)
      await firstMerchantMenu(tx, now)
    }
    return first
  }
  const first = await database.transaction(make, { deadlineMs: START_MS })
  return first.length > 0 && password === null ? { one_time_password: made } : undefined
}
