import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import {
  changeStore,
  confirmPickup,
  confirmReady,
  remindStore,
} from '#src/areas/order/storeGoods.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_message } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, product_store, store_stock } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { broken } from '../../help/invariants.ts'
import { freshProduct } from '../../help/trade.ts'

const ROUNDS = 6
const actor = { type: 'staff', id: 1 } as const
let database: Database
let item: typeof product.$inferSelect
let [here, there]: number[] = []
beforeAll(async () => {
  database = await openCopy()
  await database.transaction(async tx => {
    const now = unixNow()
    item = (await freshProduct(tx, 'goods')).item
    const [like] = await tx.select().from(store).where(eq(store.id, item.store_ids[0]!))
    const { id: _, store_no: __, ...kept } = like!
    ;[here, there] = (
      await tx
        .insert(store)
        .values(
          [1, 2].map(n => ({
            ...kept,
            store_no: `RQ${n}`,
            status: 'open' as const,
            merchant_id: item.merchant_id,
          })),
        )
        .returning()
    ).map(one => one.id)
    await tx
      .update(product)
      .set({
        stock: 10_000,
        sale_start_at: now - 3600,
        sale_end_at: now + 90_000,
        check_end_at: now + 90_000,
      })
      .where(eq(product.id, item.id))
    await tx
      .insert(product_store)
      .values([here!, there!].map(store_id => ({ product_id: item.id, store_id })))
    await tx.insert(store_stock).values([
      { product_id: item.id, store_id: here!, stock: 5000 },
      { product_id: item.id, store_id: there!, stock: 0 },
    ])
  })
})
let buyer = 0
const bought = async (ready = true) =>
  database.transaction(async tx => {
    const now = unixNow() - 60
    const { id } = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      qty: 2,
      member_id: ++buyer,
      store_id: here!,
      way: 'pickup',
      now,
    })
    await payOrder(tx, id, now)
    if (ready) await confirmReady(tx, await holdOrder(tx, id), { actor, now })
    const [code] = await tx.select().from(order_code).where(eq(order_code.order_id, id))
    return { id, code: code!.code, code_id: code!.id }
  })
const atOnce = (works: readonly (() => Promise<unknown>)[]): Promise<string[]> =>
  Promise.all(
    works.map(work =>
      work().then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof Refusal) return String(error.data['rule'] ?? error.status)
          throw error
        },
      ),
    ),
  )
const wins = (said: readonly string[]) => said.filter(one => one === 'done').length
const pickUp =
  ({ id, code }: { id: number; code: string }) =>
  () =>
    database.transaction(async tx =>
      confirmPickup(tx, await holdOrder(tx, id), { code, admin_id: 1, now: unixNow() }),
    )
const move =
  ({ id }: { id: number }) =>
  () =>
    database.transaction(async tx =>
      changeStore(tx, await holdOrder(tx, id), {
        store_id: there!,
        reason: '改派',
        actor,
        now: unixNow(),
      }),
    )

describe('at the same moment', () => {
  it('a pick-up code hands its goods over once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const one = await bought()
      expect(wins(await atOnce(Array.from({ length: 4 }, () => pickUp(one))))).toBe(1)
    }
  })
  it('goods are picked up, given back or taken over by another store: one of the three', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await database.db
        .update(store_stock)
        .set({ stock: 2 })
        .where(eq(store_stock.store_id, there!))
      const one = await bought()
      const works = [
        pickUp(one),
        () =>
          database.transaction(tx =>
            openRefund(tx, {
              order_id: one.id,
              wanted: 'all',
              source: 'member',
              cause: 'compensate',
              reason: '不要了',
              actor: { type: 'member' },
              now: unixNow(),
            }),
          ),
        move(one),
      ]
      const said = await atOnce([...works.slice(round % 3), ...works.slice(0, round % 3)])
      // Whoever takes it over first leaves goods that may still be given back; picked up is picked
      // up.
      const [code] = await database.db
        .select()
        .from(order_code)
        .where(eq(order_code.id, one.code_id))
      expect(code!.times_used === 0 || wins(said) === 1).toBe(true)
      expect(code!.times_used + code!.times_refunding + code!.times_refunded).toBeLessThanOrEqual(
        code!.times_total,
      )
    }
    expect(await broken(database)).toEqual({})
  })
  it('the last units of a store go to one order', async () => {
    await database.db.update(store_stock).set({ stock: 2 }).where(eq(store_stock.store_id, there!))
    const some = [await bought(), await bought(), await bought()]
    expect(wins(await atOnce(some.map(move)))).toBe(1)
    expect(
      (await database.db.select().from(store_stock).where(eq(store_stock.store_id, there!)))[0]!
        .stock,
    ).toBe(0)
  })
  it('a store is urged once, however many urge it', async () => {
    const one = await bought(false)
    expect(
      wins(
        await atOnce(
          Array.from(
            { length: 4 },
            () => () =>
              database.transaction(async tx =>
                remindStore(tx, await holdOrder(tx, one.id), {
                  actor,
                  admin_id: 1,
                  now: unixNow(),
                }),
              ),
          ),
        ),
      ),
    ).toBe(1)
    expect(
      (
        await database.db.select().from(order_message).where(eq(order_message.order_id, one.id))
      ).filter(message => message.kind === 'remind'),
    ).toHaveLength(1)
  })
})
