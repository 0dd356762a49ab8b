import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { liveBody } from '#src/areas/audit/submission.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product, product_sku } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { product as productQueue } from '#src/modules/audit/contract.ts'
import { goods as calls } from '#src/modules/stores/contract/goods.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshGoods } from '../../help/shipped.ts'

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
const call = (what: Parameters<typeof send>[1], input: object = {}, who: Person = anna) =>
  send(app, what, input as never, { token: who.token })
const done = async (what: Parameters<typeof send>[1], input: object, who: Person = anna) => {
  const said = await call(what, input, who)
  expect(said.status, JSON.stringify(said)).toBe(200)
  return said.data
}
const of = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await of(id)).version })
const set = (id: number, values: Partial<typeof product.$inferInsert>) =>
  database.db.update(product).set(values).where(eq(product.id, id))
const skuOf = async (id: number) =>
  (await database.db.select().from(product_sku).where(eq(product_sku.id, id)))[0]!
const fresh = (values: Partial<typeof product.$inferInsert> = {}) => freshGoods(database, values)
const buy = async (product_id: number, sku_id: number, qty: number, member_id?: number) => {
  const [buyer] = await database.db
    .select({ id: member.id })
    .from(member)
    .where(eq(member.account_state, 'normal'))
    .limit(1)
  return database.transaction(tx =>
    placeOrder(tx, {
      member_id: member_id ?? buyer!.id,
      proved: true,
      lines: [{ product_id, sku_id, qty }],
      freight_cents: 0,
      now: unixNow(),
    }),
  )
}
const taskOf = async (product_id: number) =>
  (
    await database.db
      .select()
      .from(audit_task)
      .where(and(eq(audit_task.product_id, product_id), eq(audit_task.state, 'pending')))
  )[0]

describe('the price of a variant', () => {
  const price = async (id: number, sku_id: number, price_cents: number) =>
    call(calls.editPrice, { ...(await one(id)), sku_id, price_cents, reason: '活动调价' })
  it('holds at once, for the product and for what a merchant edits next', async () => {
    const { id, small } = await fresh()
    expect((await price(id, small.id, 9000)).data.in_audit).toBe(false)
    expect((await skuOf(small.id)).price_cents).toBe(9000)
    expect((await of(id)).price_cents).toBe(9000)
    const body = (await liveBody(database.db, id))!
    expect([body.price_cents, body.skus!.map(sku => sku.price_cents)]).toEqual([
      9000,
      [9000, 12_000],
    ])
  })
  it('is at most the list price, and changes something', async () => {
    const { id, small } = await fresh()
    expect(Object.keys((await price(id, small.id, 15_001)).data.fields)).toEqual(['price_cents'])
    expect((await price(id, small.id, 0)).status).toBe(400)
    expect((await price(id, small.id, 10_000)).data.rule).toBe('unchanged')
  })
  it('below the cost or below half waits for another person, who lets it hold', async () => {
    const { id, small } = await fresh()
    await buy(id, small.id, 2)
    expect((await price(id, small.id, 7900)).data.in_audit).toBe(true)
    expect((await skuOf(small.id)).price_cents).toBe(10_000)
    const task = (await taskOf(id))!
    expect(task).toMatchObject({ submitted_by: anna.id, flags: ['below_cost'] })
    // A further price waits for this one.
    expect((await price(id, small.id, 9000)).data.rule).toBe('in_audit')
    const decide = async (who: Person) => {
      const claimed = await call(productQueue.claim, { id: task.id }, who)
      if (claimed.status !== 200) return claimed.status
      const version = claimed.data.version as number
      return (await call(productQueue.approve, { id: task.id, version }, who)).status
    }
    expect(await decide(anna)).not.toBe(200)
    expect(await decide(ben)).toBe(200)
    expect((await skuOf(small.id)).price_cents).toBe(7900)
    // What was ordered meanwhile is not given back by the audit.
    expect(await skuOf(small.id)).toMatchObject({ stock: 10, held: 2 })
  })
  it('is told apart in a trial, which changes nothing, and is done as it was tried', async () => {
    const [a, b, c] = [await fresh(), await fresh({ list_price_cents: 9000 }), await fresh()]
    await set(c.id, { settle_price_cents: 9800 })
    const ids = [a.id, b.id, c.id]
    const asked = { ids, mode: 'percent', value: 9500, reason: '清仓' }
    const logs = async () =>
      (
        await database.db
          .select({ id: op_log.id })
          .from(op_log)
          .where(and(eq(op_log.object_type, 'product'), eq(op_log.object_id, a.id)))
      ).length
    const before = await logs()
    const trial = await done(calls.batchEditPrice, { ...asked, dry_run: true })
    expect(trial.rows.map((row: { result: string }) => row.result)).toEqual([
      'ok',
      'failed',
      'in_audit',
    ])
    expect(trial.rows[0].prices.map((row: { to_cents: number }) => row.to_cents)).toEqual([
      9500, 11_400,
    ])
    expect([(await of(a.id)).price_cents, await taskOf(c.id), await logs()]).toEqual([
      10_000,
      undefined,
      before,
    ])
    // One of them is changed between the trial and the change.
    await done(calls.setSort, { ...(await one(a.id)), sort: 3 }, ben)
    const expect_ = trial.rows.map(({ id, version }: { id: number; version: number }) => ({
      id,
      version,
    }))
    const real = await done(calls.batchEditPrice, { ...asked, expect: expect_, dry_run: false })
    expect(real.rows.map((row: { result: string }) => row.result)).toEqual([
      'failed',
      'failed',
      'in_audit',
    ])
    expect(real.rows[0].text).toContain(ben.account)
    expect((await taskOf(c.id))!.submitted_by).toBe(anna.id)
  })
})

describe('a grid of variants', () => {
  it('saves line by line, and tells who changed what meanwhile', async () => {
    const { id, small, large } = await fresh()
    const { list } = await done(calls.rows, { ids: [id] })
    expect(list.map((row: { name: string }) => row.name)).toEqual(['小', '大'])
    await done(calls.editStock, { ...(await one(id)), sku_id: large.id, stock: 7 }, ben)
    const line = (sku: { id: number; version: number }, more: object) => ({
      id: sku.id,
      product_id: id,
      version: sku.version,
      ...more,
    })
    const { results } = await done(calls.saveGrid, {
      rows: [line(small, { price_cents: 9500, stock_left: 3 }), line(large, { stock_left: 1 })],
      reason: '表格调整',
    })
    expect(results[0]).toMatchObject({ id: small.id, result: 'saved' })
    expect(results[1]).toMatchObject({
      id: large.id,
      result: 'conflict',
      by: { name: ben.account },
    })
    expect(await skuOf(small.id)).toMatchObject({ price_cents: 9500, stock: 3 })
    const bad = await done(calls.saveGrid, {
      rows: [line(await skuOf(small.id), { price_cents: 99_999, stock_left: 9 })],
      reason: '表格调整',
    })
    expect(Object.keys(bad.results[0].fields)).toEqual(['price_cents'])
    expect((await skuOf(small.id)).stock).toBe(3)
  })
})
