import { and, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { codeRefusal } from '#src/areas/code/verifier.ts'
import { findCode } from '#src/areas/code/verify.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { openRested } from '#src/areas/merchant/stores.server.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { shopIndex } from '#src/modules/shop/contract/index.ts'
import { stores as calls } from '#src/modules/shop/contract/stores.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshOffer, freshStore, sellAt, soldCode } from '../../help/merchants.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const rowOf = async (id: number) =>
  (await database.db.select().from(store).where(eq(store.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
const productOf = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const stateOf = async (id: number) => (await productOf(id)).state
const rest = async (id: number, more: object = {}) =>
  call(calls.rest, { ...(await held(id)), reason: '内部装修', ...more })
const open = async (id: number) => call(calls.open, await held(id))
const close = async (id: number) => call(calls.close, { ...(await held(id)), reason: '租约到期' })
/** A merchant with two stores, a product of each alone and one of both. */
const chain = async () => {
  const own = await freshMerchant(database)
  const second = await freshStore(database, own)
  const [a, b] = [own.store_id, second.id]
  return {
    own,
    a,
    b,
    ofA: await sellAt(database, own, [a]),
    ofB: await sellAt(database, own, [b]),
    ofBoth: await sellAt(database, own, [a, b]),
  }
}
/** A mall of a test's own in a city, with a floor. */
const freshMall = async (of: Partial<typeof mall.$inferInsert> = {}) => {
  const [like] = await database.db.select().from(mall).where(eq(mall.status, 'online')).limit(1)
  const { id: _, ...columns } = like!
  const {
    rows: [next],
  } = await database.db.execute<{ n: number }>(sql`select count(*)::int n from mall`)
  const [made] = await database.db
    .insert(mall)
    .values({ ...columns, name: `测试商场${next!.n}`, city_id: 1, ...of })
    .returning()
  const [floor] = await database.db
    .insert(mall_floor)
    .values({ mid: made!.id, name: '1F', level_no: 1 })
    .returning()
  return { ...made!, floor_id: floor!.id }
}
const move = async (id: number, to: object) => call(calls.moveMall, { ...(await held(id)), ...to })

describe('a store that rests', () => {
  it('takes off sale what no other open store takes, told before, and gives back exactly that', async () => {
    const { a, ofA, ofB, ofBoth } = await chain()
    const before = (await call(calls.effects, { id: a })).data
    expect(before).toEqual({ goes_off: 1, comes_back: 0, codes_here: 0 })
    const rested = await rest(a)
    expect([rested.status, rested.data.taken_off]).toEqual([200, 1])
    expect([await stateOf(ofA), await stateOf(ofB), await stateOf(ofBoth)]).toEqual([
      'off_sale',
      'on_sale',
      'on_sale',
    ])
    expect((await call(calls.effects, { id: a })).data.comes_back).toBe(1)
    const opened = await open(a)
    expect([opened.status, opened.data.given_back]).toEqual([200, 1])
    expect(await stateOf(ofA)).toBe('on_sale')
  })
  it('still takes codes that were sold, and a closed one does not', async () => {
    const { a, ofA } = await chain()
    const { code } = await soldCode(database, ofA)
    const refusal = async () => codeRefusal((await findCode(database.db, code, a))!, now)?.rule
    await rest(a)
    expect(await refusal()).toBeUndefined()
    await database.db.update(store).set({ status: 'closed' }).where(eq(store.id, a))
    expect(await refusal()).toBe('store_closed')
  })
  it('opens by itself when its time has come, in the name of the system', async () => {
    const { a, ofA } = await chain()
    expect((await rest(a, { until_at: now + DAY })).status).toBe(200)
    await openRested(database, now + DAY - 1)
    expect((await rowOf(a)).status).toBe('resting')
    await openRested(database, now + DAY)
    expect(await rowOf(a)).toMatchObject({ status: 'open', rest_until_at: null })
    expect(await stateOf(ofA)).toBe('on_sale')
    const lines = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'store'), eq(op_log.object_id, a)))
    expect(lines.some(one => one.action === 'shop.stores.restOver' && one.admin_id === null)).toBe(
      true,
    )
  })
  it('of a frozen merchant does not open, neither by hand nor by the clock', async () => {
    const { own, a } = await chain()
    await rest(a, { until_at: now + DAY })
    await database.db.update(merchant).set({ status: 'frozen' }).where(eq(merchant.id, own.id))
    const said = await open(a)
    expect([said.status, said.data.rule]).toEqual([422, 'merchant_inactive'])
    await openRested(database, now + DAY)
    expect((await rowOf(a)).status).toBe('resting')
  })
  it('is refused a time that is over or too far, and a second rest', async () => {
    const { a } = await chain()
    for (const until_at of [now - 1, now + 400 * DAY])
      expect(Object.keys((await rest(a, { until_at })).data.fields)).toEqual(['until_at'])
    const one = await held(a)
    expect((await rest(a)).status).toBe(200)
    expect((await rest(a)).data.rule).toBe('wrong_state')
    const late = await call(calls.rest, { ...one, reason: '也要暂停' })
    expect(late.status).toBe(409)
    expect(late.message).toContain(me.account)
  })
})

describe('closing a store', () => {
  it('is refused while a paid code can be redeemed there alone, and nothing changes', async () => {
    const { a, ofA } = await chain()
    const code = await soldCode(database, ofA)
    expect((await call(calls.effects, { id: a })).data.codes_here).toBe(1)
    const said = await close(a)
    expect([said.status, said.data.rule]).toEqual([422, 'codes_here'])
    expect([(await rowOf(a)).status, await stateOf(ofA)]).toEqual(['open', 'on_sale'])
    await database.db
      .update(order_code)
      .set({
        state: 'used',
        left_times: 0,
        left_pay_cents: 0,
        left_platform_cents: 0,
        left_settle_cents: 0,
        times_used: code.times_total,
      })
      .where(eq(order_code.id, code.id))
    expect((await close(a)).data.taken_off).toBe(1)
    expect(await rowOf(a)).toMatchObject({ status: 'closed', status_reason: '租约到期' })
  })
  it('goes through where another store takes the code, open or resting', async () => {
    const { a, b, ofBoth } = await chain()
    await soldCode(database, ofBoth)
    await rest(b)
    expect((await call(calls.effects, { id: a })).data.codes_here).toBe(0)
    expect((await close(a)).status).toBe(200)
    expect(await stateOf(ofBoth)).toBe('off_sale')
    await open(b)
    expect(await stateOf(ofBoth)).toBe('on_sale')
  })
  it('counts codes of an order that was moved there', async () => {
    const { own, a, b, ofB } = await chain()
    const code = await soldCode(database, ofB)
    await database.db.execute(
      sql`update order_item set snapshot = snapshot || ${JSON.stringify({ moved_to: a })}::jsonb where id = ${code.item_id}`,
    )
    await database.db
      .update(order)
      .set({ store_id: a, merchant_id: own.id })
      .where(eq(order.id, code.order_id))
    await close(b)
    expect((await close(a)).data.rule).toBe('codes_here')
  })
  it('is for good', async () => {
    const { a } = await chain()
    await close(a)
    for (const said of [await open(a), await rest(a), await close(a)])
      expect(said.data.rule).toBe('wrong_state')
  })
})

describe('where a store stands', () => {
  it('is a floor of its mall, none outside, and a door that no other open store has', async () => {
    const own = await freshMerchant(database)
    const other = await freshStore(database, own)
    const [here, there] = [await freshMall(), await freshMall()]
    const wrong = await move(own.store_id, { mid: here.id, floor_id: there.floor_id })
    expect([wrong.status, Object.keys(wrong.data.fields)]).toEqual([400, ['floor_id']])
    const out = await move(own.store_id, { mid: 0, floor_id: here.floor_id })
    expect([out.status, Object.keys(out.data.fields)]).toEqual([400, ['floor_id']])
    const at = { mid: here.id, floor_id: here.floor_id, door_no: '101' }
    expect((await move(own.store_id, at)).status).toBe(200)
    expect(await rowOf(own.store_id)).toMatchObject({
      mall_id: here.id,
      floor: '1F',
      door_no: '101',
    })
    expect((await move(other.id, at)).data.rule).toBe('door_taken')
    // A resting store gives its door to nobody for good: it must find another when it opens.
    await rest(own.store_id)
    expect((await move(other.id, at)).status).toBe(200)
    expect((await open(own.store_id)).data.rule).toBe('door_taken')
  })
  it('changes within its city, and leaves what was sold with the old mall', async () => {
    const own = await freshMerchant(database)
    const offer = await sellAt(database, own, [own.store_id])
    const far = await freshMall({ city_id: 2 })
    const said = await move(own.store_id, { mid: far.id })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, ['mid']])
    const closed = await freshMall({ status: 'closed' })
    expect((await move(own.store_id, { mid: closed.id })).status).toBe(400)
    const sold = await soldCode(database, offer)
    const mallOf = async () =>
      (await database.db.select().from(order).where(eq(order.id, sold.order_id)))[0]!.mall_id
    const before = await mallOf()
    const to = await freshMall()
    expect((await move(own.store_id, { mid: to.id })).status).toBe(200)
    expect([await mallOf(), (await productOf(offer)).mall_id]).toEqual([before, to.id])
  })
  it('is changed for several stores at once, with a result for each', async () => {
    const own = await freshMerchant(database)
    const [second, outside] = [await freshStore(database, own), await freshStore(database, own)]
    const here = await freshMall()
    await move(own.store_id, { mid: here.id, door_no: '7' })
    await move(second.id, { mid: here.id, door_no: '7' })
    const ids = [own.store_id, second.id, outside.id]
    const said = await call(calls.batchMoveFloor, { ids, floor_id: here.floor_id })
    expect(said.data.ok).toEqual([own.store_id])
    expect(said.data.failed.map((one: { code: string }) => one.code)).toEqual([
      'door_taken',
      'other_mall',
    ])
  })
})

describe('a clerk', () => {
  const add = (id: number, phone: string, name?: string) =>
    call(calls.addVerifier, { id, phone, ...(name && { name }) })
  it('is made by a name, bound to further stores of the merchant, and of no other merchant', async () => {
    const { a, b } = await chain()
    const phone = `139${String(10_000_000 + a)}`
    expect(Object.keys((await add(a, phone)).data.fields)).toEqual(['name'])
    expect((await add(a, phone, '王小明')).data.made).toBe(true)
    expect((await add(b, phone)).data.made).toBe(false)
    expect((await add(b, phone)).data.rule).toBe('already')
    const [known] = await database.db.select().from(verifier).where(eq(verifier.phone, phone))
    expect(known!.store_ids).toEqual([a, b])
    const foreign = await freshMerchant(database)
    const said = await add(foreign.store_id, phone, '王小明')
    expect([said.status, said.data.rule]).toEqual([422, 'other_merchant'])
  })
})

describe('the list of stores', () => {
  const ids = async (filters: object) =>
    (await call(calls.lst, { ...filters, pageSize: 200 })).data.list.map(
      (row: { id: number }) => row.id,
    )
  it('is filtered by place, merchant, what is sold and what lacks', async () => {
    const { own, a, b, ofB } = await chain()
    const of = { merchant_id: own.id }
    expect(await ids(of)).toEqual([b, a])
    const here = await freshMall()
    await move(a, { mid: here.id, floor_id: here.floor_id, door_no: '9' })
    expect(await ids({ mid: here.id })).toEqual([a])
    expect(await ids({ mid: here.id, floor_id: here.floor_id })).toEqual([a])
    expect(await ids({ ...of, mid: 0 })).toEqual([b])
    await database.db
      .update(product)
      .set({ state: 'off_sale' })
      .where(eq(product.merchant_id, own.id))
    await database.db.update(product).set({ state: 'on_sale' }).where(eq(product.id, ofB))
    expect(await ids({ ...of, no_deals: true })).toEqual([a])
    const whole = { lng_e6: 1, lat_e6: 1, brand_id: 1, logo: 'x' }
    await database.db.update(store).set(whole).where(eq(store.id, a))
    expect(await ids({ ...of, problem: true })).toEqual([b])
    const [row] = (await call(calls.lst, { ...of, keyword: String(b) })).data.list
    expect(row.problems).toEqual(['pin', 'brand', 'logo'])
  })
  it('counts each state whatever the tab, and shows recommended ones', async () => {
    const { own, a, b } = await chain()
    await rest(b)
    expect((await call(calls.recommend, await held(a))).status).toBe(200)
    expect((await call(calls.recommend, await held(b))).data.rule).toBe('wrong_state')
    const said = await call(calls.lst, { merchant_id: own.id, status: 'open' })
    expect([said.data.total, said.data.stat]).toEqual([1, { open: 1, resting: 1 }])
    expect(await ids({ merchant_id: own.id, recommended: true })).toEqual([a])
    expect((await call(calls.unrecommend, await held(a))).status).toBe(200)
    expect(await ids({ merchant_id: own.id, recommended: true })).toEqual([])
  })
  it('rests several, each with its own result', async () => {
    const { a, b, ofBoth } = await chain()
    await close(b)
    const said = await call(calls.batchRest, { ids: [a, b], reason: '台风' })
    expect(said.data.ok).toEqual([a])
    expect(said.data.failed).toMatchObject([{ id: b, code: 'wrong_state' }])
    expect(await stateOf(ofBoth)).toBe('off_sale')
  })
})

describe('random histories of a chain', () => {
  type Does = 'rest' | 'open' | 'close' | 'freeze' | 'unfreeze' | 'off' | 'force' | 'sell'
  const step = fc.record({
    does: fc.constantFrom<Does>(
      'rest',
      'open',
      'rest',
      'open',
      'close',
      'freeze',
      'unfreeze',
      'off',
      'force',
      'sell',
    ),
    at: fc.nat(2),
  })
  it(
    'leave on sale just what people want sold, of an active merchant, that an open store takes',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async steps => {
          const { own, a, b, ofA, ofB, ofBoth } = await chain()
          const offers = [ofA, ofB, ofBoth]
          const takers = [[a], [b], [a, b]]
          const wanted = [true, true, true]
          const isOpen = async (id: number) => (await rowOf(id)).status === 'open'
          const merchantHeld = async () => {
            const [row] = await database.db.select().from(merchant).where(eq(merchant.id, own.id))
            return { id: own.id, version: row!.version, status: row!.status }
          }
          for (const { does, at } of steps) {
            const shop = [a, b, a][at]!
            const id = offers[at]!
            if (does === 'rest') await rest(shop)
            else if (does === 'open') await open(shop)
            else if (does === 'close') await close(shop)
            else if (does === 'freeze' || does === 'unfreeze') {
              const { status: _, ...one } = await merchantHeld()
              await call(shopIndex[does], { ...one, reason: '调查资质' })
            } else {
              const may =
                (await merchantHeld()).status === 'active' &&
                (await Promise.all(takers[at]!.map(isOpen))).some(Boolean)
              const to = { off: 'off_sale', force: 'forced_off', sell: 'on_sale' } as const
              const from = does === 'sell' ? ['off_sale', 'forced_off'] : ['on_sale']
              if (does === 'sell' && !may) continue
              const done = await database.db
                .update(product)
                .set({ state: to[does], taken_off: [] })
                .where(and(eq(product.id, id), inArray(product.state, from as never)))
                .returning({ id: product.id })
              if (done.length > 0) wanted[at] = does === 'sell'
            }
            for (const [k, offer] of offers.entries()) {
              const may =
                (await merchantHeld()).status === 'active' &&
                (await Promise.all(takers[k]!.map(isOpen))).some(Boolean)
              expect([does, (await stateOf(offer)) === 'on_sale']).toEqual([does, may && wanted[k]])
            }
          }
        }),
        { numRuns: 12 },
      ),
    240_000,
  )
})

describe('a store outside a person’s places', () => {
  it('is not found by any of the calls', async () => {
    const { a } = await chain()
    const role = { scope_type: 'city' as const, scope_ids: [2] }
    const other = await addStaff(database, { perms: ['*'], role })
    const said = await call(calls.rest, { ...(await held(a)), reason: '越权' }, other.token)
    expect(said.status).toBe(404)
    expect((await rowOf(a)).status).toBe('open')
  })
})

it('a product that no store was ever named for stays as it is', async () => {
  const own = await freshMerchant(database)
  const offer = await freshOffer(database, { merchant_id: own.id, store_id: own.store_id })
  await rest(own.store_id)
  expect(await stateOf(offer.id)).toBe('on_sale')
})
