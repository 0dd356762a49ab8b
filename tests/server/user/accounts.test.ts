import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { member_closing, user_sanction } from '#src/areas/member/care.table.ts'
import { endClosings } from '#src/areas/member/closing.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { CLOSING_DAYS } from '#src/areas/member/member.ts'
import { expireSanctions, refuseSanctioned } from '#src/areas/member/sanctions.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { adjustPoints } from '#src/areas/points/points.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { accountsPage as calls } from '#src/modules/user/contract/list.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { freshProduct } from '../../help/trade.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let boss: Awaited<ReturnType<typeof addStaff>>
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  boss = await addStaff(database, { perms: ['user.*'] })
})
const call = (what: What, input: object) => send(app, what, input, { token: boss.token })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object) => {
  const said = await call(what, input)
  return [said.status, said.data?.rule]
}
const read = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await read(id)).version })
const activeOf = (id: number) =>
  database.db
    .select()
    .from(user_sanction)
    .where(and(eq(user_sanction.member_id, id), eq(user_sanction.status, 'active')))
const reason = '多次发布广告'

describe('a sanction', () => {
  it('of a kind that is in force lasts longer and shuts more, and is one', async () => {
    const { id } = await freshMember(database)
    await done(calls.mute, { ...(await one(id)), days: 3, reason })
    await done(calls.mute, { ...(await one(id)), days: 9, reason })
    await done(calls.mute, { ...(await one(id)), days: 1, reason })
    const [muted, ...more] = await activeOf(id)
    expect(more).toEqual([])
    expect(muted!.end_at! - now).toBeGreaterThan(8 * DAY)
    expect((await read(id)).account_state).toBe('muted')
    await done(calls.ban, { ...(await one(id)), scope: ['post'], until: now + DAY, reason })
    await done(calls.ban, { ...(await one(id)), scope: ['order'], reason })
    const ban = (await activeOf(id)).find(row => row.kind === 'ban')!
    expect(ban).toMatchObject({ scope: ['post', 'order'], end_at: null })
    expect((await read(id)).account_state).toBe('banned')
  })
  it('is lifted for a reason, and the account is what the others leave of it', async () => {
    const { id } = await freshMember(database)
    await done(calls.mute, { ...(await one(id)), days: 3, reason })
    await done(calls.ban, { ...(await one(id)), scope: ['login'], reason })
    await done(calls.unban, { ...(await one(id)), reason: '申诉成立' })
    expect((await read(id)).account_state).toBe('muted')
    expect(await rule(calls.unban, { ...(await one(id)), reason })).toEqual([422, 'wrong_state'])
    await done(calls.unmute, { ...(await one(id)), reason: '申诉成立' })
    expect((await read(id)).account_state).toBe('normal')
    const { list } = await done(calls.view, { id })
    expect(list.map((row: { status: string }) => row.status)).toEqual(['lifted', 'lifted'])
  })
  it('ends by itself', async () => {
    const { id } = await freshMember(database)
    await done(calls.mute, { ...(await one(id)), days: 1, reason })
    await database.transaction(tx => expireSanctions(tx, now + 3 * DAY))
    expect((await read(id)).account_state).toBe('normal')
    expect(await activeOf(id)).toEqual([])
  })
  it('of an account with one’s own phone is refused', async () => {
    const mine = await freshMember(database)
    await database.db.update(admin).set({ phone: mine.phone }).where(eq(admin.id, boss.id))
    expect(await rule(calls.mute, { ...(await one(mine.id)), days: 1, reason })).toEqual([
      422,
      'own_account',
    ])
  })
  it('of the scope stops orders, and a ban of another scope does not', async () => {
    const { item } = await freshProduct(database.db)
    const { id: member_id } = await freshMember(database)
    const place = () =>
      database.transaction(tx =>
        placeOrder(tx, { proved: true, product_id: item.id, qty: 1, member_id, now: unixNow() }),
      )
    await done(calls.ban, { ...(await one(member_id)), scope: ['post'], reason })
    await place()
    await done(calls.ban, { ...(await one(member_id)), scope: ['order', 'payout'], reason })
    await expect(place()).rejects.toMatchObject({ data: { rule: 'sanctioned' } })
    await expect(
      refuseSanctioned(database.db, member_id, 'payout', unixNow()),
    ).rejects.toMatchObject({ data: { rule: 'sanctioned' } })
  })
})

describe('a phone', () => {
  it('is changed with a proof, and holds withdrawals back for a day', async () => {
    const { id } = await freshMember(database)
    const new_phone = `18${String(Date.now()).slice(-9)}`
    await done(calls.changePhone, { ...(await one(id)), new_phone, proof: '核对身份证' })
    expect((await read(id)).phone).toBe(new_phone)
    await expect(refuseSanctioned(database.db, id, 'payout', unixNow())).rejects.toThrow()
    await refuseSanctioned(database.db, id, 'payout', unixNow() + DAY + 60)
  })
  it('that another account has is refused, with the way out', async () => {
    const [a, b] = [await freshMember(database), await freshMember(database)]
    const said = await call(calls.changePhone, {
      ...(await one(a.id)),
      new_phone: b.phone,
      proof: '核对身份证',
    })
    expect([said.status, said.data?.rule]).toEqual([422, 'phone_taken'])
    expect(said.message).toContain(b.uid)
  })
})

describe('a closing', () => {
  it('is refused while an order is not used', async () => {
    const { item } = await freshProduct(database.db)
    const { id: member_id } = await freshMember(database)
    const made = await database.transaction(tx =>
      placeOrder(tx, { proved: true, product_id: item.id, qty: 1, member_id, now }),
    )
    await database.transaction(tx => payOrder(tx, made.id, now))
    expect(await rule(calls.cancelAccount, { ...(await one(member_id)), reason })).toEqual([
      422,
      'not_closable',
    ])
  })
  it('cools off, and then nothing of the person is left but the ledgers', async () => {
    const { id } = await freshMember(database, { unionid: 'oTest', birthday: '1990-01-02' })
    await database.transaction(tx =>
      adjustPoints(tx, {
        member_id: id,
        delta: 80,
        biz_no: 'TCQ',
        reason,
        operator_id: boss.id,
        now,
      }),
    )
    await done(calls.cancelAccount, { ...(await one(id)), reason: '本人申请' })
    expect((await read(id)).account_state).toBe('canceling')
    await database.transaction(tx => endClosings(tx, unixNow() + DAY))
    expect((await read(id)).account_state).toBe('canceling')
    await database.transaction(tx => endClosings(tx, unixNow() + (CLOSING_DAYS + 1) * DAY))
    expect(await read(id)).toMatchObject({
      account_state: 'canceled',
      nickname: '已注销用户',
      phone: '',
      unionid: null,
      birthday: null,
      points: 0,
    })
    const rows = await database.db
      .select()
      .from(points_ledger)
      .where(eq(points_ledger.member_id, id))
    expect(rows.reduce((sum, row) => sum + row.delta, 0)).toBe(0)
    expect(await rule(calls.mute, { ...(await one(id)), days: 1, reason })).toEqual([
      422,
      'wrong_state',
    ])
  })
  it('is turned down while it cools off, and not taken up twice', async () => {
    const { id } = await freshMember(database)
    await done(calls.cancelAccount, { ...(await one(id)), reason })
    expect(await rule(calls.cancelAccount, { ...(await one(id)), reason })).toEqual([
      422,
      'wrong_state',
    ])
    await done(calls.rejectCancel, { ...(await one(id)), reason: '本人撤回' })
    expect((await read(id)).account_state).toBe('normal')
    const [closing] = await database.db
      .select()
      .from(member_closing)
      .where(eq(member_closing.member_id, id))
    expect(closing!.state).toBe('rejected')
  })
})
