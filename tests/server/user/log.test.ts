import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { saveProfile } from '#src/areas/profile/profiles.server.ts'
import { noteUser, type Noting } from '#src/areas/userLog/noting.server.ts'
import { user_log } from '#src/areas/userLog/userLog.table.ts'
import { ERASED, riskOf } from '#src/areas/userLog/userLog.ts'
import { DAY, dayStart, HOUR, unixNow } from '#src/domain/time.ts'
import { accountsPage } from '#src/modules/user/contract/list.ts'
import { userLog as calls, type UserLogRow } from '#src/modules/user/contract/log.ts'
import { userLogServer } from '#src/modules/user/server/log.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { fill } from '../../help/fill.ts'
import { freshMember } from '../../help/members.ts'
import { freshProduct } from '../../help/trade.ts'

type What = Parameters<typeof send>[1]
type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let boss: Person
const now = unixNow()
const seesAll = { 'user_log.client_ip': 'show', 'user_log.client_device': 'show' } as const
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  boss = await addStaff(database, { perms: ['user.*'], role: { field_rules: seesAll } })
}, 120_000)
const call = (what: What, input: object, by = boss) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = boss) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = boss) => {
  const said = await call(what, input, by)
  return [said.status, said.data?.rule]
}
let n = 0
const note = (of: Partial<Noting> & { member_id: number }) =>
  database.transaction(tx =>
    noteUser(tx, { kind: 'login', request_id: `test:${++n}`, at: now, ...of }),
  )
const rowsOf = (member_id: number) =>
  database.db.select().from(user_log).where(eq(user_log.member_id, member_id)).orderBy(user_log.id)
const kindsOf = async (member_id: number) => (await rowsOf(member_id)).map(row => row.kind)
const lastOf = async (member_id: number) => (await rowsOf(member_id)).at(-1)!
const listed = async (filters: object, by = boss): Promise<UserLogRow[]> =>
  (await done(calls.lst, { pageSize: 100, ...filters }, by)).list
const logsOf = (object_id: number, action: string) =>
  database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.object_id, object_id), eq(op_log.action, action)))

describe('the log', () => {
  it('keeps one request once, and nothing of a visitor', async () => {
    const { id } = await freshMember(database)
    await note({ member_id: id, request_id: 'test:once' })
    await note({ member_id: id, request_id: 'test:once', kind: 'logout' })
    await database.transaction(tx =>
      noteUser(tx, { kind: 'order', member_id: null, request_id: 'test:visitor', at: now }),
    )
    expect(await kindsOf(id)).toEqual(['login'])
    const visitor = eq(user_log.request_id, 'test:visitor')
    expect(await database.db.$count(user_log, visitor)).toBe(0)
  })
  it('of a request that is told twice at a time keeps one', async () => {
    const { id } = await freshMember(database)
    await Promise.all([1, 2, 3].map(() => note({ member_id: id, request_id: 'test:race' })))
    expect(await kindsOf(id)).toEqual(['login'])
  })
  it('is only ever added to', async () => {
    const { id } = await freshMember(database)
    await note({ member_id: id })
    const mine = eq(user_log.member_id, id)
    const because = { cause: { message: 'user_log is append-only' } }
    const change = database.db.update(user_log).set({ risk: 0 }).where(mine)
    await expect(change).rejects.toMatchObject(because)
    await expect(database.db.delete(user_log).where(mine)).rejects.toMatchObject(because)
    await expect(database.db.execute(sql`truncate user_log`)).rejects.toMatchObject(because)
  })
  it('tells of orders and payments with the device they came by', async () => {
    const { id } = await freshMember(database)
    const { item } = await freshProduct(database.db)
    const device = 'device-of-log-0001'
    const made = await database.transaction(tx =>
      placeOrder(tx, { proved: true, product_id: item.id, qty: 1, member_id: id, device, now }),
    )
    await database.transaction(tx => payOrder(tx, made.id, now))
    const rows = await rowsOf(id)
    expect(rows.map(row => [row.kind, row.request_id, row.device_id])).toEqual([
      ['order', `order:${made.order_no}`, device],
      ['pay', `pay:${made.order_no}`, device],
    ])
    expect(rows[1]!.detail).toMatchObject({ no: made.order_no, cents: made.pay_cents })
  })
  it('tells which fields of a profile differ, and nothing of a save that changes none', async () => {
    const { id } = await freshMember(database)
    const save = () =>
      database.transaction(tx =>
        saveProfile(tx, {
          member_id: id,
          sent: { gender: 'female' },
          from: { ip: '10.1.2.3', region: '上海', client: '小程序' },
          now,
        }),
      )
    await save()
    await save()
    expect((await rowsOf(id)).map(row => [row.kind, row.ip, row.detail.fields])).toEqual([
      ['profile', '10.1.2.3', ['gender']],
    ])
  })
  it('tells what staff do with an account, and never the phone', async () => {
    const { id } = await freshMember(database)
    const one = async () => ({
      id,
      version: (await database.db.select().from(member).where(eq(member.id, id)))[0]!.version,
    })
    await done(accountsPage.mute, { ...(await one()), days: 3, reason: '刷屏' })
    await done(accountsPage.mute, { ...(await one()), days: 9, reason: '刷屏' })
    await done(accountsPage.unmute, { ...(await one()), reason: '申诉成立' })
    await done(accountsPage.changePhone, {
      ...(await one()),
      new_phone: '13911112222',
      proof: '核对证件',
    })
    const rows = await rowsOf(id)
    expect(rows.map(row => [row.kind, row.detail.sanction, row.detail.step])).toEqual([
      ['sanction', 'mute', 'begin'],
      ['sanction', 'mute', 'begin'],
      ['sanction', 'mute', 'lift'],
      ['sanction', 'no_payout', 'begin'],
      ['change_phone', undefined, undefined],
    ])
    expect(JSON.stringify(rows)).not.toContain('13911112222')
  })
})

describe('the risk of a deed', () => {
  const base = {
    kind: 'login',
    at: dayStart(now) + 12 * HOUR,
    others: 0,
    newDevice: false,
    phoneChanged: false,
  } as const
  it('comes from the device, the hour and a phone that was changed before', () => {
    expect(riskOf(base)).toEqual({ risk: 0, why: [] })
    expect(riskOf({ ...base, others: 2 }).why).toEqual(['shared'])
    expect(riskOf({ ...base, others: 7 })).toEqual({ risk: 60, why: ['shared_many'] })
    const night = dayStart(now) + 2 * HOUR
    expect(riskOf({ ...base, at: night }).risk).toBe(0)
    expect(riskOf({ ...base, kind: 'withdraw', at: night, phoneChanged: true })).toEqual({
      risk: 80,
      why: ['moved_out', 'night'],
    })
    const all = { ...base, kind: 'withdraw', at: night, others: 9, newDevice: true } as const
    expect(riskOf({ ...all, phoneChanged: true }).risk).toBe(100)
  })
  it('is scored as it is noted, with its reasons', async () => {
    const first = await freshMember(database)
    const second = await freshMember(database)
    const third = await freshMember(database)
    const from = { device_id: 'device-of-three-01' }
    for (const { id } of [first, second, third]) await note({ member_id: id, from })
    expect(await lastOf(second.id)).toMatchObject({ risk: 0 })
    expect(await lastOf(third.id)).toMatchObject({ risk: 30, detail: { why: ['shared'] } })
    await note({ member_id: first.id, from: { device_id: 'device-of-three-02' } })
    expect((await lastOf(first.id)).detail.why).toEqual(['new_device'])
    const noon = dayStart(now) + 12 * HOUR
    await note({ member_id: second.id, kind: 'change_phone', at: noon })
    await note({ member_id: second.id, kind: 'withdraw', at: noon + HOUR })
    expect((await lastOf(second.id)).detail.why).toEqual(['moved_out'])
  })
})

describe('the list', () => {
  it('is found by member, kind, risk and time', async () => {
    const { id, uid, phone } = await freshMember(database)
    await note({ member_id: id, at: now - 20 * DAY })
    await note({ member_id: id, kind: 'login_fail', at: now - DAY })
    const kinds = async (filters: object) =>
      (await listed({ member_id: id, ...filters })).map(row => row.kind)
    expect(await kinds({})).toEqual(['login_fail', 'login'])
    expect(await kinds({ kind: 'login' })).toEqual(['login'])
    expect(await kinds({ risk: 'some' })).toEqual(['login_fail'])
    expect(await kinds({ risk: 'high' })).toEqual([])
    expect(await kinds({ from: now - 2 * DAY })).toEqual(['login_fail'])
    for (const keyword of [uid, phone, String(id)])
      expect((await listed({ keyword })).map(row => row.member_id)).toEqual([id, id])
  })
  it('answers 31 days at most, of the last 180', async () => {
    const old = { from: now - 300 * DAY, to: now - 280 * DAY }
    expect(await rule(calls.lst, { from: now - 32 * DAY, to: now })).toEqual([
      422,
      'period_too_long',
    ])
    expect(await rule(calls.lst, old)).toEqual([422, 'not_online'])
    expect(await rule(calls.export, { from: now - 32 * DAY, to: now })).toEqual([
      422,
      'period_too_long',
    ])
    const { id } = await freshMember(database)
    await note({ member_id: id, at: now - 290 * DAY })
    expect(await done(calls.export, { member_id: id, ...old, format: 'csv' })).toMatchObject({
      rows_expected: 1,
    })
  })
  it('hides IP and device from whoever is not of risk', async () => {
    const { id } = await freshMember(database)
    const from = { ip: '10.9.9.9', device_id: 'device-hidden-0001' }
    await note({ member_id: id, from })
    const [seen] = await listed({ member_id: id })
    expect(seen).toMatchObject({ client_ip: '10.9.9.9', client_device: 'device-hidden-0001' })
    const plain = await addStaff(database, { perms: ['user.log.view', 'user.log.timeline'] })
    const [row] = await listed({ member_id: id }, plain)
    expect(row).toMatchObject({ has_ip: true, has_device: true })
    const told = await done(calls.timeline, { id: row!.id }, plain)
    expect(JSON.stringify([row, told])).not.toMatch(/10\.9\.9\.9|device-hidden/)
    expect((await call(calls.byDevice, { id: row!.id }, plain)).status).toBe(403)
    expect((await call(calls.byIp, { id: row!.id }, plain)).status).toBe(403)
  })
  it('shows an erased account by its id alone', async () => {
    const { id } = await freshMember(database)
    await note({ member_id: id, from: { ip: '10.8.8.8' } })
    await database.db
      .update(member)
      .set({ account_state: 'canceled', nickname: ERASED[0] })
      .where(eq(member.id, id))
    const [row] = await listed({ member_id: id })
    expect(row).toMatchObject({ member_id: id, nickname: '', uid: '', account_state: 'canceled' })
    expect(await done(calls.byIp, { id: row!.id })).toMatchObject({
      list: [{ member_id: id, nickname: '', uid: '' }],
    })
    const kept = { member_version: row!.member_version, kind: 'watch', reason: '可疑' }
    expect(await rule(calls.sanction, { id: row!.id, ...kept })).toEqual([422, 'wrong_state'])
  })
  it('is of the reader’s cities alone', async () => {
    const { id } = await freshMember(database, { city_id: 2 })
    await note({ member_id: id, from: { ip: '10.7.7.7' } })
    const row = await lastOf(id)
    const role = { scope_type: 'city' as const, scope_ids: [1] }
    const near = await addStaff(database, { perms: ['user.*'], role })
    expect(await listed({ member_id: id }, near)).toEqual([])
    for (const what of [calls.timeline, calls.byIp])
      expect((await call(what, { id: row.id }, near)).status).toBe(404)
  })
})

describe('a look at one person’s log', () => {
  it('is logged: the list of one once a day, each timeline and each reverse look-up', async () => {
    const { id } = await freshMember(database)
    await note({ member_id: id, from: { ip: '10.6.6.6', device_id: 'device-looked-0001' } })
    const row = await lastOf(id)
    await listed({ kind: 'login' })
    expect(await logsOf(id, 'look')).toHaveLength(0)
    await listed({ member_id: id })
    await listed({ keyword: String(id) })
    expect(await logsOf(id, 'look')).toHaveLength(1)
    await done(calls.timeline, { id: row.id })
    await done(calls.timeline, { id: row.id })
    expect(await logsOf(id, 'user.log.timeline')).toHaveLength(2)
    await done(calls.byDevice, { id: row.id })
    const [look] = await logsOf(row.id, 'user.log.byDevice')
    expect(look).toMatchObject({
      object_type: 'user_log',
      after: { looked: 'device', accounts: 1 },
    })
  })
  it('tells what the member did, the last first, by which devices', async () => {
    const { id } = await freshMember(database)
    const from = { device_id: 'device-in-time-001' }
    await note({ member_id: id, at: now - 200 * DAY })
    await note({ member_id: id, at: now - 100 * DAY, from })
    await note({ member_id: id, kind: 'profile', detail: { fields: ['avatar'] }, from })
    const told = await done(calls.timeline, { id: (await lastOf(id)).id })
    expect(told).toMatchObject({ member_id: id, cut: false })
    expect(told.list.map((one: { kind: string }) => one.kind)).toEqual(['profile', 'login'])
    expect(told.devices).toMatchObject([{ client_device: 'device-in-time-001', deeds: 2 }])
  })
})

describe('accounts by a device and an IP', () => {
  it('are told with how often and since when; a line without one has none', async () => {
    const one = await freshMember(database)
    const other = await freshMember(database)
    const from = { ip: '10.5.5.5', device_id: 'device-of-two-0001' }
    await note({ member_id: one.id, from, at: now - 5 })
    await note({ member_id: other.id, from })
    await note({ member_id: other.id, from })
    const row = await lastOf(one.id)
    for (const what of [calls.byDevice, calls.byIp]) {
      const told = await done(what, { id: row.id })
      expect(told.cut).toBe(false)
      expect(
        told.list.map((each: { member_id: number; deeds: number }) => [each.member_id, each.deeds]),
      ).toEqual([
        [other.id, 2],
        [one.id, 1],
      ])
    }
    await note({ member_id: one.id })
    const bare = await lastOf(one.id)
    expect(await rule(calls.byDevice, { id: bare.id })).toEqual([422, 'nothing_known'])
  })
  it('are 200 at most, and it says when there are more', async () => {
    await database.db.execute(sql`
      insert into user_log (request_id, member_id, kind, device_id, at)
      select 'test:many' || m.id, m.id, 'login', 'device-of-many-001', ${now} from (select id
      from member order by id limit 200) m`)
    const [row] = await database.db
      .select()
      .from(user_log)
      .where(eq(user_log.device_id, 'device-of-many-001'))
      .limit(1)
    const all = await done(calls.byDevice, { id: row!.id })
    expect([all.list.length, all.cut]).toEqual([200, false])
    const { id } = await freshMember(database)
    await note({ member_id: id, from: { device_id: 'device-of-many-001' } })
    const told = await done(calls.byDevice, { id: row!.id })
    expect([told.list.length, told.cut]).toEqual([200, true])
  })
})

describe('a sanction from a line', () => {
  it('is that of the list of accounts, and stands in the log itself', async () => {
    const { id } = await freshMember(database)
    await note({ member_id: id })
    const [row] = await listed({ member_id: id })
    const input = { id: row!.id, member_version: row!.member_version, reason: '盗号登录' }
    expect(await rule(calls.sanction, { ...input, kind: 'mute' })).toEqual([422, 'no_days'])
    expect(await done(calls.sanction, { ...input, kind: 'ban', days: 3 })).toMatchObject({
      member_id: id,
      account_state: 'banned',
    })
    expect((await call(calls.sanction, { ...input, kind: 'watch' })).status).toBe(409)
    expect(await kindsOf(id)).toEqual(['login', 'sanction'])
    const viewer = await addStaff(database, { perms: ['user.log.view', 'user.list.*'] })
    expect((await call(calls.sanction, { ...input, kind: 'watch' }, viewer)).status).toBe(403)
  })
})

it('of a large log every filter and both look-ups are served by an index', async () => {
  await fill(
    database.pool,
    `
    insert into user_log (request_id, member_id, kind, ip, device_id, risk, at)
    select 'plan:' || g, 1 + g % 150, 'login', '10.0.' || g % 250 || '.' || g / 250 % 250,
      'plan-' || g % 9000, case when g % 500 = 0 then 70 when g % 90 = 0 then 40 else 0 end,
      ${now} - g * 40 from generate_series(1, 60000) g`,
  )
  await database.db.execute(sql`analyze user_log`)
  const context = (db: unknown) =>
    ({
      db,
      tx: db,
      staff: { id: boss.id, name: '', scope: everything, lang: 'zh' },
      caller: { ip: '' },
      request_id: '',
      log: () => undefined,
      now,
    }) as never
  const filters = [
    {},
    { member_id: 3 },
    { kind: 'withdraw' as const },
    { risk: 'high' as const },
    { risk: 'some' as const },
    { keyword: '3' },
    { from: now - 60 },
  ]
  const scanned: object[] = []
  for (const filter of filters) {
    const plans = await plansOf(database.pool, db =>
      userLogServer.handlers.lst({ page: 1, pageSize: 50, ...filter }, context(db)),
    )
    const read = seqScans(plans, 'user_log').filter(text => !text.includes('counted'))
    if (read.length > 0) scanned.push(filter)
  }
  const [row] = await database.db
    .select()
    .from(user_log)
    .where(eq(user_log.device_id, 'plan-7'))
    .limit(1)
  for (const look of ['timeline', 'byDevice', 'byIp'] as const) {
    const plans = await plansOf(database.pool, db =>
      userLogServer.handlers[look]({ id: row!.id }, context(db)),
    )
    if (seqScans(plans, 'user_log').length > 0) scanned.push({ look })
  }
  expect(scanned).toEqual([])
})
