import { eq } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Batch } from '#src/areas/raise/raise.server.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'

const DAY = 86_400
type Item = typeof product.$inferSelect
/** A campaign of an item that raises now, for ten days more. */
export const raiseOf = async (
  tx: Db,
  item: Item,
  now: number,
  more: Partial<typeof raise_batch.$inferInsert> = {},
): Promise<Batch> => {
  const [made] = await tx
    .insert(raise_batch)
    .values({
      product_id: item.id,
      city_id: item.city_id,
      mall_id: item.mall_id,
      title: `众筹 ${item.title}`,
      target_type: 'units',
      target: 3,
      cap_units: 1000,
      mode: 'full',
      start_at: now - DAY,
      end_at: now + 10 * DAY,
      ship_at: now + 30 * DAY,
      promised_ship_at: now + 30 * DAY,
      state: 'raising',
      created_at: now,
      updated_at: now,
      ...more,
    })
    .returning()
  return made!
}
/** One whose buyers pay a deposit. */
export const depositRaise = (
  tx: Db,
  item: Item,
  now: number,
  more: { deposit_rule: 'refund' | 'forfeit' } & Partial<typeof raise_batch.$inferInsert>,
) =>
  raiseOf(tx, item, now, {
    mode: 'deposit',
    deposit_cents: Math.max(1, Math.round(item.price_cents * 0.3)),
    balance_end_at: now + 13 * DAY,
    ...more,
  })
/** A member orders in a campaign, and pays what is asked for unless said otherwise. */
export const pledge = async (
  database: Database,
  batch: Batch,
  of: { member_id: number; now: number; qty?: number; paid?: boolean; freight_cents?: number },
) => {
  const { paid = true, ...buying } = of
  const { id } = await database.transaction(async tx => {
    const made = await placeOrder(tx, {
      proved: true,
      product_id: batch.product_id,
      qty: 1,
      raise_batch_id: batch.id,
      receiver: {
        name: '收货人',
        phone: '13700000002',
        area: '上海市黄浦区',
        address: '文汇路 2 号',
      },
      freight_cents: 0,
      ...buying,
    })
    if (paid) await payOrder(tx, made.id, of.now)
    return made
  })
  return (await database.db.select().from(order).where(eq(order.id, id)))[0]!
}
