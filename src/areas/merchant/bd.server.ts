/**
 * Stores and merchants, and the people who look after them. A change of both holds the merchants
 * first, then the stores in the order of their ids.
 */
import { and, asc, eq, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { application } from '#src/areas/application/application.table.ts'
import { openStates } from '#src/areas/application/application.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { admin, role } from '#src/areas/people/people.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db, Scope } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import { heldStaff } from '#src/server/sessions/sessions.ts'
import { bd_assignment } from './bd.table.ts'
import { BD_RIGHT } from './bd.ts'
import { merchant, store } from './merchant.table.ts'

type Given = { to: number; by: number | null; reason: string; now: number }
/** Closes what is open of the stores held, and opens it anew at the same second. */
const opened = async (tx: Db, ids: readonly number[], of: Given): Promise<void> => {
  if (ids.length === 0) return
  await tx
    .update(bd_assignment)
    .set({ end_at: of.now, version: sql`${bd_assignment.version} + 1` })
    .where(and(oneOf(bd_assignment.store_id, ids), isNull(bd_assignment.end_at)))
  await tx.execute(
    sql`insert into ${bd_assignment} (store_id, admin_id, start_at, reason, by_id) select id, ${of.to}::int, ${of.now}::bigint, ${of.reason}::text, ${of.by}::int from unnest(${sql.param([...ids])}::int[]) id`,
  )
}
const heldStores = async (tx: Db, where: SQL | undefined): Promise<number[]> =>
  (
    await tx.select({ id: store.id }).from(store).where(where).orderBy(asc(store.id)).for('update')
  ).map(row => row.id)
const currentIs = (admin_id: number) =>
  sql`exists (select 1 from ${bd_assignment} b where b.store_id = ${store.id} and b.end_at is null and b.admin_id = ${admin_id})`

/** The BD that a store has now; undefined where it has none. The store is held. */
export const bdOf = async (tx: Db, store_id: number): Promise<number | undefined> => {
  const [row] = await tx
    .select({ admin_id: bd_assignment.admin_id })
    .from(bd_assignment)
    .where(and(eq(bd_assignment.store_id, store_id), isNull(bd_assignment.end_at)))
  return row?.admin_id
}
/** Gives one store, which is held, to somebody. */
export const giveStore = (tx: Db, store_id: number, of: Given): Promise<void> =>
  opened(tx, [store_id], of)

/** What these merchants have in audit keeps who owns them; what is decided stays as it was. */
const tasksFollow = async (tx: Db, merchant_ids: readonly number[], to: number): Promise<void> => {
  await tx
    .update(audit_task)
    .set({ owner_id: to })
    .where(and(oneOf(audit_task.merchant_id, merchant_ids), isNull(audit_task.decided_at)))
  await tx
    .update(application)
    .set({ owner_id: to })
    .where(
      and(oneOf(application.merchant_id, merchant_ids), inArray(application.state, openStates)),
    )
}
/**
 * A merchant, which is held, has another BD: its stores that the one before looked after, and those
 * without any, go along. Answers how many.
 */
export const merchantGiven = async (
  tx: Db,
  of: Given & { merchant_id: number; from: number | null },
): Promise<number> => {
  const ids = await heldStores(
    tx,
    and(
      eq(store.merchant_id, of.merchant_id),
      ne(store.status, 'draft'),
      sql`not exists (select 1 from ${bd_assignment} b where b.store_id = ${store.id} and b.end_at is null and b.admin_id is distinct from ${of.from}::int)`,
    ),
  )
  await opened(tx, ids, of)
  await tasksFollow(tx, [of.merchant_id], of.to)
  return ids.length
}
/** Gives all stores of somebody, or those of a condition, to somebody else. Answers how many. */
export const handStores = async (
  tx: Db,
  of: Given & { from: number; stores?: SQL | undefined },
): Promise<number> => {
  const ids = await heldStores(tx, and(currentIs(of.from), of.stores))
  await opened(tx, ids, of)
  return ids.length
}
/**
 * Gives all stores and merchants of somebody to somebody else: those of a condition, where one is
 * given. Answers how many of each.
 */
export const handDistrict = async (
  tx: Db,
  of: Given & {
    from: number
    stores?: SQL | undefined
    merchants?: SQL | undefined
  },
): Promise<{ stores: number; merchants: number }> => {
  const own = await tx
    .select({ id: merchant.id })
    .from(merchant)
    .where(and(eq(merchant.bd_admin_id, of.from), ne(merchant.status, 'terminated'), of.merchants))
    .orderBy(asc(merchant.id))
    .for('update')
  const merchants = own.map(row => row.id)
  if (merchants.length > 0)
    await tx
      .update(merchant)
      .set({ bd_admin_id: of.to, version: sql`${merchant.version} + 1` })
      .where(inArray(merchant.id, merchants))
  await tasksFollow(tx, merchants, of.to)
  return { stores: await handStores(tx, of), merchants: merchants.length }
}

const covers = (scope: Scope, { city_id, mall_id }: { city_id: number; mall_id: number }) =>
  seesAll(scope) ||
  (scope.cities as readonly number[]).includes(city_id) ||
  (scope.malls as readonly number[]).includes(mall_id)
/**
 * Somebody who may own stores, held until the commit: active, a BD by their rights. Tells which
 * places their data has.
 */
export const receiver = async (
  tx: Db,
  admin_id: number,
): Promise<
  { fault: Text } | { name: string; has: (place: { city_id: number; mall_id: number }) => boolean }
> => {
  const known = await heldStaff(tx, admin_id, 'zh')
  if (!known) return { fault: ['该员工不存在或已停用', 'There is no such colleague'] }
  const { staff } = known
  if (!staff.can(BD_RIGHT))
    return { fault: ['该员工没有 BD 权限', 'They have not the rights of a BD'] }
  return { name: staff.name, has: place => covers(staff.scope, place) }
}
/** The active people who may own stores, as a condition on staff. */
export const isBd = async (db: Db): Promise<SQL> => {
  const roles = await db.select().from(role).where(eq(role.status, 'on'))
  const able = roles.filter(({ perms }) => checker(perms)(BD_RIGHT)).map(({ id }) => id)
  if (able.length === 0) return sql`false`
  const has = able.map(id => sql`${admin.role_ids} @> ${JSON.stringify(id)}::jsonb`)
  return sql`(${admin.status} = 'active' and (${sql.join(has, sql` or `)}))`
}
