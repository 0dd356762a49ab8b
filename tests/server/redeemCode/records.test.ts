import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { monthOf } from '#src/areas/redeemCode/bills.server.ts'
import type { Member } from '#src/areas/redeemCode/redeem.server.ts'
import { redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { maskedCode } from '#src/areas/secret/secretCode.ts'
import { DAY, dateOf, HOUR, unixNow } from '#src/domain/time.ts'
import { redeemLogs as calls } from '#src/modules/redeemCode/contract/redeem.ts'
import { codeDesk } from '#src/modules/redeemCode/contract/vertify.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { batchOf, couponOf, membersOf } from '../../help/redeem.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let clerk: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  clerk = await addStaff(database, { perms: ['*'] })
})
const now = unixNow()
const call = (what: What, input: object) => send(app, what, input, { token: clerk.token })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status).toBe(422)
  return said.data.rule
}
const why = { reason: '客诉核实' }
const logRow = async (id: number) =>
  (await database.db.select().from(redeem_log).where(eq(redeem_log.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await logRow(id)).version })
const redeem = async (code: string, { phone }: Member) => {
  const found = await done(codeDesk.lookup, { secret_code: code })
  await done(codeDesk.redeemFor, { id: found.code.id, phone, phone_tail: phone.slice(-4) })
  const [log] = await database.db
    .select()
    .from(redeem_log)
    .where(eq(redeem_log.code_id, found.code.id))
    .orderBy(sql`id desc`)
  return log!
}
/** A code that a member has redeemed, of a batch of its own. */
const redeemed = async () => {
  const own = await couponOf(database)
  const { batch, codes } = await batchOf(database, app, {
    created_by: clerk.id,
    coupon_ids: [own.id],
    points: 10,
  })
  const by = (await membersOf(database))[0]!
  return { batch, by, coupon_id: own.id, log: await redeem(codes[0]!, by) }
}
const grants = (member_id: number) =>
  database.db
    .select()
    .from(coupon_grant)
    .where(eq(coupon_grant.member_id, member_id))
    .orderBy(coupon_grant.id)

describe('a success', () => {
  it('is taken back while no reward was used; its code is open again, or void', async () => {
    for (const reopen of [true, false]) {
      const { log, by, batch } = await redeemed()
      await done(calls.revoke, { ...(await held(log.id)), reopen, ...why })
      expect((await grants(by.id))[0]!.status).toBe('revoked')
      const [code] = await database.db
        .select()
        .from(redeem_code)
        .where(eq(redeem_code.batch_id, batch.id))
      expect(code).toMatchObject({ state: reopen ? 'unused' : 'voided', used_times: 0 })
      expect(await rule(calls.revoke, { ...(await held(log.id)), reopen, ...why })).toBe('revoked')
    }
  })
  it('is not taken back once a reward was used', async () => {
    const { log, by } = await redeemed()
    await database.db
      .update(coupon_grant)
      .set({ status: 'used' })
      .where(eq(coupon_grant.member_id, by.id))
    expect(await rule(calls.revoke, { ...(await held(log.id)), reopen: true, ...why })).toBe(
      'reward_used',
    )
    expect((await logRow(log.id)).revoked_at).toBeNull()
  })
  it('at once is taken back by one', async () => {
    const { log } = await redeemed()
    const one = { ...(await held(log.id)), reopen: true, ...why }
    const both = await Promise.all([call(calls.revoke, one), call(calls.revoke, one)])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
  })
  it('gives anew what was lost, and only once', async () => {
    const { log, by } = await redeemed()
    expect(await rule(calls.reissue, { ...(await held(log.id)), ...why })).toBe('nothing_lost')
    await database.db
      .update(coupon_grant)
      .set({ status: 'expired', end_at: now - 1 })
      .where(eq(coupon_grant.member_id, by.id))
    await done(calls.reissue, { ...(await held(log.id)), ...why })
    expect((await grants(by.id)).map(one => one.status)).toEqual(['expired', 'unused'])
    await database.db
      .update(coupon_grant)
      .set({ status: 'expired' })
      .where(eq(coupon_grant.member_id, by.id))
    expect(await rule(calls.reissue, { ...(await held(log.id)), ...why })).toBe('reissued')
  })
})

describe('a member', () => {
  it('is locked out for days, and shown so', async () => {
    const { log, by } = await redeemed()
    const { until } = await done(calls.blockMember, { id: log.id, days: 3, ...why })
    expect(until).toBeGreaterThan(now + 3 * DAY - 60)
    const { codes } = await batchOf(database, app, { created_by: clerk.id })
    const { code } = await done(codeDesk.lookup, { secret_code: codes[0]! })
    const again = { id: code.id, phone: by.phone, phone_tail: by.phone.slice(-4) }
    expect((await done(codeDesk.redeemFor, again)).result).toBe('locked')
    const { list } = await done(calls.lst, { member_id: by.id })
    expect(
      list.map((row: { result: string; locked_until: number }) => [row.result, row.locked_until]),
    ).toEqual([
      ['locked', until],
      ['ok', until],
    ])
  })
})

describe('the list', () => {
  it('is filtered by what it offers, and folds what repeats', async () => {
    const { log, by, batch } = await redeemed()
    const wrong = {
      member_id: by.id,
      phone: by.phone,
      input_tail: 'ZZ99',
      result: 'unknown' as const,
      channel: 'mini' as const,
      device_id: 'one',
    }
    await database.db
      .insert(redeem_log)
      .values(
        [0, 60, 120, HOUR + 180].map(more => ({ ...wrong, created_at: now - 2 * HOUR + more })),
      )
    const counts = async (filter: object) =>
      (await done(calls.lst, { member_id: by.id, ...filter })).total
    expect(await counts({})).toBe(5)
    expect(await counts({ folded: true })).toBe(3)
    expect(await counts({ result: 'unknown' })).toBe(4)
    expect(await counts({ tail: ' zz99 ' })).toBe(4)
    expect(await counts({ batch_id: batch.id })).toBe(1)
    expect(await counts({ partner: batch.partner })).toBe(1)
    expect(await counts({ phone: by.phone })).toBe(5)
    expect(await counts({ from: now - 10, to: now + DAY })).toBe(1)
    const { list } = await done(calls.lst, { member_id: by.id, folded: true, result: 'unknown' })
    expect(list.map((row: { tries: number }) => row.tries)).toEqual([1, 3])
    const [row] = (await done(calls.lst, { batch_id: batch.id })).list
    expect(row).toMatchObject({
      id: log.id,
      masked: maskedCode(log.input_tail),
      rewards: [expect.any(String), '10 积分'],
    })
  })
  it('has a curve by hour on which guessing stands out', async () => {
    const at = Math.floor((now - 3 * DAY) / HOUR) * HOUR
    const { batch } = await redeemed()
    await database.db.insert(redeem_log).values(
      Array.from({ length: 40 }, (_, n) => ({
        batch_id: batch.id,
        input_tail: 'AAAA',
        result: n < 5 ? ('used' as const) : ('unknown' as const),
        channel: 'mini' as const,
        created_at: at + n,
      })),
    )
    const { hours } = await done(calls.hourly, { batch_id: batch.id })
    expect(hours.find((one: { at: number }) => one.at === at)).toEqual({
      at,
      ok: 0,
      failed: 5,
      unknown: 35,
    })
    const sum = (key: string) =>
      hours.reduce((all: number, one: Record<string, number>) => all + one[key]!, 0)
    expect([sum('ok'), sum('failed'), sum('unknown')]).toEqual([1, 5, 35])
  })
})

describe('a partner', () => {
  const last = dateOf(monthOf(dateOf(now).slice(0, 7))!.from - DAY).slice(0, 7)
  it('is billed a month once, for what stood', async () => {
    const { log, batch } = await redeemed()
    const { from } = monthOf(last)!
    await database.db.update(redeem_log).set({ created_at: from }).where(eq(redeem_log.id, log.id))
    const { granted, ...more } = await logRow(log.id)
    const { id: _, code_id: __, ...another } = more
    await database.db.insert(redeem_log).values([
      { ...another, granted, code_id: null, revoked_at: from + 5 },
      // The next month begins with this second.
      { ...another, granted, code_id: null, created_at: monthOf(last)!.to },
    ])
    const of = { partner: batch.partner, month: last }
    const both = await Promise.all([call(calls.partnerBill, of), call(calls.partnerBill, of)])
    const [good, ...others] = both.toSorted((a, b) => a.status - b.status)
    expect(good!.data).toMatchObject({
      successes: 2,
      revokes: 1,
      amount_cents: granted!.cost_cents,
    })
    expect(others.map(said => said.data.rule)).toEqual(['billed'])
  })
  it.each([
    ['a month that is not over', dateOf(now).slice(0, 7), 'month_open'],
    ['a month without any', '2020-01', 'nothing_to_bill'],
  ])('is not billed for %s', async (_, month, why) => {
    const { batch } = await redeemed()
    expect(await rule(calls.partnerBill, { partner: batch.partner, month })).toBe(why)
  })
  it('has months of Shanghai', () => {
    expect(dateOf(monthOf('2026-12')!.from)).toBe('2026-12-01')
    expect(dateOf(monthOf('2026-12')!.to)).toBe('2027-01-01')
    expect(dateOf(monthOf('2028-02')!.to - 1)).toBe('2028-02-29')
    expect(monthOf('2026-13')).toBeUndefined()
  })
})
