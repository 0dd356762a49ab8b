import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { CONFIRM_S } from '#src/areas/settle/batch.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { jobs } from '#src/modules/job/contract.ts'
import { batches as calls, settleLines } from '#src/modules/settle/contract/detail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openRowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, type Said } from '../../help/app.ts'
import {
  freezing,
  freshSale,
  linesBy,
  paidOut,
  refundOf,
  repaid,
  type Sale,
} from '../../help/settle.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let maker: Person
let checker: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['settle.detail.*'] })
  checker = await addStaff(database, { perms: ['settle.detail.*'] })
}, 120_000)

const now = unixNow()
const period = { from: now - 7 * DAY, to: now - DAY }
let keys = 0
const by = (one: Person) => ({ token: one.token, key: `batches-test-${++keys}` })
const generate = (sale: Sale, more: object = {}) =>
  send(app, calls.generate, { ...period, merchant_ids: [sale.merchant.id], ...more }, by(maker))
const batchesOf = (sale: Sale) =>
  database.db
    .select()
    .from(settle_batch)
    .where(eq(settle_batch.merchant_id, sale.merchant.id))
    .orderBy(settle_batch.id)
const read = async (id: number) =>
  (await database.db.select().from(settle_batch).where(eq(settle_batch.id, id)))[0]!
/** Does a call to a batch as it stands now. */
const to = async (
  call: (typeof calls)['send' | 'confirm' | 'dispute' | 'recalc' | 'post' | 'void'],
  id: number,
  more: object = {},
  who = maker,
): Promise<Said> => send(app, call, { id, version: (await read(id)).version, ...more }, by(who))
/** A batch of a new sale, as far as its merchant has confirmed it. */
const confirmed = async (cents: readonly number[] = [9000, 8000]) => {
  const sale = await freshSale(database)
  const ids = await freezing(
    database,
    sale,
    cents.map(merchant_cents => ({ merchant_cents })),
  )
  await generate(sale)
  const [batch] = await batchesOf(sale)
  await to(calls.send, batch!.id)
  await to(calls.confirm, batch!.id, { proof: 'a.png' })
  return { sale, ids, id: batch!.id }
}
const held = (sale: Sale, kind: 'merchant_frozen' | 'merchant_balance' | 'merchant_debt') =>
  balanceOf(database.db, merchants(kind, sale.merchant.id))

describe('generating', () => {
  it('takes what is past its freeze, free and not held, and counts it', async () => {
    const sale = await freshSale(database)
    const ids = await freezing(database, sale, [
      { merchant_cents: 9000, platform_subsidy_cents: 500 },
      { merchant_cents: 7000, merchant_discount_cents: 300, price_cents: 8300 },
      { held: true },
      { freeze_until_at: now + DAY },
      { status: 'not_settled', freeze_until_at: null },
    ])
    await refundOf(database, ids[0]!, 1000)
    const said = await generate(sale)
    expect(said.data).toEqual({ done: 1, skipped: [], empty: 0, job_id: null })
    const [batch, second] = await batchesOf(sale)
    expect(second).toBeUndefined()
    expect(batch).toMatchObject({
      status: 'draft',
      line_count: 2,
      gross_cents: 18_300,
      merchant_discount_cents: 300,
      subsidy_cents: 500,
      commission_cents: 2000,
      refund_deduct_cents: 1000,
      debt_deduct_cents: 0,
      payable_cents: 15_000,
      maker_id: maker.id,
    })
    expect((await linesBy(database, ids)).map(line => line.batch_id)).toEqual([
      batch!.id,
      batch!.id,
      null,
      null,
      null,
    ])
  })
  it('leaves out an order that is frozen, and lets go of one that is frozen later', async () => {
    const sale = await freshSale(database)
    const [id] = await freezing(database, sale, [{}])
    const freeze = (frozen: boolean) =>
      database.db
        .update(order)
        .set({ frozen, frozen_by: frozen ? 'risk' : null })
        .where(eq(order.id, sale.order.id))
    const batchOfLine = async () => (await linesBy(database, [id!]))[0]!.batch_id
    await freeze(true)
    expect((await generate(sale)).data.rule).toBe('nothing_to_settle')
    await freeze(false)
    await generate(sale)
    const [batch] = await batchesOf(sale)
    expect(await batchOfLine()).toBe(batch!.id)
    await freeze(true)
    await to(calls.send, batch!.id)
    await to(calls.confirm, batch!.id, { proof: 'a.png' })
    expect((await to(calls.post, batch!.id, {}, checker)).data.rule).toBe('lines_changed')
    expect((await to(calls.recalc, batch!.id)).data.rule).toBe('no_line_left')
    await to(calls.void, batch!.id, { reason: '订单已冻结' })
    expect(await batchOfLine()).toBeNull()
  })
  it('makes no batch of nothing, and none twice of the same lines', async () => {
    const sale = await freshSale(database)
    expect((await generate(sale)).data.rule).toBe('nothing_to_settle')
    await freezing(database, sale, [{}])
    expect((await generate(sale)).data.done).toBe(1)
    expect((await generate(sale)).data.rule).toBe('nothing_to_settle')
    expect(await batchesOf(sale)).toHaveLength(1)
  })
  it('is of days that are over', async () => {
    const sale = await freshSale(database)
    await freezing(database, sale, [{}])
    const said = await generate(sale, { to: now })
    expect(said.status).toBe(400)
    expect(said.data.fields.to).toContain('昨天')
  })
  it('skips the merchant that risk froze, and names it', async () => {
    const sale = await freshSale(database)
    await freezing(database, sale, [{}])
    await database.db
      .update(merchant)
      .set({ status: 'frozen' })
      .where(eq(merchant.id, sale.merchant.id))
    const said = await generate(sale)
    expect(said.data).toMatchObject({
      done: 0,
      skipped: [{ id: sale.merchant.id, name: sale.merchant.name, why: '商户已被风控冻结' }],
    })
    expect(await batchesOf(sale)).toEqual([])
  })
  it('is a job for many merchants, which lists those that risk froze', async () => {
    const sales: Sale[] = []
    for (let n = 0; n < 22; n++) sales.push(await freshSale(database))
    for (const sale of sales) await freezing(database, sale, [{}])
    const [frozen] = sales
    await database.db
      .update(merchant)
      .set({ status: 'frozen' })
      .where(eq(merchant.id, frozen!.merchant.id))
    const merchant_ids = sales.map(sale => sale.merchant.id)
    const said = await send(app, calls.generate, { ...period, merchant_ids }, by(maker))
    expect(said.data).toMatchObject({ done: 0, skipped: [], job_id: expect.any(Number) })
    const worker = await openRowJobWorker({
      database,
      events: app.events,
      install: app.install,
      log: openLog('silent'),
    })
    await worker.work()
    await worker.close()
    const ids = [said.data.job_id]
    const told = await send(app, jobs.mine, { ids }, { token: maker.token })
    expect(told.data.list[0]).toMatchObject({ state: 'done', rows_done: 22, rows_failed: 1 })
    for (const sale of sales) expect(await batchesOf(sale)).toHaveLength(sale === frozen ? 0 : 1)
  })
  it('settles no one whom the person does not see', async () => {
    const sale = await freshSale(database)
    await freezing(database, sale, [{}])
    const elsewhere = await addStaff(database, {
      role: {
        perms: ['settle.detail.*'],
        scope_type: 'city',
        scope_ids: [sale.merchant.city_id + 1],
      },
    })
    const ask = { ...period, merchant_ids: [sale.merchant.id] }
    expect((await send(app, calls.generate, ask, by(elsewhere))).status).toBe(404)
    await send(app, calls.generate, period, by(elsewhere))
    expect(await batchesOf(sale)).toEqual([])
  })
})

describe('posting', () => {
  it('moves what is payable to the balance, by another person, once', async () => {
    const { sale, ids, id } = await confirmed([9000, 8000])
    const own = await to(calls.post, id)
    expect([own.data.rule, own.message]).toEqual(['own_batch', expect.stringContaining('另一人')])
    expect((await to(calls.post, id, {}, checker)).status).toBe(200)
    expect(await held(sale, 'merchant_frozen')).toBe(0)
    expect(await held(sale, 'merchant_balance')).toBe(-17_000)
    expect((await linesBy(database, ids)).map(one => one.status)).toEqual(['settled', 'settled'])
    const batch = await read(id)
    expect(batch).toMatchObject({ status: 'posted', poster_id: checker.id })
    expect(batch.txn_id).not.toBeNull()
    const again = await to(calls.post, id, {}, checker)
    expect(again.data.rule).toBe('posted_already')
    expect(again.message).toContain(checker.account)
    expect((await to(calls.void, id, { reason: '看看能不能' })).data.rule).toBe('batch_void')
  })
  it('waits for the merchant', async () => {
    const sale = await freshSale(database)
    await freezing(database, sale, [{}])
    await generate(sale)
    const [batch] = await batchesOf(sale)
    expect((await to(calls.post, batch!.id, {}, checker)).data.rule).toBe('batch_post')
  })
  it('is refused after a refund, until it is calculated and confirmed anew', async () => {
    const { sale, ids, id } = await confirmed([9000, 8000])
    await refundOf(database, ids[0]!, 9000)
    await refundOf(database, ids[1]!, 1)
    expect((await to(calls.post, id, {}, checker)).data.rule).toBe('lines_changed')
    expect(await held(sale, 'merchant_balance')).toBe(0)
    const look = await send(app, calls.look, { id }, by(checker))
    expect(look.data.fresh).toBe(false)
    await to(calls.recalc, id)
    expect(await read(id)).toMatchObject({
      status: 'draft',
      line_count: 1,
      refund_deduct_cents: 1,
      payable_cents: 7999,
      confirmed_by: null,
    })
    await to(calls.send, id)
    await to(calls.confirm, id, { proof: 'b.png' })
    expect((await to(calls.post, id, {}, checker)).status).toBe(200)
    expect(await held(sale, 'merchant_balance')).toBe(-7999)
    expect(await held(sale, 'merchant_frozen')).toBe(0)
  })
  it('is refused after a line was held', async () => {
    const { ids, id } = await confirmed([9000, 8000])
    const hold = { ids: [ids[0]], reason: '核对票据' }
    expect((await send(app, settleLines.hold, hold, by(maker))).data.ok).toEqual([ids[0]])
    expect((await to(calls.post, id, {}, checker)).data.rule).toBe('lines_changed')
    await to(calls.recalc, id)
    expect((await read(id)).payable_cents).toBe(8000)
    const [held] = await linesBy(database, ids)
    expect(held).toMatchObject({ batch_id: null, held: true, held_by: maker.id })
  })
  it('takes debt first, never more than there is, and leaves the rest owed', async () => {
    const { sale, ids, id } = await confirmed([9000])
    await to(calls.post, id, {}, checker)
    await paidOut(database, sale, 9000)
    await refundOf(database, ids[0]!, 9000)
    expect(await held(sale, 'merchant_debt')).toBe(9000)
    await freezing(database, sale, [{ merchant_cents: 4000 }])
    await generate(sale)
    const [, batch] = await batchesOf(sale)
    expect(batch).toMatchObject({ payable_cents: 0, debt_deduct_cents: 4000 })
    // A second live batch takes only what the first leaves owed.
    await freezing(database, sale, [{ merchant_cents: 6000 }])
    await generate(sale)
    const [, , third] = await batchesOf(sale)
    expect(third).toMatchObject({ payable_cents: 1000, debt_deduct_cents: 5000 })
    for (const { id: of } of [batch!, third!]) {
      await to(calls.send, of)
      await to(calls.confirm, of, { proof: 'c.png' })
      expect((await to(calls.post, of, {}, checker)).status).toBe(200)
    }
    expect(await held(sale, 'merchant_debt')).toBe(0)
    expect(await held(sale, 'merchant_balance')).toBe(-1000)
  })
  it('is refused where less is owed by now than it takes', async () => {
    const { sale, ids, id } = await confirmed([9000])
    await to(calls.post, id, {}, checker)
    await paidOut(database, sale, 9000)
    await refundOf(database, ids[0]!, 9000)
    await freezing(database, sale, [{ merchant_cents: 4000 }])
    await generate(sale)
    const [, batch] = await batchesOf(sale)
    await to(calls.send, batch!.id)
    await to(calls.confirm, batch!.id, { proof: 'c.png' })
    await repaid(database, sale, 8000)
    expect((await to(calls.post, batch!.id, {}, checker)).data.rule).toBe('debt_changed')
    await to(calls.recalc, batch!.id)
    expect(await read(batch!.id)).toMatchObject({ payable_cents: 3000, debt_deduct_cents: 1000 })
  })
  it('posts several at once, and says of each why not', async () => {
    const good = await confirmed()
    const changed = await confirmed()
    await refundOf(database, changed.ids[0]!, 5)
    const said = await send(app, calls.batchPost, { ids: [good.id, changed.id] }, by(checker))
    expect(said.data.ok).toEqual([good.id])
    expect(said.data.failed).toMatchObject([{ id: changed.id, code: 'lines_changed' }])
    expect((await read(changed.id)).status).toBe('confirmed')
  })
})

describe('a batch', () => {
  it('is confirmed by its deadline', async () => {
    const sale = await freshSale(database)
    await freezing(database, sale, [{}])
    await generate(sale)
    const [batch] = await batchesOf(sale)
    await to(calls.send, batch!.id)
    const due = (await read(batch!.id)).confirm_deadline_at!
    const run = (at: number) => timerNamed('settle.confirm')({ database, now: at } as never)
    await run(due - 1)
    expect((await read(batch!.id)).status).toBe('confirming')
    await run(due)
    expect(await read(batch!.id)).toMatchObject({ status: 'confirmed', confirmed_by: 'auto' })
    expect(due - (await read(batch!.id)).sent_at!).toBe(CONFIRM_S)
  })
  it('is disputed, and calculated again from there', async () => {
    const sale = await freshSale(database)
    await freezing(database, sale, [{}])
    await generate(sale)
    const [batch] = await batchesOf(sale)
    expect((await to(calls.dispute, batch!.id, { reason: '金额不符' })).data.rule).toBe(
      'batch_dispute',
    )
    await to(calls.send, batch!.id)
    await to(calls.dispute, batch!.id, { reason: '金额不符' })
    expect(await read(batch!.id)).toMatchObject({ status: 'disputed', reason: '金额不符' })
    await to(calls.recalc, batch!.id)
    expect((await read(batch!.id)).status).toBe('draft')
  })
  it('lets its lines go when it is void, for another one', async () => {
    const { sale, ids, id } = await confirmed()
    await to(calls.void, id, { reason: '重新核对' })
    expect((await linesBy(database, ids)).map(one => one.batch_id)).toEqual([null, null])
    expect((await generate(sale)).data.done).toBe(1)
    expect((await to(calls.recalc, id)).data.rule).toBe('batch_recalc')
  })
  it('shows its statement to who may have it', async () => {
    const { sale, id } = await confirmed([9000, 8000])
    const said = await send(app, calls.statement, { id }, by(checker))
    expect(said.data.batch).toMatchObject({ merchant_name: sale.merchant.name })
    expect(said.data.lines).toHaveLength(2)
    expect(said.data.left).toBe(0)
    const reader = await addStaff(database, { perms: ['settle.detail.view'] })
    expect((await send(app, calls.statement, { id }, by(reader))).status).toBe(403)
  })
  it('is listed with the number of each state', async () => {
    const { sale, id } = await confirmed()
    const asked = { keyword: sale.merchant.name }
    const said = await send(app, calls.lst, asked, by(checker))
    expect(said.data.list.map((row: { id: number }) => row.id)).toEqual([id])
    expect(said.data.stat).toEqual({ confirmed: 1 })
    const no = (await read(id)).no
    expect((await send(app, calls.lst, { keyword: no }, by(checker))).data.total).toBe(1)
    expect(
      (await send(app, calls.lst, { ...asked, status: 'posted' }, by(checker))).data.total,
    ).toBe(0)
  })
})

it('a line is held and released, each once, with a reason', async () => {
  const sale = await freshSale(database)
  const [line] = await freezing(database, sale, [{}])
  const [done] = await freezing(database, sale, [{ status: 'settled' }])
  const hold = (ids: number[]) =>
    send(app, settleLines.hold, { ids, reason: '疑似刷单' }, by(maker))
  expect((await hold([line!, done!])).data).toMatchObject({
    ok: [line],
    failed: [{ id: done, code: 'line_hold' }],
  })
  expect((await hold([line!])).data.failed[0].msg).toContain('已被人工冻结')
  const release = { ids: [line], reason: '已核实' }
  expect((await send(app, settleLines.release, release, by(checker))).data.ok).toEqual([line])
  expect((await linesBy(database, [line!]))[0]).toMatchObject({ held: false, hold_reason: '' })
  const found = { order_no: sale.order.order_no }
  expect((await send(app, settleLines.lst, found, by(maker))).data.stat).toEqual({
    freezing: 1,
    settled: 1,
  })
})
