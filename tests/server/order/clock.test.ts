import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { openCopy } from '../../farm.ts'
import { offerOf } from '../../help/rollGroups.ts'

let database: Database
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
})
/**
 * An order of a kind that was not paid in time; no two of a kind, so that each has a product of its
 * own.
 */
const unpaid = async (kind: 'bulks' | 'voucher' | 'card') => {
  const item = await offerOf(database, kind, now)
  const made = await database.transaction(tx =>
    placeOrder(tx, { proved: true, product_id: item.id, member_id: 11, qty: 1, now: now - 7200 }),
  )
  return { id: made.id, product_id: item.id, held: item.held + 1 }
}
const held = ({ product_id }: { product_id: number }, n: number) =>
  database.db.update(product).set({ held: n }).where(eq(product.id, product_id))
const states = async (ids: readonly number[]) =>
  Object.fromEntries(
    (
      await database.db
        .select({ id: order.id, state: order.pay_state })
        .from(order)
        .where(inArray(order.id, [...ids]))
    ).map(one => [one.id, one.state]),
  )

describe('an order that the clock can do nothing with', () => {
  it('is told of, holds up no other, and is done once it is mended', async () => {
    const [broken, sound] = [await unpaid('bulks'), await unpaid('voucher')]
    // Its stock is not held any more: giving it free breaks a rule of the table.
    await held(broken, 0)
    await database.db
      .update(order)
      .set({ expire_pay_at: now - 9000 })
      .where(eq(order.id, broken.id))
    // Orders of the demo for the same product would break by the same rule.
    await database.db
      .update(order)
      .set({ expire_pay_at: now + 9000 })
      .where(and(eq(order.pay_state, 'unpaid'), notInArray(order.id, [broken.id, sound.id])))
    const told: [number, string | undefined][] = []
    await tickOrders(database, now, (error, id) => told.push([id, faultOf(error)?.constraint]))
    expect(told).toEqual([[broken.id, 'product_stock']])
    expect(await states([broken.id, sound.id])).toEqual({
      [broken.id]: 'unpaid',
      [sound.id]: 'closed',
    })

    await held(broken, broken.held)
    await tickOrders(database, now)
    expect(await states([broken.id])).toEqual({ [broken.id]: 'closed' })
  })
  it('ends the turn where nobody listens: no fault is lost', async () => {
    const broken = await unpaid('card')
    await held(broken, 0)
    await expect(tickOrders(database, now)).rejects.toThrow()
    await held(broken, broken.held)
  })
})
