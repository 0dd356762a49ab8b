import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeemByVerifier } from '#src/areas/code/verify.server.ts'
import { billRefusal } from '#src/areas/code/voucher.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { runRules } from '#src/areas/risk/risk.server.ts'
import { risk_hit, risk_rule } from '#src/areas/risk/risk.table.ts'
import { weekdayOf } from '#src/domain/calendar.ts'
import { explained } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import { voucher as calls, voucherDetail as detail } from '#src/modules/order/contract/voucher.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

const DAY = 86_400
const [FACE, PRICE, LEAST, LIMIT] = [100_00, 85_01, 150_00, 3]
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let other: Awaited<ReturnType<typeof addStaff>>
let item: typeof product.$inferSelect
let usable: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  other = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  const made = await database.transaction(tx => freshProduct(tx, 'voucher'))
  ;[item] = (await database.db
    .update(product)
    .set({
      stock: 10_000,
      price_cents: PRICE,
      face_cents: FACE,
      min_spend_cents: LEAST,
      per_bill_limit: LIMIT,
      refund_policy: 'anytime',
      valid_days: 30,
      check_end_at: unixNow() + 200 * DAY,
      sale_start_at: unixNow() - 100 * DAY,
      sale_end_at: unixNow() + 90 * DAY,
    })
    .where(eq(product.id, made.item.id))
    .returning()) as [typeof item]
  await excluded([], [])
  usable = (
    await database.db.execute<{ id: number }>(
      sql`select id from store where merchant_id = ${item.merchant_id} and status = 'open' limit 1`,
    )
  ).rows[0]!.id
  await database.db.execute(
    sql`insert into product_store (product_id, store_id) values (${item.id}, ${usable})`,
  )
})
const excluded = (days: number[], dates: string[]) =>
  database.db.execute(
    sql`update product_version set body = body || ${JSON.stringify({ exclude_weekdays: days, unavailable_dates: dates, use_time: '全天' })}::jsonb where product_id = ${item.id}`,
  )
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let buyer = 60
const bought = async (
  qty: number,
  more: { member_id?: number; platform_discount_cents?: number; ago?: number } = {},
) => {
  const now = unixNow() - (more.ago ?? 30)
  const id = await database.transaction(async tx => {
    const one = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      member_id: more.member_id ?? ++buyer,
      qty,
      now,
      ...(more.platform_discount_cents && {
        platform_discount_cents: more.platform_discount_cents,
      }),
    })
    await payOrder(tx, one.id, now)
    return one.id
  })
  return held(id)
}
const held = async (id: number) => {
  const [row] = await database.db.select().from(order).where(eq(order.id, id))
  const codes = await database.db
    .select()
    .from(order_code)
    .where(eq(order_code.order_id, id))
    .orderBy(order_code.id)
  return { row: row!, one: { id, version: row!.version }, codes }
}
type Bought = Awaited<ReturnType<typeof bought>>
const useOn = (of: Bought, at: readonly number[], bill_cents: number, bill_no?: string) =>
  call(detail.verifyForStore, {
    id: of.row.id,
    code_ids: at.map(n => of.codes[n]!.id),
    store_id: usable,
    bill_cents,
    ...(bill_no && { bill_no }),
    reason: '门店断网',
  })
const records = (ids: readonly number[]) =>
  database.db
    .select()
    .from(verify_record)
    .where(inArray(verify_record.id, [...ids]))
    .orderBy(verify_record.id)
const lst = async (filters: object) =>
  (await call(calls.lst, filters)).data as { list: OrderRow[]; total: number }

describe('vouchers on a bill', () => {
  it('need the least spend, and no more of them than the bill may hold: with those of other orders and of the hour before', async () => {
    const [a, b] = [await bought(4), await bought(1)]
    expect((await useOn(a, [0], LEAST - 1, 'A1')).data.rule).toBe('min_spend')
    expect((await useOn(a, [0, 1, 2, 3], 1000_00, 'A1')).data.rule).toBe('per_bill')
    expect((await useOn(a, [0, 1], 500_00, 'A1')).data.record_ids).toHaveLength(2)
    expect((await useOn(b, [0], 500_00, 'A1')).status).toBe(200)
    expect((await useOn(a, [2], 500_00, 'A1')).data.rule).toBe('per_bill')
    // Nothing of what was refused was used.
    expect((await held(a.row.id)).codes.map(code => code.state)).toEqual([
      'used',
      'used',
      'unused',
      'unused',
    ])
    expect((await useOn(a, [2, 3], 500_00, 'A2')).status).toBe(200)
  })
  it('are asked for it by a clerk too, under the same rules', async () => {
    const [clerk] = await database.db
      .insert(verifier)
      .values({
        name: '店员',
        phone: '13700137001',
        city_id: item.city_id,
        merchant_id: item.merchant_id,
        store_ids: [usable],
        kinds: ['voucher'],
      })
      .returning()
    const [a, b] = [await bought(2), await bought(LIMIT)]
    const uses = (of: Bought, at: number, bill?: { no?: string; cents: number }) =>
      database.transaction(tx =>
        redeemByVerifier(tx, {
          verifier_id: clerk!.id,
          code: of.codes[at]!.code,
          store_id: usable,
          now: unixNow(),
          ...(bill && { bill }),
        }),
      )
    const refused = (rule: string) => ({ data: { rule } })
    await expect(uses(a, 0)).rejects.toMatchObject(refused('bill_needed'))
    await expect(uses(a, 0, { no: 'CLERK1', cents: LEAST - 1 })).rejects.toMatchObject(
      refused('min_spend'),
    )
    await uses(a, 0, { no: 'CLERK1', cents: 300_00 })
    expect(
      (
        await database.db
          .select()
          .from(verify_record)
          .where(eq(verify_record.code_id, a.codes[0]!.id))
      )[0],
    ).toMatchObject({ bill_no: 'CLERK1', bill_cents: 300_00, verifier_id: clerk!.id, way: 'input' })
    await expect(uses(a, 1, { no: 'CLERK1', cents: 301_00 })).rejects.toMatchObject(
      refused('bill_differs'),
    )
    // The till and the platform fill the same bill.
    expect((await useOn(b, [0, 1], 300_00, 'CLERK1')).status).toBe(200)
    await expect(uses(a, 1, { no: 'CLERK1', cents: 300_00 })).rejects.toMatchObject(
      refused('per_bill'),
    )
    expect((await held(a.row.id)).codes.map(code => code.state)).toEqual(['used', 'unused'])
    // Two tills at the last place on a bill: one of them has it.
    const [c, d] = [await bought(LIMIT), await bought(1)]
    for (const at of [0, 1]) await uses(c, at, { no: 'CLERK2', cents: 400_00 })
    const both = await Promise.allSettled([
      uses(c, 2, { no: 'CLERK2', cents: 400_00 }),
      uses(d, 0, { no: 'CLERK2', cents: 400_00 }),
    ])
    expect(both.map(one => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    await uses(a, 1, { cents: LEAST })
  })
  it('share one number a store and day: whoever adds must mean the same amount; another day it is another bill', async () => {
    const a = await bought(3)
    const made = await useOn(a, [0], 300_00, 'B1')
    expect((await useOn(a, [1], 400_00, 'B1')).data.rule).toBe('bill_differs')
    await database.db
      .update(verify_record)
      .set({ verified_at: unixNow() - DAY })
      .where(eq(verify_record.id, made.data.record_ids[0]))
    expect((await useOn(a, [1], 400_00, 'B1')).status).toBe(200)
    // One without a number gets one.
    expect((await records((await useOn(a, [2], 400_00)).data.record_ids))[0]!.bill_no).toMatch(
      /^PT\d+-\d+$/,
    )
  })
  it('are told to the buyer and the merchant as one, however many are on it', async () => {
    const a = await bought(2)
    expect((await useOn(a, [0, 1], 500_00, 'T1')).status).toBe(200)
    const told = await database.db
      .select({ kind: order_message.kind, text: order_message.text })
      .from(order_message)
      .where(
        and(
          eq(order_message.order_id, a.row.id),
          inArray(order_message.kind, ['redeem', 'redeem_store']),
        ),
      )
      .orderBy(order_message.id)
    expect(told).toEqual(
      ['redeem', 'redeem_store'].map(kind => ({ kind, text: expect.stringContaining('2 次') })),
    )
  })
  it('are not used on days that were excluded when they were sold', async () => {
    await excluded([weekdayOf(unixNow())], [])
    const a = await bought(1)
    await excluded([], [])
    expect((await useOn(a, [0], 500_00, 'C1')).data.rule).toBe('excluded_day')
    const monday = Date.UTC(2026, 10, 16, 4) / 1000
    expect([0, 1, 6].map(n => weekdayOf(monday + n * DAY))).toEqual([1, 2, 7])
    const rule = {
      face_cents: FACE,
      min_spend_cents: 0,
      per_bill_limit: null,
      exclude_weekdays: [],
      unavailable_dates: ['2026-11-16'],
      use_time: '',
    }
    expect([
      billRefusal(rule, { bill_cents: 1, on_bill: 1, at: monday })?.rule,
      billRefusal(rule, { bill_cents: 1, on_bill: 9, at: monday + DAY }),
    ]).toEqual(['excluded_day', undefined])
  })
  it('are used in the hours they were sold for, also past midnight; words that name no hours bind nobody', async () => {
    const noon = Date.UTC(2026, 10, 16, 4) / 1000
    const at = (use_time: string, hours: number) =>
      billRefusal(
        {
          face_cents: FACE,
          min_spend_cents: 0,
          per_bill_limit: null,
          exclude_weekdays: [],
          unavailable_dates: [],
          use_time,
        },
        { bill_cents: 1, on_bill: 1, at: noon + hours * 3600 },
      )?.rule
    expect(
      [-1, 0, 1.99, 2, 5, 8.99, 9].map(hours => at('11:00-14:00, 17:00-21:00', hours)),
    ).toEqual([
      undefined,
      undefined,
      undefined,
      'excluded_time',
      undefined,
      undefined,
      'excluded_time',
    ])
    expect([9, 10, 13.99, 14].map(hours => at('22:00～02:00', hours))).toEqual([
      'excluded_time',
      undefined,
      undefined,
      'excluded_time',
    ])
    expect(['', '全天', '周末 10:00-20:00', '10:00 - 24:00'].map(words => at(words, -4))).toEqual([
      undefined,
      undefined,
      undefined,
      'excluded_time',
    ])
    await excluded([], [])
    const hour = (Math.floor(unixNow() / 3600) + 8) % 24
    await database.db.execute(
      sql`update product_version set body = body || ${JSON.stringify({ use_time: `${(hour + 2) % 24}:00-${(hour + 3) % 24}:00` })}::jsonb where product_id = ${item.id}`,
    )
    const a = await bought(1)
    await excluded([], [])
    expect((await useOn(a, [0], 500_00, 'H1')).data.rule).toBe('excluded_time')
  })
  it('are worth what was paid for them, not what the bill says: below the face no change is given', async () => {
    const a = await bought(2)
    const [first, second] = await records((await useOn(a, [0, 1], LEAST, 'D1')).data.record_ids)
    expect(LEAST).toBeLessThan(2 * FACE)
    for (const one of [first!, second!])
      expect([one.bill_cents, one.pay_cents, one.settle_cents + one.commission_cents]).toEqual([
        LEAST,
        PRICE,
        PRICE,
      ])
    expect(
      (await lst({ q: a.row.order_no })).list.map(row => [row.face_cents, row.bill_cents]),
    ).toEqual([[FACE, LEAST]])
  })
  it('are used with a store that sells them and a bill only, and not while frozen', async () => {
    const a = await bought(1)
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from store s where status = 'open' and not exists (select 1 from product_store ps where ps.product_id = ${item.id} and ps.store_id = s.id) limit 1`,
    )
    expect(
      (
        await call(detail.verifyForStore, {
          id: a.row.id,
          code_ids: [a.codes[0]!.id],
          store_id: rows[0]!.id,
          bill_cents: 500_00,
          reason: '别家',
        })
      ).data.rule,
    ).toBe('other_store')
    expect(
      (
        await call(detail.verifyForStore, {
          id: a.row.id,
          code_ids: [a.codes[0]!.id],
          store_id: usable,
          reason: '没有账单',
        })
      ).status,
    ).toBe(400)
    await call(calls.freeze, { ...a.one, reason: '核实' })
    expect((await useOn(a, [0], 500_00, 'E1')).data.rule).toBe('frozen')
    await call(calls.unfreeze, { ...(await held(a.row.id)).one, reason: '放行' })
    expect((await useOn(a, [0], 500_00, 'E1')).status).toBe(200)
    expect((await useOn(a, [0], 500_00, 'E2')).data.rule).toBe('used')
  })
})

describe('a bill', () => {
  it('is taken back voucher by voucher, without asking for the least spend again, or whole', async () => {
    const [a, b] = [await bought(2), await bought(1)]
    const ids = (await useOn(a, [0, 1], LEAST, 'F1')).data.record_ids as number[]
    const [third] = (await useOn(b, [0], LEAST, 'F1')).data.record_ids as number[]
    expect(
      (await call(detail.reverseVerify, { id: a.row.id, verify_id: ids[0], reason: '自己撤' })).data
        .rule,
    ).toBe('not_reversible')
    expect(
      (
        await call(
          detail.reverseVerify,
          { id: a.row.id, verify_id: ids[0], reason: '少用一张' },
          other.token,
        )
      ).data.verify_ids,
    ).toEqual([ids[0]])
    expect((await records([...ids, third!])).map(one => one.state)).toEqual([
      'reversed',
      'valid',
      'valid',
    ])
    expect(
      (
        await call(
          detail.reverseVerify,
          { id: a.row.id, verify_id: ids[1], whole_bill: true, reason: '整单取消' },
          other.token,
        )
      ).data.verify_ids,
    ).toEqual([ids[1], third])
    expect(
      [...(await held(a.row.id)).codes, ...(await held(b.row.id)).codes].map(code => [
        code.state,
        code.left_pay_cents,
      ]),
    ).toEqual(Array.from({ length: 3 }, () => ['unused', PRICE]))
    expect(
      (
        await call(
          detail.reverseVerify,
          { id: a.row.id, verify_id: ids[1], whole_bill: true, reason: '再撤' },
          other.token,
        )
      ).data.rule,
    ).toBe('not_reversible')
  })
  it('is taken back whole or not at all: one voucher in settlement keeps it', async () => {
    const a = await bought(2)
    const ids = (await useOn(a, [0, 1], 500_00, 'G1')).data.record_ids as number[]
    await database.db
      .update(verify_record)
      .set({ settle_state: 'settling' })
      .where(eq(verify_record.id, ids[1]!))
    expect(
      (
        await call(
          detail.reverseVerify,
          { id: a.row.id, verify_id: ids[0], whole_bill: true, reason: '整单取消' },
          other.token,
        )
      ).data.rule,
    ).toBe('not_reversible')
    expect((await records(ids)).map(one => one.state)).toEqual(['valid', 'valid'])
  })
  it('is put right for all its vouchers, before settlement only, and never changes what is settled', async () => {
    const a = await bought(3)
    const ids = (await useOn(a, [0, 1], 500_00, 'H1')).data.record_ids as number[]
    const before = (await records(ids)).map(one => [
      one.pay_cents,
      one.settle_cents,
      one.commission_cents,
    ])
    expect(
      (
        await call(detail.fixBill, {
          id: a.row.id,
          verify_id: ids[0],
          was_cents: 500_00,
          bill_cents: LEAST - 1,
          reason: '输错',
        })
      ).data.rule,
    ).toBe('min_spend')
    expect(
      (
        await call(detail.fixBill, {
          id: a.row.id,
          verify_id: ids[0],
          was_cents: 500_00,
          bill_cents: 520_00,
          reason: '输错',
        })
      ).data.vouchers,
    ).toBe(2)
    expect((await records(ids)).map(one => one.bill_cents)).toEqual([520_00, 520_00])
    expect(
      (await records(ids)).map(one => [one.pay_cents, one.settle_cents, one.commission_cents]),
    ).toEqual(before)
    const [note] = await database.db
      .select()
      .from(order_log)
      .where(and(eq(order_log.order_id, a.row.id), eq(order_log.event, 'bill')))
    expect(note!.memo).toBe(explained('500.00 → 520.00', '输错'))
    // Whoever saw another amount is told who put it right meanwhile.
    const late = await call(
      detail.fixBill,
      { id: a.row.id, verify_id: ids[1], was_cents: 500_00, bill_cents: 540_00, reason: '晚了' },
      other.token,
    )
    expect([late.status, late.message]).toEqual([
      409,
      `账单金额已由${me.account}改为 520.00 元，请按最新金额更正`,
    ])
    // Whoever adds now must mean the amount as it is put right.
    expect((await useOn(a, [2], 500_00, 'H1')).data.rule).toBe('bill_differs')
    await database.db
      .update(verify_record)
      .set({ settle_state: 'settled' })
      .where(eq(verify_record.id, ids[1]!))
    expect(
      (
        await call(detail.fixBill, {
          id: a.row.id,
          verify_id: ids[0],
          was_cents: 520_00,
          bill_cents: 530_00,
          reason: '又错',
        })
      ).data.rule,
    ).toBe('settled')
    expect((await records(ids)).map(one => one.bill_cents)).toEqual([520_00, 520_00])
    expect(
      (
        await call(detail.fixBill, {
          id: (await bought(1)).row.id,
          verify_id: ids[0],
          was_cents: 520_00,
          bill_cents: 530_00,
          reason: '别单',
        })
      ).status,
    ).toBe(404)
  })
})

describe('a refund of vouchers', () => {
  it('is whole codes at their own share of what was paid; the coupon returns when all of them have gone back', async () => {
    const a = await bought(3, { platform_discount_cents: 10_00 })
    const shares = a.codes.map(code => code.pay_cents)
    expect(shares.reduce((x, y) => x + y)).toBe(3 * PRICE - 10_00)
    expect(
      (await call(calls.refund, { ...a.one, amount_cents: 1, reason: '少退点' })).data.rule,
    ).toBe('whole_codes')
    expect(
      (
        await call(detail.refund, {
          ...a.one,
          code_ids: [a.codes[0]!.id],
          times: 2,
          reason: '两次',
        })
      ).data.rule,
    ).toBe('too_many')
    for (const n of [1, 0, 2]) {
      const made = await call(detail.refund, {
        ...(await held(a.row.id)).one,
        code_ids: [a.codes[n]!.id],
        reason: '不用了',
      })
      expect(made.data.amount_cents).toBe(shares[n])
      const [kept] = await database.db
        .select()
        .from(refund)
        .where(eq(refund.id, made.data.refund_id))
      expect(kept!.coupon_back).toBe(n === 2)
    }
    await finishPayouts(database, unixNow() + 60)
    expect((await held(a.row.id)).row.refunded_cents).toBe(3 * PRICE - 10_00)
    const b = await bought(2, { platform_discount_cents: 5_00 })
    await useOn(b, [0], 500_00, 'I1')
    const rest = await call(calls.refund, { ...(await held(b.row.id)).one, reason: '剩下的退' })
    // One was used: the coupon was, too.
    expect(
      (await database.db.select().from(refund).where(eq(refund.id, rest.data.refund_id)))[0]!
        .coupon_back,
    ).toBe(false)
  })
  it('that expiry makes by itself is not doubled by hand, and after one by hand there is none', async () => {
    const [a, b] = [await bought(2), await bought(2)]
    const past = unixNow() - 4 * DAY
    for (const one of [a, b]) {
      await database.db
        .update(order_code)
        .set({ valid_until: past })
        .where(eq(order_code.order_id, one.row.id))
      await database.db.update(order).set({ valid_until: past }).where(eq(order.id, one.row.id))
    }
    const byHand = await call(calls.refund, { ...b.one, reason: '客服先退' })
    expect(byHand.status).toBe(200)
    await tickOrders(database, unixNow())
    await tickOrders(database, unixNow())
    const opened = async (id: number) =>
      database.db.select().from(refund).where(eq(refund.order_id, id))
    expect(
      (await opened(a.row.id)).map(one => [one.cause, one.amount_cents, one.idem_key]),
    ).toEqual([['expired', 2 * PRICE, `expired:${a.row.id}`]])
    expect((await opened(b.row.id)).map(one => one.cause)).toEqual(['apply'])
    expect(['nothing_left', 'code_not_refundable']).toContain(
      (await call(calls.refund, { ...(await held(a.row.id)).one, reason: '再退' })).data.rule,
    )
    expect(
      (
        await call(detail.refund, {
          ...(await held(a.row.id)).one,
          code_ids: [a.codes[0]!.id],
          reason: '再退',
        })
      ).data.rule,
    ).toBe('code_not_refundable')
    await finishPayouts(database, unixNow() + 60)
    expect([
      (await held(a.row.id)).row.refunded_cents,
      (await held(b.row.id)).row.refunded_cents,
    ]).toEqual([2 * PRICE, 2 * PRICE])
  })
  it('in a batch is of 200 orders at most', async () => {
    expect(
      (
        await call(calls.batchRefund, {
          ids: Array.from({ length: 201 }, (_, at) => at + 1),
          reason: '太多',
        })
      ).status,
    ).toBe(400)
  })
})

describe('a suspicion of cashing out', () => {
  it('becomes a hit that risk control decides, once an order; more of the same member and store join it', async () => {
    const a = await bought(2)
    const first = await call(calls.reportRisk, { ...a.one, reason: '账单次次等于面值' })
    const [hit] = await database.db
      .select()
      .from(risk_hit)
      .where(eq(risk_hit.id, first.data.hit_id))
    expect(hit).toMatchObject({
      rule: 'cash_out',
      scene: 'verify',
      state: 'open',
      store_id: a.row.store_id,
      member_id: a.row.member_id,
      order_ids: [a.row.id],
      code_ids: a.codes.map(code => code.id),
      amount_cents: a.row.pay_cents,
    })
    expect(hit!.note).toContain('账单次次等于面值')
    expect((await call(calls.reportRisk, { ...a.one, reason: '再报' })).data.rule).toBe('reported')
    const b = await bought(1, { member_id: a.row.member_id! })
    expect((await call(calls.reportRisk, { ...b.one, reason: '同一人' })).data.hit_id).toBe(hit!.id)
    const [joined] = await database.db.select().from(risk_hit).where(eq(risk_hit.id, hit!.id))
    expect([joined!.order_ids, joined!.merged_count]).toEqual([[a.row.id, b.row.id], 2])
    expect((await lst({ quick: 'cash_out', q: a.row.order_no })).total).toBe(1)
    expect((await lst({ quick: 'cash_out', q: (await bought(1)).row.order_no })).total).toBe(0)
  })
  it('comes by itself where one member buys more than ten vouchers a day', async () => {
    const [rule] = (await database.db.select().from(risk_rule)).filter(
      one => one.condition.metric === 'member_vouchers',
    )
    expect([rule!.status, rule!.threshold, rule!.window_s]).toEqual(['on', 11, DAY])
    await database.db
      .update(risk_rule)
      .set({ measured_until: unixNow() - 600 })
      .where(eq(risk_rule.id, rule!.id))
    // Two members to whom the demo has sold nothing these days.
    const [greedy, modest] = (
      await database.db.execute<{ id: number }>(
        sql`select m.id from member m where not exists (select 1 from "order" o where o.member_id = m.id and o.created_at > ${unixNow() - 2 * DAY}) order by m.id desc limit 2`,
      )
    ).rows.map(row => row.id) as [number, number]
    for (const [member_id, qty] of [
      [greedy, 6],
      [greedy, 5],
      [modest, 5],
      [modest, 5],
    ] as const)
      await bought(qty, { member_id })
    await runRules(database, unixNow())
    const hits = await database.db
      .select()
      .from(risk_hit)
      .where(and(eq(risk_hit.rule_id, rule!.id), inArray(risk_hit.member_id, [greedy, modest])))
    expect(hits.map(one => [one.member_id, one.value])).toEqual([[greedy, 11]])
  })
})

describe('the list of vouchers', () => {
  it('filters by face and by several vouchers on one bill; its tabs add up', async () => {
    const [a, b] = [await bought(2), await bought(2)]
    await useOn(a, [0, 1], 500_00, 'K1')
    await useOn(b, [0], 500_00, 'K2')
    expect([
      (await lst({ quick: 'many_on_bill', q: a.row.order_no })).total,
      (await lst({ quick: 'many_on_bill', q: b.row.order_no })).total,
    ]).toEqual([1, 0])
    expect([
      (await lst({ face_cents: FACE, q: a.row.order_no })).total,
      (await lst({ face_cents: 5_00, q: a.row.order_no })).total,
    ]).toEqual([1, 0])
    expect(
      (await lst({ face_cents: FACE, pageSize: 200 })).list.every(
        row => row.face_cents === FACE && row.kind === 'voucher',
      ),
    ).toBe(true)
    for (const filters of [
      {},
      { quick: 'many_on_bill' },
      { quick: 'cash_out' },
      { face_cents: FACE },
    ]) {
      const { all, ...each } = (await call(calls.counts, filters)).data as Record<string, number>
      expect([filters, all, Object.values(each).reduce((x, y) => x + y, 0)]).toEqual([
        filters,
        (await lst({ ...filters, pageSize: 1 })).total,
        all,
      ])
    }
  })
  it('tells the rules that an order was bought under, whatever the product says now; outside the scope it is not found', async () => {
    const a = await bought(1)
    await database.db
      .update(product)
      .set({ min_spend_cents: 999_00 })
      .where(eq(product.id, item.id))
    const shown = (await call(calls.detail, { id: a.row.id })).data as OrderDetail
    await database.db.update(product).set({ min_spend_cents: LEAST }).where(eq(product.id, item.id))
    expect(shown.items[0]!.voucher).toMatchObject({
      face_cents: FACE,
      min_spend_cents: LEAST,
      per_bill_limit: LIMIT,
    })
    const away = await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [a.row.city_id === 1 ? 2 : 1] },
    })
    for (const [what, input] of [
      [calls.detail, { id: a.row.id }],
      [calls.reportRisk, { ...a.one, reason: '越权' }],
      [detail.fixBill, { id: a.row.id, verify_id: 1, was_cents: 1, bill_cents: 1, reason: '越权' }],
    ] as const)
      expect((await call(what, input, away.token)).status).toBe(404)
  })
})

describe('afterwards', () => {
  it('every invariant holds', async () => {
    expect(await broken(database)).toEqual({})
  })
})
