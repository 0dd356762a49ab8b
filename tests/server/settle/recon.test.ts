import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ledger_ask } from '#src/areas/ledger/ask.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { writeTradeBill } from '#src/areas/reconcile/bills.ts'
import { recon_bill, recon_item } from '#src/areas/reconcile/reconcile.table.ts'
import type { BillRow } from '#src/areas/reconcile/reconcile.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { adjusting } from '#src/modules/settle/contract/adjust.ts'
import { recon as calls } from '#src/modules/settle/contract/recon.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

type What = Parameters<typeof send>[1]
type Row = Omit<BillRow, 'line'>
let database: Database
let app: App
let clerk: Awaited<ReturnType<typeof addStaff>>
let second: Awaited<ReturnType<typeof addStaff>>
let order_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  clerk = await addStaff(database, { perms: ['settle.flow.*'] })
  second = await addStaff(database, { perms: ['settle.flow.*'] })
  order_id = (await database.db.select({ id: order.id }).from(order).limit(1))[0]!.id
})
const call = (what: What, input: object, by = clerk) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
let days = 0
/** A day that no demo and no other test has money on. */
const newDay = () => dateOf(momentNamed('2011-03-01')! + days++ * DAY)
let numbers = 0
const paymentOf = async (day: string, more: Partial<typeof payment.$inferInsert> = {}) => {
  const n = ++numbers
  const [row] = await database.db
    .insert(payment)
    .values({
      order_id,
      direction: 'in',
      stage: 'full',
      channel: 'wechat',
      amount_cents: 8000,
      fee_cents: 48,
      out_no: `RC90417_${n}`,
      channel_no: `429990417${n}`,
      state: 'success',
      success_at: momentNamed(day)! + 3600 + n,
      ...more,
    })
    .returning()
  return row!
}
const rowOf = (of: typeof payment.$inferSelect, more: Partial<Row> = {}): Row => ({
  kind: 'pay',
  at: of.success_at!,
  our_no: of.out_no,
  channel_no: of.channel_no!,
  cents: of.amount_cents,
  fee_cents: of.fee_cents,
  status: 'success',
  ...more,
})
const read = (day: string, text: string) =>
  done(calls.readBill, { day, bill_file: Buffer.from(text).toString('base64') })
const imported = async (day: string, rows: readonly Row[]) => {
  const { bill_id, fault } = await read(day, writeTradeBill(rows))
  expect(fault).toBeNull()
  return done(calls.importBill, { bill_id })
}
const itemsOf = (day: string) =>
  database.db.select().from(recon_item).where(eq(recon_item.day, day)).orderBy(recon_item.id)
const itemFor = async (day: string, our_no: string, kind: 'pay' | 'fee' = 'pay') =>
  (
    await database.db
      .select()
      .from(recon_item)
      .where(and(eq(recon_item.day, day), eq(recon_item.our_no, our_no), eq(recon_item.kind, kind)))
  )[0]!

describe('a day of four differences', () => {
  it('is told one by one, and what is equal is settled', async () => {
    const day = newDay()
    const [good, cent, unpaid, lost] = [
      await paymentOf(day),
      await paymentOf(day),
      await paymentOf(day, { state: 'closed' }),
      await paymentOf(day),
    ]
    const told = await imported(day, [
      rowOf(good!),
      rowOf(cent!, { fee_cents: 49 }),
      rowOf(unpaid!),
      rowOf(good!, { our_no: 'NOBODYS', channel_no: '42990090417' }),
    ])
    expect(told).toMatchObject({ day, added: 4, duplicates: 0, open: 4 })
    const diffs = (await itemsOf(day)).map(one => [one.our_no, one.kind, one.diff, one.status])
    expect(diffs).toEqual([
      [good!.out_no, 'pay', 'matched', 'resolved'],
      [cent!.out_no, 'pay', 'matched', 'resolved'],
      [cent!.out_no, 'fee', 'amount', 'open'],
      [unpaid!.out_no, 'pay', 'status', 'open'],
      ['NOBODYS', 'pay', 'missing_ours', 'open'],
      [lost!.out_no, 'pay', 'missing_channel', 'open'],
    ])
    const summed = await done(calls.billDay, { day })
    expect(summed.bills).toHaveLength(1)
    expect(summed.counts.find((one: { diff: string }) => one.diff === 'amount')).toMatchObject({
      n: 1,
      open: 1,
      gap_cents: 1,
    })
  })
  it('of refunds is compared with what was given back', async () => {
    const day = newDay()
    const back = await paymentOf(day, { direction: 'out', stage: 'refund', fee_cents: 0 })
    await imported(day, [rowOf(back, { kind: 'refund', cents: 7999, fee_cents: -48 })])
    expect((await itemsOf(day)).map(one => [one.kind, one.diff, one.our_cents])).toEqual([
      ['refund', 'amount', 8000],
    ])
  })
})
describe('a bill', () => {
  it('that is imported twice replaces nothing and tells its duplicates', async () => {
    const day = newDay()
    const paid = await paymentOf(day)
    await imported(day, [rowOf(paid, { cents: 1 })])
    const item = await itemFor(day, paid.out_no)
    await done(calls.resolve, {
      id: item.id,
      version: item.version,
      method: 'note',
      note: '已核实',
    })
    expect(await imported(day, [rowOf(paid, { cents: 1 })])).toMatchObject({
      added: 0,
      duplicates: 1,
    })
    const other = [rowOf(paid), rowOf(await paymentOf(day))]
    const { duplicates } = await read(day, writeTradeBill(other))
    expect(duplicates).toBe(1)
    expect(await imported(day, other)).toMatchObject({ added: 1, duplicates: 1 })
    expect(await itemFor(day, paid.out_no)).toMatchObject({ channel_cents: 1, status: 'resolved' })
  })
  it('imported by two at once is written once', async () => {
    const day = newDay()
    const { bill_id } = await read(day, writeTradeBill([rowOf(await paymentOf(day))]))
    const both = await Promise.all([
      done(calls.importBill, { bill_id }),
      done(calls.importBill, { bill_id }, second),
    ])
    expect(both.map(one => one.added).sort()).toEqual([0, 1])
    expect(await itemsOf(day)).toHaveLength(1)
  })
  it('with a wrong line is refused as a whole, in the words of the reader', async () => {
    const day = newDay()
    const text = writeTradeBill([rowOf(await paymentOf(day))]).replace('CNY', 'USD')
    const told = await read(day, text)
    expect(told).toMatchObject({ bill_id: null, rows: 0 })
    expect(told.fault).toContain('第 2 行')
    expect(await database.db.$count(recon_bill, eq(recon_bill.day, day))).toBe(0)
  })
  it('of a day that is not over is refused', async () => {
    const said = await call(calls.readBill, {
      day: dateOf(unixNow()),
      bill_file: Buffer.from(writeTradeBill([])).toString('base64'),
    })
    expect([said.status, said.data.rule]).toEqual([422, 'day_not_over'])
  })
  it('is of the house: whoever sees one mall imports none and sees none', async () => {
    const ofMall = await addStaff(database, {
      perms: ['settle.flow.*'],
      role: { scope_type: 'mall', scope_ids: [2] },
    })
    const day = newDay()
    const { bill_id } = await read(day, writeTradeBill([rowOf(await paymentOf(day))]))
    expect((await call(calls.importBill, { bill_id }, ofMall)).status).toBe(404)
    await done(calls.importBill, { bill_id })
    expect((await done(calls.items, { day }, ofMall)).list).toEqual([])
    const [item] = await itemsOf(day)
    const said = await call(
      calls.resolve,
      { id: item!.id, version: 0, method: 'note', note: '说明' },
      ofMall,
    )
    expect(said.status).toBe(404)
  })
})
describe('matching again', () => {
  it('finds what came late on either side', async () => {
    const day = newDay()
    const late = await paymentOf(day, { state: 'pending', success_at: null })
    const lost = await paymentOf(day)
    await imported(day, [
      { ...rowOf(lost), ...rowOf({ ...late, success_at: momentNamed(day)! + 60 }) },
    ])
    expect(await itemFor(day, late.out_no)).toMatchObject({ diff: 'status' })
    expect(await itemFor(day, lost.out_no)).toMatchObject({ diff: 'missing_channel' })
    await database.db
      .update(payment)
      .set({ state: 'success', success_at: momentNamed(day)! + 60 })
      .where(eq(payment.id, late.id))
    expect(await done(calls.autoMatch, { day })).toMatchObject({ changed: 1, open: 1 })
    expect(await itemFor(day, late.out_no)).toMatchObject({ diff: 'matched', status: 'resolved' })
    await imported(day, [rowOf(lost)])
    expect(await itemFor(day, lost.out_no)).toMatchObject({ diff: 'matched', status: 'resolved' })
    expect(await done(calls.autoMatch, { day })).toMatchObject({ changed: 0, open: 0 })
  })
  it('of a day without a bill says so', async () => {
    const said = await call(calls.autoMatch, { day: newDay() })
    expect([said.status, said.data.rule]).toEqual([422, 'no_bill'])
  })
})
describe('a difference', () => {
  const differing = async () => {
    const day = newDay()
    const paid = await paymentOf(day)
    await imported(day, [rowOf(paid, { fee_cents: 49 })])
    const { id, version } = await itemFor(day, paid.out_no, 'fee')
    return { day, no: paid.out_no, one: { id, version } }
  }
  const itemNow = async (id: number) =>
    (await database.db.select().from(recon_item).where(eq(recon_item.id, id)))[0]!
  it('is taken over by a person, and closed with a note', async () => {
    const { one } = await differing()
    const taken = await done(calls.resolve, { ...one, method: 'take_over', note: '我来问渠道' })
    expect(await itemNow(one.id)).toMatchObject({ owner_id: clerk.id, status: 'open' })
    await done(calls.resolve, { ...one, version: taken.version, method: 'note', note: '四舍五入' })
    expect(await itemNow(one.id)).toMatchObject({ status: 'resolved', resolved_by: clerk.id })
    const said = await call(
      calls.resolve,
      { ...one, version: taken.version + 1, method: 'note', note: '再次' },
      second,
    )
    expect([said.status, said.data.rule]).toEqual([422, 'not_resolvable'])
  })
  it('is mended by an adjustment that another person posts', async () => {
    const { one } = await differing()
    await done(calls.resolve, { ...one, method: 'adjust', note: '补记一分手续费' })
    const [ask] = await database.db
      .select()
      .from(ledger_ask)
      .where(eq(ledger_ask.recon_item_id, one.id))
    expect(ask).toMatchObject({ amount_cents: 1, state: 'pending', maker_id: clerk.id })
    const held = { id: ask!.id, version: ask!.version }
    expect((await call(adjusting.approveAdjust, held)).status).toBe(422)
    await done(adjusting.approveAdjust, held, second)
    const item = await itemNow(one.id)
    expect(item).toMatchObject({ status: 'resolved', resolved_by: second.id })
    expect(item.resolve_txn_id).not.toBeNull()
  })
  it('is open again once its adjustment is turned down', async () => {
    const { one } = await differing()
    await done(calls.resolve, { ...one, method: 'adjust', note: '补记一分手续费' })
    const [ask] = await database.db
      .select()
      .from(ledger_ask)
      .where(eq(ledger_ask.recon_item_id, one.id))
    await done(
      adjusting.rejectAdjust,
      { id: ask!.id, version: ask!.version, reason: '账单有误' },
      second,
    )
    expect(await itemNow(one.id)).toMatchObject({ status: 'open', method: null })
    const { version } = await itemNow(one.id)
    await done(calls.resolve, { id: one.id, version, method: 'adjust', note: '再次申请' })
  })
  it('that two resolve at once is resolved by one', async () => {
    const { one } = await differing()
    const note = { ...one, method: 'note', note: '两人同时' }
    const both = await Promise.all([call(calls.resolve, note), call(calls.resolve, note, second)])
    expect(both.map(said => said.status).sort()).toEqual([200, 409])
  })
})
it('the bank’s bill is compared with the bank account of the journal', async () => {
  const day = newDay()
  const text = [
    '交易时间,流水号,收入金额,支出金额,余额,对方户名,用途',
    `${day} 09:00:00,BK90417,100.00,0.00,500.00,某公司,没有这张单据`,
    '总笔数,收入金额,支出金额',
    '1,100.00,0.00',
  ].join('\n')
  const { bill_id, channel } = await read(day, text)
  expect(channel).toBe('bank')
  await done(calls.importBill, { bill_id })
  expect((await itemsOf(day)).map(one => [one.kind, one.diff])).toEqual([
    ['income', 'missing_ours'],
  ])
})
it('no item is matched and open', async () => {
  await expect(
    database.db.execute(
      sql`insert into recon_item (day, channel, kind, our_no, our_cents, diff, status, at) values ('2011-01-01', 'bank', 'income', 'x', 1, 'matched', 'open', 1)`,
    ),
  ).rejects.toThrow()
})
