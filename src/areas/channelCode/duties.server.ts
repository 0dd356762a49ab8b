import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { answeringOf, candidatesAt, healthAt } from './allocation.ts'
import { channel_code, channel_event } from './channelCode.table.ts'
import { peopleOf, type CodeBody, type CodeHealth } from './channelCode.ts'
import type { Code } from './codes.server.ts'
import { staffOfCodes, type StaffOfCodes } from './staffNow.server.ts'
import { skipsVerify } from './verify.ts'

const t = channel_code
/** What WeCom is to have of a code at a time. */
export type WayWanted = { userids: string[]; skip_verify: boolean }
/** Whom scans of a body lead to at a time (unix seconds), and whether they are let in at once. */
export const wantedOf = (
  { body, state_key, staff }: { body: CodeBody; state_key: string; staff: StaffOfCodes },
  now: number,
): WayWanted => {
  const staffOf = staff.of(state_key)
  return {
    userids: answeringOf(candidatesAt(body, now, staffOf), staffOf),
    skip_verify: skipsVerify(body, now),
  }
}
/** How a code stands: what WeCom refused is told before what its people lack. */
export const healthOf = (
  code: Pick<Code, 'body' | 'state_key' | 'way_state' | 'rev'>,
  staff: StaffOfCodes,
  now: number,
): CodeHealth =>
  code.way_state === 'failed' && code.rev > 0
    ? 'wecom_error'
    : healthAt(code.body, now, staff.of(code.state_key))

type Differs = { id: number; health?: CodeHealth; isDue?: boolean }
const differing = (code: Code, staff: StaffOfCodes, now: number): Differs | undefined => {
  const health = healthOf(code, staff, now)
  const wanted = wantedOf({ ...code, staff }, now)
  const isDue =
    code.status === 'enabled' &&
    code.config_id !== null &&
    code.way_next_at === null &&
    wanted.userids.length > 0 &&
    (code.way_skip_verify !== wanted.skip_verify ||
      !sameContent(code.way_userids.toSorted(), wanted.userids.toSorted()))
  if (health === code.health && !isDue) return undefined
  return { id: code.id, ...(health !== code.health && { health }), ...(isDue && { isDue }) }
}
/** Ends codes whose time is over. Answers how many. */
export const expireCodes = async (db: Db, now: number): Promise<number> =>
  (
    await db
      .update(t)
      .set({ status: 'expired', health: 'ok', version: sql`${t.version} + 1` })
      .where(and(eq(t.status, 'enabled'), isNotNull(t.end_at), lte(t.end_at, now)))
      .returning({ id: t.id })
  ).length
/** Notes once a day that all people of a code were full and the last backup still received. */
const noteFull = async (db: Db, ids: readonly number[], now: number): Promise<void> => {
  if (ids.length === 0) return
  const day = dateOf(now)
  await db
    .insert(channel_event)
    .values(ids.map(code_id => ({ code_id, day, kind: 'full' as const, created_at: now })))
    .onConflictDoNothing()
}
/**
 * Looks at codes, all that are live or paused unless some are named: writes their health anew, and
 * notes which ones WeCom is to hear of. Answers how many changed.
 */
export const refreshCodes = async (
  db: Db,
  now: number,
  ids?: readonly number[],
): Promise<number> => {
  const rows = await db
    .select()
    .from(t)
    .where(
      and(inArray(t.status, ['enabled', 'paused']), ids ? inArray(t.id, [0, ...ids]) : undefined),
    )
    .orderBy(t.id)
  const staff = await staffOfCodes(
    db,
    rows.flatMap(row => peopleOf(row.body)),
    now,
  )
  const changed = rows.flatMap(row => differing(row, staff, now) ?? [])
  for (const { id, health, isDue } of changed)
    await db
      .update(t)
      .set({ ...(health && { health }), ...(isDue && { way_next_at: now, way_tries: 0 }) })
      .where(and(eq(t.id, id), inArray(t.status, ['enabled', 'paused'])))
  await noteFull(
    db,
    changed.filter(one => one.health === 'all_full').map(one => one.id),
    now,
  )
  return changed.length
}
