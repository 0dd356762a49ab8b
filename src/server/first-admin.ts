import { randomInt } from 'node:crypto'
import { count } from 'drizzle-orm'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from './db/database.ts'
import { demoFields, demoRoles } from './demo/roles.ts'
import { hashPassword } from './passwords.ts'
import { admin, field_key, role } from './tables/people.ts'

/** Letters and digits that nobody mistakes for others. */
const signs = 'abcdefghjkmnpqrstuvwxyzACDEFGHJKLMNPQRSTUVWXYZ2345679'
const oneTimePassword = () => Array.from({ length: 14 }, () => signs[randomInt(signs.length)]).join('')

/**
 * Gives an installation without people its first administrator, account `admin`, and the roles to hand out. Answers the password when it was
 * made up here: it is shown once and must be changed at the first sign-in. Several processes may start at once: one of them wins.
 */
export const ensureFirstAdmin = async (database: Database, password: string | null): Promise<{ one_time_password: string } | undefined> => {
  const [people] = await database.db.select({ n: count() }).from(admin)
  if (people!.n > 0) return undefined
  const made = password ?? oneTimePassword()
  const password_hash = await hashPassword(made)
  const now = unixNow()
  const stamp = { created_at: now, updated_at: now }
  const first = await database.transaction(async tx => {
    await tx.insert(field_key).values(demoFields.map(field => ({ ...stamp, ...field }))).onConflictDoNothing()
    await tx.insert(role).values(demoRoles.map(each => ({ ...stamp, ...each, perms: [...each.perms], builtin: true }))).onConflictDoNothing()
    const roles = await tx.select({ id: role.id, code: role.code }).from(role)
    const all = roles.find(each => each.code === 'super_admin')!
    return tx.insert(admin).values({ ...stamp, account: 'admin', name: '管理员', pinyin: 'guanliyuan|gly', password_hash, must_change: password === null, role_ids: [all.id] }).onConflictDoNothing().returning({ id: admin.id })
  })
  return first.length > 0 && password === null ? { one_time_password: made } : undefined
}
