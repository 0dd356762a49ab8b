/** Stores, also those that ship goods, as handlers read, change and log them. */
import { sql } from 'drizzle-orm'
import type { WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { store } from './merchant.table.ts'
import { shopCan } from './onlineShop.ts'
import { storeCan, type StoreVerb } from './store.ts'

export type Store = typeof store.$inferSelect
/** What a move changes, and an undo gives back. */
export const moved = ['mall_id', 'floor_id', 'floor', 'door_no'] as const

/** Stores as handlers read, change and log them. */
export const stores = record(store, {
  object: 'store',
  label: row => row.name,
  keys: [
    ...moved,
    'name',
    'category_id',
    'brand_id',
    'address',
    'lng_e6',
    'lat_e6',
    'phone',
    'open_hours',
    'images',
    'avg_price_cents',
    'is_recommend',
    'status',
    'status_reason',
    'rest_until_at',
    'sort',
    'shop_type',
    'category_ids',
    'commission_bp',
    'commission_reason',
    'ship_area',
    'freight_template_id',
    'return_address_id',
    'invoice',
    'logo',
  ],
  places: { city: store.city_id, mall: store.mall_id },
})

/** Refuses a verb that a store of this state can't have. */
export const needState = (of: Store, verb: StoreVerb): void => {
  const may = of.kind === 'online' ? shopCan(verb, of) : storeCan(verb, of)
  if (may !== true) throw ruled('wrong_state', may, {}, { current: { status: of.status } })
}
/**
 * The store as the person holds it, locked, where its state allows the verb; `from` narrows which
 * stores there are.
 */
export const heldFor = async (
  context: WriteContext,
  verb: StoreVerb,
  one: { id: number; version: number },
  from: Pick<typeof stores, 'heldFast'> = stores,
): Promise<Store> => {
  const was = await from.heldFast(context, one)
  needState(was, verb)
  return was
}
/** The same of a row of a batch, as it stands. */
export const lockedFor = async (
  context: WriteContext,
  verb: StoreVerb,
  id: number,
  from: Pick<typeof stores, 'lock'> = stores,
): Promise<Store> => {
  const was = await from.lock(context, id)
  needState(was, verb)
  return was
}
/** A store in trade for which nothing is on sale, as the database keeps it (`store_shelf`). */
export const sellsNothing = sql`${store.status} in ('open', 'resting') and exists (select 1 from store_shelf x where x.store_id = ${store.id} and not x.sells)`
