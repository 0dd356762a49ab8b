import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem, reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { combo } from '#src/areas/combo/combo.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant, return_address, store } from '#src/areas/merchant/merchant.table.ts'
import { freezeOrder } from '#src/areas/order/freeze.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import type { PayAnswer } from '#src/areas/payment/pay.channel.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, store_stock } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Wanted } from '#src/areas/refund/refundLines.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { receive } from '#src/areas/shipping/shipping.server.ts'
import { dayStart, unixNow } from '#src/domain/time.ts'
import {
  combo as calls,
  comboDetail as detail,
  type ComboFile,
} from '#src/modules/order/contract/combo.ts'
import {
  comboRefund as queue,
  type ComboCase,
  type ComboCaseRow,
} from '#src/modules/order/contract/comboRefund.ts'
import { eRefund as afterSales } from '#src/modules/order/contract/eRefund.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf, finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'
import { wordless } from '../../help/words.ts'

type Staff = Awaited<ReturnType<typeof addStaff>>
const DAY = 86_400
let database: Database
let app: App
let me: Staff, other: Staff, small: Staff
/**
 * A massage of 60.01, a meal of 40.00 in other stores, goods of 30.00 that are posted; together
 * 100.00.
 */
let massage: typeof product.$inferSelect,
  meal: typeof product.$inferSelect,
  goods: typeof product.$inferSelect
let bundles: Record<'part' | 'whole', number>
let courier_id: number
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const role = { refund_limit_cents: 1_000_000_00 }
  me = await addStaff(database, { perms: ['*'], role })
  other = await addStaff(database, { perms: ['*'], role })
  small = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1 } })
  const shops = await database.db
    .select()
    .from(store)
    .where(and(eq(store.status, 'open'), eq(store.city_id, 1), eq(store.kind, 'offline')))
    .orderBy(store.id)
    .limit(2)
  const made = async (
    kind: 'bulks' | 'elist',
    price_cents: number,
    more: Partial<typeof product.$inferInsert> = {},
  ) => {
    const { item } = await database.transaction(tx => freshProduct(tx, kind))
    const [row] = await database.db
      .update(product)
      .set({
        stock: 500,
        held: 0,
        price_cents,
        city_id: 1,
        valid_days: 60,
        check_end_at: now + 300 * DAY,
        sale_start_at: now - 100 * DAY,
        sale_end_at: now + 90 * DAY,
        ...more,
      })
      .where(eq(product.id, item.id))
      .returning()
    await database.db.execute(sql`delete from product_sku where product_id = ${item.id}`)
    return row!
  }
  massage = await made('bulks', 60_01, {
    merchant_id: shops[0]!.merchant_id,
    store_ids: [shops[0]!.id],
  })
  meal = await made('bulks', 40_00, {
    merchant_id: shops[1]!.merchant_id,
    store_ids: [shops[1]!.id],
  })
  goods = await made('elist', 30_00)
  for (const [at, item] of [massage, meal].entries())
    await database.db.execute(
      sql`insert into product_store (product_id, store_id) values (${item.id}, ${shops[at]!.id})`,
    )
  const rows = await database.db
    .insert(combo)
    .values(
      (['part', 'whole'] as const).map(policy => ({
        name: `测试套餐 ${policy}`,
        policy,
        price_cents: 100_00,
        parts: [],
        status: 'on' as const,
      })),
    )
    .returning()
  bundles = { part: rows[0]!.id, whole: rows[1]!.id }
  courier_id = (
    await database.db
      .select()
      .from(courier)
      .where(and(eq(courier.code, 'shunfeng'), eq(courier.status, 'on')))
  )[0]!.id
})
const call = (what: Parameters<typeof send>[1], input: object, by: Staff = me) =>
  send(app, what, input, { token: by.token })
let buyer = 40
const place = (policy: 'part' | 'whole' = 'part', lines = [massage, meal, goods]) =>
  database.transaction(tx =>
    placeOrder(tx, {
      proved: true,
      lines: lines.map(item => ({ product_id: item.id, qty: 1 })),
      combo_id: bundles[policy],
      member_id: ++buyer,
      now: unixNow() - 60,
      receiver: { name: '王小明', phone: '13912345678', area: '上海市', address: '文汇路1号' },
      freight_cents: 0,
    }),
  )
const bought = async (policy: 'part' | 'whole' = 'part', lines?: (typeof massage)[]) => {
  const { id } = await place(policy, lines)
  await database.transaction(tx => payOrder(tx, id, unixNow() - 60))
  return id
}
const rowOf = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
const one = async (id: number) => {
  const { version } = await rowOf(id)
  return { id, version }
}
const itemsOf = (id: number) =>
  database.db.select().from(order_item).where(eq(order_item.order_id, id)).orderBy(order_item.id)
const codesOf = (id: number) =>
  database.db
    .select()
    .from(order_code)
    .where(and(eq(order_code.order_id, id), sql`${order_code.state} <> 'void'`))
    .orderBy(order_code.id)
const use = async (id: number, at = 0) => {
  const code = (await codesOf(id))[at]!
  return (await database.transaction(tx =>
    redeem(tx, {
      code_id: code.id,
      store_id: at === 0 ? massage.store_ids[0]! : meal.store_ids[0]!,
      now: unixNow(),
    }),
  ))!
}
const ship = async (id: number) =>
  call(detail.ship, {
    ...(await one(id)),
    courier_id,
    tracking_no: `SF${1_000_000_000_000 + id}`,
    items: [{ id: (await itemsOf(id)).at(-1)!.id, qty: 1 }],
  })
/** Until when each item may be asked back, as its page says. */
const periods = async (id: number) =>
  (
    (await call(calls.detail, { id })).data as { items: { after_sale_until: number | null }[] }
  ).items.map(item => item.after_sale_until)
const file = async (id: number) => (await call(calls.lanes, { id })).data as ComboFile
const caseOf = async (id: number) =>
  (await database.db.select().from(refund).where(eq(refund.id, id)))[0]!
const asks = (id: number, wanted: Wanted = 'all') =>
  database.transaction(tx =>
    openRefund(tx, {
      order_id: id,
      wanted,
      source: 'member',
      reason: '不想要了',
      reason_code: 'changed_mind',
      actor: { type: 'member' },
      now: unixNow() - 30,
    }),
  )
const shown = async (id: number) => (await call(queue.detail, { id })).data as ComboCase
/** What whoever decides sees and sends back. */
const seen = async (id: number) => {
  const { row } = await shown(id)
  return { id, version: row.version, seen: row.figures }
}
const sum = (of: readonly number[]) => of.reduce((all, n) => all + n, 0)

describe('a bundle', () => {
  it('shares what was paid over its parts, takes stock of all of them or of none, and keeps its policy', async () => {
    const id = await bought('whole')
    const [row, items] = [await rowOf(id), await itemsOf(id)]
    expect([
      row.kind,
      row.pay_cents,
      sum(items.map(item => item.pay_cents)) + row.freight_cents,
      row.store_discount_cents,
    ]).toEqual(['combo', 100_00, 100_00, 30_01])
    expect(items.map(item => [item.store_id, item.fulfil])).toEqual([
      [massage.store_ids[0], 'code'],
      [meal.store_ids[0], 'code'],
      [goods.store_ids[0], 'express'],
    ])
    await database.db.update(combo).set({ policy: 'part' }).where(eq(combo.id, bundles.whole))
    expect((await file(id)).policy).toBe('whole')
    await database.db.update(combo).set({ policy: 'whole' }).where(eq(combo.id, bundles.whole))
    const before = (
      await database.db
        .select()
        .from(product)
        .where(inArray(product.id, [massage.id, meal.id]))
        .orderBy(product.id)
    ).map(item => item.held)
    await database.db.update(product).set({ stock: 0 }).where(eq(product.id, goods.id))
    await expect(place()).rejects.toMatchObject({ data: { rule: 'not_for_sale' } })
    await database.db.update(product).set({ stock: 500 }).where(eq(product.id, goods.id))
    expect(
      (
        await database.db
          .select()
          .from(product)
          .where(inArray(product.id, [massage.id, meal.id]))
          .orderBy(product.id)
      ).map(item => item.held),
    ).toEqual(before)
  })
  it('may have its goods asked back so many days after they came, whether or not its codes are used', async () => {
    const id = await bought()
    await use(id)
    expect((await ship(id)).status).toBe(200)
    expect(await periods(id)).toEqual([null, null, null])
    // The courier may say so long before its buyer or the clock does.
    await database.db
      .update(shipment)
      .set({ state: 'signed', signed_at: unixNow() - 9 * 86_400 })
      .where(eq(shipment.order_id, id))
    expect(await periods(id)).toEqual([null, null, null])
    const at = unixNow()
    await database.transaction(tx =>
      receive(tx, { order_id: id, actor: { type: 'member' }, now: at }),
    )
    expect([(await rowOf(id)).status, await periods(id)]).toEqual([
      'part_used',
      [null, null, at + 7 * 86_400],
    ])
    expect((await file(id)).lanes.map(lane => lane.after_sale_until)).toEqual([
      null,
      null,
      at + 7 * 86_400,
    ])
    const items = await itemsOf(id)
    const back = (now: number) =>
      database.transaction(tx =>
        openRefund(tx, {
          order_id: id,
          wanted: { items: [{ id: items[2]!.id, qty: 1 }] },
          type: 'return_refund',
          source: 'member',
          reason: '不合适',
          actor: { type: 'member' },
          now,
        }),
      )
    await expect(back(at + 7 * 86_400 + 1)).rejects.toMatchObject({
      data: { rule: 'after_sale_over' },
    })
    expect(await back(at + 7 * 86_400)).toMatchObject({ state: 'applied' })
  })
  it('has the status that its parts say: the least advanced, part used, refunding, finished', async () => {
    const id = await bought()
    expect([(await rowOf(id)).status, (await file(id)).lanes.map(lane => lane.status)]).toEqual([
      'pending_ship',
      ['pending_use', 'pending_use', 'pending_ship'],
    ])
    await use(id)
    expect([(await rowOf(id)).status, (await file(id)).lanes.map(lane => lane.status)]).toEqual([
      'part_used',
      ['finished', 'pending_use', 'pending_ship'],
    ])
    expect((await ship(id)).status).toBe(200)
    const asked = await call(detail.refund, {
      ...(await one(id)),
      items: [(await itemsOf(id))[1]!.id],
      reason: '约不上',
    })
    expect([(await rowOf(id)).status, asked.data.amount_cents]).toEqual([
      'refunding',
      (await itemsOf(id))[1]!.pay_cents,
    ])
    await finishPayouts(database, unixNow() + 60)
    expect([(await rowOf(id)).status, (await file(id)).lanes.map(lane => lane.status)]).toEqual([
      'part_used',
      ['finished', 'refunded', 'shipped'],
    ])
    await database.db
      .update(order)
      .set({ receive_by: unixNow() - 1 })
      .where(eq(order.id, id))
    await tickOrders(database, unixNow())
    expect([(await rowOf(id)).status, (await rowOf(id)).refund_state]).toEqual([
      'finished',
      'part_refunded',
    ])
  })
  it('gives each part back that expired unused, by the part’s own time and at its share, though the others still wait', async () => {
    const id = await bought()
    const [first, second] = await codesOf(id)
    const ends = async (code_id: number, days: number) =>
      database.db
        .update(order_code)
        .set({ valid_until: unixNow() - days * DAY - 60 })
        .where(eq(order_code.id, code_id))
    const made = async () =>
      (
        await database.db.select().from(refund).where(eq(refund.order_id, id)).orderBy(refund.id)
      ).map(one => [one.cause, one.amount_cents])
    await ends(first!.id, 0)
    await tickOrders(database, unixNow())
    expect([(await codesOf(id))[0]!.state, await made()]).toEqual(['expired', []])
    await ends(first!.id, 1)
    for (let n = 0; n < 2; n++) await tickOrders(database, unixNow())
    await finishPayouts(database, unixNow() + 60)
    expect([await made(), (await file(id)).lanes.map(lane => lane.status)]).toEqual([
      [['expired', first!.pay_cents]],
      ['refunded', 'pending_use', 'pending_ship'],
    ])
    await ship(id)
    await ends(second!.id, 1)
    for (let n = 0; n < 2; n++) await tickOrders(database, unixNow())
    await finishPayouts(database, unixNow() + 60)
    expect([await made(), (await file(id)).lanes.map(lane => lane.status)]).toEqual([
      [
        ['expired', first!.pay_cents],
        ['expired', second!.pay_cents],
      ],
      ['refunded', 'refunded', 'shipped'],
    ])
  })
  it('that goes back only whole does so by the clock once all of it has expired, and not where a part was used', async () => {
    const [id, used] = [
      await bought('whole', [massage, meal]),
      await bought('whole', [massage, meal]),
    ]
    await use(used)
    const ends = async (of: number, at: number) =>
      database.db
        .update(order_code)
        .set({ valid_until: unixNow() - 2 * DAY })
        .where(eq(order_code.id, (await codesOf(of))[at]!.id))
    const made = async (of: number) =>
      (await database.db.select().from(refund).where(eq(refund.order_id, of))).map(one => [
        one.cause,
        one.amount_cents,
      ])
    await ends(id, 0)
    await ends(used, 1)
    const refused: unknown[] = []
    const watched: Database = {
      ...database,
      transaction: (run, options) =>
        database.transaction(run, options).catch((error: unknown) => {
          refused.push(error)
          throw error
        }),
    }
    for (let n = 0; n < 2; n++) await tickOrders(watched, unixNow())
    expect([await made(id), await made(used), refused]).toEqual([[], [], []])
    await ends(id, 1)
    for (let n = 0; n < 2; n++) await tickOrders(watched, unixNow())
    expect([await made(id), await made(used), refused]).toEqual([[['expired', 100_00]], [], []])
    await finishPayouts(database, unixNow() + 60)
    expect([(await rowOf(id)).status, (await rowOf(used)).status]).toEqual(['refunded', 'finished'])
  })
  it('sends its codes and its goods though the other parts wait, and each store settles its own part', async () => {
    const id = await bought()
    expect((await call(calls.resendCode, { id })).data.sent).toBe(2)
    expect(
      (
        await call(calls.extendValidity, {
          ...(await one(id)),
          until: now + 100 * DAY,
          reason: '门店装修',
        })
      ).status,
    ).toBe(200)
    const [code, wrong] = await codesOf(id)
    // For each part its own stores are offered, for the order those of all.
    const offered = async (code_id?: number) =>
      (
        (await call(calls.stores, { order_id: id, code_id, page: 1, pageSize: 100 })).data.list as {
          id: number
        }[]
      ).map(each => each.id)
    expect([
      (await offered()).includes(massage.store_ids[0]!),
      (await offered(code!.id)).includes(massage.store_ids[0]!),
      (await offered(wrong!.id)).includes(massage.store_ids[0]!),
    ]).toEqual([true, true, false])
    expect(
      (
        await call(detail.verifyForStore, {
          id,
          code_id: wrong!.id,
          store_id: massage.store_ids[0],
          reason: '代核销',
        })
      ).data.rule,
    ).toBe('other_store')
    const used = await call(detail.verifyForStore, {
      id,
      code_id: code!.id,
      store_id: massage.store_ids[0],
      reason: '代核销',
    })
    const lanes = (await file(id)).lanes
    expect([used.status, lanes[0]!.settled_cents, lanes[1]!.settled_cents]).toEqual([
      200,
      lanes[0]!.settle_cents,
      0,
    ])
    expect(
      (await call(detail.reverseVerify, { id, verify_id: used.data.record_id, reason: '扫错' }))
        .data.rule,
    ).toBe('not_reversible')
    expect(
      (
        await call(
          detail.reverseVerify,
          { id, verify_id: used.data.record_id, reason: '扫错' },
          other,
        )
      ).status,
    ).toBe(200)
    expect((await file(id)).lanes[0]!.used).toBe(0)
  })
})

describe('a part to fetch', () => {
  const stocked = async (price_cents: number, shop: number, stock: number) => {
    const { item } = await database.transaction(tx => freshProduct(tx, 'goods'))
    const [row] = await database.db
      .update(product)
      .set({
        stock: 500,
        held: 0,
        price_cents,
        city_id: 1,
        store_ids: [shop],
        check_end_at: now + 300 * DAY,
        sale_start_at: now - DAY,
        sale_end_at: now + 90 * DAY,
      })
      .where(eq(product.id, item.id))
      .returning()
    await database.db.execute(sql`delete from product_sku where product_id = ${item.id}`)
    await database.db.execute(
      sql`insert into product_store (product_id, store_id) values (${item.id}, ${shop})`,
    )
    await database.db.insert(store_stock).values({ product_id: item.id, store_id: shop, stock })
    return row!
  }
  const counts = async (of: { id: number }) => {
    const [row] = await database.db
      .select()
      .from(store_stock)
      .where(eq(store_stock.product_id, of.id))
    return [row!.stock, row!.held, row!.sold]
  }
  it('is held of what its own store has, is fetched there by its code at once, and another takes its place in stock too', async () => {
    const shop = meal.store_ids[0]!
    const [cup, mug] = [await stocked(20_00, shop, 2), await stocked(25_00, shop, 1)]
    const id = await bought('part', [massage, cup])
    expect([await counts(cup), (await itemsOf(id)).map(item => item.store_id)]).toEqual([
      [1, 0, 1],
      [massage.store_ids[0], shop],
    ])
    const other_id = await bought('part', [massage, cup])
    await expect(place('part', [massage, cup])).rejects.toMatchObject({
      data: { rule: 'no_store_stock' },
    })
    const [, code] = await codesOf(other_id)
    expect(
      (
        await call(detail.verifyForStore, {
          id: other_id,
          code_id: code!.id,
          store_id: shop,
          reason: '代核销',
        })
      ).status,
    ).toBe(200)
    const [, part] = await itemsOf(id)
    expect(
      (
        await call(detail.replacePart, {
          ...(await one(id)),
          item_id: part!.id,
          product_id: mug.id,
          reason: '缺货',
        })
      ).status,
    ).toBe(200)
    expect([await counts(cup), await counts(mug)]).toEqual([
      [1, 0, 1],
      [0, 0, 1],
    ])
    expect(
      (await call(detail.refund, { ...(await one(id)), items: [part!.id], reason: '不要了' }))
        .status,
    ).toBe(200)
    await finishPayouts(database, unixNow() + 60)
    expect([await counts(cup), await counts(mug)]).toEqual([
      [1, 0, 1],
      [1, 0, 0],
    ])
    const [third, left] = [
      await bought('part', [massage, cup]),
      await bought('part', [massage, mug]),
    ]
    expect(
      (
        await call(detail.replacePart, {
          ...(await one(third)),
          item_id: (await itemsOf(third))[1]!.id,
          product_id: mug.id,
          reason: '缺货',
        })
      ).data.rule,
    ).toBe('no_store_stock')
    expect([await counts(cup), left > 0]).toEqual([[0, 0, 2], true])
  })
})

describe('a refund of parts', () => {
  it('is their shares; what was used or sent is never given back without being taken back first', async () => {
    const id = await bought()
    const [a, b, c] = await itemsOf(id)
    const record = await use(id)
    await ship(id)
    expect(
      (await call(detail.refund, { ...(await one(id)), items: [a!.id], reason: '退按摩' })).data
        .rule,
    ).toBe('part_gone')
    expect(
      (await call(detail.refund, { ...(await one(id)), items: [c!.id], reason: '退商品' })).data
        .rule,
    ).toBe('part_gone')
    expect(
      (
        await call(calls.refund, {
          ...(await one(id)),
          parts: [b!.id, 9_999_999],
          reason: '别人的',
        })
      ).status,
    ).toBe(404)
    await database.transaction(tx =>
      reverseRedemption(tx, {
        record_id: record.id,
        by: { admin_id: other.id },
        reason: '扫错',
        now: unixNow(),
      }),
    )
    expect(
      (await call(detail.refund, { ...(await one(id)), items: [a!.id], reason: '退按摩' })).data
        .amount_cents,
    ).toBe(a!.pay_cents)
    expect(
      (await call(detail.refund, { ...(await one(id)), items: [a!.id], reason: '再退' })).data.rule,
    ).toBe('part_gone')
  })
  it('under the policy “whole” is all or nothing, and nothing once a part was used; an exception needs a second person', async () => {
    const id = await bought('whole')
    const [, b] = await itemsOf(id)
    expect(
      (await call(calls.refund, { ...(await one(id)), parts: [b!.id], reason: '只退一项' })).data
        .rule,
    ).toBe('policy')
    await use(id)
    expect(
      (await call(calls.refund, { ...(await one(id)), reason: '剩下的不用了', parts: [b!.id] }))
        .message,
    ).toContain('已有子项使用')
    const made = await call(calls.refund, {
      ...(await one(id)),
      parts: [b!.id],
      override: true,
      reason: '门店停电两周',
    })
    expect([made.data.state, made.data.amount_cents]).toEqual(['second_audit', b!.pay_cents])
    const asked = await caseOf(made.data.refund_id)
    expect([asked.policy_override, asked.first_by]).toEqual([true, me.id])
    expect((await call(queue.secondApprove, await seen(asked.id))).message).toContain('同一人')
    expect((await call(queue.secondApprove, await seen(asked.id), other)).data.state).toBe('paying')
    await finishPayouts(database, unixNow() + 60)
    const untouched = await bought('whole')
    expect(
      (await call(calls.refund, { ...(await one(untouched)), reason: '整套退' })).data,
    ).toMatchObject({ state: 'paying', amount_cents: 100_00 })
    await finishPayouts(database, unixNow() + 60)
    expect((await rowOf(untouched)).status).toBe('refunded')
  })
  it('of a part whose store closed is allowed by itself, whatever the policy', async () => {
    const id = await bought('whole')
    const [, b] = await itemsOf(id)
    await database.db
      .update(store)
      .set({ status: 'closed' })
      .where(eq(store.id, meal.store_ids[0]!))
    expect([
      (await file(id)).lanes.map(lane => lane.closed),
      (
        (await call(calls.lst, { quick: 'part_closed', q: (await rowOf(id)).order_no })).data as {
          total: number
        }
      ).total,
    ]).toEqual([[false, true, false], 1])
    const made = await call(detail.refund, {
      ...(await one(id)),
      items: [b!.id],
      reason: '门店已关',
    })
    await database.db.update(store).set({ status: 'open' }).where(eq(store.id, meal.store_ids[0]!))
    expect([made.data.state, made.data.amount_cents]).toEqual(['paying', b!.pay_cents])
    await finishPayouts(database, unixNow() + 60)
  })
  it('gives the freight back with the last part, as its page says before', async () => {
    const { id } = await database.transaction(tx =>
      placeOrder(tx, {
        proved: true,
        lines: [massage, goods].map(item => ({ product_id: item.id, qty: 1 })),
        combo_id: bundles.part,
        member_id: ++buyer,
        now: unixNow() - 60,
        receiver: { name: '王小明', phone: '13912345678', area: '上海市', address: '文汇路1号' },
        freight_cents: 8_00,
      }),
    )
    await database.transaction(tx => payOrder(tx, id, unixNow() - 60))
    const [a] = await itemsOf(id)
    expect(
      (await call(detail.refund, { ...(await one(id)), items: [a!.id], reason: '不要了' })).data
        .amount_cents,
    ).toBe(a!.pay_cents)
    const left = (await rowOf(id)).paid_cents - a!.pay_cents
    const { figures } = await file(id)
    expect([
      figures.amount_cents,
      (await call(detail.refundAll, { ...(await one(id)), reason: '都不要了' })).data.amount_cents,
    ]).toEqual([left, left])
    await finishPayouts(database, unixNow() + 60)
  })
  it('of the whole order deducts what was used at its share, and then needs a second person', async () => {
    const id = await bought()
    const [a] = await itemsOf(id)
    await use(id)
    const made = await call(detail.refundAll, { ...(await one(id)), reason: '整单退' })
    expect([made.data.state, made.data.amount_cents]).toEqual([
      'second_audit',
      100_00 - a!.pay_cents,
    ])
    const clean = await bought()
    expect(
      (await call(detail.refundAll, { ...(await one(clean)), reason: '整单退' })).data,
    ).toMatchObject({ state: 'paying', amount_cents: 100_00 })
  })
  it('locks them: they can be neither redeemed nor sent nor replaced', async () => {
    const id = await bought()
    const [a, , c] = await itemsOf(id)
    await call(calls.refund, { ...(await one(id)), parts: [a!.id, c!.id], reason: '退两项' }, small)
    const [locked] = await codesOf(id)
    expect(
      await database.transaction(tx =>
        redeem(tx, { code_id: locked!.id, store_id: massage.store_ids[0]!, now: unixNow() }),
      ),
    ).toBeUndefined()
    expect((await ship(id)).data.rule).toBe('too_many')
    expect(
      (
        await call(detail.replacePart, {
          ...(await one(id)),
          item_id: a!.id,
          product_id: meal.id,
          reason: '更换',
        })
      ).data.rule,
    ).toBe('part_gone')
  })
})

describe('a part that is replaced', () => {
  const dearer = async (price_cents = 70_00, more: Partial<typeof product.$inferInsert> = {}) => {
    const { item } = await database.transaction(tx => freshProduct(tx, 'bulks'))
    return (
      await database.db
        .update(product)
        .set({
          stock: 10,
          held: 0,
          price_cents,
          city_id: 1,
          valid_days: 30,
          check_end_at: now + 300 * DAY,
          sale_start_at: now - DAY,
          sale_end_at: now + 90 * DAY,
          ...more,
        })
        .where(eq(product.id, item.id))
        .returning()
    )[0]!
  }
  it('keeps its share at no charge, gets new codes, and moves stock from one product to the other', async () => {
    const id = await bought()
    const [a] = await itemsOf(id)
    const [old] = await codesOf(id)
    const to = await dearer()
    const sold = async (of: number) => {
      const [row] = await database.db.select().from(product).where(eq(product.id, of))
      return [row!.stock, row!.sold]
    }
    const [was, is] = [await sold(massage.id), await sold(to.id)]
    const found = (
      await call(detail.replacements, { order_id: id, item_id: a!.id, keyword: to.title })
    ).data as { list: { id: number }[] }
    expect(found.list.map(row => row.id)).toEqual([to.id])
    const done = await call(detail.replacePart, {
      ...(await one(id)),
      item_id: a!.id,
      product_id: to.id,
      reason: '原门店停业',
    })
    expect(done.data).toMatchObject({ before: massage.title, after: to.title })
    const [after] = await itemsOf(id)
    expect([
      after!.product_id,
      after!.pay_cents,
      after!.price_cents,
      (await rowOf(id)).pay_cents,
    ]).toEqual([to.id, a!.pay_cents, a!.price_cents, 100_00])
    expect([await sold(massage.id), await sold(to.id)]).toEqual([
      [was[0]! + 1, was[1]! - 1],
      [is[0]! - 1, is[1]! + 1],
    ])
    const codes = await codesOf(id)
    expect([
      codes.some(code => code.id === old!.id),
      sum(codes.filter(code => code.item_id === a!.id).map(code => code.pay_cents)),
    ]).toEqual([false, a!.pay_cents])
    expect(
      await database.transaction(tx =>
        redeem(tx, { code_id: old!.id, store_id: massage.store_ids[0]!, now: unixNow() }),
      ),
    ).toBeUndefined()
    expect((await file(id)).lanes[0]!.replaced).toEqual({
      title: massage.title,
      price_cents: 60_01,
    })
  })
  it('was not used, and becomes nothing cheaper, sold out, off sale or reached in another way', async () => {
    const id = await bought()
    const [a, b] = await itemsOf(id)
    const replace = async (item_id: number, product_id: number) =>
      (await call(detail.replacePart, { ...(await one(id)), item_id, product_id, reason: '更换' }))
        .data.rule
    expect(await replace(a!.id, (await dearer(60_00)).id)).toBe('cheaper')
    for (const to of [
      await dearer(70_00, { stock: 0 }),
      await dearer(70_00, { state: 'off_sale' }),
      await dearer(70_00, { city_id: 2 }),
    ])
      expect(await replace(a!.id, to.id)).toBe('no_replacement')
    await database.db.update(product).set({ price_cents: 99_00 }).where(eq(product.id, goods.id))
    expect(await replace(b!.id, goods.id)).toBe('no_replacement')
    await database.db.update(product).set({ price_cents: 30_00 }).where(eq(product.id, goods.id))
    await use(id)
    expect(await replace(a!.id, (await dearer()).id)).toBe('part_gone')
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: id,
        reason: '争议',
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        now: unixNow(),
      }),
    )
    expect(await replace(b!.id, (await dearer()).id)).toBe('frozen')
  })
})

describe('the queue of refunds', () => {
  it('shows the amount at shares and, to compare, what it would be if used parts cost their single price', async () => {
    const id = await bought()
    const [a] = await itemsOf(id)
    await use(id)
    const asked = await asks(id)
    const { row, lanes } = await shown(asked.id)
    expect(row.figures).toEqual({
      amount_cents: 100_00 - a!.pay_cents,
      used_cents: a!.pay_cents,
      single_cents: 100_00 - 60_01,
    })
    expect([row.parts, row.parts_all, row.parts_used, row.policy, row.refused]).toEqual([
      2,
      3,
      1,
      'part',
      null,
    ])
    expect(lanes.map(lane => lane.asked_cents)).toEqual([
      0,
      ...(await itemsOf(id)).slice(1).map(item => item.pay_cents),
    ])
  })
  it('counts anew at the decision: a part redeemed since asks for another look', async () => {
    const id = await bought()
    const [a, b] = await itemsOf(id)
    const asked = await asks(id, { codes: [{ id: (await codesOf(id))[1]!.id }] })
    const read = await seen(asked.id)
    await use(id)
    const late = await call(queue.approve, read)
    expect([late.status, late.message]).toEqual([409, expect.stringContaining('重新确认')])
    expect((await caseOf(asked.id)).state).toBe('applied')
    const again = await seen(asked.id)
    // The saving on what was used would be taken off again.
    expect(again.seen).toEqual({
      amount_cents: b!.pay_cents,
      used_cents: a!.pay_cents,
      single_cents: b!.pay_cents - (60_01 - a!.pay_cents),
    })
    expect((await call(queue.approve, again)).data.state).toBe('paying')
    await finishPayouts(database, unixNow() + 60)
    expect((await rowOf(id)).refunded_cents).toBe(b!.pay_cents)
  })
  it('is decided once: the second is told who was faster; the second approver is another and within their limit', async () => {
    const asked = await asks(await bought())
    const read = await seen(asked.id)
    expect((await call(queue.approve, read, small)).data.state).toBe('second_audit')
    const late = await call(queue.approve, read)
    expect([late.status, late.message]).toEqual([409, expect.stringContaining(small.account)])
    expect((await call(queue.secondApprove, await seen(asked.id), small)).message).toContain(
      '同一人',
    )
    const poor = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 2 } })
    expect((await call(queue.secondApprove, await seen(asked.id), poor)).data.rule).toBe('limit')
    expect(
      (
        await call(
          queue.secondReject,
          { id: asked.id, version: (await caseOf(asked.id)).version, reason: '先问门店' },
          other,
        )
      ).data.state,
    ).toBe('applied')
    await call(queue.approve, await seen(asked.id), small)
    expect((await call(queue.secondApprove, await seen(asked.id), other)).data.state).toBe('paying')
    expect(
      (
        await database.db
          .select()
          .from(op_log)
          .where(and(eq(op_log.object_type, 'refund'), eq(op_log.object_id, asked.id)))
      ).length,
    ).toBeGreaterThan(3)
  })
  it('agrees to some parts: the others are free again, and the amount is what these are worth', async () => {
    const id = await bought()
    const [a, b, c] = await itemsOf(id)
    const asked = await asks(id)
    const made = await call(queue.approvePartial, {
      ...(await seen(asked.id)),
      items: [b!.id, c!.id],
      reason: '按摩门店不同意',
    })
    expect([made.data.state, (await caseOf(asked.id)).amount_cents]).toEqual([
      'paying',
      b!.pay_cents + c!.pay_cents,
    ])
    expect((await file(id)).lanes.map(lane => [lane.left, lane.refunding])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
    ])
    await finishPayouts(database, unixNow() + 60)
    await use(id)
    expect([
      (await rowOf(id)).status,
      (await rowOf(id)).refunded_cents,
      a!.pay_cents + b!.pay_cents + c!.pay_cents,
    ]).toEqual(['finished', b!.pay_cents + c!.pay_cents, 100_00])
    expect(
      (
        await call(queue.approvePartial, {
          ...(await seen(asked.id)),
          items: [b!.id],
          reason: '再来',
        })
      ).data.rule,
    ).toBe('stage')
  })
  it('under “whole” agrees to all or nothing, unless as an exception of two people; the clock does not agree by itself either', async () => {
    const id = await bought('whole')
    const items = await itemsOf(id)
    const asked = await asks(id, { codes: [{ id: (await codesOf(id))[0]!.id }] })
    expect((await shown(asked.id)).row.refused![0]).toContain('整套退')
    expect((await call(queue.approve, await seen(asked.id))).data.rule).toBe('policy')
    expect(
      (
        await call(queue.approvePartial, {
          ...(await seen(asked.id)),
          items: [items[0]!.id],
          reason: '同意',
        })
      ).data.rule,
    ).toBe('policy')
    await database.db
      .update(refund)
      .set({ deadline_at: unixNow() - 1 })
      .where(eq(refund.id, asked.id))
    await tickOrders(database, unixNow())
    expect(await caseOf(asked.id)).toMatchObject({ state: 'applied', intervened: true })
    expect(
      (
        await call(queue.approvePartial, {
          ...(await seen(asked.id)),
          items: [items[1]!.id],
          override: true,
          reason: '不在本单',
        })
      ).status,
    ).toBe(404)
    const made = await call(queue.approvePartial, {
      ...(await seen(asked.id)),
      items: [items[0]!.id],
      override: true,
      reason: '门店停业一周',
    })
    expect([made.data.state, (await caseOf(asked.id)).policy_override]).toEqual([
      'second_audit',
      true,
    ])
    expect((await call(queue.secondApprove, await seen(asked.id), other)).data.state).toBe('paying')
    const all = await asks(await bought('whole'))
    expect((await call(queue.approve, await seen(all.id))).data.state).toBe('paying')
    await finishPayouts(database, unixNow() + 60)
  })
  it('agreed to before a part was used is refused at the second look where the policy forbids it by then', async () => {
    const id = await bought('whole', [massage, meal])
    await database.db
      .update(store)
      .set({ status: 'closed' })
      .where(eq(store.id, meal.store_ids[0]!))
    const asked = await asks(id, { codes: [{ id: (await codesOf(id))[1]!.id }] })
    expect((await call(queue.approve, await seen(asked.id), small)).data.state).toBe('second_audit')
    await database.db.update(store).set({ status: 'open' }).where(eq(store.id, meal.store_ids[0]!))
    await use(id)
    expect((await call(queue.secondApprove, await seen(asked.id), other)).data.rule).toBe('policy')
  })
  it('in a batch takes only what is wholly unused, and says why not of the others', async () => {
    const [clean, used, stale] = [await bought(), await bought(), await bought()]
    await use(used)
    const made = [await asks(clean), await asks(used), await asks(stale)]
    const read = await Promise.all(made.map(one => seen(one.id)))
    await database.db.update(refund).set({ version: 99 }).where(eq(refund.id, made[2]!.id))
    const done = (await call(queue.batchApprove, { cases: read })).data as {
      ok: number[]
      failed: { id: number; code: string }[]
    }
    expect([done.ok, done.failed.map(one => [one.id, one.code])]).toEqual([
      [made[0]!.id],
      [
        [made[1]!.id, 'not_in_batch'],
        [made[2]!.id, 'stale'],
      ],
    ])
    expect(
      (
        (await call(queue.lst, { unused: true, pageSize: 200 })).data as { list: ComboCaseRow[] }
      ).list.every(row => row.parts_used === 0),
    ).toBe(true)
  })
  it('pays again what the channel refused, once', async () => {
    const asked = await asks(await bought())
    await call(queue.approve, await seen(asked.id))
    await finishPayouts(
      database,
      unixNow(),
      channelOf({
        refund: async () =>
          ({ state: 'failed', code: 'NOT_ENOUGH', text: '余额不足' }) satisfies PayAnswer,
      }),
    )
    expect((await shown(asked.id)).row).toMatchObject({ state: 'pay_failed', fails: 1 })
    expect(
      (await call(queue.retryPay, { id: asked.id, version: (await caseOf(asked.id)).version })).data
        .state,
    ).toBe('paying')
    await finishPayouts(
      database,
      unixNow() + 9999,
      channelOf({
        queryRefund: async () => ({ state: 'failed', code: 'RESOURCE_NOT_EXISTS', text: '' }),
      }),
    )
    const paid = await database.db
      .select()
      .from(payment)
      .where(and(eq(payment.refund_id, asked.id), eq(payment.state, 'success')))
    expect([(await caseOf(asked.id)).state, sum(paid.map(one => one.amount_cents))]).toEqual([
      'done',
      100_00,
    ])
  })
  it('claims, notes, refuses with words for the buyer, and keeps to frozen orders, stages and the reader’s data', async () => {
    const id = await bought()
    const asked = await asks(id)
    const at = async () => ({ id: asked.id, version: (await caseOf(asked.id)).version })
    expect((await call(queue.claim, await at(), other)).status).toBe(200)
    expect((await call(queue.approve, await seen(asked.id))).message).toMatch(
      /领取了此单，.*前由其处理/,
    )
    expect(
      ((await call(queue.lst, { state: 'mine' }, other)).data as { list: ComboCaseRow[] }).list.map(
        row => row.id,
      ),
    ).toEqual([asked.id])
    expect((await call(queue.remark, { ...(await at()), text: '等门店回话' })).status).toBe(200)
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: id,
        reason: '争议',
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        now: unixNow(),
      }),
    )
    expect(
      (await call(queue.reject, { ...(await at()), reason_code: 'used', reason: '已使用' }, other))
        .data.rule,
    ).toBe('frozen')
    await call(calls.unfreeze, { ...(await one(id)), reason: '放行' })
    expect(
      (
        await call(
          queue.reject,
          { ...(await at()), reason_code: 'used', reason: '门店核实已使用' },
          other,
        )
      ).data.state,
    ).toBe('rejected')
    expect((await file(id)).lanes.map(lane => lane.left)).toEqual([1, 1, 1])
    const { steps } = await shown(asked.id)
    expect(steps.map(step => step.memo)).toContain('等门店回话')
    const elsewhere = await addStaff(database, {
      perms: ['order.combo.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    for (const [what, input] of [
      [queue.detail, { id: asked.id }],
      [queue.claim, await at()],
      [calls.lanes, { id }],
      [calls.parts, { order_id: id }],
    ] as const)
      expect((await call(what, input, elsewhere)).status).toBe(404)
  })
  it('counts each stage as its list does, and finds a case by its number or its order’s', async () => {
    const counts = (await call(queue.counts, {})).data as Record<string, number>
    for (const state of ['open', 'applied', 'second_audit', 'done', 'rejected'] as const)
      expect(((await call(queue.lst, { state })).data as { total: number }).total).toBe(
        counts[state],
      )
    expect(
      counts['applied']! + counts['second_audit']! + counts['paying']! + counts['pay_failed']!,
    ).toBe(counts['open'])
    const [any] = ((await call(queue.lst, { pageSize: 1 })).data as { list: ComboCaseRow[] }).list
    for (const keyword of [any!.refund_no, any!.order_no])
      expect(
        ((await call(queue.lst, { keyword })).data as { list: ComboCaseRow[] }).list.map(
          row => row.id,
        ),
      ).toContain(any!.id)
  })
})

describe('the list', () => {
  it('shows each part’s progress, filters by bundle, by any part’s store, and by part used with part in refund', async () => {
    const id = await bought()
    await use(id)
    await asks(id, { codes: [{ id: (await codesOf(id))[1]!.id }] })
    const find = async (filters: object) =>
      (
        (await call(calls.lst, { q: (await rowOf(id)).order_no, ...filters })).data as {
          list: OrderRow[]
        }
      ).list
    const [row] = await find({ quick: 'part_refunding' })
    expect([
      row!.bundle!.name,
      row!.bundle!.parts.map(part => part.status),
      row!.store_discount_cents,
    ]).toEqual(['测试套餐 part', ['finished', 'refunding', 'pending_ship'], 30_01])
    expect([
      (await find({ store_id: meal.store_ids[0] })).length,
      (await find({ combo_id: bundles.part })).length,
      (await find({ combo_id: bundles.whole })).length,
    ]).toEqual([1, 1, 0])
    expect(
      (await call(calls.lst, { from: dayStart(now) - 200 * DAY, to: now })).data.fields.from,
    ).toContain('186')
    const { all, ...tabs } = (await call(calls.counts, { combo_id: bundles.part })).data as Record<
      string,
      number
    >
    expect(sum(Object.values(tabs))).toBe(all)
  })
})

describe('what comes back of a bundle', () => {
  let tea: typeof product.$inferSelect
  const addresses = new Map<number, number>()
  beforeAll(async () => {
    const { item } = await database.transaction(tx => freshProduct(tx, 'elist'))
    await database.db.execute(sql`delete from product_sku where product_id = ${item.id}`)
    ;[tea] = (await database.db
      .update(product)
      .set({
        stock: 500,
        held: 0,
        price_cents: 20_00,
        city_id: 1,
        merchant_id: meal.merchant_id,
        store_ids: meal.store_ids,
        sale_start_at: now - 100 * DAY,
        sale_end_at: now + 90 * DAY,
      })
      .where(eq(product.id, item.id))
      .returning()) as [typeof tea]
    for (const merchant_id of [massage.merchant_id, goods.merchant_id, tea.merchant_id])
      addresses.set(
        merchant_id,
        (
          await database.db
            .insert(return_address)
            .values({
              merchant_id,
              name: '仓库',
              phone: '13800002222',
              area: '上海市',
              address: `${merchant_id} 号仓`,
            })
            .returning()
        )[0]!.id,
      )
    expect(new Set(addresses.keys()).size).toBe(3)
  })
  /** Both posted parts arrived. */
  const arrived = async (policy: 'part' | 'whole' = 'part') => {
    const id = await bought(policy, [massage, goods, tea])
    const [, cup, leaf] = await itemsOf(id)
    expect(
      (
        await call(detail.ship, {
          ...(await one(id)),
          courier_id,
          tracking_no: `SF${2_000_000_000_000 + id}`,
          items: [cup!, leaf!].map(item => ({ id: item.id, qty: 1 })),
        })
      ).status,
    ).toBe(200)
    await database.transaction(tx =>
      receive(tx, { order_id: id, actor: { type: 'member' }, now: unixNow() }),
    )
    return { id, cup: cup!, leaf: leaf! }
  }
  const returns = (
    order_id: number,
    items: readonly { id: number }[],
    type: 'return_refund' | 'resend' = 'return_refund',
  ) =>
    database.transaction(tx =>
      openRefund(tx, {
        order_id,
        wanted: { items: items.map(item => ({ id: item.id, qty: 1 })) },
        type,
        source: 'member',
        reason: '破损',
        reason_code: 'damaged',
        images: ['a.jpg'],
        actor: { type: 'member' },
        now: unixNow(),
      }),
    )
  const at = async (id: number) => ({ id, version: (await caseOf(id)).version })

  it('is asked of each merchant by itself, goes to an address of theirs, and is received and paid in the list of after-sales', async () => {
    const { id, cup, leaf } = await arrived()
    await expect(returns(id, [cup, leaf])).rejects.toMatchObject({
      data: { rule: 'several_merchants' },
    })
    const cases = [await returns(id, [cup]), await returns(id, [leaf])]
    expect(cases.map(row => row.merchant_id)).toEqual([goods.merchant_id, tea.merchant_id])
    expect((await rowOf(id)).merchant_id).toBe(massage.merchant_id)
    const names = new Map(
      (
        await database.db
          .select()
          .from(merchant)
          .where(inArray(merchant.id, [goods.merchant_id, tea.merchant_id]))
      ).map(row => [row.id, row.name]),
    )
    for (const [n, { id: refund_id, merchant_id }] of cases.entries()) {
      const listed = (await call(afterSales.lst, { kind: 'combo', keyword: cases[n]!.refund_no }))
        .data as { list: { id: number; merchant_name: string }[] }
      expect(listed.list.map(row => [row.id, row.merchant_name])).toEqual([
        [refund_id, names.get(merchant_id)],
      ])
      expect((await shown(refund_id)).row.merchant_name).toBe(names.get(merchant_id))
      const offered = (await call(afterSales.addresses, { refund_id })).data as {
        list: { id: number }[]
      }
      expect(offered.list.map(row => row.id)).toContain(addresses.get(merchant_id))
      expect(offered.list.map(row => row.id)).not.toContain(addresses.get(massage.merchant_id))
      expect(
        (
          await call(afterSales.approveReturn, {
            ...(await at(refund_id)),
            address_id: addresses.get(massage.merchant_id),
          })
        ).data.rule,
      ).toBe('address')
      expect(
        (
          await call(afterSales.approveReturn, {
            ...(await at(refund_id)),
            address_id: addresses.get(merchant_id),
          })
        ).data.state,
      ).toBe('wait_return')
      expect(
        (
          await call(afterSales.fillReturnTracking, {
            ...(await at(refund_id)),
            tracking_no: `SF${3_000_000_000_000 + refund_id}`,
          })
        ).data.state,
      ).toBe('returning')
      expect(
        (await call(afterSales.confirmReceive, { ...(await at(refund_id)), condition: 'good' }))
          .data.state,
      ).toBe('paying')
    }
    await finishPayouts(database, unixNow())
    const back = await Promise.all(cases.map(row => caseOf(row.id)))
    expect([back.map(row => row.state), sum(back.map(row => row.amount_cents))]).toEqual([
      ['done', 'done'],
      cup.pay_cents + leaf.pay_cents,
    ])
    expect((await file(id)).lanes.map(lane => [lane.left, lane.refunded])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
    ])
  })
  it('is not agreed to where all or nothing goes back', async () => {
    const { id, cup } = await arrived('whole')
    const asked = await returns(id, [cup])
    expect(
      (
        await call(afterSales.approveReturn, {
          ...(await at(asked.id)),
          address_id: addresses.get(goods.merchant_id),
        })
      ).data.rule,
    ).toBe('policy')
  })
  it('is sent again by whose it is; what is only paid back stays one case, and of what is agreed to the merchant’s', async () => {
    const { id, leaf } = await arrived()
    const again = await returns(id, [leaf], 'resend')
    expect((await call(queue.approve, await seen(again.id))).data.state).toBe('done')
    const [sent] = await database.db.select().from(order).where(eq(order.reissue_of, id))
    expect([again.merchant_id, sent!.merchant_id, sent!.store_id]).toEqual([
      tea.merchant_id,
      tea.merchant_id,
      leaf.store_id,
    ])
    const other = await bought('part', [massage, meal])
    const both = await asks(other)
    expect(both.merchant_id).toBe(massage.merchant_id)
    const [, dish] = await itemsOf(other)
    await call(queue.approvePartial, {
      ...(await seen(both.id)),
      items: [dish!.id],
      override: false,
      reason: '只退一项',
    })
    expect(await caseOf(both.id)).toMatchObject({
      merchant_id: meal.merchant_id,
      amount_cents: dish!.pay_cents,
    })
  })
})

it('leaves every sum and state as it must be', async () => {
  expect(await broken(database)).toEqual({})
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
