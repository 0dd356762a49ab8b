import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, receivePayment, sendPayouts } from '#src/areas/payment/payments.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { vip_card } from '#src/areas/vipCard/vipCard.table.ts'
import { vipOrderFacts } from '#src/areas/vipCard/vipFacts.server.ts'
import { returnUnopened } from '#src/areas/vipCard/vipRefunds.server.ts'
import { saidIn } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { channelOf } from '../../help/orders.ts'
import { aGift, aPlan, membershipsOf } from '../../help/vipCards.ts'
import { buy, giveBack, orderAt, place, purchase } from '../../help/vipOrders.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy({ poolSize: 12 })
})
const NOW = unixNow()
/** The channel pays what waits to go out; answers why it did, as it was told. */
const payOut = async (now: number) => {
  const told: string[] = []
  await payEach(now, told)
  return told
}
const payEach = (now: number, told: string[]) =>
  sendPayouts({
    database,
    channel: channelOf({
      refund: async of => {
        told.push(of.reason)
        const channel_no = `R${of.out_no}`
        return { state: 'success', channel_no, at: now, amount_cents: of.amount_cents }
      },
    }),
    log: { warn: () => undefined },
    now,
  })
/** The channel tells of a payment that it took, whatever has become of the order meanwhile. */
const payLate = (order_id: number, now: number) =>
  database.transaction(async tx => {
    const [asked] = await tx
      .select()
      .from(payment)
      .where(and(eq(payment.order_id, order_id), eq(payment.direction, 'in')))
    const { out_no, amount_cents } = asked!
    return receivePayment(tx, {
      out_no,
      answer: { state: 'success', channel_no: `L${order_id}`, at: now, amount_cents },
      now,
    })
  })
const planOf = async (id: number) =>
  (await database.db.select().from(vip_card).where(eq(vip_card.id, id)))[0]!
const rule = (said: Promise<unknown>) =>
  said.then(
    () => 'done',
    error => error.data?.rule ?? error,
  )
const refundable = async (id: number, now: number) =>
  (await vipOrderFacts(database.db, [id], now)).get(id)!

describe('an order of a membership', () => {
  it('opens it once it is paid, as income of the house, with its coupons', async () => {
    const gift = await aGift(database)
    const plan = await aPlan(database, { stock: 5, gift_coupon_ids: [gift.id] })
    const buyer = await aBuyer(database)
    const bought = await buy(database, { member_id: buyer.id, card_id: plan.id, now: NOW })
    const row = await orderAt(database, bought.order_id!)
    expect([row.status, row.merchant_id, row.store_id, row.city_id]).toEqual([
      'finished',
      0,
      0,
      buyer.city_id,
    ])
    expect((await membershipsOf(database, buyer.id))[0]!.end_at).toBe(NOW + 30 * DAY)
    expect([bought.start_at, bought.end_at]).toEqual([NOW, NOW + 30 * DAY])
    expect((await planOf(plan.id)).sold_count).toBe(1)
    const [grant] = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.member_id, buyer.id))
    expect([grant!.coupon_id, grant!.status]).toEqual([gift.id, 'unused'])
    expect(await database.transaction(tx => payOrder(tx, row.id, NOW))).toBe(false)
    expect(await brokenBooks(database)).toEqual({})
  })
  it('costs the first price once, and frees its piece and that price when it is closed', async () => {
    const plan = await aPlan(database, { first_price_cents: 1000, stock: 2, buy_limit: 2 })
    const buyer = await aBuyer(database)
    const of = { member_id: buyer.id, card_id: plan.id, now: NOW }
    const first = await place(database, of)
    expect(first.made.pay_cents).toBe(1000)
    await database.transaction(tx => closeUnpaid(tx, first.made.id, NOW + 1801))
    expect((await planOf(plan.id)).sold_count).toBe(0)
    expect((await buy(database, of)).pay_cents).toBe(1000)
    expect((await buy(database, of)).pay_cents).toBe(3000)
    expect(await rule(place(database, of))).toBe('sold_out')
    await database.db.update(vip_card).set({ stock: 9 }).where(eq(vip_card.id, plan.id))
    expect(await rule(place(database, of))).toBe('limit')
    await database.db.update(vip_card).set({ status: 'off' }).where(eq(vip_card.id, plan.id))
    expect(await rule(place(database, of))).toBe('off')
  })
  it('that costs nothing is open at once', async () => {
    const plan = await aPlan(database, { price_cents: 0 })
    const buyer = await aBuyer(database)
    const { made, bought } = await place(database, { member_id: buyer.id, card_id: plan.id })
    expect([made.status, bought.end_at! - bought.start_at!]).toEqual(['finished', 30 * DAY])
    expect(await rule(giveBack(database, bought.id))).toBe('not_refundable')
    expect(await brokenBooks(database)).toEqual({})
  })
  it('goes back by itself where the account was closed before it was paid', async () => {
    const plan = await aPlan(database)
    const buyer = await aBuyer(database)
    const { made } = await place(database, { member_id: buyer.id, card_id: plan.id, now: NOW })
    await database.db
      .update(member)
      .set({ account_state: 'canceled' })
      .where(eq(member.id, buyer.id))
    await database.transaction(tx => payOrder(tx, made.id, NOW))
    expect((await orderAt(database, made.id)).fulfil_state).toBe('issue_failed')
    expect(await database.transaction(tx => returnUnopened(tx, NOW + 1))).toBe(1)
    expect(await database.transaction(tx => returnUnopened(tx, NOW + 2))).toBe(0)
    const [back] = await database.db.select().from(refund).where(eq(refund.order_id, made.id))
    expect([saidIn(back!.reason, 'zh'), saidIn(back!.reason, 'en')]).toEqual([
      '会员未能开通，自动退回',
      'It could not be opened: the money goes back by itself',
    ])
    expect(await payOut(NOW + 3)).toContain('会员未能开通，自动退回')
    expect((await orderAt(database, made.id)).refunded_cents).toBe(3000)
    expect(await brokenBooks(database)).toEqual({})
  })
})

describe('a refund', () => {
  it('takes whole days back with the money, and the coupons that were not used', async () => {
    const gift = await aGift(database)
    const plan = await aPlan(database, { gift_coupon_ids: [gift.id], stock: 9 })
    const buyer = await aBuyer(database)
    const bought = await buy(database, { member_id: buyer.id, card_id: plan.id, now: NOW })
    const later = NOW + 9 * DAY + 3600
    expect((await refundable(bought.id, later)).refundable.cents).toBe(2000)
    expect(await rule(giveBack(database, bought.id, { amount_cents: 2001, now: later }))).toBe(
      'too_much',
    )
    await giveBack(database, bought.id, { amount_cents: 450, now: later })
    expect(await rule(giveBack(database, bought.id, { now: later }))).toBe('refund_running')
    await payOut(later)
    const part = await orderAt(database, bought.order_id!)
    expect([part.refund_state, part.refunded_cents]).toEqual(['part_refunded', 450])
    expect((await purchase(database, bought.id)).end_at).toBe(NOW + 25 * DAY)
    const [grant] = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.member_id, buyer.id))
    expect(grant!.status).toBe('revoked')
    expect((await refundable(bought.id, later)).refundable.cents).toBe(1500)
    await giveBack(database, bought.id, { now: later })
    await payOut(later)
    const [sub] = await membershipsOf(database, buyer.id)
    expect([sub!.status, sub!.end_at, sub!.paid_cents]).toEqual(['refunded', later, 1050])
    expect(await rule(giveBack(database, bought.id, { now: later }))).toBe('not_refundable')
    expect(await brokenBooks(database)).toEqual({})
  })
  it('takes off what its coupons were worth, and is whole within seven days where it says so', async () => {
    const gift = await aGift(database)
    const plan = await aPlan(database, {
      gift_coupon_ids: [gift.id],
      stock: 9,
      refund_policy: 'unused_7d',
    })
    const buyer = await aBuyer(database)
    const bought = await buy(database, { member_id: buyer.id, card_id: plan.id, now: NOW })
    await database.db
      .update(coupon_grant)
      .set({ status: 'used', discount_cents: 1000 })
      .where(eq(coupon_grant.member_id, buyer.id))
    const at = NOW + 3 * DAY
    expect((await refundable(bought.id, at)).refundable.cents).toBe(2000)
    expect((await refundable(bought.id, NOW + 8 * DAY)).refundable.cents).toBe(0)
    await giveBack(database, bought.id, { amount_cents: 500, now: at })
    await payOut(at)
    const left = (await refundable(bought.id, at)).refundable.cents
    await giveBack(database, bought.id, { now: at })
    await payOut(at)
    expect([left, (await orderAt(database, bought.order_id!)).refunded_cents]).toEqual([1500, 2000])
    expect((await membershipsOf(database, buyer.id))[0]!.status).toBe('refunded')
    expect(await brokenBooks(database)).toEqual({})
  })
})

describe('a dearer plan', () => {
  it('is paid in part by the rest of the cheaper one, which ends with it', async () => {
    const [small, big] = [
      await aPlan(database),
      await aPlan(database, { days: 90, price_cents: 9000, original_cents: 9000 }),
    ]
    const buyer = await aBuyer(database)
    const first = await buy(database, { member_id: buyer.id, card_id: small.id, now: NOW })
    const at = NOW + 10 * DAY
    const { made, bought } = await place(database, {
      member_id: buyer.id,
      card_id: big.id,
      now: at,
    })
    expect([made.pay_cents, bought.credit_cents]).toEqual([7000, 2000])
    // A second one finds nothing left to be credited.
    const again = await place(database, { member_id: buyer.id, card_id: big.id, now: at })
    expect(again.made.pay_cents).toBe(9000)
    await database.transaction(tx => payOrder(tx, made.id, at))
    const [sub, none] = await membershipsOf(database, buyer.id)
    expect([sub!.card_id, sub!.end_at, none]).toEqual([big.id, at + 90 * DAY, undefined])
    expect(await rule(giveBack(database, first.id, { now: at }))).toBe('not_refundable')
    expect(await brokenBooks(database)).toEqual({})
  })
  it('that is not paid is closed when the cheaper one is given back', async () => {
    const [small, big] = [
      await aPlan(database),
      await aPlan(database, { price_cents: 9000, original_cents: 9000 }),
    ]
    const buyer = await aBuyer(database)
    const first = await buy(database, { member_id: buyer.id, card_id: small.id, now: NOW })
    const { made } = await place(database, { member_id: buyer.id, card_id: big.id, now: NOW })
    await giveBack(database, first.id, { now: NOW + 1 })
    expect((await orderAt(database, made.id)).pay_state).toBe('closed')
    const [closed] = await database.db
      .select()
      .from(order_log)
      .where(and(eq(order_log.order_id, made.id), eq(order_log.event, 'cancel')))
    expect(saidIn(closed!.memo, 'en')).toBe('The plan that paid a part of it is being refunded')
    expect(await database.transaction(tx => payOrder(tx, made.id, NOW + 2))).toBe(false)
    // The channel took the money before it heard of that: it opens nothing and goes back whole.
    expect(await payLate(made.id, NOW + 2)).toBe('late')
    await payOut(NOW + 3)
    const late = await orderAt(database, made.id)
    expect([late.pay_state, late.paid_cents - late.refunded_cents]).toEqual(['closed', 0])
    expect((await membershipsOf(database, buyer.id))[0]!.status).toBe('refunded')
    expect(await brokenBooks(database)).toEqual({})
  })
})

onlyOn('postgres')('at the same moment', () => {
  it('the last piece, the first price and the credit have one taker', async () => {
    const plan = await aPlan(database, { first_price_cents: 100, stock: 3 })
    const buyer = await aBuyer(database)
    const one = () => place(database, { member_id: buyer.id, card_id: plan.id, now: NOW })
    const placed = await Promise.all([one(), one(), one()])
    expect(placed.map(({ made }) => made.pay_cents).toSorted((a, b) => a - b)).toEqual([
      100, 3000, 3000,
    ])
    const others = [await aBuyer(database), await aBuyer(database)]
    await database.db.update(vip_card).set({ stock: 4 }).where(eq(vip_card.id, plan.id))
    const said = await Promise.all(
      others.map(({ id }) => rule(place(database, { member_id: id, card_id: plan.id, now: NOW }))),
    )
    expect(said.toSorted()).toEqual(['done', 'sold_out'])
  })
  it('two payments of two orders open one membership, and a refund and an upgrade leave one', async () => {
    const [small, big] = [
      await aPlan(database),
      await aPlan(database, { price_cents: 9000, original_cents: 9000 }),
    ]
    const buyer = await aBuyer(database)
    const of = { member_id: buyer.id, card_id: small.id, now: NOW }
    const [a, b] = [await place(database, of), await place(database, of)]
    await Promise.all(
      [a, b].map(({ made }) => database.transaction(tx => payOrder(tx, made.id, NOW))),
    )
    const all = await membershipsOf(database, buyer.id)
    expect(all.map(one => one.end_at)).toEqual([NOW + 60 * DAY])
    const up = await place(database, { ...of, card_id: big.id })
    const credited = up.bought.credit_of!
    await Promise.all([
      database.transaction(tx => payOrder(tx, up.made.id, NOW)),
      rule(giveBack(database, credited, { now: NOW })),
    ])
    await payOut(NOW + 1)
    // A payment that meets a closed order is taken and goes back whole: it opens nothing.
    const dearer = await orderAt(database, up.made.id)
    const opened = dearer.pay_state === 'paid'
    const kept = dearer.paid_cents - dearer.refunded_cents
    const cheaper = await orderAt(database, (await purchase(database, credited)).order_id!)
    expect([kept, cheaper.refunded_cents]).toEqual(opened ? [up.made.pay_cents, 0] : [0, 3000])
    expect(await brokenBooks(database)).toEqual({})
  })
})
