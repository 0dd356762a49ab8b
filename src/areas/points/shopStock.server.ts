import { eq } from 'drizzle-orm'
import { unixNow } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { points_goods } from './points.table.ts'
import { points_stock_log } from './shop.table.ts'
import { SHOP_STOCK_MOST, stockFault, type StockMove } from './shop.ts'

/**
 * Keeps a move of the stock of points-shop goods, after the stock itself has changed by `delta`;
 * the caller's transaction holds the goods.
 */
export const noteShopStock = async (
  tx: Db,
  of: {
    goods_id: number
    kind: StockMove
    delta: number
    order_id?: number
    reason?: string
    operator_id?: number
  },
): Promise<void> => {
  if (of.delta === 0) return
  const [goods] = await tx
    .select({ stock: points_goods.stock })
    .from(points_goods)
    .where(eq(points_goods.id, of.goods_id))
  await tx.insert(points_stock_log).values({ ...of, stock_after: goods!.stock, at: unixNow() })
}
type Held = typeof points_goods.$inferSelect
/** Checks what the stock of goods that are held is to be; 400 at `field`. */
export const needStock = (
  { staff }: WriteContext,
  goods: Held,
  { stock, field }: { stock: number; field: 'stock' | 'quantity' },
): void =>
  faultless(staff, {
    [field]:
      stock > SHOP_STOCK_MOST
        ? [`库存最多 ${SHOP_STOCK_MOST} 件`, `At most ${SHOP_STOCK_MOST} in stock`]
        : stockFault(stock, goods.held),
  })
