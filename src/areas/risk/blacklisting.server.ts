import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { risk_list } from './risk.table.ts'
import type { ListType } from './risk.ts'

/**
 * Puts values on the black list for good, but those that stand on a list already; answers the
 * entries that were made.
 */
export const blacklist = async (
  tx: Db,
  values: readonly { type: ListType; value: string }[],
  of: { reason: string; admin_id: number; now: number },
): Promise<(typeof risk_list.$inferSelect)[]> => {
  const made: (typeof risk_list.$inferSelect)[] = []
  for (const { type, value } of values) {
    // Black and white of one value wait for each other, so that it never stands on both.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`risk_list:${type}:${value}`}))`)
    const same = and(
      eq(risk_list.type, type),
      eq(risk_list.value, value),
      eq(risk_list.status, 'on'),
    )
    const [there] = await tx
      .select({ id: risk_list.id })
      .from(risk_list)
      .where(and(same, or(isNull(risk_list.until_at), gt(risk_list.until_at, of.now))))
    if (there) continue
    // One that ran out leaves its place to the new one.
    await tx
      .update(risk_list)
      .set({ status: 'removed', version: sql`${risk_list.version} + 1` })
      .where(and(same, eq(risk_list.list, 'black'), eq(risk_list.scene, 'all')))
    const [one] = await tx
      .insert(risk_list)
      .values({ list: 'black', type, value, reason: of.reason, admin_id: of.admin_id })
      .returning()
    made.push(one!)
  }
  return made
}
/** Takes entries off their list. */
export const takeOffList = (tx: Db, ids: readonly number[]) =>
  ids.length === 0
    ? undefined
    : tx
        .update(risk_list)
        .set({ status: 'removed', version: sql`${risk_list.version} + 1` })
        .where(and(inArray(risk_list.id, [...ids]), eq(risk_list.status, 'on')))
