import { and, asc, eq, gt, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import { equal, record } from '#src/server/call/record.ts'
import { dist_split_order, dist_split_receiver } from './split.table.ts'
import { WARN_S, type SplitTab } from './split.ts'
import type { Split } from './splits.server.ts'

const s = dist_split_order
export const splitRecord = record(s, {
  object: 'dist_split_order',
  label: row => row.split_no,
  keys: ['status', 'doing', 'out_no', 'back_cents', 'returned_cents', 'fail_reason', 'reason'],
  places: { city: s.city_id, mall: s.mall_id },
})

export type SplitFilters = {
  status?: SplitTab | undefined
  keyword?: string | undefined
  merchant_id?: number | undefined
  city_id?: number | undefined
  /** Those that are not over, and are soon for the channel. */
  soon?: boolean | undefined
}
const isOpen = sql`status in ('waiting', 'processing', 'partial', 'failed')`
/** The splits that end at the channel within five days and are not over. */
export const endsSoon = (now: number): SQL =>
  and(isOpen, gt(s.deadline_at, now), lte(s.deadline_at, now + WARN_S))!
export const splitsWhere = (
  { status, keyword, merchant_id, city_id, soon }: SplitFilters,
  now: number,
): SQL | undefined =>
  and(
    status === 'open' ? isOpen : equal(s, { status }),
    equal(s, { merchant_id, city_id }),
    soon ? endsSoon(now) : undefined,
    keyword
      ? or(
          eq(s.split_no, keyword),
          sql`${s.order_id} = (select o.id from "order" o where o.order_no = ${keyword})`,
        )
      : undefined,
  )

/** Rows with their merchant and city, and what became of each receiver. */
export const shownSplits = async (db: Db, rows: readonly Split[]) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const names = await db
    .select({ id: s.id, merchant: merchant.name, city: city.city_name })
    .from(s)
    .innerJoin(merchant, eq(merchant.id, s.merchant_id))
    .leftJoin(city, eq(city.id, s.city_id))
    .where(inArray(s.id, ids))
  const receivers = await db
    .select()
    .from(dist_split_receiver)
    .where(inArray(dist_split_receiver.split_id, ids))
    .orderBy(asc(dist_split_receiver.id))
  const by = new Map(names.map(one => [one.id, one]))
  const of = grouped(receivers, one => one.split_id)
  return rows.map(row => ({
    ...row,
    merchant_name: by.get(row.id)!.merchant,
    city_name: by.get(row.id)!.city ?? '',
    receivers: of.get(row.id) ?? [],
  }))
}
