import { and, eq, gt, gte, inArray, lte, or, sql, type SQL } from 'drizzle-orm'
import { ecard, ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { buy_limit_log } from './limit.table.ts'

const t = buy_limit_log
/** What a release is of: a product, or an e-card, whose `product_id` is 0. */
export type ReleasedGoods = { product_id: number; card_id?: number | undefined }
const isOf = ({ product_id, card_id }: ReleasedGoods): SQL =>
  card_id === undefined ? eq(t.product_id, product_id) : eq(t.ecard_id, card_id)
const goodsKey = ({ product_id, card_id }: ReleasedGoods): string =>
  card_id === undefined ? `P${product_id}` : `E${card_id}`

/** Releases of a member and product that nobody used in time are blocks again. */
export const dropLateReleases = (tx: Db, of: ReleasedGoods & { member_id: number }, now: number) =>
  tx
    .update(t)
    .set({ result: 'blocked', version: sql`${t.version} + 1` })
    .where(
      and(
        eq(t.member_id, of.member_id),
        isOf(of),
        eq(t.result, 'released'),
        lte(t.release_until, now),
      ),
    )

/**
 * A paid order uses the release of its member and product: once, in time, and for no more than was
 * asked then. Refuses otherwise; the order's own transaction rolls back.
 */
export const spendRelease = async (
  tx: Db,
  of: ReleasedGoods & { member_id: number; order_id: number; qty: number },
  now: number,
): Promise<number> => {
  const [used] = await tx
    .update(t)
    .set({
      result: 'used',
      release_order_id: of.order_id,
      version: sql`${t.version} + 1`,
    })
    .where(
      and(
        eq(t.member_id, of.member_id),
        isOf(of),
        eq(t.result, 'released'),
        gt(t.release_until, now),
        gte(t.asked_n, of.qty),
      ),
    )
    .returning({ id: t.id })
  if (!used)
    throw ruled('no_release', [
      '没有可用的放行：已使用、已过期或数量超出',
      'No release to use: used, expired, or for fewer pieces',
    ])
  return used.id
}
/**
 * Whether every one of these lines is let through by an unused release of its member, for as many
 * pieces or more. The releases are held, so that no second order goes by them.
 */
export const areReleased = async (
  tx: Db,
  of: { member_id: number | null; lines: readonly (ReleasedGoods & { qty: number })[] },
  now: number,
): Promise<boolean> => {
  const { member_id, lines } = of
  if (member_id === null) return false
  const products = lines.filter(line => line.card_id === undefined).map(line => line.product_id)
  const cards = lines.flatMap(line => line.card_id ?? [])
  const held = await tx
    .select({ product_id: t.product_id, ecard_id: t.ecard_id, n: t.asked_n })
    .from(t)
    .where(
      and(
        eq(t.member_id, member_id),
        or(inArray(t.product_id, products), inArray(t.ecard_id, cards)),
        eq(t.result, 'released'),
        gt(t.release_until, now),
      ),
    )
    .for('update')
  const keyOf = ({ product_id, ecard_id }: (typeof held)[number]) =>
    goodsKey({ product_id: product_id ?? 0, card_id: ecard_id ?? undefined })
  const most = new Map(held.map(one => [keyOf(one), one.n]))
  return lines.every(line => line.qty <= (most.get(goodsKey(line)) ?? 0))
}
/** An order that was closed unpaid did not use its release: it can be used until it runs out. */
export const returnRelease = (tx: Db, order_id: number, now: number) =>
  tx.execute(
    sql`update buy_limit_log l set result = 'released', release_order_id = null, version = version + 1 where l.release_order_id = ${order_id} and l.result = 'used' and l.release_until > ${now} and not exists (select 1 from buy_limit_log o where o.member_id = l.member_id and (o.product_id = l.product_id or o.ecard_id = l.ecard_id) and o.result = 'released')`,
  )

type Block = Pick<typeof t.$inferSelect, 'product_id' | 'ecard_id' | 'asked_n'>
/** Answers how many could be sold now: pieces of a product, or free codes of an e-card. */
export const stockOf = async (db: Db, row: Block): Promise<number> => {
  const [item] =
    row.product_id === null
      ? await db
          .select({ stock: sql<number>`coalesce(sum(${ecard_attr.free_n}), 0)::int` })
          .from(ecard_attr)
          .where(eq(ecard_attr.card_id, row.ecard_id!))
      : await db
          .select({ stock: product.stock })
          .from(product)
          .where(eq(product.id, row.product_id))
  return item!.stock
}
/**
 * Holds what a block was of. Throws 422 where it is not sold now, or fewer are left than were asked
 * for; cards whose codes are made as they are sold never end.
 */
export const needOnSale = async (tx: Db, row: Block): Promise<void> => {
  const [item] =
    row.product_id === null
      ? await tx
          .select({
            is: sql<boolean>`${ecard.state} = 'on'`,
            endless: sql<boolean>`${ecard.source} <> 'import'`,
          })
          .from(ecard)
          .where(eq(ecard.id, row.ecard_id!))
          .for('share')
      : await tx
          .select({ is: sql<boolean>`${product.state} = 'on_sale'`, endless: sql<boolean>`false` })
          .from(product)
          .where(eq(product.id, row.product_id))
          .for('share')
  if (!item!.is)
    throw ruled('not_on_sale', ['商品已不在售，放行没有意义', 'The product is not on sale'])
  const stock = item!.endless ? row.asked_n : await stockOf(tx, row)
  if (stock < row.asked_n)
    throw ruled(
      'release_stock',
      ['库存只剩 {stock}，少于本次要买的 {n}', 'Only {stock} left, {n} were asked'],
      { stock, n: row.asked_n },
    )
}
