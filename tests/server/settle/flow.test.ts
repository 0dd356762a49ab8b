import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { export_job } from '#src/areas/export/job.table.ts'
import { ledger_account, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import {
  lineOf,
  merchants,
  ours,
  type Business,
  type Posting,
  type PostingLine,
} from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { flow as calls } from '#src/modules/settle/contract/flow.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { applied, merchantWith } from '../../help/payouts.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let clerk: Awaited<ReturnType<typeof addStaff>>
let ofMall: Awaited<ReturnType<typeof addStaff>>
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  clerk = await addStaff(database, { perms: ['*'] })
  ofMall = await addStaff(database, {
    perms: ['settle.flow.*'],
    role: { scope_type: 'mall', scope_ids: [2] },
  })
})
const call = (what: What, input: object, by = clerk) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
let keys = 0
const owner = () => 2_000_000 + keys++
const posted = (
  lines: readonly PostingLine[],
  of: { biz?: Business; at?: number; no?: string; mall_id?: number } = {},
) =>
  database.transaction(tx =>
    post(tx, {
      biz: of.biz ?? 'adjust',
      biz_id: 1,
      biz_no: of.no ?? `D${keys}`,
      idem_key: `flow:${keys++}`,
      at: of.at ?? now,
      memo: '测试',
      place: { city_id: 1, mall_id: of.mall_id ?? 0 },
      lines,
    } satisfies Posting),
  )
const given = (to: number, cents: number) => [
  ...lineOf(ours('suspense'), cents),
  ...lineOf(merchants('merchant_balance', to), -cents),
]
const listed = async (filters: object, by = clerk) =>
  (await done(calls.lst, { pageSize: 200, ...filters }, by)).list as { id: number; no: string }[]
const why = { reason: '差错更正' }

describe('the journal', () => {
  it('finds a transaction by each of its filters, and by none that is not its own', async () => {
    const m = owner()
    const one = await posted(given(m, 12_345), { no: `DOC-${m}` })
    const other = await posted(given(owner(), 777))
    const [account] = await database.db
      .select()
      .from(ledger_account)
      .where(eq(ledger_account.owner_id, m))
    for (const filters of [
      { no: one.no },
      { no: `DOC-${m}` },
      { account_id: account!.id },
      { owner_kind: 'merchant', owner_id: m },
      { kind: 'merchant_balance', owner_kind: 'merchant', owner_id: m },
      { biz: 'adjust', min_cents: 12_345, max_cents: 12_345 },
      { kind: 'suspense', min_cents: 12_000, from: now - DAY, to: now + DAY },
    ]) {
      const ids = (await listed(filters)).map(row => row.id)
      expect([filters, ids.includes(one.id), ids.includes(other.id)]).toEqual([
        filters,
        true,
        false,
      ])
    }
    expect(await listed({ kind: 'mall_fund', owner_kind: 'merchant', owner_id: m })).toEqual([])
    expect(await listed({ no: 'nothing like it' })).toEqual([])
  })
  it('tells sums that equal its rows, whatever it is asked', async () => {
    const m = owner()
    for (const cents of [100, 250, 4000]) await posted(given(m, cents))
    for (const filters of [
      { owner_kind: 'merchant', owner_id: m },
      { owner_kind: 'merchant', owner_id: m, min_cents: 200 },
    ]) {
      const rows = (await done(calls.lst, { ...filters, pageSize: 200 })).list as {
        amount_cents: number
      }[]
      expect(await done(calls.sums, filters)).toEqual({
        n: rows.length,
        amount_cents: rows.reduce((sum, row) => sum + row.amount_cents, 0),
      })
    }
  })
  it('says of a withdrawal where that stands, on whichever of its transactions', async () => {
    const shop = await merchantWith(database, 100_000)
    const { no, status } = await applied(database, shop, 50_000)
    const [asked] = await listed({ no })
    expect((await done(calls.detail, { id: asked!.id })).withdrawal).toBe(status)
  })
  it('unfolds to lines that balance, each with what its account holds then', async () => {
    const m = owner()
    await posted(given(m, 500))
    const { id } = await posted(given(m, 300))
    const { lines, withdrawal } = await done(calls.detail, { id })
    expect(withdrawal).toBeNull()
    expect(
      lines.reduce((sum: number, one: { amount_cents: number }) => sum + one.amount_cents, 0),
    ).toBe(0)
    expect(lines.find((one: { owner_id: number }) => one.owner_id === m)).toMatchObject({
      kind: 'merchant_balance',
      amount_cents: -300,
      balance_after_cents: -800,
    })
  })
  it('reads at most 93 days at once; a number is found whenever it was', async () => {
    const old = await posted(given(owner(), 5), { at: now - 200 * DAY })
    expect((await call(calls.lst, { from: now - 94 * DAY, to: now })).data.rule).toBe(
      'period_too_long',
    )
    expect((await listed({})).map(row => row.id)).not.toContain(old.id)
    expect((await listed({ no: old.no })).map(row => row.id)).toEqual([old.id])
  })
  it('shows whoever sees a mall what stands there, and no balance', async () => {
    const m = owner()
    const here = await posted(given(m, 10), { mall_id: 2 })
    const there = await posted(given(m, 10), { mall_id: 3 })
    const ids = (await listed({ owner_kind: 'merchant', owner_id: m }, ofMall)).map(row => row.id)
    expect(ids).toEqual([here.id])
    const { lines } = await done(calls.detail, { id: here.id }, ofMall)
    expect(lines.map((one: { balance_after_cents: unknown }) => one.balance_after_cents)).toEqual([
      null,
      null,
    ])
    expect((await call(calls.detail, { id: there.id }, ofMall)).status).toBe(404)
    const [account] = await database.db
      .select()
      .from(ledger_account)
      .where(eq(ledger_account.owner_id, m))
    expect((await call(calls.accountView, { account_id: account!.id }, ofMall)).status).toBe(404)
    expect((await done(calls.accounts, {}, ofMall)).list).toEqual([])
  })
})

describe('a file of the journal', () => {
  it('is of the rows that the list shows, and says its filter and its sum', async () => {
    const m = owner()
    for (const cents of [100, 250]) await posted(given(m, cents))
    await posted(given(m, 999), { at: now - 200 * DAY })
    const filters = { owner_kind: 'merchant', owner_id: m, biz: 'adjust' }
    const rows = await listed(filters)
    const { job_id, rows_expected } = await done(calls.export, filters)
    expect(rows_expected).toBe(rows.length)
    const [job] = await database.db.select().from(export_job).where(eq(export_job.id, job_id))
    expect(job!.filters_text).toContain('调账')
    expect(job!.filters_text).toContain('3.50')
  })
})

describe('the statement of an account', () => {
  it('goes from opening to closing balance, each line on from the one before', async () => {
    const m = owner()
    await posted(given(m, 1000), { at: now - 40 * DAY })
    await posted(given(m, 200), { at: now - 20 * DAY })
    await posted(
      [...lineOf(merchants('merchant_balance', m), 150), ...lineOf(ours('suspense'), -150)],
      { at: now - 10 * DAY },
    )
    await posted(given(m, 7), { at: now - 2 * DAY })
    const [account] = await database.db
      .select()
      .from(ledger_account)
      .where(eq(ledger_account.owner_id, m))
    const told = await done(calls.accountView, {
      account_id: account!.id,
      from: now - 30 * DAY,
      to: now - 5 * DAY,
    })
    expect(told).toMatchObject({
      open_cents: -1000,
      close_cents: -1050,
      debit_cents: 150,
      credit_cents: 200,
      n: 2,
      total: 2,
    })
    expect(
      told.list.map((one: { amount_cents: number; balance_after_cents: number }) => [
        one.amount_cents,
        one.balance_after_cents,
      ]),
    ).toEqual([
      [150, -1050],
      [-200, -1200],
    ])
    const first = await done(calls.accountView, { account_id: account!.id, pageSize: 1 })
    const second = await done(calls.accountView, { account_id: account!.id, pageSize: 1, page: 2 })
    expect([first.list[0].balance_after_cents, second.list[0].balance_after_cents]).toEqual([
      -1057, -1050,
    ])
  })
})

describe('a reversal', () => {
  it('undoes every line today, once, and says whose it is', async () => {
    const m = owner()
    const was = await posted(given(m, 640), { at: now - 3 * DAY })
    const made = await done(calls.reverse, { id: was.id, ...why })
    expect(await balanceOf(database.db, merchants('merchant_balance', m))).toBe(0)
    const [txn] = await database.db.select().from(ledger_txn).where(eq(ledger_txn.id, made.id))
    expect(txn).toMatchObject({
      biz: 'reverse',
      reverses_id: was.id,
      day: dateOf(unixNow()),
      amount_cents: 640,
      maker_id: clerk.id,
      city_id: 1,
    })
    const again = await call(calls.reverse, { id: was.id, ...why })
    expect([again.status, again.data.rule]).toEqual([422, 'not_reversible'])
    expect(again.message).toContain(made.no)
    const twice = await call(calls.reverse, { id: made.id, ...why })
    expect([twice.status, twice.data.rule]).toEqual([422, 'not_reversible'])
  })
  it('at once by two is done by one', async () => {
    const m = owner()
    const was = await posted(given(m, 90))
    const both = await Promise.all([
      call(calls.reverse, { id: was.id, ...why }),
      call(calls.reverse, { id: was.id, ...why }),
    ])
    expect(both.map(said => said.status).sort()).toEqual([200, 422])
    expect(await balanceOf(database.db, merchants('merchant_balance', m))).toBe(0)
  })
  it('is refused where the owner no longer has the money', async () => {
    const m = owner()
    const was = await posted(given(m, 500))
    await posted([
      ...lineOf(merchants('merchant_balance', m), 200),
      ...lineOf(ours('suspense'), -200),
    ])
    const said = await call(calls.reverse, { id: was.id, ...why })
    expect([said.status, said.data.rule]).toEqual([422, 'short_balance'])
    expect(await balanceOf(database.db, merchants('merchant_balance', m))).toBe(-300)
  })
  it('is refused for what its document undoes', async () => {
    const paid = await posted(
      [...lineOf(ours('wechat_cash'), 100), ...lineOf(ours('escrow'), -100)],
      { biz: 'pay' },
    )
    const said = await call(calls.reverse, { id: paid.id, ...why })
    expect([said.status, said.data.rule]).toEqual([422, 'not_reversible'])
    expect(said.message).toContain('退款')
  })
  it('of another mall is not there', async () => {
    const was = await posted(given(owner(), 5), { mall_id: 3 })
    expect((await call(calls.reverse, { id: was.id, ...why }, ofMall)).status).toBe(404)
  })
})

describe('the trace of an order', () => {
  it('tells its payments, its units and every posting, in order', async () => {
    const [one] = await database.db
      .select({ id: order.id, order_no: order.order_no, merchant_id: order.merchant_id })
      .from(order)
      .where(sql`paid_cents > 0`)
      .limit(1)
    const first = await posted([
      ...lineOf(ours('suspense'), 100, { order_id: one!.id }),
      ...lineOf(ours('wechat_fee_expense'), -100, { order_id: one!.id }),
    ])
    const later = await posted(
      [
        ...lineOf(ours('suspense'), -40, { order_id: one!.id }),
        ...lineOf(ours('wechat_fee_expense'), 40, { order_id: one!.id }),
      ],
      { at: now + 1 },
    )
    const told = await done(calls.trace, { order_no: one!.order_no })
    expect(told.order).toMatchObject({ id: one!.id, order_no: one!.order_no })
    expect(told.payments.length).toBeGreaterThan(0)
    const ids = told.txns.map((txn: { id: number }) => txn.id)
    expect(ids.slice(-2)).toEqual([first.id, later.id])
    expect(told.txns.at(-1).lines).toHaveLength(2)
    const found = await listed({ no: one!.order_no })
    expect(found.map(row => row.id).sort()).toEqual([...ids].sort())
  })
  it('of no order, or of one elsewhere, is 404', async () => {
    expect((await call(calls.trace, { order_no: 'X0' })).status).toBe(404)
    const [far] = await database.db
      .select({ no: order.order_no })
      .from(order)
      .innerJoin(merchant, eq(merchant.id, order.merchant_id))
      .where(sql`${order.mall_id} <> 2`)
      .limit(1)
    expect((await call(calls.trace, { order_no: far!.no }, ofMall)).status).toBe(404)
  })
})
