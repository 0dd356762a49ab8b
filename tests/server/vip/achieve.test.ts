import { and, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  achievement,
  achievement_count,
  member_achievement,
} from '#src/areas/achievement/achievement.table.ts'
import { award, settleBadges } from '#src/areas/achievement/awarding.server.ts'
import {
  beginCount,
  countMembers,
  countPiece,
  progressOf,
} from '#src/areas/achievement/counting.server.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { growth_ledger, level_ladder } from '#src/areas/level/level.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { adjustPoints } from '#src/areas/points/points.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { sign_record } from '#src/areas/signIn/signIn.table.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { achieve as calls } from '#src/modules/vip/contract/achieve.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { couponOf } from '../../help/redeem.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let product_id: number
let rule_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['vip.achieve.*'] })
  product_id = (await database.transaction(tx => freshProduct(tx, 'elist'))).item.id
  const [rule] = await database.db.select().from(points_rule).limit(1)
  rule_id = rule!.id
})
// Badges of the demo and of other tests are off: each test awards its own alone.
beforeEach(async () => {
  await database.db.update(achievement).set({ status: 'off' }).where(eq(achievement.status, 'on'))
})
type What = Parameters<typeof send>[1]
let keys = 0
const call = (what: What, input: object, token = me.token) =>
  send(app, what, input, { token, key: `achieve-${++keys}` })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const reason = '客服核实后处理'
const written = (more: object = {}) => ({
  name: '测试勋章',
  group: 'share',
  metric: 'invite_count',
  threshold: 2,
  icon_on: null,
  icon_off: null,
  reward_points: 0,
  reward_coupon_id: null,
  start_at: null,
  end_at: null,
  ...more,
})
const badgeOn = async (more: object = {}): Promise<number> => {
  const made = await done(calls.create, written(more))
  await done(calls.enable, made)
  return made.id as number
}
const badgeNow = async (id: number) =>
  (await database.db.select().from(achievement).where(eq(achievement.id, id)))[0]!
const heldBadge = async (id: number) => ({ id, version: (await badgeNow(id)).version })
const ownerOf = async (achievement_id: number, member_id: number) =>
  (
    await database.db
      .select()
      .from(member_achievement)
      .where(
        and(
          eq(member_achievement.achievement_id, achievement_id),
          eq(member_achievement.member_id, member_id),
        ),
      )
  )[0]
const who = async (of: Partial<typeof member.$inferInsert> = {}) =>
  (await freshMember(database, of)).id
const invite = (inviter_id: number, of: Partial<typeof member.$inferInsert> = {}) =>
  who({ inviter_id, ...of })
const pointsOf = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!.points
const count = (...ids: number[]) => database.transaction(tx => countMembers(tx, ids, unixNow()))
const settle = async (...ids: number[]) => {
  await count(...ids)
  return settleBadges(database, unixNow())
}
const grant = (achievement_id: number, member_id: number) =>
  done(calls.grant, { achievement_id, member_id, reason })
const bought = async (member_id: number) => {
  const now = unixNow() - 600
  return database.transaction(async tx => {
    const receiver = {
      name: '张三',
      phone: '13800000000',
      area: '上海市 上海市 静安区',
      address: '南京西路 1 号',
    }
    const one = await placeOrder(tx, { proved: true, product_id, qty: 1, member_id, receiver, now })
    await payOrder(tx, one.id, now)
    return one
  })
}

describe('what a badge counts', () => {
  it('changes until somebody got it; after that a copy takes its place', async () => {
    const id = await badgeOn({ threshold: 3 })
    await done(calls.edit, { ...(await heldBadge(id)), ...written({ threshold: 1 }) })
    const member_id = await who()
    await invite(member_id)
    await settle(member_id)
    expect((await ownerOf(id, member_id))?.state).toBe('held')
    for (const more of [{ threshold: 2 }, { threshold: 1, metric: 'order_count' }]) {
      const said = await call(calls.edit, { ...(await heldBadge(id)), ...written(more) })
      expect(said.status).toBe(400)
    }
    const renamed = written({ threshold: 1, name: '新名字', reward_points: 5 })
    await done(calls.edit, { ...(await heldBadge(id)), ...renamed })
    const copy = await done(calls.copy, await heldBadge(id))
    expect(await badgeNow(copy.id)).toMatchObject({
      name: '新名字副本',
      status: 'draft',
      threshold: 1,
      got_count: 0,
    })
    await done(calls.edit, { ...(await heldBadge(copy.id)), ...written({ threshold: 9 }) })
  })
  it('stays fixed where whoever got it lost it again', async () => {
    const id = await badgeOn()
    const member_id = await who()
    await grant(id, member_id)
    const { id: owner, version } = (await ownerOf(id, member_id))!
    await done(calls.revoke, { id: owner, version, reason })
    const said = await call(calls.edit, { ...(await heldBadge(id)), ...written({ threshold: 5 }) })
    expect(said.status).toBe(400)
  })
})
describe('a seasonal badge', () => {
  it('needs a start before its end, and no other badge has a time', async () => {
    const now = unixNow()
    const faults = async (more: object) => {
      const said = await call(calls.create, written(more))
      expect(said.status).toBe(400)
      return Object.keys(said.data.fields).toSorted()
    }
    const season = { group: 'season' }
    expect(await faults(season)).toEqual(['end_at', 'start_at'])
    expect(await faults({ ...season, start_at: now, end_at: now })).toEqual(['end_at'])
    expect(await faults({ start_at: now, end_at: now + DAY })).toEqual(['end_at', 'start_at'])
    const over = { ...season, start_at: now - 3 * DAY, end_at: now - DAY }
    const made = await done(calls.create, written(over))
    expect((await call(calls.enable, made)).data.rule).toBe('badge_enable')
  })
  it('counts only what happens inside its time', async () => {
    const now = unixNow()
    const times = { start_at: now - 5 * DAY, end_at: now + DAY }
    const id = await badgeOn({ group: 'season', ...times })
    const member_id = await who()
    await invite(member_id, { register_at: times.start_at - 1 })
    await invite(member_id, { register_at: times.start_at })
    await invite(member_id, { register_at: times.end_at })
    await settle(member_id)
    expect(await ownerOf(id, member_id)).toMatchObject({ progress: 1, state: 'progress' })
    await invite(member_id, { register_at: times.end_at - 1 })
    await settle(member_id)
    expect(await ownerOf(id, member_id)).toMatchObject({ progress: 2, state: 'held' })
  })
  it('counts of a streak that began before it the days inside alone', async () => {
    const now = unixNow()
    const start_at = dayStart(now) - 2 * DAY + 3600
    const season = { group: 'season', metric: 'sign_streak', start_at, end_at: now + DAY }
    const id = await badgeOn({ ...season, threshold: 10 })
    const member_id = await who()
    const day = dayStart(now)
    await database.db.insert(sign_record).values({
      member_id,
      kind: 'daily',
      day,
      at: day + 60,
      streak: 9,
      points: 0,
      rule_id,
      ladder: [],
    })
    await count(member_id)
    expect((await ownerOf(id, member_id))?.progress).toBe(3)
  })
})
describe('a badge', () => {
  it('is got once: the clock again, staff and two at a time give no second', async () => {
    const id = await badgeOn({ reward_points: 30 })
    const member_id = await who()
    await invite(member_id)
    await invite(member_id)
    await settle(member_id)
    await settle(member_id)
    expect(await pointsOf(member_id)).toBe(30)
    const again = await call(calls.grant, { achievement_id: id, member_id, reason })
    expect([again.status, again.data.rule]).toEqual([422, 'has_it'])
    const other = await who()
    const both = await Promise.all(
      [1, 2].map(() => call(calls.grant, { achievement_id: id, member_id: other, reason })),
    )
    expect(both.map(said => said.status).toSorted((a, b) => a - b)).toEqual([200, 422])
    expect(await pointsOf(other)).toBe(30)
    expect((await badgeNow(id)).got_count).toBe(2)
  })
  it('is granted while it is on, to accounts in order', async () => {
    const made = await done(calls.create, written())
    const member_id = await who()
    const asked = { achievement_id: made.id, member_id, reason }
    expect((await call(calls.grant, asked)).data.rule).toBe('not_on')
    await done(calls.enable, made)
    const banned = await who({ account_state: 'banned' })
    const said = await call(calls.grant, { ...asked, member_id: banned })
    expect(said.data.rule).toBe('member_not_normal')
    await done(calls.grant, asked)
  })
  it('gives the growth that the ladder in force has for badges, and revoking takes it', async () => {
    const [ladder] = await database.db
      .select()
      .from(level_ladder)
      .where(eq(level_ladder.state, 'live'))
    await database.db
      .update(level_ladder)
      .set({ earns: { ...ladder!.earns, achieve: 7 } })
      .where(eq(level_ladder.id, ladder!.id))
    const id = await badgeOn()
    const member_id = await who()
    await grant(id, member_id)
    const growth = () =>
      database.db
        .select({ delta: growth_ledger.delta, kind: growth_ledger.kind })
        .from(growth_ledger)
        .where(eq(growth_ledger.member_id, member_id))
        .orderBy(growth_ledger.id)
    expect(await growth()).toEqual([{ delta: 7, kind: 'achieve' }])
    const { id: owner, version } = (await ownerOf(id, member_id))!
    await done(calls.revoke, { id: owner, version, reason })
    expect((await growth()).map(row => row.delta)).toEqual([7, -7])
  })
  it('that is turned off stays with its owners, and is given no more', async () => {
    const id = await badgeOn({ threshold: 1 })
    const [owner, near] = [await who(), await who()]
    await grant(id, owner)
    await invite(near)
    await count(near)
    await done(calls.disable, { ...(await heldBadge(id)), reason: '活动结束' })
    await settleBadges(database, unixNow())
    expect((await ownerOf(id, near))?.state).toBe('progress')
    const { list } = await done(calls.progress, { member_id: owner })
    expect(list.find((row: { achievement_id: number }) => row.achievement_id === id)).toMatchObject(
      {
        state: 'held',
        badge_status: 'off',
      },
    )
    const owners = await done(calls.owners, { achievement_id: id, state: 'held' })
    expect(owners.total).toBe(1)
  })
})
describe('the reward of a badge', () => {
  it('fails where its coupon is used up, and is given once when it is tried again', async () => {
    const { id: coupon_id } = await couponOf(database, { total: 1, claimed_count: 1 })
    const id = await badgeOn({ reward_points: 20, reward_coupon_id: coupon_id })
    const member_id = await who()
    await grant(id, member_id)
    const failed = (await ownerOf(id, member_id))!
    expect(failed).toMatchObject({ state: 'held', reward_status: 'failed' })
    expect(failed.reward_fault).not.toBe('')
    expect(await pointsOf(member_id)).toBe(20)
    const early = await done(calls.retryReward, { ids: [failed.id] })
    expect([early.ok, early.failed[0].code]).toEqual([[], 'still_failed'])
    await database.db.update(coupon).set({ total: 5 }).where(eq(coupon.id, coupon_id))
    expect((await done(calls.retryReward, { ids: [failed.id] })).ok).toEqual([failed.id])
    expect((await ownerOf(id, member_id))!).toMatchObject({
      reward_status: 'issued',
      reward_fault: '',
    })
    expect((await done(calls.retryReward, { ids: [failed.id] })).failed[0].code).toBe('not_failed')
    const grants = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.coupon_id, coupon_id))
    expect(grants.map(one => one.member_id)).toEqual([member_id])
    expect(await pointsOf(member_id)).toBe(20)
  })
  it('waits while the member’s benefits are frozen', async () => {
    const id = await badgeOn({ reward_points: 20 })
    const member_id = await who({ benefits_frozen: true })
    await grant(id, member_id)
    const { id: owner, reward_status } = (await ownerOf(id, member_id))!
    expect([reward_status, await pointsOf(member_id)]).toEqual(['failed', 0])
    await database.db.update(member).set({ benefits_frozen: false }).where(eq(member.id, member_id))
    await done(calls.retryReward, { ids: [owner] })
    expect(await pointsOf(member_id)).toBe(20)
  })
  it('is taken back where it is unused: what was spent or used stays', async () => {
    const { id: coupon_id } = await couponOf(database)
    const id = await badgeOn({ reward_points: 20, reward_coupon_id: coupon_id })
    const [one, other] = [await who(), await who()]
    for (const member_id of [one, other]) await grant(id, member_id)
    await database.transaction(tx =>
      adjustPoints(tx, {
        member_id: other,
        delta: -15,
        biz_no: `T${other}`,
        reason: '兑换',
        operator_id: me.id,
        now: unixNow(),
      }),
    )
    await database.db
      .update(coupon_grant)
      .set({ status: 'used' })
      .where(and(eq(coupon_grant.coupon_id, coupon_id), eq(coupon_grant.member_id, other)))
    const revoke = async (member_id: number) => {
      const { id: owner, version } = (await ownerOf(id, member_id))!
      return done(calls.revoke, { id: owner, version, reason })
    }
    expect(await revoke(one)).toMatchObject({ points: 20, coupon: true })
    expect(await revoke(other)).toMatchObject({ points: 5, coupon: false })
    expect([await pointsOf(one), await pointsOf(other)]).toEqual([0, 0])
    const debts = await database.db
      .select({ n: sql<number>`sum(debt_delta)::int` })
      .from(points_ledger)
      .where(eq(points_ledger.member_id, other))
    expect(debts[0]!.n).toBe(0)
    expect((await ownerOf(id, one))!).toMatchObject({ state: 'revoked', reward_status: 'revoked' })
  })
  it('comes again where staff grant again what was taken back; the clock does not', async () => {
    const id = await badgeOn({ reward_points: 20, threshold: 1 })
    const member_id = await who()
    await invite(member_id)
    await settle(member_id)
    const { id: owner, version } = (await ownerOf(id, member_id))!
    await done(calls.revoke, { id: owner, version, reason })
    const late = await call(calls.revoke, { id: owner, version, reason })
    expect(late.status).toBe(409)
    await settle(member_id)
    expect((await ownerOf(id, member_id))!.state).toBe('revoked')
    await grant(id, member_id)
    expect([(await ownerOf(id, member_id))!.round, await pointsOf(member_id)]).toEqual([2, 20])
  })
})
describe('a refund', () => {
  const refunded = (order_id: number) =>
    database.db
      .update(order)
      .set({ refund_state: 'refunded', refunded_cents: sql`paid_cents` })
      .where(eq(order.id, order_id))
  it('lowers progress, and takes a badge back that is younger than 15 days', async () => {
    const orders = await badgeOn({ group: 'consume', metric: 'order_count', threshold: 1 })
    const money = await badgeOn({ group: 'consume', metric: 'paid_cents', threshold: 1 })
    const young = await badgeOn({
      group: 'consume',
      metric: 'order_count',
      threshold: 1,
      reward_points: 10,
    })
    const member_id = await who()
    const { id } = await bought(member_id)
    await settle(member_id)
    const before = await pointsOf(member_id)
    for (const badge of [orders, money])
      await database.db
        .update(member_achievement)
        .set({ got_at: unixNow() - 16 * DAY })
        .where(
          and(
            eq(member_achievement.member_id, member_id),
            eq(member_achievement.achievement_id, badge),
          ),
        )
    await refunded(id)
    await settle(member_id)
    for (const badge of [orders, money])
      expect(await ownerOf(badge, member_id)).toMatchObject({ progress: 0, state: 'held' })
    expect(await ownerOf(young, member_id)).toMatchObject({
      progress: 0,
      state: 'progress',
      reason: '退款后未达门槛',
    })
    expect(await pointsOf(member_id)).toBe(before - 10)
    // Bought again, it is reached again.
    await bought(member_id)
    await settle(member_id)
    expect(await ownerOf(young, member_id)).toMatchObject({ state: 'held', round: 2 })
    expect(await pointsOf(member_id)).toBe(before)
  })
  it('takes nothing back that staff granted', async () => {
    const id = await badgeOn()
    const member_id = await who()
    await grant(id, member_id)
    await settle(member_id)
    expect((await ownerOf(id, member_id))!.state).toBe('held')
  })
})
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
