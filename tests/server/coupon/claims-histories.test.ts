import { eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { turnCoupons } from '#src/areas/coupon/couponRecord.server.ts'
import { expireCoupons } from '#src/areas/coupon/coupons.server.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { storeCoupons as calls } from '#src/modules/coupon/contract/coupon.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { couponDesk } from '../../help/couponDesk.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

const desk = couponDesk()
const { call, held, rowOf, running } = desk
const MEMBERS = 5
let deal: number
beforeAll(async () => {
  const now = unixNow()
  const { item } = await desk.database.transaction(tx => freshProduct(tx, 'bulks'))
  await desk.database.db.execute(sql`delete from product_sku where product_id = ${item.id}`)
  await desk.database.db
    .update(product)
    .set({
      stock: 100_000,
      held: 0,
      price_cents: 33_35,
      refund_policy: 'anytime',
      valid_days: 60,
      check_end_at: now + 300 * DAY,
      sale_start_at: now - 100 * DAY,
      sale_end_at: now + 90 * DAY,
    })
    .where(eq(product.id, item.id))
  deal = item.id
})

type World = { ids: number[]; orders: number[]; now: number }
const pick = <T>(of: readonly T[], n: number): T | undefined => of[n % Math.max(1, of.length)]
const orderIn = (orders: readonly number[], n: number): number => pick(orders, n) ?? 0
const inside = <T>(run: Parameters<typeof desk.database.transaction<T>>[0]) =>
  desk.database.transaction(run)
const acts = {
  claim: (n, { ids, now }) =>
    inside(tx =>
      claimCoupon(tx, {
        coupon_id: pick(ids, n)!,
        member_id: 1 + (n % MEMBERS),
        qty: 1 + (n % 3 === 0 ? 1 : 0),
        kind: 'claim',
        now,
      }),
    ),
  grant: (n, { ids }) =>
    call(calls.grant, {
      id: pick(ids, n)!,
      member_ids: [1 + (n % MEMBERS), 1 + ((n >> 2) % MEMBERS)],
      quantity: 1 + (n % 2),
      reason: '随机发放',
    }),
  buy: async (n, world) => {
    const held = await desk.database.db
      .select()
      .from(coupon_grant)
      .where(inArray(coupon_grant.coupon_id, world.ids))
      .orderBy(coupon_grant.id)
    const one = pick(held, n)
    if (!one) return
    const made = await inside(tx =>
      placeOrder(tx, {
        product_id: deal,
        qty: 1 + (n % 4),
        member_id: one.member_id,
        coupon_grant_id: one.id,
        proved: true,
        now: world.now,
      }),
    )
    world.orders.push(made.id)
  },
  pay: (n, { orders, now }) => inside(tx => payOrder(tx, orderIn(orders, n), now)),
  close: (n, { orders, now }) =>
    inside(tx =>
      closeUnpaid(tx, orderIn(orders, n), now, {
        type: 'member',
        actor: { type: 'member' },
        reason: '不要了',
      }),
    ),
  refund: async (n, { orders, now }) => {
    await inside(tx =>
      openRefund(tx, {
        order_id: orderIn(orders, n),
        wanted: 'all',
        source: 'member',
        reason: '不要了',
        actor: { type: 'member' },
        now,
      }),
    )
    await finishPayouts(desk.database, now)
  },
  pause: async (n, { ids }) =>
    call(calls.pause, { ...(await held(pick(ids, n)!)), reason: '暂停' }),
  resume: async (n, { ids }) => call(calls.resume, await held(pick(ids, n)!)),
  addStock: async (n, { ids }) =>
    call(calls.addStock, { ...(await held(pick(ids, n)!)), quantity: 1 + (n % 3), reason: '加量' }),
  edit: async (n, { ids }) => {
    const of = await rowOf(pick(ids, n)!)
    return call(calls.edit, {
      id: of.id,
      version: of.version,
      total: of.total + (n % 5) - 2,
      per_member: of.per_member + (n % 3) - 1,
      claim_end_at: of.claim_end_at + (n % 7) - 3,
    })
  },
  void: async (n, { ids }) =>
    call(calls.void, {
      ...(await held(pick(ids, n)!)),
      reason: '作废',
      revoke_unused: n % 2 === 0,
    }),
  clock: (_, { now }) =>
    inside(async tx => {
      await turnCoupons(tx, now)
      await expireCoupons(tx, now)
    }),
} satisfies Record<string, (n: number, world: World) => Promise<unknown>>
type Name = keyof typeof acts
const names: Name[] = [
  'claim',
  'claim',
  'claim',
  'grant',
  'buy',
  'buy',
  'buy',
  'pay',
  'pay',
  'close',
  'refund',
  'refund',
  'pause',
  'resume',
  'resume',
  'addStock',
  'edit',
  'void',
  'clock',
]

/** The rules 6 to 9 that some of these coupons break. */
const wrongOf = async (ids: readonly number[]) => {
  const { rows } = await desk.database.db.execute<{ rule: string; id: number }>(sql`
    select '6: as many are claimed as there are grants, no more than the total' rule, c.id from coupon c left join coupon_grant g on g.coupon_id = c.id where c.id in ${ids} group by c.id having count(g.id) <> c.claimed_count or c.claimed_count > c.total
    union all select '6: nobody has more than a member may have', c.id from coupon c join coupon_grant g on g.coupon_id = c.id where c.id in ${ids} group by c.id, g.member_id having count(*) > c.per_member
    union all select '7: a piece that is used or taken is of one live order', g.coupon_id from coupon_grant g join "order" o on o.coupon_grant_id = g.id and o.pay_state <> 'closed' and o.refund_state <> 'refunded' where g.coupon_id in ${ids} group by g.id, g.coupon_id having count(*) > 1
    union all select '8: it takes off no more than its face, nor than the goods cost', g.coupon_id from coupon_grant g join "order" o on o.order_no = g.order_no where g.coupon_id in ${ids} and (g.discount_cents > (g.snapshot->>'face_cents')::bigint or g.discount_cents >= o.total_cents or g.platform_cents + g.merchant_cents <> g.discount_cents)`)
  return rows
}
/** What an approval holds fast, of each coupon. */
const fastOf = async (ids: readonly number[]) =>
  (
    await desk.database.db
      .select()
      .from(coupon)
      .where(inArray(coupon.id, [...ids]))
      .orderBy(coupon.id)
  ).map(({ id, name, kind, face_cents, threshold_cents, apply_kind, claim_start_at, valid_days }) =>
    [id, name, kind, face_cents, threshold_cents, apply_kind, claim_start_at, valid_days].join(),
  )

/** What the pieces of these coupons were given under. */
const heldOf = async (ids: readonly number[]) =>
  (
    await desk.database.db
      .select({ id: coupon_grant.id, snapshot: coupon_grant.snapshot })
      .from(coupon_grant)
      .where(inArray(coupon_grant.coupon_id, [...ids]))
  ).map(one => [one.id, JSON.stringify(one.snapshot)] as const)

describe('random histories of coupons', () => {
  it('never give more than there is, nor change what a member holds', async () => {
    let did = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom(...names), n: fc.nat(1_000_000) }), {
          minLength: 30,
          maxLength: 70,
        }),
        async history => {
          const terms = { face_cents: 10_01, threshold_cents: 20_00, budget_cents: 300_00 }
          const shares = {
            platform_share_bp: 6500,
            merchant_share_bp: 3500,
            consent_no: 'HT-1',
          }
          const ids = [
            await running({ ...terms, total: 8, per_member: 2 }),
            await running({ ...terms, ...shares, total: 20, per_member: 4, per_day: 3 }),
          ]
          const fast = await fastOf(ids)
          const snapshots = new Map<number, string>()
          const world: World = { ids, orders: [], now: unixNow() }
          for (const { name, n } of history) {
            world.now += n % 900
            try {
              await acts[name](n, world)
              did++
            } catch (error) {
              if (!(error instanceof Refusal)) throw error
            }
            for (const [id, text] of await heldOf(ids)) {
              expect(text).toBe(snapshots.get(id) ?? text)
              snapshots.set(id, text)
            }
          }
          expect(await wrongOf(ids)).toEqual([])
          expect(await fastOf(ids)).toEqual(fast)
          expect(await broken(desk.database)).toEqual({})
        },
      ),
      { numRuns: Number(process.env['HISTORIES'] ?? 8), endOnFailure: true },
    )
    expect(did).toBeGreaterThan(60)
    const { rows } = await desk.database.db.execute<{ n: number }>(
      sql`select count(*)::int n from "order" o join coupon_grant g on g.id = o.coupon_grant_id where length(g.code) = 12`,
    )
    expect(rows[0]!.n).toBeGreaterThan(3)
  }, 120_000)
})
