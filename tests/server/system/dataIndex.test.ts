import { desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { flows, metrics, moneyFigures, orderBuckets } from '#src/areas/figures/overview.ts'
import { daily_stat } from '#src/areas/figures/stat.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { dateOf, dayStart, unixNow } from '#src/domain/time.ts'
import { dataIndex as calls } from '#src/modules/system/contract/dataIndex.ts'
import type { Database } from '#src/server/db/database.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { findStaff } from '#src/server/sessions/sessions.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

const DAY = 86_400
const today = dateOf(unixNow())
const back = (days: number) => dateOf(dayStart(unixNow()) - days * DAY)
const month = { from: back(29), to: today }

let database: Database
let app: App
let token: string
let cityManager: string
let cityId: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
  // The copied rows may have been made before midnight: what is yesterday now is then not counted
  // yet.
  expect(
    (await send(app, calls.recompute, { date: back(1), reason: '补数' }, { token })).status,
  ).toBe(200)
  const [row] = await database.db.select({ city_id: order.city_id }).from(order).limit(1)
  cityId = row!.city_id
  cityManager = (
    await addStaff(database, {
      perms: ['system.dataIndex.*'],
      role: { scope_type: 'city', scope_ids: [cityId] },
    })
  ).token
})
const overview = async (input: object, as = token) =>
  (await send(app, calls.overview, { ...month, ...input }, { token: as })).data

describe('the order overview', () => {
  it('adds up to its total for every filter, by count and by money', async () => {
    const { rows: malls } = await database.db.execute<{ mall_id: number }>(
      sql`select distinct mall_id from "order" where mall_id > 0 limit 2`,
    )
    for (const filter of [
      {},
      { city_id: cityId },
      { mid: 0 },
      { mid: malls[0]!.mall_id },
      { kind: 'bulks' },
      { kind: 'elist', city_id: cityId },
      { from: back(200), to: back(100) },
    ]) {
      const { orders } = await overview(filter)
      const { total, ...parts } = orders as Record<string, { count: number; cents: number }>
      const values = Object.values(parts)
      expect([
        JSON.stringify(filter),
        Object.keys(parts).sort(),
        values.reduce((sum, one) => sum + one.count, 0),
        values.reduce((sum, one) => sum + one.cents, 0),
      ]).toEqual([
        JSON.stringify(filter),
        Object.keys(orderBuckets).sort(),
        total!.count,
        total!.cents,
      ])
    }
  })
  it('counts exactly what the list behind each number holds, page by page', async () => {
    for (const filter of [{}, { city_id: cityId, kind: 'bulks' }]) {
      const { orders, money } = await overview(filter)
      for (const metric of ['total', ...Object.keys(orderBuckets), ...Object.keys(moneyFigures)]) {
        const figure =
          (orders as Record<string, { count: number; cents: number }>)[metric] ??
          (money as Record<string, { count: number; cents: number } | null>)[metric]
        const seen = new Set<number>()
        let sum = 0
        for (let page = 1; ; page++) {
          const { data } = await send(
            app,
            calls.drill,
            { ...month, ...filter, metric, page, pageSize: 200 },
            { token },
          )
          for (const row of data.list as { id: number; cents: number }[]) {
            seen.add(row.id)
            sum += row.cents
          }
          expect([metric, data.total, data.cents]).toEqual([
            metric,
            figure?.count ?? 0,
            figure?.cents ?? 0,
          ])
          if (data.list.length < 200) break
        }
        expect([metric, seen.size, sum]).toEqual([metric, figure?.count ?? 0, figure?.cents ?? 0])
      }
    }
  })
})

describe('what happened on a day', () => {
  it('is counted by the day of its own event: a late refund changes the day of the refund, not the day of the payment', async () => {
    const [late] = await database.db
      .select({
        id: refund.id,
        amount: refund.amount_cents,
        paid_at: order.paid_at,
        done_at: refund.done_at,
        city_id: refund.city_id,
      })
      .from(refund)
      .innerJoin(order, eq(order.id, refund.order_id))
      .where(
        sql`${refund.state} = 'done' and ${refund.done_at} - ${order.paid_at} > ${3 * DAY} and ${refund.done_at} < ${dayStart(unixNow())} and ${order.paid_at} >= ${dayStart(unixNow()) - 30 * DAY}`,
      )
      .limit(1)
    expect(late).toBeDefined()
    const at = async (day: string) =>
      (await overview({ from: day, to: day, city_id: late!.city_id })).flows as {
        refunded_cents: number
        gmv_cents: number
      }
    const [paidDay, doneDay] = [dateOf(late!.paid_at!), dateOf(late!.done_at!)]
    const before = { paid: await at(paidDay), done: await at(doneDay) }
    await database.db.update(refund).set({ state: 'paying' }).where(eq(refund.id, late!.id))
    for (const date of [paidDay, doneDay])
      await send(app, calls.recompute, { date, reason: '核对' }, { token })
    expect(await at(doneDay)).toMatchObject({
      refunded_cents: before.done.refunded_cents - late!.amount,
      gmv_cents: before.done.gmv_cents,
    })
    expect(await at(paidDay)).toEqual(before.paid)
  })
  it('adds up over days, kinds and cities to the headline', async () => {
    const { flows: head } = await overview({})
    const trend = (await send(app, calls.trend, month, { token })).data
    const sum = (rows: { gmv_cents: number }[]) => rows.reduce((all, row) => all + row.gmv_cents, 0)
    expect(trend.days).toHaveLength(30)
    expect([sum(trend.days), sum(trend.kinds)]).toEqual([head.gmv_cents, head.gmv_cents])
    const ranking = (await send(app, calls.ranking, { ...month, by: 'city' }, { token })).data
    expect(sum(ranking.list)).toBe(head.gmv_cents)
    expect(Object.keys(flows)).toContain('gmv')
  })
  it('of today is live, of days before it what was counted at night, and says when', async () => {
    const before = await overview({})
    expect(before.snapshot).toMatchObject({ days: 29, expected: 29 })
    expect(before.snapshot.oldest_at).toBeGreaterThan(0)
    const paid = async (at: number) => {
      const [some] = await database.db
        .select()
        .from(order)
        .where(sql`${order.paid_cents} > 0`)
        .limit(1)
      const { id: _, ...rest } = some!
      await database.db.insert(order).values({
        ...rest,
        order_no: `TEST${at}`,
        paid_at: at,
        created_at: at,
        paid_cents: 1234,
        refunded_cents: 0,
      })
    }
    await paid(unixNow() - 1)
    expect((await overview({})).flows.gmv_cents).toBe(before.flows.gmv_cents + 1234)
    await paid(momentNamed(back(3))! + 100)
    expect((await overview({})).flows.gmv_cents).toBe(before.flows.gmv_cents + 1234)
    await send(app, calls.recompute, { date: back(3), reason: '补单' }, { token })
    expect((await overview({})).flows.gmv_cents).toBe(before.flows.gmv_cents + 2468)
  })
  it('is compared with a period of the same length, and a division by nothing is none', async () => {
    const { compared } = await overview({ from: back(6), to: today, compare: 'previous' })
    expect([compared.from, compared.to]).toEqual([back(13), back(7)])
    const nothing = await overview({ from: back(3), to: back(3), mid: 2147483647 }).catch(
      () => undefined,
    )
    expect(nothing).toBeNull()
    const empty = await overview({ from: '2020-01-01', to: '2020-01-02' })
    expect([empty.flows.refund_rate_bp, empty.orders.total.count]).toEqual([null, 0])
  })
  it('is counted in the night, with the nights that were missed', async () => {
    await database.db.delete(daily_stat).where(sql`${daily_stat.date} >= ${back(3)}`)
    expect((await overview({})).snapshot.days).toBe(26)
    expect(
      await timerNamed('stat.night')({
        database,
        events: app.events,
        install: app.install,
        log: {} as never,
        now: unixNow(),
      }),
    ).toEqual(['stat'])
    expect((await overview({})).snapshot.days).toBe(29)
  })
})

describe('what is refused', () => {
  const refused = async (input: object) => {
    const said = await send(app, calls.overview, { ...month, ...input }, { token })
    return [said.status, Object.keys(said.data?.fields ?? {})]
  }
  it('a period over 366 days, an end before the start, a day that is none, a day to come', async () => {
    expect(await refused({ from: back(367) })).toEqual([400, ['to']])
    expect(await refused({ from: today, to: back(1) })).toEqual([400, ['to']])
    expect(await refused({ from: '2026-02-31' })).toEqual([400, ['from']])
    expect(await refused({ to: dateOf(unixNow() + 2 * DAY) })).toEqual([400, ['to']])
  })
  it('counting again today, a day longer ago than 31 days, and without a reason', async () => {
    const again = async (input: object) => {
      const said = await send(app, calls.recompute, { reason: '核对', ...input }, { token })
      return [said.status, said.data?.rule]
    }
    expect(await again({ date: today })).toEqual([422, 'today_is_live'])
    expect(await again({ date: back(32) })).toEqual([422, 'too_old'])
    expect((await again({ date: back(2), reason: '' }))[0]).toBe(400)
    expect((await again({ date: back(31) }))[0]).toBe(200)
  })
  it('another city than mine, as if it were not there, and its rows are in no figure of mine', async () => {
    const { rows } = await database.db.execute<{ city_id: number }>(
      sql`select distinct city_id from "order" where city_id <> ${cityId} limit 1`,
    )
    expect(
      (
        await send(
          app,
          calls.overview,
          { ...month, city_id: rows[0]!.city_id },
          { token: cityManager },
        )
      ).status,
    ).toBe(404)
    expect((await overview({}, cityManager)).orders).toEqual(
      (await overview({ city_id: cityId })).orders,
    )
    expect((await overview({}, cityManager)).flows).toEqual(
      (await overview({ city_id: cityId })).flows,
    )
    for (const metric of metrics) {
      const mine = (await send(app, calls.drill, { ...month, metric }, { token: cityManager })).data
      expect([metric, mine.total]).toEqual([
        metric,
        (await send(app, calls.drill, { ...month, metric, city_id: cityId }, { token })).data.total,
      ])
    }
  })
})
it('a keeper of one mall may ask for the city it stands in, and sees the mall’s orders only', async () => {
  const [one] = (
    await database.db.execute<{ city_id: number; mall_id: number }>(
      sql`select city_id, mall_id from "order" where mall_id > 0 limit 1`,
    )
  ).rows
  const keeper = (
    await addStaff(database, {
      perms: ['system.dataIndex.*'],
      role: { scope_type: 'mall', scope_ids: [one!.mall_id] },
    })
  ).token
  expect((await overview({ city_id: one!.city_id }, keeper)).orders).toEqual(
    (await overview({ mid: one!.mall_id })).orders,
  )
})
it('counting again leaves a line with the figures before and after', async () => {
  await send(app, calls.recompute, { date: back(5), reason: '财务核对' }, { token })
  // The day may have been counted again above, too: which days those are depends on the hour.
  const [line] = await database.db
    .select()
    .from(op_log)
    .where(sql`${op_log.object_type} = 'daily_stat' and ${op_log.object_label} = ${back(5)}`)
    .orderBy(desc(op_log.id))
    .limit(1)
  expect(line).toMatchObject({
    action: 'system.dataIndex.recompute',
    reason: '财务核对',
    result: 'ok',
  })
  expect(Object.keys(line!.after as object).sort()).toEqual([
    'gmv_cents',
    'refunded_cents',
    'verified_cents',
  ])
})
it('amounts a role may not see are absent, counts stay', async () => {
  const { token: hidden } = await addStaff(database, {
    perms: ['system.dataIndex.view'],
    role: { field_rules: { 'stat.amount_cents': 'hide' } },
  })
  const seen = await overview({}, hidden)
  expect(seen.orders.total).toEqual({ count: expect.any(Number) })
  expect(JSON.stringify(seen)).not.toContain('cents')
})
it('the file has a row a day with the figures of the screen, in the exporter’s places only; what is not told for these filters is empty, not zero', async () => {
  const [boss, local] = [
    await addStaff(database, { perms: ['*'] }),
    await addStaff(database, {
      perms: ['system.dataIndex.*'],
      role: { scope_type: 'city', scope_ids: [cityId] },
    }),
  ]
  const rowsFor = async (who: typeof boss, more: object = {}) =>
    (
      await exportNamed('system.dataIndex')!.rows({
        db: database.db,
        staff: (await findStaff(database.db, who.id, 'zh'))!.staff,
        filters: { ...month, ...more },
        now: unixNow(),
        after: undefined,
        limit: 500,
      })
    ).rows
  for (const who of [boss, local]) {
    const [rows, { flows: told }] = [await rowsFor(who), await overview({}, who.token)]
    const sum = (key: string) => rows.reduce((all, row) => all + Number(row[key]), 0)
    expect([
      rows.length,
      sum('gmv_cents'),
      sum('paid_orders'),
      sum('verified_cents'),
      sum('refunded_cents'),
      sum('new_members'),
    ]).toEqual([
      30,
      told.gmv_cents,
      told.paid_orders,
      told.verified_cents,
      told.refunded_cents,
      told.new_members,
    ])
  }
  expect(new Set((await rowsFor(boss, { kind: 'bulks' })).map(row => row['new_members']))).toEqual(
    new Set([null]),
  )
})
