import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { joined } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { risk_list } from './risk.table.ts'
import type { ListType } from './risk.ts'

/**
 * Members who may not buy now: on the black list by id, phone or device; who is on the white list
 * may. A visitor has no id: 0 stands for it.
 */
export const blackOf = async (
  db: Db,
  members: readonly { id: number; phone: string | null; device_id?: string | null }[],
  now: number,
): Promise<Set<number>> => {
  if (members.length === 0) return new Set()
  const values = (
    type: 'member' | 'phone' | 'device',
    of: (one: (typeof members)[number]) => string | null | undefined,
  ) => {
    const list = [...new Set(members.flatMap(one => of(one) ?? []))]
    return list.length > 0
      ? and(eq(risk_list.type, type), inArray(risk_list.value, list))
      : undefined
  }
  const found = await db
    .select({ list: risk_list.list, type: risk_list.type, value: risk_list.value })
    .from(risk_list)
    .where(
      and(
        eq(risk_list.status, 'on'),
        inArray(risk_list.scene, ['all', 'order']),
        or(isNull(risk_list.until_at), gt(risk_list.until_at, now)),
        or(
          values('member', one => String(one.id)),
          values('phone', one => one.phone),
          values('device', one => one.device_id),
        ),
      ),
    )
  const on = (list: 'black' | 'white', one: (typeof members)[number]) =>
    found.some(
      row =>
        row.list === list &&
        ((row.type === 'member' && row.value === String(one.id)) ||
          (row.type === 'phone' && row.value === one.phone) ||
          (row.type === 'device' && row.value === one.device_id)),
    )
  return new Set(members.filter(one => on('black', one) && !on('white', one)).map(one => one.id))
}

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
/**
 * Puts a member on the black list for some days. Answers until when, and whether they stood there
 * already. Throws 422 for one who is on the white list.
 */
export const blackMember = async (
  { tx, staff, now, log }: WriteContext,
  member_id: number,
  { reason, days }: { reason: string; days: number },
) => {
  const value = String(member_id)
  const until_at = now + days * DAY
  const mine = (list: 'black' | 'white') =>
    and(
      eq(risk_list.list, list),
      eq(risk_list.type, 'member'),
      eq(risk_list.value, value),
      eq(risk_list.scene, 'all'),
      eq(risk_list.status, 'on'),
    )
  const [white] = await tx
    .select({ id: risk_list.id })
    .from(risk_list)
    .where(and(mine('white'), sql`coalesce(${risk_list.until_at}, ${now} + 1) > ${now}`))
  if (white)
    throw ruled('white_listed', [
      '会员在白名单中，请先移出白名单',
      'The member is on the white list: take them off it first',
    ])
  const [black] = await tx.select().from(risk_list).where(mine('black')).for('update')
  if (black && (black.until_at === null || black.until_at > now))
    return { member_id, until_at: black.until_at ?? until_at, already: true }
  // One that ran out leaves its place to the new one.
  if (black)
    await tx
      .update(risk_list)
      .set({ status: 'removed', version: sql`${risk_list.version} + 1` })
      .where(eq(risk_list.id, black.id))
  const [made] = await tx
    .insert(risk_list)
    .values({
      list: 'black',
      type: 'member',
      value,
      until_at,
      reason,
      admin_id: staff.id,
      created_at: now,
    })
    .returning({ id: risk_list.id })
  log({
    object_type: 'risk_list',
    object_id: made!.id,
    object_label: joined([`会员 ${value}`, `Member ${value}`]),
    after: { list: 'black', type: 'member', value, until_at },
    reason,
  })
  return { member_id, until_at, already: false }
}
