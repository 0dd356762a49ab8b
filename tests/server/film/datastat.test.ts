import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { statBy, type StatBy } from '#src/areas/filmStat/filmStat.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { filmDatastat as calls } from '#src/modules/film/contract/datastat.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let today: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  today = dayStart(unixNow())
})
const PAGE = { page: 1, pageSize: 200 }
const told = async (of: object = {}, token = me.token) => {
  const said = await send(app, calls.lst, { ...PAGE, ...of }, { token })
  expect([said.status, said.data?.fields]).toEqual([200, undefined])
  return said.data
}
const whole = () => ({ from: today - 95 * DAY, to: unixNow() })
const views = Object.keys(statBy) as StatBy[]
const summed = [
  'orders',
  'seats',
  'box_cents',
  'coupon_cents',
  'subsidy_cents',
  'profit_cents',
  'ticketed',
  'refunds',
  'refunded_cents',
  'new_buyers',
]
const sumsOf = (list: readonly Record<string, number>[]) =>
  Object.fromEntries(summed.map(key => [key, list.reduce((all, row) => all + row[key]!, 0)]))

describe('figures of film tickets', () => {
  it('come to the same totals in every view, by either day of refunds', async () => {
    for (const basis of ['pay', 'refund'] as const) {
      const all = await Promise.all(views.map(by => told({ by, basis, ...whole() })))
      const first = sumsOf(all[0].list)
      expect(first['orders']).toBeGreaterThan(0)
      for (const one of all) {
        expect(sumsOf(one.list)).toEqual(first)
        expect(one.sums).toMatchObject(first)
      }
    }
  })
  it('are the orders that were paid, and none that was cancelled', async () => {
    const { rows } = await database.db.execute(
      sql`select count(*)::int orders, sum(f.seat_count)::int seats, sum(f.sale_cents + f.service_fee_cents)::float8 box_cents, sum(f.profit_cents)::float8 profit_cents, sum(o.refunded_cents)::float8 refunded_cents from film_order f join "order" o on o.id = f.order_id where o.pay_state = 'paid'`,
    )
    expect((await told({ basis: 'pay', ...whole() })).sums).toMatchObject(rows[0]!)
  })
  it('count a new buyer once, with their first order', async () => {
    const { rows } = await database.db.execute<{ n: number }>(
      sql`select count(distinct f.member_id)::int n from film_order f join "order" o on o.id = f.order_id where o.pay_state = 'paid'`,
    )
    expect((await told(whole())).sums.new_buyers).toBe(rows[0]!.n)
  })
  it('of a refund move with the day that is asked for', async () => {
    await database.db.execute(
      sql`update refund set done_at = ${today - 200 * DAY} where id = (select min(r.id) from refund r join film_refund f on f.refund_id = r.id where r.state = 'done')`,
    )
    const [byRefund, byPay] = await Promise.all(
      ['refund', 'pay'].map(basis => told({ basis, ...whole() })),
    )
    expect(byRefund.sums.refunds).toBe(byPay.sums.refunds - 1)
  })
  it('say their shares', async () => {
    const { sums } = await told(whole())
    expect(sums.success_bp).toBe(Math.round((sums.ticketed * 10_000) / sums.orders))
    expect(sums.average_cents).toBe(Math.round(sums.box_cents / sums.seats))
  })
  it('stand beside the period before where that is asked for', async () => {
    const asked = { by: 'cinema', from: today - 20 * DAY, to: today - DAY }
    expect((await told(asked)).sums_before).toBeNull()
    const { sums_before } = await told({ ...asked, compare: true })
    const before = await told({ by: 'cinema', from: today - 40 * DAY, to: today - 21 * DAY })
    expect(sums_before).toEqual(before.sums)
  })
  it('are of thirteen months at the most', async () => {
    const asked = { ...PAGE, from: today - 500 * DAY, to: today }
    const said = await send(app, calls.lst, asked, { token: me.token })
    expect(said.data.rule).toBe('period_too_long')
  })
  it('are those of one’s own places', async () => {
    const local = await addStaff(database, {
      perms: ['film.datastat.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const own = await told({ by: 'city', ...whole() }, local.token)
    expect(own.list.map((row: { key: number }) => row.key)).toEqual([1])
    const all = await told({ by: 'city', ...whole() })
    const [first] = all.list.filter((row: { key: number }) => row.key === 1)
    expect(own.sums.orders).toBe(first.orders)
  })
})
