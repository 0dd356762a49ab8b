import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { buy_limit_rule } from '#src/areas/limit/limit.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { risk_list } from '#src/areas/risk/risk.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { groupActivity as calls } from '#src/modules/groupActivity/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { lastingProduct, onlyOwnRules } from '../../help/limits.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let goods: typeof product.$inferSelect
let buyer: number
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  await onlyOwnRules(database)
  goods = await lastingProduct(database)
  const of = { uid: 'T8800001', nickname: '限购测试', phone: '17700000001', city_id: 1 }
  const [made] = await database.db
    .insert(member)
    .values({ ...of, register_at: now })
    .returning()
  buyer = made!.id
})
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const done = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(200)
  return said.data
}
let made = 0
const fields = (of: object = {}) => ({
  name: `规则测试第${++made}号`,
  scope_kind: 'product',
  scope_ids: [goods.id],
  product_kind: 'bulks',
  dimension: 'member',
  per: 'week',
  qty: 3,
  start_at: now - 60,
  end_at: now + 86_400,
  ...of,
})
type One = { id: number; version: number }
const fresh = async (of: object = {}): Promise<One> => done(calls.create, fields(of))
const enabled = async (of: object = {}): Promise<One> => {
  const one = await fresh(of)
  const after = await done(calls.enable, { id: one.id, version: one.version })
  return { id: one.id, version: after.version }
}
const rowOf = async (id: number) =>
  (await database.db.select().from(buy_limit_rule).where(eq(buy_limit_rule.id, id)))[0]!
const set = (id: number, of: Partial<typeof buy_limit_rule.$inferInsert>) =>
  database.db.update(buy_limit_rule).set(of).where(eq(buy_limit_rule.id, id))

describe('a rule', () => {
  it.each([
    ['that names nothing', { scope_ids: [] }, ['scope_ids']],
    ['of a product that is not there', { scope_ids: [999_999] }, ['scope_ids']],
    ['by category of all kinds', { scope_kind: 'category', product_kind: 'all' }, ['product_kind']],
    ['that ends before it starts', { end_at: now - 61 }, ['end_at']],
    ['of nothing, unconfirmed', { qty: 0 }, ['zero_ok']],
  ])('%s is refused at the field', async (_, of, at) => {
    const said = await call(calls.create, fields(of))
    expect(said.status).toBe(400)
    expect(Object.keys(said.data.fields)).toEqual(at)
  })
  it('is made disabled at the end, keeps what its scope names and where that stands', async () => {
    const { id } = await fresh({ ways: ['live'], qty: 0, zero_ok: true })
    const row = await rowOf(id)
    expect(row).toMatchObject({ status: 'off', ways: [], qty: 0, city_ids: [goods.city_id] })
    const { arranged } = await done(calls.lst, {})
    expect(arranged.at(-1).id).toBe(id)
  })
  it('has a name of its own', async () => {
    const { id } = await fresh()
    const { name } = await rowOf(id)
    expect((await call(calls.create, fields({ name }))).data.rule).toBe('name_exists')
  })
  it('counts from nothing where what it counts was changed, and goes on where it was not', async () => {
    const one = await fresh()
    const same = fields()
    const after = await done(calls.edit, { ...one, ...same, qty: 9 })
    expect((await rowOf(one.id)).basis).toBe(0)
    await done(calls.edit, { id: one.id, version: after.version, ...same, per: 'day' })
    expect((await rowOf(one.id)).basis).toBe(1)
  })
  it('that another person changed meanwhile is not overwritten', async () => {
    const one = await fresh()
    await done(calls.edit, { ...one, ...fields() })
    expect((await call(calls.edit, { ...one, ...fields() })).status).toBe(409)
  })
  it('is copied disabled, with what it says and not with what it stopped', async () => {
    const one = await enabled()
    await set(one.id, {
      hits: 5,
      exempt: [{ member_id: buyer, until: now + 99, reason: '', by: 1 }],
    })
    const copy = await done(calls.copy, { ...one, name: `副本第${++made}号` })
    const row = await rowOf(copy.id)
    expect(row).toMatchObject({ status: 'off', hits: 0, exempt: [], scope_ids: [goods.id] })
  })
  it('that is over is not enabled', async () => {
    const one = await fresh({ start_at: now - 99, end_at: now - 1 })
    expect((await call(calls.enable, one)).data.rule).toBe('over')
  })
  it('is disabled with a reason, several at once row by row', async () => {
    const [on, off] = [await enabled(), await fresh()]
    const { ok, failed } = await done(calls.batchDisable, { ids: [on.id, off.id], reason: '放开' })
    expect([ok, failed.map((one: { id: number }) => one.id)]).toEqual([[on.id], [off.id]])
    expect(await rowOf(on.id)).toMatchObject({ status: 'off', status_reason: '放开' })
  })
  it('that is on and stopped somebody is not deleted; disabled it is', async () => {
    const one = await enabled()
    await set(one.id, { hits: 1 })
    expect((await call(calls.del, one)).data.rule).toBe('has_hits')
    const off = await done(calls.disable, { ...one, reason: '放开' })
    await done(calls.del, { id: one.id, version: off.version })
    expect(await rowOf(one.id)).toBeUndefined()
  })
  it('exempts a member for some days, again until the later end; whose time ran out goes', async () => {
    const one = await fresh()
    await set(one.id, { exempt: [{ member_id: 1, until: now - 1, reason: '旧', by: 1 }] })
    const give = async (days: number, version: number) =>
      done(calls.exempt, { id: one.id, version, member_id: buyer, days, reason: '企业采购' })
    const first = await give(10, one.version)
    const second = await give(3, first.version)
    expect(second.until).toBe(first.until)
    expect((await rowOf(one.id)).exempt).toMatchObject([{ member_id: buyer, until: first.until }])
    expect(
      (await call(calls.exempt, { ...one, member_id: buyer, days: 0, reason: '无期' })).status,
    ).toBe(400)
  })
  it('leaves a line in the log, with what changed and why', async () => {
    const one = await enabled()
    await done(calls.disable, { ...one, reason: '客诉较多' })
    const rows = await database.db.select().from(op_log).where(eq(op_log.object_id, one.id))
    const last = rows.findLast(row => row.object_type === 'buy_limit_rule')!
    expect(last).toMatchObject({ reason: '客诉较多', after: { status: 'off' } })
  })
})

describe('a trial', () => {
  it('tells what each rule allows and which decides, and counts nothing', async () => {
    goods = await lastingProduct(database)
    const tight = await enabled({ qty: 2, per: 'day' })
    const wide = await enabled({ qty: 8, per: 'life' })
    const device = await enabled({ dimension: 'device' })
    await enabled({ scope_ids: [(await lastingProduct(database)).id] })
    await database.transaction(tx =>
      placeOrder(tx, { product_id: goods.id, qty: 1, member_id: buyer, proved: true, now }),
    )
    const ask = () => done(calls.test, { member_id: buyer, product_id: goods.id })
    const told = await ask()
    expect(told).toMatchObject({ may_buy: 1, black: false })
    const by = new Map(told.rules.map((one: { id: number }) => [one.id, one]))
    expect(by.size).toBe(3)
    expect(by.get(tight.id)).toMatchObject({ had: 1, left: 1, decides: true })
    expect(by.get(wide.id)).toMatchObject({ had: 1, left: 7, decides: false })
    expect(by.get(device.id)).toMatchObject({ left: null, decides: false })
    expect(await ask()).toEqual(told)
    await database.db.update(product).set({ limit_per_member: 1 }).where(eq(product.id, goods.id))
    expect((await ask()).may_buy).toBe(0)
  })
  it('of what nothing limits says so, and of a black-listed member none', async () => {
    const { id } = await lastingProduct(database)
    expect(await done(calls.test, { member_id: buyer, product_id: id })).toMatchObject({
      may_buy: null,
      rules: [],
    })
    await database.db
      .insert(risk_list)
      .values({ list: 'black', type: 'member', value: String(buyer), reason: '黄牛' })
    expect((await done(calls.test, { member_id: buyer, product_id: id })).may_buy).toBe(0)
  })
})

describe('the list', () => {
  it('is filtered by scope, dimension, mall, state and hits, in its order', async () => {
    const [mall] = await database.db.select().from(product).where(eq(product.id, goods.id))
    const one = await enabled({ dimension: 'receiver' })
    await set(one.id, { hits: 2, mall_ids: [77] })
    const ids = async (of: object) =>
      (await done(calls.lst, of)).list.map((row: One) => row.id) as number[]
    expect(mall).toBeDefined()
    expect(await ids({ mid: 77 })).toEqual([one.id])
    expect(await ids({ dimension: 'receiver', hit: true, status: 'on' })).toContain(one.id)
    expect(await ids({ scope_kind: 'mall' })).not.toContain(one.id)
    expect(await ids({ keyword: String(one.id) })).toContain(one.id)
  })
  it('is arranged from the order that was read, and not from another', async () => {
    const { arranged, list_version } = await done(calls.lst, {})
    const order = arranged.map((row: One) => row.id).reverse()
    await done(calls.sort, { order, list_version })
    expect((await call(calls.sort, { order, list_version })).status).toBe(409)
    expect((await done(calls.lst, {})).list[0].id).toBe(order[0])
  })
  it('of somebody of one city holds its rules and those of everywhere, which they do not change', async () => {
    const city = await addStaff(database, {
      perms: ['groupActivity.index.*'],
      role: { scope_type: 'city', scope_ids: [goods.city_id + 1] },
    })
    const [there, everywhere] = [await fresh(), await fresh({ scope_kind: 'all' })]
    const { list, arranged } = (await call(calls.lst, { pageSize: 200 }, city.token)).data
    const ids = list.map((row: One) => row.id)
    expect(ids).toContain(everywhere.id)
    expect(ids).not.toContain(there.id)
    expect(arranged).toEqual([])
    expect((await call(calls.enable, everywhere, city.token)).data.rule).toBe('not_yours')
    expect((await call(calls.enable, there, city.token)).status).toBe(404)
    expect((await call(calls.create, fields(), city.token)).data.fields).toHaveProperty('scope_ids')
    expect(
      (await call(calls.create, fields({ scope_kind: 'all' }), city.token)).data.fields,
    ).toHaveProperty('scope_kind')
    expect((await call(calls.sort, { order: [], list_version: 0 }, city.token)).data.rule).toBe(
      'not_yours',
    )
  })
})
