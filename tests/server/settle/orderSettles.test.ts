import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem, reverseRedemption } from '#src/areas/code/redemption.server.ts'
import { lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { applyWithdrawal } from '#src/areas/payout/applying.server.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { freeLines, generateBatch, settleBatch } from '#src/areas/settle/batches.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { settle_merchant } from '#src/areas/settle/settleMerchant.table.ts'
import { usualTerms } from '#src/areas/settle/settleMerchant.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { lastingProduct, onlyOwnRules } from '../../help/limits.ts'
import { membersOf } from '../../help/redeem.ts'
import { onlyOwnPlans } from '../../help/subsidies.ts'

let database: Database
let buyer: number
let made = 0
const now = unixNow()
/** Long after: holds are over, and the reversal of a redemption is late. */
const later = now + 40 * DAY
beforeAll(async () => {
  database = await openCopy()
  await onlyOwnRules(database)
  await onlyOwnPlans(database)
  buyer = (await membersOf(database))[0]!.id
}, 120_000)

type Terms = Partial<typeof settle_merchant.$inferInsert>
/** An order of two units that is paid, of a merchant with these terms. */
const sold = async (terms: Terms = {}) => {
  const goods = await lastingProduct(database)
  const { pending_change: _, merchant_id: __, ...usual } = usualTerms(0)
  await database.db
    .insert(settle_merchant)
    .values({ ...usual, ...terms, merchant_id: goods.merchant_id })
    .onConflictDoUpdate({
      target: settle_merchant.merchant_id,
      set: { pending_change: null, pending_by: null, ...usual, ...terms },
    })
  const made = await database.transaction(tx =>
    placeOrder(tx, { member_id: buyer, product_id: goods.id, qty: 2, proved: true, now }),
  )
  await database.transaction(tx => payOrder(tx, made.id, now))
  return { goods, made }
}
const linesOf = (order_id: number) =>
  database.db
    .select()
    .from(settle_line)
    .where(eq(settle_line.order_id, order_id))
    .orderBy(settle_line.unit_no)
const usesOf = (order_id: number) =>
  database.db
    .select({ id: verify_record.id, state: verify_record.settle_state })
    .from(verify_record)
    .where(eq(verify_record.order_id, order_id))
/** Both codes of an order are redeemed. */
const used = async (of: Awaited<ReturnType<typeof sold>>) => {
  const codes = await database.db
    .select({ id: order_code.id })
    .from(order_code)
    .where(eq(order_code.order_id, of.made.id))
  for (const { id } of codes)
    await database.transaction(tx =>
      redeem(tx, { code_id: id, store_id: of.made.store_id, now: now + 60 }),
    )
}
const batched = async (merchant_id: number) => {
  const { batch } = await database.transaction(tx =>
    generateBatch(tx, {
      merchant_id,
      period_from: dateOf(later - 60 * DAY),
      period_to: dateOf(later),
      maker_id: 1,
      now: later,
    }),
  )
  return batch!
}

describe('what was sold and used', () => {
  it('goes from the hold over a batch to the balance, and its redemptions say where', async () => {
    const one = await sold()
    expect((await linesOf(one.made.id)).map(line => line.status)).toEqual([
      'not_settled',
      'not_settled',
    ])
    await used(one)
    const lines = await linesOf(one.made.id)
    expect(lines.map(line => line.status)).toEqual(['freezing', 'freezing'])
    const due = lines.reduce((sum, line) => sum + line.merchant_cents, 0)
    const balance = () =>
      balanceOf(database.db, merchants('merchant_balance', one.made.merchant_id))
    const batch = await batched(one.made.merchant_id)
    expect((await usesOf(one.made.id)).map(use => use.state)).toEqual(['settling', 'settling'])
    const [use] = await usesOf(one.made.id)
    await expect(
      database.transaction(tx =>
        reverseRedemption(tx, {
          record_id: use!.id,
          by: { admin_id: 2 },
          reason: '顾客未到店',
          now: now + 120,
          late: true,
        }),
      ),
    ).rejects.toThrow('结算')
    const before = await balance()
    await database.transaction(tx =>
      settleBatch(tx, batch, {
        poster_id: 2,
        place: { city_id: one.made.city_id, mall_id: one.made.mall_id },
        now: later,
      }),
    )
    expect((await linesOf(one.made.id)).map(line => line.status)).toEqual(['settled', 'settled'])
    expect((await usesOf(one.made.id)).map(one => one.state)).toEqual(['settled', 'settled'])
    const moved = before - (await balance())
    expect(moved).toBe(batch.payable_cents)
    expect(moved).toBeGreaterThanOrEqual(due - batch.debt_deduct_cents)
  })
  it('may be taken back again once its batch lets go of it', async () => {
    const one = await sold()
    await used(one)
    const batch = await batched(one.made.merchant_id)
    await database.transaction(tx => freeLines(tx, batch.id, { which: 'all', now: later }))
    await database.db
      .update(settle_batch)
      .set({ status: 'void' })
      .where(eq(settle_batch.id, batch.id))
    expect((await usesOf(one.made.id)).map(use => use.state)).toEqual(['available', 'available'])
    const [use] = await usesOf(one.made.id)
    await database.transaction(tx =>
      reverseRedemption(tx, {
        record_id: use!.id,
        by: { admin_id: 2 },
        reason: '顾客未到店',
        now: now + 120,
        late: true,
      }),
    )
    const states = (await linesOf(one.made.id)).map(line => line.status)
    expect(states.toSorted()).toEqual(['freezing', 'not_settled'])
  })
  it('is charged the rate that its merchant agreed for what is paid by now, not before', async () => {
    const soon = await sold({ next_commission_bp: 900, rate_from_at: now + DAY })
    const [first] = await linesOf(soon.made.id)
    expect(first!.commission_cents).toBe(
      Math.round((first!.base_cents * soon.goods.commission_bp) / 10_000),
    )
    const { made } = await sold({ commission_bp: 100, next_commission_bp: 900, rate_from_at: now })
    for (const line of await linesOf(made.id))
      expect(line.commission_cents).toBe(Math.round((line.base_cents * 900) / 10_000))
  })
  it('bears the fee where its merchant does, as it was when it was paid', async () => {
    const one = await sold({ fee_bearer: 'merchant' })
    await database.db
      .update(settle_merchant)
      .set({ fee_bearer: 'platform' })
      .where(eq(settle_merchant.merchant_id, one.goods.merchant_id))
    await used(one)
    const lines = await linesOf(one.made.id)
    expect(lines.map(line => line.fee_bearer)).toEqual(['merchant', 'merchant'])
    for (const line of lines)
      expect(line.base_cents).toBe(line.commission_cents + line.fee_cents + line.merchant_cents)
    const codes = await database.db
      .select({ id: order_code.id })
      .from(order_code)
      .where(and(eq(order_code.order_id, one.made.id), inArray(order_code.state, ['used'])))
    expect(codes.length).toBe(2)
  })
  it('is on hold as long as its merchant agreed, where that is longer than the rules say', async () => {
    const one = await sold({ freeze_days: 30 })
    await used(one)
    for (const line of await linesOf(one.made.id))
      expect(line.freeze_until_at).toBe(now + 60 + 30 * DAY)
  })
})

describe('a merchant', () => {
  const asked = async (terms: Terms, cents: number) => {
    const { goods } = await sold(terms)
    const [owner] = await database.db
      .select()
      .from(merchant)
      .where(eq(merchant.id, goods.merchant_id))
    await database.transaction(tx =>
      post(tx, {
        biz: 'charge_in',
        biz_id: 1,
        biz_no: 'T',
        idem_key: `test:terms:${owner!.id}:${++made}`,
        at: now,
        lines: [
          ...lineOf(ours('bank_cash'), 5000_00),
          ...lineOf(merchants('merchant_balance', owner!.id), -5000_00),
        ],
      }),
    )
    const there = -(await balanceOf(database.db, merchants('merchant_balance', owner!.id)))
    return database.transaction(tx =>
      applyWithdrawal(tx, {
        owner_kind: 'merchant',
        owner_id: owner!.id,
        amount_cents: cents < 0 ? there + cents : cents,
        channel: 'bank',
        payee_name: owner!.bank_holder ?? owner!.name,
        payee_no: '6222000000000000',
        now,
      }),
    )
  }
  it.each([
    ['less than its terms allow at least', { min_withdraw_cents: 900_00 }, 899_00, '900.00'],
    ['what its terms keep back', { reserve_cents: 200_00 }, -199_00, '200.00'],
    [
      'money while its new account is not checked',
      {
        pending_change: { bank: { bank_holder: '某某', bank_name: '工行', bank_no: '622' } },
        pending_by: 1,
      },
      300_00,
      '复核',
    ],
  ])('is not given %s', async (_, terms, cents, told) => {
    await expect(asked(terms, cents)).rejects.toThrow(told)
  })
})
