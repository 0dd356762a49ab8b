import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { merchants, ours } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { planAccount } from '#src/areas/subsidy/planFund.server.ts'
import { endPlans } from '#src/areas/subsidy/plans.server.ts'
import { subsidy_claim, subsidy_log, subsidy_plan } from '#src/areas/subsidy/subsidy.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { subsidyPlans as calls } from '#src/modules/settle/contract/subsidy.ts'
import { subsidyLogs as logs } from '#src/modules/settle/contract/subsidyLogs.ts'
import { subsidyLogsServer } from '#src/modules/settle/server/subsidyLogs.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { fill } from '../../help/fill.ts'
import { lastingProduct, onlyOwnRules } from '../../help/limits.ts'
import { membersOf } from '../../help/redeem.ts'
import { onlyOwnPlans, planNow, planOf } from '../../help/subsidies.ts'

let database: Database
let app: App
let maker: Awaited<ReturnType<typeof addStaff>>
let checker: Awaited<ReturnType<typeof addStaff>>
let goods: Awaited<ReturnType<typeof lastingProduct>>
let buyer: number
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['*'] })
  checker = await addStaff(database, { perms: ['*'] })
  await onlyOwnRules(database)
  await onlyOwnPlans(database)
  goods = await lastingProduct(database)
  buyer = (await membersOf(database))[0]!.id
}, 120_000)
const call = (what: Parameters<typeof send>[1], input: object, by = maker) =>
  send(app, what, input, { token: by.token })
const done = async (what: Parameters<typeof send>[1], input: object, by = maker) => {
  const said = await call(what, input, by)
  expect(said.status, said.message).toBe(200)
  return said.data
}
let made = 0
const fields = (of: object = {}) => ({
  name: `计划测试第${++made}号`,
  scope_kind: 'product',
  scope_ids: [goods.id],
  product_kind: 'all',
  levels: [],
  formula: 'fixed',
  unit_cents: 100,
  percent_bp: 0,
  cap_cents: null,
  zero_price: false,
  platform_bp: 10_000,
  mall_bp: 0,
  merchant_bp: 0,
  mall_id: 0,
  budget_cents: 1000,
  day_budget_cents: null,
  per_member_day_cents: null,
  per_member_count: null,
  stackable: false,
  priority: 0,
  warn_bp: 8000,
  start_at: now - 60,
  end_at: now + 30 * DAY,
  ...of,
})
type One = { id: number; version: number }
const drafted = (of: object = {}): Promise<One> =>
  done(calls.create, fields({ priority: ++made % 1000, ...of }))
const audited = async (of: object = {}): Promise<One> => {
  const { id, version } = await drafted(of)
  return done(calls.submit, { id, version })
}
const approved = async (of: object = {}): Promise<One> => {
  const { id, version } = await audited(of)
  return done(calls.approve, { id, version }, checker)
}
const rowOf = async (id: number) =>
  (await done(calls.lst, { keyword: String(id) })).list.find((row: One) => row.id === id)

describe('a plan', () => {
  it.each([
    ['whose shares are not all', { platform_bp: 9000 }, ['platform_bp']],
    ['that names nothing', { scope_ids: [] }, ['scope_ids']],
    ['of a product that is not there', { scope_ids: [999_999] }, ['scope_ids']],
    ['whose mall is not named', { platform_bp: 9000, mall_bp: 1000 }, ['mall_id']],
    ['that ends before it starts', { end_at: now - 61 }, ['end_at']],
  ])('%s is refused at the field', async (_, of, at) => {
    const said = await call(calls.create, fields(of))
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, at])
  })
  it('is asked for by one person and granted by another, and gives from then on', async () => {
    const { id, version } = await audited({ budget_cents: 777 })
    const own = await call(calls.approve, { id, version })
    expect([own.status, own.data.rule]).toEqual([422, 'own_plan'])
    expect((await call(calls.reject, { id, version, reason: '预算太高' })).data.rule).toBe(
      'own_plan',
    )
    await done(calls.approve, { id, version }, checker)
    const row = await rowOf(id)
    expect(row).toMatchObject({ state: 'enabled', left_cents: 777, lasts_s: null, warns: false })
    expect(row.approver).not.toBe('')
    const [logged] = await database.db
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.action, 'settle.subsidy.approve'),
          eq(op_log.object_id, id),
          eq(op_log.result, 'ok'),
        ),
      )
    expect(logged).toMatchObject({ object_type: 'subsidy_plan', admin_id: checker.id })
  })
  it('goes only the ways that its state allows', async () => {
    const draft = await drafted()
    expect((await call(calls.approve, draft, checker)).data.rule).toBe('wrong_state')
    expect((await call(calls.pause, { ...draft, reason: '先停' })).data.rule).toBe('wrong_state')
    const sent = await done(calls.submit, draft)
    expect((await call(calls.edit, { ...sent, ...fields() })).data.rule).toBe('wrong_state')
    const refused = await done(calls.reject, { ...sent, reason: '预算太高' }, checker)
    expect((await rowOf(draft.id)).reason).toBe('预算太高')
    const edited = await done(calls.edit, { ...refused, ...fields({ priority: 998 }) })
    expect((await rowOf(draft.id)).state).toBe('draft')
    const again = await done(calls.submit, { id: draft.id, version: edited.version })
    const on = await done(calls.approve, again, checker)
    const paused = await done(calls.pause, { ...on, reason: '先停' })
    const resumed = await done(calls.resume, paused)
    const ended = await done(calls.end, { ...resumed, reason: '活动结束' })
    expect((await call(calls.resume, ended)).data.rule).toBe('wrong_state')
  })
  it('is not granted beside one of the same priority on the same goods', async () => {
    await approved({ priority: 5 })
    const { id, version } = await audited({ priority: 5 })
    const said = await call(calls.approve, { id, version }, checker)
    expect([said.status, said.data.rule]).toEqual([422, 'plans_clash'])
  })
  it('is copied as a draft of whoever copies it', async () => {
    const first = await approved({ unit_cents: 321 })
    const copy = await done(
      calls.copy,
      { ...first, name: `副本${++made}`, start_at: now, end_at: now + DAY },
      checker,
    )
    expect(await planNow(database, copy.id)).toMatchObject({
      unit_cents: 321,
      status: 'draft',
      used_cents: 0,
      maker_id: checker.id,
    })
  })
  it('has a budget that another person raises and cuts, never below what is used', async () => {
    const on = await approved({ budget_cents: 1000 })
    await database.db
      .update(subsidy_plan)
      .set({ used_cents: 300, locked_cents: 200 })
      .where(eq(subsidy_plan.id, on.id))
    const by = { ...on, reason: '调整预算' }
    expect((await call(calls.addBudget, { ...by, amount_cents: 5 })).data.rule).toBe('own_plan')
    const cut = await call(calls.cutBudget, { ...by, amount_cents: 501 }, checker)
    expect(cut.data.rule).toBe('budget_bound')
    const after = await done(calls.cutBudget, { ...by, amount_cents: 500 }, checker)
    expect((await rowOf(on.id)).state).toBe('exhausted')
    await done(calls.addBudget, { ...by, version: after.version, amount_cents: 100 }, checker)
    expect(await planNow(database, on.id)).toMatchObject({ budget_cents: 600 })
    const rows = await database.db.select().from(subsidy_log).where(eq(subsidy_log.plan_id, on.id))
    expect(rows.map(row => [row.kind, row.amount_cents])).toEqual([
      ['budget_down', -500],
      ['budget_up', 100],
    ])
  })
  it('counts its states, and sums what they have', async () => {
    const name = `只此一批${++made}`
    await planOf(database, { name: `${name}甲`, budget_cents: 100, used_cents: 100 })
    await planOf(database, { name: `${name}乙`, budget_cents: 50, locked_cents: 45 })
    await planOf(database, { name: `${name}丙`, budget_cents: 7, start_at: now + DAY })
    const { stat, sums, list } = await done(calls.lst, { keyword: name })
    expect(stat).toEqual({ exhausted: 1, enabled: 1, scheduled: 1 })
    expect(sums).toEqual({ budget_cents: 157, used_cents: 100, locked_cents: 45 })
    expect(list.length).toBe(3)
    const warned = await done(calls.lst, { keyword: name, warns: true })
    expect(warned.list.length).toBe(2)
    for (const status of ['exhausted', 'enabled', 'scheduled']) {
      const some = await done(calls.lst, { keyword: name, status })
      expect(some.list.map((row: { state: string }) => row.state)).toEqual([status])
    }
    await onlyOwnPlans(database)
  })
  it('tells what it would give for a unit, and why another gives nothing', async () => {
    await onlyOwnPlans(database)
    const gives = await planOf(database, {
      stackable: true,
      unit_cents: 30,
      merchant_bp: 1000,
      platform_bp: 9000,
    })
    const spent = await planOf(database, {
      stackable: true,
      priority: 1,
      budget_cents: 5,
      used_cents: 5,
    })
    const said = await done(calls.simulate, { product_id: goods.id, price_cents: 500 })
    expect(said).toMatchObject({ price_cents: 500, pays_cents: 470 })
    expect(said.plans).toMatchObject([
      { id: gives.id, unit_cents: 30, platform_cents: 27, merchant_cents: 3, short: null },
      { id: spent.id, short: 'budget' },
    ])
    await onlyOwnPlans(database)
  })
  it('takes its mall’s share from the mall, and gives back what is left at its end', async () => {
    const fund = { kind: 'mall_fund', owner_kind: 'mall', owner_id: goods.mall_id || 1 } as const
    const mall_id = fund.owner_id
    const short = await audited({ platform_bp: 5000, mall_bp: 5000, mall_id, budget_cents: 2e8 })
    expect((await call(calls.approve, short, checker)).data.rule).toBe('mall_fund_short')
    await database.transaction(tx =>
      post(tx, {
        biz: 'charge_in',
        biz_id: 1,
        biz_no: 'T1',
        idem_key: 'test:mall-fund',
        at: now,
        lines: [
          { ...ours('bank_cash'), amount_cents: 900 },
          { ...fund, amount_cents: -900 },
        ],
      }),
    )
    const there = await balanceOf(database.db, fund)
    const on = await approved({ platform_bp: 5000, mall_bp: 5000, mall_id, budget_cents: 1001 })
    expect(await balanceOf(database.db, fund)).toBe(there + 501)
    expect(await balanceOf(database.db, planAccount('plan_fund', on.id))).toBe(-501)
    await database.db
      .update(subsidy_plan)
      .set({ start_at: now - 2, end_at: now - 1 })
      .where(eq(subsidy_plan.id, on.id))
    await endPlans(database, now)
    expect(await planNow(database, on.id)).toMatchObject({ status: 'ended' })
    expect(await balanceOf(database.db, fund)).toBe(there)
    expect(await endPlans(database, now)).toBe(0)
  })
})

describe('the log', () => {
  /** A grant of a plan of its own: an order of two units, ten yuan from the platform. */
  const granted = async (of: Partial<typeof subsidy_plan.$inferInsert> = {}) => {
    await onlyOwnPlans(database)
    const plan = await planOf(database, { unit_cents: 500, ...of })
    const sold = await database.transaction(tx =>
      placeOrder(tx, { member_id: buyer, product_id: goods.id, qty: 2, proved: true, now }),
    )
    await database.transaction(tx => payOrder(tx, sold.id, now))
    const { list, sums } = await done(logs.lst, { plan_id: plan.id, kind: 'grant' })
    return { plan, sold, row: list[0], sums }
  }
  it('shows who bore what, and its sums are its rows’', async () => {
    const { plan, sold, row, sums } = await granted({ platform_bp: 6000, merchant_bp: 4000 })
    expect(row).toMatchObject({
      amount_cents: 1000,
      platform_cents: 600,
      merchant_cents: 400,
      left_cents: 600,
      used_after_cents: 1000,
      flagged: false,
      claim: null,
    })
    expect(row.order.order_no).toBe(sold.order_no)
    expect(row.txn.no).not.toBe('')
    expect(sums).toEqual({ granted_cents: 1000, back_cents: 0, platform_cents: 600 })
    const found = await done(logs.lst, { order_no: sold.order_no.toLowerCase() })
    expect(found.list.map((one: { kind: string }) => one.kind)).toEqual(['grant', 'lock'])
    for (const by of ['plan', 'day', 'merchant', 'member']) {
      const { rows } = await done(logs.groups, { by, plan_id: plan.id })
      expect(rows).toMatchObject([{ granted_cents: 1000, back_cents: 0, orders: 1, members: 1 }])
    }
    expect((await call(logs.lst, { from: now - 100 * DAY, to: now })).status).toBe(422)
  })
  it('claims back what is left by two people: its merchant owes it, its plan has it again', async () => {
    const { plan, sold, row } = await granted({ platform_bp: 6000, merchant_bp: 4000 })
    const debt = () => balanceOf(database.db, merchants('merchant_debt', sold.merchant_id))
    const owed = await debt()
    const asked = await done(logs.clawback, { ids: [row.id], reason: '刷单套现' })
    expect(asked.ok).toEqual([row.id])
    const twice = await done(logs.clawback, { ids: [row.id], reason: '刷单套现' })
    expect(twice.failed[0]).toMatchObject({ id: row.id })
    const own = await call(logs.approveClaim, { id: row.id })
    expect([own.status, own.data.rule]).toEqual([422, 'own_claim'])
    await done(logs.approveClaim, { id: row.id }, checker)
    expect(await debt()).toBe(owed + 600)
    expect(await planNow(database, plan.id)).toMatchObject({ used_cents: 400 })
    expect(await balanceOf(database.db, planAccount('subsidy_expense', plan.id))).toBe(0)
    const late = await call(logs.rejectClaim, { id: row.id, reason: '证据不足' }, checker)
    expect(late.data.rule).toBe('decided')
    const none = await done(logs.clawback, { ids: [row.id], reason: '再追一次' })
    expect(none.failed.length).toBe(1)
  })
  it('leaves a grant whose claim is refused, which may be claimed again', async () => {
    const { plan, row } = await granted()
    await done(logs.clawback, { ids: [row.id], reason: '刷单套现' })
    await done(logs.rejectClaim, { id: row.id, reason: '证据不足' }, checker)
    expect(await planNow(database, plan.id)).toMatchObject({ used_cents: 1000 })
    const again = await done(logs.clawback, { ids: [row.id], reason: '新的证据' })
    expect(again.ok).toEqual([row.id])
  })
  it('flags a member of a plan, whose later orders are refused, until the flag is taken away', async () => {
    const { row } = await granted()
    await done(logs.flag, { ids: [row.id], reason: '同设备多账号' })
    const buy = () =>
      database.transaction(tx =>
        placeOrder(tx, { member_id: buyer, product_id: goods.id, qty: 1, proved: true, now }),
      )
    await expect(buy()).rejects.toThrow('可疑')
    const again = await done(logs.flag, { ids: [row.id], reason: '同设备多账号' })
    expect(again.failed.length).toBe(1)
    await done(logs.unflag, { ids: [row.id], reason: '核实无误' })
    await buy()
  })
  onlyOn('postgres')('of two who decide a claim at once', () => {
    it('one does, and it is claimed once', async () => {
      const { sold, row } = await granted()
      const owed = await balanceOf(database.db, merchants('merchant_debt', sold.merchant_id))
      await done(logs.clawback, { ids: [row.id], reason: '刷单套现' })
      const third = await addStaff(database, { perms: ['*'] })
      const said = await Promise.all([
        call(logs.approveClaim, { id: row.id }, checker),
        call(logs.approveClaim, { id: row.id }, third),
        call(logs.rejectClaim, { id: row.id, reason: '证据不足' }, third),
      ])
      expect(said.map(one => one.status).toSorted()).toEqual([200, 422, 422])
      const claims = await database.db
        .select()
        .from(subsidy_claim)
        .where(eq(subsidy_claim.log_id, row.id))
      const debt = await balanceOf(database.db, merchants('merchant_debt', sold.merchant_id))
      expect(debt - owed).toBe(claims[0]!.state === 'done' ? 1000 : 0)
    })
  })
  it('is found by an index, whatever it is filtered by', async () => {
    await fill(
      database.pool,
      `insert into subsidy_log (created_at, plan_id, kind, qty, member_id, merchant_id, city_id, mall_id, amount_cents, platform_cents, used_after_cents)
       select ${now} - n % 8000000, (select (array_agg(id order by id))[1 + n % count(*)::int] from subsidy_plan), case when n % 40 = 0 then 'reverse' else 'grant' end, 1, 1 + n % 200, 1 + n % 30, 1 + n % 20, n % 300, 1, 1, 1 from generate_series(1, 60000) n`,
    )
    await database.pool.query('analyze subsidy_log')
    const staff = { id: 1, scope: everything, lang: 'zh' as const, can: () => true }
    const scanned: string[] = []
    const filters = {
      none: {},
      plan_id: { plan_id: 1 },
      member_id: { member_id: 7 },
      merchant_id: { merchant_id: 7 },
      kind: { kind: 'reverse' },
      mid: { mid: 7 },
    }
    for (const [name, filter] of Object.entries(filters)) {
      const plans = await plansOf(database.pool, db =>
        subsidyLogsServer.handlers.lst(
          { page: 1, pageSize: 50, ...filter } as never,
          { db, staff, now } as never,
        ),
      )
      const asked = plans.filter(({ text }) => !text.includes('count(') && !text.includes('sum('))
      if (seqScans(asked, 'subsidy_log').length > 0) scanned.push(name)
    }
    expect(scanned).toEqual([])
  }, 60_000)
})
