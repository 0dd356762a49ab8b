import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import {
  member_closing,
  member_tag,
  member_tag_of,
  user_sanction,
} from '#src/areas/member/care.table.ts'
import { endClosings } from '#src/areas/member/closing.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { CLOSING_DAYS } from '#src/areas/member/member.ts'
import { expireSanctions, refuseSanctioned } from '#src/areas/member/sanctions.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { dataParts, type PartKey } from '#src/areas/personalData/personalData.ts'
import { adjustPoints, earnPoints } from '#src/areas/points/points.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { wecom_customer } from '#src/areas/wecom/wecom.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { accountsPage as calls } from '#src/modules/user/contract/list.ts'
import type { Database } from '#src/server/db/database.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import type { App } from '#src/server/http/app.ts'
import { findStaff } from '#src/server/sessions/sessions.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { freshProduct } from '../../help/trade.ts'
import { freshCustomer } from '../../help/wecomRows.ts'

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
/** The lines of a copy of somebody's data, as the worker reads them. */
const copyOf = async (id: number, by = boss) => {
  const staff = (await findStaff(database.db, by.id, 'zh'))!.staff
  const rows: string[] = []
  for (let after: unknown; ;) {
    const file = exportNamed('user.list.exportData')!
    const piece = await file.rows({
      db: database.db,
      staff,
      filters: { id },
      now,
      after,
      limit: 2,
    })
    rows.push(...piece.rows.map(row => JSON.stringify(row)))
    if (piece.next === undefined) return rows
    after = piece.next
  }
}

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
  it('is closed though points of it are due to expire just then', async () => {
    const { id } = await freshMember(database)
    const end = now + (CLOSING_DAYS + 1) * DAY
    const points = { member_id: id, biz_kind: 'activity' as const, title: '活动', now }
    await database.transaction(tx =>
      earnPoints(tx, { ...points, points: 5, biz_no: 'TCX1', expire_at: end - 1 }),
    )
    await database.transaction(tx =>
      earnPoints(tx, { ...points, points: 7, biz_no: 'TCX2', expire_at: end + DAY }),
    )
    await done(calls.cancelAccount, { ...(await one(id)), reason: '本人申请' })
    await database.transaction(tx => endClosings(tx, end))
    expect(await read(id)).toMatchObject({ account_state: 'canceled', points: 0 })
    const rows = await database.db
      .select()
      .from(points_ledger)
      .where(eq(points_ledger.member_id, id))
    const taken = rows.filter(row => row.delta < 0).map(row => [row.kind, row.delta])
    expect(taken).toEqual([
      ['expire', -5],
      ['adjust', -7],
    ])
  })
  it('erases what no law keeps, and says of each part why it stays', async () => {
    const { id } = await freshMember(database, { nickname: '要走的人', phone: '13900001234' })
    const customer = await freshCustomer(database, { member_id: id, matched_by: 'hand' })
    const [tag] = await database.db.select({ id: member_tag.id }).from(member_tag).limit(1)
    await database.db.insert(member_tag_of).values({ member_id: id, tag_id: tag!.id, at: now })
    await database.transaction(tx =>
      adjustPoints(tx, {
        member_id: id,
        delta: 9,
        biz_no: 'TCE',
        reason,
        operator_id: boss.id,
        now,
      }),
    )
    const held = async () => {
      const { list } = await done(calls.dataHeld, { id })
      return Object.fromEntries(list.map((row: { part: string; n: number }) => [row.part, row.n]))
    }
    expect(await held()).toMatchObject({ tags: 1, wecom: 1, points: 1 })
    await done(calls.cancelAccount, { ...(await one(id)), reason: '本人申请' })
    await database.transaction(tx => endClosings(tx, unixNow() + (CLOSING_DAYS + 1) * DAY))
    const left = await held()
    for (const [part, n] of Object.entries(left))
      if (dataParts[part as PartKey].after === 'erased' && part !== 'profile')
        expect([part, n]).toEqual([part, 0])
    expect(left).toMatchObject({ points: 2 })
    const [friend] = await database.db
      .select()
      .from(wecom_customer)
      .where(eq(wecom_customer.id, customer.id))
    expect(friend).toMatchObject({ member_id: null, phone: '' })
    const lines = await copyOf(id)
    expect(lines.join()).not.toMatch(/要走的人|13900001234/)
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

describe('a copy of the data of a person', () => {
  it('has a line of each thing, with what closing does and by which law, and is logged', async () => {
    const { id } = await freshMember(database, { nickname: '想看副本', birthday: '1991-03-04' })
    const { rows_expected } = await done(calls.exportData, { id, reason: '本人来电申请' })
    const rows = await copyOf(id)
    expect(rows).toHaveLength(rows_expected)
    expect(rows.join()).toMatch(/想看副本/)
    expect(rows.join()).toMatch(/1991-03-04/)
    for (const row of rows) expect(row).toMatch(/法》|办法》/)
    const [log] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'member'), eq(op_log.object_id, id)))
    expect(log).toMatchObject({ reason: '本人来电申请', after: { data_copy: rows_expected } })
    expect((await call(calls.exportData, { id: 2_147_483_647, reason })).status).toBe(404)
  })
  it('knows in which part each reference to a member stands', async () => {
    const { rows } = await database.db.execute<{ place: string }>(sql`
      select distinct conrelid::regclass::text || '.' || a.attname as place from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'member'::regclass order by 1`)
    const places = Object.values(dataParts).flatMap(part => [...part.places] as string[])
    expect(new Set(places).size).toBe(places.length)
    expect(
      rows.map(row => row.place.replaceAll('"', '')).filter(place => !places.includes(place)),
    ).toEqual([])
  })
})
