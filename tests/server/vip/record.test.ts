import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookGrowth } from '#src/areas/level/growth.server.ts'
import { growth_ledger, level_ladder, level_notice } from '#src/areas/level/level.table.ts'
import { standardEarns, standardLevels } from '#src/areas/level/level.ts'
import { fallDue, sendNotices } from '#src/areas/level/publishing.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { record as calls, type GrowthRow } from '#src/modules/vip/contract/record.ts'
import { recordServer } from '#src/modules/vip/server/record.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { fill } from '../../help/fill.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let me: Person
const NOW = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  await database.db.delete(level_ladder)
  await database.db.insert(level_ladder).values({
    no: 1,
    levels: [...standardLevels],
    earns: standardEarns,
    state: 'live',
    effective_at: NOW - DAY,
    recalc_done: true,
  })
}, 120_000)
const call = (what: Parameters<typeof send>[1], input: object, by = me) =>
  send(app, what, input, { token: by.token })
const done = async (what: Parameters<typeof send>[1], input: object, by = me) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const refused = async (what: Parameters<typeof send>[1], input: object, by = me) => {
  const said = await call(what, input, by)
  expect(said.status).not.toBe(200)
  return said
}
let made = 0
const aMember = async (set: Partial<typeof member.$inferInsert> = {}) => {
  const uid = `REC${++made}`
  const [row] = await database.db
    .insert(member)
    .values({
      uid,
      nickname: `记录会员${made}`,
      phone: `1370000${String(made).padStart(4, '0')}`,
      city_id: 1,
      register_at: NOW,
      ...set,
    })
    .returning({ id: member.id })
  return { id: row!.id, uid }
}
let n = 0
const book = async (member_id: number, delta: number, now = NOW): Promise<number> =>
  (await database.transaction(tx =>
    bookGrowth(tx, { member_id, delta, kind: 'comment', biz_no: `REC-${++n}`, now }),
  ))!
const standing = async (id: number) =>
  (
    await database.db
      .select({ growth: member.growth, level: member.level })
      .from(member)
      .where(eq(member.id, id))
  )[0]!

describe('the records', () => {
  it('are found by member, source, direction, level changes and time', async () => {
    const { id, uid } = await aMember()
    const up = await book(id, 250)
    const down = await book(id, -30)
    const more = await book(id, 5, NOW + DAY)
    const ids = async (filters: object): Promise<number[]> =>
      (await done(calls.lst, { keyword: uid, ...filters })).list.map((row: GrowthRow) => row.id)
    expect(await ids({})).toEqual([more, down, up])
    expect(await ids({ member_id: id, kind: 'comment' })).toEqual([more, down, up])
    expect(await ids({ kind: 'buy' })).toEqual([])
    expect(await ids({ direction: 'down' })).toEqual([down])
    expect(await ids({ direction: 'up' })).toEqual([more, up])
    expect(await ids({ level_only: true })).toEqual([up])
    expect(await ids({ from: NOW + 1 })).toEqual([more])
    expect((await done(calls.lst, { keyword: `记录会员${made}` })).total).toBe(3)
    const [row] = (await done(calls.lst, { keyword: uid, level_only: true })).list
    expect(row).toMatchObject({ level_before_name: '普通会员', level_after_name: 'V1' })
    expect(row.notice).toMatchObject({ state: 'queued' })
  })
  it('are those of the reader’s cities alone', async () => {
    const { id, uid } = await aMember({ city_id: 2 })
    const row = await book(id, 10)
    const role = { scope_type: 'city' as const, scope_ids: [1] }
    const near = await addStaff(database, { perms: ['*'], role })
    expect((await done(calls.lst, { keyword: uid }, near)).total).toBe(0)
    expect((await refused(calls.reverse, { id: row, reason: '误记' }, near)).status).toBe(404)
    expect((await refused(calls.standing, { id: row }, near)).status).toBe(404)
  })
  it('tell where a member stands, against the thresholds', async () => {
    const { id } = await aMember()
    await book(id, 250)
    const row = await book(id, 100)
    const told = await done(calls.standing, { id: row })
    expect(told).toMatchObject({
      growth: 350,
      level_name: 'V1',
      next: { name: 'V2', lacking: 650 },
    })
    expect(told.points.map((point: { growth: number }) => point.growth)).toEqual([250, 350])
    expect(told.thresholds).toHaveLength(6)
  })
})

describe('a row', () => {
  it('is reversed once, and the level follows', async () => {
    const { id } = await aMember()
    const row = await book(id, 250)
    expect(await done(calls.reverse, { id: row, reason: '误记' })).toMatchObject({ delta: -250 })
    expect((await refused(calls.reverse, { id: row, reason: '误记' })).data).toMatchObject({
      rule: 'not_reversed',
    })
    expect(await standing(id)).toEqual({ growth: 0, level: 1 })
  })
  it('leads to the member’s protection: no fall before its day', async () => {
    const { id } = await aMember({ level: 3, growth: 10, level_keep_until: NOW - 1 })
    const row = await book(id, 0)
    const { id: protectedId } = await aMember({ level: 3, growth: 10, level_keep_until: NOW + 60 })
    const kept = await book(protectedId, 0)
    expect((await standing(id)).level).toBe(0)
    const until_at = NOW + 30 * DAY
    await done(calls.protect, { id: kept, until_at, reason: '住院' })
    await database.transaction(tx => fallDue(tx, NOW + DAY))
    expect((await standing(protectedId)).level).toBe(3)
    expect((await done(calls.standing, { id: kept })).holds).toMatchObject([
      { kind: 'protect', until_at, reason: '住院' },
    ])
    await database.transaction(tx => fallDue(tx, until_at))
    expect((await standing(protectedId)).level).toBe(0)
    const past = await refused(calls.protect, { id: row, until_at: NOW - 5, reason: '住院' })
    expect(past.data['fields']).toHaveProperty('until_at')
  })
  it('has its notice sent again, not while one is under way', async () => {
    const { id } = await aMember()
    const row = await book(id, 250)
    const flat = await book(id, 1)
    expect((await refused(calls.resendNotice, { id: row })).data).toMatchObject({ rule: 'queued' })
    expect((await refused(calls.resendNotice, { id: flat })).data).toMatchObject({
      rule: 'no_notice',
    })
    const gateways = { robot: undefined, mail: undefined, sms: 'embedded' } as never
    const sent = async () => {
      let some = 1
      while (some > 0) some = await sendNotices(database.db, { gateways }, NOW)
    }
    await sent()
    await done(calls.resendNotice, { id: row })
    await sent()
    expect((await refused(calls.resendNotice, { id: row })).data).toMatchObject({
      rule: 'too_soon',
    })
    const all = await database.db
      .select({ state: level_notice.state })
      .from(level_notice)
      .where(eq(level_notice.ledger_id, row))
    expect(all.map(one => one.state)).toEqual(['sent', 'sent'])
  })
  it('lets its member be recalculated', async () => {
    const { id } = await aMember()
    const row = await book(id, 250)
    await database.db
      .update(member)
      .set({ level: 0, level_keep_until: null })
      .where(eq(member.id, id))
    expect(await done(calls.recalc, { id: row })).toMatchObject({ level_before: 0, level_after: 1 })
    expect(await done(calls.recalc, { id: row })).toMatchObject({ level_before: 1, level_after: 1 })
  })
  it('is exported with those that the filters show', async () => {
    const { id, uid } = await aMember()
    await book(id, 250)
    await book(id, -1)
    expect(
      await done(calls.export, { keyword: uid, direction: 'down', format: 'csv' }),
    ).toMatchObject({ rows_expected: 1 })
  })
})

it('of a large ledger every filter is served by an index', async () => {
  await fill(
    database.pool,
    `insert into growth_ledger (member_id, delta, wanted, balance_after, kind, biz_no, level_before,
      level_after, at) select 1 + g % 150, 1, 1, 1, 'sign', 'PLAN' || g, 0, 0, ${NOW} - g * 60
      from generate_series(1, 60000) g`,
  )
  await database.db.execute(sql`analyze growth_ledger`)
  const filters = [
    {},
    { member_id: 3 },
    { kind: 'merge' as const },
    { level_only: true },
    { from: NOW - 60 },
  ]
  const scanned: object[] = []
  for (const filter of filters) {
    const plans = await plansOf(database.pool, db =>
      recordServer.handlers.lst({ page: 1, pageSize: 50, ...filter }, {
        db,
        staff: { id: 1, scope: everything, lang: 'zh' },
        now: NOW,
      } as never),
    )
    // Counting all stops at ten thousand, wherever it begins.
    const read = seqScans(plans, 'growth_ledger').filter(text => !text.includes('counted'))
    if (read.length > 0) scanned.push(filter)
  }
  expect(scanned).toEqual([])
  expect(await database.db.$count(growth_ledger)).toBeGreaterThan(60_000)
})
