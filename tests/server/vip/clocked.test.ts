import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { growth_ledger } from '#src/areas/level/level.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { adjustPoints } from '#src/areas/points/points.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { checkin_spot, sign_record } from '#src/areas/signIn/signIn.table.ts'
import { makeUpDay, signIn, voidSign } from '#src/areas/signIn/signing.server.ts'
import { DAY, dateOf, dayStart, HOUR, unixNow } from '#src/domain/time.ts'
import { memberApp } from '#src/modules/vip/contract/app.ts'
import {
  checkinSpots,
  clockedRules as rules,
  signRecords,
  type ClockedRow,
} from '#src/modules/vip/contract/scoreClocked.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { openMiniProgram } from '../../help/miniProgram.ts'

let database: Database
let app: App
let phone: Awaited<ReturnType<typeof openMiniProgram>>
let me: Awaited<ReturnType<typeof addStaff>>
let rule_id: number
const LADDER = [1, 2, 3, 5]
const device = 'dv-of-a-test-0000001'
const begun = { daily_cap: null, total_cap: null, start_at: null, end_at: null }
beforeAll(async () => {
  database = await openCopy()
  phone = await openMiniProgram(database)
  app = phone.app
  me = await addStaff(database, { perms: ['vip.score.clocked.*'] })
  await database.db
    .update(points_rule)
    .set({ status: 'off' })
    .where(eq(points_rule.kind, 'clocked'))
  const [row] = await database.db
    .insert(points_rule)
    .values({
      kind: 'clocked',
      name: '测试签到',
      config: { ladder: LADDER, month_bonus: 50 },
      status: 'on',
    })
    .returning()
  rule_id = row!.id
}, 120_000)
beforeEach(async () => {
  await database.db
    .update(points_rule)
    .set({
      status: 'on',
      daily_cap: null,
      total_cap: null,
      config: { ladder: LADDER, month_bonus: 50 },
    })
    .where(eq(points_rule.id, rule_id))
})
const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
const today = () => dayStart(unixNow())
const sign = (member_id: number, at = unixNow()) =>
  database.transaction(tx => signIn(tx, { member_id, device, now: at }))
const signDays = async (member_id: number, days: readonly number[]) => {
  for (const ago of days) await sign(member_id, today() - ago * DAY + 9 * HOUR)
}
const pointsOf = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!
const rowsOf = (id: number) =>
  database.db
    .select()
    .from(sign_record)
    .where(eq(sign_record.member_id, id))
    .orderBy(sign_record.day)
const ruleNow = async () =>
  ((await call(rules.lst, {})).data as { list: ClockedRow[] }).list.find(row => row.id === rule_id)!

describe('signing in', () => {
  it('counts once a member and Shanghai day, also for two phones at once', async () => {
    const { id } = await freshMember(database)
    const said = await Promise.all([sign(id), sign(id), sign(id)])
    expect(said.map(one => one.state).sort()).toEqual(['already', 'already', 'done'])
    expect((await pointsOf(id)).points).toBe(1)
    expect(await rowsOf(id)).toHaveLength(1)
    // 23:59 and 00:00 in Shanghai are two days.
    const { id: other } = await freshMember(database)
    const late = today() - 60
    expect((await sign(other, late)).streak).toBe(1)
    expect((await sign(other, late + 60)).streak).toBe(2)
  })
  it('climbs the ladder, stays at its last step, and begins anew after a gap', async () => {
    const { id } = await freshMember(database)
    await signDays(id, [9, 8, 7, 6, 5, 4, 2, 1])
    expect((await rowsOf(id)).map(row => [row.streak, row.points])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 5],
      [5, 5],
      [6, 5],
      [1, 1],
      [2, 2],
    ])
  })
  it('lets a running streak keep its ladder', async () => {
    const { id } = await freshMember(database)
    const { id: other } = await freshMember(database)
    await signDays(id, [2, 1])
    const was = await ruleNow()
    const said = await call(rules.save, {
      id: was.id,
      version: was.version,
      ladder: [10, 20, 30].map((points, at) => ({ day: at + 1, points })),
      month_bonus: 50,
      ...begun,
    })
    expect(said.status).toBe(200)
    expect([(await sign(id)).points, (await sign(other)).points]).toEqual([3, 10])
  })
  it('keeps to the caps of a day and of a member', async () => {
    const { id } = await freshMember(database)
    await database.db.update(points_rule).set({ total_cap: 4 }).where(eq(points_rule.id, rule_id))
    await signDays(id, [2, 1, 0])
    expect((await rowsOf(id)).map(row => row.points)).toEqual([1, 2, 1])
    const { id: other } = await freshMember(database)
    await database.db
      .update(points_rule)
      .set({ total_cap: null, daily_cap: 2 })
      .where(eq(points_rule.id, rule_id))
    await signDays(other, [3, 2, 1])
    expect((await rowsOf(other)).map(row => row.points)).toEqual([1, 2, 2])
  })
  it('earns growth by the rules of levels, and nothing for whom benefits are frozen', async () => {
    const { id } = await freshMember(database)
    await sign(id)
    const grown = await database.db
      .select()
      .from(growth_ledger)
      .where(and(eq(growth_ledger.member_id, id), eq(growth_ledger.kind, 'sign')))
    expect(grown).toHaveLength(1)
    const { id: frozen } = await freshMember(database, { benefits_frozen: true })
    expect(await sign(frozen)).toMatchObject({ state: 'done', points: 0 })
  })
  it('pays a full month once', async () => {
    const { id } = await freshMember(database)
    const january = Date.UTC(2025, 0, 1) / 1000 - 8 * HOUR
    for (let at = 0; at < 31; at++) await sign(id, january + at * DAY + HOUR)
    const rows = await rowsOf(id)
    expect(rows.map(row => row.month_bonus)).toEqual([...Array(30).fill(0), 50])
    const gone = await database.transaction(tx =>
      voidSign(tx, {
        id: rows[3]!.id,
        reason: '作弊',
        operator_id: me.id,
        now: january + 31 * DAY,
      }),
    )
    expect(gone).toBe(5 + 50)
  })
  it('is off where no rule is on, and what was booked stays', async () => {
    const { id } = await freshMember(database)
    await signDays(id, [1])
    const was = await ruleNow()
    await call(rules.disable, { id: was.id, version: was.version, reason: '控制成本' })
    expect(await sign(id)).toMatchObject({ state: 'off', points: 0 })
    expect((await pointsOf(id)).points).toBe(1)
  })
})

describe('a ladder', () => {
  const save = async (ladder: object[], more: object = {}) => {
    const { id, version } = await ruleNow()
    return call(rules.save, { id, version, ladder, month_bonus: 0, ...begun, ...more })
  }
  it('runs from day 1 without gaps and never falls', async () => {
    for (const ladder of [
      [],
      [{ day: 2, points: 1 }],
      [
        { day: 1, points: 1 },
        { day: 3, points: 2 },
      ],
      [
        { day: 1, points: 5 },
        { day: 2, points: 4 },
      ],
    ])
      expect((await save(ladder)).data.fields.ladder).toBeTruthy()
  })
  it('is refused by a stale version, and an end before its start', async () => {
    const one = [{ day: 1, points: 1 }]
    expect((await save(one, { version: 999 })).status).toBe(409)
    const said = await save(one, { start_at: 2000, end_at: 1000 })
    expect(said.data.fields.end_at).toBeTruthy()
  })
})

describe('making up for a day', () => {
  const makeUp = (member_id: number, ago: number) =>
    call(signRecords.makeUp, { member_id, date: dateOf(today() - ago * DAY), reason: '系统故障' })
  it('closes a gap once, and numbers the days after it anew', async () => {
    const { id } = await freshMember(database)
    await signDays(id, [3, 1])
    expect((await makeUp(id, 2)).data).toMatchObject({ streak: 2, points: 2 })
    expect((await rowsOf(id)).map(row => row.streak)).toEqual([1, 2, 3])
    expect((await makeUp(id, 2)).data.rule).toBe('signed')
    const [, made] = await rowsOf(id)
    await call(signRecords.voidRecord, { id: made!.id, reason: '补错了人' })
    expect((await makeUp(id, 2)).data.rule).toBe('made_up')
  })
  it('is for past days within thirty alone', async () => {
    const { id } = await freshMember(database)
    for (const ago of [0, -1, 31]) expect((await makeUp(id, ago)).data.rule).toBe('makeup_day')
    expect((await makeUp(id, 30)).status).toBe(200)
  })
  it('happens once for two people at once', async () => {
    const { id } = await freshMember(database)
    const said = await Promise.all([makeUp(id, 5), makeUp(id, 5)])
    expect(said.map(one => one.status).sort()).toEqual([200, 422])
    const day = today() - 4 * DAY
    await expect(
      database.transaction(tx =>
        makeUpDay(tx, { member_id: 0, day, reason: 'x', operator_id: me.id, now: unixNow() }),
      ),
    ).rejects.toThrow()
  })
})

describe('voiding', () => {
  it('takes back what is there, books debt for what was spent, once', async () => {
    const { id } = await freshMember(database)
    await signDays(id, [2, 1, 0])
    await database.transaction(tx =>
      adjustPoints(tx, {
        member_id: id,
        delta: -5,
        biz_no: `TEST${id}`,
        reason: '用掉了',
        operator_id: me.id,
        now: unixNow(),
      }),
    )
    const rows = await rowsOf(id)
    const said = await Promise.all(
      [0, 1].map(() => call(signRecords.voidRecord, { id: rows[2]!.id, reason: '批量作弊' })),
    )
    expect(said.map(one => one.status).sort()).toEqual([200, 422])
    expect(said.find(one => one.status === 200)!.data.taken).toBe(3)
    expect(await pointsOf(id)).toMatchObject({ points: 0, points_debt: 2 })
    await call(signRecords.voidRecord, { id: rows[0]!.id, reason: '批量作弊' })
    expect((await rowsOf(id)).map(row => row.streak)).toEqual([1, 1, 3])
    const grown = await database.db
      .select()
      .from(growth_ledger)
      .where(and(eq(growth_ledger.member_id, id), eq(growth_ledger.kind, 'sign')))
    expect(grown.filter(row => row.reversed_by !== null)).toHaveLength(2)
  })
})

describe('checking in at a mall', () => {
  const pin = { lng_e6: 121_470_000, lat_e6: 31_230_000 }
  const always = [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59' }]
  const near = { ...pin, lat_e6: pin.lat_e6 + 1000 }
  let mid: number
  beforeAll(async () => {
    await database.db.update(checkin_spot).set({ status: 'off' })
    const [one] = await database.db
      .update(mall)
      .set({ ...pin, open_hours: always, status: 'online' })
      .where(eq(mall.id, 1))
      .returning()
    mid = one!.id
  })
  const add = (more: object = {}) =>
    call(checkinSpots.addSpot, {
      mid,
      radius_m: 200,
      points: 7,
      open_from: null,
      open_to: null,
      ...more,
    })
  const visit = async (id: number, at: object = near) =>
    (await send(app, memberApp.checkIn, { ticket: await phone.enter(id), device, ...at })).data
  it('takes a radius of 50 to 2000 metres, once a mall that has a pin', async () => {
    for (const radius_m of [49, 2001]) expect((await add({ radius_m })).status).toBe(400)
    expect((await add({ open_from: '10:00' })).data.fields.open_from).toBeTruthy()
    expect((await add()).status).toBe(200)
    expect((await add()).data.rule).toBe('spot_there')
    await database.db.update(mall).set({ lng_e6: null }).where(eq(mall.id, 2))
    expect((await add({ mid: 2 })).data.rule).toBe('no_pin')
  })
  it('earns within the radius and the hours, once a day', async () => {
    const { id } = await freshMember(database)
    expect(await visit(id)).toMatchObject({ state: 'done', points: 7, distance_m: 111 })
    expect(await visit(id)).toMatchObject({ state: 'already', points: 0 })
    expect((await pointsOf(id)).points).toBe(7)
    const { id: far } = await freshMember(database)
    expect(await visit(far, { ...pin, lat_e6: pin.lat_e6 + 2000 })).toMatchObject({ state: 'far' })
    expect(await visit(far, { lng_e6: 0, lat_e6: 0 })).toMatchObject({ distance_m: null })
    await database.db
      .update(mall)
      .set({ open_hours: [{ weekdays: [], from: '01:00', to: '02:00' }] })
      .where(eq(mall.id, mid))
    expect(await visit(far)).toMatchObject({ state: 'closed' })
    await database.db.update(mall).set({ open_hours: always }).where(eq(mall.id, mid))
    expect((await pointsOf(far)).points).toBe(0)
    expect(await rowsOf(far)).toEqual([])
  })
  it('stops once the spot is removed; its records stay', async () => {
    const { id } = await freshMember(database)
    const [spot] = await database.db
      .select()
      .from(checkin_spot)
      .where(and(eq(checkin_spot.mall_id, mid), eq(checkin_spot.status, 'on')))
    const one = { id: spot!.id, version: spot!.version }
    expect((await call(checkinSpots.removeSpot, one)).status).toBe(200)
    expect(await visit(id)).toMatchObject({ state: 'far', points: 0 })
    expect((await call(signRecords.lst, { spot_id: spot!.id })).data.total).toBe(1)
  })
})

describe('a phone', () => {
  it('acts for its own member alone, for a day', async () => {
    const { id } = await freshMember(database)
    const ticket = await phone.enter(id)
    const ask = (of: string) => send(app, memberApp.signIn, { ticket: of, device })
    const [who, until, mac] = ticket.split('.')
    for (const wrong of ['x', `${(id + 1).toString(36)}.${until}.${mac}`, `${who}.zzzzzz.${mac}`])
      expect((await ask(wrong)).data.state).toBe('none')
    expect((await ask(ticket)).data).toMatchObject({ state: 'done', streak: 1, points: 1 })
    expect((await send(app, memberApp.enter, { code: 'expired' })).data.state).toBe('none')
    await database.db.update(member).set({ account_state: 'banned' }).where(eq(member.id, id))
    expect((await ask(ticket)).data.state).toBe('none')
  })
})

it('tells of today, of devices that many share, and of who did it', async () => {
  const shared = 'dv-shared-by-three-01'
  for (let n = 0; n < 3; n++) {
    const { id } = await freshMember(database)
    await database.transaction(tx => signIn(tx, { member_id: id, device: shared, now: unixNow() }))
  }
  const said = (await call(rules.today, {})).data
  expect(said.devices).toContainEqual(expect.objectContaining({ device: shared, members: 3 }))
  expect(said.days.at(-1).signed).toBeGreaterThanOrEqual(3)
  const odd = (await call(signRecords.lst, { odd: 'device', device: shared })).data
  expect(odd.list.map((row: { odd: string[] }) => row.odd)).toEqual(Array(3).fill(['device']))
  const [ledger] = await database.db
    .select()
    .from(points_ledger)
    .where(eq(points_ledger.biz_no, `SIGN${odd.list[0].id}`))
  expect(ledger).toMatchObject({ rule_id, biz_kind: 'clocked', delta: 1 })
})
