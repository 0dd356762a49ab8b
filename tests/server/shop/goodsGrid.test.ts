import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { product, product_time_log } from '#src/areas/product/product.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { bulks } from '#src/modules/audit/contract.ts'
import { goods as calls } from '#src/modules/shop/contract/goods.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { soldCode } from '../../help/merchants.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let other: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  other = await addStaff(database, { perms: ['*'] })
})
const call = (what: Parameters<typeof send>[1], input: object = {}, as = me.token) =>
  send(app, what, input as never, { token: as })
const of = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const fresh = async () => (await database.transaction(tx => freshProduct(tx))).item
type Saved = {
  id: number
  result: string
  text: string
  fields: Record<string, string>
  by?: { name: string }
}
const save = async (...rows: object[]): Promise<Saved[]> =>
  (await call(calls.saveGrid, { rows, reason: '旺季调价' })).data.results
const taskOf = async (product_id: number) => {
  const waiting = and(eq(audit_task.product_id, product_id), eq(audit_task.state, 'pending'))
  const [task] = await database.db.select().from(audit_task).where(waiting)
  return task
}

describe('a grid that is saved', () => {
  it('takes no settle price from whom it is hidden from, and says so at its cell', async () => {
    const item = await fresh()
    const { token } = await addStaff(database, {
      perms: ['shop.goods.*'],
      role: { field_rules: { 'product.settle_price_cents': 'hide' } },
    })
    const settle_price_cents = item.settle_price_cents - 1
    const rows = [{ id: item.id, version: item.version, settle_price_cents, sort: 7 }]
    const { data } = await call(calls.saveGrid, { rows, reason: '试探' }, token)
    expect(data.results).toMatchObject([
      { id: item.id, result: 'error', fields: { settle_price_cents: expect.any(String) } },
    ])
    expect(await of(item.id)).toEqual(item)
  })
  it('answers row by row: what is saved, what somebody changed meanwhile, and what is wrong at which cell', async () => {
    const [good, crossed, bad] = [await fresh(), await fresh(), await fresh()]
    const given = { id: crossed.id, version: crossed.version, stock: 77, reason: '同事补货' }
    expect((await call(calls.editStock, given, other.token)).status).toBe(200)
    const saved = await save(
      { id: good.id, version: good.version, stock_left: 9, sort: 4 },
      { id: crossed.id, version: crossed.version, stock_left: 1 },
      { id: bad.id, version: bad.version, price_cents: bad.list_price_cents + 1, stock_left: 3 },
    )
    const by = new Map(saved.map(row => [row.id, row]))
    expect(by.get(good.id)!.result).toBe('saved')
    expect(await of(good.id)).toMatchObject({ stock: 9 + good.held, sort: 4 })
    expect(by.get(crossed.id)).toMatchObject({ result: 'conflict', by: { name: other.account } })
    expect((await of(crossed.id)).stock).toBe(77 + crossed.held)
    // Nothing of a row is saved where a cell of it is wrong.
    expect(by.get(bad.id)).toMatchObject({ result: 'error' })
    expect(Object.keys(by.get(bad.id)!.fields)).toEqual(['price_cents'])
    expect((await of(bad.id)).stock).toBe(bad.stock)
  })
  it('sends prices to the audit: the old ones sell until it is decided, and one audit at a time', async () => {
    const item = await fresh()
    const price_cents = item.price_cents - 10
    const settle_price_cents = Math.min(item.settle_price_cents, price_cents)
    const edited = { id: item.id, version: item.version, price_cents, settle_price_cents }
    const [row] = await save(edited)
    expect(row).toMatchObject({ result: 'saved', text: '已保存，价格待审核' })
    expect(await of(item.id)).toMatchObject({ price_cents: item.price_cents, state: 'on_sale' })
    const task = await taskOf(item.id)
    expect(task).toMatchObject({ price_cents, submitted_by: me.id })
    const [again] = await save({ ...edited, price_cents: price_cents - 1 })
    expect(again).toMatchObject({ result: 'error' })
    expect(again!.fields['price_cents']).toContain('审核中')
    const [shown] = (await call(calls.rows, { ids: [item.id] })).data.list
    expect(shown).toMatchObject({ audit_state: 'pending', audit_price_cents: price_cents })
  })
  it('an approved price brings back no stock that was sold while it waited', async () => {
    const item = await fresh()
    const price_cents = item.price_cents - 10
    const settle_price_cents = Math.min(item.settle_price_cents, price_cents)
    await save({ id: item.id, version: item.version, price_cents, settle_price_cents })
    await database.db.update(product).set({ stock: 3 }).where(eq(product.id, item.id))
    const task = (await taskOf(item.id))!
    const claimed = await call(bulks.claim, { id: task.id }, other.token)
    const { version } = claimed.data
    const done = await call(bulks.approve, { id: task.id, version }, other.token)
    expect(done.status).toBe(200)
    expect(await of(item.id)).toMatchObject({ stock: 3, price_cents })
  })
  it('refuses what is no price, and more than 500 rows', async () => {
    const item = await fresh()
    const input = (more: object) => ({
      rows: [{ id: item.id, version: item.version, ...more }],
      reason: '旺季调价',
    })
    expect((await call(calls.saveGrid, input({ price_cents: 0 }))).status).toBe(400)
    expect((await call(calls.saveGrid, { ...input({ sort: 1 }), reason: '' })).status).toBe(400)
    const rows = Array.from({ length: 501 }, (_, at) => ({ id: at + 1, version: 0, sort: 1 }))
    expect((await call(calls.saveGrid, { rows, reason: '旺季调价' })).status).toBe(400)
    const [group] = await save({
      id: item.id,
      version: item.version,
      group_price_cents: item.price_cents,
    })
    expect(Object.keys(group!.fields)).toEqual(['group_price_cents'])
  })
})

describe('times of many', () => {
  const times = (input: object) => call(calls.batchTime, { reason: '档期顺延', ...input })
  it('are tried first, then changed, and taken back as a batch', async () => {
    const item = await fresh()
    const input = { product_ids: [item.id], mode: 'shift', shift_days: 5 }
    const told = (await times({ ...input, dry_run: true })).data
    expect(told).toMatchObject({ ok_count: 1, batch_no: '' })
    expect((await of(item.id)).sale_end_at).toBe(item.sale_end_at)
    const done = (await times(input)).data
    expect((await of(item.id)).sale_end_at).toBe(item.sale_end_at + 5 * DAY)
    const logs = (await call(calls.timeLogs, { batch_no: done.batch_no })).data.list
    expect(logs).toHaveLength(1)
    const back = await call(calls.undoBatch, { batch_no: done.batch_no, reason: '改错了' })
    expect(back.data).toMatchObject({ undone: 1, left: 0 })
    expect((await of(item.id)).sale_end_at).toBe(item.sale_end_at)
    const again = await call(calls.undoBatch, { batch_no: done.batch_no, reason: '改错了' })
    expect(again.data.rule).toBe('undone')
  })
  it('are not taken back a day later, nor where a row changed since', async () => {
    const [late, moved] = [await fresh(), await fresh()]
    const first = (await times({ product_ids: [late.id], mode: 'shift', shift_days: 3 })).data
    await database.db
      .update(product_time_log)
      .set({ undo_until_at: unixNow() - 10 })
      .where(eq(product_time_log.batch_no, first.batch_no))
    const refused = await call(calls.undoBatch, { batch_no: first.batch_no, reason: '改错了' })
    expect(refused.data.rule).toBe('too_late')
    const second = (await times({ product_ids: [moved.id], mode: 'shift', shift_days: 3 })).data
    const { version } = await of(moved.id)
    await call(calls.setSort, { id: moved.id, version, sort: 2 })
    const left = await call(calls.undoBatch, { batch_no: second.batch_no, reason: '改错了' })
    expect(left.data).toMatchObject({ undone: 0, left: 1 })
  })
  it('keep what sold codes were promised, and begin redeeming before the sale ends', async () => {
    const item = await fresh()
    await soldCode(database, item.id)
    const rule = async (input: object) =>
      (await times({ product_ids: [item.id], mode: 'set', dry_run: true, ...input })).data.rows[0]
        .rule
    const soon = unixNow() + 3600
    expect(await rule({ sale_end_at: soon - 60, check_end_at: soon })).toBe(
      'earlier_than_sold_codes',
    )
    expect(await rule({ check_start_at: item.sale_end_at + 60 })).toBe('check_start_after_sale_end')
    expect(await rule({ sale_end_at: item.sale_start_at })).toBe('sale_end_before_start')
    expect(await rule({ check_end_at: item.sale_end_at - 60 })).toBe('check_end_before_sale_end')
  })
})
