import { and, eq, gt, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem, reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { failGroup } from '#src/areas/group/groupFails.server.ts'
import { openGroup, succeedGroup } from '#src/areas/group/groups.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, receivePayment, sendPayouts } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { approveRefund } from '#src/areas/refund/refundCases.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { ship } from '#src/areas/shipping/shipping.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf } from '../../help/orders.ts'

const ROUNDS = 8
let database: Database
let offers: Record<'bulks' | 'card' | 'elist', typeof product.$inferSelect>
beforeAll(async () => {
  database = await openCopy()
  const now = unixNow()
  const of = async (kind: 'bulks' | 'card' | 'elist') =>
    (
      await database.db
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
                  eq(product.kind, kind),
                  eq(product.state, 'on_sale'),
                  gt(product.sale_end_at, now + 3600),
                  gt(product.check_end_at, now + 3600),
                  sql`${product.sale_start_at} < ${now} - 600`,
                ),
              )
              .orderBy(product.id)
              .limit(1),
          ),
        )
        .returning()
    )[0]!
  offers = { bulks: await of('bulks'), card: await of('card'), elist: await of('elist') }
})
let buyer = 0
const placed = async (kind: keyof typeof offers, qty: number, more: object = {}) =>
  (
    await database.transaction(tx =>
      placeOrder(tx, {
        product_id: offers[kind].id,
        member_id: ++buyer,
        qty,
        proved: true,
        now: unixNow() - 60,
        ...more,
      }),
    )
  ).id
const bought = async (kind: keyof typeof offers, qty = 1) => {
  const id = await placed(kind, qty)
  await database.transaction(tx => payOrder(tx, id, unixNow() - 50))
  return {
    id,
    codes: await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, id))
      .orderBy(order_code.id),
  }
}
/** What each of several at once was told: `done`, or the rule or state that refused it. */
const atOnce = (works: readonly (() => Promise<unknown>)[]): Promise<string[]> =>
  Promise.all(
    works.map(work =>
      work().then(
        done => (done === false || done === undefined ? 'no' : 'done'),
        (error: unknown) => {
          if (error instanceof Refusal) return String(error.data['rule'] ?? error.status)
          throw error
        },
      ),
    ),
  )
const wins = (said: readonly string[]) => said.filter(one => one === 'done').length

describe('at the same moment', () => {
  it('the last use of a code goes to one till', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { codes } = await bought('bulks')
      expect(
        wins(
          await atOnce(
            Array.from(
              { length: 4 },
              () => () =>
                database.transaction(tx =>
                  redeem(tx, { code_id: codes[0]!.id, store_id: 1, now: unixNow() }),
                ),
            ),
          ),
        ),
      ).toBe(1)
    }
    const card = await bought('card')
    const times = card.codes[0]!.times_total
    expect(
      wins(
        await atOnce(
          Array.from(
            { length: times + 3 },
            () => () =>
              database.transaction(tx =>
                redeem(tx, { code_id: card.codes[0]!.id, store_id: 1, now: unixNow() }),
              ),
          ),
        ),
      ),
    ).toBe(times)
    const records = await database.db
      .select()
      .from(verify_record)
      .where(eq(verify_record.order_id, card.id))
    const [row] = await database.db.select().from(order).where(eq(order.id, card.id))
    expect([
      records.length,
      records.reduce((sum, one) => sum + one.pay_cents, 0),
      row!.status,
    ]).toEqual([times, row!.pay_cents, 'finished'])
  })
  it('a code is redeemed or given back, never both', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < ROUNDS * 2; round++) {
      const { id, codes } = await bought('bulks')
      const works = [
        () =>
          database.transaction(tx =>
            redeem(tx, { code_id: codes[0]!.id, store_id: 1, now: unixNow() }),
          ),
        () =>
          database.transaction(tx =>
            openRefund(tx, {
              order_id: id,
              wanted: 'all',
              source: 'member',
              cause: 'compensate',
              reason: '不去了',
              actor: { type: 'member' },
              now: unixNow(),
            }),
          ),
      ]
      const said = await atOnce(round % 2 ? works : [...works].reverse())
      expect(wins(said)).toBe(1)
      const [code] = await database.db
        .select()
        .from(order_code)
        .where(eq(order_code.id, codes[0]!.id))
      seen.add(code!.state)
      expect(code!.times_used + code!.times_refunding + code!.times_refunded).toBe(1)
    }
    expect([...seen].every(state => state === 'used' || state === 'refunding')).toBe(true)
  })
  it('a redemption is taken back once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { codes } = await bought('bulks')
      const record = await database.transaction(tx =>
        redeem(tx, { code_id: codes[0]!.id, store_id: 1, now: unixNow() }),
      )
      expect(
        wins(
          await atOnce(
            [1, 2, 3].map(
              admin_id => () =>
                database.transaction(tx =>
                  reverseRedemption(tx, {
                    record_id: record!.id,
                    by: { admin_id },
                    reason: '扫错',
                    now: unixNow(),
                  }),
                ),
            ),
          ),
        ),
      ).toBe(1)
      const [code] = await database.db
        .select()
        .from(order_code)
        .where(eq(order_code.id, codes[0]!.id))
      expect([code!.times_used, code!.left_times, code!.left_pay_cents]).toEqual([
        0,
        1,
        codes[0]!.pay_cents,
      ])
    }
  })
  it('a payment and a closing leave the order paid, or closed with the money on its way back', async () => {
    for (let round = 0; round < ROUNDS * 2; round++) {
      const id = await placed('bulks', 1)
      const [asked] = await database.db.select().from(payment).where(eq(payment.order_id, id))
      const works = [
        () =>
          database.transaction(tx =>
            receivePayment(tx, {
              out_no: asked!.out_no,
              answer: {
                state: 'success',
                channel_no: `C${id}`,
                at: unixNow(),
                amount_cents: asked!.amount_cents,
              },
              now: unixNow(),
            }),
          ),
        () =>
          database.transaction(tx =>
            closeUnpaid(tx, id, unixNow(), {
              type: 'staff',
              actor: { type: 'staff', id: 1 },
              reason: '关闭',
            }),
          ),
      ]
      await atOnce(round % 2 ? works : [...works].reverse())
      const [row] = await database.db.select().from(order).where(eq(order.id, id))
      const back = await database.db.select().from(refund).where(eq(refund.order_id, id))
      expect(
        row!.pay_state === 'paid'
          ? [row!.cancel_type, back.length]
          : [row!.pay_state, row!.cancel_type, back.length, back[0]?.cause],
      ).toEqual(row!.pay_state === 'paid' ? [null, 0] : ['closed', 'late_pay', 1, 'late_pay'])
    }
  })
  it('a callback that comes five times pays once', async () => {
    const id = await placed('bulks', 2)
    const [asked] = await database.db.select().from(payment).where(eq(payment.order_id, id))
    const said = await Promise.all(
      Array.from({ length: 5 }, () =>
        database.transaction(tx =>
          receivePayment(tx, {
            out_no: asked!.out_no,
            answer: {
              state: 'success',
              channel_no: 'C5',
              at: unixNow(),
              amount_cents: asked!.amount_cents,
            },
            now: unixNow(),
          }),
        ),
      ),
    )
    expect(said.sort()).toEqual(['before', 'before', 'before', 'before', 'paid'])
    expect(
      await database.db.select().from(order_code).where(eq(order_code.order_id, id)),
    ).toHaveLength(2)
  })
  it('a payment of another amount is not taken for it', async () => {
    const id = await placed('bulks', 1)
    const [asked] = await database.db.select().from(payment).where(eq(payment.order_id, id))
    expect(
      await database.transaction(tx =>
        receivePayment(tx, {
          out_no: asked!.out_no,
          answer: {
            state: 'success',
            channel_no: 'C6',
            at: unixNow(),
            amount_cents: asked!.amount_cents - 1,
          },
          now: unixNow(),
        }),
      ),
    ).toBe('mismatch')
    expect((await database.db.select().from(order).where(eq(order.id, id)))[0]!.pay_state).toBe(
      'unpaid',
    )
  })
  it('two who decide one refund: the first has decided it, the second is told; it is paid out once by however many processes', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await bought('bulks')
      const made = await database.transaction(tx =>
        openRefund(tx, {
          order_id: id,
          wanted: 'all',
          source: 'member',
          reason: '退款',
          actor: { type: 'member' },
          now: unixNow(),
        }),
      )
      const by = (who: number) => () =>
        database.transaction(tx =>
          approveRefund(tx, {
            id: made.id,
            version: made.version,
            now: unixNow(),
            by: { id: who, limit_cents: 1e9 },
          }),
        )
      expect((await atOnce([by(1), by(2)])).sort()).toEqual(['done', 'stale'])
      let asked = 0
      const channel = channelOf({
        refund: async ({ out_no, amount_cents }) => {
          asked += Number(out_no === made.refund_no)
          await new Promise(resolve => setTimeout(resolve, 5))
          return { state: 'success', channel_no: `R${out_no}`, at: unixNow(), amount_cents }
        },
      })
      await Promise.all(
        Array.from({ length: 3 }, () =>
          sendPayouts({ database, channel, log: { warn: () => {} }, now: unixNow() + 5 }),
        ),
      )
      const [row] = await database.db.select().from(order).where(eq(order.id, id))
      expect([asked, row!.status, row!.refunded_cents]).toEqual([1, 'refunded', row!.paid_cents])
    }
  })
  it('an approval and a redemption of another code of the order do not lose each other', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, codes } = await bought('bulks', 2)
      const made = await database.transaction(tx =>
        openRefund(tx, {
          order_id: id,
          wanted: { codes: [{ id: codes[0]!.id }] },
          source: 'member',
          reason: '退一张',
          actor: { type: 'member' },
          now: unixNow(),
        }),
      )
      expect(
        await atOnce([
          () =>
            database.transaction(tx =>
              approveRefund(tx, {
                id: made.id,
                version: made.version,
                now: unixNow(),
                by: { id: 1, limit_cents: 1e9 },
              }),
            ),
          () =>
            database.transaction(tx =>
              redeem(tx, { code_id: codes[1]!.id, store_id: 1, now: unixNow() }),
            ),
        ]),
      ).toEqual(['done', 'done'])
    }
  })
  it('two parcels never hold more than was bought', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await bought('elist', 3)
      const said = await atOnce(
        ['a', 'b'].map(
          tracking_no => () =>
            database.transaction(tx =>
              ship(tx, {
                order_id: id,
                courier: 'shunfeng',
                tracking_no,
                actor: { type: 'staff', id: 1 },
                now: unixNow(),
              }),
            ),
        ),
      )
      expect([
        wins(said),
        (await database.db.select().from(shipment).where(eq(shipment.order_id, id))).length,
      ]).toEqual([1, 1])
    }
  })
  it('of two last payers one joins the group, the other leads a new one', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const now = unixNow() - 60
      const group = await database.transaction(tx =>
        openGroup(tx, {
          product_id: offers.bulks.id,
          city_id: offers.bulks.city_id,
          mall_id: offers.bulks.mall_id,
          need_n: 2,
          group_price_cents: 999,
          single_price_cents: offers.bulks.price_cents,
          now,
        }),
      )
      const ids = await Promise.all([1, 2, 3].map(() => placed('bulks', 1, { group_id: group.id })))
      await database.transaction(tx => payOrder(tx, ids[0]!, now + 1))
      expect(
        wins(
          await atOnce(
            ids.slice(1).map(id => () => database.transaction(tx => payOrder(tx, id, now + 2))),
          ),
        ),
      ).toBe(2)
      const rows = await database.db
        .select()
        .from(order)
        .where(sql`${order.id} in ${ids}`)
      expect(rows.map(row => row.status).sort()).toEqual([
        'pending_use',
        'pending_use',
        'waiting_group',
      ])
      const [formed] = await database.db
        .select()
        .from(roll_group)
        .where(eq(roll_group.id, group.id))
      expect([formed!.state, formed!.joined_n]).toEqual(['success', 2])
    }
  })
  it('a group that is formed and dissolved at once is what came first', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const now = unixNow() - 60
      const group = await database.transaction(tx =>
        openGroup(tx, {
          product_id: offers.bulks.id,
          city_id: offers.bulks.city_id,
          mall_id: offers.bulks.mall_id,
          need_n: 3,
          group_price_cents: 999,
          single_price_cents: offers.bulks.price_cents,
          now,
        }),
      )
      for (let n = 0; n < 2; n++) {
        const id = await placed('bulks', 1, { group_id: group.id })
        await database.transaction(tx => payOrder(tx, id, now + 1))
      }
      expect(
        (
          await atOnce([
            () =>
              database.transaction(tx =>
                succeedGroup(tx, group.id, { end_by: 'force', now: unixNow() }),
              ),
            () =>
              database.transaction(tx =>
                failGroup(tx, group.id, { end_by: 'dissolve', now: unixNow() }),
              ),
          ])
        ).sort(),
      ).toEqual(['done', 'stale'])
    }
  })
})
describe('after all of it', () => {
  it('every invariant holds', async () => {
    expect(await broken(database)).toEqual({})
  })
})
