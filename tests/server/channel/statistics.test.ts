import { and, asc, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  channel_code,
  channel_scan,
  channel_stat_daily,
} from '#src/areas/channelCode/channelCode.table.ts'
import { rebuildDays } from '#src/areas/channelCode/stat.server.ts'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { wecom_follow } from '#src/areas/wecom/wecom.table.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, dateOf, dayStart, HOUR, UNIX_MOST, unixNow } from '#src/domain/time.ts'
import { statDetail } from '#src/modules/channel/contract/statDetail.ts'
import {
  channelStatistics as calls,
  type ChannelStatRow,
} from '#src/modules/channel/contract/statistics.ts'
import { statDetailServer } from '#src/modules/channel/server/statDetail.ts'
import { channelStatisticsServer } from '#src/modules/channel/server/statistics.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshAdvisers, freshCustomer } from '../../help/wecomRows.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let staff: { id: number; userid: string }[]
let made = 0
const now = unixNow()
const today = dayStart(now)
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['channel.statistics.*'] })
  staff = await freshAdvisers(database, 3)
}, 120_000)
type Numbers = Record<string, number>
const call = (what: Call, input: object = {}, token = me.token) => send(app, what, input, { token })
const list = async (filters: object): Promise<ChannelStatRow[]> =>
  (await call(calls.lst, { pageSize: 200, ...filters })).data.list
/** A code that WeCom has, answered by everybody. */
const freshCode = async (of: Partial<typeof channel_code.$inferInsert> = {}) => {
  const n = ++made
  const name = `统计活码${n}`
  const members = staff.map(one => ({ userid: one.userid, weight: 1, day_cap: 1 }))
  const body = {
    name,
    group_name: '统计',
    kind: 'multi' as const,
    mall_id: null,
    store_id: null,
    cost_cents: 0,
    members,
    shifts: [],
    backup_userids: [],
    verify_mode: 'skip' as const,
    verify_windows: [],
    tag_ids: [],
    remark_suffix: '',
    welcome_id: null,
    start_at: null,
    end_at: null,
  }
  const [row] = await database.db
    .insert(channel_code)
    .values({
      state_key: `stat-${n}`,
      config_id: `stat-way-${n}`,
      name,
      group_name: '统计',
      kind: 'multi',
      body,
      rev: 1,
      status: 'enabled',
      ...of,
    })
    .returning()
  return row!
}
type Happened = { customer: number; adviser: number; kind: 'add' | 'del_customer'; at: number }
/** Lets people come by a code and go again. */
const live = async (state: string, happened: readonly Happened[]) => {
  const customers = new Map<number, number>()
  for (const one of happened)
    if (!customers.has(one.customer))
      customers.set(one.customer, (await freshCustomer(database)).id)
  await database.transaction(tx =>
    applyRelations(
      tx,
      happened.map(one => ({
        customer_id: customers.get(one.customer)!,
        staff_id: staff[one.adviser]!.id,
        kind: one.kind,
        at: one.at,
      })),
    ),
  )
  for (const id of customers.values())
    await database.db
      .update(wecom_follow)
      .set({ source_state: state })
      .where(eq(wecom_follow.customer_id, id))
  return customers
}
const rebuild = (from: number, to: number) =>
  database.transaction(tx => rebuildDays(tx, { from, to }))
const kept = (code_id: number) =>
  database.db
    .select()
    .from(channel_stat_daily)
    .where(eq(channel_stat_daily.code_id, code_id))
    .orderBy(asc(channel_stat_daily.day), asc(channel_stat_daily.staff_id))
const plain = <Row extends { id: number }>(rows: readonly Row[]) =>
  rows.map(({ id: _, ...row }) => row)

describe('days of codes', () => {
  it('are the same each time, members come to the code, and adds less losses is what is left', async () => {
    const begin = today - 20 * DAY
    const anything = fc.array(
      fc.record({
        customer: fc.integer({ min: 0, max: 4 }),
        adviser: fc.integer({ min: 0, max: 2 }),
        kind: fc.constantFrom('add' as const, 'add' as const, 'del_customer' as const),
        at: fc.integer({ min: 0, max: 19 * DAY - 1 }).map(n => begin + n),
      }),
      { maxLength: 14 },
    )
    await fc.assert(
      fc.asyncProperty(anything, async happened => {
        const code = await freshCode()
        await live(code.state_key, happened)
        await rebuild(begin, today)
        const once = plain(await kept(code.id))
        await rebuild(begin, today)
        expect(plain(await kept(code.id))).toEqual(once)
        const sum = (key: 'adds' | 'lost' | 're_adds') =>
          once.reduce((all, row) => all + row[key], 0)
        const follows = await database.db
          .select()
          .from(wecom_follow)
          .where(eq(wecom_follow.source_state, code.state_key))
        expect(sum('adds')).toBe(follows.length)
        expect(sum('adds') - sum('lost')).toBe(
          follows.filter(one => one.status === 'following').length,
        )
        const range = { from: begin, to: today - 1, staff_id: undefined }
        const byStaff = (await call(statDetail.figures, { code_id: code.id, ...range })).data
        for (const key of ['adds', 're_adds', 'lost', 'scans', 'orders', 'paid_cents'] as const)
          expect(byStaff.staff.reduce((all: number, row: Numbers) => all + row[key]!, 0)).toBe(
            byStaff.sums[key],
          )
        expect(byStaff.sums.adds).toBe(sum('adds'))
      }),
      { numRuns: 12 },
    )
  }, 120_000)
  it('date a loss by itself, and keep an add by its own day', async () => {
    const code = await freshCode()
    const at = today - 15 * DAY + 10 * HOUR
    await live(code.state_key, [
      { customer: 1, adviser: 0, kind: 'add', at },
      { customer: 1, adviser: 0, kind: 'del_customer', at: at + HOUR },
      { customer: 2, adviser: 0, kind: 'add', at },
      { customer: 2, adviser: 0, kind: 'del_customer', at: at + 3 * DAY },
      { customer: 3, adviser: 0, kind: 'add', at },
      { customer: 3, adviser: 0, kind: 'del_customer', at: at + 9 * DAY },
      { customer: 4, adviser: 0, kind: 'add', at },
      { customer: 1, adviser: 0, kind: 'add', at: at + 2 * DAY },
    ])
    await rebuild(today - 16 * DAY, today)
    const rows = new Map((await kept(code.id)).map(row => [row.day, row]))
    expect(rows.get(dateOf(at))).toMatchObject({
      adds: 4,
      re_adds: 0,
      lost: 1,
      lost_same_day: 1,
      kept_7d: 2,
    })
    expect(rows.get(dateOf(at + 2 * DAY))).toMatchObject({ adds: 1, re_adds: 1, lost: 0 })
    expect(rows.get(dateOf(at + 3 * DAY))).toMatchObject({ adds: 0, lost: 1, lost_same_day: 0 })
    const [told] = (await list({ by: 'code', from: at - DAY, to: now })).filter(
      row => row.code_id === code.id,
    )
    // Whoever was added within the last seven days is not due yet; no scan is a dash, not 0 %.
    expect(told).toMatchObject({ adds: 5, lost: 3, net: 2, retained_bp: 6000, add_bp: null })
    expect(told!.people).toBe(4)
  })
  it('count somebody who adds two members twice, and as one person', async () => {
    const code = await freshCode()
    const at = today - 3 * DAY + 9 * HOUR
    await live(code.state_key, [
      { customer: 1, adviser: 0, kind: 'add', at },
      { customer: 1, adviser: 1, kind: 'add', at: at + 60 },
    ])
    await rebuild(today - 4 * DAY, today)
    const [told] = (await list({ by: 'code', group: '统计', from: at, to: at })).filter(
      row => row.code_id === code.id,
    )
    expect(told).toMatchObject({ adds: 2, people: 1 })
  })
  it('tell adds without a code apart, and today while it goes on', async () => {
    const before = await list({ by: 'code', from: now, to: now })
    const natural = before.find(row => row.key === '0')?.adds ?? 0
    const code = await freshCode()
    await live('', [{ customer: 1, adviser: 2, kind: 'add', at: now - 5 }])
    await live(code.state_key, [{ customer: 1, adviser: 2, kind: 'add', at: now - 5 }])
    await database.db
      .insert(channel_scan)
      .values({ code_id: code.id, at: now - (now % HOUR), n: 4 })
    const { data } = await call(calls.lst, { by: 'code', from: now, to: now, pageSize: 200 })
    expect(data.partial).toBe(true)
    const rows = data.list as ChannelStatRow[]
    expect(rows.find(row => row.key === '0')).toMatchObject({ name: '自然添加', adds: natural + 1 })
    expect(rows.find(row => row.code_id === code.id)).toMatchObject({
      scans: 4,
      adds: 1,
      add_bp: 2500,
    })
    const past = await call(calls.lst, { by: 'code', to: now - 2 * DAY })
    expect(past.data.partial).toBe(false)
  })
  it('come to the same totals in every view', async () => {
    const range = { from: today - 29 * DAY, to: today - 1 }
    await rebuild(range.from, today)
    const views = ['code', 'group', 'mall', 'staff', 'day'] as const
    const totals = []
    for (const by of views) {
      const { data } = await call(calls.lst, { by, ...range, pageSize: 200 })
      const { scans, adds, lost, paid_cents, cost_cents, people } = data.sums
      totals.push({ scans, adds, lost, paid_cents, cost_cents, people })
    }
    for (const one of totals) expect(one).toEqual(totals[0])
    expect(totals[0]!.adds).toBeGreaterThan(0)
    const { data } = await call(calls.overview, range)
    expect(data.days.reduce((all: number, one: Numbers) => all + one['adds']!, 0)).toBe(
      totals[0]!.adds,
    )
    const { scans, added, bound, ordered, verified } = data.funnel
    const steps = [scans, added, bound, ordered, verified]
    expect(steps).toEqual(steps.toSorted((a, b) => b - a))
    expect(added).toBe(totals[0]!.people)
    expect(data.hours.reduce((all: number, one: Numbers) => all + one['adds']!, 0)).toBe(
      totals[0]!.adds,
    )
  })
})

describe('figures of channels', () => {
  it('are compared with the range before, or another', async () => {
    const range = { from: today - 9 * DAY, to: today - 1 }
    const { data } = await call(calls.lst, { ...range, compare: true })
    expect(data.before_from).toBe(today - 18 * DAY)
    const other = await call(calls.lst, {
      ...range,
      compare: true,
      compare_from: today - 40 * DAY,
    })
    expect(other.data.before_from).toBe(today - 40 * DAY)
  })
  it('are of 366 days at most', async () => {
    const wide = await call(calls.lst, { from: today - 366 * DAY, to: now })
    expect([wide.status, wide.data.rule]).toEqual([422, 'too_long'])
    expect((await call(calls.lst, { from: today - 365 * DAY, to: now })).status).toBe(200)
    const much = await call(calls.rebuild, { from: today - 100 * DAY, to: now })
    expect([much.status, much.data.rule]).toEqual([422, 'too_long'])
    expect((await call(calls.rebuild, { from: today - DAY, to: now })).data.days).toBe(2)
  })
  it('begin with the first whole day that is counted', async () => {
    const early = { from: 18, to: 5 * DAY }
    const said = await call(calls.lst, { ...early, compare: true })
    expect([said.status, said.data.from, said.data.before_from]).toEqual([
      200,
      dayStart(DAY),
      dayStart(DAY),
    ])
    expect((await call(calls.rebuild, early)).data.days).toBe(5)
  })
  it('end with the last whole day that can be named', async () => {
    const late = await call(calls.lst, { from: UNIX_MOST - 5 * DAY, to: UNIX_MOST })
    expect([late.status, late.data.to]).toEqual([200, dayStart(UNIX_MOST)])
  })
  it('take costs; those of a month that is over only from whoever may', async () => {
    const code = await freshCode()
    const day = dateOf(now)
    const old = dateOf(now - 40 * DAY)
    const entered = await call(calls.setCost, { code_id: code.id, day, cost_cents: 500 })
    expect(entered.status, entered.message).toBe(200)
    await call(calls.setCost, { code_id: code.id, day, cost_cents: 700 })
    const [told] = (await list({ by: 'code', from: now, to: now })).filter(
      row => row.code_id === code.id,
    )
    expect(told).toMatchObject({ cost_cents: 700, cost_per_add: null })
    const closed = await call(calls.setCost, { code_id: code.id, day: old, cost_cents: 1 })
    expect([closed.status, closed.data.rule]).toEqual([422, 'closed_month'])
    const plainOne = await addStaff(database, { perms: ['channel.statistics.setCost'] })
    const asked = { code_id: code.id, day: old, cost_cents: 100, reason: '补发票' }
    expect((await call(calls.setClosedCost, asked, plainOne.token)).status).toBe(403)
    expect((await call(calls.setClosedCost, asked)).status).toBe(200)
    const row = (await kept(code.id)).find(each => each.day === old)
    expect(row).toMatchObject({ cost_cents: 100 })
    const strange = await call(calls.setCost, {
      code_id: code.id,
      day: '2026-02-30',
      cost_cents: 1,
    })
    expect([strange.status, Object.keys(strange.data.fields)]).toEqual([400, ['day']])
  })
})

describe('one code', () => {
  it('shows who came, what happened, and whom the person does not see', async () => {
    expect(channelStatisticsServer.calls).toBe(calls)
    expect(statDetailServer.calls).toBe(statDetail)
    const code = await freshCode({ status: 'archived' })
    const at = today - 2 * DAY + 12 * HOUR
    await live(code.state_key, [
      { customer: 1, adviser: 0, kind: 'add', at },
      { customer: 2, adviser: 0, kind: 'add', at: at + 60 },
    ])
    await rebuild(today - 3 * DAY, today)
    const marked = await call(statDetail.markEvent, {
      code_id: code.id,
      day: dateOf(at),
      text: '换了位置',
    })
    expect(marked.status).toBe(200)
    const { data } = await call(statDetail.figures, { code_id: code.id })
    expect(data).toMatchObject({ status: 'archived', sums: { adds: 2 } })
    expect(data.events).toMatchObject([{ day: dateOf(at), text: '换了位置' }])
    expect(data.staff.find((row: Numbers) => row['staff_id'] === staff[0]!.id)).toMatchObject({
      adds: 2,
      full_days: 1,
    })
    const other = await call(statDetail.figures, { code_id: code.id, other_id: 1 })
    expect(other.data.other.name).not.toBe('')
    const people = (await call(statDetail.lst, { code_id: code.id })).data
    expect(people).toMatchObject({ total: 2, hidden: 0 })
    expect(people.list[0].added_at).toBe(at + 60)
    // An adviser of no mall: somebody of a mall sees the code of it, and not these customers.
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select min(id)::int id from mall where status = 'online'`,
    )
    const mall = rows[0]!.id
    await database.db
      .update(channel_code)
      .set({ mall_id: mall })
      .where(and(eq(channel_code.id, code.id)))
    const local = await addStaff(database, {
      perms: ['channel.statistics.*'],
      role: { scope_type: 'mall', scope_ids: [mall] },
    })
    const seen = await call(statDetail.lst, { code_id: code.id }, local.token)
    expect(seen.data).toMatchObject({ list: [], total: 0, hidden: 2 })
  })
})
