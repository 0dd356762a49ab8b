import { and, desc, eq, gte, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { film_pull_activity, film_pull_promoter, film_pull_record as r } from './pull.table.ts'
import { flagsOf, SCAN_S } from './pullRules.ts'

/** How a code stands for whoever scans it. `none`: nobody has it, or its promoter is banned. */
type ScanState = 'running' | 'over' | 'none'
export type Scanned = { state: ScanState; name: string; price_cents: number }
const nothing: Scanned = { state: 'none', name: '', price_cents: 0 }
const ofCode = async (tx: Db, code: string) =>
  (
    await tx
      .select({ activity: film_pull_activity, seller: distributor })
      .from(film_pull_promoter)
      .innerJoin(film_pull_activity, eq(film_pull_activity.id, film_pull_promoter.activity_id))
      .innerJoin(distributor, eq(distributor.id, film_pull_promoter.distributor_id))
      .where(and(eq(film_pull_promoter.code, code), isNull(film_pull_promoter.banned_at)))
  )[0]
type Promoted = NonNullable<Awaited<ReturnType<typeof ofCode>>>
const standing = ({ activity }: Promoted, now: number): Scanned => ({
  state: activity.status === 'running' && now < activity.end_at ? 'running' : 'over',
  name: activity.name,
  price_cents: activity.price_cents,
})
const byDevice = ({ activity, seller }: Promoted, device: string) =>
  and(eq(r.activity_id, activity.id), eq(r.distributor_id, seller.id), eq(r.device, device))
/**
 * A promoter's code was scanned: a device counts once a day for each of them, while the campaign
 * runs. Answers how the campaign stands, and nothing of anybody.
 */
export const scanCode = async (
  tx: Db,
  { code, device, now }: { code: string; device: string; now: number },
): Promise<Scanned> => {
  const found = await ofCode(tx, code)
  if (!found) return nothing
  const told = standing(found, now)
  if (told.state !== 'running') return told
  const today = and(byDevice(found, device), gte(r.scan_at, dayStart(now)))
  if ((await tx.$count(r, today)) > 0) return told
  await tx.insert(r).values({
    activity_id: found.activity.id,
    distributor_id: found.seller.id,
    city_id: found.seller.city_id,
    mall_id: found.seller.mall_id,
    device,
    scan_at: now,
    created_at: now,
    updated_at: now,
  })
  return told
}
/** How many members came by a device, this one among them. */
const accountsOf = async (tx: Db, device: string, member_id: number): Promise<number> => {
  const [row] = await tx
    .select({ n: sql<number>`count(distinct ${r.member_id})::int` })
    .from(r)
    .where(and(eq(r.device, device), isNotNull(r.member_id), ne(r.member_id, member_id)))
  return row!.n + 1
}
/**
 * The member of a phone is who scanned a code with a device: the last scan of seven days that is
 * nobody's yet becomes theirs, marked where it looks made up. Answers as a scan does, whether or not
 * anybody has the phone.
 */
export const registerScan = async (
  tx: Db,
  of: { code: string; device: string; phone: string; now: number },
): Promise<Scanned> => {
  const found = await ofCode(tx, of.code)
  if (!found) return nothing
  const told = standing(found, of.now)
  const [buyer] = await tx
    .select({ id: member.id })
    .from(member)
    .where(eq(member.phone, of.phone))
    .limit(1)
  if (!buyer) return told
  const [scan] = await tx
    .select({ id: r.id })
    .from(r)
    .where(
      and(
        byDevice(found, of.device),
        eq(r.status, 'scanned'),
        isNull(r.member_id),
        gte(r.scan_at, of.now - SCAN_S),
      ),
    )
    .orderBy(desc(r.scan_at), desc(r.id))
    .limit(1)
    .for('update')
  if (!scan) return told
  const flags = flagsOf({
    member_id: buyer.id,
    promoter_member_id: found.seller.member_id,
    accounts: await accountsOf(tx, of.device, buyer.id),
  })
  await tx
    .update(r)
    .set({
      member_id: buyer.id,
      register_at: of.now,
      status: 'registered',
      flags,
      updated_at: of.now,
      version: sql`${r.version} + 1`,
    })
    .where(eq(r.id, scan.id))
  return told
}
