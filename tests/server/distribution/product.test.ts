import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_product } from '#src/areas/commission/commission.table.ts'
import { endDistributed } from '#src/areas/commission/distributed.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { distributedGoods as calls } from '#src/modules/distribution/contract/product.ts'
import { distributedServer } from '#src/modules/distribution/server/product.ts'
import { goods as shopGoods } from '#src/modules/shop/contract/goods.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { fill } from '../../help/fill.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let boss: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  boss = await addStaff(database, {
    perms: ['distribution.index.product.*', 'shop.goods.setDistribution'],
  })
})
type What = Parameters<typeof send>[1]
let keys = 0
const call = (what: What, input: object) =>
  send(app, what, input, { token: boss.token, key: `distributed-${++keys}` })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
/** Goods at 100 yuan, of which 20 are the platform's. */
const fresh = async () => {
  const { item } = await database.transaction(tx => freshProduct(tx))
  await database.db
    .update(product)
    .set({
      price_cents: 10_000,
      settle_price_cents: 8000,
      commission_bp: 2000,
      distribution_bp: null,
    })
    .where(eq(product.id, item.id))
  return item.id
}
const rowOf = async (ref_id: number) =>
  (await database.db.select().from(dist_product).where(eq(dist_product.ref_id, ref_id)))[0]!
const productOf = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const one = async (ref_id: number) => {
  const { id, version } = await rowOf(ref_id)
  return { id, version }
}
const added = async () => {
  const id = await fresh()
  await done(calls.add, { ref_ids: [id], rate_bp: 500, guide_bp: 100 })
  return id
}
const reason = '季度调佣'
const terms = { commission_kind: 'rate', fixed_cents: 0, guide_bp: 100, waiver: '', reason }

describe('distributed goods', () => {
  it('are added once, on sale, at a rate that leaves something', async () => {
    const id = await added()
    expect(await rowOf(id)).toMatchObject({ status: 'on', rate_bp: 500, guide_bp: 100 })
    expect((await productOf(id)).distribution_bp).toBe(500)
    const again = await done(calls.add, { ref_ids: [id], rate_bp: 400 })
    expect(again).toMatchObject({ ok: [], failed: [{ id, code: 'distributed_already' }] })
    const much = await done(calls.add, { ref_ids: [await fresh()], rate_bp: 1950 })
    expect(much.failed[0]).toMatchObject({
      code: 'margin',
      msg: expect.stringContaining('20.10 元'),
    })
    const off = await fresh()
    await database.db.update(product).set({ state: 'off_sale' }).where(eq(product.id, off))
    expect((await done(calls.add, { ref_ids: [off], rate_bp: 100 })).failed[0].code).toBe(
      'not_on_sale',
    )
  })
  it('change their rate within the margin and the ceiling, which says the sum', async () => {
    const id = await added()
    const much = await call(calls.editRate, { ...(await one(id)), ...terms, rate_bp: 1841 })
    expect([much.status, much.data.fields.rate_bp]).toEqual([400, expect.stringContaining('20.01')])
    await done(calls.editRate, { ...(await one(id)), ...terms, rate_bp: 1840 })
    expect((await productOf(id)).distribution_bp).toBe(1840)
    const fixed = { ...terms, commission_kind: 'fixed', rate_bp: 0, fixed_cents: 700 }
    await done(calls.editRate, { ...(await one(id)), ...fixed })
    expect(await rowOf(id)).toMatchObject({ commission_kind: 'fixed', fixed_cents: 700 })
    const stale = await call(calls.editRate, { ...(await one(id)), version: 1, ...fixed })
    expect([stale.status, stale.message]).toEqual([409, expect.stringContaining(boss.account)])
  })
  it('count what levels and leaders add against the margin', async () => {
    const id = await added()
    const level = await call(calls.setLevelPlus, { ...(await one(id)), level_plus: { 5: 1500 } })
    expect(level.data.fields.level_plus).toContain('超过售价减结算价')
    await done(calls.setLevelPlus, { ...(await one(id)), level_plus: { 4: 100, 5: 900 } })
    const leader = await call(calls.setLeader, { ...(await one(id)), leader_bp: 500 })
    expect(leader.data.fields.leader_bp).toContain('团长 5.00')
    await done(calls.setLeader, { ...(await one(id)), leader_bp: 100 })
    expect(await rowOf(id)).toMatchObject({ level_plus: { 4: 100, 5: 900 }, leader_bp: 100 })
    await done(calls.setLeader, { ...(await one(id)), leader_bp: null })
  })
  it('go off and on again, and end with their product', async () => {
    const id = await added()
    await done(calls.off, { ...(await one(id)), reason })
    expect((await productOf(id)).distribution_bp).toBeNull()
    expect((await call(calls.off, { ...(await one(id)), reason })).status).toBe(422)
    await done(calls.on, await one(id))
    expect((await productOf(id)).distribution_bp).toBe(500)
    expect((await call(calls.on, await one(id))).status).toBe(422)
    await database.db.update(product).set({ state: 'ended' }).where(eq(product.id, id))
    await database.transaction(tx => endDistributed(tx, unixNow()))
    expect((await rowOf(id)).status).toBe('ended')
    expect((await call(calls.on, await one(id))).data.rule).toBe('not_on_sale')
    const timed = await added()
    await database.db
      .update(dist_product)
      .set({ end_at: unixNow() + DAY })
      .where(eq(dist_product.ref_id, timed))
    await database.transaction(tx => endDistributed(tx, unixNow() + 2 * DAY))
    expect((await rowOf(timed)).status).toBe('ended')
  })
  it('change together, each that its margin bears', async () => {
    const [cheap, dear] = [await added(), await added()]
    await database.db.update(product).set({ settle_price_cents: 9300 }).where(eq(product.id, cheap))
    const ids = [(await one(cheap)).id, (await one(dear)).id]
    const said = await done(calls.batchRate, { ids, rate_bp: 900, reason })
    expect(said).toMatchObject({ ok: [ids[1]], failed: [{ id: ids[0], code: 'margin' }] })
    expect([(await rowOf(cheap)).rate_bp, (await rowOf(dear)).rate_bp]).toEqual([500, 900])
  })
  it('are the same wherever they are set: on the list of group-buys too', async () => {
    const id = await fresh()
    const set = async (rate_bp: number | null) =>
      done(shopGoods.setDistribution, { id, version: (await productOf(id)).version, rate_bp })
    await set(700)
    expect(await rowOf(id)).toMatchObject({ status: 'on', rate_bp: 700 })
    await set(null)
    expect(await rowOf(id)).toMatchObject({ status: 'off' })
    const much = await call(shopGoods.setDistribution, {
      id,
      version: (await productOf(id)).version,
      rate_bp: 1990,
    })
    expect([much.status, much.data.rule]).toEqual([422, 'margin'])
  })
})
describe('the list', () => {
  it('shows what is left, and finds what is thin', async () => {
    const id = await added()
    const find = (more: object) =>
      done(calls.lst, { page: 1, pageSize: 10, keyword: String(id), ...more })
    expect((await find({})).list).toMatchObject([
      { ref_id: id, kept_cents: 1340, kept_bp: 1340, seller_share_bp: 500, sold_count: 0 },
    ])
    expect((await find({ thin: true })).list).toEqual([])
    await done(calls.editRate, { ...(await one(id)), ...terms, rate_bp: 1700 })
    expect((await find({ thin: true })).list).toMatchObject([{ ref_id: id, kept_bp: 140 }])
    expect(
      (await done(calls.found, { page: 1, pageSize: 10, keyword: (await productOf(id)).title }))
        .list,
    ).toEqual([])
  })
  onlyOn('postgres')('on PostgreSQL', () => {
    it('is found by an index, whatever it is filtered by', async () => {
      await fill(
        database.pool,
        `insert into dist_product (ref_kind, ref_id, city_id, mall_id, rate_bp, start_at, sort, status) select 'film', n, n % 300, n % 400, 100, 1, n, case when n % 100 = 0 then 'off' else 'on' end from generate_series(1, 20000) n`,
      )
      await database.pool.query('vacuum analyze dist_product')
      const staff = { id: 1, scope: everything, lang: 'zh', can: () => true, field: () => 'show' }
      const filters = {
        none: {},
        status: { status: 'off' },
        keyword: { keyword: '12' },
        city: { city_id: 5 },
        mall: { mid: 7 },
      }
      const scanned: string[] = []
      for (const [name, filter] of Object.entries(filters)) {
        const plans = await plansOf(database.pool, db =>
          distributedServer.handlers.lst(
            { page: 1, pageSize: 50, ...filter } as never,
            { db, staff, now: unixNow() } as never,
          ),
        )
        const asked = plans.filter(({ text }) => !text.includes('count('))
        if (seqScans(asked, 'dist_product').length > 0) scanned.push(name)
      }
      expect(scanned).toEqual([])
    })
  })
})
