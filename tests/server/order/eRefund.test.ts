import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { return_address } from '#src/areas/merchant/merchant.table.ts'
import { freezeOrder } from '#src/areas/order/freeze.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_log, order_message } from '#src/areas/order/trail.table.ts'
import type { PayAnswer } from '#src/areas/payment/pay.channel.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { postedKinds } from '#src/areas/refund/refund.ts'
import { closeRefund } from '#src/areas/refund/refundCases.server.ts'
import { openRefund, type Asked } from '#src/areas/refund/refunds.server.ts'
import { receive, ship } from '#src/areas/shipping/shipping.server.ts'
import type { TrackChannel, TrackQuestion } from '#src/areas/shipping/track.channel.ts'
import type { ParcelState } from '#src/areas/shipping/track.ts'
import { trackReturns } from '#src/areas/shipping/tracking.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { eRefund as calls } from '#src/modules/order/contract/eRefund.ts'
import type { ERefundDetail } from '#src/modules/order/contract/eRefundRow.ts'
import { raiseList } from '#src/modules/order/contract/raiseList.ts'
import { rollBuy } from '#src/modules/order/contract/rollBuy.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { channelOf, finishPayouts } from '../../help/orders.ts'
import { pledge, raiseOf } from '../../help/raises.ts'
import { groupOf, joinGroup } from '../../help/rollGroups.ts'
import { toldTo } from '../../help/told.ts'
import { freshProduct } from '../../help/trade.ts'
import { wordless } from '../../help/words.ts'

type Staff = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let me: Staff, other: Staff, small: Staff
let item: Awaited<ReturnType<typeof freshProduct>>['item']
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 100_000_000 } })
  other = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 100_000_000 } })
  small = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1 } })
  item = (await database.transaction(tx => freshProduct(tx, 'elist'))).item
  await database.db.update(product).set({ stock: 100_000 }).where(eq(product.id, item.id))
})
const call = (what: Parameters<typeof send>[1], input: object, by: Staff = me, more: object = {}) =>
  send(app, what, input, { token: by.token, ...more })
const rowOf = async (id: number) =>
  (await database.db.select().from(refund).where(eq(refund.id, id)))[0]!
const at = (row: { id: number; version: number }) => ({ id: row.id, version: row.version })
const now = unixNow()
const buyer = async () =>
  (
    await database.db
      .insert(member)
      .values({
        uid: `RFQ_${++made}`,
        nickname: '退款测试',
        phone: `177${String(10_000_000 + made)}`,
        city_id: 1,
        register_at: now - 9_000_000,
      })
      .returning()
  )[0]!
let made = 0
/** A paid order of some units; sent, and arrived, where said. */
const bought = async (
  how: 'paid' | 'shipped' | 'received' = 'paid',
  qty = 2,
  more: object = {},
) => {
  const who = await buyer()
  return database.transaction(async tx => {
    const placed = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      qty,
      member_id: who.id,
      now: now - 3600,
      freight_cents: 800,
      receiver: { name: '王小明', phone: '13912345678', area: '上海市', address: '文汇路1号' },
      ...more,
    })
    await payOrder(tx, placed.id, now - 3600)
    if (how !== 'paid')
      await ship(tx, {
        order_id: placed.id,
        courier: 'shunfeng',
        tracking_no: `SF${String(1_000_000_000_000 + made)}`,
        actor: { type: 'staff', id: 1 },
        now: now - 3000,
      })
    if (how === 'received')
      await receive(tx, { order_id: placed.id, actor: { type: 'member' }, now: now - 2000 })
    return placed.id
  })
}
const ask = (order_id: number, of: Partial<Asked> = {}) =>
  database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted: 'all',
      source: 'member',
      reason: '不想要了',
      reason_code: 'changed_mind',
      actor: { type: 'member' },
      now: now - 60,
      ...of,
    }),
  )
const asked = async (how: Parameters<typeof bought>[0] = 'paid', of: Partial<Asked> = {}) =>
  ask(await bought(how), of)
const pictures = ['evidence/a.png']
const toReturn = async () => {
  const row = await asked('received', { type: 'return_refund' })
  const [to] = await database.db
    .select()
    .from(return_address)
    .where(eq(return_address.merchant_id, row.merchant_id))
  return { row, to: to! }
}
const refuses = (code = 'NOT_ENOUGH') =>
  channelOf({
    refund: async () => ({ state: 'failed', code, text: '余额不足' }) satisfies PayAnswer,
    queryRefund: async () => ({ state: 'failed', code: 'RESOURCE_NOT_EXISTS', text: '' }),
  })
/** A case that the channel refused so many times. */
const refused = async (times: number) => {
  let row = await asked()
  await call(calls.approve, at(row))
  await finishPayouts(database, unixNow(), refuses())
  for (let n = 1; n < times; n++) {
    row = await rowOf(row.id)
    await call(calls.retryPay, at(row))
    await finishPayouts(database, unixNow(), refuses())
  }
  return rowOf(row.id)
}
const paidOut = async (id: number) =>
  (
    await database.db
      .select()
      .from(payment)
      .where(and(eq(payment.refund_id, id), eq(payment.state, 'success')))
  ).reduce((sum, one) => sum + one.amount_cents, 0)

/** A case whose goods may be posted; whose goods were, by a number. */
const waiting = async () => {
  const { row, to } = await toReturn()
  await call(calls.approveReturn, { ...at(row), address_id: to.id })
  return rowOf(row.id)
}
const posted = async (tracking_no: string) => {
  const row = await waiting()
  expect((await call(calls.fillReturnTracking, { ...at(row), tracking_no })).data.state).toBe(
    'returning',
  )
  const [to] = await database.db
    .select()
    .from(return_address)
    .where(eq(return_address.id, row.return_address_id!))
  return { row, to: to! }
}
/** What was said by SMS about where the goods of an order are. */
const toldOf = (order_id: number, kind: 'refund' | 'return_store' = 'refund') =>
  database.db
    .select({ phone: order_message.phone, text: order_message.text })
    .from(order_message)
    .where(
      and(
        eq(order_message.order_id, order_id),
        eq(order_message.kind, kind),
        sql`${order_message.once} like 'return:%'`,
      ),
    )
    .orderBy(order_message.id)

describe('a decision', () => {
  it('pays once, whatever is repeated: the same key, the same call, the channel asked twice', async () => {
    const row = await asked()
    const [first, again] = [
      await call(calls.approve, at(row), me, { key: 'same-key-1' }),
      await call(calls.approve, at(row), me, { key: 'same-key-1' }),
    ]
    expect([first.status, again.status, again.data]).toEqual([200, 200, first.data])
    expect((await call(calls.approve, at(row))).status).toBe(409)
    await finishPayouts(database, unixNow())
    await finishPayouts(database, unixNow() + 9999)
    expect([(await rowOf(row.id)).state, await paidOut(row.id)]).toEqual(['done', row.amount_cents])
    expect(
      (await database.db.select().from(payment).where(eq(payment.refund_id, row.id))).length,
    ).toBe(1)
  })
  it('on a case that is decided is refused, and says who was faster and what it is now', async () => {
    const row = await asked()
    expect(
      (await call(calls.reject, { ...at(row), reason_code: 'other', reason: '协商一致' }, other))
        .status,
    ).toBe(200)
    const late = await call(calls.approve, at(row))
    expect([late.status, late.message]).toEqual([409, expect.stringContaining(other.account)])
    const again = await call(calls.approve, at(await rowOf(row.id)))
    expect(again.data.rule).toBe('stage')
    for (const one of [late, again]) {
      expect(one.message).toMatch(/此单已由.+于 20\d\d-\d\d-\d\d \d\d:\d\d.* 处理，现为「已拒绝」/)
      expect(one.data.by).toMatchObject({ name: other.account, at: expect.any(Number) })
    }
    const en = await send(app, calls.approve, at(row), { token: me.token, lang: 'en' })
    expect(en.message).toMatch(/dealt with it at 20.*: it is now “Rejected”/)
  })
  it('that a colleague has claimed or changed meanwhile says who and when', async () => {
    const row = await asked()
    expect((await call(calls.claim, at(row), other)).status).toBe(200)
    const claimed = await call(calls.approve, at(row))
    expect([claimed.status, claimed.message]).toEqual([
      409,
      expect.stringMatching(new RegExp(`${other.account}于 20.* 领取了此单`)),
    ])
    const more = await asked()
    const extended = await call(
      calls.extendDeadline,
      { ...at(more), hours: 2, reason: '商户需要时间' },
      other,
    )
    expect(extended.status).toBe(200)
    const changed = await call(calls.approve, at(more))
    expect([changed.status, changed.message]).toEqual([
      409,
      expect.stringMatching(new RegExp(`由${other.account}于 20.* 修改`)),
    ])
  })
  it('waits for the order to be unfrozen', async () => {
    const row = await asked()
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: row.order_id,
        reason: '争议',
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        now,
      }),
    )
    for (const [what, input] of [
      [calls.approve, {}],
      [calls.reject, { reason_code: 'other', reason: '不同意' }],
      [calls.changeAmount, { amount_cents: 100, reason: '协商', consent: '可以' }],
    ] as const)
      expect((await call(what, { ...at(await rowOf(row.id)), ...input })).data.rule).toBe('frozen')
    expect((await call(calls.remark, { ...at(await rowOf(row.id)), text: '等风控' })).status).toBe(
      200,
    )
  })
  it('is blocked once the buyer has withdrawn, and the goods are free again', async () => {
    const row = await asked()
    await database.transaction(tx =>
      closeRefund(tx, {
        ...at(row),
        by: { id: 0, limit_cents: 0 },
        actor: { type: 'member', id: row.member_id },
        reason: '买家撤销',
        now,
      }),
    )
    expect((await call(calls.approve, at(row))).status).toBe(409)
    expect(
      (await database.db.select().from(order_item).where(eq(order_item.order_id, row.order_id)))[0]!
        .refunding_qty,
    ).toBe(0)
  })
  it('above the own limit needs another person, within theirs', async () => {
    const row = await asked()
    expect((await call(calls.approve, at(row), small)).data.state).toBe('second_audit')
    const waiting = at(await rowOf(row.id))
    expect((await call(calls.secondApprove, waiting, small)).message).toContain('同一人')
    const alsoSmall = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 2 } })
    expect((await call(calls.secondApprove, waiting, alsoSmall)).data.rule).toBe('limit')
    expect(await paidOut(row.id)).toBe(0)
    expect((await call(calls.secondApprove, waiting, other)).data.state).toBe('paying')
    expect(await rowOf(row.id)).toMatchObject({ first_by: small.id, second_by: other.id })
    expect((await toldTo(database, small.id)).at(-1)).toEqual([
      `${other.account}复核通过了你初审的“${row.refund_no}”`,
      expect.stringContaining(`id=${row.order_id}`),
    ])
  })
  it('that the second person refuses is open again, and says why', async () => {
    const row = await asked()
    await call(calls.approve, at(row), small)
    expect(
      (await call(calls.secondReject, { ...at(await rowOf(row.id)), reason: '凭证不足' }, other))
        .data.state,
    ).toBe('applied')
    expect((await toldTo(database, small.id)).at(-1)![0]).toBe(
      `${other.account}复核未通过你初审的“${row.refund_no}”：凭证不足`,
    )
    const { data } = await call(calls.detail, { id: row.id })
    expect(data.steps.at(-1)).toMatchObject({
      verb: 'secondReject',
      memo: '凭证不足',
      who: other.account,
    })
  })
  it('of somebody who claimed it keeps others out until the claim ends', async () => {
    const row = await asked()
    expect((await call(calls.claim, at(row), other)).status).toBe(200)
    const held = await rowOf(row.id)
    expect((await call(calls.approve, at(held))).message).toContain(other.account)
    expect((await call(calls.reply, { ...at(held), text: '正在核实' })).status).toBe(200)
    await database.db
      .update(refund)
      .set({ claim_until: now - 1 })
      .where(eq(refund.id, row.id))
    expect((await call(calls.approve, at(await rowOf(row.id)))).status).toBe(200)
  })
})

describe('a refusal', () => {
  it('needs a code and words, and the buyer is told both', async () => {
    const row = await asked()
    expect((await call(calls.reject, { ...at(row), reason: '不符合' })).status).toBe(400)
    expect(
      (await call(calls.reject, { ...at(row), reason_code: 'too_late', reason: ' ' })).status,
    ).toBe(400)
    expect(
      (
        await call(calls.reject, {
          ...at(row),
          reason_code: 'too_late',
          reason: '已过七天',
          images: pictures,
        })
      ).status,
    ).toBe(200)
    const [told] = await database.db
      .select()
      .from(order_message)
      .where(eq(order_message.order_id, row.order_id))
      .orderBy(desc(order_message.id))
    expect(told).toMatchObject({
      kind: 'refund',
      text: expect.stringMatching(/已超过售后期限.*已过七天/),
    })
    expect((await rowOf(row.id)).messages.at(-1)).toMatchObject({
      by: 'staff',
      text: '已过七天',
      images: pictures,
    })
  })
  it('lets the buyer apply once more, and not again', async () => {
    const order_id = await bought()
    for (let n = 0; n < 2; n++) {
      const row = await ask(order_id)
      await call(calls.reject, { ...at(row), reason_code: 'other', reason: '不同意' })
    }
    await expect(ask(order_id)).rejects.toMatchObject({ data: { rule: 'refused_twice' } })
    expect((await ask(order_id, { source: 'staff' })).state).toBe('applied')
  })
})

describe('the amount', () => {
  it('is never above what the units are worth and the freight that is owed, and needs the buyer’s consent, which is kept', async () => {
    const row = await asked()
    expect(row.cap_cents).toBe(item.price_cents * 2 + 800)
    expect(
      (
        await call(calls.changeAmount, {
          ...at(row),
          amount_cents: row.cap_cents + 1,
          reason: '多退',
          consent: '好' + '的',
        })
      ).data.rule,
    ).toBe('above_cap')
    expect(
      (await call(calls.changeAmount, { ...at(row), amount_cents: 100, reason: '少退' })).status,
    ).toBe(400)
    expect(
      (
        await call(calls.changeAmount, {
          ...at(row),
          amount_cents: row.cap_cents - 900,
          reason: '运费买家承担',
          consent: '同意，退这些就行',
        })
      ).status,
    ).toBe(200)
    const { data } = await call(calls.detail, { id: row.id })
    expect(data.messages.at(-1)).toMatchObject({
      by: 'staff',
      text: expect.stringContaining('同意，退这些就行'),
    })
    expect(data.money).toMatchObject({
      amount_cents: row.cap_cents - 900,
      freight_cents: 0,
      cap_cents: row.cap_cents,
    })
    expect(
      data.lines.reduce(
        (sum: number, line: { amount_cents: number }) => sum + line.amount_cents,
        0,
      ),
    ).toBe(row.cap_cents - 900)
  })
  it('brings the coupon back only with the whole order, and used points in proportion', async () => {
    const order_id = await bought('paid', 2, { platform_discount_cents: 300 })
    await database.db.update(order).set({ points_used: 101 }).where(eq(order.id, order_id))
    const [unit] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, order_id))
    const half = await ask(order_id, { wanted: { items: [{ id: unit!.id, qty: 1 }] } })
    expect((await call(calls.detail, { id: half.id })).data.money).toMatchObject({
      coupon: 'kept',
      points_used: 101,
    })
    await call(calls.approve, at(half))
    await finishPayouts(database, unixNow())
    const rest = await ask(order_id)
    await call(calls.approve, at(rest))
    await finishPayouts(database, unixNow())
    const [one, two] = [await rowOf(half.id), await rowOf(rest.id)]
    expect([one.points_back + two.points_back, one.points_back > 0, two.points_back > 0]).toEqual([
      101,
      true,
      true,
    ])
    expect([one.coupon_back, two.coupon_back]).toEqual([false, true])
    expect((await call(calls.detail, { id: (await asked('paid')).id })).data.money.coupon).toBe(
      'none',
    )
    const whole = await ask(await bought('paid', 1, { platform_discount_cents: 300 }))
    expect((await call(calls.detail, { id: whole.id })).data.money.coupon).toBe('back')
  })
  it('brings the coupon back with whichever case is paid last, and not at all where one was refused', async () => {
    const halves = async () => {
      const id = await bought('paid', 2, { platform_discount_cents: 300 })
      const [unit] = await database.db.select().from(order_item).where(eq(order_item.order_id, id))
      const half = { items: [{ id: unit!.id, qty: 1 }] }
      return [await ask(id, { wanted: half }), await ask(id, { wanted: half })] as const
    }
    const pay = async (row: { id: number; version: number }) => {
      await call(calls.approve, at(row))
      await finishPayouts(database, unixNow())
      return (await rowOf(row.id)).coupon_back
    }
    const [first, second] = await halves()
    expect([await pay(second), await pay(first)]).toEqual([false, true])
    const [kept, given] = await halves()
    await call(calls.reject, { ...at(kept), reason_code: 'other', reason: '不同意' })
    expect(await pay(given)).toBe(false)
  })
  it('leaves the freight where some of it was sent, though that came back', async () => {
    const order_id = await bought('received', 2, { freight_cents: 800 })
    const [unit] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, order_id))
    await database.db
      .update(order_item)
      .set({ shipped_qty: 1, received_qty: 1 })
      .where(eq(order_item.id, unit!.id))
    const back = await ask(order_id, {
      type: 'return_refund',
      wanted: { items: [{ id: unit!.id, qty: 1 }] },
    })
    const [to] = await database.db
      .select()
      .from(return_address)
      .where(eq(return_address.merchant_id, back.merchant_id))
    await call(calls.approveReturn, { ...at(back), address_id: to!.id })
    await database.db.update(refund).set({ state: 'returning' }).where(eq(refund.id, back.id))
    await call(calls.confirmReceive, at(await rowOf(back.id)))
    await finishPayouts(database, unixNow())
    expect((await ask(order_id)).cap_cents).toBe(item.price_cents)
  })
})

describe('goods that go back', () => {
  it('go to an address of their merchant, by a parcel that is not the one they came by, and are paid when they are there', async () => {
    const { row, to } = await toReturn()
    expect((await call(calls.approve, at(row))).message).toContain('先同意退货')
    const [foreign] = await database.db
      .select()
      .from(return_address)
      .where(sql`${return_address.merchant_id} <> ${row.merchant_id}`)
      .limit(1)
    expect(
      (await call(calls.approveReturn, { ...at(row), address_id: foreign!.id })).data.rule,
    ).toBe('address')
    expect((await call(calls.approveReturn, { ...at(row), address_id: to.id })).data.state).toBe(
      'wait_return',
    )
    const waiting = await rowOf(row.id)
    expect(waiting.deadline_at).toBeGreaterThan(now + 6 * 86_400)
    const courier_id = (await call(calls.couriers, { keyword: '顺丰' })).data.list[0].id
    const [{ data: file }] = [await call(calls.detail, { id: row.id })]
    expect(
      (
        await call(calls.fillReturnTracking, {
          ...at(waiting),
          courier_id,
          tracking_no: file.outbound[0].tracking_no,
        })
      ).data.rule,
    ).toBe('outbound')
    expect(
      (
        await call(calls.fillReturnTracking, {
          ...at(waiting),
          courier_id,
          tracking_no: '12345678',
        })
      ).data.rule,
    ).toBe('tracking')
    expect(
      (
        await call(calls.fillReturnTracking, {
          ...at(waiting),
          courier_id,
          tracking_no: 'sf 9988-776655443',
        })
      ).data.state,
    ).toBe('returning')
    const stock = async () =>
      (
        await database.db
          .select({ stock: product.stock })
          .from(product)
          .where(eq(product.id, item.id))
      )[0]!.stock
    const before = await stock()
    expect(
      (await call(calls.confirmReceive, { ...at(await rowOf(row.id)), condition: 'damaged' })).data
        .state,
    ).toBe('paying')
    await finishPayouts(database, unixNow())
    expect([(await rowOf(row.id)).state, await stock()]).toEqual(['done', before])
  })
  it('go by the courier that their number is of, where none is named', async () => {
    const { row } = await posted('SF7766554433221')
    expect((await rowOf(row.id)).return_courier).toBe('shunfeng')
    expect(
      (
        await call(calls.fillReturnTracking, {
          ...at(await waiting()),
          tracking_no: 'QQ12' + '34567',
        })
      ).message,
    ).toContain('不像任何一家快递的单号')
  })
  it('are asked after while they are on their way, and whoever must receive them is told once that they are there', async () => {
    const { row, to } = await posted('SF7766554433222')
    const questions: TrackQuestion[] = []
    let state: ParcelState = 'transit'
    const traces = [{ at: now + 600, text: '已揽收' }]
    const channel: TrackChannel = {
      name: 'http',
      query: async of => {
        questions.push(of)
        return of.tracking_no === 'SF7766554433222'
          ? { ok: true, state, traces: [...traces] }
          : { ok: false, text: ['无应答', 'Silent'] }
      },
    }
    const mine = () => questions.filter(one => one.tracking_no === 'SF7766554433222').length
    await trackReturns(database, channel, now + 700)
    expect(questions.find(one => one.tracking_no === 'SF7766554433222')).toMatchObject({
      code: 'shunfeng',
      phone: to.phone,
      shipped_at: expect.any(Number),
    })
    await trackReturns(database, channel, now + 800)
    expect(mine()).toBe(1)
    const shown = async () => (await call(calls.detail, { id: row.id })).data as ERefundDetail
    expect([(await shown()).back!.track, (await shown()).row.parcel]).toEqual([
      { state: 'transit', traces, traced_at: now + 700, sent_at: expect.any(Number) },
      null,
    ])
    state = 'signed'
    traces.push({ at: now + 20_000, text: '已签收' })
    const version = (await rowOf(row.id)).version
    await trackReturns(database, channel, now + 20_000)
    await trackReturns(database, channel, now + 60_000)
    expect([mine(), (await shown()).row.parcel, (await rowOf(row.id)).version]).toEqual([
      2,
      'arrived',
      version,
    ])
    expect(await toldOf(row.order_id, 'return_store')).toEqual([
      { phone: to.phone, text: expect.stringMatching(/顺丰速运 SF7766554433222 已签收/) },
    ])
    const listed = async (parcel: string) =>
      (await call(calls.lst, { parcel, keyword: row.refund_no })).data.total
    expect([await listed('arrived'), await listed('stuck')]).toEqual([1, 0])
    expect(
      (await call(calls.confirmReceive, { ...at(await rowOf(row.id)), condition: 'good' })).data
        .state,
    ).toBe('paying')
    expect((await shown()).row.parcel).toBeNull()
  })
  it('that do not move, or that something is wrong with, are told to their sender, once', async () => {
    const [still, wrong] = [await posted('SF7766554433223'), await posted('SF7766554433224')]
    const channel: TrackChannel = {
      name: 'http',
      query: async ({ tracking_no }) => {
        if (tracking_no === 'SF7766554433223') return { ok: true, state: 'shipped', traces: [] }
        if (tracking_no === 'SF7766554433224')
          return { ok: true, state: 'problem', traces: [{ at: now + 60, text: '破损' }] }
        return { ok: false, text: ['无应答', 'Silent'] }
      },
    }
    await trackReturns(database, channel, now + 86_400)
    expect([
      await toldOf(still.row.order_id),
      (await toldOf(wrong.row.order_id)).map(one => one.text),
    ]).toEqual([[], [expect.stringContaining('快递反馈异常')]])
    for (const days of [4, 5]) await trackReturns(database, channel, now + days * 86_400)
    expect((await toldOf(still.row.order_id)).map(one => one.text)).toEqual([
      expect.stringContaining('已超过 3 天没有物流更新'),
    ])
    expect(await toldOf(wrong.row.order_id)).toHaveLength(1)
    expect(
      (await call(calls.lst, { parcel: 'stuck', keyword: wrong.row.refund_no })).data.list.map(
        (one: { parcel: string }) => one.parcel,
      ),
    ).toEqual(['stuck'])
  })
  it('are not news where the case was over meanwhile, nor where nobody can be asked', async () => {
    const { row } = await posted('SF7766554433225')
    const channel: TrackChannel = {
      name: 'http',
      query: async ({ tracking_no }) => {
        if (tracking_no !== 'SF7766554433225') return { ok: false, text: ['无应答', 'Silent'] }
        expect(
          (await call(calls.refuseReceive, { ...at(await rowOf(row.id)), reason: '空包' })).status,
        ).toBe(200)
        return { ok: true, state: 'signed', traces: [{ at: now, text: '已签收' }] }
      },
    }
    await trackReturns(database, channel, now + 90_000)
    expect([
      (await rowOf(row.id)).state,
      (await rowOf(row.id)).return_track!.state,
      await toldOf(row.order_id, 'return_store'),
    ]).toEqual(['rejected', 'shipped', []])
    expect(await trackReturns(database, { ...channel, name: 'none' }, now + 900_000)).toBe(0)
  })
  it('but are not posted in seven days close their case', async () => {
    const { row, to } = await toReturn()
    await call(calls.approveReturn, { ...at(row), address_id: to.id })
    await tickOrders(database, now + 8 * 86_400)
    expect((await rowOf(row.id)).state).toBe('closed')
  })
  it('are waited for no longer where the platform had taken the case over', async () => {
    const { row, to } = await toReturn()
    await call(calls.intervene, { ...at(row), reason: '商户不回应' })
    await call(calls.approveReturn, { ...at(await rowOf(row.id)), address_id: to.id })
    await tickOrders(database, now + 8 * 86_400)
    expect((await rowOf(row.id)).state).toBe('closed')
  })
  it('can be refused on arrival, with words', async () => {
    const { row, to } = await toReturn()
    await call(calls.approveReturn, { ...at(row), address_id: to.id })
    await database.db.update(refund).set({ state: 'returning' }).where(eq(refund.id, row.id))
    expect(
      (await call(calls.refuseReceive, { ...at(await rowOf(row.id)), reason: '少了配件' })).data
        .state,
    ).toBe('rejected')
  })
  it('that stay with the buyer need evidence, when they ask and when it is agreed to', async () => {
    const order_id = await bought('received')
    await expect(ask(order_id)).rejects.toMatchObject({ data: { rule: 'evidence' } })
    const bare = await ask(order_id, { source: 'staff' })
    expect((await call(calls.approve, at(bare))).data.rule).toBe('evidence')
    await call(calls.close, { ...at(bare), reason: '重开' })
    expect((await call(calls.approve, at(await ask(order_id, { images: pictures })))).status).toBe(
      200,
    )
  })
})

describe('what is sent again', () => {
  it('is an order of 0 cents that is linked to the first, once an item', async () => {
    const row = await asked('received', { type: 'resend', reason_code: 'missing' })
    expect([row.amount_cents, row.cap_cents]).toEqual([0, 0])
    expect((await call(calls.approve, at(row))).data.state).toBe('done')
    const [again] = await database.db.select().from(order).where(eq(order.reissue_of, row.order_id))
    expect(again).toMatchObject({
      sub_kind: 'reissue',
      pay_cents: 0,
      pay_state: 'paid',
      status: 'pending_ship',
      receiver: { name: '王小明' },
    })
    expect((await call(calls.detail, { id: row.id })).data.reissue).toEqual({
      id: again!.id,
      order_no: again!.order_no,
    })
    await expect(ask(row.order_id, { type: 'resend' })).rejects.toMatchObject({
      data: { rule: 'sent_again' },
    })
    await database.transaction(tx =>
      ship(tx, {
        order_id: again!.id,
        courier: 'shunfeng',
        tracking_no: 'SF7777777777777',
        actor: { type: 'staff', id: 1 },
        now: unixNow(),
      }),
    )
  })
})

describe('the channel', () => {
  it('that refuses leaves the case with its reason and a retry, never done; a retry that goes through ends it', async () => {
    const row = await refused(1)
    const { data } = await call(calls.lst, { state: 'pay_failed', keyword: row.refund_no })
    expect(data.list[0]).toMatchObject({ state: 'pay_failed', fails: 1, fail_code: 'NOT_ENOUGH' })
    expect((await call(calls.retryPay, at(row))).data.state).toBe('paying')
    await finishPayouts(database, unixNow())
    expect([(await rowOf(row.id)).state, await paidOut(row.id)]).toEqual(['done', row.amount_cents])
  })
  it('has two chances before money goes by hand: with a proof and another person, and is then never asked again', async () => {
    const by = {
      account: '王小明 招商银行 6225881234567890',
      proof: 'proof/slip.png',
      reason: '渠道余额不足',
    }
    const once = await refused(1)
    expect((await call(calls.offlinePay, { ...at(once), ...by })).data.rule).toBe('channel_first')
    const row = await refused(2)
    expect((await call(calls.offlinePay, { ...at(row), ...by, proof: '' })).status).toBe(400)
    expect((await call(calls.offlinePay, { ...at(row), ...by })).data.state).toBe('second_audit')
    const waiting = await rowOf(row.id)
    expect((await call(calls.retryPay, at(waiting))).status).toBe(422)
    expect((await call(calls.secondApprove, at(waiting))).message).toContain('同一人')
    const masked = await addStaff(database, {
      perms: ['order.eRefund.view'],
      role: { field_rules: { 'refund.bank_no': 'hide' } },
    })
    expect((await call(calls.detail, { id: row.id }, masked)).data.offline).toEqual({
      proof: by.proof,
    })
    expect((await call(calls.secondApprove, at(waiting), other)).data.state).toBe('done')
    expect([
      await paidOut(row.id),
      (await database.db.select().from(payment).where(eq(payment.refund_id, row.id)))
        .map(one => `${one.channel} ${one.state}`)
        .sort(),
    ]).toEqual([row.amount_cents, ['embedded closed', 'offline success']])
    expect((await call(calls.retryPay, at(await rowOf(row.id)))).status).toBe(422)
  })
  it('need not be tried twice for a payment that is too old for it', async () => {
    const row = await refused(1)
    await database.db
      .update(payment)
      .set({ success_at: now - 366 * 86_400 })
      .where(and(eq(payment.order_id, row.order_id), eq(payment.direction, 'in')))
    expect(
      (
        await call(calls.offlinePay, {
          ...at(row),
          account: '王小明 6225',
          proof: 'p.png',
          reason: '支付超过一年',
        })
      ).status,
    ).toBe(200)
    expect(
      (await call(calls.secondReject, { ...at(await rowOf(row.id)), reason: '账户不符' }, other))
        .data.state,
    ).toBe('pay_failed')
    expect((await call(calls.retryPay, at(await rowOf(row.id)))).status).toBe(200)
  })
})

describe('time', () => {
  it('agrees alone to what was never sent and is small, and hands the rest up', async () => {
    const [unsent, sent] = [await asked(), await asked('received', { images: pictures })]
    await database.db
      .update(refund)
      .set({ amount_cents: 100, freight_cents: 0 })
      .where(eq(refund.id, unsent.id))
    await database.db.execute(
      sql`update refund_item set amount_cents = 50 where refund_id = ${unsent.id}`,
    )
    await database.db.execute(
      sql`update refund_item set amount_cents = case when id = (select min(id) from refund_item where refund_id = ${unsent.id}) then 100 else 0 end where refund_id = ${unsent.id}`,
    )
    await tickOrders(database, now + 3 * 86_400)
    expect([(await rowOf(unsent.id)).state, (await rowOf(sent.id)).intervened]).toEqual([
      'paying',
      true,
    ])
    await finishPayouts(database, now + 3 * 86_400)
  })
  it('agrees alone by what the case is of, though other units of its order were sent', async () => {
    const who = await buyer()
    const order_id = await database.transaction(async tx => {
      const placed = await placeOrder(tx, {
        proved: true,
        product_id: item.id,
        qty: 2,
        member_id: who.id,
        now: now - 3600,
        platform_discount_cents: 100_000_000,
        receiver: { name: '王小明', phone: '13912345678', area: '上海市', address: '文汇路1号' },
      })
      await payOrder(tx, placed.id, now - 3600)
      return placed.id
    })
    const [line] = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, order_id))
    await database.transaction(tx =>
      ship(tx, {
        order_id,
        courier: 'shunfeng',
        tracking_no: `SF${String(2_000_000_000_000 + made)}`,
        items: [{ id: line!.id, qty: 1 }],
        actor: { type: 'staff', id: 1 },
        now: now - 3000,
      }),
    )
    const unsent = await ask(order_id, { wanted: { items: [{ id: line!.id, qty: 1 }] } })
    await tickOrders(database, now + 3 * 86_400)
    expect(['paying', 'done']).toContain((await rowOf(unsent.id)).state)
  })
  it('never agrees to what a second person has sent back: that is handed up', async () => {
    const row = await asked()
    await call(calls.approve, at(row), small)
    await call(calls.secondReject, { ...at(await rowOf(row.id)), reason: '疑似刷单' }, other)
    await database.db.execute(
      sql`update refund_item set amount_cents = 50 where refund_id = ${row.id}`,
    )
    await database.db
      .update(refund)
      .set({ amount_cents: 50, freight_cents: 0 })
      .where(eq(refund.id, row.id))
    await tickOrders(database, now + 3 * 86_400)
    expect([(await rowOf(row.id)).state, (await rowOf(row.id)).intervened]).toEqual([
      'applied',
      true,
    ])
    await call(calls.close, { ...at(await rowOf(row.id)), reason: '买家撤回' })
  })
  it('can be given: more hours, with a reason; and the platform can take a case over once', async () => {
    const row = await asked()
    expect(
      (await call(calls.extendDeadline, { ...at(row), hours: 24, reason: '等商户' })).status,
    ).toBe(200)
    expect((await rowOf(row.id)).deadline_at).toBe(row.deadline_at + 86_400)
    expect(
      (await call(calls.intervene, { ...at(await rowOf(row.id)), reason: '商户不回应' })).status,
    ).toBe(200)
    expect(
      (await call(calls.intervene, { ...at(await rowOf(row.id)), reason: '再来一次' })).status,
    ).toBe(422)
  })
})

describe('many at once', () => {
  it('only what was never sent, is only refunded and lies within the limit; the others say why', async () => {
    const [good, sent, back, kept] = [
      await asked(),
      await asked('shipped', { source: 'staff' }),
      (await toReturn()).row,
      await asked(),
    ]
    const { data } = await call(calls.batchApprove, { cases: [good, sent, back].map(at) })
    expect([
      data.ok,
      data.failed.map((one: { id: number; msg: string }) => [one.id, one.msg]),
    ]).toEqual([
      [good.id],
      [
        [sent.id, expect.stringContaining('已发货')],
        [back.id, expect.any(String)],
      ],
    ])
    expect(
      (await call(calls.batchApprove, { cases: [at(kept)] }, small)).data.failed[0].msg,
    ).toContain('额度')
    expect((await rowOf(kept.id)).state).toBe('applied')
  })
})

describe('what comes back of groups and campaigns', () => {
  const posted = {
    roll_buy: async () => {
      const group = await database.transaction(tx => groupOf(tx, item, 1, now))
      return joinGroup(database, item, {
        group_id: group.id,
        member_id: (await buyer()).id,
        now,
        qty: 2,
      })
    },
    raise: async () => {
      const batch = await database.transaction(tx => raiseOf(tx, item, now, { target: 1 }))
      const row = await pledge(database, batch, { member_id: (await buyer()).id, now, qty: 2 })
      expect(
        (await call(raiseList.declareSuccess, { batch_id: batch.id, reason: '达标，提前投产' }))
          .status,
      ).toBe(200)
      return row
    },
  } as const
  const arrived = async (kind: keyof typeof posted) => {
    const { id } = await posted[kind]()
    await database.transaction(tx =>
      ship(tx, {
        order_id: id,
        courier: 'shunfeng',
        tracking_no: `SF${String(3_000_000_000_000 + id)}`,
        actor: { type: 'staff', id: 1 },
        now,
      }),
    )
    await database.transaction(tx => receive(tx, { order_id: id, actor: { type: 'member' }, now }))
    const [line] = await database.db.select().from(order_item).where(eq(order_item.order_id, id))
    return { id, line: line! }
  }
  it.each(['roll_buy', 'raise'] as const)(
    'is found, received and decided in the same list: %s',
    async kind => {
      const { id, line } = await arrived(kind)
      const kinds = async () => (await call(calls.kinds, {})).data as Record<string, number>
      const before = await kinds()
      const row = await ask(id, {
        type: 'return_refund',
        wanted: { items: [{ id: line.id, qty: 1 }] },
      })
      expect((await kinds())[kind]).toBe(before[kind]! + 1)
      const found = async (more: object) =>
        (
          (await call(calls.lst, { keyword: row.refund_no, ...more })).data.list as { id: number }[]
        ).map(one => one.id)
      expect([
        await found({ kind }),
        await found({}),
        await found({ kind: kind === 'raise' ? 'roll_buy' : 'raise' }),
      ]).toEqual([[row.id], [], []])
      const { data: counts } = await call(calls.counts, { kind })
      for (const state of Object.keys(counts))
        expect([state, (await call(calls.lst, { kind, state })).data.total]).toEqual([
          state,
          counts[state],
        ])
      const { data: to } = await call(calls.addresses, { refund_id: row.id })
      expect(
        (await call(calls.approveReturn, { ...at(row), address_id: to.list[0].id })).data.state,
      ).toBe('wait_return')
      expect(
        (
          await call(calls.fillReturnTracking, {
            ...at(await rowOf(row.id)),
            tracking_no: `SF${String(4_000_000_000_000 + id)}`,
          })
        ).data.state,
      ).toBe('returning')
      expect(
        (await call(calls.confirmReceive, { ...at(await rowOf(row.id)), condition: 'good' })).data
          .state,
      ).toBe('paying')
      await finishPayouts(database, unixNow())
      expect(await rowOf(row.id)).toMatchObject({
        state: 'done',
        return_condition: 'good',
        order_kind: kind,
      })
      expect(
        (await database.db.select().from(order_item).where(eq(order_item.id, line.id)))[0],
      ).toMatchObject({ refunded_qty: 1, stock_returned: 1 })
      const job = await call(calls.export, { kind, state: 'done', format: 'csv' })
      expect(job.data.rows_expected).toBe(counts.done + 1)
    },
  )
  it('may be asked back within the after-sale period of its kind, to the last second', async () => {
    const { id, line } = await arrived('roll_buy')
    const back = (at: number) =>
      database.transaction(tx =>
        openRefund(tx, {
          order_id: id,
          wanted: { items: [{ id: line.id, qty: 1 }] },
          type: 'return_refund',
          source: 'member',
          reason: '不合适',
          actor: { type: 'member' },
          now: at,
        }),
      )
    const { data } = await call(rollBuy.detail, { id })
    expect(data.items.map((one: { after_sale_until: number }) => one.after_sale_until)).toEqual([
      now + 7 * 86_400,
    ])
    await expect(back(now + 7 * 86_400 + 1)).rejects.toMatchObject({
      data: { rule: 'after_sale_over' },
    })
    expect(await back(now + 7 * 86_400)).toMatchObject({ state: 'applied' })
  })
  it('is that alone: what is only refunded of them is decided with its order', async () => {
    const { id } = await posted.roll_buy()
    const row = await ask(id)
    for (const [what, input] of [
      [calls.detail, { id: row.id }],
      [calls.approve, at(row)],
    ] as const)
      expect((await call(what, input)).status).toBe(404)
    expect((await call(calls.lst, { kind: 'roll_buy', keyword: row.refund_no })).data.total).toBe(0)
  })
})

describe('the list', () => {
  it('has as many rows as its tabs say, under any filter', async () => {
    for (const filter of [
      {},
      { type: 'return_refund' },
      { reason_code: 'damaged' },
      { overdue: true },
      { channel_failed: true },
      { amount_from: 50_00, amount_to: 199_99 },
      { merchant_id: item.merchant_id },
      { city_id: 1 },
    ]) {
      const { data: counts } = await call(calls.counts, filter)
      for (const state of Object.keys(counts))
        expect([state, filter, (await call(calls.lst, { ...filter, state })).data.total]).toEqual([
          state,
          filter,
          counts[state],
        ])
    }
  })
  it('comes by deadline, and finds a case by its own number, the order’s and that of the parcel back', async () => {
    const { list } = (await call(calls.lst, { pageSize: 200 })).data
    const dues = list.map((one: { deadline_at: number }) => one.deadline_at)
    expect(dues).toEqual([...dues].sort((a, b) => a - b))
    const row = await asked()
    await database.db
      .update(refund)
      .set({ return_tracking_no: 'SF0000000000042' })
      .where(eq(refund.id, row.id))
    const [of] = await database.db
      .select({ order_no: order.order_no })
      .from(order)
      .where(eq(order.id, row.order_id))
    for (const keyword of [row.refund_no.toLowerCase(), of!.order_no, 'SF 0000 0000 00042'])
      expect(
        (await call(calls.lst, { keyword })).data.list.map((one: { id: number }) => one.id),
      ).toContain(row.id)
  })
  it('shows a city’s staff their cases and no other, and gives no other case away', async () => {
    const row = await asked()
    const [inside, outside] = [
      await addStaff(database, {
        perms: ['*'],
        role: { scope_type: 'city', scope_ids: [row.city_id] },
      }),
      await addStaff(database, {
        perms: ['*'],
        role: { scope_type: 'city', scope_ids: [row.city_id === 1 ? 2 : 1] },
      }),
    ]
    expect((await call(calls.detail, { id: row.id }, inside)).status).toBe(200)
    for (const [what, input] of [
      [calls.detail, { id: row.id }],
      [calls.approve, at(row)],
      [calls.remark, { ...at(row), text: 'x' }],
      [calls.addresses, { refund_id: row.id }],
    ] as const)
      expect((await call(what, input, outside)).status).toBe(404)
    expect((await call(calls.lst, { keyword: row.refund_no }, outside)).data.total).toBe(0)
  })
  it('holds e-commerce cases alone', async () => {
    const [foreign] = await database.db
      .select({ id: refund.id })
      .from(refund)
      .where(notInArray(refund.order_kind, [...postedKinds]))
      .limit(1)
    expect((await call(calls.detail, { id: foreign!.id })).status).toBe(404)
  })
})

describe('the file', () => {
  it('masks the buyer’s phone and the receiver by the role’s rules', async () => {
    const row = await asked()
    const clerk = await addStaff(database, {
      perms: ['order.eRefund.view'],
      role: {
        field_rules: {
          'member.phone': 'mask',
          'order.receiver_phone': 'mask',
          'order.receiver_address': 'hide',
        },
      },
    })
    const { data } = await call(calls.detail, { id: row.id }, clerk)
    expect([data.buyer.phone, data.order.receiver_phone, data.order.receiver_address]).toEqual([
      expect.stringMatching(/^177\*{4}/),
      expect.stringMatching(/^139\*{4}/),
      undefined,
    ])
  })
  it('knows the buyer’s earlier cases, the similar ones first, the rules it was sold under and notes of colleagues', async () => {
    const row = await asked()
    await call(calls.reject, { ...at(row), reason_code: 'other', reason: '不同意' })
    const next = await ask(row.order_id)
    await call(calls.remark, { ...at(next), text: '电话已联系' })
    const { data } = await call(calls.detail, { id: next.id })
    expect(data.past[0]).toMatchObject({ id: row.id, similar: true, state: 'rejected' })
    expect([
      data.policy.after_sale_days,
      data.steps.some((step: { memo: string }) => step.memo === '电话已联系'),
    ]).toEqual([7, true])
    expect((await rowOf(next.id)).version).toBe(next.version)
  })
  it('is written into the operation log, line by line', async () => {
    const row = await asked()
    await call(calls.extendDeadline, { ...at(row), hours: 5, reason: '等商户回复' })
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'refund'), eq(op_log.object_id, row.id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect(line).toMatchObject({
      reason: '等商户回复',
      before: { deadline_at: row.deadline_at },
      after: { deadline_at: row.deadline_at + 5 * 3600 },
    })
  })
})

describe('an export', () => {
  it('expects the rows that the list has', async () => {
    const { total } = (await call(calls.lst, { state: 'done' })).data
    expect((await call(calls.export, { state: 'done' })).data.rows_expected).toBe(total)
    const { data } = await call(
      calls.export,
      { state: 'rejected', merchant_id: item.merchant_id, amount_from: 100 },
      other,
    )
    expect(
      (
        await database.db.execute<{ t: string }>(
          sql`select e.filters_text t from export_job e where e.id = ${data.job_id}`,
        )
      ).rows[0]!.t,
    ).toMatch(/^已拒绝，商户：\D+，金额不低于：1\.00$/)
  })
  it('tells a reason that there is not by its code, whatever it is called', async () => {
    const of = { state: 'done', reason_code: '__proto__' } as const
    const { data } = await call(calls.export, of, other)
    const { rows } = await database.db.execute<{ t: string }>(
      sql`select e.filters_text t from export_job e where e.id = ${data.job_id}`,
    )
    expect(rows[0]!.t).toContain('__proto__')
  })
})

it('none of all this broke a rule of money, units or state', async () => {
  await finishPayouts(database, unixNow() + 99_999)
  expect(await broken(database)).toEqual({})
  expect(
    (
      await database.db
        .select({ id: order_log.id })
        .from(order_log)
        .where(inArray(order_log.event, ['refund_decide']))
        .limit(1)
    ).length,
  ).toBe(1)
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
