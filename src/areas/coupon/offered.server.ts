import { and, desc, sql } from 'drizzle-orm'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { countOf } from '#src/server/db/paging.ts'
import { isGiven } from './claiming.server.ts'
import { coupon } from './coupon.table.ts'
import { coupons } from './couponRecord.server.ts'

type Asked = { keyword?: string | undefined; page: number; pageSize: number }
/** A page of the coupons that are given out now, of those that the person sees, and what is left. */
export const offeredCoupons = async (
  { keyword, page, pageSize }: Asked,
  { db, staff, now }: { db: Db; staff: Staff; now: number },
) => {
  const where = and(coupons.seen(staff), isGiven(now), holding(keyword, [coupon.name], coupon.id))
  const list = await db
    .select({
      id: coupon.id,
      name: coupon.name,
      left: sql<number>`greatest(${coupon.total} - ${coupon.claimed_count}, 0)`,
    })
    .from(coupon)
    .where(where)
    .orderBy(desc(coupon.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list, ...(await countOf(db, coupon, where)) }
}
