import { desc, eq, sql } from 'drizzle-orm'
import { admin, admin_password } from '#src/areas/people/people.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { hashPassword, inHashTurn, verifyPassword } from './passwords.ts'

/** So many passwords of a person, the present one among them, are not taken again. */
const KEPT = 3
type Person = Pick<typeof admin.$inferSelect, 'id' | 'password_hash' | 'must_change'>

/** True when the password is the person's present one or one of their last three. */
export const usedBefore = async (tx: Db, person: Person, password: string): Promise<boolean> => {
  const before = await tx
    .select({ hash: admin_password.password_hash })
    .from(admin_password)
    .where(eq(admin_password.admin_id, person.id))
    .orderBy(desc(admin_password.id))
    // A password that was made up for them is none of their three.
    .limit(person.must_change ? KEPT : KEPT - 1)
  for (const hash of new Set([person.password_hash, ...before.map(one => one.hash)]))
    if (await inHashTurn(() => verifyPassword(hash, password))) return true
  return false
}

/**
 * The one write of another password: the replaced hash is remembered, whoever replaces it.
 * `must_change` says that the new one was made up for the person. Answers the row's new version.
 */
export const replacePassword = async (
  tx: Db,
  person: Person,
  password: string,
  must_change: boolean,
): Promise<number> => {
  const password_hash = await inHashTurn(() => hashPassword(password))
  // A made-up password that replaces another was nobody's, so resets push none of their own out.
  if (!(person.must_change && must_change))
    await tx
      .insert(admin_password)
      .values({ admin_id: person.id, password_hash: person.password_hash })
  const [after] = await tx
    .update(admin)
    .set({ password_hash, must_change, version: sql`${admin.version} + 1` })
    .where(eq(admin.id, person.id))
    .returning({ version: admin.version })
  return after!.version
}
