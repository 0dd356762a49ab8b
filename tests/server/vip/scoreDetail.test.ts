import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { adjustPoints, earnPoints } from '#src/areas/points/points.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import type { PointsBiz } from '#src/areas/points/points.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { scoreDetail as calls, type PointsRow } from '#src/modules/vip/contract/scoreDetail.ts'
import { scoreDetailServer } from '#src/modules/vip/server/scoreDetail.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { fill } from '../../help/fill.ts'
import { membersOf } from '../../help/redeem.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let ofCity: Awaited<ReturnType<typeof addStaff>>
const CITY = 2
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['vip.score.detail.*'] })
  ofCity = await addStaff(database, {
    perms: ['vip.score.detail.*'],
    role: { scope_type: 'city', scope_ids: [CITY] },
  })
}, 120_000)
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let made = 0
const no = () => `SDQ${++made}`
const now = unixNow()
const someone = async (city_id = 1) => {
  const [who] = await membersOf(database)
  await database.db.update(member).set({ city_id }).where(eq(member.id, who!.id))
  return who!.id
}
const earn = (member_id: number, points: number, biz_kind: PointsBiz = 'activity', at = now) =>
  database.transaction(tx =>
    earnPoints(tx, { member_id, points, biz_kind, biz_no: no(), title: '测试', now: at }),
  ) as Promise<number>
const adjust = (member_id: number, delta: number) =>
  database.transaction(tx =>
    adjustPoints(tx, {
      member_id,
      delta,
      biz_no: no(),
      reason: '核对',
      operator_id: me.id,
      now,
    }),
  )
const listed = async (filters: object, token = me.token) => {
  const said = await call(calls.lst, filters, token)
  expect(said.status, said.message).toBe(200)
  return said.data as { list: PointsRow[]; total: number; member: { points: number } | null }
}

describe('the ledger of points', () => {
  it('finds by member, kind, business, number, size, time and person, with the balance as it ran', async () => {
    const who = await someone()
    const first = await earn(who, 700, 'clocked', now - 9 * DAY)
    const second = await earn(who, 50, 'buy')
    const third = await adjust(who, -120)
    const of = { member: String(who) }
    const found = await listed(of)
    expect(found.member).toMatchObject({ points: 630 })
    expect(found.list.map(row => [row.id, row.balance_after]).toSorted()).toEqual(
      [
        [first, 700],
        [second, 750],
        [third, 630],
      ].toSorted(),
    )
    const ids = async (filters: object) =>
      (await listed({ ...of, ...filters })).list.map(row => row.id).toSorted()
    expect([
      await ids({ kind: 'adjust' }),
      await ids({ biz_kind: 'buy' }),
      await ids({ biz_no: found.list.find(row => row.id === second)!.biz_no }),
      await ids({ min: 100, max: 200 }),
      await ids({ to: now - DAY }),
      await ids({ operator_id: me.id }),
      await ids({ rule_id: 2_000_000_000 }),
    ]).toEqual([[third], [second], [second], [third], [first], [third], []])
    const uid = found.list[0]!.uid
    expect((await listed({ member: uid })).total).toBe(3)
    expect((await listed({ member: '99999999999999' })).member).toBeNull()
  })
  it('shows and changes rows of members of one’s own cities alone', async () => {
    const [mine, other] = [await someone(CITY), await someone(1)]
    const [here, there] = [await earn(mine, 10), await earn(other, 10)]
    const seen = await listed({ member: String(mine) }, ofCity.token)
    expect([seen.total, seen.member]).toMatchObject([1, { points: 10 }])
    const unseen = await listed({ member: String(other) }, ofCity.token)
    expect([unseen.total, unseen.member]).toEqual([0, null])
    const reason = '错账'
    expect([
      (await call(calls.reverse, { id: there, reason }, ofCity.token)).status,
      (await call(calls.lots, { id: there }, ofCity.token)).status,
      (await call(calls.addNote, { id: there, note: reason }, ofCity.token)).status,
      (await call(calls.reverse, { id: here, reason }, ofCity.token)).status,
    ]).toEqual([404, 404, 404, 200])
  })
})
describe('a row', () => {
  it('is reversed once by a row of its own; a reversal and an expiry are not', async () => {
    const who = await someone()
    const id = await earn(who, 100)
    await adjust(who, -70)
    const said = await call(calls.reverse, { id, reason: '重复发放' })
    expect(said.data).toMatchObject({ delta: -30, debt_delta: 70 })
    const again = await call(calls.reverse, { id, reason: '重复发放' })
    expect([again.status, again.data.rule, again.message]).toEqual([
      422,
      'not_reversible',
      expect.stringContaining('已冲正'),
    ])
    expect((await call(calls.reverse, { id: said.data.id, reason: '弄错了' })).message).toContain(
      '冲正流水不能再冲正',
    )
    const { list } = await listed({ member: String(who) })
    expect(list.find(row => row.id === id)).toMatchObject({ reversed_by: said.data.id, delta: 100 })
  })
  it('tells the lots it moved and what was noted, and keeps what it said', async () => {
    const who = await someone()
    const from = await earn(who, 100)
    const id = await adjust(who, -40)
    expect((await call(calls.addNote, { id, note: '会员来电核实' })).status).toBe(200)
    const { lots, notes } = (await call(calls.lots, { id })).data
    expect(lots).toMatchObject([{ n: 40, points: 100, remain: 60, from: { id: from } }])
    expect(notes).toMatchObject([{ note: '会员来电核实' }])
    expect(
      (await database.db.select().from(points_ledger).where(eq(points_ledger.id, id)))[0]!.note,
    ).toBe('核对')
  })
})
onlyOn('postgres')('on a large ledger', () => {
  it('every filter is served by an index', async () => {
    const { pool } = database
    const who = await someone()
    await fill(
      pool,
      `insert into points_ledger (member_id, kind, biz_kind, biz_no, delta, balance_after, rule_id, lots,
        title, operator_id, at)
       select ${who} - n % 300, case when n % 900 = 0 then 'adjust' else 'earn' end, case
         when n % 900 = 0 then 'admin' else 'buy' end, 'PL' || n, n % 5000, 0, null, '[]', '大量', case
         when n % 900 = 0 then ${me.id} end, ${now} - n * 300 from generate_series(1, 60000) n
         where exists (select 1 from member m where m.id = ${who} - n % 300)`,
    )
    await pool.query('analyze')
    const scanned: string[] = []
    for (const scope of [everything, { cities: [CITY], malls: [], owners: [] }])
      for (const [name, filter] of Object.entries({
        none: {},
        member: { member: String(who) },
        kind: { kind: 'adjust' },
        business: { biz_kind: 'admin' },
        number: { biz_no: 'PL777' },
        rule: { rule_id: 5 },
        person: { operator_id: me.id },
        size: { min: 777, max: 777 },
        time: { from: now - DAY, to: now },
      })) {
        const plans = await plansOf(pool, db =>
          scoreDetailServer.handlers.lst(
            { page: 1, pageSize: 50, ...filter } as never,
            { db, staff: { id: 1, scope, lang: 'zh', can: () => true }, now } as never,
          ),
        )
        expect(plans.length).toBeGreaterThan(0)
        // Without a filter the count stops at its bound, wherever it begins.
        const read = name === 'none' ? plans.filter(one => !one.text.includes('count(')) : plans
        if (seqScans(read, 'points_ledger').length > 0) scanned.push(name)
      }
    expect(scanned).toEqual([])
  }, 120_000)
})
