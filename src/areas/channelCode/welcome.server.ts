import { eq } from 'drizzle-orm'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { winningWelcome } from '#src/areas/welcome/resolving.ts'
import { departmentsOf, rulesOf } from '#src/areas/welcome/rules.server.ts'
import { welcomeScopes } from '#src/areas/welcome/welcome.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'

/**
 * The welcome that a new contact of somebody would get at a time (unix seconds) by a code that names
 * a rule, and the kind of rule that it is; null where none would.
 */
export const welcomeFor = async (
  db: Db,
  of: { staff_id: number; at: number; welcome_id: number | null; lang: Lang },
): Promise<{ name: string; text: string; scope: string } | null> => {
  const [staff] = await db.select().from(wecom_staff).where(eq(wecom_staff.id, of.staff_id))
  if (!staff) return null
  const { winner } = winningWelcome(await rulesOf(db), {
    code: { welcome_id: of.welcome_id },
    userid: staff.userid,
    departments: await departmentsOf(db, staff.department_ids),
    at: of.at,
  })
  return winner
    ? { name: winner.name, text: winner.text, scope: say(welcomeScopes[winner.scope], of.lang) }
    : null
}
