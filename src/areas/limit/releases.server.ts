import { and, eq, gt, gte, inArray, lte, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { buy_limit_log } from './limit.table.ts'

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
export const spendRelease = async (
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
/**
 * Whether every one of these lines is let through by an unused release of its member, for as many
 * pieces or more. The releases are held, so that no second order goes by them.
 */
export const areReleased = async (
  tx: Db,
  of: { member_id: number | null; lines: readonly { product_id: number; qty: number }[] },
  now: number,
): Promise<boolean> => {
  const { member_id, lines } = of
  if (member_id === null) return false
  const held = await tx
    .select({ product_id: buy_limit_log.product_id, n: buy_limit_log.asked_n })
    .from(buy_limit_log)
    .where(
      and(
        eq(buy_limit_log.member_id, member_id),
        inArray(
          buy_limit_log.product_id,
          lines.map(line => line.product_id),
        ),
        eq(buy_limit_log.result, 'released'),
        gt(buy_limit_log.release_until, now),
      ),
    )
    .for('update')
  const most = new Map(held.map(one => [one.product_id, one.n]))
  return lines.every(line => line.qty <= (most.get(line.product_id) ?? 0))
}
/** An order that was closed unpaid did not use its release: it can be used until it runs out. */
export const returnRelease = (tx: Db, order_id: number, now: number) =>
  tx.execute(
    sql`update buy_limit_log l set result = 'released', release_order_id = null, version = version + 1 where l.release_order_id = ${order_id} and l.result = 'used' and l.release_until > ${now} and not exists (select 1 from buy_limit_log o where o.member_id = l.member_id and o.product_id = l.product_id and o.result = 'released')`,
  )
