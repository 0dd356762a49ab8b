import { eq, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { releaseDue } from '#src/areas/commission/settling.server.ts'
import { film_order, film_request } from '#src/areas/film/film.table.ts'
import { embeddedProviders } from '#src/areas/film/provider.channel.ts'
import { film_pull_promoter, film_pull_record } from '#src/areas/filmPull/pull.table.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, product_store } from '#src/areas/product/product.table.ts'
import { writeTradeBill } from '#src/areas/reconcile/bills.ts'
import { ensureTerms, generateBatch } from '#src/areas/settle/batches.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { receive, ship } from '#src/areas/shipping/shipping.server.ts'
import { embeddedSharing } from '#src/areas/split/embeddedSharing.channel.ts'
import { makeSplit } from '#src/areas/split/making.server.ts'
import { sendSplits } from '#src/areas/split/sharing.server.ts'
import { DAY, dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { aBuyer } from '../help/cardOrders.ts'
import { FIRST } from '../help/counted.ts'
import { anOwner, soldFilm, type Owner } from '../help/filmOrders.ts'
import { freshMerchant } from '../help/merchants.ts'
import { aCampaign } from '../help/pulls.ts'
import { freshSeller } from '../help/sellers.ts'
import { openSales } from '../help/sellerSales.ts'
import { sharedOrder, sharedShop, splitOf } from '../help/splits.ts'
import { freshProduct } from '../help/trade.ts'

/** The freeze of what an order earned was over before today. */
const ripen = ({ db }: Database, order_id: number) =>
  db
    .update(settle_line)
    .set({ freeze_until_at: dayStart(unixNow()) - 60 })
    .where(eq(settle_line.order_id, order_id))
/** Two splits: of one the channel refuses a receiver, of the other all, this once. */
const splits = async (database: Database) => {
  const shop = await sharedShop(database)
  const now = unixNow()
  const channel = embeddedSharing(database)
  const split = async (fails: (seller: string) => Record<string, string>) => {
    const id = await sharedOrder(database, shop)
    await ripen(database, id)
    await database.transaction(tx => makeSplit(tx, id, { own: channel.own, now }))
    const { split_no, transaction_no, receivers } = (await splitOf(database, id))!
    const { account } = receivers.find(one => one.role === 'seller')!
    await channel.plan(transaction_no, { delay_s: 0, fails: fails(account) })
    return { id, split_no, transaction_no }
  }
  const partial = await split(seller => ({ [seller]: 'ACCOUNT_ABNORMAL' }))
  const failed = await split(() => ({ '*': 'PAYER_ACCOUNT_ABNORMAL' }))
  const work = { database, channel, log: { warn: () => {} }, now, failed: () => {} }
  await sendSplits(work)
  await channel.plan(failed.transaction_no, { delay_s: 0 })
  return { partial: partial.split_no, failed: failed.split_no }
}
/** Something on sale that is a merchant's own. */
const ownProduct = async (
  database: Database,
  owner: Awaited<ReturnType<typeof freshMerchant>>,
  kind: 'bulks' | 'elist',
) => {
  const { item } = await database.transaction(tx => freshProduct(tx, kind))
  const { db } = database
  await db
    .update(product)
    .set({ merchant_id: owner.id, store_ids: [owner.store_id], city_id: owner.city_id })
    .where(eq(product.id, item.id))
  await db.insert(product_store).values({ product_id: item.id, store_id: owner.store_id, sort: 0 })
  return item.id
}
const receiver = { name: '王芳', phone: '13900000001', area: '上海市徐汇区', address: '漕溪路1号' }
/** Two pieces of goods that were paid for, sent and received. */
const receivedGoods = (database: Database, of: { member_id: number; product_id: number }) =>
  database.transaction(async tx => {
    const now = unixNow() - 60
    const paid = { ...of, proved: true, qty: 2, receiver, freight_cents: 0, now }
    const { id, order_no } = await placeOrder(tx, paid)
    await payOrder(tx, id, now)
    await ship(tx, {
      order_id: id,
      courier: 'shunfeng',
      tracking_no: `SF${String(8_000_000_000_000 + FIRST)}`,
      actor: { type: 'staff', id: 1 },
      now,
    })
    await receive(tx, { order_id: id, actor: { type: 'member' }, now })
    return { id, order_no }
  })
/**
 * A merchant with a draft of three coupons that were used and two pieces of goods that were received,
 * all past their freeze: its name, and the number of the order of the goods.
 */
const draft = async (database: Database) => {
  const now = unixNow()
  const owner = await freshMerchant(database)
  await ensureTerms(database.db)
  const product_id = await ownProduct(database, owner, 'bulks')
  const { db } = database
  const buyer = await aBuyer(database)
  const of = { proved: true, member_id: buyer.id, product_id, qty: 3, now: now - 60 }
  const { id } = await database.transaction(tx => placeOrder(tx, of))
  await database.transaction(tx => payOrder(tx, id, now - 60))
  for (const code of await db.select().from(order_code).where(eq(order_code.order_id, id)))
    await database.transaction(tx =>
      redeem(tx, { code_id: code.id, store_id: owner.store_id, now: unixNow() }),
    )
  const goods = await receivedGoods(database, {
    member_id: buyer.id,
    product_id: await ownProduct(database, owner, 'elist'),
  })
  for (const order_id of [id, goods.id]) await ripen(database, order_id)
  const period = { period_from: dateOf(now - 7 * DAY), period_to: dateOf(now - DAY) }
  await database.transaction(tx =>
    generateBatch(tx, { merchant_id: owner.id, ...period, maker_id: 1, now: unixNow() }),
  )
  return { merchant_name: owner.name, goods_no: goods.order_no }
}
/** Commission of an expert for one coupon that was used, past its hold; the order's number. */
const commission = async (database: Database) => {
  const sales = await openSales(database)
  const { member_id } = await sales.team()
  const id = await sales.bought(member_id, sales.coupons, 1)
  await sales.used(id)
  const now = unixNow()
  await database.db
    .update(dist_commission)
    .set({ frozen_until: now - 60 })
    .where(eq(dist_commission.order_id, id))
  await database.transaction(tx => releaseDue(tx, now))
  const [row] = await database.db.select().from(order).where(eq(order.id, id))
  return row!.order_no
}
const STUCK_S = 6 * 60
/** A number that the provider does this with. */
const numberThat = async (fits: (no: string) => Promise<boolean>): Promise<string> => {
  const from = Date.now()
  for (let n = 0; ; n++) {
    const no = `GY${from}${String(n).padStart(3, '0')}`
    if (await fits(no)) return no
  }
}
/** Tickets that nobody heard of for six minutes, though they are issued, and others that failed. */
const stuckFilms = async (database: Database) => {
  const owner = await anOwner(database)
  const at = unixNow() - STUCK_S
  const { provider_a } = embeddedProviders
  const numberOf = (state: 'success' | 'failed') =>
    numberThat(async no => (await provider_a.query({ out_no: no })).state === state)
  const [bought, sold_out] = [await numberOf('success'), await numberOf('failed')]
  const stuck = async (
    ticket_state: 'issuing' | 'issue_failed',
    request: { out_no: string; state?: 'pending'; ask_at?: number; answer?: string },
  ) => {
    const row = await soldFilm(database, { owner, ticket_state })
    await database.db
      .update(film_order)
      .set({ waiting_since: at })
      .where(eq(film_order.order_id, row.id))
    await database.db.insert(film_request).values({
      order_id: row.id,
      provider: 'provider_a',
      state: 'failed',
      tries: 1,
      created_at: at,
      ...request,
    })
    return row.order_no
  }
  return {
    // The clock asks for it in an hour: until then only the journey does.
    issued: await stuck('issuing', { out_no: bought, state: 'pending', ask_at: unixNow() + 3600 }),
    failed: await stuck('issue_failed', { out_no: sold_out, answer: '渠道维护中，暂停出票' }),
  }
}
type Taken = Awaited<ReturnType<(typeof embeddedProviders)['provider_a']['giveBack']>>['state']
/** A buyer's tickets asked back, of which their provider says this. */
const filmRefund = async (database: Database, owner: Owner, says: Taken) => {
  const { provider_a } = embeddedProviders
  const provider_no = await numberThat(
    async no => (await provider_a.giveBack({ provider_no: no, cost_cents: 1 })).state === says,
  )
  const row = await soldFilm(database, { owner })
  await database.db.update(film_order).set({ provider_no }).where(eq(film_order.order_id, row.id))
  const of = { order_id: row.id, kind: 'user', reason: '临时有事', source: 'member' } as const
  return database.transaction(tx => openFilmRefund(tx, { ...of, now: unixNow() }))
}
/** A buyer's tickets that their provider will not take back, asked for; the refund's number. */
const refusedFilm = async (database: Database) =>
  (await filmRefund(database, await anOwner(database), 'refused')).refund_no
/** Three refunds of one mall, the second refused by its provider; the mall, and their orders. */
const someFilms = async (database: Database) => {
  const owner = await anOwner(database)
  const order_nos: string[] = []
  for (const says of ['returned', 'refused', 'returned'] as const) {
    const { order_id } = await filmRefund(database, owner, says)
    const [row] = await database.db.select().from(order).where(eq(order.id, order_id))
    order_nos.push(row!.order_no)
  }
  return { mall_id: owner.mall_id, order_nos }
}
/** A campaign that is over, with two buyers whose promoter is to be rewarded. */
const campaign = async (database: Database) => {
  const at = unixNow() - 10 * DAY
  const name = `旅程奖励${FIRST}`
  const over = { start_at: at - 5 * DAY, end_at: at + DAY, status: 'ended' as const }
  const { id } = await aCampaign(database, { ...over, name, maker_id: 1, ended_at: at + DAY })
  const seller = await freshSeller(database)
  const of = { activity_id: id, distributor_id: seller.id }
  await database.db.insert(film_pull_promoter).values(of)
  const steps = { scan_at: at, register_at: at + 60, ticketed_at: at + 120, valid_at: at + DAY }
  const row = { ...of, ...steps, city_id: 1, reward_cents: 500, status: 'valid' as const }
  await database.db.insert(film_pull_record).values([row, row])
  return { id, name }
}
/** Two experts who sold on a day that nobody else did; the day, and their names, best first. */
const contest = async (database: Database) => {
  const sales = await openSales(database)
  const from = Date.parse('2016-01-04T00:00:00+08:00') / 1000 + FIRST * DAY
  const names: string[] = []
  for (const qty of [2, 1]) {
    const { expert, member_id } = await sales.team()
    const order_id = await sales.bought(member_id, sales.coupons, qty)
    await database.db
      .update(dist_commission)
      .set({ paid_at: from + DAY / 2 })
      .where(eq(dist_commission.order_id, order_id))
    names.push(expert.name)
  }
  return { from, to: from + DAY - 1, names }
}
/** Two payments of one day long over: the channel's bill has the first and lacks the second. */
const billed = async (database: Database) => {
  const owner = await anOwner(database)
  const day = dayStart(unixNow()) - (30 + ((FIRST / 100) % 50)) * DAY
  const paid = async (channel: 'embedded' | 'wechat') => {
    const { id } = await soldFilm(database, { owner })
    const [row] = await database.db
      .update(payment)
      .set({ channel, success_at: day + DAY / 2 })
      .where(eq(payment.order_id, id))
      .returning()
    return row!.out_no
  }
  return { day: dateOf(day), there: await paid('embedded'), missing: await paid('wechat') }
}
/**
 * A day long before the demo, and the bill of it: a payment that is equal, and one of each
 * difference, by its number.
 */
const differing = async (database: Database) => {
  const owner = await anOwner(database)
  const at = Date.parse('2008-01-01T12:00:00+08:00') / 1000 + ((FIRST / 100) % 1000) * DAY
  const paid = async () => {
    const { id } = await soldFilm(database, { owner })
    const wechat = { channel: 'wechat' as const, channel_no: sql`'42' || ${payment.out_no}` }
    const [row] = await database.db
      .update(payment)
      .set({ ...wechat, success_at: at })
      .where(eq(payment.order_id, id))
      .returning()
    return row!
  }
  const of = (row: typeof payment.$inferSelect) => ({
    kind: 'pay' as const,
    at,
    our_no: row.out_no,
    channel_no: row.channel_no!,
    cents: row.amount_cents,
    fee_cents: row.fee_cents,
    status: 'success' as const,
  })
  const [equal, less, closed, alone] = [await paid(), await paid(), await paid(), await paid()]
  await database.db.update(payment).set({ state: 'closed' }).where(eq(payment.id, closed.id))
  const nobodys = { ...of(equal), our_no: `NOBODYS${FIRST}`, channel_no: `42NOBODYS${FIRST}` }
  return {
    day: dateOf(at),
    bill: writeTradeBill([
      of(equal),
      { ...of(less), cents: less.amount_cents - 1 },
      of(closed),
      nobodys,
    ]),
    nos: {
      amount: less.out_no,
      status: closed.out_no,
      missing_ours: nobodys.our_no,
      missing_channel: alone.out_no,
    },
  }
}
/** What makes the rows of a journey, by their kind; each answers what finds them. */
export const makers = {
  splits,
  draft,
  commission,
  stuckFilms,
  refusedFilm,
  someFilms,
  campaign,
  contest,
  billed,
  differing,
}
