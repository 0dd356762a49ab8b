import { and, eq, ilike, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { equal, listing } from '#src/server/call/record.ts'
import { like } from '#src/server/db/like.ts'
import { adjustsWaiting } from './adjusting.server.ts'
import { moneyOfSellers } from './sellerMoney.server.ts'
import { sellers, teamNames, type Seller } from './sellers.server.ts'
import { dist_group_member, distributor } from './sellers.table.ts'
import {
  IDLE_DAYS,
  refundBp,
  REFUNDS_MANY_PERCENT,
  type SellerKind,
  type SellerState,
} from './sellers.ts'

export type SellerFilters = {
  kind?: SellerKind | undefined
  keyword?: string | undefined
  status?: SellerState | undefined
  level_no?: number | undefined
  city_id?: number | undefined
  mid?: number | undefined
  group_id?: number | undefined
  idle?: boolean | undefined
  refunding?: boolean | undefined
}
const t = distributor
/** Sellers by a part of their name, a whole phone, or a whole code of invitation. */
const found = (keyword: string | undefined): SQL | undefined => {
  if (!keyword) return undefined
  const phone = mobileOf(keyword)
  return phone
    ? eq(t.phone, phone)
    : or(ilike(t.name, like(keyword)), eq(t.invite_code, keyword.toUpperCase()))
}
/** The sellers that filters match at a moment (unix seconds). */
export const sellersWhere = (
  { keyword, mid, idle, refunding, ...same }: SellerFilters,
  now: number,
): SQL | undefined =>
  and(
    equal(t, same),
    found(keyword),
    mid === undefined ? undefined : eq(t.mall_id, mid),
    idle
      ? and(
          eq(t.status, 'active'),
          or(isNull(t.last_sale_at), lt(t.last_sale_at, now - IDLE_DAYS * DAY)),
        )
      : undefined,
    refunding
      ? sql`${t.refunded_cents} * 100 >= ${t.gmv_cents} * ${sql.raw(String(REFUNDS_MANY_PERCENT))} and ${t.refunded_cents} > 0`
      : undefined,
  )

type Named = typeof city | typeof mall | typeof store | typeof distributor
const namesOf = async (
  db: Db,
  table: Named,
  name: PgColumn,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> => {
  const wanted = [...new Set(ids)].filter(id => id !== null && id !== 0)
  if (wanted.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number; name: string }>(
    sql`select id, ${name} as name from ${table} where id in ${wanted}`,
  )
  return new Map(rows.map(row => [row.id, row.name]))
}
/** The names of cities by their id. */
export const cityNames = (db: Db, ids: readonly number[]) => namesOf(db, city, city.city_name, ids)
const mallNames = (db: Db, ids: readonly number[]) => namesOf(db, mall, mall.name, ids)
/** The names of sellers by their id. */
export const sellerNames = (db: Db, ids: readonly (number | null)[]) =>
  namesOf(db, distributor, distributor.name, ids)
const storeNames = (db: Db, ids: readonly (number | null)[]) => namesOf(db, store, store.name, ids)

/** Moves that were ordered and take effect at 00:00: the team that each seller goes to, or none. */
const movesOf = async (db: Db, ids: readonly number[], now: number) => {
  const rows = await db
    .select()
    .from(dist_group_member)
    .where(
      and(
        inArray(dist_group_member.distributor_id, [...ids]),
        or(sql`${dist_group_member.start_at} > ${now}`, sql`${dist_group_member.end_at} > ${now}`),
      ),
    )
  const to = new Map<number, number | null>()
  for (const row of rows)
    if (row.start_at > now) to.set(row.distributor_id, row.group_id)
    else if (!to.has(row.distributor_id)) to.set(row.distributor_id, null)
  return to
}
/** Sellers as their lists and pages show them, in the order given. */
export const shownSellers = async (db: Db, rows: readonly Seller[], now: number) => {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.id)
  const moves = await movesOf(db, ids, now)
  const money = await moneyOfSellers(db, ids)
  const waiting = await adjustsWaiting(db, ids)
  const groups = await teamNames(db, [...rows.map(row => row.group_id), ...moves.values()])
  const cities = await cityNames(
    db,
    rows.map(row => row.city_id),
  )
  const malls = await mallNames(
    db,
    rows.map(row => row.mall_id),
  )
  const stores = await storeNames(
    db,
    rows.map(row => row.store_id),
  )
  const inviters = await sellerNames(
    db,
    rows.map(row => row.inviter_id),
  )
  const moveOf = (id: number): string | null => {
    const to = moves.get(id)
    return to === undefined ? null : (groups.get(to ?? 0) ?? '')
  }
  return rows.map(row => ({
    ...row,
    ...money(row.id),
    group_name: groups.get(row.group_id ?? 0) ?? '',
    moves_to: moveOf(row.id),
    inviter_name: inviters.get(row.inviter_id ?? 0) ?? '',
    store_name: stores.get(row.store_id ?? 0) ?? '',
    city_name: cities.get(row.city_id) ?? '',
    mall_name: malls.get(row.mall_id) ?? '',
    refund_bp: refundBp(row),
    adjust: waiting.get(row.id) ?? null,
  }))
}
const listOf = (by: typeof t.id | typeof t.gmv_cents) =>
  listing(sellers, {
    by,
    down: true,
    where: (filters: SellerFilters, { now }) => sellersWhere(filters, now),
    shown: (db, rows, { now }) => shownSellers(db, rows, now),
  })
/** The list of sellers: the newest first, or whoever sold most. */
export const sellerLists = { id: listOf(t.id), gmv: listOf(t.gmv_cents) }
