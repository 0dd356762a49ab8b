import { and, eq, gt, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { grantOf } from '../../help/coupons.ts'
import { broken } from '../../help/invariants.ts'
import { everyoneInUse } from '../../help/members.ts'
import { finishPayouts } from '../../help/orders.ts'

const ROUNDS = 6
let database: Database
let items: (typeof product.$inferSelect)[]
beforeAll(async () => {
  database = await openCopy()
  await everyoneInUse(database)
  const now = unixNow()
  items = (
    await database.db
      .update(product)
      .set({ stock: 100_000, price_cents: 50_00 })
      .where(
        and(
          eq(product.kind, 'bulks'),
          eq(product.state, 'on_sale'),
          gt(product.sale_end_at, now + 3600),
          gt(product.check_end_at, now + 3600),
          sql`${product.sale_start_at} < ${now} - 600`,
        ),
      )
      .returning()
  ).slice(0, 4)
})
let member = 30
const grant = () => database.transaction(tx => grantOf(tx, { member_id: ++member, now: unixNow() }))
type Grant = Awaited<ReturnType<typeof grant>>
const place = (of: Grant, at: number) =>
  database.transaction(tx =>
    placeOrder(tx, {
      product_id: items[at % items.length]!.id,
      qty: 1,
      member_id: of.member_id,
      coupon_grant_id: of.id,
      proved: true,
      now: unixNow(),
    }),
  )
const grantNow = async ({ id }: Grant) =>
  (await database.db.select().from(coupon_grant).where(eq(coupon_grant.id, id)))[0]!
const ordersWith = ({ id }: Grant) =>
  database.db.select().from(order).where(eq(order.coupon_grant_id, id)).orderBy(order.id)
/** What each of several at once was told. */
const atOnce = (works: readonly (() => Promise<unknown>)[]): Promise<string[]> =>
  Promise.all(
    works.map(work =>
      work().then(
        done => (done === false ? 'no' : 'done'),
        (error: unknown) => {
          if (error instanceof Refusal) return String(error.data['rule'] ?? error.status)
          throw error
        },
      ),
    ),
  )

describe('at the same moment a coupon', () => {
  it('goes with one of several orders, of one product or of different ones; the others are told and hold nothing', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const of = await grant()
      const said = await atOnce(
        Array.from({ length: 4 }, (_, at) => () => place(of, round % 2 ? at : 0)),
      )
      expect(said.sort()).toEqual(['coupon_gone', 'coupon_gone', 'coupon_gone', 'done'])
      expect([(await ordersWith(of)).length, (await grantNow(of)).status]).toEqual([1, 'locked'])
    }
  })
  it('is used or free again, never both: its order is paid while it is closed', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const of = await grant()
      const { id } = await place(of, round)
      const works = [
        () => database.transaction(tx => payOrder(tx, id, unixNow())),
        () =>
          database.transaction(tx =>
            closeUnpaid(tx, id, unixNow(), {
              type: 'member',
              actor: { type: 'member' },
              reason: '不买了',
            }),
          ),
      ]
      await atOnce(round % 2 ? works : [...works].reverse())
      const [row] = await ordersWith(of)
      expect([row!.pay_state, (await grantNow(of)).status]).toEqual(
        row!.pay_state === 'paid' ? ['paid', 'used'] : ['closed', 'unused'],
      )
    }
  })
  it('that is free again is taken by one, while another order of it is closed', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const of = await grant()
      const { id } = await place(of, round)
      await atOnce([
        () =>
          database.transaction(tx =>
            closeUnpaid(tx, id, unixNow(), {
              type: 'member',
              actor: { type: 'member' },
              reason: '不买了',
            }),
          ),
        () => place(of, round + 1),
        () => place(of, round + 2),
      ])
      const live = (await ordersWith(of)).filter(row => row.pay_state === 'unpaid')
      expect([live.length, (await grantNow(of)).order_no]).toEqual(
        live.length === 1 ? [1, live[0]!.order_no] : [0, null],
      )
    }
  })
  it('many of which are used and come back is counted as often', async () => {
    const [first] = [await grant()]
    const grants = [
      first,
      ...(await database.db
        .insert(coupon_grant)
        .values(
          Array.from({ length: 5 }, (_, at) => ({
            ...first,
            id: undefined,
            code: `${first.code}-${at}`,
            member_id: ++member,
          })),
        )
        .returning()),
    ]
    await database.db
      .update(coupon)
      .set({ claimed_count: grants.length })
      .where(eq(coupon.id, first.coupon_id))
    const made = await Promise.all(grants.map((of, at) => place(of, at)))
    expect(
      new Set(
        await atOnce(
          made.map(
            ({ id }) =>
              () =>
                database.transaction(tx => payOrder(tx, id, unixNow())),
          ),
        ),
      ),
    ).toEqual(new Set(['done']))
    const used = async () =>
      (
        await database.db
          .select({ n: coupon.used_count })
          .from(coupon)
          .where(eq(coupon.id, first.coupon_id))
      )[0]!.n
    expect(await used()).toBe(6)
    await atOnce(
      made.slice(0, 4).flatMap(({ id }) =>
        [1, 2].map(
          () => () =>
            database.transaction(tx =>
              openRefund(tx, {
                order_id: id,
                wanted: 'all',
                source: 'system',
                cause: 'compensate',
                reason: '退',
                actor: { type: 'system' },
                now: unixNow(),
              }),
            ),
        ),
      ),
    )
    await finishPayouts(database, unixNow())
    expect(await used()).toBe(2)
  })
  it('and every invariant holds', async () => {
    expect(await broken(database)).toEqual({})
  })
})
