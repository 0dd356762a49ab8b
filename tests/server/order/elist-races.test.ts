import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, receivePayment } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { elist as calls } from '#src/modules/order/contract/elist.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'

const ROUNDS = 5
let database: Database
let app: App
let people: string[]
let item: typeof product.$inferSelect
let courier_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  people = [
    (await addStaff(database, { perms: ['*'] })).token,
    (await addStaff(database, { perms: ['*'] })).token,
  ]
  const now = unixNow()
  ;[item] = (await database.db
    .update(product)
    .set({ stock: 100_000 })
    .where(
      eq(
        product.id,
        database.db
          .select({ id: product.id })
          .from(product)
          .where(
            and(
              eq(product.kind, 'elist'),
              eq(product.state, 'on_sale'),
              gt(product.sale_end_at, now + 3600),
              sql`${product.sale_start_at} < ${now} - 600`,
            ),
          )
          .orderBy(product.id)
          .limit(1),
      ),
    )
    .returning()) as [typeof item]
  courier_id = (
    await database.db.select({ id: courier.id }).from(courier).where(eq(courier.code, 'shunfeng'))
  )[0]!.id
})
let buyer = 100
const receiver = {
  name: '陈晓',
  phone: '13812345678',
  area: '浙江省杭州市西湖区',
  address: '文三路 18 号',
}
const ordered = (qty = 1) =>
  database.transaction(tx =>
    placeOrder(tx, {
      product_id: item.id,
      qty,
      member_id: ++buyer,
      receiver,
      freight_cents: 0,
      proved: true,
      now: unixNow() - 60,
    }),
  )
const bought = async (qty = 1) => {
  const made = await ordered(qty)
  await database.transaction(tx => payOrder(tx, made.id, unixNow() - 50))
  return (await database.db.select().from(order).where(eq(order.id, made.id)))[0]!
}
const parcelsOf = (ids: readonly number[]) =>
  database.db
    .select()
    .from(shipment)
    .where(inArray(shipment.order_id, [...ids]))
let no = 2_438_270_000_000
const sf = () => `SF${++no}`
const both = <T>(run: (token: string, at: number) => Promise<T>) => Promise.all(people.map(run))

describe('at the same moment', () => {
  it('two who ship one order: one parcel leaves, the other person is told what the order is now', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const row = await bought()
      const said = await both(token =>
        send(
          app,
          calls.ship,
          { id: row.id, version: row.version, courier_id, tracking_no: sf() },
          { token },
        ),
      )
      expect(said.map(one => one.status).sort()).toEqual([200, 409])
      expect(said.find(one => one.status === 409)!.data.current.status).toBe('shipped')
      expect((await parcelsOf([row.id])).length).toBe(1)
    }
  })
  it('one sheet imported twice, from either end: each order is shipped once, and nobody waits in a circle', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const rows = []
      for (let n = 0; n < 6; n++) rows.push(await bought())
      const lines = rows.map((row, at) => ({
        row: at + 2,
        order_id: row.id,
        courier_id,
        tracking_no: sf(),
        items: null,
      }))
      const said = await both((token, at) =>
        send(app, calls.batchShip, { lines: at === 0 ? lines : lines.toReversed() }, { token }),
      )
      const results = said.map(one =>
        (one.data.lines as { result: string }[]).map(line => line.result),
      )
      for (const at of lines.keys())
        expect(results.map(one => one[at]).sort()).toEqual(['already', 'shipped'])
      expect((await parcelsOf(rows.map(row => row.id))).length).toBe(lines.length)
    }
  })
  it('a refund and a parcel: units are in the one or in the other', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const row = await bought(2)
      await Promise.allSettled([
        send(
          app,
          calls.ship,
          { id: row.id, version: row.version, courier_id, tracking_no: sf() },
          { token: people[0] },
        ),
        database.transaction(tx =>
          openRefund(tx, {
            order_id: row.id,
            wanted: 'all',
            source: 'member',
            reason: '不想要了',
            actor: { type: 'member' },
            now: unixNow(),
          }),
        ),
      ])
      const sent = (await parcelsOf([row.id]))
        .flatMap(one => one.items)
        .reduce((all, one) => all + one.qty, 0)
      const [now] = await database.db.select().from(order).where(eq(order.id, row.id))
      expect(['shipped', 'waiting_ship']).toContain(now!.fulfil_state)
      expect(sent).toBe(now!.fulfil_state === 'shipped' ? 2 : 0)
    }
  })
  it('a price changed while its buyer pays: it was paid at the old price, or the old payment goes back', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const row = await ordered()
      const [asked] = await database.db.select().from(payment).where(eq(payment.order_id, row.id))
      await Promise.allSettled([
        send(
          app,
          calls.adjustPrice,
          { id: row.id, version: row.version, adjust_cents: -1, reason: '抹零' },
          { token: people[0] },
        ),
        database.transaction(tx =>
          receivePayment(tx, {
            out_no: asked!.out_no,
            answer: {
              state: 'success',
              channel_no: `C${row.id}`,
              at: unixNow(),
              amount_cents: asked!.amount_cents,
            },
            now: unixNow(),
          }),
        ),
      ])
      const [now] = await database.db.select().from(order).where(eq(order.id, row.id))
      expect([now!.status, now!.adjust_cents]).toEqual(
        now!.adjust_cents === 0 ? ['pending_ship', 0] : ['pending_payment', -1],
      )
      expect(now!.paid_cents).toBe(row.pay_cents)
    }
  })
  it('and nothing is broken', async () => expect(await broken(database)).toEqual({}))
})
