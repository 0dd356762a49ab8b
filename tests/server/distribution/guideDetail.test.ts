import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GuideRule } from '#src/areas/place/guideRule.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { guideDetail as calls } from '#src/modules/distribution/contract/guideDetail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { bindingNow, boundTo, sellerNow, sellerOf, storeOf } from '../../help/bindings.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let token: string
const reason = '个人原因'
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['distribution.index.guideDetail.*'] })).token
}, 120_000)
const call = (what: What, input: object) => send(app, what, input, { token })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object) => {
  const said = await call(what, input)
  return [said.status, said.data.rule]
}
const guideAt = (store_id: number) => sellerOf(database, { kind: 'guide', store_id })
const bound = (guide: { id: number }, days?: number) =>
  boundTo(database, {
    distributor_id: guide.id,
    role: 'guide',
    ...(days !== undefined && { days }),
  })

describe('a guide who leaves', () => {
  it('hands all customers to a colleague of the store, the protected too', async () => {
    const shop = await storeOf(database)
    const [guide, next] = [await guideAt(shop.id), await guideAt(shop.id)]
    const [old, fresh] = [await bound(guide), await bound(guide, 2)]
    const own = await boundTo(database, {
      distributor_id: guide.id,
      role: 'guide',
      member_id: next.member_id!,
    })
    const said = await done(calls.leave, {
      id: guide.id,
      version: guide.version,
      successor_id: next.id,
      reason,
    })
    expect(said).toMatchObject({ handed: 2, pooled: 1, on_hold_cents: 0 })
    for (const { id } of [old, fresh])
      expect(await bindingNow(database, id)).toMatchObject({ status: 'transferred' })
    expect(await bindingNow(database, own.id)).toMatchObject({
      status: 'unbound',
      pool_store_id: shop.id,
    })
    expect(await sellerNow(database, guide.id)).toMatchObject({ status: 'quit', customer_count: 0 })
    expect((await sellerNow(database, next.id)).customer_count).toBe(2)
  })
  it('leaves the customers to the store where nobody succeeds', async () => {
    const guide = await sellerOf(database, { kind: 'guide' })
    const one = await bound(guide)
    await done(calls.leave, { id: guide.id, version: guide.version, reason })
    expect(await bindingNow(database, one.id)).toMatchObject({
      status: 'unbound',
      pool_store_id: guide.store_id,
    })
  })
  it('is succeeded by an active guide of the same store alone', async () => {
    const shop = await storeOf(database)
    const guide = await guideAt(shop.id)
    const frozen = await sellerOf(database, {
      kind: 'guide',
      store_id: shop.id,
      status: 'frozen',
    })
    const far = await sellerOf(database, { kind: 'guide' })
    for (const successor_id of [frozen.id, far.id, guide.id])
      expect(
        await rule(calls.leave, { id: guide.id, version: guide.version, successor_id, reason }),
      ).toEqual([422, 'bad_successor'])
    const near = await guideAt(shop.id)
    const { list } = await done(calls.successors, { of_id: guide.id })
    expect(list.map((row: { id: number }) => row.id)).toEqual([near.id])
  })
})
describe('a guide who changes the store', () => {
  it('keeps the customers inside the merchant', async () => {
    const [from, to] = [await storeOf(database), await storeOf(database)]
    const guide = await guideAt(from.id)
    const one = await bound(guide)
    const of = { id: guide.id, version: guide.version, reason }
    expect(await done(calls.changeStore, { ...of, store_id: to.id })).toMatchObject({ pooled: 0 })
    expect((await bindingNow(database, one.id)).status).toBe('active')
    expect((await sellerNow(database, guide.id)).store_id).toBe(to.id)
  })
  it('leaves them to the store when the merchant is another', async () => {
    const from = await storeOf(database)
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from merchant where id <> ${from.merchant_id} order by id limit 1`,
    )
    const to = await storeOf(database, { merchant_id: rows[0]!.id })
    const guide = await guideAt(from.id)
    const one = await bound(guide)
    const of = { id: guide.id, version: guide.version, reason }
    expect(await done(calls.changeStore, { ...of, store_id: to.id })).toMatchObject({ pooled: 1 })
    expect(await bindingNow(database, one.id)).toMatchObject({ pool_store_id: from.id })
  })
  it('leaves or keeps them as the mall says that is left', async () => {
    const [some] = await database.db.select({ id: mall.id }).from(mall).orderBy(mall.id).limit(1)
    const ruled = (guide_rule: GuideRule) =>
      database.db.update(mall).set({ guide_rule }).where(eq(mall.id, some!.id))
    const moved = async (inside: boolean) => {
      const from = await storeOf(database, { mall_id: some!.id })
      const { rows } = await database.db.execute<{ id: number }>(
        sql`select id from merchant where id <> ${from.merchant_id} order by id limit 1`,
      )
      const to = await storeOf(database, inside ? {} : { merchant_id: rows[0]!.id })
      const guide = await guideAt(from.id)
      await bound(guide)
      const { row } = await done(calls.detail, { id: guide.id })
      const of = { id: guide.id, version: guide.version, reason }
      const { pooled } = await done(calls.changeStore, { ...of, store_id: to.id })
      return [row.guide_rule, pooled]
    }
    await ruled('store')
    expect(await moved(true)).toEqual(['store', 1])
    await ruled('guide')
    expect(await moved(false)).toEqual(['guide', 0])
    await ruled('merchant')
    expect([await moved(true), await moved(false)]).toEqual([
      ['merchant', 0],
      ['merchant', 1],
    ])
  })
  it('goes to an open store, and to another one', async () => {
    const shop = await storeOf(database)
    const resting = await storeOf(database, { status: 'resting' })
    const guide = await guideAt(shop.id)
    const of = { id: guide.id, version: guide.version, reason }
    expect(await rule(calls.changeStore, { ...of, store_id: resting.id })).toEqual([
      422,
      'store_not_open',
    ])
    expect(await rule(calls.changeStore, { ...of, store_id: shop.id })).toEqual([422, 'same_store'])
  })
})
it('an account in WeCom is one guide’s alone', async () => {
  const [one, other] = [
    await sellerOf(database, { kind: 'guide' }),
    await sellerOf(database, { kind: 'guide' }),
  ]
  const userid = 'wm_Q_own'
  await done(calls.bindWecom, { id: one.id, version: one.version, userid })
  expect(await rule(calls.bindWecom, { id: other.id, version: other.version, userid })).toEqual([
    422,
    'wecom_taken',
  ])
})
it('a guide is told with the rank in the store, and only a guide', async () => {
  const shop = await storeOf(database)
  const guide = await guideAt(shop.id)
  await sellerOf(database, { kind: 'guide', store_id: shop.id, gmv_cents: 100_00 })
  const { row, in_store, in_mall } = await done(calls.detail, { id: guide.id })
  expect(row).toMatchObject({ id: guide.id, store: shop.name })
  expect([in_store, in_mall]).toEqual([{ at: 2, among: 2 }, null])
  const expert = await sellerOf(database)
  expect((await call(calls.detail, { id: expert.id })).status).toBe(404)
})
it('a rate stays within the ceiling, is taken away, and freezing stops the guide', async () => {
  const guide = await sellerOf(database, { kind: 'guide' })
  const of = { id: guide.id, version: guide.version, reason }
  expect((await call(calls.setRate, { ...of, rate_bp: 3001 })).status).toBe(400)
  const { version } = await done(calls.setRate, { ...of, rate_bp: 250 })
  expect((await sellerNow(database, guide.id)).rate_bp).toBe(250)
  const back = await done(calls.setRate, { ...of, version, rate_bp: null })
  await done(calls.freeze, { ...of, version: back.version })
  expect(await sellerNow(database, guide.id)).toMatchObject({ rate_bp: null, status: 'frozen' })
})
