import { and, eq, ne } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import type { Order, OrderItem } from '#src/areas/order/orderFacts.server.ts'
import { leftOf } from '#src/areas/order/orderUnits.ts'
import type { Db, Handler } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { isMeant } from '#src/server/db/pinyin.ts'
import type { LotsCall } from '../contract/lots.ts'
import { findOrder } from './held.ts'

/**
 * What can still be given back of each item: of what is picked up the uses of its code, of the rest
 * its units.
 */
export const lotsOf = async (
  db: Db,
  row: Order,
): Promise<{ item: OrderItem; left: number; left_cents: number }[]> => {
  const items = await db
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, row.id))
    .orderBy(order_item.id)
  const codes = await db
    .select()
    .from(order_code)
    .where(and(eq(order_code.order_id, row.id), ne(order_code.state, 'void')))
  return items.map(item => {
    const code = item.fulfil === 'pickup' ? codes.find(one => one.item_id === item.id) : undefined
    if (item.fulfil === 'pickup')
      return { item, left: code?.left_times ?? 0, left_cents: code?.left_pay_cents ?? 0 }
    return {
      item,
      left: row.pay_state === 'paid' ? leftOf(item) : 0,
      left_cents: item.pay_cents - item.refunded_cents,
    }
  })
}
/** Chosen items with so many units of each: all that are left where no number was said. */
export const unitsOf = async (
  db: Db,
  row: Order,
  chosen: readonly { id: number; qty?: number | undefined }[] | undefined,
): Promise<{ id: number; qty: number }[] | undefined> => {
  if (!chosen) return undefined
  const lots = await lotsOf(db, row)
  return chosen.map(({ id, qty }) => {
    const lot = lots.find(one => one.item.id === id)
    if (!lot) throw missing()
    if (qty === undefined && lot.left === 0)
      throw ruled(
        'nothing_left',
        ['「{title}」没有可退的：已退款或退款中', 'Nothing of “{title}” is left to refund'],
        { title: lot.item.title },
      )
    return { id, qty: qty ?? lot.left }
  })
}
export const lotsHandler = (kinds: readonly OrderKind[]) =>
  ({
    lots: async ({ order_id, keyword }, { db, staff }) => {
      const all = (await lotsOf(db, await findOrder(db, kinds, order_id, staff))).map(
        ({ item, left, left_cents }) => ({
          id: item.id,
          name: [item.title, (item.snapshot as { sku?: string }).sku].filter(Boolean).join(' '),
          left,
          left_cents,
        }),
      )
      const list = all.filter(({ name, left }) => left > 0 && (!keyword || isMeant(name, keyword)))
      return { list, total: list.length }
    },
  }) satisfies { [K in keyof LotsCall]: Handler<LotsCall[K]> }
