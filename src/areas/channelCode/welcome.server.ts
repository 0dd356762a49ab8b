import { eq } from 'drizzle-orm'
import {
  wecom_department,
  wecom_department_mall,
  wecom_staff,
} from '#src/areas/wecom/wecom.table.ts'
import { winningWelcome, type WelcomeRule } from '#src/areas/welcome/resolving.ts'
import { wecom_welcome } from '#src/areas/welcome/welcome.table.ts'
import { welcomeScopes } from '#src/areas/welcome/welcome.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'

/** Departments of somebody, with all those above them. */
const departmentsOf = async (db: Db, dept_ids: readonly number[]): Promise<number[]> => {
  const rows = await db
    .select({
      id: wecom_department.id,
      dept_id: wecom_department.dept_id,
      parent_id: wecom_department.parent_id,
    })
    .from(wecom_department)
  const byId = new Map(rows.map(row => [row.id, row]))
  const all = new Set<number>()
  for (const { id } of rows.filter(row => dept_ids.includes(row.dept_id))) {
    let at: number | null = id
    while (at !== null && !all.has(at)) {
      all.add(at)
      at = byId.get(at)?.parent_id ?? null
    }
  }
  return [...all]
}
const rulesOf = async (db: Db): Promise<(WelcomeRule & { name: string; text: string })[]> => {
  const rows = await db.select().from(wecom_welcome)
  const bound = await db.select().from(wecom_department_mall)
  const people = new Map(
    (await db.select({ id: wecom_staff.id, userid: wecom_staff.userid }).from(wecom_staff)).map(
      one => [one.id, one.userid],
    ),
  )
  return rows.map(row => ({
    ...row,
    userids: row.staff_ids.flatMap(id => people.get(id) ?? []),
    department_ids:
      row.mall_id === null
        ? row.department_ids
        : bound.filter(one => one.mall_id === row.mall_id).map(one => one.department_id),
  }))
}
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
