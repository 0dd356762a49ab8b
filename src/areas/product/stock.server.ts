import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { order_item } from '#src/areas/order/order.table.ts'
import type { OrderItem } from '#src/areas/order/orderFacts.server.ts'
import { productOf } from '#src/areas/order/orderUnits.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import type { StockMove } from '#src/areas/points/shop.ts'
import { noteShopStock } from '#src/areas/points/shopStock.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { product, product_sku, store_stock } from './product.table.ts'

type Counted = Pick<
  OrderItem,
  'order_id' | 'product_id' | 'sku_id' | 'store_stock_id' | 'points_goods_id' | 'fulfil'
>
/** What is exchanged for points keeps each move of its stock. */
const noteMove = async (tx: Db, item: Counted, kind: StockMove, delta: number): Promise<void> => {
  const { points_goods_id: goods_id, order_id } = item
  if (goods_id !== null) await noteShopStock(tx, { goods_id, kind, delta, order_id })
}
/**
 * All that counts the units of an item, in the order in which everybody holds them: the product,
 * its variant, what its store has, and what is exchanged for points. What a channel issues is in
 * nobody's warehouse.
 */
const countersOf = (item: Counted) =>
  [
    {
      table: product,
      id: item.points_goods_id !== null && item.fulfil === 'virtual' ? null : item.product_id,
    },
    { table: product_sku, id: item.sku_id },
    { table: store_stock, id: item.store_stock_id },
    { table: points_goods, id: item.points_goods_id },
  ].flatMap(({ table, id }) => (id === null ? [] : [{ table, id }]))

/** What an order holds becomes sold, or goes free again. */
export const moveStock = async (tx: Db, order_id: number, to: 'sold' | 'free'): Promise<void> => {
  const items = await tx
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, order_id))
    .orderBy(order_item.product_id, order_item.id)
  for (const item of items) {
    for (const { table, id } of countersOf(item))
      await tx
        .update(table)
        .set(
          to === 'sold'
            ? {
                stock: sql`${table.stock} - ${item.qty}`,
                held: sql`${table.held} - ${item.qty}`,
                sold: sql`${table.sold} + ${item.qty}`,
              }
            : { held: sql`${table.held} - ${item.qty}` },
        )
        .where(eq(table.id, id))
    if (to === 'sold') await noteMove(tx, item, 'redeem', -item.qty)
  }
}
/** Units of an item go back on sale; so many of them had been sold. */
export const restock = async (tx: Db, item: Counted, qty: number, sold = qty): Promise<void> => {
  for (const { table, id } of countersOf(item))
    await tx
      .update(table)
      .set({ stock: sql`${table.stock} + ${qty}`, sold: sql`greatest(${table.sold} - ${sold}, 0)` })
      .where(eq(table.id, id))
  await noteMove(tx, item, 'cancel', qty)
}
/** Units are given without a sale, from what nobody holds. */
export const takeStock = async (
  tx: Db,
  item: Counted & Pick<OrderItem, 'title'>,
  qty: number,
): Promise<void> => {
  for (const { table, id } of countersOf(item)) {
    const [taken] = await tx
      .update(table)
      .set({ stock: sql`${table.stock} - ${qty}` })
      .where(and(eq(table.id, id), sql`${table.stock} - ${table.held} >= ${qty}`))
      .returning({ id: table.id })
    if (!taken)
      throw ruled('no_stock', ['「{title}」库存不足，不能补发', '“{title}” is out of stock'], {
        title: item.title,
      })
  }
  await noteMove(tx, item, 'resend', -qty)
}

const ofStore = (of: { product_id: number; sku_id: number | null; store_id: number }) =>
  and(
    eq(store_stock.product_id, of.product_id),
    of.sku_id === null ? isNull(store_stock.sku_id) : eq(store_stock.sku_id, of.sku_id),
    eq(store_stock.store_id, of.store_id),
  )
/**
 * Holds units of what a store has, of the variant or, where it counts no variants, of the product;
 * null where the store's own are not counted.
 */
export const holdInStore = async (
  tx: Db,
  of: { product_id: number; sku_id: number | null; store_id: number; qty: number; title: string },
): Promise<number | null> => {
  const [known] = await tx
    .select({ id: store_stock.id })
    .from(store_stock)
    .where(or(ofStore(of), ofStore({ ...of, sku_id: null })))
    .orderBy(store_stock.sku_id)
    .limit(1)
  if (!known) return null
  const [held] = await tx
    .update(store_stock)
    .set({ held: sql`${store_stock.held} + ${of.qty}` })
    .where(
      and(
        eq(store_stock.id, known.id),
        sql`${store_stock.stock} - ${store_stock.held} >= ${of.qty}`,
      ),
    )
    .returning({ id: store_stock.id })
  if (!held)
    throw ruled(
      'no_store_stock',
      [
        '「{title}」在所选门店库存不足，请换一家门店',
        'The store has too few of “{title}”: choose another',
      ],
      { title: of.title },
    )
  return held.id
}
/**
 * A sold item becomes another: its store has its units again, and what it becomes is taken where
 * its own store counts them. Answers what counts them from now on.
 */
export const swapInStore = async (
  tx: Db,
  item: Pick<OrderItem, 'store_stock_id' | 'qty' | 'fulfil'>,
  to: { product_id: number; sku_id: number | null; store_id: number; qty: number; title: string },
): Promise<number | null> => {
  if (item.store_stock_id !== null)
    await tx
      .update(store_stock)
      .set({
        stock: sql`${store_stock.stock} + ${item.qty}`,
        sold: sql`greatest(${store_stock.sold} - ${item.qty}, 0)`,
      })
      .where(eq(store_stock.id, item.store_stock_id))
  const held = item.fulfil === 'pickup' ? await holdInStore(tx, to) : null
  if (held !== null)
    await tx
      .update(store_stock)
      .set({
        stock: sql`${store_stock.stock} - ${to.qty}`,
        held: sql`${store_stock.held} - ${to.qty}`,
        sold: sql`${store_stock.sold} + ${to.qty}`,
      })
      .where(eq(store_stock.id, held))
  return held
}
/**
 * Moves sold units of items from their store to another, all or none: only to one that counts its
 * own and has them free. All rows are held before any changes, in the order of products as
 * everybody holds them.
 */
export const moveToStore = async (
  tx: Db,
  items: readonly (OrderItem & { live: number })[],
  to: { id: number; name: string },
): Promise<void> => {
  const known = await tx
    .select({ id: store_stock.id, product_id: store_stock.product_id, sku_id: store_stock.sku_id })
    .from(store_stock)
    .where(
      and(eq(store_stock.store_id, to.id), inArray(store_stock.product_id, items.map(productOf))),
    )
  const there = new Map(
    items.map(item => [
      item.id,
      known.find(one => one.product_id === item.product_id && one.sku_id === item.sku_id)?.id,
    ]),
  )
  await tx
    .select({ id: store_stock.id })
    .from(store_stock)
    .where(
      inArray(
        store_stock.id,
        items
          .flatMap(item => [there.get(item.id), item.store_stock_id])
          .filter(id => typeof id === 'number'),
      ),
    )
    .orderBy(store_stock.product_id, store_stock.id)
    .for('update')
  for (const item of items) {
    const id = there.get(item.id)
    const [taken] =
      id === undefined
        ? []
        : await tx
            .update(store_stock)
            .set({
              stock: sql`${store_stock.stock} - ${item.live}`,
              sold: sql`${store_stock.sold} + ${item.live}`,
            })
            .where(
              and(
                eq(store_stock.id, id),
                sql`${store_stock.stock} - ${store_stock.held} >= ${item.live}`,
              ),
            )
            .returning({ id: store_stock.id })
    if (!taken)
      throw ruled(
        'no_store_stock',
        ['「{store}」的「{title}」不足 {n} 件，不能改派', '{store} has not {n} of “{title}”'],
        { store: to.name, title: item.title, n: item.live },
      )
    if (item.store_stock_id !== null)
      await tx
        .update(store_stock)
        .set({
          stock: sql`${store_stock.stock} + ${item.live}`,
          sold: sql`greatest(${store_stock.sold} - ${item.live}, 0)`,
        })
        .where(eq(store_stock.id, item.store_stock_id))
    await tx
      .update(order_item)
      .set({ store_id: to.id, store_stock_id: taken.id, version: sql`${order_item.version} + 1` })
      .where(eq(order_item.id, item.id))
  }
}
