import { and, eq, gt, gte, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { buy_limit_log } from '#src/areas/log/trace.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { risk_list } from './risk.table.ts'

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

/** Releases of a member and product that nobody used in time are blocks again. */
export const dropLateReleases = (
  tx: Db,
  of: { member_id: number; product_id: number },
  now: number,
) =>
  tx
    .update(buy_limit_log)
    .set({ result: 'blocked', version: sql`${buy_limit_log.version} + 1` })
    .where(
      and(
        eq(buy_limit_log.member_id, of.member_id),
        eq(buy_limit_log.product_id, of.product_id),
        eq(buy_limit_log.result, 'released'),
        lte(buy_limit_log.release_until, now),
      ),
    )

/**
 * A paid order uses the release of its member and product: once, in time, and for no more than was
 * asked then. Refuses otherwise; the order's own transaction rolls back.
 */
export const useRelease = async (
  tx: Db,
  of: { member_id: number; product_id: number; order_id: number; qty: number },
  now: number,
): Promise<number> => {
  const [used] = await tx
    .update(buy_limit_log)
    .set({
      result: 'used',
      release_order_id: of.order_id,
      version: sql`${buy_limit_log.version} + 1`,
    })
    .where(
      and(
        eq(buy_limit_log.member_id, of.member_id),
        eq(buy_limit_log.product_id, of.product_id),
        eq(buy_limit_log.result, 'released'),
        gt(buy_limit_log.release_until, now),
        gte(buy_limit_log.asked_n, of.qty),
      ),
    )
    .returning({ id: buy_limit_log.id })
  if (!used)
    throw ruled('no_release', [
      '没有可用的放行：已使用、已过期或数量超出',
      'No release to use: used, expired, or for fewer pieces',
    ])
  return used.id
}
