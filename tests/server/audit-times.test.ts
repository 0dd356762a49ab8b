import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, product_time_log, product_version } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { tuan } from '#src/modules/audit/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send, tokenOfAccount } from '../help/app.ts'
import { freshProduct } from '../help/trade.ts'

const DAY = 86_400
let database: Database
let app: App
let supervisor: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  supervisor = await tokenOfAccount(database, 'supervisor')
})
const fresh = async () => (await database.transaction(tx => freshProduct(tx))).item
const now = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const run = (input: object, token = supervisor) =>
  send(app, tuan.batchUpdateStartAndCheckTime, { reason: '商场闭店顺延', ...input } as never, {
    token,
  })

it('a dry run tells and changes nothing; the same then happens, row by row', async () => {
  const [good, active, card] = [
    await fresh(),
    await fresh(),
    (await database.transaction(tx => freshProduct(tx, 'card'))).item,
  ]
  await database.db.update(product).set({ in_activity: true }).where(eq(product.id, active.id))
  const input = {
    product_ids: [good.id, active.id, card.id, 1_900_000_000],
    mode: 'shift',
    shift_days: 7,
    expect: [{ product_id: good.id, version: good.version }],
  }
  const told = (await run({ ...input, dry_run: true })).data
  expect(told).toMatchObject({ dry_run: true, batch_no: '', ok_count: 1, fail_count: 3 })
  expect(await now(good.id)).toEqual(good)
  const done = (await run(input)).data
  expect(
    done.rows.map((row: { ok: boolean; fail_reason?: string }) => [row.ok, row.fail_reason]),
  ).toEqual(
    told.rows.map((row: { ok: boolean; fail_reason?: string }) => [row.ok, row.fail_reason]),
  )
  expect(done.rows[1].fail_reason).toContain('活动')
  const after = await now(good.id)
  expect([after.sale_start_at, after.check_end_at]).toEqual([
    good.sale_start_at + 7 * DAY,
    good.check_end_at + 7 * DAY,
  ])
  const versions = await database.db
    .select()
    .from(product_version)
    .where(eq(product_version.product_id, good.id))
  expect(versions.find(one => one.state === 'live')!.body.check_end_at).toBe(after.check_end_at)
  const { list, total } = (
    await send(app, tuan.timeLogs, { batch_no: done.batch_no }, { token: supervisor })
  ).data
  expect(list[0].filter_text).toBe(`${good.title}、${active.title}等 4 个团购`)
  expect(total).toBe(1)
  expect(list[0]).toMatchObject({
    status: 'partial',
    ok_count: 1,
    fail_count: 3,
    operator_name: '顾明轩',
    changes: { mode: 'shift', shift_days: 7 },
  })
  expect(list[0].items).toBeUndefined()
  expect(
    (await send(app, tuan.timeLogs, { id: list[0].id }, { token: supervisor })).data.list[0].items,
  ).toHaveLength(4)
})

it('takes the names of the audit page, and refuses nothing at all', async () => {
  const item = await fresh()
  const done = (await run({ ids: [item.id], check_end_at: item.check_end_at + DAY })).data
  expect(done.ok_count).toBe(1)
  expect((await run({ ids: [item.id] })).status).toBe(400)
  expect((await run({ check_end_at: item.check_end_at + DAY })).status).toBe(400)
  expect((await run({ ids: [item.id], mode: 'shift' })).status).toBe(400)
  expect((await run({ ids: [item.id], start_at: (unixNow() + DAY) * 1000 })).status).toBe(400)
})

it('never shortens what a sold unused code was promised', async () => {
  const item = await fresh()
  await database.transaction(async tx =>
    payOrder(
      tx,
      (
        await placeOrder(tx, {
          proved: true,
          product_id: item.id,
          member_id: 1,
          qty: 1,
          now: unixNow(),
        })
      ).id,
      unixNow(),
    ),
  )
  const [code] = await database.db
    .select()
    .from(order_code)
    .where(eq(order_code.product_id, item.id))
  const done = (
    await run({
      ids: [item.id],
      sale_end_at: unixNow() + DAY,
      check_end_at: Math.min(code!.valid_until, item.check_end_at) - DAY,
    })
  ).data
  expect(done).toMatchObject({ ok_count: 0, fail_count: 1 })
  expect(done.rows[0].fail_reason).toContain('有效期')
  expect((await now(item.id)).check_end_at).toBe(item.check_end_at)
  expect(
    (await run({ ids: [item.id], check_end_at: item.check_end_at + 9 * DAY })).data.ok_count,
  ).toBe(1)
  expect(
    (await database.db.select().from(order_code).where(eq(order_code.id, code!.id)))[0]!
      .valid_until,
  ).toBe(code!.valid_until)
})

it('is taken back within a day, but for what changed since', async () => {
  const [a, b] = [await fresh(), await fresh()]
  const { batch_no } = (await run({ ids: [a.id, b.id], mode: 'shift', shift_days: 3 })).data
  await database.db.update(product).set({ version: 99 }).where(eq(product.id, b.id))
  const back = (await run({ undo_batch_no: batch_no })).data
  expect(back).toMatchObject({
    batch_no,
    ok_count: 1,
    fail_count: 1,
    undone: 1,
    skipped: [
      { product_id: b.id, reason: expect.stringContaining('已被修改'), rule: 'changed_meanwhile' },
    ],
  })
  expect((await now(a.id)).check_end_at).toBe(a.check_end_at)
  expect((await now(b.id)).check_end_at).toBe(b.check_end_at + 3 * DAY)
  expect((await run({ undo_batch_no: batch_no })).data.rule).toBe('undone')
  const late = (await run({ ids: [a.id], mode: 'shift', shift_days: 3 })).data.batch_no
  await database.db
    .update(product_time_log)
    .set({ undo_until_at: unixNow() - 1 })
    .where(eq(product_time_log.batch_no, late))
  expect((await run({ undo_batch_no: late })).data.rule).toBe('too_late')
  expect((await run({ undo_batch_no: 'TG00000000-0000' })).status).toBe(404)
})

it("keeps to the person's data: foreign products do not exist, foreign batches are not listed", async () => {
  const item = await fresh()
  const elsewhere = await addStaff(database, {
    perms: ['audit.*'],
    role: { scope_type: 'city', scope_ids: [item.city_id === 9 ? 8 : 9] },
  })
  const said = await run({ ids: [item.id], mode: 'shift', shift_days: 1 }, elsewhere.token)
  expect(said.data.rows[0]).toMatchObject({ ok: false, title: '', version: 0 })
  const { batch_no } = (await run({ ids: [item.id], mode: 'shift', shift_days: 1 })).data
  expect(
    (await send(app, tuan.timeLogs, { batch_no }, { token: elsewhere.token })).data.total,
  ).toBe(0)
  expect((await run({ undo_batch_no: batch_no }, elsewhere.token)).status).toBe(404)
  expect((await run({ undo_batch_no: batch_no })).data.ok_count).toBe(1)
})
