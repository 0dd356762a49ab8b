import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { film_pull_day, film_pull_person } from '#src/areas/filmPull/pull.table.ts'
import { freePull, provePull, spendPull } from '#src/areas/filmPull/pulls.server.ts'
import { pullReasons } from '#src/areas/filmPull/pullWords.ts'
import { settleRewards, voidRecord } from '#src/areas/filmPull/rewards.server.ts'
import { openFilmRefund } from '#src/areas/filmRefund/refund.server.ts'
import { distributors } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { aShow, type Show } from '../../help/films.ts'
import { finishPayouts } from '../../help/orders.ts'
import {
  aCampaign,
  campaignOf,
  placePulled,
  recordOf,
  scannedBy,
  spendPlace,
} from '../../help/pulls.ts'

let database: Database
let maker_id: number
let show: Show
let seats = 0
beforeAll(async () => {
  database = await openCopy()
  maker_id = (await addStaff(database, { perms: ['*'] })).id
  show = await aShow(database)
})
const seat = () => {
  const n = seats++
  return { row: 2 + Math.floor(n / 10), col: 1 + (n % 10) }
}
const ruleOf = async (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    error => (error instanceof Refusal ? (error.data as { rule?: string }).rule : error),
  )
const bought = async (of: { activity_id: number; member_id?: number; device?: string }) => {
  const member_id = of.member_id ?? (await aBuyer(database)).id
  const row = await placePulled(database, { ...of, member_id, show, seat: seat() })
  return row
}
const paid = async (of: Parameters<typeof bought>[0]) => {
  const row = await bought(of)
  await database.db
    .update(order)
    .set({ pay_state: 'paid', paid_at: unixNow(), paid_cents: row.pay_cents })
    .where(eq(order.id, row.id))
  await spendPlace(database, row)
  return row
}

describe('a place of a campaign', () => {
  it('is held at its price, and used when it is paid', async () => {
    const { id } = await aCampaign(database, { maker_id })
    const row = await bought({ activity_id: id })
    expect(await campaignOf(database, id)).toMatchObject({ locked_count: 1, used_count: 0 })
    const { rows } = await database.db.execute(
      sql`select sale_cents::int, pull_activity_id from film_order where order_id = ${row.id}`,
    )
    expect(rows).toEqual([{ sale_cents: 990, pull_activity_id: id }])
    await spendPlace(database, row)
    expect(await campaignOf(database, id)).toMatchObject({ locked_count: 0, used_count: 1 })
  })
  it('that was not paid is free again, and its buyer is new again', async () => {
    const { id } = await aCampaign(database, { maker_id, quota: 1, quota_day: 1 })
    const buyer = await aBuyer(database)
    const row = await bought({ activity_id: id, member_id: buyer.id })
    await database.transaction(tx => freePull(tx, row, unixNow()))
    await database.db.update(order).set({ pay_state: 'closed' }).where(eq(order.id, row.id))
    expect(await campaignOf(database, id)).toMatchObject({ locked_count: 0, used_count: 0 })
    const [day] = await database.db
      .select()
      .from(film_pull_day)
      .where(eq(film_pull_day.activity_id, id))
    expect(day!.taken).toBe(0)
    await bought({ activity_id: id, member_id: buyer.id })
  })
  it('is nobody’s who paid a film ticket before, by phone or by device', async () => {
    const { id } = await aCampaign(database, { maker_id })
    const [first, other] = [await aBuyer(database), await aBuyer(database)]
    await paid({ activity_id: id, member_id: first.id, device: `dev-${first.id}` })
    const again = await aCampaign(database, { maker_id })
    expect(await ruleOf(bought({ activity_id: again.id, member_id: first.id }))).toBe('not_new')
    const device = `dev-${first.id}`
    expect(await ruleOf(bought({ activity_id: again.id, member_id: other.id, device }))).toBe(
      'not_new',
    )
    await database.db.delete(film_pull_person)
    // Marks are not all: an ordinary ticket counts too.
    expect(await ruleOf(bought({ activity_id: again.id, member_id: first.id }))).toBe('not_new')
    const [{ phone }] = (await database.db
      .select({ phone: member.phone })
      .from(member)
      .where(eq(member.id, first.id))) as [{ phone: string }]
    await database.db.update(member).set({ phone }).where(eq(member.id, other.id))
    expect(await ruleOf(bought({ activity_id: again.id, member_id: other.id }))).toBe('not_new')
  })
  it('is of its own films, cinemas, cities and time', async () => {
    const elsewhere = [
      { film_ids: [show.film_id + 1] },
      { cinema_ids: [show.cinema_id + 1] },
      { city_ids: [1] },
      { mall_ids: [1], city_ids: [1] },
      { start_at: unixNow() + 60 },
    ]
    for (const of of elsewhere) {
      const { id } = await aCampaign(database, { maker_id, ...of })
      expect([of, await ruleOf(bought({ activity_id: id }))]).toEqual([of, 'pull_elsewhere'])
      expect((await campaignOf(database, id)).locked_count).toBe(0)
    }
    const { id } = await aCampaign(database, {
      maker_id,
      film_ids: [show.film_id],
      cinema_ids: [show.cinema_id],
    })
    await bought({ activity_id: id })
  })
  it('is gone when a day or the campaign has none; the last one ends it', async () => {
    const day = await aCampaign(database, { maker_id, quota: 5, quota_day: 1 })
    await bought({ activity_id: day.id })
    expect(await ruleOf(bought({ activity_id: day.id }))).toBe('pull_day_gone')
    const last = await aCampaign(database, { maker_id, quota: 1, quota_day: 1 })
    const row = await bought({ activity_id: last.id })
    expect(await ruleOf(bought({ activity_id: last.id }))).toBe('pull_gone')
    await spendPlace(database, row)
    expect(await campaignOf(database, last.id)).toMatchObject({ status: 'ended', used_count: 1 })
  })
})

describe('a record', () => {
  it('counts for the last valid scan of seven days', async () => {
    const { id } = await aCampaign(database, { maker_id })
    const buyer = await aBuyer(database)
    const of = { activity_id: id, member_id: buyer.id }
    const old = await scannedBy(database, { ...of, ago: 3 * DAY })
    const last = await scannedBy(database, { ...of, ago: 60 })
    const row = await paid(of)
    expect((await recordOf(database, old.id)).order_id).toBeNull()
    expect(await recordOf(database, last.id)).toMatchObject({
      order_id: row.id,
      status: 'ticketed',
      reward_cents: 500,
    })
  })
  it('that is older than that counts for nobody', async () => {
    const { id } = await aCampaign(database, { maker_id })
    const buyer = await aBuyer(database)
    const of = { activity_id: id, member_id: buyer.id }
    const old = await scannedBy(database, { ...of, ago: 8 * DAY })
    await paid(of)
    expect((await recordOf(database, old.id)).status).toBe('registered')
  })
  it('notes the second purchase', async () => {
    const { id } = await aCampaign(database, { maker_id })
    const buyer = await aBuyer(database)
    const of = { activity_id: id, member_id: buyer.id }
    const record = await scannedBy(database, of)
    await paid(of)
    const second = { id: 999_999_999, member_id: buyer.id }
    await database.transaction(tx => spendPull(tx, second, unixNow()))
    expect((await recordOf(database, record.id)).second_paid_at).not.toBeNull()
  })
})

describe('a reward', () => {
  const proved = async () => {
    const { id } = await aCampaign(database, { maker_id })
    const buyer = await aBuyer(database)
    const of = { activity_id: id, member_id: buyer.id }
    const record = await scannedBy(database, of)
    const row = await paid(of)
    await database.transaction(tx => provePull(tx, row.id, unixNow()))
    return { activity_id: id, record: await recordOf(database, record.id) }
  }
  const staff = { id: 0, scope: { type: 'all', cities: 'all', malls: 'all', owners: [] } as never }
  const settle = (activity_id: number) =>
    database.transaction(tx =>
      settleRewards(
        tx,
        { activity_id, from: unixNow() - DAY, to: unixNow() + DAY },
        { staff: { ...staff, id: maker_id }, now: unixNow() },
      ),
    )
  const moneyOf = async (id: number) => ({
    balance: 0 - (await balanceOf(database.db, distributors('distributor_balance', id))),
    debt: await balanceOf(database.db, distributors('distributor_debt', id)),
  })
  it('is paid once, into the balance of whoever brought the buyer', async () => {
    const { activity_id, record } = await proved()
    expect(record.status).toBe('valid')
    expect(await settle(activity_id)).toEqual({ count: 1, amount_cents: 500 })
    expect(await moneyOf(record.distributor_id)).toEqual({ balance: 500, debt: 0 })
    expect((await recordOf(database, record.id)).status).toBe('rewarded')
    expect(await ruleOf(settle(activity_id))).toBe('no_reward')
    expect(await moneyOf(record.distributor_id)).toEqual({ balance: 500, debt: 0 })
  })
  it('of a record that becomes void afterwards is taken back, or owed', async () => {
    const { activity_id, record } = await proved()
    await settle(activity_id)
    const undo = async () => {
      const now = await recordOf(database, record.id)
      return database.transaction(tx => voidRecord(tx, now, { reason: '首票已退', now: unixNow() }))
    }
    await undo()
    expect(await moneyOf(record.distributor_id)).toEqual({ balance: 0, debt: 0 })
    expect(await recordOf(database, record.id)).toMatchObject({
      status: 'void',
      before_void: 'rewarded',
    })
    await undo()
    expect(await moneyOf(record.distributor_id)).toEqual({ balance: 0, debt: 0 })
  })
})

onlyOn('postgres')('at once', () => {
  it('sixty buyers of ten places leave ten with one, and the others are told', async () => {
    const { id } = await aCampaign(database, { maker_id, quota: 10, quota_day: 10 })
    const big = await aShow(database)
    const buyers = await Promise.all(Array.from({ length: 60 }, () => aBuyer(database)))
    const rules = await Promise.all(
      buyers.map((buyer, at) =>
        ruleOf(
          placePulled(database, {
            activity_id: id,
            member_id: buyer.id,
            show: big,
            seat: { row: 2 + Math.floor(at / 10), col: 1 + (at % 10) },
          }),
        ),
      ),
    )
    expect(rules.filter(rule => rule === undefined)).toHaveLength(10)
    expect(new Set(rules)).toEqual(new Set([undefined, 'pull_gone']))
    expect((await campaignOf(database, id)).locked_count).toBe(10)
  })
  it('one person takes one place, in however many campaigns', async () => {
    const buyer = await aBuyer(database)
    const campaigns = await Promise.all(
      Array.from({ length: 5 }, () => aCampaign(database, { maker_id })),
    )
    const rules = await Promise.all(
      campaigns.map(({ id }) => ruleOf(bought({ activity_id: id, member_id: buyer.id }))),
    )
    expect(rules.filter(rule => rule === undefined)).toHaveLength(1)
    expect(rules.filter(rule => rule === 'not_new')).toHaveLength(4)
    const held = await Promise.all(campaigns.map(({ id }) => campaignOf(database, id)))
    expect(held.reduce((all, one) => all + one.locked_count, 0)).toBe(1)
  })
})

describe('an order', () => {
  const placed = async (of: { activity_id: number; member_id: number }) =>
    placePulled(database, { ...of, show, seat: seat() })
  const scanned = async () => {
    const { id } = await aCampaign(database, { maker_id })
    const of = { activity_id: id, member_id: (await aBuyer(database)).id }
    const record = await scannedBy(database, of)
    return { of, record, row: await placed(of) }
  }
  it('that is closed gives the place back by itself', async () => {
    const { of, row, record } = await scanned()
    await database.transaction(tx => closeUnpaid(tx, row.id, row.expire_pay_at + 1))
    expect((await campaignOf(database, of.activity_id)).locked_count).toBe(0)
    expect((await recordOf(database, record.id)).order_id).toBeNull()
  })
  it('that is paid uses it, and given back makes its record void', async () => {
    const { of, row, record } = await scanned()
    await database.transaction(tx => payOrder(tx, row.id, unixNow()))
    expect((await campaignOf(database, of.activity_id)).used_count).toBe(1)
    expect((await recordOf(database, record.id)).status).toBe('ticketed')
    await database.transaction(tx =>
      openFilmRefund(tx, {
        order_id: row.id,
        kind: 'ticket_failed',
        reason: '未出票',
        source: 'system',
        now: unixNow(),
      }),
    )
    await finishPayouts(database, unixNow() + 60)
    expect(await recordOf(database, record.id)).toMatchObject({
      status: 'void',
      reason: pullReasons.refunded,
    })
  })
})
