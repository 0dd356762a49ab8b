import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import type { Buying } from '#src/areas/order/buying.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import type { PayAnswer } from '#src/areas/payment/pay.channel.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder, queryPayment, receivePayment } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { rejectRefund, secondReject } from '#src/areas/refund/refundCases.server.ts'
import { risk_hit, risk_list } from '#src/areas/risk/risk.table.ts'
import { dayStart, unixNow } from '#src/domain/time.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import {
  visitor as calls,
  visitorDetail as detail,
  type RelatedOrders,
} from '#src/modules/order/contract/visitor.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, seesNumbers, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf, finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'
import { wordless } from '../../help/words.ts'

type Staff = Awaited<ReturnType<typeof addStaff>>
const DAY = 86_400
let database: Database
let app: App
let me: Staff, other: Staff
let item: typeof product.$inferSelect
let usable: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  other = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  const made = await database.transaction(tx => freshProduct(tx, 'bulks'))
  ;[item] = (await database.db
    .update(product)
    .set({
      stock: 10_000,
      price_cents: 88_00,
      valid_days: 30,
      check_end_at: unixNow() + 200 * DAY,
      sale_start_at: unixNow() - 100 * DAY,
      sale_end_at: unixNow() + 90 * DAY,
    })
    .where(eq(product.id, made.item.id))
    .returning()) as [typeof item]
  usable = (
    await database.db.execute<{ id: number }>(
      sql`select id from store where merchant_id = ${item.merchant_id} and status = 'open' limit 1`,
    )
  ).rows[0]!.id
  await database.db.execute(
    sql`insert into product_store (product_id, store_id) values (${item.id}, ${usable})`,
  )
})
const call = (what: Parameters<typeof send>[1], input: object, by: Staff = me) =>
  send(app, what, input, { token: by.token })
let n = 0
const phoneOf = (at: number) => `1551000${String(1000 + at)}`
const placed = (of: Partial<Buying> = {}, phone = phoneOf(++n)) =>
  database.transaction(tx =>
    placeOrder(tx, {
      proved: true,
      product_id: item.id,
      qty: 1,
      member_id: null,
      visitor: { phone, openid: `oTest${phone}` },
      store_id: usable,
      now: unixNow() - 30,
      ...of,
    } as Buying),
  )
const bought = async (of: Partial<Buying> = {}, phone = phoneOf(++n)) => {
  const now = of.now ?? unixNow() - 30
  const { id } = await placed({ ...of, now }, phone)
  await database.transaction(tx => payOrder(tx, id, now))
  return id
}
const bill = (cents: number, now = unixNow() - 30) => bought({ bill_cents: cents, now })
const rowOf = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
const one = async (id: number) => {
  const { version } = await rowOf(id)
  return { id, version }
}
const shown = async (id: number) =>
  ((await call(calls.lst, { q: (await rowOf(id)).order_no })).data as { list: OrderRow[] }).list[0]!
const codesOf = (id: number) =>
  database.db.select().from(order_code).where(eq(order_code.order_id, id)).orderBy(order_code.id)
const newMember = async (phone: string, more: object = {}) =>
  (
    await database.db
      .insert(member)
      .values({
        uid: `VIQ_${++n}`,
        nickname: `会员${n}`,
        phone,
        city_id: item.city_id,
        register_at: unixNow() - 100 * DAY,
        ...more,
      })
      .returning()
  )[0]!
const use = (code_id: number) =>
  database.transaction(tx => redeem(tx, { code_id, store_id: usable, now: unixNow() }))

describe('a visitor’s payment', () => {
  it('of codes sends them by SMS at once; of a bill it is used the moment it is paid', async () => {
    const code = await bought()
    const [sent] = await database.db
      .select()
      .from(order_message)
      .where(eq(order_message.order_id, code))
    expect(sent).toMatchObject({
      kind: 'code',
      state: 'queued',
      phone: (await rowOf(code)).visitor_phone,
    })
    expect(sent!.text).toContain((await codesOf(code))[0]!.code)
    expect([(await rowOf(code)).status, (await shown(code)).visitor!.sms]).toEqual([
      'pending_use',
      'queued',
    ])
    const paid = await bill(123_45)
    expect([
      (await rowOf(paid)).status,
      (await rowOf(paid)).sub_kind,
      (await rowOf(paid)).paid_cents,
      (await codesOf(paid))[0]!.state,
    ]).toEqual(['finished', 'pay_bill', 123_45, 'used'])
    expect(
      await database.db.select().from(order_message).where(eq(order_message.order_id, paid)),
    ).toEqual([])
  })
  it('after its time is sent back by itself, and the list shows it', async () => {
    const { id } = await placed()
    const [asked] = await database.db.select().from(payment).where(eq(payment.order_id, id))
    await database.transaction(tx => closeUnpaid(tx, id, unixNow() + 9999))
    await database.transaction(tx =>
      receivePayment(tx, {
        out_no: asked!.out_no,
        answer: {
          state: 'success',
          channel_no: 'LATE1',
          at: unixNow(),
          amount_cents: asked!.amount_cents,
        },
        now: unixNow(),
      }),
    )
    await finishPayouts(database, unixNow() + 60)
    const [back] = await database.db.select().from(refund).where(eq(refund.order_id, id))
    expect([back!.cause, back!.state, back!.amount_cents]).toEqual(['late_pay', 'done', 88_00])
    const list = (await call(calls.lst, { quick: 'late_pay', status: 'cancelled' })).data as {
      list: OrderRow[]
    }
    expect(list.list.find(row => row.id === id)).toMatchObject({
      cancel_type: 'late_pay',
      status: 'cancelled',
      paid_cents: 88_00,
      refunded_cents: 88_00,
    })
    expect(list.list.every(row => row.cancel_type === 'late_pay')).toBe(true)
  })
  it('after its time that the channel would not take back shows as such, and is tried again', async () => {
    const { id } = await placed()
    const [asked] = await database.db.select().from(payment).where(eq(payment.order_id, id))
    await database.transaction(tx => closeUnpaid(tx, id, unixNow() + 9999))
    await database.transaction(tx =>
      receivePayment(tx, {
        out_no: asked!.out_no,
        answer: {
          state: 'success',
          channel_no: 'LATE2',
          at: unixNow(),
          amount_cents: asked!.amount_cents,
        },
        now: unixNow(),
      }),
    )
    await finishPayouts(
      database,
      unixNow() + 60,
      channelOf({
        refund: async () => ({ state: 'failed', code: 'NOT_ENOUGH', text: '余额不足' }),
      }),
    )
    const shown = async () => ((await call(calls.detail, { id })).data as { order: OrderRow }).order
    expect(await shown()).toMatchObject({ payout_failed: true, refunded_cents: 0 })
    expect((await call(calls.retryRefund, { id })).data.retried).toBe(1)
    await finishPayouts(database, unixNow() + 60)
    expect(await shown()).toMatchObject({ payout_failed: false, refunded_cents: 88_00 })
  })
  it('of another amount than was asked for is not taken, and its order tells of it once', async () => {
    const { id } = await placed()
    const [asked] = await database.db.select().from(payment).where(eq(payment.order_id, id))
    for (let n = 0; n < 2; n++)
      await database.transaction(tx =>
        receivePayment(tx, {
          out_no: asked!.out_no,
          answer: { state: 'success', channel_no: 'LESS1', at: unixNow(), amount_cents: 87_00 },
          now: unixNow(),
        }),
      )
    const { order: row, log } = (await call(calls.detail, { id })).data as {
      order: OrderRow
      log: { event: string; memo: string }[]
    }
    expect([
      row.pay_state,
      log.filter(one => one.event === 'pay_differs').map(one => one.memo),
    ]).toEqual(['unpaid', ['应收 88.00 元，渠道报 87.00 元，未入账，请与渠道核对']])
  })
  it('is asked for at the channel: what is pending may turn out paid, what is paid never turns back', async () => {
    const { id } = await placed()
    const ask = (answer: PayAnswer) =>
      queryPayment(database.db, channelOf({ queryPayment: async () => answer }), id, unixNow())
    expect([await ask({ state: 'pending' }), (await rowOf(id)).status]).toEqual([
      'pending',
      'pending_payment',
    ])
    expect([
      await ask({ state: 'success', channel_no: 'Q1', at: unixNow(), amount_cents: 88_00 }),
      (await rowOf(id)).status,
    ]).toEqual(['success', 'pending_use'])
    expect([
      await ask({ state: 'failed', code: 'NOTPAY', text: '' }),
      (await call(detail.queryPay, { id })).data.said,
      (await rowOf(id)).status,
    ]).toEqual(['none', 'none', 'pending_use'])
  })
  it('is refused where risk control says so: the phone or device on the black list, or a blocking hit of them', async () => {
    const tried = (phone: string, device?: string) =>
      placed(device ? { device } : {}, phone).then(
        () => 'placed',
        (error: { data: { rule: string } }) => error.data.rule,
      )
    const phone = phoneOf(++n)
    const entry = { list: 'black' as const, scene: 'order', reason: '盗刷' }
    await database.db.insert(risk_list).values([
      { ...entry, type: 'phone', value: phone },
      { ...entry, type: 'device', value: 'dev-black' },
    ])
    expect([
      await tried(phone),
      await tried(phoneOf(++n), 'dev-black'),
      await tried(phoneOf(++n), 'dev-clean'),
    ]).toEqual(['risk_blocked', 'risk_blocked', 'placed'])
    await database.db
      .insert(risk_list)
      .values({ ...entry, list: 'white', type: 'phone', value: phone })
    expect(await tried(phone)).toBe('placed')
    const again = phoneOf(++n)
    const before = await bought({}, again)
    await database.db.insert(risk_hit).values({
      domain: 'platform',
      rule: 'phone_orders',
      scene: 'order',
      level: 'high',
      score: 90,
      action: 'block',
      city_id: item.city_id,
      order_ids: [before],
      note: '同手机频繁下单',
      state: 'open',
      hit_at: unixNow(),
      last_at: unixNow(),
    })
    expect([await tried(again), await tried(phoneOf(++n))]).toEqual(['risk_blocked', 'placed'])
  })
})

describe('binding to a member', () => {
  it('is done at once where the phone matches; the order is in the member’s list and keeps its visitor mark', async () => {
    const id = await bought()
    const who = await newMember((await rowOf(id)).visitor_phone!)
    const members = (await call(calls.members, { order_id: id })).data as {
      list: { id: number; same: boolean }[]
    }
    expect(members.list).toEqual([expect.objectContaining({ id: who.id, same: true })])
    const made = await call(calls.bindMember, {
      ...(await one(id)),
      member_id: who.id,
      reason: '来电核对',
    })
    expect(made.data).toMatchObject({ bound: true, status: 'pending_use' })
    const row = await shown(id)
    expect([
      row.kind,
      row.member_id,
      row.member_name,
      row.visitor!.phone !== undefined,
      row.claimed_at !== null,
    ]).toEqual(['visitor', who.id, who.nickname, true, true])
    expect(((await call(calls.detail, { id })).data as OrderDetail).buyer!.orders).toBe(1)
    expect(
      (
        await call(calls.bindMember, {
          ...(await one(id)),
          member_id: (await newMember('15599990001')).id,
          reason: '再绑一次',
        })
      ).data.rule,
    ).toBe('not_bindable')
  })
  it('to another phone waits for a second person, who is not the first; whoever refuses leaves it free', async () => {
    const id = await bought()
    const who = await newMember('15599990002')
    expect(
      (
        await call(calls.bindMember, {
          ...(await one(id)),
          member_id: who.id,
          reason: '换过手机号',
        })
      ).data.bound,
    ).toBe(false)
    expect([(await rowOf(id)).member_id, (await shown(id)).visitor!.bind]).toEqual([
      null,
      expect.objectContaining({ member_id: who.id, first_by: me.id, reason: '换过手机号' }),
    ])
    expect(
      ((await call(calls.lst, { quick: 'bind_asked' })).data as { list: OrderRow[] }).list.some(
        row => row.id === id,
      ),
    ).toBe(true)
    expect(
      (
        await call(
          calls.bindMember,
          { ...(await one(id)), member_id: who.id, reason: '再申请' },
          other,
        )
      ).data.rule,
    ).toBe('asked')
    expect(
      (await call(calls.confirmBind, { ...(await one(id)), reason: '自己同意' })).data.rule,
    ).toBe('same_person')
    expect(
      (await call(calls.refuseBind, { ...(await one(id)), reason: '截图不符' }, other)).status,
    ).toBe(200)
    await call(calls.bindMember, { ...(await one(id)), member_id: who.id, reason: '补了截图' })
    expect(
      (await call(calls.confirmBind, { ...(await one(id)), reason: '已核对' }, other)).status,
    ).toBe(200)
    expect((await rowOf(id)).member_id).toBe(who.id)
    const found = (await call(calls.related, { id })).data as RelatedOrders
    expect(found.binds.map(bind => [bind.state, bind.first_name, bind.second_name])).toEqual([
      ['bound', me.account, other.account],
      ['refused', me.account, other.account],
    ])
    expect(
      (await call(calls.confirmBind, { ...(await one(id)), reason: '再同意' }, other)).data.rule,
    ).toBe('nothing_asked')
  })
  it('is not for what is unpaid, frozen or given back, nor to a member who is closed', async () => {
    const { id: unpaid } = await placed()
    const who = await newMember('15599990003')
    const closed = await newMember('15599990004', { account_state: 'canceled' })
    const bind = async (id: number, member_id: number) =>
      (await call(calls.bindMember, { ...(await one(id)), member_id, reason: '绑定' })).data.rule
    const frozen = await bought()
    await call(calls.freeze, { ...(await one(frozen)), reason: '核实' })
    expect([
      await bind(unpaid, who.id),
      await bind(frozen, who.id),
      await bind(await bought(), closed.id),
    ]).toEqual(['not_bindable', 'frozen', 'member_off'])
  })
  it('is undone within a day, before anything was redeemed or asked back by the member; then it can be bound again', async () => {
    const ready = async () => {
      const id = await bought({ qty: 2 })
      const who = await newMember((await rowOf(id)).visitor_phone!)
      await call(calls.bindMember, { ...(await one(id)), member_id: who.id, reason: '核对一致' })
      return { id, who }
    }
    const undo = async (id: number) =>
      call(detail.unbindMember, { ...(await one(id)), reason: '绑错人' })
    const plain = await ready()
    expect((await undo(plain.id)).status).toBe(200)
    expect([(await rowOf(plain.id)).member_id, (await rowOf(plain.id)).claimed_at]).toEqual([
      null,
      null,
    ])
    expect(
      (
        await call(calls.bindMember, {
          ...(await one(plain.id)),
          member_id: plain.who.id,
          reason: '确认',
        })
      ).data.bound,
    ).toBe(true)
    const used = await ready()
    await use((await codesOf(used.id))[0]!.id)
    const old = await ready()
    await database.db
      .update(order)
      .set({ claimed_at: unixNow() - DAY })
      .where(eq(order.id, old.id))
    const back = await ready()
    await database.db.insert(refund).values({
      refund_no: `RFV${n}`,
      order_id: back.id,
      order_kind: 'visitor',
      city_id: 1,
      mall_id: 0,
      merchant_id: item.merchant_id,
      type: 'refund_only',
      source: 'member',
      cause: 'apply',
      reason: '不去了',
      amount_cents: 0,
      cap_cents: 0,
      state: 'closed',
      deadline_at: unixNow(),
      created_at: unixNow(),
      updated_at: unixNow(),
    })
    const refusals = [
      await undo(used.id),
      await undo(old.id),
      await undo(back.id),
      await undo(await bought()),
    ]
    expect(refusals.map(one => one.data.rule)).toEqual([
      'not_undone',
      'not_undone',
      'not_undone',
      'not_bound',
    ])
    expect(refusals.slice(0, 3).map(one => one.message)).toEqual([
      '绑定后已核销，不能撤销',
      '绑定超过 24 小时，不能撤销',
      '绑定后会员已申请退款，不能撤销',
    ])
  })
  it('on a stale screen answers conflict, with what the order is now', async () => {
    const id = await bought()
    const before = await one(id)
    await call(calls.freeze, { ...before, reason: '核实' })
    const late = await call(calls.bindMember, { ...before, member_id: 1, reason: '绑定' })
    expect([late.status, late.data.current.status]).toEqual([409, 'freezing'])
  })
})

describe('a refund', () => {
  it('of a bill is whole on the day it was paid, goes back to the channel it came by, and takes back what the store had', async () => {
    const id = await bill(200_00)
    expect(
      (await call(calls.refund, { ...(await one(id)), amount_cents: 100_00, reason: '多付了' }))
        .data.rule,
    ).toBe('whole_bill')
    expect(
      (await call(calls.refund, { ...(await one(id)), times: 1, reason: '退一次' })).data.rule,
    ).toBe('whole_bill')
    const made = await call(calls.refund, { ...(await one(id)), reason: '输错金额' })
    expect([made.data.amount_cents, made.data.state]).toEqual([200_00, 'paying'])
    const [use] = await database.db
      .select()
      .from(verify_record)
      .where(eq(verify_record.order_id, id))
    expect([use!.state, use!.settle_state]).toEqual(['reversed', 'reversed'])
    await finishPayouts(database, unixNow() + 60)
    const [paid, back] = await database.db
      .select()
      .from(payment)
      .where(eq(payment.order_id, id))
      .orderBy(payment.id)
    expect([(await rowOf(id)).status, back!.parent_id, back!.channel, back!.amount_cents]).toEqual([
      'refunded',
      paid!.id,
      paid!.channel,
      200_00,
    ])
  })
  it('of a bill of another day needs the store’s word, whatever the window of redemptions; never once it is settled', async () => {
    const yesterday = dayStart(unixNow()) - 3 * DAY
    const id = await bill(60_00, yesterday)
    const refused = await call(calls.refund, { ...(await one(id)), reason: '顾客投诉' })
    expect([refused.data.rule, (await rowOf(id)).status]).toEqual(['store_agreed', 'finished'])
    expect(
      (
        await call(calls.refund, {
          ...(await one(id)),
          reason: '顾客投诉',
          consent: '店长王敏 11 月 21 日电话同意',
        })
      ).data.state,
    ).toBe('paying')
    expect(
      (await database.db.select().from(refund).where(eq(refund.order_id, id)))[0]!.reason,
    ).toContain('店长王敏')
    const settled = await bill(60_00, yesterday)
    await database.db
      .update(verify_record)
      .set({ settle_state: 'settled' })
      .where(eq(verify_record.order_id, settled))
    expect(
      (
        await call(calls.refund, {
          ...(await one(settled)),
          reason: '顾客投诉',
          consent: '店长同意',
        })
      ).data.rule,
    ).toBe('not_reversible')
    await finishPayouts(database, unixNow() + 60)
  })
  it('of a bill that is not agreed to after all leaves it used, and the store’s', async () => {
    const small = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1 } })
    const id = await bill(90_00)
    expect(
      (await call(calls.refund, { ...(await one(id)), reason: '输错' }, small)).data.state,
    ).toBe('second_audit')
    const [asked] = await database.db.select().from(refund).where(eq(refund.order_id, id))
    const by = { id: other.id, limit_cents: 1_000_000_00 }
    const again = await database.transaction(tx =>
      secondReject(tx, {
        id: asked!.id,
        version: asked!.version,
        by,
        reason: '门店不同意',
        now: unixNow(),
      }),
    )
    await database.transaction(tx =>
      rejectRefund(tx, {
        id: asked!.id,
        version: again.version,
        by,
        reason_code: 'other',
        reason: '门店不同意',
        now: unixNow(),
      }),
    )
    const records = await database.db
      .select()
      .from(verify_record)
      .where(eq(verify_record.order_id, id))
      .orderBy(verify_record.id)
    expect([(await rowOf(id)).status, records.map(record => record.state)]).toEqual([
      'finished',
      ['reversed', 'valid'],
    ])
  })
  it('of codes is what is not used, at most: a used one only after it was taken back', async () => {
    const id = await bought({ qty: 2 })
    await use((await codesOf(id))[0]!.id)
    expect(
      (await call(calls.refund, { ...(await one(id)), amount_cents: 88_01, reason: '多退' })).data
        .rule,
    ).toBe('above_cap')
    expect(
      (
        await call(calls.refund, {
          ...(await one(id)),
          code_ids: [(await codesOf(id))[0]!.id],
          reason: '退已用',
        })
      ).data.rule,
    ).toBe('code_not_refundable')
    expect(
      (await call(calls.refund, { ...(await one(id)), amount_cents: 80_00, reason: '协商' })).data
        .amount_cents,
    ).toBe(80_00)
    await finishPayouts(database, unixNow() + 60)
    const used = await bought()
    await use((await codesOf(used))[0]!.id)
    expect((await call(calls.refund, { ...(await one(used)), reason: '退款' })).data.rule).toBe(
      'nothing_left',
    )
  })
})

describe('codes', () => {
  it('are sent again three times a day at most; what was sent with the payment does not count', async () => {
    const id = await bought()
    for (let at = 0; at < 3; at++) expect((await call(calls.resendCode, { id })).data.sent).toBe(1)
    expect((await call(calls.resendCode, { id })).data.rule).toBe('too_often')
    expect(((await call(calls.related, { id })).data as RelatedOrders).resent).toBe(3)
    // What was sent holds the code whole: who reads the messages sees no more of it than its tail.
    const [sent] = ((await call(calls.detail, { id })).data as OrderDetail).messages
    const { code } = (await codesOf(id))[0]!
    expect([sent!.text.includes(code), sent!.text.includes(code.slice(-2))]).toEqual([false, true])
    await database.db
      .update(order_message)
      .set({ created_at: unixNow() - 2 * DAY })
      .where(eq(order_message.order_id, id))
    expect((await call(calls.resendCode, { id })).status).toBe(200)
    await database.db
      .update(order_message)
      .set({ state: 'failed' })
      .where(eq(order_message.order_id, id))
    expect(
      ((await call(calls.lst, { quick: 'sms_failed' })).data as { list: OrderRow[] }).list.find(
        row => row.id === id,
      )!.visitor!.sms,
    ).toBe('failed')
  })
  it('are redeemed by the platform when their holder reads them out, in a store that takes them', async () => {
    const [id, stranger] = [await bought(), await bought()]
    const [own] = await codesOf(id)
    expect(
      (
        await call(detail.verifyForStore, {
          id,
          code: (await codesOf(stranger))[0]!.code,
          store_id: usable,
          reason: '扫码枪坏了',
        })
      ).data.rule,
    ).toBe('not_its_code')
    expect(
      (
        await call(detail.verifyForStore, {
          id,
          code: own!.code,
          store_id: 2_000_000,
          reason: '扫码枪坏了',
        })
      ).status,
    ).toBe(422)
    const done = await call(detail.verifyForStore, {
      id,
      code: `${own!.code.slice(0, 4)} ${own!.code.slice(4, 8)}-${own!.code.slice(8)}`,
      store_id: usable,
      reason: '扫码枪坏了',
    })
    expect([done.status, (await rowOf(id)).status]).toEqual([200, 'finished'])
    expect(
      (await call(detail.verifyForStore, { id, code: own!.code, store_id: usable, reason: '再来' }))
        .data.rule,
    ).toBe('used')
  })
})

describe('the list and the page', () => {
  it('find a phone whole or by its last four, a code whole; the period of payments is 186 days at most', async () => {
    const id = await bought({}, '15512348888')
    const seeing = await addStaff(database, { perms: ['*'], role: { field_rules: seesNumbers } })
    const found = async (q: string) =>
      ((await call(calls.lst, { q }, seeing)).data as { list: OrderRow[] }).list.map(row => row.id)
    expect([
      await found('15512348888'),
      (await found('8888')).includes(id),
      await found((await codesOf(id))[0]!.code),
      await found('1551234888'),
    ]).toEqual([[id], true, [id], []])
    const now = unixNow()
    expect(
      (await call(calls.lst, { paid_from: now - 187 * DAY, paid_to: now })).data.fields.paid_from,
    ).toContain('186')
    const period = (
      await call(calls.lst, { paid_from: now - 60, paid_to: now + 60, pageSize: 200 })
    ).data as { list: OrderRow[] }
    expect([
      period.list.some(row => row.id === id),
      period.list.every(row => row.paid_at !== null && row.paid_at >= now - 60),
    ]).toEqual([true, true])
  })
  it('count tabs that add up, and show each filter its own rows', async () => {
    for (const filters of [{}, { source: 'h5' }, { quick: 'unclaimed' }]) {
      const counts = (await call(calls.counts, filters)).data as Record<string, number>
      const { all, ...tabs } = counts
      expect(Object.values(tabs).reduce((sum, one) => sum + one, 0)).toBe(all)
      const list = (await call(calls.lst, filters)).data as { list: OrderRow[]; total: number }
      expect([
        list.total,
        list.list.every(
          row =>
            row.kind === 'visitor' &&
            (!('source' in filters) || row.source === 'h5') &&
            (!('quick' in filters) || row.member_id === null),
        ),
      ]).toEqual([all, true])
    }
  })
  it('mask phone and WeChat id by the reader’s rules, hide what is outside their data, and reveal with a reason', async () => {
    const id = await bought({}, '15512340000')
    const reader = await addStaff(database, {
      perms: ['order.visitor.*'],
      role: {
        field_rules: {
          'order.visitor_phone': 'mask',
          'order.visitor_openid': 'mask',
          'member.phone': 'mask',
        },
      },
    })
    const row = ((await call(calls.lst, { q: '15512340000' }, reader)).data as { list: OrderRow[] })
      .list[0]!
    expect([row.visitor!.phone, row.visitor!.openid, row.phone]).toEqual([
      '155****0000',
      expect.stringMatching(/^oTes\*+0000$/),
      undefined,
    ])
    expect((await call(calls.revealPhone, { id, reason: '回电' }, reader)).data.phone).toBe(
      '15512340000',
    )
    const elsewhere = await addStaff(database, {
      perms: ['order.visitor.*'],
      role: { scope_type: 'city', scope_ids: [item.city_id + 1] },
    })
    for (const [what, more] of [
      [calls.detail, {}],
      [calls.related, {}],
      [calls.resendCode, {}],
      [detail.verifyForStore, { code: '123456', store_id: 1, reason: '核销' }],
    ] as const)
      expect((await call(what, { id, ...more }, elsewhere)).status).toBe(404)
  })
  it('freeze many at once, and say which could not be', async () => {
    const [a, b] = [await bought(), await bill(10_00)]
    const answer = (await call(calls.batchFreeze, { ids: [a, b], reason: '疑似盗刷' })).data as {
      ok: number[]
      failed: { id: number }[]
    }
    expect([answer.ok, answer.failed.map(one => one.id)]).toEqual([[a], [b]])
    expect((await call(calls.refund, { ...(await one(a)), reason: '退款' })).data.rule).toBe(
      'frozen',
    )
    expect(await use((await codesOf(a))[0]!.id)).toBeUndefined()
    expect(
      (
        await database.db
          .select()
          .from(order_log)
          .where(and(eq(order_log.order_id, a), eq(order_log.event, 'freeze')))
      ).length,
    ).toBe(1)
  })
  it('tell of other orders by the same phone, device or WeChat id, and what risk control knows of them', async () => {
    const device = 'dev-Q'
    const phone = '15512349999'
    const id = await bought({ device }, phone)
    const same = await bought({}, phone)
    const onDevice = await bought({ device }, phoneOf(++n))
    await bought({ device }, phoneOf(++n))
    await database.db
      .insert(risk_list)
      .values({ list: 'black', type: 'device', value: device, scene: 'refund', reason: '恶意退款' })
    const found = (await call(calls.related, { id })).data as RelatedOrders
    expect(found.orders.find(one => one.id === same)!.by).toEqual(['phone', 'openid'])
    expect(found.orders.find(one => one.id === onDevice)!.by).toEqual(['device'])
    expect([
      found.sums.orders,
      found.sums.phones,
      found.sums.day,
      found.sums.paid_cents,
      found.lists,
    ]).toEqual([3, 3, 3, 3 * 88_00, [{ list: 'black', type: 'device', until_at: null }]])
    expect(found.orders.some(one => one.id === id)).toBe(false)
  })
})

it('leaves every sum and state as it must be', async () => {
  expect(await broken(database)).toEqual({})
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
