import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { applyWithdrawal } from '#src/areas/payout/applying.server.ts'
import { filmAccounts } from '#src/areas/payout/filmAccounts.server.ts'
import { statementOf } from '#src/areas/payout/filmStatement.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { ensureTerms } from '#src/areas/settle/batches.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { filmWithdrawals as calls } from '#src/modules/film/contract/withdrawal.ts'
import { withdrawals as cashier } from '#src/modules/settle/contract/withdraw.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { anOwner, showOver, soldFilm, type Owner } from '../../help/filmOrders.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let clerk: Person
let other: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const perms = ['film.withdrawal.*', 'settle.withdraw.*']
  clerk = await addStaff(database, { perms })
  other = await addStaff(database, { perms })
})
const call = (what: What, input: object, by = clerk) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status, said.message).toBe(422)
  return said.data.rule
}
let made = 0
/** Settles what of an order is on hold in a batch of its own, as the books post it. */
const settledBatch = (owner: Owner, order_id: number) =>
  database.transaction(async tx => {
    const now = unixNow()
    const day = dateOf(now)
    const lines = await tx.select().from(settle_line).where(eq(settle_line.order_id, order_id))
    const sum = (of: (line: (typeof lines)[number]) => number) =>
      lines.reduce((all, line) => all + of(line), 0)
    const payable = sum(line => line.merchant_cents)
    const [batch] = await tx
      .insert(settle_batch)
      .values({
        merchant_id: owner.merchant_id,
        period_from: day,
        period_to: day,
        line_count: lines.length,
        gross_cents: sum(line => line.price_cents),
        merchant_discount_cents: 0,
        subsidy_cents: 0,
        commission_cents: sum(line => line.price_cents - line.fee_cents) - payable,
        fee_cents: sum(line => line.fee_cents),
        refund_deduct_cents: 0,
        debt_deduct_cents: 0,
        payable_cents: payable,
        lines_hash: '',
        status: 'posted',
        maker_id: clerk.id,
        poster_id: other.id,
        posted_at: now,
      })
      .returning()
    await tx
      .update(settle_line)
      .set({ status: 'settled', settled_at: now, batch_id: batch!.id })
      .where(eq(settle_line.order_id, order_id))
    await post(tx, {
      biz: 'settle',
      biz_id: batch!.id,
      biz_no: batch!.no,
      idem_key: `settle:film:Q:${++made}`,
      at: now,
      lines: [
        ...lineOf(merchants('merchant_frozen', owner.merchant_id), payable),
        ...lineOf(merchants('merchant_balance', owner.merchant_id), -payable),
      ],
    })
    return { payable, fee: sum(line => line.fee_cents) }
  })
/** An owner with what some orders brought in its balance (about 88 yuan each). */
const rich = async (orders = 2) => {
  const owner = await anOwner(database)
  await ensureTerms(database.db)
  let cents = 0
  let fee = 0
  for (let n = 0; n < orders; n++) {
    const row = await soldFilm(database, { owner, seats: 6, coupon_cents: 0 })
    await database.db.execute(
      sql`update settle_line set merchant_cents = merchant_cents where order_id = ${row.id}`,
    )
    await showOver(database, row.id)
    const one = await settledBatch(owner, row.id)
    cents += one.payable
    fee += one.fee
  }
  return { owner, cents, fee }
}
/** What an adjustment brings, so that there is enough to ask for. */
const topUp = (owner: Owner, cents: number) =>
  database.transaction(tx =>
    post(tx, {
      biz: 'adjust',
      biz_id: 0,
      biz_no: 'TZ',
      idem_key: `topup:Q:${++made}`,
      at: unixNow(),
      lines: [
        ...lineOf(ours('suspense'), cents),
        ...lineOf(merchants('merchant_balance', owner.merchant_id), -cents),
      ],
    }),
  )
const nameOf = async (owner: Owner) => {
  const [row] = await database.db.select().from(merchant).where(eq(merchant.id, owner.merchant_id))
  return row!.bank_holder ?? row!.name
}
const applied = async (owner: Owner, amount_cents: number, more: object = {}) => {
  const payee_name = await nameOf(owner)
  return database.transaction(tx =>
    applyWithdrawal(tx, {
      owner_kind: 'film',
      owner_id: owner.merchant_id,
      amount_cents,
      channel: 'bank',
      payee_name,
      payee_no: '6222000011112222',
      bank_name: '招商银行',
      now: unixNow(),
      ...more,
    }),
  )
}
const held = async (id: number) => {
  const [row] = await database.db.select().from(withdrawal).where(eq(withdrawal.id, id))
  return { id, version: row!.version }
}
const refusedRule = async (what: Promise<unknown>) =>
  what.then(
    () => undefined,
    (thrown: { data: { rule: string } }) => thrown.data.rule,
  )

describe('a film owner', () => {
  it('asks for 100 yuan at least, and has one request at a time', async () => {
    const { owner } = await rich(1)
    await topUp(owner, 500_00)
    expect(await refusedRule(applied(owner, 99_99))).toBe('below_minimum')
    await applied(owner, 100_00)
    expect(await refusedRule(applied(owner, 100_00))).toBe('open_request')
  })
  it('with a new account is looked at by a second person', async () => {
    const { owner } = await rich(1)
    await topUp(owner, 900_00)
    const first = await applied(owner, 100_00, { now: unixNow() - 40 * DAY })
    expect(first.need_second).toBe(false)
    await database.db
      .update(withdrawal)
      .set({ status: 'rejected' })
      .where(eq(withdrawal.id, first.id))
    const same = await applied(owner, 100_00)
    expect(same.need_second).toBe(false)
    await database.db
      .update(withdrawal)
      .set({ status: 'rejected' })
      .where(eq(withdrawal.id, same.id))
    expect((await applied(owner, 100_00, { payee_no: '6222999988887777' })).need_second).toBe(true)
  })
  it('has its money in exactly one place, as the lines and the journal say', async () => {
    const { owner, cents } = await rich(2)
    const open = await soldFilm(database, { owner })
    await topUp(owner, 200_00)
    await applied(owner, 100_00)
    const [account] = await filmAccounts(database.db, sql`o.id = ${owner.id}`)
    const lines = await database.db
      .select()
      .from(settle_line)
      .where(eq(settle_line.order_id, open.id))
    const unsettled = lines.reduce((all, line) => all + line.merchant_cents, 0)
    expect(account).toMatchObject({
      not_settled_cents: unsettled,
      freezing_cents: 0,
      balance_cents: cents + 200_00 - 100_00,
      withdrawing_cents: 100_00,
      withdrawn_cents: 0,
    })
    expect(-(await balanceOf(database.db, merchants('merchant_balance', owner.merchant_id)))).toBe(
      account!.balance_cents,
    )
  })
})
describe('a statement', () => {
  it('closes with the balance, part by part, since the request before', async () => {
    const { owner, cents, fee } = await rich(2)
    await topUp(owner, 300_00)
    const first = await applied(owner, 120_00)
    expect(await statementOf(database.db, first)).toMatchObject({
      from_at: null,
      opening_cents: 0,
      income_cents: cents + fee,
      fee_cents: fee,
      adjust_cents: 300_00,
      withdrawn_cents: 120_00,
      closing_cents: cents + 180_00,
      difference_cents: 0,
      lines_difference_cents: 0,
    })
    await done(calls.reject, {
      ...(await held(first.id)),
      reason_code: 'other',
      reason: '请重新申请',
    })
    const second = await applied(owner, 100_00)
    expect(await statementOf(database.db, second)).toMatchObject({
      from_at: first.applied_at,
      opening_cents: cents + 180_00,
      income_cents: 0,
      back_cents: 120_00,
      closing_cents: cents + 200_00,
      difference_cents: 0,
    })
  })
  it('lists its orders, each in one settlement, and those that are frozen', async () => {
    const { owner } = await rich(2)
    const cold = await soldFilm(database, { owner })
    await showOver(database, cold.id)
    await database.db
      .update(order)
      .set({ frozen: true, freeze_reason: '核查中' })
      .where(eq(order.id, cold.id))
    await topUp(owner, 200_00)
    const one = await applied(owner, 100_00)
    const { list, total } = await done(calls.orders, { id: one.id, page: 1, pageSize: 10 })
    expect(total).toBe(2)
    expect(list.every((row: { batches: number }) => row.batches === 1)).toBe(true)
    const { frozen } = await done(calls.detail, { id: one.id })
    expect(frozen.map((row: { id: number }) => row.id)).toEqual([cold.id])
  })
  it('that is off keeps everybody from agreeing, also at the cashier’s', async () => {
    const { owner } = await rich(1)
    await topUp(owner, 200_00)
    const one = await applied(owner, 100_00)
    await database.db
      .update(withdrawal)
      .set({
        balance_before_cents: sql`balance_before_cents + 1`,
        invoice_image: 'x',
        invoice_cents: 100_00,
      })
      .where(eq(withdrawal.id, one.id))
    expect(await rule(calls.approve, await held(one.id))).toBe('unbalanced')
    expect(await rule(cashier.approve, await held(one.id))).toBe('unbalanced')
    expect(await done(calls.recheck, await held(one.id))).toMatchObject({ difference_cents: 1 })
  })
})
describe('an invoice', () => {
  it('of a company is there before anybody agrees, and of the same amount', async () => {
    const { owner } = await rich(1)
    await topUp(owner, 200_00)
    const one = await applied(owner, 100_00)
    expect(await rule(calls.approve, await held(one.id))).toBe('wrong_state')
    const image = '/uploads/demo.png'
    await done(calls.uploadInvoice, { ...(await held(one.id)), image, amount_cents: 90_00 })
    expect(await rule(calls.approve, await held(one.id))).toBe('wrong_state')
    await done(calls.uploadInvoice, { ...(await held(one.id)), image, amount_cents: 100_00 })
    expect((await done(calls.approve, await held(one.id))).status).toBe('approved')
    expect(await rule(calls.pay, await held(one.id))).toBe('wrong_state')
    expect((await done(calls.pay, await held(one.id), other)).status).toBe('paying')
  })
})
it('shows film owners alone', async () => {
  const { list } = await done(calls.lst, { status: 'pending', page: 1, pageSize: 100 })
  expect(list.length).toBeGreaterThan(0)
  expect(list.every((row: { owner_kind: string }) => row.owner_kind === 'film')).toBe(true)
})
