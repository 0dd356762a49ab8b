import { and, asc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { redeemCode, type Member, type Try } from '#src/areas/redeemCode/redeem.server.ts'
import {
  code_batch,
  redeem_block,
  redeem_code,
  redeem_log,
} from '#src/areas/redeemCode/redeemCode.table.ts'
import { LOCK_S, WRONG_MAX, WRONG_WINDOW_S } from '#src/areas/redeemCode/redeemCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp } from '../../help/app.ts'
import { batchOf, couponOf, membersOf } from '../../help/redeem.ts'

let database: Database
let app: App
let created_by: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  created_by = (await addStaff(database)).id
})
const now = unixNow()
const batch = (of: Partial<Parameters<typeof batchOf>[2]> = {}) =>
  batchOf(database, app, { created_by, ...of })
const one = async () => (await membersOf(database))[0]!
const redeem = (code: string, by: Member, more: Partial<Try> = {}) =>
  database.transaction(async tx =>
    redeemCode(tx, await sealerOf(app.install.codeKeys, tx), {
      code,
      member: by,
      channel: 'mini',
      staff_id: null,
      mall_id: 0,
      device_id: '',
      ip: '',
      now,
      ...more,
    }),
  )
const result = async (code: string, by: Member, more: Partial<Try> = {}) =>
  (await redeem(code, by, more)).refusal?.result ?? 'ok'
const codeRow = async (batch_id: number) =>
  (await database.db.select().from(redeem_code).where(eq(redeem_code.batch_id, batch_id)))[0]!
const set = (id: number, of: Partial<typeof code_batch.$inferInsert>) =>
  database.db.update(code_batch).set(of).where(eq(code_batch.id, id))

describe('a code', () => {
  it('gives its rewards once, and tells the next who had it and when', async () => {
    const own = await couponOf(database)
    const { batch: of, codes } = await batch({ coupon_ids: [own.id], points: 25 })
    const [first, second] = await membersOf(database, 2)
    const done = await redeem(` ${codes[0]!.toLowerCase()} `, first!)
    expect(done.refusal).toBeNull()
    const grants = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.member_id, first!.id))
    expect(grants).toEqual([
      expect.objectContaining({ coupon_id: own.id, grant_kind: 'code', status: 'unused' }),
    ])
    const booked = await database.db
      .select()
      .from(points_ledger)
      .where(eq(points_ledger.member_id, first!.id))
    expect(booked).toEqual([expect.objectContaining({ delta: 25, kind: 'earn' })])
    const late = await redeem(codes[0]!, second!)
    expect(late.refusal).toMatchObject({
      result: 'used',
      values: { holder: expect.stringContaining(first!.nickname) },
    })
    expect(await codeRow(of.id)).toMatchObject({ state: 'redeemed', member_id: first!.id })
    const [after] = await database.db.select().from(code_batch).where(eq(code_batch.id, of.id))
    expect(after!.redeemed).toBe(1)
  })
  it.each([
    ['not_started', { start_at: now + DAY }],
    ['expired', { start_at: now - 2 * DAY, end_at: now - DAY }],
    ['expired', { status: 'ended' as const }],
    ['stopped', { status: 'paused' as const, reason: '核对' }],
    ['wrong_mall', { mall_ids: [999_999] }],
  ])('is refused as %s, and consumes nothing', async (why, of) => {
    const { batch: own, codes } = await batch()
    await set(own.id, of)
    const by = await one()
    expect(await result(codes[0]!, by)).toBe(why)
    expect(await codeRow(own.id)).toMatchObject({ state: 'unused', used_times: 0 })
    expect(await database.db.$count(points_ledger, eq(points_ledger.member_id, by.id))).toBe(0)
    const [log] = await database.db.select().from(redeem_log).where(eq(redeem_log.batch_id, own.id))
    expect(log).toMatchObject({ result: why, member_id: by.id, granted: null })
  })
  it('that is void says why', async () => {
    const { batch: of, codes } = await batch()
    await database.db
      .update(redeem_code)
      .set({ state: 'voided', void_reason: '卡片遗失' })
      .where(eq(redeem_code.batch_id, of.id))
    expect((await redeem(codes[0]!, await one())).refusal).toMatchObject({
      result: 'voided',
      values: { why: '卡片遗失' },
    })
  })
  it('whose coupon is used up is not consumed, nor are the points given', async () => {
    const own = await couponOf(database, { total: 5, claimed_count: 5 })
    const { batch: of, codes } = await batch({ coupon_ids: [own.id], points: 5 })
    const by = await one()
    expect(await result(codes[0]!, by)).toBe('no_reward')
    expect((await codeRow(of.id)).state).toBe('unused')
    expect(await database.db.$count(points_ledger, eq(points_ledger.member_id, by.id))).toBe(0)
    await database.db.update(coupon).set({ total: 6 }).where(eq(coupon.id, own.id))
    expect(await result(codes[0]!, by)).toBe('ok')
  })
  it('that several share is good so often', async () => {
    const { codes } = await batch({ code_kind: 'shared', use_limit: 2 })
    const people = await membersOf(database, 3)
    const all = []
    for (const by of people) all.push(await result(codes[0]!, by))
    expect(all).toEqual(['ok', 'ok', 'used'])
  })
  it('is not for a member whose account is banned', async () => {
    const { batch: of, codes } = await batch()
    expect(await result(codes[0]!, { ...(await one()), account_state: 'banned' })).toBe('locked')
    expect((await codeRow(of.id)).state).toBe('unused')
  })
  it('with a later end of its own outlives its batch', async () => {
    const { batch: of, codes } = await batch()
    await set(of.id, { start_at: now - 2 * DAY, end_at: now - DAY })
    await database.db
      .update(redeem_code)
      .set({ end_at: now + DAY })
      .where(eq(redeem_code.batch_id, of.id))
    expect(await result(codes[0]!, await one())).toBe('ok')
  })
})

describe('a limit', () => {
  it('of a member, a phone or a device holds over the codes of a batch', async () => {
    const [mine, twin] = await membersOf(database, 2)
    const byMember = await batch({ codes: 2, limit_member: 1 })
    expect(await result(byMember.codes[0]!, mine!)).toBe('ok')
    expect(await result(byMember.codes[1]!, mine!)).toBe('limit')
    expect(await result(byMember.codes[1]!, twin!)).toBe('ok')
    const byPhone = await batch({ codes: 2, code_kind: 'per_phone' })
    const same = { ...twin!, phone: mine!.phone }
    expect(await result(byPhone.codes[0]!, mine!)).toBe('ok')
    expect(await result(byPhone.codes[1]!, same)).toBe('limit')
    const byDevice = await batch({ codes: 2, limit_device: 1 })
    const device_id = `dev-${mine!.id}`
    expect(await result(byDevice.codes[0]!, mine!, { device_id })).toBe('ok')
    expect(await result(byDevice.codes[1]!, twin!, { device_id })).toBe('limit')
  })
  it('to new members refuses who bought something', async () => {
    const { codes } = await batch({ codes: 2, new_only: true })
    const {
      rows: [buyer],
    } = await database.db.execute<Member>(
      sql`select m.* from ${member} m join "order" o on o.member_id = m.id and o.paid_cents > 0 limit 1`,
    )
    expect(await result(codes[0]!, buyer!)).toBe('limit')
    expect(await result(codes[0]!, await one())).toBe('ok')
  })
})

describe('guessing', () => {
  const wrong = (by: Member, more: Partial<Try> = {}) => result('ZZZZ9999ZZZZ', by, more)
  it('locks the member for an hour after five wrong codes in ten minutes', async () => {
    const { codes } = await batch()
    const by = await one()
    for (let n = 0; n < WRONG_MAX; n++) expect(await wrong(by)).toBe('unknown')
    expect(await result(codes[0]!, by)).toBe('locked')
    expect(await result(codes[0]!, by, { now: now + LOCK_S - 1 })).toBe('locked')
    expect(await result(codes[0]!, by, { now: now + LOCK_S })).toBe('ok')
  })
  it('does not lock who is slow', async () => {
    const by = await one()
    for (let n = 0; n < 2 * WRONG_MAX; n++)
      expect(await wrong(by, { now: now + n * WRONG_WINDOW_S })).toBe('unknown')
  })
  it.each(['device_id', 'ip'] as const)('is seen by %s, whoever does it', async key => {
    const more = { [key]: `from-Q${key}` }
    for (const by of await membersOf(database, WRONG_MAX))
      expect(await wrong(by, more)).toBe('unknown')
    expect(await wrong(await one(), more)).toBe('locked')
    expect(await wrong(await one())).toBe('unknown')
  })
  it('of codes that were used locks nobody', async () => {
    const { codes } = await batch()
    const [first, by] = await membersOf(database, 2)
    await redeem(codes[0]!, first!)
    for (let n = 0; n < 2 * WRONG_MAX; n++) expect(await result(codes[0]!, by!)).toBe('used')
  })
  it('at once is counted in turn', async () => {
    const by = await one()
    const tries = await Promise.all(Array.from({ length: 12 }, () => wrong(by)))
    expect(tries.filter(one => one === 'unknown').length).toBeGreaterThanOrEqual(WRONG_MAX)
    expect(
      await database.db.$count(
        redeem_block,
        and(eq(redeem_block.kind, 'member'), eq(redeem_block.value, String(by.id))),
      ),
    ).toBe(1)
  })
})

describe('at once', () => {
  it('a hundred want one code: one has it, the others hear who and when', async () => {
    const own = await couponOf(database)
    const { batch: of, codes } = await batch({ coupon_ids: [own.id] })
    const people = await membersOf(database, 100)
    const all = await Promise.all(people.map(by => redeem(codes[0]!, by)))
    const [winner, ...more] = all.filter(one => one.refusal === null)
    expect(more).toEqual([])
    const code = await codeRow(of.id)
    const holder = people.find(by => by.id === code.member_id)!
    for (const one of all)
      if (one !== winner)
        expect(one.refusal).toMatchObject({
          result: 'used',
          values: { holder: expect.stringContaining(holder.nickname), when: expect.any(String) },
        })
    expect(await database.db.$count(coupon_grant, eq(coupon_grant.coupon_id, own.id))).toBe(1)
    const logs = await database.db
      .select({ result: redeem_log.result })
      .from(redeem_log)
      .where(eq(redeem_log.batch_id, of.id))
      .orderBy(asc(redeem_log.id))
    expect(logs).toHaveLength(100)
    expect(logs.filter(log => log.result === 'ok')).toHaveLength(1)
  })
  it('a shared code is never used more often than it may be', async () => {
    const { batch: of, codes } = await batch({ code_kind: 'shared', use_limit: 7 })
    const all = await Promise.all((await membersOf(database, 30)).map(by => result(codes[0]!, by)))
    expect(all.filter(one => one === 'ok')).toHaveLength(7)
    expect((await codeRow(of.id)).used_times).toBe(7)
  })
  it('a member with a limit of one has one of two codes', async () => {
    const { codes } = await batch({ codes: 2, limit_member: 1 })
    const by = await one()
    const all = await Promise.all(codes.map(code => result(code, by)))
    expect(all.toSorted()).toEqual(['limit', 'ok'])
  })
})
