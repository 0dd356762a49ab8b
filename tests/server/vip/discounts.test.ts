import { asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { turnDiscounts } from '#src/areas/vipCard/discounts.server.ts'
import { vip_card_discount } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { vipDiscounts as calls } from '#src/modules/vip/contract/cardDiscount.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aPlan } from '../../help/vipCards.ts'

let database: Database
let app: App
let token: string
let stores: number[]
beforeAll(async () => {
  database = await openCopy({ poolSize: 8 })
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['vip.card.discount.*'] })).token
  const rows = await database.db
    .select({ id: store.id })
    .from(store)
    .where(eq(store.status, 'open'))
    .orderBy(asc(store.id))
    .limit(3)
  stores = rows.map(row => row.id)
})
const ask = (call: Parameters<typeof send>[1], input: object) => send(app, call, input, { token })
const ruleOf = (said: { status: number; data: { rule?: string } | null }) =>
  said.data?.rule ?? said.status
const NOW = unixNow()
const terms = {
  discount_bp: 8000,
  cap_cents: 0,
  monthly_times: 0,
  platform_share_bp: 10_000,
  merchant_share_bp: 0,
  consent_no: '',
  start_at: NOW,
  end_at: NOW + 10 * DAY,
}
const rowOf = async (id: number) =>
  (await database.db.select().from(vip_card_discount).where(eq(vip_card_discount.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await rowOf(id)).version })
const make = async (of: object): Promise<number> => {
  const said = await ask(calls.create, { scope: 'store', scope_id: stores[0], ...terms, ...of })
  return said.data.id
}
const enable = async (id: number) => ruleOf(await ask(calls.enable, await one(id)))

describe('a discount', () => {
  it('is made off, enabled, disabled with a reason, and changed only while it is off', async () => {
    const { id: card_id } = await aPlan(database)
    const id = await make({ card_id })
    expect(await enable(id)).toBe(200)
    const fields = { card_id, scope: 'store', scope_id: stores[0], ...terms, discount_bp: 9000 }
    expect(ruleOf(await ask(calls.edit, { ...(await one(id)), ...fields }))).toBe('discount_edit')
    await ask(calls.disable, { ...(await one(id)), reason: '合作暂停' })
    expect((await rowOf(id)).off_reason).toBe('合作暂停')
    expect((await ask(calls.edit, { ...(await one(id)), ...fields })).status).toBe(200)
    expect((await rowOf(id)).discount_bp).toBe(9000)
  })
  it('is refused at its fields, and for what there is not', async () => {
    const { id: card_id } = await aPlan(database)
    const said = async (of: object) => {
      const { status, data } = await ask(calls.create, {
        card_id,
        scope: 'store',
        scope_id: stores[0],
        ...terms,
        ...of,
      })
      return data?.fields ? Object.keys(data.fields) : status
    }
    expect([
      await said({ platform_share_bp: 9000 }),
      await said({ platform_share_bp: 0, merchant_share_bp: 10_000 }),
      await said({ discount_bp: 9950 }),
      await said({ end_at: NOW }),
      await said({ scope_id: 99_999_999 }),
      await said({ card_id: 99_999_999 }),
    ]).toEqual([['platform_share_bp'], ['consent_no'], ['discount_bp'], ['end_at'], 404, 404])
  })
  it('does not overlap another of the same, and follows one to the second', async () => {
    const { id: card_id } = await aPlan(database)
    const [first, second, next] = [
      await make({ card_id }),
      await make({ card_id, start_at: NOW + DAY, end_at: NOW + 20 * DAY }),
      await make({ card_id, start_at: terms.end_at, end_at: terms.end_at + DAY }),
    ]
    expect([await enable(first), await enable(second), await enable(next)]).toEqual([
      200,
      'discount_overlap',
      200,
    ])
    const { data } = await ask(calls.checkConflict, { id: second })
    const how = Object.fromEntries(
      data.list.map((row: { id: number; how: string }) => [row.id, row.how]),
    )
    expect(how).toEqual({ [first]: 'same', [next]: 'same' })
  })
  it('of a product never falls below what is settled unless the platform bears it', async () => {
    const { id: card_id } = await aPlan(database)
    const [sold] = await database.db
      .select()
      .from(product)
      .where(eq(product.state, 'on_sale'))
      .orderBy(asc(product.id))
      .limit(1)
    await database.db
      .update(product)
      .set({ settle_price_cents: sold!.price_cents })
      .where(eq(product.id, sold!.id))
    const of = { card_id, scope: 'product', scope_id: sold!.id }
    const shared = await make({
      ...of,
      platform_share_bp: 5000,
      merchant_share_bp: 5000,
      consent_no: 'TY9',
    })
    expect([await enable(shared), await enable(await make(of))]).toEqual(['below_settlement', 200])
  })
  it('is added for several stores; one that has a line then is told', async () => {
    const { id: card_id } = await aPlan(database)
    await make({ card_id })
    const { data } = await ask(calls.batchAddStores, { card_id, store_ids: stores, ...terms })
    expect([data.added, data.failed.map((row: { id: number }) => row.id)]).toEqual([
      stores.length - 1,
      [stores[0]],
    ])
  })
  it('goes off by itself when its store closes or its period is over', async () => {
    const { id: card_id } = await aPlan(database)
    const [closes, ends, stays] = [
      await make({ card_id, scope_id: stores[2] }),
      await make({ card_id, scope_id: stores[1], end_at: NOW + 5 }),
      await make({ card_id, scope: 'all', scope_id: 0 }),
    ]
    for (const id of [closes, ends, stays]) await enable(id)
    await database.db.update(store).set({ status: 'closed' }).where(eq(store.id, stores[2]!))
    await database.transaction(tx => turnDiscounts(tx, NOW + 5))
    const states = await Promise.all([closes, ends, stays].map(rowOf))
    expect(states.map(row => [row.status, row.off_reason !== ''])).toEqual([
      ['off', true],
      ['off', true],
      ['on', false],
    ])
    expect(await enable(closes)).toBe('scope_closed')
  })
})
onlyOn('postgres')('at the same moment', () => {
  it('of two lines that overlap one is enabled', async () => {
    const { id: card_id } = await aPlan(database)
    const [a, b] = [await make({ card_id }), await make({ card_id })]
    const said = await Promise.all([enable(a), enable(b)])
    expect(said.map(String).toSorted()).toEqual(['200', 'discount_overlap'])
  })
})
