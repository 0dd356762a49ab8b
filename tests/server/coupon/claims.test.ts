import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { DAY, HOUR, unixNow } from '#src/domain/time.ts'
import { storeCoupons as calls } from '#src/modules/coupon/contract/coupon.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { couponDesk } from '../../help/couponDesk.ts'

const desk = couponDesk()
const { claim, done, held, lastLog, refused, rowOf, rule, running } = desk
const now = unixNow()

describe('what is given', () => {
  it('keeps the terms of that day, for as long as they say', async () => {
    const id = await running({ valid_after_days: 2 })
    const { grants } = await claim(id, 11)
    expect(grants[0]).toMatchObject({
      member_id: 11,
      start_at: now + 2 * DAY,
      end_at: now + 9 * DAY,
      snapshot: { face_cents: 20_00, threshold_cents: 100_00, platform_share_bp: 10_000 },
      status: 'unused',
    })
    expect(grants[0]!.code).toMatch(/^[2-9A-HJ-NP-Z]{12}$/)
    const fixed = await running({
      valid_kind: 'fixed',
      use_start_at: now + DAY,
      use_end_at: now + 20 * DAY,
    })
    const other = await claim(fixed, 11)
    expect(other.grants[0]).toMatchObject({ start_at: now + DAY, end_at: now + 20 * DAY })
  })
  it('is no more than a member may have, in all and on one day', async () => {
    const id = await running({ per_member: 3, per_day: 1 })
    expect([await rule(claim(id, 12)), await rule(claim(id, 12))]).toEqual(['done', 'per_day'])
    expect(await rule(claim(id, 12, now + DAY))).toBe('done')
    expect(await rule(claim(id, 12, now + 2 * DAY))).toBe('done')
    expect(await rule(claim(id, 12, now + 3 * DAY))).toBe('per_member')
    // What was refused left nothing behind.
    expect((await rowOf(id)).claimed_count).toBe(3)
  })
  it('is given while it is claimed, to those whom it is for', async () => {
    const soon = await running({ claim_start_at: now + HOUR })
    expect([await rule(claim(soon)), await rule(claim(soon, 90, now + HOUR))]).toEqual([
      'not_given',
      'done',
    ])
    const over = await running()
    expect(await rule(claim(over, 90, now + 10 * DAY))).toBe('not_given')
    const given = await running({ claim_kind: 'admin' })
    expect(await rule(claim(given))).toBe('not_claimed')
    const { rows } = await desk.database.pool.query<{ id: number; bought: boolean }>(
      `select m.id, exists (select 1 from "order" o where o.member_id = m.id and o.pay_state = 'paid') bought from member m order by m.id`,
    )
    const first = await running({ new_only: true })
    const buyer = rows.find(one => one.bought)!
    expect(await rule(claim(first, buyer.id))).toBe('new_only')
    const [fresh] = await desk.database.pool
      .query<{ id: number }>(
        `insert into member (uid, nickname, phone, city_id, register_at) values ('NEWQ', '新来的', '13900000000', 1, ${now}) returning id`,
      )
      .then(said => said.rows)
    expect(await rule(claim(first, fresh!.id))).toBe('done')
    await desk.database.db.update(coupon).set({ vip_only: true }).where(eq(coupon.id, over))
    expect(await rule(claim(over))).toBe('level')
    const golden = await running({ level_ids: [4, 5] })
    expect(await rule(claim(golden, fresh!.id))).toBe('level')
    await desk.database.pool.query(`update member set level = 4 where id = $1`, [fresh!.id])
    expect(await rule(claim(golden, fresh!.id))).toBe('done')
  })
  it('by staff is refused member by member', async () => {
    const id = await running({ total: 3, per_member: 2 })
    await claim(id, 13)
    const said = await done(calls.grant, {
      id,
      member_ids: [13, 14, 15],
      quantity: 2,
      reason: '投诉补偿',
    })
    expect(said.ok).toEqual([14])
    expect(said.failed.map((one: { id: number; code: string }) => [one.id, one.code])).toEqual([
      [13, 'per_member'],
      [15, 'used_up'],
    ])
    expect((await rowOf(id)).claimed_count).toBe(3)
    const rows = await desk.database.db
      .select()
      .from(coupon_grant)
      .where(and(eq(coupon_grant.coupon_id, id), eq(coupon_grant.member_id, 14)))
    expect(rows.map(row => [row.grant_kind, row.operator_id, row.reason])).toEqual(
      Array(2).fill(['admin', desk.maker.id, '投诉补偿']),
    )
  })
})

describe('by the clock', () => {
  const states = async (id: number, status?: string) =>
    (await done(calls.lst, { keyword: String(id), ...(status && { status }) })).list
      .filter((row: { id: number }) => row.id === id)
      .map((row: { status: string }) => row.status)
  it('the list tells the state of the moment before any timer ran', async () => {
    const id = await running()
    const set = (of: Partial<typeof coupon.$inferInsert>) =>
      desk.database.db.update(coupon).set(of).where(eq(coupon.id, id))
    await set({ status: 'waiting', claim_start_at: now - 5 })
    expect([await states(id, 'active'), await states(id, 'waiting')]).toEqual([['active'], []])
    await set({ claim_end_at: now - 1 })
    expect([await states(id), await states(id, 'active'), await states(id, 'ended')]).toEqual([
      ['ended'],
      [],
      ['ended'],
    ])
    expect(await refused(calls.pause, { ...(await held(id)), reason: '太晚了' })).toBe(
      'wrong_state',
    )
  })
  it('the timer writes it down, once, with a line in the log', async () => {
    const [begins, ends] = [await running({ claim_start_at: now + HOUR }), await running()]
    const turn = (at: number) =>
      timerNamed('coupon.turn')({ database: desk.database, now: at } as never)
    await turn(now + HOUR)
    expect((await rowOf(begins)).status).toBe('active')
    await turn(now + 10 * DAY)
    expect((await rowOf(ends)).status).toBe('ended')
    expect(await lastLog(ends)).toMatchObject({
      admin_id: null,
      before: { status: 'active' },
      after: { status: 'ended' },
    })
    expect(await turn(now + 10 * DAY)).toEqual([])
  })
})
