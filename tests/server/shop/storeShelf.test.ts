import { and, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { store_shelf } from '#src/areas/merchant/merchant.table.ts'
import { product, product_store } from '#src/areas/product/product.table.ts'
import { stores as calls } from '#src/modules/shop/contract/stores.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshOffer, freshStore } from '../../help/merchants.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
/** What is kept of stores, and what the rows themselves say. */
const shelves = async (ids: readonly number[]) => {
  const kept = await database.db
    .select()
    .from(store_shelf)
    .where(inArray(store_shelf.store_id, [...ids]))
    .orderBy(store_shelf.store_id)
  const sold = await database.db
    .selectDistinct({ id: product_store.store_id })
    .from(product_store)
    .innerJoin(product, eq(product.id, product_store.product_id))
    .where(
      and(
        inArray(product_store.store_id, [...ids]),
        eq(product_store.status, 'on'),
        eq(product.state, 'on_sale'),
      ),
    )
  return {
    kept: kept.map(row => [row.store_id, row.sells]),
    counted: [...ids].map(id => [id, sold.some(one => one.id === id)]),
  }
}

it('what the demo has is kept as its rows say', async () => {
  const { rows } = await database.pool.query(
    "select s.id from store s left join store_shelf x on x.store_id = s.id where x.sells is distinct from exists (select 1 from product_store ps join product p on p.id = ps.product_id where ps.store_id = s.id and ps.status = 'on' and p.state = 'on_sale')",
  )
  expect(rows).toEqual([])
})

const step = fc.record({
  does: fc.constantFrom('link', 'off', 'on', 'move', 'drop', 'sell', 'rest', 'end', 'all'),
  product: fc.nat(2),
  store: fc.nat(2),
})
it('is kept as the rows say, over any history of links and states', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async steps => {
      const own = await freshMerchant(database)
      const ids = [own.store_id]
      while (ids.length < 3) ids.push((await freshStore(database, own)).id)
      const offers: number[] = []
      for (const state of ['on_sale', 'on_sale', 'draft'] as const) {
        const of = { merchant_id: own.id, store_id: own.store_id }
        offers.push((await freshOffer(database, of, state)).id)
      }
      for (const of of steps) {
        const [product_id, store_id] = [offers[of.product]!, ids[of.store]!]
        const link = and(
          eq(product_store.product_id, product_id),
          eq(product_store.store_id, store_id),
        )
        const state = (to: 'on_sale' | 'off_sale' | 'ended', which = [product_id]) =>
          database.db.update(product).set({ state: to }).where(inArray(product.id, which))
        const turn = (status: 'on' | 'off') =>
          database.db.update(product_store).set({ status }).where(link)
        const does: Record<typeof of.does, () => Promise<unknown>> = {
          link: async () =>
            database.db
              .insert(product_store)
              .values(ids.map(id => ({ product_id, store_id: id })))
              .onConflictDoUpdate({
                target: [product_store.product_id, product_store.store_id],
                set: { status: 'on' },
              }),
          off: async () => turn('off'),
          on: async () => turn('on'),
          move: async () => {
            const next = ids[(of.store + 1) % 3]!
            const there = and(
              eq(product_store.product_id, product_id),
              eq(product_store.store_id, next),
            )
            await database.db.delete(product_store).where(there)
            await database.db.update(product_store).set({ store_id: next }).where(link)
          },
          drop: async () => database.db.delete(product_store).where(link),
          sell: async () => state('on_sale'),
          rest: async () => state('off_sale'),
          end: async () => state('ended'),
          all: async () => state('off_sale', offers),
        }
        await does[of.does]()
        const { kept, counted } = await shelves(ids)
        expect(kept).toEqual(counted)
      }
    }),
    { numRuns: 30 },
  ))

it('a store is listed among those that sell nothing until its first product is on sale', async () => {
  const app = await openApp(database)
  const { token } = await addStaff(database, { perms: ['*'] })
  const own = await freshMerchant(database)
  const listed = async () => {
    const input = { page: 1, pageSize: 50, merchant_id: own.id, no_deals: true }
    const { data } = await send(app, calls.lst, input, { token })
    return (data as { list: { id: number }[] }).list.map(row => row.id)
  }
  expect(await listed()).toEqual([own.store_id])
  const { id } = await freshOffer(database, { merchant_id: own.id, store_id: own.store_id })
  await database.db.insert(product_store).values({ product_id: id, store_id: own.store_id })
  expect(await listed()).toEqual([])
  await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, id))
  expect(await listed()).toEqual([own.store_id])
})
