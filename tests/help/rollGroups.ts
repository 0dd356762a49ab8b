import { and, eq, sql } from 'drizzle-orm'
import { roll_group } from '#src/areas/group/group.table.ts'
import { openGroup } from '#src/areas/group/groups.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'

type Item = typeof product.$inferSelect
/** An offer that sells now, with enough of it. */
export const offerOf = async (
  database: Database,
  kind: Item['kind'],
  now: number,
): Promise<Item> => {
  const [row] = await database.db
    .select()
    .from(product)
    .where(
      and(
        eq(product.kind, kind),
        eq(product.state, 'on_sale'),
        sql`${product.sale_start_at} < ${now - 7200} and ${product.sale_end_at} > ${now + 86_400}`,
      ),
    )
    .orderBy(product.id)
    .limit(1)
  return (
    await database.db
      .update(product)
      .set({ stock: 100_000 })
      .where(eq(product.id, row!.id))
      .returning()
  )[0]!
}
/** A group with less than two hours left. */
export const groupOf = async (tx: Db, item: Item, need_n: number, now: number) => {
  const { id } = await openGroup(tx, {
    product_id: item.id,
    city_id: item.city_id,
    mall_id: item.mall_id,
    need_n,
    group_price_cents: 777,
    single_price_cents: item.price_cents,
    now,
  })
  return (
    await tx
      .update(roll_group)
      .set({ expire_at: now + 7000 })
      .where(eq(roll_group.id, id))
      .returning()
  )[0]!
}
/** A member orders in a group, and pays unless said otherwise. */
export const joinGroup = async (
  database: Database,
  item: Item,
  of: {
    group_id: number
    member_id: number
    now: number
    qty?: number
    paid?: boolean
    freight_cents?: number
  },
) => {
  const { id } = await database.transaction(async tx => {
    const { paid = true, ...buying } = of
    const made = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      qty: 1,
      ...buying,
      ...(item.kind === 'elist' && {
        receiver: {
          name: '收货人',
          phone: '13700000001',
          area: '上海市黄浦区',
          address: '文汇路 1 号',
        },
      }),
    })
    if (paid) await payOrder(tx, made.id, of.now)
    return made
  })
  return (await database.db.select().from(order).where(eq(order.id, id)))[0]!
}
