import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { distributors, lineOf, ours } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { dist_rank_prize } from '#src/areas/ranking/ranking.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { ranking as calls, type LiveRow } from '#src/modules/distribution/contract/ranking.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshSeller } from '../../help/sellers.ts'
import { freezing, freshSale, type Sale } from '../../help/settle.ts'

type What = Parameters<typeof send>[1]
type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let maker: Person
let sale: Sale
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, {
    perms: ['distribution.ranking.*'],
    role: { field_rules: { 'stat.gmv_cents': 'show', 'product.commission_bp': 'show' } },
  })
  sale = await freshSale(database)
}, 120_000)
const call = (what: What, input: object, by = maker) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = maker) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const refused = async (what: What, input: object, by = maker) => {
  const said = await call(what, input, by)
  expect(said.status).not.toBe(200)
  return said
}
const now = unixNow()
let weeks = 0
/** A week of the test's own, in which nobody else sold anything. */
const ownWeek = () => {
  const from = Date.parse('2016-01-04T00:00:00+08:00') / 1000 + 7 * DAY * 2 * ++weeks
  return { from, to: from + 7 * DAY - 1 }
}
/** Sells for a seller: a line of so many cents, paid at a moment. */
const sold = async (distributor_id: number, cents: number, at: number) => {
  const [line_id] = await freezing(database, sale, [{ merchant_cents: cents, commission_cents: 0 }])
  await database.db.insert(dist_commission).values({
    line_id: line_id!,
    order_id: sale.order.id,
    order_no: sale.order.order_no,
    distributor_id,
    city_id: sale.merchant.city_id,
    role: 'direct',
    base_cents: cents,
    rate_bp: 500,
    amount_cents: Math.round(cents / 20),
    paid_at: at,
    status: 'frozen',
  })
  return line_id!
}
const live = async (asked: object, by = maker): Promise<LiveRow[]> =>
  (await done(calls.lst, { ...asked, page: 1, pageSize: 50 }, by)).list
/** Three sellers of a week: the second and the third have sold as much. */
const contest = async () => {
  const week = ownWeek()
  const people = [
    await freshSeller(database),
    await freshSeller(database),
    await freshSeller(database),
  ] as const
  const line = await sold(people[0].id, 90_000, week.from + DAY)
  await sold(people[1].id, 50_000, week.from + DAY)
  await sold(people[2].id, 50_000, week.to)
  return { week, people, line }
}
const frozen = async (week: object) => {
  const { id } = await done(calls.freezeList, { ...week, who: 'expert', reason: '月度评奖' })
  const { list } = await done(calls.lists, { page: 1, pageSize: 50 })
  return (list as { id: number; version: number }[]).find(one => one.id === id)!
}
const again = async (id: number) => {
  const { list } = await done(calls.lists, { page: 1, pageSize: 100 })
  return (list as { id: number; version: number; status: string; excluded: number }[]).find(
    one => one.id === id,
  )!
}

describe('the ranking', () => {
  it('shares places, leaves out other weeks, and says how places moved', async () => {
    const { week, people } = await contest()
    const before = { from: week.from - 7 * DAY, to: week.from - 1 }
    await sold(people[2].id, 70_000, before.from + DAY)
    expect(
      (await live({ ...week, who: 'expert' })).map(one => [one.id, one.place, one.place_before]),
    ).toEqual([
      [people[0].id, 1, null],
      [people[1].id, 2, null],
      [people[2].id, 2, 1],
    ])
  })
  it('counts what was paid less what went back', async () => {
    const { week, people, line } = await contest()
    await database.db
      .update(settle_line)
      .set({ gone_base_cents: 60_000, gone_merchant_cents: 60_000 })
      .where(eq(settle_line.id, line))
    const rows = await live({ ...week, who: 'expert' })
    expect(rows.map(one => [one.id, one.net_cents, one.place])).toEqual([
      [people[1].id, 50_000, 1],
      [people[2].id, 50_000, 1],
      [people[0].id, 30_000, 3],
    ])
  })
  it('is of what a person sees', async () => {
    const { week } = await contest()
    const elsewhere = await addStaff(database, {
      perms: ['distribution.ranking.*'],
      role: { scope_type: 'city', scope_ids: [sale.merchant.city_id + 1] },
    })
    expect(await live({ ...week, who: 'expert' }, elsewhere)).toEqual([])
    const said = await refused(
      calls.freezeList,
      { ...week, who: 'expert', reason: '评奖' },
      elsewhere,
    )
    expect(said.message).toContain('自己')
  })
})
describe('a frozen list', () => {
  it('stays as it was, shows what refunds did since, and is frozen once', async () => {
    const { week, people, line } = await contest()
    const { id } = await frozen(week)
    await database.db
      .update(settle_line)
      .set({ gone_base_cents: 90_000, gone_merchant_cents: 90_000 })
      .where(eq(settle_line.id, line))
    const { rows } = await done(calls.detail, { id })
    expect(rows[0]).toMatchObject({
      id: people[0].id,
      place: 1,
      net_cents: 90_000,
      now_cents: 0,
    })
    const twice = await refused(calls.freezeList, { ...week, who: 'expert', reason: '再冻一次' })
    expect(twice.message).toContain('已冻结')
    const early = { from: now - DAY, to: now, who: 'expert', reason: '评奖' }
    expect((await refused(calls.freezeList, early)).message).toContain('还没有结束')
    expect(
      (await refused(calls.freezeList, { ...ownWeek(), who: 'expert', reason: '评奖' })).message,
    ).toContain('没有上榜')
  })
  it('is published and taken back, with masked names', async () => {
    const { week } = await contest()
    const one = await frozen(week)
    const said = await done(calls.publish, { id: one.id, version: one.version })
    expect((await refused(calls.publish, { id: one.id, version: said.version })).message).toContain(
      '已发布',
    )
    const { rows } = await done(calls.detail, { id: one.id })
    for (const row of rows) expect(row.masked).not.toBe(row.name)
    await done(calls.unpublish, { id: one.id, version: said.version, reason: '有人申诉' })
    expect((await again(one.id)).status).toBe('unpublished')
  })
  it('lets somebody be taken off; those after move up, and the log names them', async () => {
    const { week, people } = await contest()
    const one = await frozen(week)
    await done(calls.exclude, { id: one.id, version: one.version, place: 1, reason: '自买刷单' })
    const { rows, excluded } = await done(calls.detail, { id: one.id })
    expect(rows.map((row: LiveRow) => [row.id, row.place])).toEqual([
      [people[1].id, 1],
      [people[2].id, 1],
    ])
    expect(excluded).toMatchObject([{ id: people[0].id, reason: '自买刷单' }])
    const [logged] = await database.db
      .select()
      .from(op_log)
      .where(sql`${op_log.object_type} = 'dist_rank' and ${op_log.object_id} = ${one.id}`)
      .orderBy(sql`id desc`)
    expect(logged!.reason).toContain(people[0].name)
    const { version } = await again(one.id)
    expect(
      (await refused(calls.exclude, { id: one.id, version, place: 9, reason: '没有' })).status,
    ).toBe(400)
  })
  it('gives each person a prize once, into the balance, debts first', async () => {
    const { week, people } = await contest()
    await database.transaction(tx =>
      post(tx, {
        biz: 'adjust',
        biz_id: 1,
        biz_no: 'T',
        idem_key: `test:Q:debt:${people[1].id}`,
        at: now,
        lines: [
          ...lineOf(distributors('distributor_debt', people[1].id), 3_000),
          ...lineOf(ours('distribution_expense'), -3_000),
        ],
      }),
    )
    await database.db
      .update(distributor)
      .set({ status: 'frozen' })
      .where(eq(distributor.id, people[2].id))
    const one = await frozen(week)
    const asked = { id: one.id, rule: '1 100\n2-3 50', reason: '七月榜单奖励' }
    const given = await done(calls.grantPrize, { ...asked, version: one.version })
    expect(given).toMatchObject({ count: 2, amount_cents: 15_000 })
    const balances = await Promise.all(
      people.map(person => balanceOf(database.db, distributors('distributor_balance', person.id))),
    )
    expect(balances).toEqual([-10_000, -2_000, 0])
    expect(await balanceOf(database.db, distributors('distributor_debt', people[1].id))).toBe(0)
    const { version } = await again(one.id)
    expect((await refused(calls.grantPrize, { ...asked, version })).message).toContain('已发放过')
    const prizes = await database.db
      .select()
      .from(dist_rank_prize)
      .where(eq(dist_rank_prize.rank_id, one.id))
    const rows = await database.db
      .select()
      .from(dist_commission)
      .where(
        inArray(
          dist_commission.id,
          prizes.map(prize => prize.commission_id),
        ),
      )
    expect(rows.map(row => [row.role, row.status, row.amount_cents]).sort()).toEqual([
      ['prize', 'settled', 10_000],
      ['prize', 'settled', 5_000],
    ])
    const wrong = await refused(calls.grantPrize, { ...asked, version, rule: '第一名 500' })
    expect(wrong.status).toBe(400)
  })
})
