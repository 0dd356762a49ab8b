import { and, asc, desc, eq, inArray, ne, or, sql, type SQL } from 'drizzle-orm'
import { bd_assignment, bd_target } from '#src/areas/merchant/bd.table.ts'
import { monthOf, monthStart } from '#src/areas/merchant/bd.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { ENDING_S } from '#src/areas/merchant/merchant.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { staffInScope } from '#src/areas/people/staff.server.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { within } from '#src/server/call/scope.ts'
import type { BdRow } from '../contract/bd.ts'

type Reader = Pick<Staff, 'id' | 'scope'>
/** Stores that a person sees, and merchants. */
export const seenStores = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined =>
  within(scope, { city: store.city_id, mall: store.mall_id })
export const seenMerchants = ({ scope }: Pick<Staff, 'scope'>): SQL | undefined =>
  within(scope, { city: merchant.city_id, owner: merchant.bd_admin_id })

/** Everybody who had a store, a merchant or a target this month, of those whom a person sees. */
export const peopleOf = async (
  db: Db,
  staff: Staff,
  { keyword, now }: { keyword?: string | undefined; now: number },
): Promise<BdRow[]> => {
  const month = monthOf(now)
  const from = monthStart(month)
  const rows = await db
    .select({
      id: admin.id,
      name: admin.name,
      account: admin.account,
      active: sql<boolean>`${admin.status} = 'active'`,
      version: admin.version,
    })
    .from(admin)
    .where(
      and(
        staffInScope(staff),
        or(
          sql`exists (select 1 from ${bd_assignment} b where b.admin_id = ${admin.id} and (b.end_at is null or b.end_at > ${from}))`,
          sql`exists (select 1 from ${merchant} m where m.bd_admin_id = ${admin.id})`,
          sql`exists (select 1 from ${bd_target} t where t.admin_id = ${admin.id} and t.month = ${month})`,
        ),
        holding(keyword, [admin.name, admin.account]),
      ),
    )
    .orderBy(desc(sql`${admin.status} = 'active'`), asc(admin.id))
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return []
  const [held, brought, sold, targets] = [
    await storeFigures(db, staff, { ids, from }),
    await merchantFigures(db, staff, { ids, now }),
    await salesOf(db, staff, { ids, from, until: now + 1 }),
    await db
      .select()
      .from(bd_target)
      .where(and(eq(bd_target.month, month), inArray(bd_target.admin_id, ids))),
  ]
  const targetOf = new Map(targets.map(row => [row.admin_id, row]))
  return rows.map(row => ({
    ...row,
    month,
    ...(held.get(row.id) ?? { stores: 0, open_stores: 0, new_stores: 0 }),
    ...(brought.get(row.id) ?? { merchants: 0, contracts_ending: 0 }),
    gmv_cents: sold.get(row.id) ?? 0,
    gmv_target_cents: targetOf.get(row.id)?.gmv_target_cents ?? null,
    new_store_target: targetOf.get(row.id)?.new_store_target ?? null,
  }))
}
const storeFigures = async (
  db: Db,
  staff: Reader,
  { ids, from }: { ids: readonly number[]; from: number },
) => {
  const rows = await db
    .select({
      id: bd_assignment.admin_id,
      stores: sql<number>`count(*)::int`,
      open_stores: sql<number>`count(*) filter (where ${store.status} = 'open')::int`,
      new_stores: sql<number>`count(*) filter (where ${store.created_at} >= ${from})::int`,
    })
    .from(bd_assignment)
    .innerJoin(store, eq(store.id, bd_assignment.store_id))
    .where(
      and(
        inArray(bd_assignment.admin_id, [...ids]),
        sql`${bd_assignment.end_at} is null`,
        sql`${store.status} not in ('draft', 'closed')`,
        seenStores(staff),
      ),
    )
    .groupBy(bd_assignment.admin_id)
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
const merchantFigures = async (
  db: Db,
  staff: Reader,
  { ids, now }: { ids: readonly number[]; now: number },
) => {
  const rows = await db
    .select({
      id: sql<number>`${merchant.bd_admin_id}`,
      merchants: sql<number>`count(*)::int`,
      contracts_ending: sql<number>`count(*) filter (where ${merchant.contract_end_at} > ${now} and ${merchant.contract_end_at} <= ${now + ENDING_S})::int`,
    })
    .from(merchant)
    .where(
      and(
        inArray(merchant.bd_admin_id, [...ids]),
        ne(merchant.status, 'terminated'),
        seenMerchants(staff),
      ),
    )
    .groupBy(merchant.bd_admin_id)
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
/** What was paid, less refunds, in the stores of each while they were theirs. */
const salesOf = async (
  db: Db,
  staff: Reader,
  { ids, from, until }: { ids: readonly number[]; from: number; until: number },
): Promise<Map<number, number>> => {
  const { rows } = await db.execute<{ admin_id: number; gmv: string }>(sql`
    select b.admin_id, sum(o.paid_cents - o.refunded_cents)::bigint gmv from "order" o
      join ${bd_assignment} b on b.store_id = o.store_id and b.start_at <= o.paid_at and (b.end_at is null or o.paid_at < b.end_at)
      join ${store} on ${store.id} = o.store_id
    where o.paid_at >= ${from} and o.paid_at < ${until} and b.admin_id in ${ids} and ${seenStores(staff) ?? sql`true`} group by 1`)
  return new Map(rows.map(row => [row.admin_id, Number(row.gmv)]))
}
