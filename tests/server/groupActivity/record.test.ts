import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { keepingBlocks } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_log, buy_limit_rule } from '#src/areas/limit/limit.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { risk_list } from '#src/areas/risk/risk.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { limitHits as calls } from '#src/modules/groupActivity/contract/record.ts'
import { buyLimitLog } from '#src/modules/system/contract/buyLimitLog.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { lastingProduct, onlyOwnRules, ruleOf } from '../../help/limits.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let goods: typeof product.$inferSelect
const now = unixNow()
const PHONE = '17755550000'
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  await onlyOwnRules(database)
})
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const done = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(200)
  return said.data
}
let people = 0
/** A member who bought one piece and was stopped at two more by a rule of one; and that rule. */
const hit = async (of: Parameters<typeof ruleOf>[1] = {}) => {
  const n = String(++people).padStart(4, '0')
  const who = { uid: `T77${n}`, nickname: `拦截会员${n}`, phone: `1775555${n}`, city_id: 1 }
  const [made] = await database.db
    .insert(member)
    .values({ ...who, register_at: now })
    .returning()
  goods = await lastingProduct(database)
  const scope = { scope_kind: 'product' as const, scope_ids: [goods.id] }
  const rule = await ruleOf(database.db, { ...scope, qty: 2, dimension: 'phone', ...of })
  const buy = (qty: number, at = now) =>
    keepingBlocks(database, tx =>
      placeOrder(tx, { product_id: goods.id, qty, member_id: made!.id, proved: true, now: at }),
    )
  const first = await buy(1)
  await buy(2).catch(() => undefined)
  await database.db
    .update(buy_limit_rule)
    .set({ status: 'off' })
    .where(eq(buy_limit_rule.id, rule.id))
  const { list } = await done(calls.lst, { member_id: made!.id })
  return { row: list[0], list, phone: who.phone, member_id: made!.id, rule, order: first, buy }
}

describe('the log of limited group-buys', () => {
  it('shows what was wanted, bought and left, by which rule, and what became of it', async () => {
    const { row, rule, member_id, buy } = await hit()
    expect(row).toMatchObject({
      asked_n: 2,
      bought_n: 1,
      allowed_n: 1,
      limit_n: 2,
      rule_id: rule.id,
      rule_said: { name: rule.name },
      dimension: 'phone',
      folded: 1,
      later: null,
    })
    expect(row.bought_n + row.allowed_n).toBeLessThanOrEqual(row.limit_n)
    const after = await buy(1, now + 60)
    const { list } = await done(calls.lst, { member_id })
    expect(list[0].later).toMatchObject({ id: after.id })
  })
  it('is the one table of all limits, of group-buys alone', async () => {
    const { row, member_id } = await hit()
    expect(
      (await done(buyLimitLog.lst, { member_id })).list.map((one: { id: number }) => one.id),
    ).toEqual([row.id])
    await database.db
      .update(buy_limit_log)
      .set({ product_kind: 'elist' })
      .where(eq(buy_limit_log.id, row.id))
    expect((await done(calls.lst, { member_id })).list).toEqual([])
    expect((await done(buyLimitLog.lst, { member_id })).list).toHaveLength(1)
  })
  it('is found by a whole phone, by rule, product, dimension and mall', async () => {
    const { row, rule, list, phone } = await hit()
    const found = async (of: object) =>
      (await done(calls.lst, of)).list.map((one: { id: number }) => one.id)
    expect(list).toHaveLength(1)
    expect(await found({ phone })).toEqual([row.id])
    expect(await found({ phone: phone.slice(0, 8) })).toEqual([])
    expect(await found({ rule_id: rule.id })).toEqual([row.id])
    expect(await found({ rule_id: rule.id, dimension: 'device' })).toEqual([])
    expect(await found({ product_id: goods.id, mid: goods.mall_id })).toContain(row.id)
    expect((await call(calls.lst, { from: now - 93 * 86_400, to: now })).data.rule).toBe(
      'period_too_long',
    )
  })
  it('masks phone and device from whom may not see them', async () => {
    const { member_id } = await hit()
    const masked = await addStaff(database, {
      perms: ['groupActivity.record.view'],
      role: { field_rules: { 'member.phone': 'mask' } },
    })
    const [row] = (await call(calls.lst, { member_id }, masked.token)).data.list
    expect([row.phone, row.dim_value].join()).toMatch(/^177\*+\d{4},177\*+\d{4}$/)
  })
  it('tells the rule as it was, and as it is now or that it is gone', async () => {
    const { row, rule } = await hit()
    await database.db.update(buy_limit_rule).set({ qty: 9 }).where(eq(buy_limit_rule.id, rule.id))
    expect(await done(calls.viewRule, { id: row.id })).toMatchObject({
      was: { qty: 2 },
      now: { qty: 9, status: 'off' },
    })
    await database.db.delete(buy_limit_rule).where(eq(buy_limit_rule.id, rule.id))
    expect(await done(calls.viewRule, { id: row.id })).toMatchObject({ was: { qty: 2 }, now: null })
  })
  it('lists the orders that counted, with what they gave back', async () => {
    const { row, order } = await hit()
    expect((await done(calls.orders, { id: row.id })).list).toMatchObject([
      { id: order.id, qty: 1, returned: 0 },
    ])
  })
  it('is explained in the log of all limits by the orders that counted', async () => {
    const { row, order, buy } = await hit({ qty: 2 })
    await database.db
      .update(buy_limit_rule)
      .set({ status: 'on' })
      .where(eq(buy_limit_rule.id, row.rule_id))
    const explain = () => done(buyLimitLog.explain, { id: row.id })
    expect(await explain()).toMatchObject({
      bought_then: 1,
      bought_now: 1,
      would_pass_now: false,
      orders: [{ id: order.id, counts: true }],
    })
    await buy(1)
    expect((await explain()).bought_now).toBe(2)
  })
  it('ranks rules and members by all their hits', async () => {
    const { row, rule, member_id } = await hit()
    await database.db
      .update(buy_limit_log)
      .set({ folded: 100_000 })
      .where(eq(buy_limit_log.id, row.id))
    const { rules, members } = await done(calls.ranking, {})
    expect(rules[0]).toMatchObject({ id: rule.id, hits: 100_000, buyers: 1 })
    expect(members[0]).toMatchObject({ id: member_id, hits: 100_000 })
  })
})

describe('from a row', () => {
  it('a member is exempt from its rule, for the next order and until a time', async () => {
    const { row, rule, member_id, buy } = await hit()
    await database.db
      .update(buy_limit_rule)
      .set({ status: 'on' })
      .where(eq(buy_limit_rule.id, rule.id))
    await done(calls.exempt, { id: row.id, days: 3, reason: '企业采购' })
    await buy(5)
    const { list } = await done(calls.lst, { member_id })
    expect(list[0].exempt_until).toBeGreaterThan(now)
  })
  it('a member is black-listed once, and no visitor is', async () => {
    const { row, member_id } = await hit()
    const add = () => call(calls.addList, { id: row.id, days: 30, reason: '黄牛' })
    expect((await add()).data.already).toBe(false)
    expect((await add()).data.already).toBe(true)
    const on = await database.db
      .select()
      .from(risk_list)
      .where(and(eq(risk_list.value, String(member_id)), eq(risk_list.status, 'on')))
    expect(on).toHaveLength(1)
    await database.db
      .update(buy_limit_log)
      .set({ member_id: null, visitor_phone: PHONE })
      .where(eq(buy_limit_log.id, row.id))
    expect((await add()).data.rule).toBe('visitor')
    expect((await call(calls.exempt, { id: row.id, days: 1, reason: '访客' })).data.rule).toBe(
      'visitor',
    )
    expect((await done(calls.lst, { phone: PHONE })).list[0]).toMatchObject({
      id: row.id,
      member_id: null,
    })
    expect((await done(buyLimitLog.explain, { id: row.id })).row).toMatchObject({ member_id: null })
  })
  it('nothing is done to a row of another city', async () => {
    const { row } = await hit()
    const role = { scope_type: 'city' as const, scope_ids: [goods.city_id + 1] }
    const other = await addStaff(database, { perms: ['groupActivity.record.*'], role })
    for (const what of [calls.viewRule, calls.orders])
      expect((await call(what, { id: row.id }, other.token)).status).toBe(404)
    expect(
      (await call(calls.exempt, { id: row.id, days: 1, reason: '别人的' }, other.token)).status,
    ).toBe(404)
  })
})

/** Every filter that the page offers finds its rows by an index, however many there are. */
it('is read by an index under every filter', async () => {
  await database.db.execute(
    sql`insert into buy_limit_log (member_id, product_id, product_kind, city_id, mall_id, rule, dimension, limit_n, bought_n, asked_n, created_at) select 1 + n % 20, (select min(id) from product) , case when n % 3 = 0 then 'bulks' else 'card' end, 1, 1 + n % 40, 'rule', 'member', 1, 1, 1, ${now - 86_400} - n % 7000000 from generate_series(1, 60000) n`,
  )
  await database.db.execute(sql`analyze buy_limit_log`)
  const wheres = {
    plain: sql`true`,
    member: sql`member_id = 7`,
    product: sql`product_id = 5`,
    rule: sql`rule_id = 3`,
    dimension: sql`dimension = 'receiver'`,
    mall: sql`mall_id = 7`,
  }
  for (const [name, where] of Object.entries(wheres)) {
    const { rows } = await database.db.execute<{ 'QUERY PLAN': string }>(
      sql`explain select * from buy_limit_log where product_kind = 'bulks' and created_at >= ${now - 92 * 86_400} and created_at <= ${now} and ${where} order by created_at desc, id desc limit 50`,
    )
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    expect(plan, name).not.toContain('Seq Scan')
  }
})
