import { eq } from 'drizzle-orm'
import { bind } from '#src/areas/binding/binding.server.ts'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import type { BindingRole, BindingSource } from '#src/areas/binding/binding.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { membersOf } from './redeem.ts'

let made = 0
type Db = Pick<Database, 'db' | 'transaction'>
/** An open store of a test's own, of the merchant of some other store unless said otherwise. */
export const storeOf = async ({ db }: Db, of: Partial<typeof store.$inferInsert> = {}) => {
  const [like] = await db.select().from(store).where(eq(store.kind, 'offline')).limit(1)
  const { id: _, name_pairs: __, ...columns } = like!
  const no = `90417${++made}`
  const [row] = await db
    .insert(store)
    .values({
      ...columns,
      store_no: `BD${no}`,
      name: `绑定门店${no}`,
      status: 'open',
      mall_id: 0,
      floor_id: null,
      ...of,
    })
    .returning()
  return row!
}
/** A seller of a test's own, active unless said otherwise; a person has a member of their own. */
export const sellerOf = async (database: Db, of: Partial<typeof distributor.$inferInsert> = {}) => {
  const kind = of.kind ?? 'expert'
  const [person] = kind === 'store' ? [] : await membersOf(database)
  const no = `90417${++made}`
  const [row] = await database.db
    .insert(distributor)
    .values({
      kind,
      member_id: person?.id ?? null,
      store_id: kind === 'expert' ? null : (of.store_id ?? (await storeOf(database)).id),
      name: `分销员${no}`.slice(-20),
      phone: person?.phone ?? '13900000000',
      invite_code: `T${no}`.slice(-12),
      city_id: 1,
      status: 'active',
      joined_at: unixNow() - 90 * DAY,
      ...of,
    })
    .returning()
  return row!
}
type Bound = {
  distributor_id: number
  member_id?: number
  role?: BindingRole
  source?: BindingSource
  /** Begun so many days ago; beyond thirty nobody protects it. */
  days?: number
}
/** A customer who is bound to a seller; a member of a test's own unless one is named. */
export const boundTo = async (database: Db, of: Bound) => {
  const member_id = of.member_id ?? (await membersOf(database))[0]!.id
  return database.transaction(tx =>
    bind(tx, {
      member_id,
      distributor_id: of.distributor_id,
      role: of.role ?? 'expert',
      source: of.source ?? 'link',
      by: null,
      now: unixNow() - (of.days ?? 40) * DAY,
    }),
  )
}
export const bindingNow = async ({ db }: Db, id: number) =>
  (await db.select().from(dist_binding).where(eq(dist_binding.id, id)))[0]!
export const sellerNow = async ({ db }: Db, id: number) =>
  (await db.select().from(distributor).where(eq(distributor.id, id)))[0]!
