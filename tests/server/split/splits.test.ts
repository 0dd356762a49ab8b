import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { verify_record } from '#src/areas/code/code.table.ts'
import { reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { settleCommissions } from '#src/areas/commission/settling.server.ts'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { generateBatch } from '#src/areas/settle/batches.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { embeddedSharing } from '#src/areas/split/embeddedSharing.channel.ts'
import { makeSplit } from '#src/areas/split/making.server.ts'
import { sharingFault } from '#src/areas/split/sharingFault.ts'
import { dist_split_order } from '#src/areas/split/split.table.ts'
import { refuseShared } from '#src/areas/split/splitRefund.server.ts'
import {
  giveBackSplit,
  retrySplit,
  settleSplit,
  skipReceiver,
  syncSplit,
  unfreezeSplit,
} from '#src/areas/split/splits.server.ts'
import type { Call } from '#src/contract/call.ts'
import { saidIn } from '#src/domain/text.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { splitOrders as calls } from '#src/modules/distribution/contract/splitOrders.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { give, moneyOfSeller } from '../../help/paidSellers.ts'
import {
  brokenSplits,
  RIPE_S,
  sharedBook,
  sharedOrder,
  sharedShop,
  splitOf,
  turnSplits,
  type SharedShop,
} from '../../help/splits.ts'

let database: Database
let app: App
let shop: SharedShop
let now: number
let channel: ReturnType<typeof embeddedSharing>
let token: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  now = unixNow() + RIPE_S
  channel = embeddedSharing(database, { now: () => now })
  shop = await sharedShop(database)
  token = (await addStaff(database, { perms: ['distribution.splitOrders.*'] })).token
}, 120_000)

const did = <R>(run: (tx: Db) => Promise<R>) => database.transaction(run)
const say = (call: Call, input: object) => send(app, call, input, { token })
const refusal = async (run: Promise<unknown>): Promise<string> => {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  return (error as Error).message
}
/** The channel answers and is heard. */
const later = async (seconds = 60) => {
  now += seconds
  await turnSplits(database, channel, now)
}
/** A split of an order of its own, sent to a channel that behaves so. */
const sent = async (plan: Parameters<typeof channel.plan>[1] = { delay_s: 0 }) => {
  const order_id = await sharedOrder(database, shop)
  await did(tx => makeSplit(tx, order_id, { own: channel.own, now }))
  const made = (await splitOf(database, order_id))!
  await channel.plan(made.transaction_no, plan)
  await later()
  return { order_id, made }
}
const now_ = async (order_id: number) => (await splitOf(database, order_id))!
const stepOf = async (order_id: number) => {
  const { id, version } = await now_(order_id)
  return { id, version, now }
}
type Step = Awaited<ReturnType<typeof stepOf>>
/** Somebody acts on a split as it stands. */
const act = async <R>(order_id: number, run: (tx: Db, step: Step) => Promise<R>) => {
  const step = await stepOf(order_id)
  return did(tx => run(tx, step))
}
const roleOf = async (order_id: number, role: string) =>
  (await now_(order_id)).receivers.find(one => one.role === role)!
/** The seller's account at the channel. */
let sellers: string
const failsSeller = () => sellers

describe('an order of a merchant who is paid by profit sharing', () => {
  it('is shared among four once all is used and past its freeze, and each is settled', async () => {
    const { order_id } = await sent()
    const split = await now_(order_id)
    expect(split.status).toBe('finished')
    expect(split.receivers.map(one => [one.role, one.status])).toEqual([
      ['merchant', 'done'],
      ['seller', 'done'],
      ['leader', 'done'],
      ['platform', 'done'],
    ])
    sellers = split.receivers[1]!.account
    expect(split.total_cents).toBe(split.splittable_cents)
    const lines = await database.db
      .select()
      .from(settle_line)
      .where(eq(settle_line.order_id, order_id))
    expect(lines.map(line => line.status)).toEqual(['settled'])
    const earned = await database.db
      .select()
      .from(dist_commission)
      .where(eq(dist_commission.order_id, order_id))
    expect(earned.map(one => [one.status, one.split_id])).toEqual([
      ['settled', split.id],
      ['settled', split.id],
    ])
    expect(await moneyOfSeller(database, shop.seller.id)).toEqual({
      balance: 0,
      withdrawing: 0,
      debt: 0,
    })
    expect(await brokenSplits(database)).toEqual({})
  })
  it('waits while something of it is not used, and is made once by two at once', async () => {
    const open = await sharedOrder(database, shop, { qty: 2, used: 1 })
    await later()
    expect(await splitOf(database, open)).toBeUndefined()
    const order_id = await sharedOrder(database, shop)
    const both = await Promise.all(
      [1, 2, 3].map(() => did(tx => makeSplit(tx, order_id, { own: channel.own, now }))),
    )
    expect(both.filter(one => one !== undefined)).toHaveLength(1)
  })
  it('enters no batch, and its commission is settled by nobody else', async () => {
    const { order_id } = await sent({ delay_s: 1_000_000 })
    const earned = await database.db
      .select({ id: dist_commission.id })
      .from(dist_commission)
      .where(eq(dist_commission.order_id, order_id))
    const settled = await did(tx =>
      settleCommissions(
        tx,
        earned.map(one => one.id),
        { now, early: true },
      ),
    )
    expect(settled.ids).toEqual([])
    const [maker] = [await addStaff(database)]
    await did(tx =>
      generateBatch(tx, {
        merchant_id: shop.item.merchant_id,
        period_from: dateOf(now - 30 * DAY),
        period_to: dateOf(now - DAY),
        maker_id: maker.id,
        now,
      }),
    )
    const lines = await database.db
      .select()
      .from(settle_line)
      .where(eq(settle_line.order_id, order_id))
    expect(lines.map(line => line.batch_id)).toEqual([null])
  })
})
describe('a share that fails', () => {
  it('is asked for again by another number, and the others are not', async () => {
    const { order_id, made } = await sent({
      delay_s: 0,
      fails: { [failsSeller()]: 'ACCOUNT_ABNORMAL' },
    })
    const split = await now_(order_id)
    expect(split).toMatchObject({ status: 'partial', fail_code: 'ACCOUNT_ABNORMAL' })
    await channel.plan(made.transaction_no, { delay_s: 0 })
    await act(order_id, retrySplit)
    await later()
    const after = await now_(order_id)
    expect(after).toMatchObject({ status: 'finished', requests: 2, fail_reason: '' })
    const book = await sharedBook(database, made.transaction_no)
    expect(book.map(one => one.shares.length)).toEqual([4, 1])
  })
  it('goes to the balance where its receiver is skipped, and pays a debt first', async () => {
    const { order_id } = await sent({ delay_s: 0, fails: { [failsSeller()]: 'NAME_MISMATCH' } })
    const to = await roleOf(order_id, 'seller')
    await give(database, 'distributor_debt', shop.seller.id, -1)
    const step = await stepOf(order_id)
    await did(tx => skipReceiver(tx, { ...step, receiver_id: to.id, reason: '换账户' }))
    expect((await now_(order_id)).status).toBe('finished')
    expect(await moneyOfSeller(database, shop.seller.id)).toEqual({
      balance: to.amount_cents - 1,
      withdrawing: 0,
      debt: 0,
    })
    const twice = did(tx => skipReceiver(tx, { ...step, receiver_id: to.id, reason: '换账户' }))
    expect(await refusal(twice)).toContain('没有失败的接收方')
  })
  it('leaves the rest to the merchant once it is unfrozen, who owes what was others’', async () => {
    const { order_id, made } = await sent({ delay_s: 0, fails: { '*': 'PAYER_ACCOUNT_ABNORMAL' } })
    expect((await now_(order_id)).status).toBe('failed')
    await channel.plan(made.transaction_no, { delay_s: 0 })
    const debt = merchants('merchant_debt', shop.item.merchant_id)
    const before = await balanceOf(database.db, debt)
    await act(order_id, (tx, step) => unfreezeSplit(tx, { ...step, reason: '改线下结算' }))
    await later()
    const after = await now_(order_id)
    expect(after.status).toBe('unfrozen')
    const others = after.receivers.filter(one => one.role !== 'merchant')
    expect((await balanceOf(database.db, debt)) - before).toBe(
      others.reduce((sum, one) => sum + one.amount_cents, 0),
    )
    const again = act(order_id, retrySplit)
    expect(await refusal(again)).toContain('没有失败的接收方')
  })
  it('is not asked for again once its deadline is over', async () => {
    const { order_id } = await sent({ delay_s: 0, fails: { [failsSeller()]: 'NO_RELATION' } })
    await database.db
      .update(dist_split_order)
      .set({ deadline_at: now })
      .where(eq(dist_split_order.order_id, order_id))
    expect(await refusal(act(order_id, retrySplit))).toContain('期限')
  })
})

describe('a channel that keeps silent', () => {
  it('is asked by the same number until it answers, and nothing is done meanwhile', async () => {
    const { order_id, made } = await sent({ delay_s: 0, silent: 3, twice: true })
    const split = await now_(order_id)
    expect(split.status).toBe('processing')
    for (const run of [
      retrySplit,
      (tx: Db, step: Step) => unfreezeSplit(tx, { ...step, reason: '不等了' }),
    ])
      expect(await refusal(act(order_id, run))).toContain('渠道处理中')
    await act(order_id, syncSplit)
    for (let n = 0; n < 3; n++) await later(4000)
    expect(await now_(order_id)).toMatchObject({ status: 'finished', out_no: split.out_no })
    expect(await sharedBook(database, made.transaction_no)).toHaveLength(1)
  })
  it('that tells of a number twice, or of another amount, moves nothing more', async () => {
    const { order_id } = await sent({ delay_s: 1_000_000 })
    const { out_no, receivers } = await now_(order_id)
    const shares = receivers.map(one => ({
      account: one.account,
      amount_cents: one.amount_cents + (one.role === 'platform' ? 1 : 0),
      state: 'done' as const,
      channel_no: 'C',
      at: now,
    }))
    const answer = { state: 'taken', shares } as const
    for (let n = 0; n < 2; n++) await did(tx => settleSplit(tx, { out_no: out_no!, answer, now }))
    const after = await now_(order_id)
    expect(after.status).toBe('processing')
    expect(after.receivers.map(one => one.status)).toEqual(['done', 'done', 'done', 'processing'])
  })
})

describe('a share that is given back', () => {
  it('is at most what its receiver has, and is in the merchant’s balance again', async () => {
    const { order_id } = await sent()
    const to = await roleOf(order_id, 'merchant')
    const back = (amount_cents: number, more: { receiver_id?: number; now?: number } = {}) =>
      act(order_id, (tx, step) =>
        giveBackSplit(tx, { ...step, receiver_id: to.id, amount_cents, reason: '售后', ...more }),
      )
    const more = back(to.amount_cents + 1)
    expect(await refusal(more)).toContain('超过该接收方')
    const refused = did(tx => refuseShared(tx, order_id, 101))
    expect(await refusal(refused)).toContain('回退 1.01')
    const balance = merchants('merchant_balance', shop.item.merchant_id)
    const before = await balanceOf(database.db, balance)
    await back(100)
    await later()
    expect(await now_(order_id)).toMatchObject({ status: 'finished', returned_cents: 100 })
    expect(before - (await balanceOf(database.db, balance))).toBe(100)
    const person = await roleOf(order_id, 'seller')
    const from = back(1, { receiver_id: person.id })
    expect(await refusal(from)).toContain('个人接收方')
    const late = back(1, { now: now + 181 * DAY })
    expect(await refusal(late)).toContain('180 天')
    await did(tx => refuseShared(tx, order_id, 100))
    const over = did(tx => refuseShared(tx, order_id, 101))
    expect(await refusal(over)).toContain('回退 0.01')
  })
})

it('no order gives anything back while its money is being shared', async () => {
  const order_id = await sharedOrder(database, shop, { used: 0 })
  const {
    id: _,
    out_no: __,
    ...of
  } = (await database.db.select().from(dist_split_order).limit(1))[0]!
  const split_no = `FZT${order_id}`
  await database.db
    .insert(dist_split_order)
    .values({ ...of, order_id, split_no, out_no: null, status: 'waiting', ask_at: null })
  const run = did(tx =>
    openRefund(tx, {
      order_id,
      wanted: 'all',
      source: 'staff',
      cause: 'compensate',
      reason: '不想要了',
      actor: { type: 'staff', id: 1 },
      by: { id: 1, limit_cents: 1e9 },
      now: unixNow(),
    }),
  )
  expect(await refusal(run)).toContain('订单待分账，不能退款')
  await database.db.delete(dist_split_order).where(eq(dist_split_order.split_no, split_no))
})

it('no use is taken back of an order whose money is shared', async () => {
  const order_id = await sharedOrder(database, shop)
  const [record] = await database.db
    .select()
    .from(verify_record)
    .where(eq(verify_record.order_id, order_id))
  const [like] = await database.db.select().from(dist_split_order).limit(1)
  const { id: _, out_no: __, ...of } = like!
  const split_no = `FZU${order_id}`
  const by = { admin_id: 1 }
  const asked = { record_id: record!.id, reason: '核销错了', now: unixNow(), by }
  await database.db
    .insert(dist_split_order)
    .values({ ...of, order_id, split_no, out_no: null, status: 'processing', ask_at: null })
  expect(await refusal(did(tx => reverseRedemption(tx, asked)))).toContain(split_no)
  await database.db.delete(dist_split_order).where(eq(dist_split_order.split_no, split_no))
  expect((await did(tx => reverseRedemption(tx, asked))).state).toBe('reversed')
})

describe('the page of splits', () => {
  it('lists what is open first, adds up, and acts', async () => {
    const { order_id, made } = await sent({
      delay_s: 0,
      fails: { [failsSeller()]: 'ACCOUNT_ABNORMAL' },
    })
    const { data } = await say(calls.lst, { keyword: made.order_no })
    expect(data.list).toMatchObject([{ status: 'partial', split_no: made.split_no }])
    expect((await say(calls.totals, { keyword: made.split_no })).data.states).toEqual([
      { status: 'partial', count: 1, total_cents: made.total_cents },
    ])
    expect((await say(calls.lst, { keyword: made.order_no, soon: true })).data.list).toEqual([])
    const failed = await say(calls.receivers, { id: made.id, status: 'failed' })
    expect(failed.data.list).toMatchObject([
      { role: 'seller', fail_reason: saidIn(sharingFault('ACCOUNT_ABNORMAL'), 'zh') },
    ])
    const { version } = await now_(order_id)
    const done = await say(calls.batchRetry, { tasks: [{ id: made.id, version }] })
    expect(done.data.ok).toEqual([made.id])
    const stale = await say(calls.skipReceiver, {
      id: made.id,
      version,
      receiver_id: failed.data.list[0].id,
      reason: '换账户',
    })
    expect(stale.status).toBe(422)
  })
  it('is of the city of whoever looks', async () => {
    const { made } = await sent()
    const there = await addStaff(database, {
      perms: ['distribution.splitOrders.*'],
      role: { scope_type: 'city', scope_ids: [made.city_id + 1] },
    })
    const seen = (call: Call, input: object) => send(app, call, input, { token: there.token })
    const { data } = await seen(calls.lst, { keyword: made.split_no, status: 'finished' })
    expect(data.list).toEqual([])
    expect((await seen(calls.receivers, { id: made.id })).status).toBe(404)
    const unfreeze = { id: made.id, version: 0, reason: '别处的' }
    expect((await seen(calls.unfreeze, unfreeze)).status).toBe(404)
  })
})

it('keeps every rule of money through all of this', async () => {
  expect(await brokenSplits(database)).toEqual({})
  expect(await brokenBooks(database)).toEqual({})
})
