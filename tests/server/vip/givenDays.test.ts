import { and, asc, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { giveDays, takeDaysBack } from '#src/areas/vipCard/givenDays.server.ts'
import { turnMemberships } from '#src/areas/vipCard/subscriptions.server.ts'
import { vip_card_order, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { aPeriod, aPlan, membershipsOf } from '../../help/vipCards.ts'
import { buy, giveBack } from '../../help/vipOrders.ts'

let database: Database
let card_id: number
let other_id: number
beforeAll(async () => {
  database = await openCopy({ poolSize: 12 })
  card_id = (await aPlan(database)).id
  other_id = (await aPlan(database)).id
})
const NOW = unixNow()
let made = 0
const give = async (
  member_id: number,
  of: { days?: number; now?: number; card_id?: number } = {},
) => {
  const order_no = `RCQ${++made}`
  await database.transaction(tx =>
    giveDays(tx, { member_id, card_id, days: 10, order_no, source: '兑换码', now: NOW, ...of }),
  )
  return order_no
}
const back = (order_no: string, now = NOW) =>
  database.transaction(tx => takeDaysBack(tx, { order_no, now }))
const endOf = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!.vip_end_at
const periodOf = async (order_no: string) =>
  (await database.db.select().from(vip_card_order).where(eq(vip_card_order.order_no, order_no)))[0]!
const saved = (member_id: number, saved_cents: number) =>
  database.db
    .update(vip_subscription)
    .set({ saved_cents })
    .where(eq(vip_subscription.member_id, member_id))
const failed = (member_id: number) =>
  database.db
    .update(vip_subscription)
    .set({
      charge_fail_count: sql`${vip_subscription.charge_fail_count} + 1`,
      charge_error: '余额不足',
    })
    .where(eq(vip_subscription.member_id, member_id))
const ruleOf = async (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      return error.data['rule']
    },
  )

describe('days that are given', () => {
  it('begin a membership without money, and none of its coupons', async () => {
    const { id } = await aBuyer(database)
    const row = await periodOf(await give(id))
    expect(row).toMatchObject({
      kind: 'code',
      order_id: null,
      pay_cents: 0,
      days: 10,
      source: '兑换码',
      start_at: NOW,
      end_at: NOW + 10 * DAY,
      gift_coupon_ids: [],
    })
    expect(await membershipsOf(database, id)).toEqual([
      expect.objectContaining({ card_id, status: 'active', paid_cents: 0, auto_renew: false }),
    ])
    expect(await endOf(id)).toBe(NOW + 10 * DAY)
  })
  it('go on with the same plan behind what was paid, and leave its money as it was', async () => {
    const { id } = await aBuyer(database)
    const bought = await buy(database, { member_id: id, card_id, now: NOW })
    const row = await periodOf(await give(id))
    expect([row.start_at, row.end_at]).toEqual([NOW + 30 * DAY, NOW + 40 * DAY])
    const [sub] = await membershipsOf(database, id)
    expect([sub!.end_at, sub!.paid_cents]).toEqual([NOW + 40 * DAY, bought.pay_cents])
    // Its refund goes by what was paid, and the days move forward.
    const refund = await giveBack(database, bought.id, { now: NOW + 60 })
    expect(refund.amount_cents).toBeLessThanOrEqual(bought.pay_cents)
  })
  it('leave the charges that failed as they were, and so does taking them back', async () => {
    const { id } = await aBuyer(database)
    await buy(database, { member_id: id, card_id, now: NOW })
    const failing = { charge_fail_count: 2, charge_error: '付款账户余额不足' }
    await database.db
      .update(vip_subscription)
      .set(failing)
      .where(eq(vip_subscription.member_id, id))
    const days = await give(id)
    expect((await membershipsOf(database, id))[0]).toMatchObject(failing)
    expect(await back(days)).toBe(true)
    expect((await membershipsOf(database, id))[0]).toMatchObject(failing)
    await buy(database, { member_id: id, card_id, now: NOW })
    expect((await membershipsOf(database, id))[0]).toMatchObject({
      charge_fail_count: 0,
      charge_error: '',
    })
  })
  it('are not given beside another plan, but after its end', async () => {
    const { id } = await aBuyer(database)
    await buy(database, { member_id: id, card_id: other_id, now: NOW })
    expect(await ruleOf(give(id))).toBe('other_plan')
    expect((await membershipsOf(database, id))[0]).toMatchObject({ card_id: other_id })
    await give(id, { now: NOW + 30 * DAY })
    expect((await membershipsOf(database, id))[0]).toMatchObject({
      card_id,
      end_at: NOW + 40 * DAY,
    })
  })
  it.each([
    { benefits_frozen: true },
    { account_state: 'banned' as const },
    { account_state: 'canceled' as const },
  ])('are not given to a member with %o', async set => {
    const { id } = await aBuyer(database)
    await database.db.update(member).set(set).where(eq(member.id, id))
    expect(await ruleOf(give(id))).toBe('member_off')
    expect(await membershipsOf(database, id)).toEqual([])
  })
})

describe('taking them back', () => {
  it('is possible while they have not begun, whatever was saved, and moves what is behind forward', async () => {
    const { id } = await aBuyer(database)
    await buy(database, { member_id: id, card_id, now: NOW })
    const days = await give(id)
    const behind = await buy(database, { member_id: id, card_id, now: NOW })
    await saved(id, 900)
    expect(await back(days, NOW + 29 * DAY)).toBe(true)
    const moved = (
      await database.db.select().from(vip_card_order).where(eq(vip_card_order.id, behind.id))
    )[0]!
    expect([moved.start_at, moved.end_at]).toEqual([NOW + 30 * DAY, NOW + 60 * DAY])
    expect(await endOf(id)).toBe(NOW + 60 * DAY)
    expect((await periodOf(days)).ended_at).toBe(NOW + 29 * DAY)
    expect(await back(days, NOW + 29 * DAY)).toBe(false)
    expect(await endOf(id)).toBe(NOW + 60 * DAY)
  })
  it('is over once they have begun behind another period', async () => {
    const { id } = await aBuyer(database)
    await buy(database, { member_id: id, card_id, now: NOW })
    const days = await give(id)
    expect(await back(days, NOW + 30 * DAY)).toBe(false)
    expect(await endOf(id)).toBe(NOW + 40 * DAY)
  })
  it.each([
    ['it saved something', 1, 0],
    ['a week is over', 0, 7 * DAY + 1],
    ['all of them are over', 0, 11 * DAY],
  ])('of a membership that they began is over once %s', async (_, cents, later) => {
    const { id } = await aBuyer(database)
    const days = await give(id)
    await saved(id, cents)
    expect(await back(days, NOW + later)).toBe(false)
    expect(await endOf(id)).toBe(NOW + 10 * DAY)
  })
  it('leaves a membership that they began to what was bought since', async () => {
    const { id } = await aBuyer(database)
    const days = await give(id)
    const bought = await buy(database, { member_id: id, card_id, now: NOW + DAY })
    expect(bought.start_at).toBe(NOW + 10 * DAY)
    expect(await back(days, NOW + 2 * DAY)).toBe(true)
    expect((await membershipsOf(database, id))[0]).toMatchObject({
      status: 'active',
      end_at: NOW + 32 * DAY,
      paid_cents: bought.pay_cents,
    })
    expect(await endOf(id)).toBe(NOW + 32 * DAY)
  })
  it('comes too late once the membership was given up', async () => {
    const { id } = await aBuyer(database)
    const days = await give(id)
    await database.db
      .update(vip_card_order)
      .set({ ended_at: NOW })
      .where(eq(vip_card_order.order_no, days))
    expect(await back(days)).toBe(false)
  })
  it('knows no number that gave none', async () => {
    expect(await back('RCQ-none')).toBe(false)
  })
})

/** What a member has: the end, the membership that runs or ran out, and every period in force. */
const worldOf = async (id: number) => {
  const subs = await database.db
    .select()
    .from(vip_subscription)
    .where(and(eq(vip_subscription.member_id, id), sql`${vip_subscription.status} <> 'refunded'`))
    .orderBy(asc(vip_subscription.id))
  const periods = await database.db
    .select({
      no: vip_card_order.order_no,
      start_at: vip_card_order.start_at,
      end_at: vip_card_order.end_at,
      pay_cents: vip_card_order.pay_cents,
    })
    .from(vip_card_order)
    .where(and(eq(vip_card_order.member_id, id), sql`${vip_card_order.ended_at} is null`))
    .orderBy(asc(vip_card_order.id))
  return {
    end: await endOf(id),
    subs: subs.map(({ version: _, updated_at: __, ...one }) => one),
    periods,
  }
}
const before = fc.record({
  verb: fc.constantFrom('buy', 'gift', 'days', 'wait', 'save', 'fail', 'turn'),
  days: fc.integer({ min: 1, max: 40 }),
})
it('gives back exactly what a member had, whatever that was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(before, { maxLength: 6 }),
      fc.integer({ min: 1, max: 366 }),
      fc.integer({ min: 0, max: 6 * DAY }),
      async (steps, days, later) => {
        const { id } = await aBuyer(database)
        let now = NOW
        for (const step of steps) {
          if (step.verb === 'buy') await buy(database, { member_id: id, card_id, now })
          if (step.verb === 'gift')
            await database.transaction(tx =>
              aPeriod(tx, { member_id: id, card_id, days: step.days, now }),
            )
          if (step.verb === 'days') await give(id, { days: step.days, now })
          if (step.verb === 'wait') now += step.days * DAY
          if (step.verb === 'save') await saved(id, 500)
          if (step.verb === 'fail') await failed(id)
          if (step.verb === 'turn') await database.transaction(tx => turnMemberships(tx, now))
        }
        await database.transaction(tx => turnMemberships(tx, now))
        const had = await worldOf(id)
        const given = await give(id, { days, now })
        const { start_at } = await periodOf(given)
        // Days behind a membership wait at least until the time of the taking back.
        const at =
          start_at! > now ? Math.min(now + later, start_at! - 1) : now + (days > 6 ? later : 0)
        expect(await back(given, at)).toBe(true)
        expect(await worldOf(id)).toEqual(had)
        expect(await back(given, at)).toBe(false)
        expect(await worldOf(id)).toEqual(had)
      },
    ),
    { numRuns: 30 },
  )
})

const step = fc.record({
  verb: fc.constantFrom('give', 'give', 'back', 'back', 'buy', 'wait', 'turn', 'save'),
  days: fc.integer({ min: 1, max: 20 }),
  at: fc.nat(9),
})
it('never takes a day that was paid for, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async steps => {
      const { id } = await aBuyer(database)
      const given: string[] = []
      let now = NOW
      for (const { verb, days, at } of steps) {
        const paid = async () =>
          (await worldOf(id)).periods
            .filter(one => one.pay_cents > 0)
            .reduce((sum, one) => sum + Math.max(0, one.end_at! - Math.max(one.start_at!, now)), 0)
        const had = await paid()
        if (verb === 'give') given.push(await give(id, { days, now }))
        if (verb === 'back' && given.length > 0) {
          await back(given[at % given.length]!, now)
          expect(await paid()).toBe(had)
        }
        if (verb === 'buy') await buy(database, { member_id: id, card_id, now })
        if (verb === 'wait') now += days * DAY
        if (verb === 'save') await saved(id, 1)
        if (verb === 'turn') await database.transaction(tx => turnMemberships(tx, now))
        const all = await membershipsOf(database, id)
        const running = all.filter(one => one.status === 'active')
        expect(running.length).toBeLessThanOrEqual(1)
        if (running[0]) {
          expect(running[0].end_at).toBe(await endOf(id))
          const last = (await worldOf(id)).periods.map(one => one.end_at!)
          expect(Math.max(...last)).toBe(running[0].end_at)
        }
      }
    }),
    { numRuns: 25 },
  )
})

onlyOn('postgres')('at the same moment', () => {
  it('days are taken back once, while others are given and a plan is bought', async () => {
    const { id } = await aBuyer(database)
    await buy(database, { member_id: id, card_id, now: NOW })
    const days = await give(id)
    const said = await Promise.all([
      back(days),
      back(days),
      give(id, { days: 5 }),
      buy(database, { member_id: id, card_id, now: NOW }),
    ])
    expect(said.filter(one => one === true)).toHaveLength(1)
    expect(await endOf(id)).toBe(NOW + 65 * DAY)
  })
})
