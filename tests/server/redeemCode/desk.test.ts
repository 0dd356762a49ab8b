import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { idempotency, op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import type { Member } from '#src/areas/redeemCode/redeem.server.ts'
import {
  code_batch,
  code_lookup,
  redeem_code,
  redeem_log,
} from '#src/areas/redeemCode/redeemCode.table.ts'
import { LOOKUPS_A_MINUTE, PASTED_MOST, UNDO_S } from '#src/areas/redeemCode/redeemCode.ts'
import { codeKeysIn } from '#src/areas/secret/keyFile.server.ts'
import { groupedCode, maskedCode } from '#src/areas/secret/secretCode.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { codeDesk as calls } from '#src/modules/redeemCode/contract/vertify.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { temporaryFolder } from '../../farm/temporary.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { batchOf, couponOf, membersOf } from '../../help/redeem.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let clerk: Person
let other: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  clerk = await addStaff(database, { perms: ['redeemCode.*'] })
  other = await addStaff(database, { perms: ['redeemCode.*'] })
})
const call = (what: What, input: object, by = clerk) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status).toBe(422)
  return said.data.rule
}
const batch = (of: Partial<Parameters<typeof batchOf>[2]> = {}) =>
  batchOf(database, app, { created_by: clerk.id, ...of })
const one = async () => (await membersOf(database))[0]!
const look = (secret_code: string, by = clerk) => done(calls.lookup, { secret_code }, by)
const redeem = (id: number, { phone }: Member, by = clerk, more: object = {}) =>
  done(calls.redeemFor, { id, phone, phone_tail: phone.slice(-4), ...more }, by)
const rowOf = async (id: number) =>
  (await database.db.select().from(redeem_code).where(eq(redeem_code.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
const why = { reason: '会员要求' }
/** A code that was looked up. */
const scanned = async (of: Parameters<typeof batch>[0] = {}) => {
  const { codes } = await batch(of)
  return { code: codes[0]!, row: (await look(codes[0]!)).code }
}

describe('a look', () => {
  it('finds a code however it is written, with its rewards and its history', async () => {
    const { codes, batch: of } = await batch({ points: 30 })
    const typed = groupedCode(codes[0]!).toLowerCase().replaceAll('-', ' － ')
    expect(await look(typed)).toMatchObject({
      result: 'ok',
      code: {
        masked: maskedCode(codes[0]!.slice(-4)),
        batch_name: of.name,
        rewards: ['30 积分'],
        history: [],
      },
    })
  })
  it('never answers, logs or keeps the code itself', async () => {
    const { code } = await scanned()
    const said = await call(calls.lookup, { secret_code: code })
    expect(said.text).not.toContain(code)
    await call(calls.lookup, { secret_code: code, foreign: code })
    await call(calls.redeemFor, { id: 0, phone: '1', phone_tail: code })
    const kept = await Promise.all(
      [op_log, idempotency, redeem_log].map(table =>
        database.db.execute<{ all: string }>(
          sql`select coalesce(string_agg(t::text, ' '), '') "all" from ${table} t`,
        ),
      ),
    )
    for (const { rows } of kept) expect(rows[0]!.all).not.toContain(code)
    const [log] = await database.db
      .select()
      .from(op_log)
      .where(
        and(eq(op_log.action, 'redeemCode.vertify.lookup'), eq(op_log.object_type, 'redeem_code')),
      )
      .orderBy(desc(op_log.id))
      .limit(1)
    expect(log).toMatchObject({ object_type: 'redeem_code', after: { result: 'ok' } })
  })
  it('tells a slip of the finger from a code that there is not', async () => {
    const { codes } = await batch()
    const code = codes[0]!
    const slip = code.slice(0, -1) + (code.endsWith('2') ? '3' : '2')
    expect((await look(slip)).text).toContain('码输错了')
    expect(await look('QQQQ9999')).toMatchObject({ result: 'unknown', code: null })
  })
  it('of many answers each line', async () => {
    const { codes } = await batch({ codes: 3 })
    const { rows } = await done(calls.batchLookup, { secret_codes: [...codes, 'NONE2345'] })
    expect(rows.map((row: { result: string }) => row.result)).toEqual(['ok', 'ok', 'ok', 'unknown'])
    const many = Array.from({ length: PASTED_MOST + 1 }, (_, n) => `CODE${n}`)
    expect((await call(calls.batchLookup, { secret_codes: many })).status).toBe(400)
  })
  it('is bounded a minute, in the database', async () => {
    const busy = await addStaff(database, { perms: ['redeemCode.*'] })
    await look('AAAA2345', busy)
    await database.db
      .update(code_lookup)
      .set({ n: LOOKUPS_A_MINUTE })
      .where(eq(code_lookup.admin_id, busy.id))
    const said = await call(calls.lookup, { secret_code: 'AAAA2345' }, busy)
    // The minute may have turned meanwhile.
    const [row] = await database.db
      .select()
      .from(code_lookup)
      .where(eq(code_lookup.admin_id, busy.id))
    expect(said.status === 422 ? said.data.rule : row!.n).toBe(said.status === 422 ? 'lookups' : 1)
  })
  it('with a file of keys that is not the database’s is refused, and says so', async () => {
    await scanned()
    const elsewhere = await openApp(database, { codeKeys: codeKeysIn(temporaryFolder('other')) })
    const said = await send(
      elsewhere,
      calls.lookup,
      { secret_code: 'AAAA2345' },
      { token: clerk.token },
    )
    expect(said.status).toBe(422)
    expect(said.data.rule).toBe('code_keys_missing')
    expect(said.message).toContain('MALLET_CODE_KEYS')
  })
})

describe('redeeming for a member', () => {
  it('needs the phone confirmed, and a member who has it', async () => {
    const { row } = await scanned()
    const { phone } = await one()
    const tail = phone.slice(-4) === '0000' ? '1111' : '0000'
    const wrong = await call(calls.redeemFor, { id: row.id, phone, phone_tail: tail })
    expect(Object.keys(wrong.data.fields)).toEqual(['phone_tail'])
    const nobody = { id: row.id, phone: '13000000001', phone_tail: '0001' }
    expect(Object.keys((await call(calls.redeemFor, nobody)).data.fields)).toEqual(['phone'])
    expect(await database.db.$count(redeem_log, eq(redeem_log.code_id, row.id))).toBe(0)
  })
  it('gives the reward, and the second desk sees who and when', async () => {
    const { row } = await scanned()
    const by = await one()
    expect(await redeem(row.id, by)).toMatchObject({ result: 'ok', code: { state: 'redeemed' } })
    const late = await redeem(row.id, await one(), other)
    expect(late).toMatchObject({ result: 'used' })
    expect(late.text).toContain(clerk.account)
    expect(late.code.history.map((log: { result: string }) => log.result)).toEqual(['used', 'ok'])
    expect((await database.db.select().from(member).where(eq(member.id, by.id)))[0]!.points).toBe(
      10,
    )
  })
  it('at two desks at once succeeds at one', async () => {
    const { row } = await scanned()
    const [first, second] = await membersOf(database, 2)
    const both = await Promise.all([redeem(row.id, first!), redeem(row.id, second!, other)])
    expect(both.map(said => said.result).toSorted()).toEqual(['ok', 'used'])
  })
  it('minds the mall it is done in', async () => {
    const { row } = await scanned({ mall_ids: [1] })
    expect((await redeem(row.id, await one(), clerk, { mall_id: 2 })).result).toBe('wrong_mall')
    expect((await redeem(row.id, await one(), clerk, { mall_id: 1 })).result).toBe('ok')
  })
})

describe('taking back', () => {
  it('within ten minutes, by the same person, opens the code again', async () => {
    const own = await couponOf(database)
    const { row, code } = await scanned({ coupon_ids: [own.id], points: 10 })
    const by = await one()
    await redeem(row.id, by)
    expect(await rule(calls.undo, { ...(await held(row.id)), ...why }, other)).toBe('other_staff')
    await done(calls.undo, { ...(await held(row.id)), ...why })
    expect(await look(code)).toMatchObject({ result: 'ok', code: { holder: '', used_times: 0 } })
    const [grant] = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.member_id, by.id))
    expect(grant!.status).toBe('revoked')
    expect((await database.db.select().from(member).where(eq(member.id, by.id)))[0]!.points).toBe(0)
    expect(await rule(calls.undo, { ...(await held(row.id)), ...why })).toBe('not_redeemed')
    expect((await redeem(row.id, by)).result).toBe('ok')
  })
  it('is refused later, and once a reward was used', async () => {
    const own = await couponOf(database)
    const { row } = await scanned({ coupon_ids: [own.id] })
    const by = await one()
    await redeem(row.id, by)
    await database.db
      .update(coupon_grant)
      .set({ status: 'used' })
      .where(eq(coupon_grant.member_id, by.id))
    expect(await rule(calls.undo, { ...(await held(row.id)), ...why })).toBe('reward_used')
    await database.db
      .update(redeem_log)
      .set({ created_at: unixNow() - UNDO_S - 60 })
      .where(and(eq(redeem_log.code_id, row.id), eq(redeem_log.result, 'ok')))
    expect(await rule(calls.undo, { ...(await held(row.id)), ...why })).toBe('too_late')
    expect((await rowOf(row.id)).state).toBe('redeemed')
  })
})

describe('a single code', () => {
  it('is voided while it is unused, and counted', async () => {
    const { row, code } = await scanned()
    await done(calls.voidCode, { ...(await held(row.id)), reason: '卡片遗失' })
    expect(await look(code)).toMatchObject({ result: 'voided', text: '已作废：卡片遗失' })
    expect(await rule(calls.voidCode, { ...(await held(row.id)), ...why })).toBe('not_unused')
    const [of] = await database.db.select().from(code_batch).where(eq(code_batch.id, row.batch_id))
    expect(of!.voided).toBe(1)
  })
  it('is extended, never shortened, also after it was over', async () => {
    const { row, code } = await scanned()
    const end = unixNow() - DAY
    await database.db
      .update(code_batch)
      .set({ start_at: end - DAY, end_at: end })
      .where(eq(code_batch.id, row.batch_id))
    expect((await look(code)).result).toBe('expired')
    const to = async (end_at: number) => ({ ...(await held(row.id)), end_at, ...why })
    const said = await call(calls.extend, await to(end))
    expect(Object.keys(said.data.fields)).toEqual(['end_at'])
    await done(calls.extend, await to(unixNow() + DAY))
    expect((await look(code)).result).toBe('ok')
  })
  it('is revealed one by one, with a reason, counted and logged, and not a second time by its key', async () => {
    const { row, code } = await scanned()
    const ask = () =>
      send(
        app,
        calls.reveal,
        { id: row.id, ...why },
        { token: clerk.token, key: `reveal-${row.id}` },
      )
    expect((await ask()).data).toMatchObject({ id: row.id, secret_code: code })
    expect((await ask()).data.secret_code).toBeNull()
    expect((await rowOf(row.id)).revealed).toBe(1)
    const [log] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'redeem_code'), eq(op_log.object_id, row.id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect(log).toMatchObject({ action: 'reveal', reason: why.reason })
  })
})
