import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { system } from '#src/areas/order/orderFacts.server.ts'
import { markPaid } from '#src/areas/order/orderPaid.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { placeExchange } from '#src/areas/points/exchange.server.ts'
import { earnPoints } from '#src/areas/points/points.server.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import { points_stock_log } from '#src/areas/points/shop.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { goodsDetail, goodsEdit } from '#src/modules/vip/contract/pointsGoods.ts'
import { pointsShop as calls } from '#src/modules/vip/contract/pointsShop.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { freshShopGoods, freshZone } from '../../help/pointsShop.ts'
import { couponOf } from '../../help/redeem.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let product_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['vip.pointsShop.*', 'order.pointsShopList.*'] })
  product_id = (await database.transaction(tx => freshProduct(tx, 'elist'))).item.id
})
type What = Parameters<typeof send>[1]
let keys = 0
const call = (what: What, input: object, token = me.token) =>
  send(app, what, input, { token, key: `points-shop-${++keys}` })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rowOf = async (id: number) =>
  (await database.db.select().from(points_goods).where(eq(points_goods.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
const reason = '活动调整'
const shelf = (more: Partial<typeof points_goods.$inferInsert> = {}) =>
  freshShopGoods(database.db, {
    kind: 'physical',
    name: '保温杯',
    product_id,
    points_price: 100,
    cash_cents: 500,
    stock: 10,
    delivery: 'express',
    status: 'on',
    ...more,
  })
const saver = async (level = 5) => {
  const who = await freshMember(database, { level, growth: 1_000_000 })
  await database.transaction(tx =>
    earnPoints(tx, {
      member_id: who.id,
      points: 5000,
      expire_at: unixNow() + 86_400 * 90,
      biz_kind: 'activity',
      biz_no: `S${who.id}`,
      title: '测试',
      now: unixNow() - 100,
    }),
  )
  return who.id
}
const receiver = {
  name: '张三',
  phone: '13800000000',
  area: '上海市 上海市 静安区',
  address: '南京西路 1 号',
}
const exchange = async (goods_id: number, member_id: number, qty = 1) =>
  database.transaction(tx =>
    placeExchange(tx, { member_id, points_goods_id: goods_id, qty, receiver, now: unixNow() }),
  )
/** What the account of the stock of goods comes to. */
const booked = async (id: number) =>
  (
    await database.db
      .select({ n: sql<number>`coalesce(sum(${points_stock_log.delta}), 0)::int` })
      .from(points_stock_log)
      .where(eq(points_stock_log.goods_id, id))
  )[0]!.n

const written = (more: object = {}) => ({
  zone_id: 1,
  kind: 'physical',
  name: '保温杯',
  product_id,
  coupon_id: null,
  points_price: 100,
  cash_cents: 0,
  original_cents: 9900,
  cost_cents: 3000,
  limit_per_member: null,
  level_min: null,
  delivery: 'express',
  start_at: null,
  end_at: null,
  images: [],
  detail: '',
  stock: 5,
  ...more,
})

describe('zones', () => {
  it('are named once, ordered as a whole, and deleted only when they are empty', async () => {
    const zone = await done(calls.addZone, { name: '春日好礼', kind: 'normal' })
    const again = await call(calls.addZone, { name: '春日好礼', kind: 'flash' })
    expect([again.status, again.data.rule]).toEqual([422, 'name_taken'])
    const goods = await shelf({ zone_id: zone.id })
    const used = await call(calls.editZone, { ...zone, name: '春日', kind: 'level' })
    expect([used.status, used.data.rule]).toEqual([422, 'zone_in_use'])
    expect((await call(calls.delZone, zone)).data.rule).toBe('zone_not_empty')
    const to = await freshZone(database.db)
    await done(calls.moveItem, { ...(await held(goods.id)), zone_id: to.id })
    await done(calls.delZone, zone)
    const { list, list_version } = await done(calls.zones, {})
    const ids: number[] = list.map((one: { id: number }) => one.id)
    await done(calls.sortZones, { order: [...ids].reverse(), list_version })
    const late = await call(calls.sortZones, { order: ids, list_version })
    expect(late.status).toBe(409)
    const now = (await done(calls.zones, {})).list.map((one: { id: number }) => one.id)
    expect(now).toEqual([...ids].reverse())
  })
})
describe('goods of a zone', () => {
  it('stand by descending numbers of their own, whatever is done to them', async () => {
    const zone = await freshZone(database.db)
    const ids: number[] = []
    for (let n = 0; n < 4; n++) {
      const { id } = await done(goodsEdit.saveDraft, written({ zone_id: zone.id }))
      ids.unshift(id)
    }
    const order = async () =>
      (await done(calls.goods, { zone_id: zone.id })).list.map((row: { id: number }) => row.id)
    expect(await order()).toEqual(ids)
    await done(calls.toTop, await held(ids[2]!))
    expect(await order()).toEqual([ids[2], ids[0], ids[1], ids[3]])
    const first = await call(calls.toTop, await held(ids[2]!))
    expect(first.data.rule).toBe('first_already')
    const { list_version } = await done(calls.goods, { zone_id: zone.id })
    await done(calls.sortItems, { zone_id: zone.id, order: ids, list_version })
    expect(await order()).toEqual(ids)
    const sorts = (await done(calls.goods, { zone_id: zone.id })).list.map(
      (row: { sort: number }) => row.sort,
    )
    expect(sorts).toEqual([4, 3, 2, 1])
    const stale = await call(calls.sortItems, { zone_id: zone.id, order: ids, list_version })
    expect([stale.status, stale.data.current.order]).toEqual([409, ids])
  })
  it('are ordered by nobody who does not see all of them', async () => {
    const zone = await freshZone(database.db)
    const [mine] = [await shelf({ zone_id: zone.id })]
    const other = await database.transaction(tx => freshProduct(tx, 'elist'))
    await database.db.update(product).set({ city_id: 999 }).where(eq(product.id, other.item.id))
    await shelf({ zone_id: zone.id, product_id: other.item.id })
    const [{ city_id }] = (await database.db
      .select({ city_id: product.city_id })
      .from(product)
      .where(eq(product.id, product_id))) as [{ city_id: number }]
    const local = await addStaff(database, {
      perms: ['vip.pointsShop.*'],
      role: { scope_type: 'city', scope_ids: [city_id] },
    })
    const seen = await call(calls.goods, { zone_id: zone.id }, local.token)
    expect(seen.data).toMatchObject({ list: [{ id: mine!.id }], hidden: 1 })
    const { list_version } = await done(calls.goods, { zone_id: zone.id })
    const sorted = await call(
      calls.sortItems,
      { zone_id: zone.id, order: [mine!.id], list_version },
      local.token,
    )
    expect([sorted.status, sorted.data.rule]).toEqual([422, 'not_whole'])
  })
})
describe('goods', () => {
  it('are written as a draft, agree with themselves, and go on the shelf with their stock', async () => {
    const zone = await freshZone(database.db)
    const bad = await call(
      goodsEdit.saveDraft,
      written({ zone_id: zone.id, start_at: 2_000_000_000, end_at: 1_900_000_000 }),
    )
    expect([bad.status, Object.keys(bad.data.fields)]).toEqual([400, ['end_at']])
    const wrong = await call(goodsEdit.saveDraft, written({ zone_id: zone.id, delivery: 'pickup' }))
    expect([wrong.status, Object.keys(wrong.data.fields)]).toEqual([400, ['delivery']])
    const made = await done(goodsEdit.saveDraft, written({ zone_id: zone.id, stock: 0 }))
    expect((await call(calls.onShelf, made)).data.rule).toBe('goods_onShelf')
    const body = { ...written({ zone_id: zone.id, stock: 7 }), ...made }
    await done(goodsEdit.submit, body)
    expect(await rowOf(made.id)).toMatchObject({ status: 'on', stock: 7 })
    expect(await booked(made.id)).toBe(7)
    const draft = await call(goodsEdit.discardDraft, await held(made.id))
    expect([draft.status, draft.data.rule]).toEqual([422, 'goods_discard'])
    const thrown = await done(goodsEdit.saveDraft, written({ zone_id: zone.id }))
    await done(goodsEdit.discardDraft, thrown)
    expect(await rowOf(thrown.id)).toBeUndefined()
  })
  it('meet the terms of their zone on its shelf', async () => {
    const level = await freshZone(database.db, { kind: 'level' })
    const flash = await freshZone(database.db, { kind: 'flash' })
    const ofLevel = await call(goodsEdit.submit, written({ zone_id: level.id }))
    expect([ofLevel.status, Object.keys(ofLevel.data.fields)]).toEqual([400, ['level_min']])
    const goods = await shelf()
    const moved = await call(calls.moveItem, { ...(await held(goods.id)), zone_id: flash.id })
    expect([moved.status, Object.keys(moved.data.fields)]).toEqual([400, ['end_at']])
    await done(goodsEdit.submit, written({ zone_id: level.id, level_min: 3 }))
  })
  it('keep their kind once they were exchanged, and unpaid orders their price', async () => {
    const goods = await shelf()
    const made = await exchange(goods.id, await saver())
    const { id: _, version: __, stock: ___, ...body } = { id: 0, version: 0, ...written() }
    const other = { ...body, zone_id: goods.zone_id, ...(await held(goods.id)) }
    const changed = await call(goodsEdit.saveDraft, { ...other, kind: 'ecard', delivery: 'auto' })
    expect([changed.status, Object.keys(changed.data.fields)]).toEqual([400, ['kind']])
    await done(goodsEdit.saveDraft, { ...other, points_price: 900 })
    const [kept] = await database.db.select().from(order).where(eq(order.id, made.id))
    expect(kept).toMatchObject({ points_used: 100, pay_cents: 500 })
  })
  it('give a coupon that is given out, and has pieces for the stock', async () => {
    const coupon = await couponOf(database, { total: 3 })
    const zone = await freshZone(database.db)
    const body = written({
      zone_id: zone.id,
      kind: 'coupon',
      coupon_id: coupon.id,
      delivery: 'auto',
      stock: 4,
    })
    const short = await call(goodsEdit.submit, body)
    expect([short.status, short.data.rule]).toEqual([422, 'coupon_short'])
    await done(goodsEdit.submit, { ...body, stock: 3 })
    const cash = await call(goodsEdit.submit, { ...body, stock: 1, cash_cents: 100 })
    expect(Object.keys(cash.data.fields)).toEqual(['cash_cents'])
  })
  it('are exchanged in their time and from their level on', async () => {
    const now = unixNow()
    const over = await shelf({ start_at: now - 1000, end_at: now - 10 })
    const high = await shelf({ level_min: 4 })
    const who = await saver()
    const low = await saver(3)
    const rule = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: Refusal) => error.data['rule'],
      )
    expect(await rule(exchange(over.id, who))).toBe('not_now')
    expect(await rule(exchange(high.id, low))).toBe('level')
    expect(await rule(exchange(high.id, who))).toBe('done')
  })
})
describe('stock', () => {
  it('is refilled and set with a reason, never below what waits for payment', async () => {
    const goods = await shelf()
    await exchange(goods.id, await saver(), 3)
    const low = await call(calls.setStock, { ...(await held(goods.id)), stock: 2, reason })
    expect([low.status, Object.keys(low.data.fields)]).toEqual([400, ['stock']])
    await done(calls.setStock, { ...(await held(goods.id)), stock: 3, reason })
    const more = await done(goodsDetail.refill, { ...(await held(goods.id)), quantity: 4, reason })
    expect(more.stock).toBe(7)
    const { list } = await done(goodsDetail.moves, { id: goods.id, page: 1, pageSize: 10 })
    expect(list).toMatchObject([
      { kind: 'refill', delta: 4, stock_after: 7, reason },
      { kind: 'adjust', delta: -7, stock_after: 3 },
      { kind: 'init', delta: 10 },
    ])
  })
  it('is what its account comes to, over any history', async () => {
    const step = fc.oneof(
      fc.constant('exchange' as const),
      fc.constant('close' as const),
      fc.constant('pay' as const),
      fc.constant('refill' as const),
      fc.constant('set' as const),
    )
    const who = await saver()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async steps => {
        const goods = await shelf({ stock: 4, points_price: 1 })
        const open: number[] = []
        for (const what of steps) {
          if (what === 'exchange')
            await exchange(goods.id, who).then(
              made => open.push(made.id),
              (error: unknown) => expect(error).toBeInstanceOf(Refusal),
            )
          else if (what === 'refill')
            await done(goodsDetail.refill, { ...(await held(goods.id)), quantity: 2, reason })
          else if (what === 'set')
            await call(calls.setStock, { ...(await held(goods.id)), stock: 3, reason })
          else {
            const id = open.shift()
            if (id === undefined) continue
            await database.transaction(tx =>
              what === 'pay'
                ? markPaid(tx, id, { cents: 500, deposit: false, now: unixNow() })
                : closeUnpaid(tx, id, unixNow(), { type: 'system', actor: system, reason }),
            )
          }
          const now = await rowOf(goods.id)
          expect(now.stock).toBe(await booked(goods.id))
          expect(now.held).toBe(open.length)
          expect(now.stock).toBeGreaterThanOrEqual(now.held)
        }
      }),
      { numRuns: 12 },
    )
  })
  it('is told with what became of the goods: days, levels, limits and refunds', async () => {
    const goods = await shelf({ limit_per_member: 1 })
    const who = await saver()
    await exchange(goods.id, who)
    const facts = await done(goodsDetail.facts, { id: goods.id })
    expect(facts).toMatchObject({ limited_n: 1, levels: [{ name: 'V5', n: 1 }], refunded_n: 0 })
    expect(facts.days.at(-1).n).toBe(1)
    expect(facts.days).toHaveLength(30)
    const { list } = await done(goodsDetail.lst, { goods_id: goods.id, page: 1, pageSize: 10 })
    expect(list).toMatchObject([{ member_id: who, qty: 1, points: 100, cash_cents: 500 }])
    const copy = await done(goodsDetail.copyItem, await held(goods.id))
    expect(await rowOf(copy.id)).toMatchObject({ status: 'draft', stock: 0, sold: 0 })
  })
})
