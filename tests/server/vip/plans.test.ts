import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { vip_card } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { plans as calls } from '#src/modules/vip/contract/card.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { aGift, aPeriod, aPlan } from '../../help/vipCards.ts'

let database: Database
let app: App
let token: string
beforeAll(async () => {
  database = await openCopy({ poolSize: 8 })
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['vip.card.*'] })).token
})
const ask = (call: Parameters<typeof send>[1], input: object) => send(app, call, input, { token })
const rowOf = async (id: number) =>
  (await database.db.select().from(vip_card).where(eq(vip_card.id, id)))[0]!
const oneOf = async (id: number) => {
  const { version } = await rowOf(id)
  return { id, version }
}
let made = 0
const written = (of: object = {}) => ({
  name: `新卡Q${++made}`,
  kind: 'month',
  days: 30,
  price_cents: 2500,
  first_price_cents: 990,
  original_cents: 3000,
  auto_renew: false,
  contract_template: '',
  cover: null,
  buy_limit: 0,
  stock: null,
  refund_policy: 'prorate',
  ...of,
})
const ruleOf = (said: { status: number; data: { rule?: string } | null }) =>
  said.data?.rule ?? said.status

describe('a plan', () => {
  it('is made as a draft, given benefits, put on sale, copied and taken off', async () => {
    const { data } = await ask(calls.create, written())
    const { id } = data
    expect((await rowOf(id)).status).toBe('draft')
    expect(ruleOf(await ask(calls.onShelf, await oneOf(id)))).toBe('plan_onShelf')
    await ask(calls.setBenefits, {
      ...(await oneOf(id)),
      benefits: ['price', 'points'],
      gift_coupon_ids: [],
    })
    expect((await ask(calls.onShelf, await oneOf(id))).status).toBe(200)
    const copied = await ask(calls.copy, await oneOf(id))
    const copy = await rowOf(copied.data.id)
    expect([copy.status, copy.name.endsWith('副本'), copy.benefits]).toEqual([
      'draft',
      true,
      ['price', 'points'],
    ])
    expect((await ask(calls.del, await oneOf(copy.id))).data).toEqual({
      id: copy.id,
      deleted: true,
    })
    const off = await ask(calls.offShelf, { ...(await oneOf(id)), reason: '调整卡种' })
    expect([off.status, (await rowOf(id)).off_reason]).toEqual([200, '调整卡种'])
    expect(ruleOf(await ask(calls.del, await oneOf(id)))).toBe('plan_del')
  })
  it('is refused at the fields that are wrong, and under a name that is taken', async () => {
    const faults = async (of: object) =>
      Object.keys((await ask(calls.create, written(of))).data.fields)
    expect([
      await faults({ price_cents: 3001 }),
      await faults({ first_price_cents: 2501 }),
      await faults({ days: 31 }),
      await faults({ auto_renew: true }),
      await faults({ kind: 'custom', auto_renew: true, contract_template: 'T' }),
    ]).toEqual([
      ['price_cents'],
      ['first_price_cents'],
      ['days'],
      ['contract_template'],
      ['auto_renew'],
    ])
    const name = written().name
    await ask(calls.create, written({ name }))
    expect(ruleOf(await ask(calls.create, written({ name })))).toBe('name_taken')
  })
  it('keeps a stock that covers what was sold, and is not deleted once it was', async () => {
    const plan = await aPlan(database, { stock: 10, sold_count: 4, status: 'off' })
    const fields = { ...written(), kind: 'custom', stock: 3 }
    const said = await ask(calls.edit, { ...(await oneOf(plan.id)), ...fields })
    expect(Object.keys(said.data.fields)).toEqual(['stock'])
    const draft = await aPlan(database, { status: 'draft', sold_count: 1 })
    expect(ruleOf(await ask(calls.del, await oneOf(draft.id)))).toBe('plan_del')
  })
  it('goes on sale only with gifts that are given out and cover all plans that give them', async () => {
    const gift = await aGift(database, { status: 'active', total: 100, claimed_count: 0 })
    const gifted = (stock: number | null) =>
      aPlan(database, { status: 'draft', stock, gift_coupon_ids: [gift.id] })
    const [first, second, open] = [await gifted(60), await gifted(60), await gifted(null)]
    const shelf = async (id: number) => ruleOf(await ask(calls.onShelf, await oneOf(id)))
    expect([await shelf(open.id), await shelf(first.id), await shelf(second.id)]).toEqual([
      'gifts_without_stock',
      200,
      'gift_short',
    ])
    const paused = await aGift(database, { status: 'paused', total: 100 })
    const other = await aPlan(database, { status: 'draft', stock: 5, gift_coupon_ids: [paused.id] })
    expect(await shelf(other.id)).toBe('gift_not_given')
  })
  it('tells how it sells', async () => {
    const plan = await aPlan(database)
    const now = unixNow()
    const [one, two] = [await aBuyer(database), await aBuyer(database)]
    for (const { id } of [one, two])
      await database.transaction(tx =>
        aPeriod(tx, { member_id: id, card_id: plan.id, days: 30, now: now - DAY }),
      )
    const { data } = await ask(calls.figures, { ids: [plan.id] })
    expect(data.list[0]).toMatchObject({ active_n: 2, opened_n: 2, opened_30d: 2, ended_bp: 0 })
    expect((await ask(calls.figures, { ids: [99_999_999] })).status).toBe(404)
  })
  it('stands in the order that was read', async () => {
    await aPlan(database)
    const { data } = await ask(calls.arranged, {})
    const order = data.list.map((one: { id: number }) => one.id).toReversed()
    const first = await ask(calls.sort, { order, list_version: data.list_version })
    expect(first.status).toBe(200)
    expect((await ask(calls.sort, { order, list_version: data.list_version })).status).toBe(409)
  })
})

onlyOn('postgres')('at the same moment', () => {
  it('the last two plans on sale are not both taken off', async () => {
    await database.db
      .update(vip_card)
      .set({ status: 'off' })
      .where(sql`true`)
    const [one, two] = [await aPlan(database), await aPlan(database)]
    const off = async (id: number) =>
      ask(calls.offShelf, { ...(await oneOf(id)), reason: '同时下架' })
    const said = await Promise.all([off(one.id), off(two.id)])
    expect(said.map(ruleOf).toSorted()).toEqual([200, 'last_plan'])
  })
})
