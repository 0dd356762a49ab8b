import { eq, ne } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { measure } from '#src/areas/notice/warning.server.ts'
import { pointsDays } from '#src/areas/points/figures.server.ts'
import { expirePoints, earnPoints } from '#src/areas/points/points.server.ts'
import { points_lot } from '#src/areas/points/points.table.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { rateAtFirst } from '#src/areas/pointsRule/rule.ts'
import { signIn } from '#src/areas/signIn/signing.server.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { score as calls, type TaskRow } from '#src/modules/vip/contract/score.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, {
    perms: ['view', 'enableRule', 'disableRule', 'sortRules', 'recalc', 'export'].map(
      verb => `vip.score.${verb}`,
    ),
  })
}, 120_000)
const call = (what: Parameters<typeof send>[1], input: object = {}) =>
  send(app, what, input, { token: me.token })
const tasks = async () => (await call(calls.lst)).data as { list: TaskRow[]; list_version: number }
const earn = (member_id: number, points: number, more: object = {}) =>
  database.transaction(tx =>
    earnPoints(tx, {
      member_id,
      points,
      biz_kind: 'activity',
      biz_no: `TEST${member_id}-${points}`,
      title: '测试',
      now: unixNow(),
      ...more,
    }),
  )

describe('the figures', () => {
  it('count what members have, and what it is worth at the rate in force', async () => {
    const before = (await call(calls.overview)).data
    const { id } = await freshMember(database)
    await earn(id, 5000)
    const after = (await call(calls.overview)).data
    expect(after.outstanding - before.outstanding).toBe(5000)
    expect(after.days.at(-1).issued - before.days.at(-1).issued).toBe(5000)
    // 100 points make up for a yuan.
    expect(after.value_cents).toBe(after.outstanding)
    const sum = after.cities.reduce(
      (n: number, one: { outstanding: number }) => n + one.outstanding,
      0,
    )
    expect(sum).toBe(after.outstanding)
    expect(after.earners[0].points).toBeGreaterThanOrEqual(after.earners.at(-1).points)
  })
  it('tell each day’s issue at the rate of that day', async () => {
    const { id } = await freshMember(database)
    const day = dayStart(unixNow()) - 3000 * DAY
    await database.db.insert(points_rule).values([
      {
        kind: 'rate',
        name: 'a',
        config: { ...rateAtFirst, offset_points: 50 },
        status: 'on',
        effective_at: day - DAY,
      },
      {
        kind: 'rate',
        name: 'b',
        config: { ...rateAtFirst, offset_points: 200 },
        status: 'on',
        effective_at: day + DAY,
      },
    ])
    await earn(id, 1000, { now: day + 60 })
    await earn(id, 2000, { now: day + DAY + 60 })
    const days = await pointsDays(database.db, eq(member.id, id), { from: day, to: day + 2 * DAY })
    expect(days.map(one => [one.issued, one.issued_cents])).toEqual([
      [1000, 2000],
      [2000, 1000],
    ])
  })
  it('foretell what ends within 90 days, and nothing later', async () => {
    const total = async () =>
      (await call(calls.overview)).data.forecast.reduce(
        (n: number, one: { points: number }) => n + one.points,
        0,
      )
    const before = await total()
    const { id } = await freshMember(database)
    await earn(id, 300, { expire_at: unixNow() + 60 * DAY })
    await earn(id, 400, { expire_at: unixNow() + 120 * DAY })
    expect((await total()) - before).toBe(300)
    await database.transaction(tx => expirePoints(tx, unixNow()))
  })
})
describe('the check of balances', () => {
  it('finds none where all is well, and names who differs with a warning', async () => {
    expect((await call(calls.recalc)).data.wrong_n).toBe(0)
    const { id } = await freshMember(database)
    await earn(id, 70)
    await database.db.update(member).set({ points: 71 }).where(eq(member.id, id))
    expect((await call(calls.recalc)).data.wrong_n).toBe(1)
    const { check } = (await call(calls.check)).data
    expect(check.wrong).toMatchObject([{ member_id: id, balance: 71, ledger: 70, lots: 70 }])
    expect(check.balance_points - check.ledger_points).toBe(1)
    expect(
      await measure(
        database.db,
        { metric: 'points_wrong', scope: {}, window_s: 3600 },
        unixNow() + 1,
      ),
    ).toMatchObject({
      value: 1,
    })
    await database.db.update(member).set({ points: 70 }).where(eq(member.id, id))
    await database.db.update(points_lot).set({ remain: 69 }).where(eq(points_lot.member_id, id))
    expect((await call(calls.recalc)).data.wrong_n).toBe(1)
    await database.db.update(points_lot).set({ remain: 70 }).where(eq(points_lot.member_id, id))
  })
})
describe('a rule', () => {
  it('that is turned off stops earning alone, and is turned on again', async () => {
    const { id } = await freshMember(database)
    const { id: other } = await freshMember(database)
    const sign = (who: number) =>
      database.transaction(tx =>
        signIn(tx, { member_id: who, device: 'dv-of-a-test-0000001', now: unixNow() }),
      )
    const had = await sign(id)
    const row = (await tasks()).list.find(
      one => one.kind === 'clocked' && one.status === 'on' && one.malls.length === 0,
    )!
    const one = { id: row.id, version: row.version }
    const off = await call(calls.disableRule, { ...one, reason: '控制成本' })
    expect(off.status).toBe(200)
    expect((await call(calls.disableRule, { ...one, reason: '控制成本' })).status).toBe(409)
    expect((await sign(other)).state).toBe('off')
    const [who] = await database.db.select().from(member).where(eq(member.id, id))
    expect(who!.points).toBe(had.points)
    expect((await call(calls.enableRule, off.data)).status).toBe(200)
    expect((await sign(other)).state).toBe('done')
  })
  it('is not turned on beside another of the same malls and time', async () => {
    const row = (await tasks()).list.find(
      one => one.kind === 'clocked' && one.status === 'on' && one.malls.length === 0,
    )!
    const [made] = await database.db
      .insert(points_rule)
      .values({
        kind: 'clocked',
        name: '重叠',
        config: { ladder: [1], month_bonus: 0 },
        status: 'off',
      })
      .returning()
    const said = await call(calls.enableRule, { id: made!.id, version: 0 })
    expect([said.data.rule, said.message.includes(row.name)]).toEqual(['overlaps', true])
  })
  it('of the rate is not turned on here', async () => {
    const [rate] = await database.db.select().from(points_rule).where(eq(points_rule.kind, 'rate'))
    expect((await call(calls.enableRule, { id: rate!.id, version: rate!.version })).status).toBe(
      404,
    )
  })
  it('stands where it was put; an order made from another one is refused', async () => {
    const { list, list_version } = await tasks()
    const order = list.map(one => one.id).toReversed()
    expect((await call(calls.sortRules, { order, list_version })).status).toBe(200)
    expect((await tasks()).list.map(one => one.id)).toEqual(order)
    expect((await call(calls.sortRules, { order, list_version })).status).toBe(409)
    const kinds = await database.db.select().from(points_rule).where(ne(points_rule.kind, 'rate'))
    expect(kinds).toHaveLength(order.length)
  })
})
it('exports days of at most a year', async () => {
  const now = unixNow()
  expect((await call(calls.export, { from: now - 29 * DAY, to: now })).data.rows_expected).toBe(30)
  expect(
    (await call(calls.export, { from: now - 400 * DAY, to: now })).data.fields.from,
  ).toBeTruthy()
})
