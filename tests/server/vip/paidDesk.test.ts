import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { payOrder, sendPayouts } from '#src/areas/payment/payments.server.ts'
import { vip_notice } from '#src/areas/vipCard/renewal.table.ts'
import { vip_card_order, vip_contract, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { vipBuyApp, vipOrders } from '#src/modules/vip/contract/cardOrder.ts'
import { paidMembers } from '#src/modules/vip/contract/payment.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { channelOf } from '../../help/orders.ts'
import { aGift, aPeriod, aPlan } from '../../help/vipCards.ts'
import { buy, place, purchase, subscriptionOf } from '../../help/vipOrders.ts'

let database: Database
let app: App
let staff: string
let other: string
let elsewhere: string
const perms = ['vip.payment.*', 'vip.card.order.*']
beforeAll(async () => {
  database = await openCopy({ poolSize: 10 })
  app = await openApp(database)
  staff = (await addStaff(database, { perms, role: { refund_limit_cents: 1_000_000 } })).token
  other = (await addStaff(database, { perms })).token
  elsewhere = (await addStaff(database, { perms, role: { scope_type: 'city', scope_ids: [2] } }))
    .token
})
type Call = Parameters<typeof send>[1]
const ask = (call: Call, input: object, token = staff) => send(app, call, input, { token })
const ruleOf = (said: { status: number; data: { rule?: string } | null }) =>
  said.data?.rule ?? said.status
const held = async (id: number) => ({ id, version: (await subscriptionOf(database, id)).version })
const order = async (id: number) => ({ id, version: (await purchase(database, id)).version })
const payOut = () =>
  sendPayouts({
    database,
    channel: channelOf({
      refund: async of => ({
        state: 'success',
        channel_no: `R${of.out_no}`,
        at: unixNow(),
        amount_cents: of.amount_cents,
      }),
    }),
    log: { warn: () => undefined },
    now: unixNow(),
  })
const lastLog = async (object_type: string, object_id: number) =>
  (
    await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, object_type), eq(op_log.object_id, object_id)))
      .orderBy(desc(op_log.id))
      .limit(1)
  )[0]
const aMember = async (of: Parameters<typeof aPlan>[1] = {}, begins = 3600) => {
  const plan = await aPlan(database, of)
  const buyer = await aBuyer(database)
  // It begins in an hour, so that no day of it has begun however long a test takes.
  const now = unixNow() + begins
  const bought = await buy(database, { member_id: buyer.id, card_id: plan.id, now })
  return { plan, buyer, bought, id: bought.subscription_id! }
}

describe('a paid member', () => {
  it('is extended at once up to a year, above it by a second person', async () => {
    const { id, bought } = await aMember()
    const said = await ask(paidMembers.extend, { ...(await held(id)), days: 365, reason: '补偿' })
    expect([said.status, said.data.waits]).toEqual([200, false])
    expect((await subscriptionOf(database, id)).end_at).toBe(bought.end_at! + 365 * DAY)
    const long = { days: 366, reason: '年度补偿' }
    const asked = await ask(paidMembers.extend, { ...(await held(id)), ...long })
    expect(asked.data.waits).toBe(true)
    expect(ruleOf(await ask(paidMembers.extend, { ...(await held(id)), ...long }))).toBe(
      'paid_extend',
    )
    expect(ruleOf(await ask(paidMembers.approveExtend, await held(id)))).toBe('paid_approveExtend')
    const both = await Promise.all([
      ask(paidMembers.approveExtend, await held(id), other),
      ask(paidMembers.rejectExtend, { ...(await held(id)), reason: '不符合' }, other),
    ])
    expect(both.filter(one => one.status === 200)).toHaveLength(1)
    expect((await lastLog('vip_subscription', id))?.object_id).toBe(id)
  })
  it('whose time is over is opened again from now, and several at once each by itself', async () => {
    const [a, b] = [await aMember(), await aMember()]
    const past = unixNow() - 100 * DAY
    await database.db
      .update(vip_subscription)
      .set({ status: 'expired', start_at: past - DAY, end_at: past })
      .where(eq(vip_subscription.id, a.id))
    await database.db
      .update(vip_subscription)
      .set({ status: 'refunded' })
      .where(eq(vip_subscription.id, b.id))
    const said = await ask(paidMembers.batchExtend, { ids: [a.id, b.id], days: 10, reason: '补偿' })
    expect([said.data.ok, said.data.failed[0].id]).toEqual([[a.id], b.id])
    const { status, end_at } = await subscriptionOf(database, a.id)
    expect(status).toBe('active')
    expect(Math.abs(end_at - unixNow() - 10 * DAY)).toBeLessThan(60)
  })
  it('is refunded with what was given free, never more than was paid, and is over then', async () => {
    const { id, bought } = await aMember({}, -3600)
    await ask(paidMembers.extend, { ...(await held(id)), days: 30, reason: '补偿' })
    const said = await ask(paidMembers.refundRemain, {
      ...(await held(id)),
      reason: '会员要求退会',
    })
    expect([said.data.refunds, said.data.amount_cents]).toEqual([1, 2900])
    expect(
      ruleOf(await ask(paidMembers.refundRemain, { ...(await held(id)), reason: '再退' })),
    ).toBe('paid_refundRemain')
    await payOut()
    expect((await subscriptionOf(database, id)).status).toBe('refunded')
    expect((await purchase(database, bought.id)).ended_at).not.toBeNull()
  })
  it('is not refunded where more was saved than it cost', async () => {
    const { id } = await aMember({ refund_policy: 'unused_7d' })
    await database.db
      .update(vip_subscription)
      .set({ saved_cents: 3001 })
      .where(eq(vip_subscription.id, id))
    const said = await ask(paidMembers.refundRemain, {
      ...(await held(id)),
      reason: '会员要求退会',
    })
    expect(ruleOf(said)).toBe('paid_refundRemain')
  })
  it('is only switched off, charged at most three times a week, and never without a contract', async () => {
    const { id, buyer, plan } = await aMember()
    expect(ruleOf(await ask(paidMembers.stopRenew, { ...(await held(id)), reason: '要求' }))).toBe(
      'paid_stopRenew',
    )
    expect(ruleOf(await ask(paidMembers.retryCharge, await held(id)))).toBe('paid_retryCharge')
    const contract_no = `VKT${id}`
    const now = unixNow()
    await database.db.insert(vip_contract).values({
      contract_no,
      member_id: buyer.id,
      card_id: plan.id,
      template: 'WXQ',
      price_cents: 3000,
      days: 30,
      state: 'signed',
      signed_at: now,
    })
    const failing = { charge_fail_count: 1, charge_error: '付款账户余额不足' }
    await database.db
      .update(vip_subscription)
      .set({ auto_renew: true, contract_no, next_charge_at: now + DAY, ...failing })
      .where(eq(vip_subscription.id, id))
    const rules = []
    for (let n = 0; n < 4; n++) {
      rules.push(ruleOf(await ask(paidMembers.retryCharge, await held(id))))
      await database.db.execute(
        `update vip_charge set state = 'failed', ask_at = null where subscription_id = ${id}`,
      )
    }
    expect(rules).toEqual([200, 200, 200, 'paid_retryCharge'])
    const off = await ask(paidMembers.stopRenew, { ...(await held(id)), reason: '会员要求解约' })
    expect([off.status, (await subscriptionOf(database, id)).auto_renew]).toEqual([200, false])
    expect(Object.keys(paidMembers)).not.toContain('startRenew')
  })
  it('is reminded once a day', async () => {
    const { id } = await aMember()
    const both = await Promise.all([
      ask(paidMembers.sendRenewRemind, { id }),
      ask(paidMembers.sendRenewRemind, { id }),
    ])
    expect(both.map(one => one.status).toSorted()).toEqual([200, 422])
    const sent = await database.db
      .select()
      .from(vip_notice)
      .where(eq(vip_notice.subscription_id, id))
    expect(sent).toHaveLength(1)
  })
  it('is shown with figures, filters and a history, to who is of the city alone', async () => {
    const { id, plan, buyer } = await aMember()
    const seen = async (input: object, token = staff) =>
      (
        await ask(paidMembers.lst, { card_id: plan.id, page: 1, pageSize: 20, ...input }, token)
      ).data.list.map((one: { id: number }) => one.id)
    expect(await seen({})).toEqual([id])
    expect(await seen({ status: 'expired' })).toEqual([])
    expect(await seen({ auto_renew: 'off', keyword: buyer.phone })).toEqual([id])
    expect(await seen({ from: unixNow(), to: unixNow() + 31 * DAY })).toEqual([id])
    expect(await seen({ failing: true })).toEqual([])
    expect(await seen({}, elsewhere)).toEqual([])
    expect((await ask(paidMembers.history, { id }, elsewhere)).status).toBe(404)
    const { data } = await ask(paidMembers.history, { id })
    expect(data.periods.map((one: { pay_cents: number }) => one.pay_cents)).toEqual([3000])
    const figures = (await ask(paidMembers.figures, {})).data
    expect(figures.active).toBeGreaterThan(0)
  })
})

describe('a purchase', () => {
  it('is refunded as staff decide, within their limit, and its totals follow', async () => {
    const { bought, plan } = await aMember()
    const totals = async () => (await ask(vipOrders.totals, { card_id: plan.id })).data
    expect(await totals()).toEqual({
      orders: 1,
      paid_cents: 3000,
      refunded_cents: 0,
      net_cents: 3000,
    })
    const refund = async (amount_cents: number) =>
      ask(vipOrders.refund, { ...(await order(bought.id)), amount_cents, reason: '协商退款' })
    expect(ruleOf(await refund(3001))).toBe('too_much')
    expect((await refund(500)).status).toBe(200)
    expect(ruleOf(await refund(500))).toBe('refund_running')
    await payOut()
    expect((await totals()).net_cents).toBe(2500)
    expect(
      (await ask(vipOrders.refund, { ...(await order(bought.id)), reason: '全退' })).status,
    ).toBe(200)
    await payOut()
    expect((await totals()).net_cents).toBe(0)
    expect((await lastLog('vip_card_order', bought.id))?.object_label).toBe(bought.order_no)
  })
  it('above a limit waits for another person', async () => {
    const { bought } = await aMember()
    const small = (await addStaff(database, { perms, role: { refund_limit_cents: 100 } })).token
    const said = await ask(
      vipOrders.refund,
      { ...(await order(bought.id)), reason: '超额退款' },
      small,
    )
    expect(said.data.state).toBe('second_audit')
    const which = async (refund_id: number) => {
      const { list } = (
        await ask(vipOrders.lst, { keyword: bought.order_no, page: 1, pageSize: 1 })
      ).data
      return { id: bought.id, refund_id, refund_version: list[0].open_refund.version }
    }
    const first = await which(said.data.refund_id)
    expect(ruleOf(await ask(vipOrders.approveRefund, first, small))).toBe('approveRefund')
    const no = await ask(vipOrders.rejectRefund, { ...first, reason: '与会员协商保留' })
    expect([no.status, no.data.state]).toEqual([200, 'rejected'])
    const again = await ask(
      vipOrders.refund,
      { ...(await order(bought.id)), reason: '再次申请' },
      small,
    )
    const yes = await ask(vipOrders.approveRefund, await which(again.data.refund_id))
    expect([yes.status, yes.data.state]).toEqual([200, 'paying'])
    await database.db.execute(
      `update payment set state = 'failed', fail_code = 'NOT_ENOUGH' where refund_id = ${again.data.refund_id}`,
    )
    await database.db.execute(
      `update refund set state = 'pay_failed' where id = ${again.data.refund_id}`,
    )
    const paid = await ask(vipOrders.retryRefund, await which(again.data.refund_id))
    expect([paid.status, paid.data.state]).toEqual([200, 'paying'])
    await payOut()
    expect((await subscriptionOf(database, bought.subscription_id!)).paid_cents).toBe(0)
  })
  it('that is not paid is closed by staff or asked about, and a free one is not refunded', async () => {
    const plan = await aPlan(database)
    const buyer = await aBuyer(database)
    const { bought, made } = await place(database, { member_id: buyer.id, card_id: plan.id })
    expect((await ask(vipOrders.syncPay, { id: bought.id })).data.said).toBe('failed')
    const close = { ...(await order(bought.id)), reason: '会员放弃' }
    expect((await ask(vipOrders.closeUnpaid, close)).status).toBe(200)
    const again = { ...(await order(bought.id)), reason: '会员放弃' }
    expect(ruleOf(await ask(vipOrders.closeUnpaid, again))).toBe('closeUnpaid')
    expect(await database.transaction(tx => payOrder(tx, made.id, unixNow()))).toBe(false)
    const free = await database.transaction(tx =>
      aPeriod(tx, { member_id: buyer.id, card_id: plan.id, days: 30, now: unixNow() }),
    )
    const back = await ask(vipOrders.refund, { ...(await order(free.id)), reason: '退款' })
    expect(ruleOf(back)).toBe('refund')
  })
  it('gets the coupons that it missed, once', async () => {
    const gift = await aGift(database, { status: 'paused' })
    const { bought } = await aMember({ stock: 9, gift_coupon_ids: [gift.id] })
    expect((await ask(vipOrders.resendGift, { id: bought.id })).status).not.toBe(200)
    await database.db.update(coupon).set({ status: 'active' }).where(eq(coupon.id, gift.id))
    const both = await Promise.all([
      ask(vipOrders.resendGift, { id: bought.id }),
      ask(vipOrders.resendGift, { id: bought.id }),
    ])
    expect(both.map(one => one.status).toSorted()).toEqual([200, 422])
    const { data } = await ask(vipOrders.trail, { id: bought.id })
    expect(data.gifts[0].state).toBe('未使用')
  })
  it('is noted, listed by its state, and nobody’s from elsewhere', async () => {
    const { bought, plan } = await aMember()
    await ask(vipOrders.addNote, { ...(await order(bought.id)), note: '已电话确认' })
    expect((await purchase(database, bought.id)).note).toBe('已电话确认')
    const list = async (status: string, token = staff) =>
      (await ask(vipOrders.lst, { card_id: plan.id, status, page: 1, pageSize: 9 }, token)).data
    expect((await list('paid')).list).toHaveLength(1)
    expect((await list('paid')).stat).toEqual({ paid: 1 })
    expect((await list('unpaid')).list).toHaveLength(0)
    expect((await list('paid', elsewhere)).list).toHaveLength(0)
    expect((await ask(vipOrders.trail, { id: bought.id }, elsewhere)).status).toBe(404)
  })
  it('is placed from the mini-program, whose buyer hears a state', async () => {
    const plan = await aPlan(database, { buy_limit: 1 })
    const buyer = await aBuyer(database)
    const device = 'device_of_a_vip_buyer'
    const from = (of: object) => send(app, vipBuyApp.buy, { card_id: plan.id, device, ...of })
    const said = await from({ phone: buyer.phone, source: '首页海报' })
    expect([said.data.state, said.data.pay_cents]).toEqual(['unpaid', 3000])
    expect((await from({ phone: buyer.phone })).data.state).toBe('limit')
    expect((await from({ phone: '13900000000' })).data.state).toBe('refused')
    const [row] = await database.db
      .select()
      .from(vip_card_order)
      .where(eq(vip_card_order.order_no, said.data.order_no))
    expect([row!.source, row!.start_at]).toEqual(['首页海报', null])
  })
})
