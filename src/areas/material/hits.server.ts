/** What people do with published material, counted once a device and day. */
import { and, eq, lt, sql } from 'drizzle-orm'
import { dateOf, DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { dist_material, dist_material_hit } from './material.table.ts'
import type { MaterialHit } from './material.ts'

const m = dist_material
const columns = {
  view: { view_count: sql`${m.view_count} + 1` },
  download: { download_count: sql`${m.download_count} + 1` },
  share: { share_count: sql`${m.share_count} + 1` },
} as const satisfies Record<MaterialHit, object>
type Hit = { material_id: number; what: MaterialHit; device: string; now: number }
/** Counts it; false where the device was counted today, or the material is not published now. */
export const countHit = async (
  tx: Db,
  { material_id, what, device, now }: Hit,
): Promise<boolean> => {
  const shown = and(
    eq(m.id, material_id),
    eq(m.status, 'on'),
    sql`${m.start_at} <= ${now} and (${m.end_at} is null or ${m.end_at} > ${now})`,
  )
  const [known] = await tx.select({ id: m.id }).from(m).where(shown)
  if (!known) return false
  const [fresh] = await tx
    .insert(dist_material_hit)
    .values({ material_id, what, day: dateOf(now), device })
    .onConflictDoNothing()
    .returning({ id: dist_material_hit.id })
  if (!fresh) return false
  // Its version stays: whoever edits it is not disturbed by its readers.
  const counted = await tx.update(m).set(columns[what]).where(shown).returning({ id: m.id })
  return counted.length > 0
}
/** Forgets the devices of days that are over: they are counted, and no more is asked of them. */
export const forgetHits = async (db: Db, now: number): Promise<void> => {
  await db.delete(dist_material_hit).where(lt(dist_material_hit.day, dateOf(now - DAY)))
}
