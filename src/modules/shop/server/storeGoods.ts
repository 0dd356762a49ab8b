import { and, asc, eq, inArray, isNull, ne, notExists, sql } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { settleOffers } from '#src/areas/merchant/sales.server.ts'
import { needState, stores, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { city } from '#src/areas/place/place.table.ts'
import {
  product,
  product_sku,
  product_store,
  store_stock,
} from '#src/areas/product/product.table.ts'
import { datesFault, unlinkFault, type StoreKind } from '#src/areas/product/storeLink.ts'
import {
  forStores,
  linkFacts,
  linkProduct,
  linksOf,
  unlinkProduct,
  type Link,
} from '#src/areas/product/storeLinks.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import type { Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { arrange, faultless, holding } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { countOf } from '#src/server/db/paging.ts'
import { linkGoods as contract, type StoreGoods } from '../contract/storeGoods.ts'

type Product = typeof product.$inferSelect
/** The store of a list of products, held: its products change one after the other. */
const heldStore = async (context: WriteContext, id: number): Promise<Store> => {
  const of = await stores.lock(context, id)
  needState(of, 'link')
  return of
}
const ofStore = (of: { id: number }, ids: readonly number[]) =>
  and(
    eq(store_stock.store_id, of.id),
    isNull(store_stock.sku_id),
    inArray(store_stock.product_id, [...ids]),
  )
/** Products as a store has them, in the order given. */
const shown = async (
  db: Db,
  of: Store,
  products: readonly Product[],
  links: ReadonlyMap<number, Link>,
): Promise<StoreGoods[]> => {
  if (products.length === 0) return []
  const ids = products.map(one => one.id)
  const facts = await linkFacts(db, of, products)
  const counted = await db.select().from(store_stock).where(ofStore(of, ids))
  const stock = new Map(counted.map(row => [row.product_id, row.stock - row.held]))
  const skus = await db
    .selectDistinct({ id: product_sku.product_id })
    .from(product_sku)
    .where(and(inArray(product_sku.product_id, ids), eq(product_sku.status, 'on')))
  const withSkus = new Set(skus.map(row => row.id))
  return products.map(one => ({
    ...facts.get(one.id)!,
    id: one.id,
    store_id: of.id,
    title: one.title,
    image: one.images[0] ?? '',
    kind: one.kind as StoreKind,
    price_cents: one.price_cents,
    off_reason: one.off_reason ?? '',
    live_version: one.live_version,
    stock_left: one.stock - one.held,
    has_skus: withSkus.has(one.id),
    linked: links.has(one.id),
    store_stock: stock.get(one.id) ?? null,
    unavailable_dates: links.get(one.id)?.unavailable_dates ?? [],
    version: links.get(one.id)?.version ?? 0,
  }))
}
/** A link as the person read it, with its product; 409 where somebody changed it since. */
const heldLink = async (
  { tx }: WriteContext,
  of: Store,
  { product_id, version }: { product_id: number; version: number },
): Promise<{ link: Link; of: Product }> => {
  const [link] = await tx
    .select()
    .from(product_store)
    .where(
      and(
        eq(product_store.store_id, of.id),
        eq(product_store.product_id, product_id),
        eq(product_store.status, 'on'),
      ),
    )
  const [sold] = await tx.select().from(product).where(eq(product.id, product_id)).for('update')
  if (!link || !sold) throw missing()
  if (link.version !== version)
    throw await staleRow(tx, 'store', { ...link, id: of.id, version: link.version })
  return { link, of: sold }
}
const linkedIds = async (tx: Db, of: Store) => (await linksOf(tx, of.id)).map(one => one.product_id)
/** The line of the log that says which products a store had, and has. */
const logged = async (
  context: WriteContext,
  of: Store,
  before: readonly number[],
  reason?: string,
) =>
  stores.log(context, of, {
    before: { linked: before },
    after: { linked: await linkedIds(context.tx, of) },
    ...(reason && { reason }),
  })

/** Sets how many of a product a store may still sell: what is held for orders stays covered. */
const limitStock = async (
  { tx, staff }: WriteContext,
  of: Store,
  { sold, stock }: { sold: Product; stock: number },
): Promise<void> => {
  const [sku] = await tx
    .select({ id: product_sku.id })
    .from(product_sku)
    .where(and(eq(product_sku.product_id, sold.id), eq(product_sku.status, 'on')))
    .limit(1)
  const left = sold.stock - sold.held
  const most: Text = [`商品共剩 ${left} 件`, `${left} are left of it`]
  const bySku: Text = ['有规格的商品按规格计库存', 'It is counted by its variants']
  if (sku) faultless(staff, { stock: bySku })
  if (stock > left) faultless(staff, { stock: most })
  const [known] = await tx
    .select()
    .from(store_stock)
    .where(ofStore(of, [sold.id]))
    .for('update')
  if (known)
    await tx
      .update(store_stock)
      .set({ stock: stock + known.held, version: known.version + 1 })
      .where(eq(store_stock.id, known.id))
  else await tx.insert(store_stock).values({ product_id: sold.id, store_id: of.id, stock })
}

const handlers = {
  linked: async ({ store_id }, { db, staff }) => {
    const of = await stores.read(db, staff, store_id)
    const links = await linksOf(db, of.id)
    const ids = links.map(one => one.product_id)
    const found = new Map(
      (await db.select().from(product).where(inArray(product.id, ids))).map(one => [one.id, one]),
    )
    const [owner] = await db.select().from(merchant).where(eq(merchant.id, of.merchant_id))
    return {
      store: { id: of.id, name: of.name, status: of.status, merchant_name: owner!.name },
      list: await shown(
        db,
        of,
        ids.flatMap(id => found.get(id) ?? []),
        new Map(links.map(one => [one.product_id, one])),
      ),
      list_version: sequenceVersion(ids),
    }
  },
  free: async ({ store_id, keyword, page, pageSize }, { db, staff }) => {
    const of = await stores.read(db, staff, store_id)
    const where = and(
      forStores(of),
      ne(product.state, 'draft'),
      holding(keyword, [product.title], product.id),
      notExists(
        db
          .select({ n: sql`1` })
          .from(product_store)
          .where(
            and(
              eq(product_store.product_id, product.id),
              eq(product_store.store_id, of.id),
              eq(product_store.status, 'on'),
            ),
          ),
      ),
    )
    const rows = await db
      .select()
      .from(product)
      .where(where)
      .orderBy(sql`${product.state} <> 'on_sale'`, sql`${product.id} desc`)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: await shown(db, of, rows, new Map()), ...(await countOf(db, product, where)) }
  },
  siblings: async ({ store_id, keyword, page, pageSize }, { db, staff }) => {
    const of = await stores.read(db, staff, store_id)
    const where = and(
      stores.seen(staff),
      eq(store.merchant_id, of.merchant_id),
      ne(store.id, of.id),
      ne(store.status, 'closed'),
      eq(store.kind, of.kind),
      holding(keyword, [store.name]),
    )
    const rows = await db
      .select({ id: store.id, name: store.name, city_name: city.city_name })
      .from(store)
      .innerJoin(city, eq(city.id, store.city_id))
      .where(where)
      .orderBy(asc(store.name), asc(store.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, store, where)) }
  },
  link: async ({ store_id, product_id }, context) => {
    const of = await heldStore(context, store_id)
    const before = await linkedIds(context.tx, of)
    await linkProduct(context.tx, of, product_id)
    const { given_back } = await settleOffers(context.tx, [product_id])
    await logged(context, of, before)
    return { id: product_id, given_back }
  },
  batchLink: async ({ store_id, product_ids }, context) => {
    const of = await heldStore(context, store_id)
    const before = await linkedIds(context.tx, of)
    const result = await eachRow(context, product_ids, async ({ tx }, id) => {
      await linkProduct(tx, of, id)
      await settleOffers(tx, [id])
    })
    if (result.ok.length > 0) await logged(context, of, before)
    return result
  },
  unlink: async ({ store_id, reason, ...one }, context) => {
    const of = await heldStore(context, store_id)
    const before = await linkedIds(context.tx, of)
    const { link, of: sold } = await heldLink(context, of, one)
    const facts = (await linkFacts(context.tx, of, [sold])).get(sold.id)!
    const fault = unlinkFault(facts)
    if (fault) throw ruled(fault.rule, fault.text)
    await unlinkProduct(context.tx, link)
    const { taken_off } = await settleOffers(context.tx, [sold.id])
    await logged(context, of, before, reason)
    return { id: sold.id, taken_off }
  },
  sort: async ({ store_id, ...sent }, context) => {
    const of = await heldStore(context, store_id)
    const before = await linkedIds(context.tx, of)
    const { order, list_version } = await arrange(context.tx, sent, before, {
      sets: product_store.sort,
      by: product_store.product_id,
      where: eq(product_store.store_id, of.id),
    })
    stores.log(context, of, { before: { linked: before }, after: { linked: order } })
    return { list_version }
  },
  setLimit: async ({ store_id, stock, unavailable_dates, ...one }, context) => {
    const { tx, staff } = context
    const of = await heldStore(context, store_id)
    const { link, of: sold } = await heldLink(context, of, one)
    faultless(staff, { unavailable_dates: datesFault(unavailable_dates.join()) })
    if (stock !== undefined) await limitStock(context, of, { sold, stock })
    const [after] = await tx
      .update(product_store)
      .set({ unavailable_dates, version: link.version + 1 })
      .where(eq(product_store.id, link.id))
      .returning()
    stores.log(context, of, {
      before: { product_id: sold.id, unavailable_dates: link.unavailable_dates },
      after: {
        product_id: sold.id,
        unavailable_dates,
        ...(stock !== undefined && { stock }),
      },
    })
    return { id: sold.id, version: after!.version }
  },
  copyToStore: async ({ store_id, to_store_id }, context) => {
    const { tx, staff } = context
    // Both are held in the order in which everybody holds stores.
    for (const id of [store_id, to_store_id].sort((a, b) => a - b)) await stores.lock(context, id)
    const from = await stores.read(tx, staff, store_id)
    const to = await heldStore(context, to_store_id)
    if (to.merchant_id !== from.merchant_id || to.id === from.id)
      throw ruled('other_merchant', [
        '只能复制到同一商户的其他门店',
        'To another store of the merchant',
      ])
    const before = await linkedIds(tx, to)
    const copied: number[] = []
    for (const { product_id, unavailable_dates } of await linksOf(tx, from.id))
      if (!before.includes(product_id)) {
        await linkProduct(tx, to, product_id, { unavailable_dates })
        copied.push(product_id)
      }
    if (copied.length === 0)
      throw ruled('nothing_new', ['目标门店已关联全部商品', 'The store has them all'])
    await settleOffers(tx, copied)
    await logged(context, to, before)
    return { id: to.id, copied: copied.length }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const storeGoodsServer = implement(contract, handlers)
