import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { member_achievement } from '#src/areas/achievement/achievement.table.ts'
import { settleBadges } from '#src/areas/achievement/awarding.server.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { growth_ledger, level_ladder } from '#src/areas/level/level.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { adjustPoints } from '#src/areas/points/points.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { sign_record } from '#src/areas/signIn/signIn.table.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { achieve as calls } from '#src/modules/vip/contract/achieve.ts'
import type { Database } from '#src/server/db/database.ts'
import { addStaff } from '../../help/app.ts'
import {
  allOff,
  call,
  done,
  reason,
  written,
  badgeOn,
  badgeNow,
  heldBadge,
  ownerOf,
  who,
  invite,
  pointsOf,
  count,
  settle,
  grant,
  bought,
  openBadges,
} from '../../help/badges.ts'
import { couponOf } from '../../help/redeem.ts'

let database: Database
let me: Awaited<ReturnType<typeof addStaff>>
let rule_id: number
beforeAll(async () => {
  ;({ database, me, rule_id } = await openBadges())
})
beforeEach(async () => void (await allOff()))

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
      reason: joined(['退款后未达门槛', 'Below the threshold after a refund']),
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
