import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepToBank } from '#src/areas/funds/sweep.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { fundFoot, fundHead } from '#src/areas/reconcile/bills.ts'
import { recon_item } from '#src/areas/reconcile/reconcile.table.ts'
import { embeddedSharing } from '#src/areas/split/embeddedSharing.channel.ts'
import { makeSplit } from '#src/areas/split/making.server.ts'
import { giveBackSplit } from '#src/areas/split/splits.server.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { recon as calls } from '#src/modules/settle/contract/recon.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { refundUnused } from '../../help/orders.ts'
import { RIPE_S, sharedOrder, sharedShop, splitOf, turnSplits } from '../../help/splits.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let staff: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  staff = await addStaff(database, { perms: ['settle.flow.*'] })
})
const done = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await send(app, what, input, { token: staff.token })
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
let days = 0
/** A day that no demo and no other test has money on. */
const newDay = () => dateOf(momentNamed('2013-03-01')! + days++ * DAY)
type Line = { word: string; way: '收入' | '支出'; our_no: string; no: string; cents: number }
type Numbers = string | readonly [our_no: string, no: string]
/** A row of a bill: the same number is ours and the channel's, where one is named. */
const line = (word: string, way: Line['way'], numbers: Numbers, cents: number): Line => {
  const [our_no, no] = typeof numbers === 'string' ? [numbers, numbers] : numbers
  return { word, way, our_no, no, cents }
}
let rows = 0
const amount = (cents: number) => (cents / 100).toFixed(2)
const sumOf = (lines: readonly Line[], way: Line['way']) =>
  lines.reduce((sum, one) => sum + (one.way === way ? one.cents : 0), 0)
/** A fund bill as WeChat Pay writes it. */
const billOf = (day: string, lines: readonly Line[]): string =>
  [
    `\uFEFF${fundHead}`,
    ...lines.map(
      ({ word, way, our_no, no, cents }) =>
        `\`${day} 12:00:00,\`${no},\`F${day}${++rows},\`${word},\`${word},\`${way},\`${amount(cents)},\`100.00,\`system,\`,\`${our_no}`,
    ),
    fundFoot,
    `\`${lines.length},\`1,\`${amount(sumOf(lines, '收入'))},\`1,\`${amount(sumOf(lines, '支出'))}`,
    '',
  ].join('\r\n')
const imported = async (day: string, lines: readonly Line[]) => {
  const bill_file = Buffer.from(billOf(day, lines)).toString('base64')
  const { bill_id, fault } = await done(calls.readBill, { day, bill_file })
  expect(fault).toBeNull()
  return done(calls.importBill, { bill_id })
}
const itemsOf = async (day: string) =>
  (
    await database.db
      .select()
      .from(recon_item)
      .where(eq(recon_item.day, day))
      .orderBy(recon_item.id)
  ).map(one => [one.kind, one.our_cents, one.channel_cents, one.diff, one.status])
/** An order of two that was paid, and of its payments those that go this way. */
const paidOrder = async () => {
  const { item } = await database.transaction(tx => freshProduct(tx, 'bulks'))
  const buyer = await aBuyer(database)
  const now = unixNow()
  const of = { proved: true, member_id: buyer.id, product_id: item.id, qty: 2, now }
  const { id } = await database.transaction(tx => placeOrder(tx, of))
  await database.transaction(tx => payOrder(tx, id, now))
  return id
}
const paymentOf = async (order_id: number, direction: 'in' | 'out') =>
  (
    await database.db
      .select()
      .from(payment)
      .where(and(eq(payment.order_id, order_id), eq(payment.direction, direction)))
  )[0]!

describe('a fund bill', () => {
  it('of a sale and its refund is matched with its fees, as the journal has them', async () => {
    const id = await paidOrder()
    const of = { order_id: id, reason: '不想要了', now: unixNow() }
    expect(await refundUnused(database, of)).toBe(true)
    const [paid, back] = [await paymentOf(id, 'in'), await paymentOf(id, 'out')]
    const fee = Math.round((paid.amount_cents * 60) / 10_000)
    const fee_back = fee
    const day = newDay()
    const told = await imported(day, [
      line('交易', '收入', [paid.out_no, paid.channel_no!], paid.amount_cents),
      line('扣除交易手续费', '支出', [paid.out_no, paid.channel_no!], fee),
      line('退款', '支出', [back.out_no, back.channel_no!], back.amount_cents),
      line('退回交易手续费', '收入', [back.out_no, back.channel_no!], fee_back),
    ])
    expect(told).toMatchObject({ added: 4, open: 0 })
    expect(await itemsOf(day)).toEqual([
      ['pay', paid.amount_cents, paid.amount_cents, 'matched', 'resolved'],
      ['fee', fee, fee, 'matched', 'resolved'],
      ['refund', back.amount_cents, back.amount_cents, 'matched', 'resolved'],
      ['fee_back', fee_back, fee_back, 'matched', 'resolved'],
    ])
  })
  it('with a fee that is another than ours makes one case of it', async () => {
    const paid = await paymentOf(await paidOrder(), 'in')
    const fee = Math.round((paid.amount_cents * 60) / 10_000)
    const day = newDay()
    await imported(day, [
      line('交易', '收入', [paid.out_no, paid.channel_no!], paid.amount_cents),
      line('扣除交易手续费', '支出', [paid.out_no, paid.channel_no!], fee + 1),
    ])
    expect((await itemsOf(day))[1]).toEqual(['fee', fee, fee + 1, 'amount', 'open'])
  })
  it('tells a payout to the bank once a person noted it, by its number or by its amount', async () => {
    const day = newDay()
    const at = momentNamed(day)! + 3600
    const amount_cents = 77_777
    const told = [
      line('提现', '支出', ['', `T${day}`], amount_cents),
      line('提现', '支出', [`N${day}`, `U${day}`], 100),
    ]
    await imported(day, told)
    expect((await itemsOf(day)).map(one => one[3])).toEqual(['missing_ours', 'missing_ours'])
    const note = (bank_no: string, cents: number) =>
      database.transaction(tx =>
        sweepToBank(tx, { at, amount_cents: cents, bank_no, me: staff.id, now: unixNow() }),
      )
    await note(`B${day}`, amount_cents)
    await note(`N${day}`, 99)
    await done(calls.autoMatch, { day })
    expect(await itemsOf(day)).toEqual([
      ['sweep', amount_cents, amount_cents, 'matched', 'resolved'],
      ['sweep', 99, 100, 'amount', 'open'],
    ])
  })
  it('of shares answers to each receiver once, and to what came back', async () => {
    const shop = await sharedShop(database)
    let now = unixNow() + RIPE_S
    const channel = embeddedSharing(database, { now: () => now })
    const order_id = await sharedOrder(database, shop)
    await database.transaction(tx => makeSplit(tx, order_id, { own: channel.own, now }))
    const turn = async () => {
      now += 60
      await turnSplits(database, channel, now)
    }
    const { transaction_no } = (await splitOf(database, order_id))!
    await channel.plan(transaction_no, { delay_s: 0 })
    await turn()
    const split = (await splitOf(database, order_id))!
    const merchant = split.receivers.find(one => one.role === 'merchant')!
    const { id, version } = split
    const asked = { receiver_id: merchant.id, amount_cents: 100, reason: '售后' }
    await database.transaction(tx => giveBackSplit(tx, { id, version, now, ...asked }))
    const { out_no: back_no } = (await splitOf(database, order_id))!
    await turn()
    const day = newDay()
    await imported(day, [
      ...split.receivers.map(one => line('分账', '支出', one.out_no!, one.amount_cents)),
      line('分账', '支出', split.receivers[0]!.out_no!, 1),
      line('分账回退', '收入', back_no!, 100),
    ])
    expect((await itemsOf(day)).map(one => [one[0], one[3]])).toEqual([
      ...split.receivers.map(() => ['share', 'matched']),
      ['share', 'missing_ours'],
      ['share_back', 'matched'],
    ])
  })
  it('with what nobody here knows is imported, and that is a case with the bill’s own word', async () => {
    const day = newDay()
    await imported(day, [line('营销代金券', '支出', 'X1', 500)])
    expect(await itemsOf(day)).toEqual([['other_out', null, 500, 'missing_ours', 'open']])
    const { list } = await done(calls.items, { day })
    expect(list[0]).toMatchObject({ kind: 'other_out', word: '营销代金券' })
  })
})
