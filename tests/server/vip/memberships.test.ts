import { and, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { GRACE } from '#src/areas/vipCard/subscription.ts'
import {
  openOrExtend,
  takeBackPeriod,
  turnMemberships,
  vipNow,
} from '#src/areas/vipCard/subscriptions.server.ts'
import { vip_card_order, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { aPeriod, aPlan, membershipsOf } from '../../help/vipCards.ts'

let database: Database
let card_id: number
beforeAll(async () => {
  database = await openCopy({ poolSize: 12 })
  card_id = (await aPlan(database)).id
})
const NOW = unixNow()
const endOf = async (member_id: number) =>
  (await database.db.select().from(member).where(eq(member.id, member_id)))[0]!.vip_end_at
const give = (member_id: number, now: number, days = 30) =>
  database.transaction(tx => aPeriod(tx, { member_id, card_id, days, now }))
const back = (id: number, now: number) => database.transaction(tx => takeBackPeriod(tx, id, now))

describe('a membership', () => {
  it('is opened, made longer, and opened again from now after its end', async () => {
    const { id: member_id } = await aBuyer(database)
    expect(await vipNow(database.db, member_id, NOW)).toBeNull()
    await give(member_id, NOW)
    await give(member_id, NOW + DAY)
    expect(await endOf(member_id)).toBe(NOW + 60 * DAY)
    expect((await vipNow(database.db, member_id, NOW + 59 * DAY))?.member_id).toBe(member_id)
    expect(await vipNow(database.db, member_id, NOW + 60 * DAY)).toBeNull()
    await give(member_id, NOW + 70 * DAY)
    const all = await membershipsOf(database, member_id)
    expect(all.map(one => [one.start_at, one.end_at, one.status])).toEqual([
      [NOW + 70 * DAY, NOW + 100 * DAY, 'active'],
    ])
  })
  it('gives a period back, moves those behind it forward, and is refunded with the last', async () => {
    const { id: member_id } = await aBuyer(database)
    const first = await give(member_id, NOW)
    const second = await give(member_id, NOW)
    await back(first.id, NOW + 10 * DAY)
    const [moved] = await database.db
      .select()
      .from(vip_card_order)
      .where(eq(vip_card_order.id, second.id))
    expect([moved!.start_at, moved!.end_at]).toEqual([NOW + 10 * DAY, NOW + 40 * DAY])
    expect(await endOf(member_id)).toBe(NOW + 40 * DAY)
    // A second refund of it changes nothing.
    await back(first.id, NOW + 11 * DAY)
    expect(await endOf(member_id)).toBe(NOW + 40 * DAY)
    await back(second.id, NOW + 20 * DAY)
    const [sub] = await membershipsOf(database, member_id)
    expect([sub!.status, sub!.end_at]).toEqual(['refunded', NOW + 20 * DAY])
    await give(member_id, NOW + 21 * DAY)
    expect((await membershipsOf(database, member_id)).map(one => one.status).toSorted()).toEqual([
      'active',
      'refunded',
    ])
  })
  it('is in grace while it renews, and over seven days later', async () => {
    const at = NOW - 40 * DAY
    const [stays, ends] = [await aBuyer(database), await aBuyer(database)]
    const contract = { contract_no: 'HT1', next_charge_at: at + 29 * DAY }
    const open = (member_id: number, renews: boolean) =>
      database.transaction(tx =>
        openOrExtend(tx, {
          member_id,
          card_id,
          days: 30,
          how: 'buy',
          now: at,
          ...(renews && { contract }),
        }),
      )
    await open(stays.id, true)
    await open(ends.id, false)
    const states = async () => [
      (await membershipsOf(database, stays.id))[0]!.status,
      (await membershipsOf(database, ends.id))[0]!.status,
    ]
    await database.transaction(tx => turnMemberships(tx, at + 31 * DAY))
    expect(await states()).toEqual(['grace', 'expired'])
    expect(await vipNow(database.db, stays.id, at + 31 * DAY)).not.toBeNull()
    await database.transaction(tx => turnMemberships(tx, at + 30 * DAY + GRACE))
    expect(await states()).toEqual(['expired', 'expired'])
    const [over] = await membershipsOf(database, stays.id)
    expect([over!.auto_renew, over!.next_charge_at]).toEqual([false, null])
  })
  it('is not opened for an account that is closed', async () => {
    const { id } = await aBuyer(database)
    await database.db.update(member).set({ account_state: 'canceled' }).where(eq(member.id, id))
    await expect(give(id, NOW)).rejects.toBeInstanceOf(Refusal)
  })
})

const step = fc.record({
  verb: fc.constantFrom('give', 'give', 'back', 'turn', 'wait'),
  days: fc.integer({ min: 1, max: 60 }),
  at: fc.nat(9),
})
it('holds over any history: one that runs, and an end that only a refund moves back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async steps => {
      const { id: member_id } = await aBuyer(database)
      const given: number[] = []
      let now = NOW
      let end = 0
      for (const { verb, days, at } of steps) {
        const before = await endOf(member_id)
        if (verb === 'give') given.push((await give(member_id, now, days)).id)
        if (verb === 'back' && given.length > 0) await back(given[at % given.length]!, now)
        if (verb === 'turn') await database.transaction(tx => turnMemberships(tx, now))
        if (verb === 'wait') now += days * DAY
        const after = await endOf(member_id)
        if (verb !== 'back') expect(after ?? 0).toBeGreaterThanOrEqual(before ?? 0)
        end = after ?? end
        const all = await membershipsOf(database, member_id)
        const running = all.filter(one => one.status === 'active' || one.status === 'grace')
        expect(running.length).toBeLessThanOrEqual(1)
        if (running[0]) expect(running[0].end_at).toBe(after)
        expect(all.every(one => one.end_at >= one.start_at)).toBe(true)
      }
    }),
    { numRuns: 25 },
  )
})

onlyOn('postgres')('at the same moment', () => {
  it('two purchases open one membership that is twice as long', async () => {
    const { id } = await aBuyer(database)
    await Promise.all([give(id, NOW), give(id, NOW), give(id, NOW)])
    const all = await membershipsOf(database, id)
    expect(all.map(one => one.end_at)).toEqual([NOW + 90 * DAY])
  })
  it('a refund and a renewal leave both right, and two refunds take one period', async () => {
    const { id } = await aBuyer(database)
    const first = await give(id, NOW)
    await Promise.all([give(id, NOW), back(first.id, NOW), back(first.id, NOW)])
    const orders = await database.db
      .select()
      .from(vip_card_order)
      .where(and(eq(vip_card_order.member_id, id)))
    const ended = orders.filter(one => one.ended_at !== null)
    expect(ended).toHaveLength(1)
    const running = await database.db
      .select()
      .from(vip_subscription)
      .where(
        and(
          eq(vip_subscription.member_id, id),
          inArray(vip_subscription.status, ['active', 'grace']),
        ),
      )
    expect(running.map(one => one.end_at - NOW)).toEqual([30 * DAY])
  })
})
