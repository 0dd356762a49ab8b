import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem, reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { combo } from '#src/areas/combo/combo.table.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { COUPON_BACK_DAYS } from '#src/areas/coupon/coupon.ts'
import type { Buying } from '#src/areas/order/buying.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeCart, placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, receivePayment } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Wanted } from '#src/areas/refund/refundLines.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { bulks } from '#src/modules/order/contract/bulks.ts'
import { elist } from '#src/modules/order/contract/elist.ts'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { grantOf } from '../../help/coupons.ts'
import { broken } from '../../help/invariants.ts'
import { everyoneInUse } from '../../help/members.ts'
import { finishPayouts } from '../../help/orders.ts'
import { depositRaise } from '../../help/raises.ts'
import { freshProduct } from '../../help/trade.ts'

const DAY = 86_400
let database: Database
let app: App
let token: string
type Product = typeof product.$inferSelect
let deal: Product
let posted: Product[]
let bundle: number
beforeAll(async () => {
  database = await openCopy()
  await everyoneInUse(database)
  app = await openApp(database)
  ;({ token } = await addStaff(database, {
    perms: ['*'],
    role: { refund_limit_cents: 1_000_000_00 },
  }))
  const now = unixNow()
  const made = async (
    kind: 'bulks' | 'elist',
    price_cents: number,
    more: Partial<typeof product.$inferInsert> = {},
  ) => {
    const { item } = await database.transaction(tx => freshProduct(tx, kind))
    await database.db.execute(sql`delete from product_sku where product_id = ${item.id}`)
    return (
      await database.db
        .update(product)
        .set({
          stock: 10_000,
          held: 0,
          price_cents,
          refund_policy: 'anytime',
          valid_days: 60,
          check_end_at: now + 300 * DAY,
          sale_start_at: now - 100 * DAY,
          sale_end_at: now + 90 * DAY,
          ...more,
        })
        .where(eq(product.id, item.id))
        .returning()
    )[0]!
  }
  deal = await made('bulks', 33_35)
  posted = [
    await made('elist', 80_00, { merchant_id: 1 }),
    await made('elist', 20_00, { merchant_id: 1 }),
    await made('elist', 50_00, { merchant_id: 2 }),
  ]
  bundle = (
    await database.db
      .insert(combo)
      .values({ name: '测试套餐', policy: 'part', price_cents: 60_00, parts: [], status: 'on' })
      .returning()
  )[0]!.id
})
let member = 20
const grant = (
  of: Omit<Parameters<typeof grantOf>[1], 'member_id' | 'now'> & {
    member_id?: number
    now?: number
  } = {},
) => database.transaction(tx => grantOf(tx, { member_id: ++member, now: unixNow(), ...of }))
type Grant = Awaited<ReturnType<typeof grant>>
const placed = (
  of: Grant,
  more: Partial<Buying> & { lines?: { product_id: number; qty: number }[] } = {},
) =>
  database.transaction(tx =>
    placeOrder(tx, {
      ...(more.lines ? {} : { product_id: deal.id, qty: 3 }),
      member_id: of.member_id,
      coupon_grant_id: of.id,
      proved: true,
      now: unixNow() - 60,
      ...more,
    } as Buying),
  )
const pay = (id: number, now = unixNow() - 50) => database.transaction(tx => payOrder(tx, id, now))
const bought = async (of: Grant, more: Parameters<typeof placed>[1] = {}) => {
  const made = await placed(of, more)
  await pay(made.id)
  return rowOf(made.id)
}
const rule = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return String(error.data['rule'] ?? error.status)
      throw error
    },
  )
const rowOf = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
const grantNow = async ({ id }: { id: number }) =>
  (await database.db.select().from(coupon_grant).where(eq(coupon_grant.id, id)))[0]!
const usedOf = async ({ coupon_id }: { coupon_id: number }) =>
  (
    await database.db.select({ n: coupon.used_count }).from(coupon).where(eq(coupon.id, coupon_id))
  )[0]!.n
const itemsOf = (id: number) =>
  database.db.select().from(order_item).where(eq(order_item.order_id, id)).orderBy(order_item.id)
const codesOf = (id: number) =>
  database.db.select().from(order_code).where(eq(order_code.order_id, id)).orderBy(order_code.id)
const giveBack = async (order_id: number, wanted: Wanted = 'all') => {
  const made = await database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted,
      source: 'staff',
      reason: '退',
      actor: { type: 'staff', id: 1 },
      by: { id: 1, limit_cents: 100_000_000 },
      now: unixNow(),
    }),
  )
  await finishPayouts(database, unixNow())
  return (await database.db.select().from(refund).where(eq(refund.id, made.id)))[0]!
}
const page = async (id: number, calls: typeof bulks | typeof elist = bulks) =>
  (await send(app, calls.detail, { id }, { token })).data as OrderDetail
const receiver = {
  name: '陈晓',
  phone: '13812345678',
  area: '浙江省杭州市西湖区',
  address: '文三路 18 号',
}

describe('a coupon at checkout', () => {
  it('is taken by the order, off what platform and merchant each pay, spread to the cent; used once paid, and shown', async () => {
    const of = await grant()
    const made = await placed(of)
    expect([
      made.total_cents,
      made.platform_discount_cents,
      made.store_discount_cents,
      made.pay_cents,
      made.coupon_grant_id,
    ]).toEqual([100_05, 7_00, 3_00, 90_05, of.id])
    expect(await grantNow(of)).toMatchObject({
      status: 'locked',
      order_no: made.order_no,
      store_id: made.store_id,
      discount_cents: 10_00,
      platform_cents: 7_00,
      merchant_cents: 3_00,
      used_at: null,
    })
    expect((await page(made.id)).facts.coupon).toEqual({
      name: (await database.db.select().from(coupon).where(eq(coupon.id, of.coupon_id)))[0]!.name,
      platform_cents: 7_00,
      merchant_cents: 3_00,
      use: 'locked',
    })
    await pay(made.id)
    expect(await grantNow(of)).toMatchObject({
      status: 'used',
      order_no: made.order_no,
      discount_cents: 10_00,
      used_at: expect.any(Number),
    })
    expect([await usedOf(of), (await page(made.id)).facts.coupon?.use]).toEqual([1, 'used'])
    const codes = await codesOf(made.id)
    expect([codes.map(code => code.pay_cents), codes.map(code => code.platform_cents)]).toEqual([
      [30_02, 30_02, 30_01],
      [2_34, 2_33, 2_33],
    ])
    // Said again it counts no second time.
    await pay(made.id)
    expect(await usedOf(of)).toBe(1)
  })
  it('holds to the terms of the day that it was claimed', async () => {
    const of = await grant({
      face_cents: 1_00,
      snapshot: { face_cents: 20_00, threshold_cents: 50_00, name: '旧名' },
    })
    const made = await placed(of)
    expect([made.pay_cents, (await page(made.id)).facts.coupon?.name]).toEqual([80_05, '旧名'])
    expect(await rule(placed(await grant({ snapshot: { threshold_cents: 100_06 } })))).toBe(
      'coupon_threshold',
    )
  })
  it('is refused where it is another’s, not of this time, or not for what is bought, and nothing is held then', async () => {
    const now = unixNow()
    const [stock, orders] = [
      (await database.db.select().from(product).where(eq(product.id, deal.id)))[0]!.held,
      await database.db.$count(order),
    ]
    expect(await rule(placed(await grant(), { member_id: 3 }))).toBe('coupon')
    expect(
      await rule(placed(await grant(), { member_id: null, visitor: { phone: '13900001111' } })),
    ).toBe('coupon')
    expect(await rule(placed(await grant({ end_at: now - 120 })))).toBe('coupon_gone')
    expect(await rule(placed(await grant({ start_at: now + 3600 })))).toBe('coupon_gone')
    for (const [of, why] of [
      [{ scope: 'ecom' }, 'coupon_scope'],
      [{ city_ids: [deal.city_id + 1] }, 'coupon_city'],
      [{ weekdays: [((Math.floor((now + 8 * 3600) / DAY) + 4) % 7) + 1] }, 'coupon_weekday'],
      [{ threshold_cents: 100_06 }, 'coupon_threshold'],
      [{ apply_kind: 'product', apply_ids: [deal.id + 1] }, 'coupon_goods'],
      [{ apply_kind: 'shop', apply_ids: [deal.merchant_id + 1] }, 'coupon_goods'],
      [{ apply_kind: 'category', apply_ids: [999_999] }, 'coupon_goods'],
      [{ exclude_ids: deal.store_ids }, 'coupon_goods'],
    ] as const)
      expect([why, await rule(placed(await grant(of)))]).toEqual([why, why])
    expect(await rule(placed(await grant(), { platform_discount_cents: 1_00 }))).toBe(
      'coupon_stack',
    )
    expect(
      await rule(
        placed(await grant({ stackable: true }), {
          lines: [
            { product_id: deal.id, qty: 1 },
            { product_id: posted[0]!.id, qty: 1 },
          ],
          combo_id: bundle,
        }),
      ),
    ).toBe('coupon_kind')
    expect([
      (await database.db.select().from(product).where(eq(product.id, deal.id)))[0]!.held,
      await database.db.$count(order),
    ]).toEqual([stock, orders])
  })
  it('is taken by what it names: stores, malls, categories and those above them', async () => {
    const {
      rows: [up],
    } = await database.db.execute<{ parent_id: number | null }>(
      sql`select parent_id from shop_category where id = ${deal.category_id}`,
    )
    const {
      rows: [at],
    } = await database.db.execute<{ mall_id: number }>(
      sql`select mall_id from store where id = ${deal.store_ids[0]}`,
    )
    for (const of of [
      { apply_kind: 'store', apply_ids: [deal.store_ids[0]!] },
      { apply_kind: 'mall', apply_ids: [at!.mall_id] },
      { apply_kind: 'category', apply_ids: [deal.category_id] },
      { apply_kind: 'category', apply_ids: [up?.parent_id ?? deal.category_id] },
      { apply_kind: 'shop', apply_ids: [deal.merchant_id] },
    ] as const)
      expect([of, await rule(placed(await grant(of)))]).toEqual([of, 'done'])
  })
  it('beside what the platform takes off besides leaves a cent to pay', async () => {
    const made = await placed(await grant({ stackable: true, face_cents: 500_00 }), {
      platform_discount_cents: 60_00,
    })
    expect([made.pay_cents, made.platform_discount_cents + made.store_discount_cents]).toEqual([
      1, 100_04,
    ])
    expect((await itemsOf(made.id)).map(item => [item.pay_cents, item.platform_cents])).toEqual([
      [1, made.platform_discount_cents],
    ])
  })
  it('is off the lines alone that it is for, freight is as dear as it was, and of a cart it goes with the order that it is for', async () => {
    const of = await grant({ scope: 'ecom', apply_kind: 'product', apply_ids: [posted[0]!.id] })
    const made = await placed(of, {
      lines: posted.slice(0, 2).map(item => ({ product_id: item.id, qty: 1 })),
      freight_cents: 8_00,
      receiver,
    })
    expect((await itemsOf(made.id)).map(item => [item.pay_cents, item.platform_cents])).toEqual([
      [70_00, 7_00],
      [20_00, 0],
    ])
    expect(made.pay_cents).toBe(98_00)
    const free = await placed(
      await grant({
        scope: 'ecom',
        kind: 'freight',
        face_cents: 0,
        platform_share_bp: 10_000,
        merchant_share_bp: 0,
      }),
      { lines: [{ product_id: posted[0]!.id, qty: 1 }], freight_cents: 8_00, receiver },
    )
    expect([free.freight_cents, free.platform_discount_cents, free.pay_cents]).toEqual([
      8_00, 8_00, 80_00,
    ])
    const third = await grant({ scope: 'ecom', apply_kind: 'product', apply_ids: [posted[2]!.id] })
    const cart = await database.transaction(tx =>
      placeCart(tx, {
        proved: true,
        member_id: third.member_id,
        coupon_grant_id: third.id,
        lines: posted.map(item => ({ product_id: item.id, qty: 1 })),
        receiver,
        now: unixNow() - 60,
      }),
    )
    expect(cart.map(one => [one.merchant_id, one.coupon_grant_id])).toEqual([
      [1, null],
      [2, third.id],
    ])
    expect(
      await rule(
        database.transaction(tx =>
          placeCart(tx, {
            proved: true,
            member_id: third.member_id,
            coupon_grant_id: third.id,
            lines: posted.slice(0, 2).map(item => ({ product_id: item.id, qty: 1 })),
            receiver,
            now: unixNow() - 60,
          }),
        ),
      ),
    ).toBe('coupon_goods')
  })
})

describe('a coupon comes back', () => {
  it('when its order is closed, whoever does it; what comes in too late changes nothing more', async () => {
    const of = await grant()
    const made = await placed(of)
    expect(await rule(placed(of))).toBe('coupon_gone')
    await database.transaction(tx =>
      closeUnpaid(tx, made.id, unixNow(), {
        type: 'member',
        actor: { type: 'member' },
        reason: '不买了',
      }),
    )
    expect(await grantNow(of)).toMatchObject({
      status: 'unused',
      order_no: null,
      discount_cents: null,
      locked_at: null,
      end_at: of.end_at,
    })
    expect((await page(made.id)).facts.coupon?.use).toBe('back')
    const next = await placed(of)
    const [asked] = await database.db.select().from(payment).where(eq(payment.order_id, made.id))
    expect(
      await database.transaction(tx =>
        receivePayment(tx, {
          out_no: asked!.out_no,
          answer: {
            state: 'success',
            channel_no: 'L',
            at: unixNow(),
            amount_cents: asked!.amount_cents,
          },
          now: unixNow(),
        }),
      ),
    ).toBe('late')
    await finishPayouts(database, unixNow())
    expect([(await rowOf(made.id)).refunded_cents, await grantNow(of)]).toMatchObject([
      made.pay_cents,
      { status: 'locked', order_no: next.order_no },
    ])
    await database.db
      .update(order)
      .set({ expire_pay_at: unixNow() - 1 })
      .where(eq(order.id, next.id))
    await database.transaction(tx => closeUnpaid(tx, next.id, unixNow()))
    expect([(await grantNow(of)).status, await usedOf(of)]).toEqual(['unused', 0])
  })
  it('with the last unit that is given back, never with a part, and the money to the cent', async () => {
    const of = await grant()
    const row = await bought(of)
    const codes = await codesOf(row.id)
    const first = await giveBack(row.id, { codes: [{ id: codes[0]!.id }] })
    expect([first.amount_cents, first.coupon_back, (await grantNow(of)).status]).toEqual([
      30_02,
      false,
      'used',
    ])
    const rest = await giveBack(row.id)
    expect([rest.amount_cents, rest.coupon_back]).toEqual([60_03, true])
    expect([(await rowOf(row.id)).refunded_cents, await usedOf(of)]).toEqual([90_05, 0])
    expect(await grantNow(of)).toMatchObject({
      status: 'unused',
      order_no: null,
      used_at: null,
      discount_cents: null,
      end_at: of.end_at,
    })
    const shown = await page(row.id)
    expect(shown.facts.coupon).toMatchObject({
      platform_cents: 7_00,
      merchant_cents: 3_00,
      use: 'back',
    })
    expect(
      (
        await database.db
          .select()
          .from(order_log)
          .where(eq(order_log.order_id, row.id))
          .orderBy(order_log.id)
      )[0]!.data,
    ).toMatchObject({ coupon: { discount_cents: 10_00 } })
  })
  it('not where something of it was used, but with all of it once that was taken back', async () => {
    const of = await grant()
    const row = await bought(of)
    const [code] = await codesOf(row.id)
    const record = await database.transaction(tx =>
      redeem(tx, { code_id: code!.id, store_id: deal.store_ids[0]!, now: unixNow() }),
    )
    const part = await giveBack(row.id)
    expect([part.coupon_back, (await grantNow(of)).status]).toEqual([false, 'used'])
    await database.transaction(tx =>
      reverseRedemption(tx, {
        record_id: record!.id,
        by: { admin_id: 2 },
        reason: '扫错了',
        now: unixNow(),
      }),
    )
    const rest = await giveBack(row.id)
    expect([
      rest.coupon_back,
      (await grantNow(of)).status,
      part.amount_cents + rest.amount_cents,
    ]).toEqual([true, 'unused', 90_05])
  })
  it('for three days more where its time is over, and once in its life', async () => {
    const now = unixNow()
    const of = await grant({ end_at: now + 3600 })
    const row = await bought(of)
    await database.db
      .update(coupon_grant)
      .set({ end_at: now - 1 })
      .where(eq(coupon_grant.id, of.id))
    expect((await giveBack(row.id)).coupon_back).toBe(true)
    const back = await grantNow(of)
    expect([back.status, Math.abs(back.end_at - now - COUPON_BACK_DAYS * DAY) < 30]).toEqual([
      'unused',
      true,
    ])
    const again = await bought(of)
    const second = await giveBack(again.id)
    expect([second.coupon_back, await grantNow(of), await usedOf(of)]).toMatchObject([
      false,
      { status: 'used', order_no: again.order_no },
      1,
    ])
    expect((await page(again.id)).facts.coupon?.use).toBe('used')
  })
  it('after a deposit: taken until the balance is paid, and free with what was given back before', async () => {
    const now = unixNow()
    const batch = await database.transaction(tx =>
      depositRaise(tx, posted[0]!, now, { deposit_rule: 'refund' }),
    )
    const pledge = async () => {
      const of = await grant({ scope: 'ecom' })
      return {
        of,
        row: await bought(of, {
          lines: [{ product_id: posted[0]!.id, qty: 1 }],
          raise_batch_id: batch.id,
          freight_cents: 0,
          receiver,
        }),
      }
    }
    const { of, row } = await pledge()
    expect([row.pay_state, row.pay_cents, (await grantNow(of)).status]).toEqual([
      'part_paid',
      70_00,
      'locked',
    ])
    expect([
      (await giveBack(row.id)).coupon_back,
      (await grantNow(of)).status,
      await usedOf(of),
    ]).toEqual([true, 'unused', 0])
  })
})

describe('by the clock', () => {
  it('a coupon that nobody used in time has expired, one that an order holds has not, and one that is freed late follows', async () => {
    const now = unixNow()
    const [idle, open, held] = [
      await grant({ end_at: now + 100 }),
      await grant({ end_at: now + 102 }),
      await grant({ end_at: now + 100 }),
    ]
    const made = await placed(held)
    const expire = () =>
      timerNamed('coupon.expire')({
        database,
        events: app.events,
        install: app.install,
        log: {} as never,
        now: now + 101,
      })
    expect(await expire()).toEqual(['coupon'])
    const states = async () =>
      Promise.all([idle, open, held].map(async one => (await grantNow(one)).status))
    expect(await states()).toEqual(['expired', 'unused', 'locked'])
    await database.transaction(tx =>
      closeUnpaid(tx, made.id, now + 101, {
        type: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '不要了',
      }),
    )
    await expire()
    expect([await states(), await expire()]).toEqual([['expired', 'unused', 'expired'], []])
  })
})

describe('beside it', () => {
  it('a price changed before payment leaves its parts as they are, and what is given back still meets to the cent', async () => {
    const of = await grant({ scope: 'ecom' })
    const made = await placed(of, {
      lines: [
        { product_id: posted[0]!.id, qty: 2 },
        { product_id: posted[1]!.id, qty: 1 },
      ],
      freight_cents: 8_00,
      receiver,
    })
    const { version } = await rowOf(made.id)
    expect(
      (
        await send(
          app,
          elist.adjustPrice,
          { id: made.id, version, adjust_cents: -5_01, reason: '协商' },
          { token },
        )
      ).status,
    ).toBe(200)
    await pay(made.id)
    const [first] = await itemsOf(made.id)
    const part = await giveBack(made.id, { items: [{ id: first!.id, qty: 1 }] })
    const rest = await giveBack(made.id)
    const row = await rowOf(made.id)
    expect([
      part.amount_cents + rest.amount_cents,
      row.refunded_cents,
      row.pay_cents,
      (await grantNow(of)).status,
    ]).toEqual([row.paid_cents, row.paid_cents, 178_00 - 5_01, 'unused'])
  })
  it('every invariant holds', async () => {
    expect(await broken(database)).toEqual({})
  })
})
