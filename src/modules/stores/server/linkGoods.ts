import { and, asc, eq, inArray, ne, notExists, sql } from 'drizzle-orm'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { settleOffers } from '#src/areas/merchant/sales.server.ts'
import { needState, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { named } from '#src/areas/product/goodsRows.server.ts'
import { product, product_store, store_stock } from '#src/areas/product/product.table.ts'
import { letGoFault, shopPriceFault } from '#src/areas/product/shopLink.ts'
import {
  linkProduct,
  linksOf,
  unlinkProduct,
  type Link,
} from '#src/areas/product/storeLinks.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { eachRow, tryRows } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { arrange, faultless, holding } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { countOf } from '#src/server/db/paging.ts'
import { linkGoods as contract, type ShelfRow } from '../contract/linkGoods.ts'
import { shops } from './rows.ts'
import { goodsCount, needShelf, poolOf, shareOf, shelfOf } from './shelfRows.ts'

type Product = typeof product.$inferSelect
/** The shop of a shelf, held: its goods change one after the other. */
const heldShelf = async (context: WriteContext, id: number): Promise<Store> => {
  const of = await shops.lock(context, id)
  needState(of, 'link')
  return of
}
const idsAt = async (tx: Db, of: Store) => (await linksOf(tx, of.id)).map(one => one.product_id)
/** The line of the log that says what a shop sold, and sells. */
const logged = async (
  context: WriteContext,
  of: Store,
  before: readonly number[],
  reason?: string,
) =>
  shops.log(context, of, {
    before: { linked: before },
    after: { linked: await idsAt(context.tx, of) },
    ...(reason && { reason }),
  })
const productOf = async (tx: Db, id: number): Promise<Product> => {
  const [sold] = await tx.select().from(product).where(eq(product.id, id)).for('update')
  if (!sold) throw missing()
  return sold
}
/** Puts goods on a shelf that is held, where the shop may sell them. */
const putOn = async ({ tx, now }: WriteContext, of: Store, product_id: number): Promise<void> => {
  const sold = await productOf(tx, product_id)
  if (sold.kind !== 'elist') throw missing()
  await needShelf(tx, of, sold, now)
  await linkProduct(tx, of, product_id, { from: eq(product.kind, 'elist'), price_cents: null })
}
type One = { store_id: number; product_id: number; version: number }
/** Goods on a shelf as the person read them; 409 where somebody changed their link since. */
const heldLink = async (
  context: WriteContext,
  { store_id, product_id, version }: One,
): Promise<{ of: Store; link: Link; sold: Product; row: ShelfRow }> => {
  const { tx, now } = context
  const of = await heldShelf(context, store_id)
  const sold = await productOf(tx, product_id)
  const link = (await linksOf(tx, of.id)).find(one => one.product_id === product_id)
  if (!link) throw missing()
  if (link.version !== version)
    throw await staleRow(tx, 'store', { id: of.id, version: link.version })
  const [row] = await shelfOf(tx, of, [sold], { links: new Map([[sold.id, link]]), now })
  return { of, link, sold, row: row! }
}
const setLink = async (
  { tx }: WriteContext,
  link: Link,
  values: Partial<typeof product_store.$inferInsert>,
): Promise<{ id: number; version: number }> => {
  await tx
    .update(product_store)
    .set({ ...values, version: link.version + 1 })
    .where(eq(product_store.id, link.id))
  return { id: link.product_id, version: link.version + 1 }
}

type Reads = 'linked' | 'free' | 'shops'
const reads = {
  linked: async ({ store_id }, { db, staff, now }) => {
    const of = await shops.read(db, staff, store_id)
    const links = await linksOf(db, of.id)
    const ids = links.map(one => one.product_id)
    const found = await db.select().from(product).where(inArray(product.id, ids))
    const by = new Map(found.map(one => [one.id, one]))
    const [owner] = await db.select().from(merchant).where(eq(merchant.id, of.merchant_id))
    return {
      shop: {
        id: of.id,
        name: of.name,
        status: of.status,
        shop_type: of.shop_type ?? ('flagship' as const),
        merchant_name: owner!.name,
      },
      list: await shelfOf(
        db,
        of,
        ids.flatMap(id => by.get(id) ?? []),
        { links: new Map(links.map(one => [one.product_id, one])), now },
      ),
      list_version: sequenceVersion(ids),
    }
  },
  free: async ({ store_id, keyword, source, page, pageSize }, { db, staff, now }) => {
    const of = await shops.read(db, staff, store_id)
    const where = and(
      poolOf(of, now, source),
      ne(product.state, 'draft'),
      keyword ? named(keyword) : undefined,
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
      .orderBy(
        sql`${product.merchant_id} <> ${of.merchant_id}`,
        sql`${product.state} <> 'on_sale'`,
        sql`${product.id} desc`,
      )
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const list = await shelfOf(db, of, rows, { links: new Map(), now })
    return { list, ...(await countOf(db, product, where)) }
  },
  shops: async ({ store_id, keyword, page, pageSize }, { db, staff }) => {
    const of = await shops.read(db, staff, store_id)
    const where = and(
      shops.seen(staff),
      ne(store.id, of.id),
      inArray(store.status, ['open', 'resting']),
      holding(keyword, [store.name]),
    )
    const rows = await db
      .select({ id: store.id, name: store.name, goods_count: goodsCount })
      .from(store)
      .where(where)
      .orderBy(sql`${store.merchant_id} <> ${of.merchant_id}`, asc(store.name), asc(store.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, store, where)) }
  },
} satisfies { [K in Reads]: Handler<(typeof contract)[K]> }

const handlers = {
  ...reads,
  link: async ({ store_id, product_id }, context) => {
    const of = await heldShelf(context, store_id)
    const before = await idsAt(context.tx, of)
    await putOn(context, of, product_id)
    const { given_back } = await settleOffers(context.tx, [product_id])
    await logged(context, of, before)
    return { id: product_id, given_back }
  },
  batchLink: async ({ store_id, product_ids }, context) => {
    const of = await heldShelf(context, store_id)
    const before = await idsAt(context.tx, of)
    const result = await eachRow(context, product_ids, async (inside, id) => {
      await putOn(inside, of, id)
      await settleOffers(inside.tx, [id])
    })
    if (result.ok.length > 0) await logged(context, of, before)
    return result
  },
  unlink: async ({ reason, ...one }, context) => {
    const { of, link, row } = await heldLink(context, one)
    const before = await idsAt(context.tx, of)
    const fault = letGoFault(row)
    if (fault) throw ruled(fault.rule, fault.text)
    await unlinkProduct(context.tx, link)
    const { taken_off } = await settleOffers(context.tx, [link.product_id])
    await logged(context, of, before, reason)
    return { id: link.product_id, taken_off }
  },
  setPrice: async ({ price_cents, ...one }, context) => {
    const { of, link, sold } = await heldLink(context, one)
    if (price_cents !== null)
      faultless(context.staff, { price_cents: shopPriceFault(price_cents, sold) })
    shops.log(context, of, {
      before: { product_id: sold.id, price_cents: link.price_cents },
      after: { product_id: sold.id, price_cents },
    })
    return setLink(context, link, { price_cents })
  },
  setStock: async ({ stock, ...one }, context) => {
    const { tx, staff } = context
    const { of, link, sold, row } = await heldLink(context, one)
    if (stock > row.stock_free)
      faultless(staff, {
        stock: [
          `商品共剩 ${row.stock_left} 件，扣除其他店铺已分配的，最多 ${row.stock_free} 件`,
          `${row.stock_left} are left; with what other shops have, at most ${row.stock_free}`,
        ],
      })
    const known = await shareOf(tx, of, sold.id)
    if (known)
      await tx
        .update(store_stock)
        .set({ stock: stock + known.held, version: known.version + 1 })
        .where(eq(store_stock.id, known.id))
    else await tx.insert(store_stock).values({ product_id: sold.id, store_id: of.id, stock })
    shops.log(context, of, {
      before: { product_id: sold.id, stock: row.shop_stock },
      after: { product_id: sold.id, stock },
    })
    return setLink(context, link, {})
  },
  sort: async ({ store_id, ...sent }, context) => {
    const of = await heldShelf(context, store_id)
    const before = await idsAt(context.tx, of)
    const { order, list_version } = await arrange(context.tx, sent, before, {
      sets: product_store.sort,
      by: product_store.product_id,
      where: eq(product_store.store_id, of.id),
    })
    shops.log(context, of, { before: { linked: before }, after: { linked: order } })
    return { list_version }
  },
  copyShelf: async ({ store_id, from_store_id }, context) => {
    const { tx, staff } = context
    if (store_id === from_store_id)
      faultless(staff, { from_store_id: ['请选择另一家店铺', 'Choose another shop'] })
    // Both are held in the order in which everybody holds stores.
    for (const id of [store_id, from_store_id].sort((a, b) => a - b)) await shops.lock(context, id)
    const of = await heldShelf(context, store_id)
    const before = await idsAt(tx, of)
    const wanted = (await linksOf(tx, from_store_id)).filter(
      one => !before.includes(one.product_id),
    )
    const tried = await tryRows(
      context,
      wanted.map(one => ({ id: one.product_id })),
      async (inside, { id }) => {
        await putOn(inside, of, id)
        await settleOffers(inside.tx, [id])
      },
    )
    const ids = tried.map(({ one }) => one.id)
    const titles = new Map(
      (
        await tx
          .select({ id: product.id, title: product.title })
          .from(product)
          .where(inArray(product.id, ids))
      ).map(one => [one.id, one.title]),
    )
    const skipped = tried.flatMap(({ one, error }) =>
      error ? [{ id: one.id, title: titles.get(one.id) ?? '', text: error.in(staff.lang) }] : [],
    )
    const copied = tried.length - skipped.length
    if (copied > 0) await logged(context, of, before)
    return { id: of.id, copied, skipped }
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const shelfServer = implement(contract, handlers)
