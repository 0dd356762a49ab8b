import { createHash } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import type { BillAnswer } from '#src/areas/reconcile/bills.channel.ts'
import { writeTradeBill } from '#src/areas/reconcile/bills.ts'
import { embeddedBills } from '#src/areas/reconcile/embeddedBills.channel.ts'
import { fetchBills } from '#src/areas/reconcile/fetching.server.ts'
import { writeFundBill } from '#src/areas/reconcile/fundText.ts'
import { matchDay } from '#src/areas/reconcile/matching.server.ts'
import { recon_bill, recon_fetch, recon_item } from '#src/areas/reconcile/reconcile.table.ts'
import type { BillRow, FetchedForm } from '#src/areas/reconcile/reconcile.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import { embeddedSharing } from '#src/areas/split/embeddedSharing.channel.ts'
import { makeSplit } from '#src/areas/split/making.server.ts'
import { dist_split_receiver } from '#src/areas/split/split.table.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, HOUR, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { recon as calls } from '#src/modules/settle/contract/recon.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { RIPE_S, sharedOrder, sharedShop, splitOf, turnSplits } from '../../help/splits.ts'

let database: Database
let app: App
let clerk: Awaited<ReturnType<typeof addStaff>>
let order_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  clerk = await addStaff(database, { perms: ['settle.flow.*'] })
  order_id = (await database.db.select({ id: order.id }).from(order).orderBy(order.id).limit(1))[0]!
    .id
}, 120_000)
const OWN = '1900000001'
let days = 0
/**
 * A day that no demo and no other test has money on, and eleven of the next morning. What is planned
 * goes on from the last day that was: it begins with none.
 */
const aDay = async () => {
  await database.db.delete(recon_fetch)
  const day = dateOf(momentNamed('2015-03-01')! + (days += 20) * DAY)
  return { day, now: momentNamed(day)! + DAY + 11 * HOUR }
}
let numbers = 0
const paymentOf = async (day: string, channel: 'wechat' | 'embedded' = 'wechat') => {
  const n = ++numbers
  const [row] = await database.db
    .insert(payment)
    .values({
      order_id,
      direction: 'in',
      stage: 'full',
      channel,
      amount_cents: 8000,
      fee_cents: 48,
      out_no: `RF90417_${n}`,
      channel_no: `428890417${n}`,
      state: 'success',
      success_at: momentNamed(day)! + 3600 + n,
    })
    .returning()
  return row!
}
const rowOf = (of: typeof payment.$inferSelect): Omit<BillRow, 'line'> => ({
  kind: 'pay',
  at: of.success_at!,
  our_no: of.out_no,
  channel_no: of.channel_no!,
  cents: of.amount_cents,
  fee_cents: of.fee_cents,
  status: 'success',
})
const fileOf = (form: FetchedForm, rows: readonly Omit<BillRow, 'line'>[]): BillAnswer => ({
  state: 'ready',
  file: Buffer.from((form === 'trade' ? writeTradeBill : writeFundBill)(rows)),
})
/** A channel that says this, and what it was asked for. */
const sourceOf = (says: (of: { day: string; form: FetchedForm }) => BillAnswer) => {
  const asked: string[] = []
  const source = {
    name: 'wechat' as const,
    bill: async (of: { day: string; form: FetchedForm }) => {
      asked.push(`${of.day} ${of.form}`)
      return says(of)
    },
  }
  return { source, asked }
}
const turn = ({ source }: ReturnType<typeof sourceOf>, now: number) =>
  fetchBills({ database, source, own: OWN, now })
const fetchesOf = (day: string) =>
  database.db.select().from(recon_fetch).where(eq(recon_fetch.day, day)).orderBy(recon_fetch.id)
const stateOf = async (day: string) => (await fetchesOf(day)).map(one => [one.form, one.state])
const itemsOf = (day: string) =>
  database.db.select().from(recon_item).where(eq(recon_item.day, day)).orderBy(recon_item.id)
const billsOf = (day: string) =>
  database.db.$count(recon_bill, and(eq(recon_bill.day, day), eq(recon_bill.channel, 'wechat')))

describe('the bills of a day', () => {
  it('are fetched from ten of the next morning on, once, and matched', async () => {
    const { day, now } = await aDay()
    const paid = await paymentOf(day)
    const says = sourceOf(({ form }) => fileOf(form, [rowOf(paid)]))
    const early = now - 2 * HOUR
    await turn(says, early)
    expect(says.asked.filter(one => one.startsWith(day))).toEqual([])
    await turn(says, now)
    await Promise.all([1, 2, 3].map(() => turn(says, now + HOUR)))
    expect(says.asked.filter(one => one.startsWith(day))).toEqual([`${day} trade`, `${day} fund`])
    expect(await stateOf(day)).toEqual([
      ['trade', 'done'],
      ['fund', 'done'],
    ])
    expect((await itemsOf(day)).map(one => [one.kind, one.diff])).toEqual([
      ['pay', 'matched'],
      ['fee', 'matched'],
    ])
    expect(await billsOf(day)).toBe(2)
  })
  it('are asked for by one of several servers at once', async () => {
    const { day, now } = await aDay()
    const paid = await paymentOf(day)
    const says = sourceOf(({ form }) => fileOf(form, [rowOf(paid)]))
    await Promise.all([1, 2, 3, 4].map(() => turn(says, now)))
    expect(says.asked.toSorted()).toEqual([`${day} fund`, `${day} trade`])
    expect(await billsOf(day)).toBe(2)
  })
  it('of the days that a server was away are fetched too, seven at most', async () => {
    const { day, now } = await aDay()
    const none = sourceOf(() => ({ state: 'none' }))
    await turn(none, now)
    for (let n = 0; n < 5; n++) await turn(none, now + 10 * DAY)
    const missed = new Set(none.asked.map(one => one.slice(0, 10)))
    const at = momentNamed(day)!
    expect([...missed].toSorted()).toEqual([
      day,
      ...[4, 5, 6, 7, 8, 9, 10].map(n => dateOf(at + n * DAY)),
    ])
  })
  it('that a person imported are not asked for, and a file that comes twice is one bill', async () => {
    const { day, now } = await aDay()
    const paid = await paymentOf(day)
    const text = writeTradeBill([rowOf(paid)])
    const hash = createHash('sha256').update(text).digest('hex')
    const values = { channel: 'wechat', form: 'trade', day, rows: 1 } as const
    const sums = { in_cents: 8000, out_cents: 0, fee_cents: 48 }
    await database.db.insert(recon_bill).values({ ...values, ...sums, hash, waiting: null })
    const says = sourceOf(() => ({ state: 'none' }))
    await turn(says, now)
    expect(says.asked).toEqual([`${day} fund`])
    expect(await stateOf(day)).toContainEqual(['trade', 'done'])

    const other = await aDay()
    const its = await paymentOf(other.day)
    const file = writeTradeBill([rowOf(its)])
    await send(
      app,
      calls.readBill,
      { day: other.day, bill_file: Buffer.from(file).toString('base64') },
      { token: clerk.token },
    )
    await turn(
      sourceOf(({ form }) => fileOf(form, [rowOf(its)])),
      other.now,
    )
    expect(await billsOf(other.day)).toBe(2)
    expect(await itemsOf(other.day)).toHaveLength(2)
  })
})
describe('a bill that is not to be had', () => {
  const onlyTrade = async (answer: BillAnswer, paid = true) => {
    const { day, now } = await aDay()
    if (paid) await paymentOf(day)
    const says = sourceOf(({ form }) => (form === 'trade' ? answer : { state: 'none' }))
    await turn(says, now)
    const one = (await fetchesOf(day)).find(each => each.form === 'trade')!
    return { day, now, says, one, wait: one.ask_at === null ? null : one.ask_at - now }
  }
  it('is asked for again: later, silent, refused, broken, of another kind', async () => {
    const later = await onlyTrade({ state: 'later', text: '正在生成' })
    expect([later.one.state, later.one.answer, later.wait]).toEqual(['waiting', '正在生成', 120])
    const silent = await onlyTrade({ state: 'unknown', text: '没有应答' })
    expect([silent.one.state, silent.one.answer, silent.wait]).toEqual(['failed', '没有应答', 120])
    const refused = await onlyTrade({ state: 'failed', text: '没有权限' })
    expect([refused.one.state, refused.wait]).toEqual(['failed', HOUR])
    const broken = await onlyTrade({ state: 'ready', file: Buffer.from('x') })
    expect([broken.one.state, broken.wait]).toEqual(['failed', HOUR])
    const other = await onlyTrade(fileOf('fund', []))
    expect([other.one.state, other.one.answer]).toEqual([
      'failed',
      joined([
        '渠道给出的是另一种账单，没有导入',
        'The channel gave a bill of another kind: it was not imported',
      ]),
    ])
    for (const { day } of [later, silent, refused, broken, other])
      expect(await billsOf(day)).toBe(0)
  })
  it('is there at the next turn, and one that fails holds up no other', async () => {
    const { day, now } = await aDay()
    const paid = await paymentOf(day)
    let n = 0
    const says = sourceOf(({ form }) => {
      if (form === 'fund') throw new Error('broken')
      return ++n === 1 ? { state: 'unknown', text: '' } : fileOf(form, [rowOf(paid)])
    })
    const heard: unknown[] = []
    const work = { database, source: says.source, own: OWN, failed: (e: unknown) => heard.push(e) }
    await fetchBills({ ...work, now })
    await fetchBills({ ...work, now: now + 600 })
    expect(await stateOf(day)).toContainEqual(['trade', 'done'])
    expect(heard).toHaveLength(2)
  })
  it('is none where nothing moved, and a failure where something did', async () => {
    const quiet = await onlyTrade({ state: 'none' }, false)
    expect([quiet.one.state, quiet.wait]).toEqual(['none', null])
    const odd = await onlyTrade({ state: 'none' })
    expect([odd.one.state, odd.one.answer]).toEqual([
      'failed',
      joined([
        '微信支付说这一天没有账单，平台有 1 笔收付款',
        'WeChat Pay has no bill of that day, though money moved here: 1 in all',
      ]),
    ])
  })
  it('is left to a person once it was asked for over days', async () => {
    const { day, now, says } = await onlyTrade({ state: 'failed', text: '没有权限' })
    for (let n = 1; n < 6; n++)
      await database.db
        .update(recon_fetch)
        .set({ ask_at: now + 4 * DAY, tries: n })
        .where(and(eq(recon_fetch.day, day), eq(recon_fetch.form, 'trade')))
    await database.db.delete(recon_fetch).where(eq(recon_fetch.form, 'fund'))
    await turn(says, now + 4 * DAY)
    const [one] = await fetchesOf(day)
    expect([one!.state, one!.ask_at]).toEqual(['failed', null])
  })
})
describe('somebody who asks for the bills of a day', () => {
  const ask = (input: object, by = clerk) => send(app, calls.fetchBills, input, { token: by.token })
  it('has them asked for at once, with the failure and the next turn told', async () => {
    await database.db.delete(recon_fetch)
    const day = dateOf(dayStart(unixNow()) - 40 * DAY)
    const said = await ask({ day })
    expect([said.status, said.data]).toEqual([200, { day, asked: 2 }])
    const says = sourceOf(() => ({ state: 'failed', text: '没有权限' }))
    await turn(says, unixNow() + 1)
    const told = await send(app, calls.billDay, { day }, { token: clerk.token })
    expect(told.data.fetches).toMatchObject([
      { form: 'trade', state: 'failed', answer: '没有权限', tries: 1 },
      { form: 'fund', state: 'failed', answer: '没有权限', tries: 1 },
    ])
  })
  it('is refused a day that is not over, too old, or whose bills are there', async () => {
    const today = dayStart(unixNow())
    const rule = async (day: string) => (await ask({ day })).data?.rule
    expect(await rule(dateOf(today))).toBe('day_not_over')
    expect(await rule('nonsense!!')).toBe('day_not_over')
    expect(await rule(dateOf(today - 100 * DAY))).toBe('too_old')
    const day = dateOf(today - 41 * DAY)
    const [bill] = await database.db.select().from(recon_bill).orderBy(asc(recon_bill.id)).limit(1)
    const there = { day, state: 'done', bill_id: bill!.id } as const
    await database.db.insert(recon_fetch).values([
      { ...there, form: 'trade' },
      { ...there, form: 'fund' },
    ])
    expect(await rule(day)).toBe('fetched')
  })
  it('may, and sees the whole house', async () => {
    const day = dateOf(dayStart(unixNow()) - 42 * DAY)
    const none = await addStaff(database, { perms: ['settle.flow.view'] })
    expect((await ask({ day }, none)).status).toBe(403)
  })
})
describe('the embedded channel', () => {
  it('gives bills of what it moved, which are matched; of a quiet day it has none', async () => {
    const { day, now } = await aDay()
    await paymentOf(day, 'embedded')
    const source = embeddedBills(database, OWN)
    await fetchBills({ database, source, own: OWN, now })
    expect(await stateOf(day)).toEqual([
      ['trade', 'done'],
      ['fund', 'done'],
    ])
    expect((await itemsOf(day)).map(one => one.diff)).toEqual(['matched', 'matched'])
    expect(await source.bill({ day: (await aDay()).day, form: 'fund' })).toEqual({ state: 'none' })
  })
})
describe('shares that the fund bill lacks', () => {
  it('are told of our own account, each once, and not of a merchant’s', async () => {
    const { day, now } = await aDay()
    const at = momentNamed(day)! + 12 * HOUR
    const shop = await sharedShop(database)
    const ripe = unixNow() + RIPE_S
    const channel = embeddedSharing(database, { now: () => ripe + 60 })
    const id = await sharedOrder(database, shop)
    await database.transaction(tx => makeSplit(tx, id, { own: channel.own, now: ripe }))
    await channel.plan((await splitOf(database, id))!.transaction_no, { delay_s: 0 })
    await turnSplits(database, channel, ripe + 60)
    const split = (await splitOf(database, id))!
    expect(split.status).toBe('finished')
    await database.db
      .update(dist_split_receiver)
      .set({ done_at: at })
      .where(eq(dist_split_receiver.split_id, split.id))
    const fund = sourceOf(({ form }) =>
      form === 'fund'
        ? fileOf(form, [
            {
              kind: 'sweep',
              at,
              our_no: '',
              channel_no: `S${day}`,
              cents: 1,
              fee_cents: null,
              status: 'success',
            } as never,
          ])
        : { state: 'none' },
    )
    const told = async () =>
      (await itemsOf(day)).filter(one => one.kind === 'share').map(one => one.our_cents)
    // Paid to the merchant's own number: its bill tells them.
    await turn(fund, now)
    expect(await told()).toEqual([])
    const said = await send(app, calls.billDay, { day }, { token: clerk.token })
    expect(said.data.shares_elsewhere).toBe(split.receivers.length)

    await database.db
      .update(settle_merchant)
      .set({ sub_mchid: OWN })
      .where(eq(settle_merchant.merchant_id, shop.item.merchant_id))
    const left = split.receivers.filter(one => one.account !== OWN).map(one => one.amount_cents)
    await database.transaction(tx => matchDay(tx, day, OWN))
    await database.transaction(tx => matchDay(tx, day, OWN))
    expect((await told()).toSorted()).toEqual(left.toSorted())
  })
})
