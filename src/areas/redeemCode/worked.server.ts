/** What the rewards of a batch come to in practice. Nothing here changes a row. */
import { and, asc, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { approvedTerms } from '#src/areas/coupon/couponRecord.server.ts'
import { fittingTrial, shownTrial } from '#src/areas/coupon/couponTrial.server.ts'
import { points_goods as g } from '#src/areas/points/points.table.ts'
import { goodsSeen } from '#src/areas/points/shopGoods.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { planOf } from './batches.server.ts'

type Reader = { staff: Pick<Staff, 'scope' | 'lang'>; now: number }
/** Rewards of a batch as far as they are written. */
export type Rewards = {
  coupon_ids: readonly number[]
  points: number
  vip_card_id: number | null
  vip_days: number
  goods: string
  /** Unix seconds. */
  start_at?: number | undefined
  end_at?: number | undefined
}

/** Each coupon on the newest paid order that it fits, in the order in which the batch names them. */
const triedCoupons = async (db: Db, ids: readonly number[], { staff }: Reader) => {
  if (ids.length === 0) return []
  const rows = await db
    .select()
    .from(coupon)
    .where(inArray(coupon.id, [...ids]))
  const inOrder = ids.flatMap(id => rows.find(row => row.id === id) ?? [])
  const tried = []
  for (const row of inOrder) {
    const trial = await fittingTrial(db, staff, approvedTerms(row))
    tried.push({
      id: row.id,
      name: row.name,
      trial: trial ? shownTrial(trial, staff.lang) : null,
    })
  }
  return tried
}
/**
 * The dearest thing of the points shop that everybody may have now for so many points, or else the
 * cheapest one; the shop holds few enough goods to look at all of them.
 */
const boughtWith = async (db: Db, points: number, { staff, now }: Reader) => {
  if (points === 0) return null
  const onShelf = and(
    eq(g.status, 'on'),
    isNull(g.level_min),
    gt(sql`${g.stock} - ${g.held}`, 0),
    or(isNull(g.start_at), lte(g.start_at, now)),
    or(isNull(g.end_at), gt(g.end_at, now)),
    goodsSeen(staff.scope),
  )
  const shown = {
    id: g.id,
    name: g.name,
    points_price: g.points_price,
    cash_cents: g.cash_cents,
  }
  const [dearest] = await db
    .select(shown)
    .from(g)
    .where(and(onShelf, lte(g.points_price, points)))
    .orderBy(asc(sql`${g.cash_cents} > 0`), desc(g.points_price), asc(g.id))
    .limit(1)
  const [cheapest] = dearest
    ? []
    : await db.select(shown).from(g).where(onShelf).orderBy(asc(g.points_price), asc(g.id)).limit(1)
  return { points, item: dearest ?? null, cheapest: cheapest ?? null }
}
/**
 * What a code of the batch comes to: its coupons on real orders, what its points buy, until when its
 * days last where it is redeemed as soon as may be, and until when its prize is handed over.
 */
export const workedBatch = async (db: Db, of: Rewards, reader: Reader) => {
  const plan = await planOf(db, of)
  const begins = Math.max(reader.now, of.start_at ?? 0)
  return {
    coupons: await triedCoupons(db, of.coupon_ids, reader),
    points: await boughtWith(db, of.points, reader),
    membership:
      plan && of.vip_days > 0
        ? { plan: plan.name, days: of.vip_days, from: begins, until: begins + of.vip_days * DAY }
        : null,
    prize: of.goods === '' ? null : { name: of.goods, until: of.end_at ?? null },
  }
}
