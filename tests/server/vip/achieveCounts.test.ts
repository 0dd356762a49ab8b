import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { achievement_count, member_achievement } from '#src/areas/achievement/achievement.table.ts'
import { award, settleBadges } from '#src/areas/achievement/awarding.server.ts'
import { beginCount, countPiece, progressOf } from '#src/areas/achievement/counting.server.ts'
import { sign_record } from '#src/areas/signIn/signIn.table.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { achieve as calls } from '#src/modules/vip/contract/achieve.ts'
import type { Database } from '#src/server/db/database.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import {
  allOff,
  call,
  done,
  badgeOn,
  ownerOf,
  who,
  invite,
  count,
  bought,
  openBadges,
} from '../../help/badges.ts'

let database: Database
let rule_id: number
beforeAll(async () => {
  ;({ database, rule_id } = await openBadges())
})
beforeEach(async () => void (await allOff()))

describe('a count', () => {
  it('runs one at a time, goes on where it was broken off, and reaches everybody', async () => {
    const id = await badgeOn({ threshold: 1 })
    const member_id = await who()
    await invite(member_id)
    await database.db.update(achievement_count).set({ done: true })
    const run = await done(calls.recount, {})
    expect((await call(calls.recount, {})).data.rule).toBe('counting')
    expect(await database.transaction(tx => beginCount(tx, { now: unixNow() }))).toBeNull()
    const first = await database.transaction(tx => countPiece(tx, 'all', unixNow(), 20))
    expect(first).toBe(true)
    await expect(
      database.transaction(async tx => {
        await countPiece(tx, 'all', unixNow(), 20)
        throw new Error('down')
      }),
    ).rejects.toThrow('down')
    const [broken] = await database.db
      .select()
      .from(achievement_count)
      .where(eq(achievement_count.id, run.id))
    expect(broken).toMatchObject({ members_n: 20, done: false })
    for (let left = true; left;)
      left = await database.transaction(tx => countPiece(tx, 'all', unixNow(), 20))
    await settleBadges(database, unixNow())
    expect((await ownerOf(id, member_id))!.state).toBe('held')
    const { run: told } = await done(calls.badges, {})
    expect(told).toMatchObject({ done: true })
  })
  it('follows orders, visits and invitations by the clock without being asked', async () => {
    const orders = await badgeOn({ group: 'consume', metric: 'order_count', threshold: 1 })
    const invited = await badgeOn({ threshold: 1 })
    const [buyer, host] = [await who(), await who()]
    await database.db.update(achievement_count).set({ done: true, until: unixNow() - 3600 })
    await bought(buyer)
    await invite(host, { register_at: unixNow() - 60 })
    await timerNamed('achievement.count')({ database, now: unixNow() } as never)
    expect((await ownerOf(orders, buyer))?.state).toBe('held')
    expect((await ownerOf(invited, host))?.state).toBe('held')
    expect(await ownerOf(orders, host)).toBeUndefined()
  })
  it('comes to what the facts are, whatever they are', async () => {
    const day = dayStart(unixNow())
    const ids: Record<string, number> = {}
    for (const metric of ['checkin_days', 'mall_count', 'sign_streak', 'invite_count'])
      ids[metric] = await badgeOn({ metric, threshold: 1000 })
    const spots = await database.db.execute<{ id: number; mall_id: number }>(
      sql`select id, mall_id from checkin_spot order by id limit 3`,
    )
    const visit = fc.record({
      back: fc.integer({ min: 0, max: 5 }),
      spot: fc.integer({ min: 0, max: 2 }),
      is_void: fc.boolean(),
    })
    const signs = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 6 })
    const one = (of: { back: number; spot: number }) => `${of.back}:${of.spot}`
    const history = fc.record({
      visits: fc.uniqueArray(visit, { maxLength: 8, selector: one }),
      signs,
      invited: fc.integer({ min: 0, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(history, async of => {
        const member_id = await who()
        const base = { member_id, points: 0, rule_id, ladder: [] }
        for (const { back, spot, is_void } of of.visits)
          await database.db.insert(sign_record).values({
            ...base,
            kind: 'spot',
            streak: 0,
            day: day - back * DAY,
            at: day - back * DAY,
            spot_id: spots.rows[spot]!.id,
            distance_m: 5,
            is_void,
          })
        for (const back of of.signs)
          await database.db.insert(sign_record).values({
            ...base,
            kind: 'daily',
            streak: back + 1,
            day: day - back * DAY,
            at: day - back * DAY,
          })
        for (let n = 0; n < of.invited; n++) await invite(member_id)
        const counted = await progressOf(database.db, member_id)
        const valid = of.visits.filter(visited => !visited.is_void)
        const malls = valid.map(visited => spots.rows[visited.spot]!.mall_id)
        expect(
          Object.fromEntries(Object.entries(ids).map(([metric, id]) => [metric, counted.get(id)])),
        ).toEqual({
          checkin_days: new Set(valid.map(visited => visited.back)).size,
          mall_count: new Set(malls).size,
          sign_streak: Math.max(0, ...of.signs.map(back => back + 1)),
          invite_count: of.invited,
        })
        await count(member_id)
        await count(member_id)
        const kept = await database.db
          .select()
          .from(member_achievement)
          .where(eq(member_achievement.member_id, member_id))
        expect(kept.every(row => row.progress === counted.get(row.achievement_id))).toBe(true)
      }),
      { numRuns: 15 },
    )
  })
})
describe('the wall', () => {
  it('is ordered as a whole by group; an order made from an old one is refused', async () => {
    const ids = [await badgeOn(), await badgeOn()]
    const read = () => done(calls.badges, { group: 'share' })
    const { list, list_version } = await read()
    const before: number[] = list.map((row: { id: number }) => row.id)
    expect(before.slice(-2)).toEqual(ids)
    const order = [...before].reverse()
    await done(calls.sort, { group: 'share', order, list_version })
    expect((await read()).list.map((row: { id: number }) => row.id)).toEqual(order)
    const late = await call(calls.sort, { group: 'share', order: before, list_version })
    expect(late.status).toBe(409)
  })
  it('tells how many hold, nearly hold or wait, of the members in sight', async () => {
    const id = await badgeOn({ threshold: 5 })
    const [near, far, owner] = [await who(), await who(), await who()]
    for (let n = 0; n < 4; n++) await invite(near)
    await invite(far)
    await count(near, far)
    await database.transaction(tx =>
      award(tx, { achievement_id: id, member_id: owner, source: 'admin', now: unixNow() }),
    )
    const { list } = await done(calls.badges, { group: 'share' })
    const row = list.find((one: { id: number }) => one.id === id)
    expect(row).toMatchObject({ held: 1, near: 1, failed: 0 })
    const nearly = await done(calls.owners, { achievement_id: id, state: 'near' })
    expect(nearly.list.map((one: { member_id: number }) => one.member_id)).toEqual([near])
  })
})
