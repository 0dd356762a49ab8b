import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { dropOldDrafts } from '#src/areas/merchant/onlineShops.server.ts'
import { openRested } from '#src/areas/merchant/stores.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { stores } from '#src/modules/shop/contract/stores.ts'
import { shops as calls } from '#src/modules/stores/contract/stores.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, sellAt } from '../../help/merchants.ts'
import { freshShop } from '../../help/shops.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let anna: Person
let ben: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  anna = await addStaff(database, { perms: ['*'] })
  ben = await addStaff(database, { perms: ['*'] })
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object, who: Person = anna) =>
  send(app, what, input, { token: who.token })
const done = async (what: Parameters<typeof send>[1], input: object, who: Person = anna) => {
  const said = await call(what, input, who)
  expect(said.status, said.message).toBe(200)
  return said.data
}
const rowOf = async (id: number) =>
  (await database.db.select().from(store).where(eq(store.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
const stateOf = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!.state
const listed = async (id: number, who: Person = anna) =>
  (await done(calls.lst, { keyword: String(id), pageSize: 100 }, who)).list.find(
    (one: { id: number }) => one.id === id,
  )
/** An open shop with a product on sale. */
const trading = async (of: Parameters<typeof freshShop>[2] = {}) => {
  const own = await freshMerchant(database)
  const shop = await freshShop(database, own, { status: 'open', ...of })
  return { own, shop, sold: await sellAt(database, own, [shop.id]) }
}
/** An order of a shop like one of the demo's that is paid and not sent. */
const orderAt = async (
  shop: { id: number; merchant_id: number },
  of: Partial<typeof order.$inferInsert> = {},
) => {
  const [like] = await database.db.select().from(order).where(eq(order.kind, 'elist')).limit(1)
  const { id: _, order_no: __, ...columns } = like!
  const [made] = await database.db
    .insert(order)
    .values({
      ...columns,
      order_no: `SHOP${shop.id}-${Object.keys(of).length}-${of.created_at ?? 0}`,
      store_id: shop.id,
      merchant_id: shop.merchant_id,
      pay_state: 'paid',
      refund_state: 'none',
      fulfil_state: 'waiting_ship',
      status: 'pending_ship',
      created_at: now - DAY,
      paid_at: now - DAY,
      promise_at: now + DAY,
      ...of,
    })
    .returning()
  return made!
}

describe('opening an online shop', () => {
  it('asks for an active merchant, a return address, a template and something to sell', async () => {
    const own = await freshMerchant(database)
    const shop = await freshShop(database, own)
    const { return_address_id, freight_template_id } = shop
    const refused = async (set: Partial<typeof store.$inferInsert>) => {
      await database.db.update(store).set(set).where(eq(store.id, shop.id))
      return (await call(calls.open, await held(shop.id))).data.rule
    }
    expect(await refused({ return_address_id: null })).toBe('needs_return_address')
    expect(await refused({ return_address_id, freight_template_id: null })).toBe('needs_freight')
    expect(await refused({ freight_template_id })).toBe('needs_goods')
    expect((await listed(shop.id)).blocks).toEqual(['goods'])
    await sellAt(database, own, [shop.id])
    await database.db.update(merchant).set({ status: 'frozen' }).where(eq(merchant.id, own.id))
    expect((await call(calls.open, await held(shop.id))).data.rule).toBe('merchant_inactive')
    await database.db.update(merchant).set({ status: 'active' }).where(eq(merchant.id, own.id))
    await done(calls.open, await held(shop.id))
    expect(await rowOf(shop.id)).toMatchObject({ status: 'open', status_reason: null })
  })
  it('does so by the clock too, and by the list of all stores', async () => {
    const own = await freshMerchant(database)
    const shop = await freshShop(database, own, { rest_until_at: now - 1 })
    await openRested(database, now)
    expect((await rowOf(shop.id)).status).toBe('resting')
    expect((await call(stores.open, await held(shop.id))).data.rule).toBe('needs_goods')
    await sellAt(database, own, [shop.id])
    await openRested(database, now)
    expect((await rowOf(shop.id)).status).toBe('open')
  })
})

describe('resting a shop', () => {
  it('hides what it sells, leaves its orders to be sent, and gives back what it took', async () => {
    const { shop, sold } = await trading()
    const waiting = await orderAt(shop)
    const past = await call(calls.rest, {
      ...(await held(shop.id)),
      reason: '盘点库存',
      until_at: now - 1,
    })
    expect(past.data.fields.until_at).toBeDefined()
    expect(await done(calls.effects, { id: shop.id })).toMatchObject({ goes_off: 1, unshipped: 1 })
    const rested = await done(calls.rest, { ...(await held(shop.id)), reason: '盘点库存' })
    expect([rested.taken_off, await stateOf(sold)]).toEqual([1, 'off_sale'])
    const [sent] = await database.db.select().from(order).where(eq(order.id, waiting.id))
    expect(sent!.fulfil_state).toBe('waiting_ship')
    expect((await done(calls.open, await held(shop.id))).given_back).toBe(1)
    expect(await stateOf(sold)).toBe('on_sale')
  })
  it('is done to several, and each that can’t is told', async () => {
    const one = await trading()
    const other = await trading({ status: 'closed' })
    const said = await done(calls.batchRest, {
      ids: [one.shop.id, other.shop.id],
      reason: '系统维护',
    })
    expect(said).toMatchObject({ ok: [one.shop.id], failed: [{ id: other.shop.id }] })
    expect((await rowOf(one.shop.id)).status).toBe('resting')
  })
})

describe('closing a shop', () => {
  it('waits until nothing is to be sent, asked back or settled', async () => {
    const { shop, sold } = await trading()
    const close = async () => call(calls.close, { ...(await held(shop.id)), reason: '不再经营' })
    const waiting = await orderAt(shop)
    expect((await close()).data.rule).toBe('unshipped')
    expect(await stateOf(sold)).toBe('on_sale')
    await database.db
      .update(order)
      .set({ fulfil_state: 'finished', status: 'finished' })
      .where(eq(order.id, waiting.id))
    const [like] = await database.db.select().from(refund).limit(1)
    const { id: _, refund_no: __, idem_key: ___, ...columns } = like!
    const values = { ...columns, refund_no: `SHOP${shop.id}`, order_id: waiting.id }
    await database.db.insert(refund).values({ ...values, state: 'applied', idem_key: null })
    expect((await close()).data.rule).toBe('after_sales')
    await database.db
      .update(refund)
      .set({ state: 'canceled' as never })
      .where(eq(refund.order_id, waiting.id))
    const [line] = await database.db.select().from(settle_line).limit(1)
    const { id: ____, ...money } = line!
    const [owed] = await database.db
      .insert(settle_line)
      .values({
        ...money,
        unit_no: 900_000 + shop.id,
        store_id: shop.id,
        merchant_cents: 1234,
        status: 'not_settled',
      })
      .returning()
    const said = await close()
    expect([said.data.rule, said.message]).toEqual([
      'unsettled',
      '还有 12.34 元未结算，结算后再关闭',
    ])
    await database.db
      .update(settle_line)
      .set({ status: 'settled' })
      .where(eq(settle_line.id, owed!.id))
    expect((await close()).status).toBe(200)
    expect([(await rowOf(shop.id)).status, await stateOf(sold)]).toEqual(['closed', 'off_sale'])
    expect((await call(calls.open, await held(shop.id))).data.rule).toBe('wrong_state')
  })
  it('is held to the same by the list of all stores', async () => {
    const { shop } = await trading()
    await orderAt(shop)
    const said = await call(stores.close, { ...(await held(shop.id)), reason: '不再经营' })
    expect(said.data.rule).toBe('unshipped')
  })
})

describe('the list of online shops', () => {
  it('tells what is sold, to be sent, sent late and asked back', async () => {
    const { shop } = await trading()
    await orderAt(shop)
    await orderAt(shop, { promise_at: now - 60, created_at: now - 2 * DAY })
    const back = { refund_state: 'refunded', status: 'refunded', fulfil_state: 'finished' } as const
    await orderAt(shop, { ...back, promise_at: now - 60, created_at: now - 3 * DAY })
    expect(await listed(shop.id)).toMatchObject({
      on_sale_count: 1,
      unshipped: 2,
      late_bp: 5000,
      refund_bp: 3333,
      blocks: [],
    })
  })
  it('has no store that stands somewhere, and no draft of anybody else', async () => {
    const own = await freshMerchant(database)
    const draft = await freshShop(database, own, { status: 'draft', draft_by: anna.id })
    expect(await listed(own.store_id)).toBeUndefined()
    expect([await listed(draft.id), await listed(draft.id, ben)]).toMatchObject([
      { status: 'draft' },
      undefined,
    ])
    const theirs = await call(calls.setSort, { ...(await held(draft.id)), sort: 3 }, ben)
    const offline = await call(calls.rest, { ...(await held(own.store_id)), reason: '不是网店' })
    expect([theirs.status, offline.status]).toEqual([404, 404])
  })
  it('forgets a draft that nobody touched for 30 days, and none that was submitted', async () => {
    const own = await freshMerchant(database)
    const old = { status: 'draft', draft_by: anna.id, updated_at: now - 31 * DAY } as const
    const gone = await freshShop(database, own, old)
    const kept = await freshShop(database, own, { ...old, updated_at: now - 29 * DAY })
    await dropOldDrafts(database.db, now)
    expect([await rowOf(gone.id), await rowOf(kept.id)]).toMatchObject([undefined, { id: kept.id }])
  })
  it('is in the order that was set, the highest first, and the log tells who set it', async () => {
    const { shop } = await trading()
    await done(calls.setSort, { ...(await held(shop.id)), sort: 9999 })
    const { list } = await done(calls.lst, { pageSize: 5 })
    expect(list[0].id).toBe(shop.id)
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(eq(op_log.action, 'stores.stores.setSort'))
      .orderBy(sql`id desc`)
      .limit(1)
    expect(line).toMatchObject({ object_id: shop.id, after: { sort: 9999 } })
  })
})
