import { and, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { ours, type AccountOf } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { fundPlan, planAccount } from '#src/areas/subsidy/planFund.server.ts'
import { subsidy_flag, subsidy_log } from '#src/areas/subsidy/subsidy.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { lastingProduct, onlyOwnRules } from '../../help/limits.ts'
import { finishPayouts } from '../../help/orders.ts'
import { membersOf } from '../../help/redeem.ts'
import { onlyOwnPlans, planNow, planOf } from '../../help/subsidies.ts'

let database: Database
let goods: { id: number; price_cents: number }
let buyers: number[]
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  await onlyOwnRules(database)
  goods = await lastingProduct(database)
  buyers = (await membersOf(database, 4)).map(one => one.id)
}, 120_000)
beforeEach(() => onlyOwnPlans(database))

const place = (qty = 1, member_id = buyers[0]!, at = now) =>
  database.transaction(tx =>
    placeOrder(tx, { member_id, product_id: goods.id, qty, proved: true, now: at }),
  )
const pay = (id: number) => database.transaction(tx => payOrder(tx, id, now))
const close = (id: number) =>
  database.transaction(tx =>
    closeUnpaid(tx, id, now, { type: 'member', actor: { type: 'member' }, reason: '' }),
  )
const refund = async (order_id: number, one = false) => {
  const codes = await database.db
    .select({ id: order_code.id })
    .from(order_code)
    .where(and(eq(order_code.order_id, order_id), eq(order_code.state, 'unused')))
    .limit(1)
  await database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted: one ? { codes: codes.map(({ id }) => ({ id, times: 1 })) } : 'all',
      source: 'member',
      cause: 'compensate',
      reason: '不想要了',
      actor: { type: 'member' },
      now,
    }),
  )
  await finishPayouts(database, now)
}
const logOf = (order_id: number) =>
  database.db
    .select()
    .from(subsidy_log)
    .where(eq(subsidy_log.order_id, order_id))
    .orderBy(subsidy_log.id)
const kindsOf = async (order_id: number) =>
  (await logOf(order_id)).map(row => [row.kind, row.amount_cents])
const expense = (plan_id: number) => balanceOf(database.db, planAccount('subsidy_expense', plan_id))

describe('a subsidy', () => {
  it('is promised with the order, granted when it is paid, and paid by who bears it', async () => {
    const plan = await planOf(database, {
      platform_bp: 7000,
      merchant_bp: 3000,
      unit_cents: 201,
    })
    const made = await place(3)
    expect(made.platform_discount_cents + made.store_discount_cents).toBe(603)
    expect(made.pay_cents).toBe(3 * goods.price_cents - 603)
    const [item] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, made.id))
    expect([item!.pay_cents, item!.platform_cents]).toEqual([
      made.pay_cents,
      made.platform_discount_cents,
    ])
    expect(await planNow(database, plan.id)).toMatchObject({ locked_cents: 603, used_cents: 0 })
    await pay(made.id)
    expect(await planNow(database, plan.id)).toMatchObject({
      locked_cents: 0,
      used_cents: 603,
      orders: 1,
      gmv_cents: made.pay_cents,
    })
    const rows = await logOf(made.id)
    expect(rows.map(row => row.kind)).toEqual(['lock', 'grant'])
    expect(rows[1]).toMatchObject({
      platform_cents: 422,
      merchant_cents: 181,
      used_after_cents: 603,
    })
    expect(await expense(plan.id)).toBe(422)
    const [txn] = await database.db
      .select()
      .from(ledger_txn)
      .where(eq(ledger_txn.id, rows[1]!.txn_id!))
    expect(txn).toMatchObject({ biz: 'subsidy', biz_no: made.order_no, amount_cents: 422 })
  })
  it('comes back with the units that are refunded, exactly, and once', async () => {
    const plan = await planOf(database, { unit_cents: 101 })
    const made = await place(3)
    await pay(made.id)
    await refund(made.id, true)
    expect(await kindsOf(made.id)).toEqual([
      ['lock', 303],
      ['grant', 303],
      ['reverse', -101],
    ])
    await refund(made.id)
    expect((await kindsOf(made.id)).slice(3)).toEqual([['reverse', -202]])
    expect(await planNow(database, plan.id)).toMatchObject({ used_cents: 0, locked_cents: 0 })
    expect(await expense(plan.id)).toBe(0)
  })
  it('is freed when the order closes unpaid', async () => {
    const plan = await planOf(database)
    const made = await place()
    await close(made.id)
    expect(await kindsOf(made.id)).toEqual([
      ['lock', 200],
      ['unlock', -200],
    ])
    expect(await planNow(database, plan.id)).toMatchObject({ locked_cents: 0, used_cents: 0 })
  })
  it('is nothing where the budget does not reach: the order pays the full price', async () => {
    await planOf(database, { budget_cents: 399 })
    expect((await place(2)).pay_cents).toBe(2 * goods.price_cents)
    expect((await place(1)).pay_cents).toBe(goods.price_cents - 200)
    expect((await place(1)).pay_cents).toBe(goods.price_cents)
  })
  it.each([
    ['of a day', { day_budget_cents: 300 }],
    ['of a member’s day', { per_member_day_cents: 300 }],
    ['of a member’s orders', { per_member_count: 1 }],
  ])('keeps within the limit %s', async (name, limit) => {
    await planOf(database, limit)
    const first = await place()
    expect(first.platform_discount_cents).toBe(200)
    expect((await place()).platform_discount_cents).toBe(0)
    expect((await place(1, buyers[1])).platform_discount_cents).toBe(name === 'of a day' ? 0 : 200)
    if (name === 'of a day') return
    await close(first.id)
    expect((await place()).platform_discount_cents).toBe(200)
  })
  it('begins a new day with a new budget of the day', async () => {
    await planOf(database, { day_budget_cents: 200 })
    expect((await place()).platform_discount_cents).toBe(200)
    expect((await place()).platform_discount_cents).toBe(0)
    expect((await place(1, buyers[0], now + 86_400)).platform_discount_cents).toBe(200)
  })
  it('is of the first plan alone, unless both stack', async () => {
    const first = await planOf(database, { priority: 1, unit_cents: 100 })
    await planOf(database, { priority: 2, unit_cents: 50 })
    const made = await place()
    expect((await logOf(made.id)).map(row => row.plan_id)).toEqual([first.id])
    await onlyOwnPlans(database)
    await planOf(database, { stackable: true, formula: 'percent', percent_bp: 5000 })
    await planOf(database, { stackable: true, formula: 'percent', percent_bp: 5000, priority: 1 })
    const half = Math.floor(goods.price_cents / 2)
    const stacked = half + Math.floor((goods.price_cents - half) / 2)
    expect((await place()).platform_discount_cents).toBe(stacked)
  })
  it('refuses the orders of a member that its plan has flagged, and says so', async () => {
    const plan = await planOf(database)
    await database.db
      .insert(subsidy_flag)
      .values({ plan_id: plan.id, member_id: buyers[3]!, reason: '套现', admin_id: 1 })
    await expect(place(1, buyers[3])).rejects.toThrow(plan.name)
    expect((await place(1, buyers[2])).platform_discount_cents).toBe(200)
  })
  it('of goods that have another price already is none', async () => {
    await planOf(database)
    const made = await database.transaction(tx =>
      placeOrder(tx, {
        member_id: buyers[0]!,
        product_id: goods.id,
        qty: 1,
        proved: true,
        now,
        platform_discount_cents: 5,
      }),
    )
    expect(made.platform_discount_cents).toBe(5)
  })
})

type Act = { name: 'place' | 'pay' | 'close' | 'refund' | 'refundOne'; n: number }
/** Invariant 9 of the domain: budgets hold, and used is grants less what came back. */
const check = async (ids: number[]) => {
  for (const id of ids) {
    const plan = await planNow(database, id)
    const rows = await database.db.select().from(subsidy_log).where(eq(subsidy_log.plan_id, id))
    const sum = (kinds: string[]) =>
      rows.filter(row => kinds.includes(row.kind)).reduce((all, row) => all + row.amount_cents, 0)
    expect(plan.used_cents).toBe(sum(['grant', 'reverse']))
    expect(plan.locked_cents).toBe(sum(['lock', 'unlock']) - sum(['grant']))
    expect(plan.used_cents + plan.locked_cents).toBeLessThanOrEqual(plan.budget_cents)
    const platform = rows
      .filter(row => ['grant', 'reverse'].includes(row.kind))
      .reduce((all, row) => all + row.platform_cents, 0)
    expect(await expense(id)).toBe(platform)
    const last = rows.filter(row => row.kind === 'grant' || row.kind === 'reverse').at(-1)
    expect(last?.used_after_cents ?? 0).toBe(plan.used_cents)
    for (const row of rows.filter(one => one.txn_id !== null)) {
      const entries = await database.db
        .select()
        .from(ledger_entry)
        .where(eq(ledger_entry.txn_id, row.txn_id!))
      const debit = entries.reduce((all, one) => all + Math.max(0, one.amount_cents), 0)
      expect(debit).toBe(Math.abs(row.platform_cents + row.mall_cents))
    }
  }
}
it('whatever is ordered, paid, closed and refunded, budgets hold and what is used is what was granted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          name: fc.constantFrom<Act['name']>(
            'place',
            'place',
            'pay',
            'close',
            'refund',
            'refundOne',
          ),
          n: fc.nat(99),
        }),
        { maxLength: 20 },
      ),
      async acts => {
        await onlyOwnPlans(database)
        const plans = [
          await planOf(database, { budget_cents: 1500, unit_cents: 133, stackable: true }),
          await planOf(database, {
            formula: 'percent',
            percent_bp: 700,
            platform_bp: 3333,
            merchant_bp: 6667,
            stackable: true,
            priority: 1,
          }),
        ]
        const made: number[] = []
        for (const { name, n } of acts)
          try {
            if (name === 'place') made.push((await place(1 + (n % 4), buyers[n % 3])).id)
            const id = made[n % Math.max(1, made.length)]
            if (id === undefined) continue
            if (name === 'pay') await pay(id)
            if (name === 'close') await close(id)
            if (name === 'refund' || name === 'refundOne') await refund(id, name === 'refundOne')
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
          }
        await check(plans.map(plan => plan.id))
      },
    ),
    { numRuns: 12 },
  )
}, 120_000)

onlyOn('postgres')('orders at once', () => {
  it('never overrun a budget: whoever would pays the full price', async () => {
    const plan = await planOf(database, { budget_cents: 1100 })
    const placed = await Promise.all(Array.from({ length: 20 }, (_, n) => place(1, buyers[n % 3])))
    expect(placed.filter(one => one.platform_discount_cents === 200).length).toBe(5)
    await Promise.all(placed.map(one => pay(one.id)))
    const after = await planNow(database, plan.id)
    expect(after).toMatchObject({ used_cents: 1000, locked_cents: 0, orders: 5 })
    const [sum] = await database.db
      .select({ cents: sql<string>`sum(${subsidy_log.amount_cents})` })
      .from(subsidy_log)
      .where(
        and(
          eq(subsidy_log.kind, 'grant'),
          inArray(
            subsidy_log.order_id,
            placed.map(one => one.id),
          ),
        ),
      )
    expect(Number(sum!.cents)).toBe(1000)
    const paid = await database.db
      .select({ id: order.id })
      .from(order)
      .where(
        and(
          eq(order.pay_state, 'paid'),
          inArray(
            order.id,
            placed.map(one => one.id),
          ),
        ),
      )
    expect(paid.length).toBe(20)
  })
})

describe('a plan that a mall pays for', () => {
  it('spends what the mall has paid in', async () => {
    const plan = await planOf(database, { platform_bp: 5000, mall_bp: 5000, mall_id: 1 })
    const fund: AccountOf = planAccount('plan_fund', plan.id)
    const before = await balanceOf(database.db, fund)
    await database.transaction(tx =>
      post(tx, {
        biz: 'charge_in',
        biz_id: 1,
        biz_no: 'T',
        idem_key: `test-fund:${plan.id}`,
        at: now,
        lines: [
          { ...ours('bank_cash'), amount_cents: 60_000_00 },
          { kind: 'mall_fund', owner_kind: 'mall', owner_id: 1, amount_cents: -60_000_00 },
        ],
      }),
    )
    await database.transaction(tx =>
      fundPlan({ tx, now, staff: { id: 1 } } as never, plan, plan.budget_cents),
    )
    expect(await balanceOf(database.db, fund)).toBe(before - 50_000_00)
    const made = await place(2)
    await pay(made.id)
    expect(await balanceOf(database.db, fund)).toBe(before - 50_000_00 + 200)
    await refund(made.id)
    expect(await balanceOf(database.db, fund)).toBe(before - 50_000_00)
    const there = -(await balanceOf(database.db, {
      kind: 'mall_fund',
      owner_kind: 'mall',
      owner_id: 1,
    }))
    await expect(
      database.transaction(tx =>
        fundPlan({ tx, now, staff: { id: 1 } } as never, { ...plan, version: 9 }, 2 * there + 2),
      ),
    ).rejects.toThrow('商场资金余额')
  })
})
