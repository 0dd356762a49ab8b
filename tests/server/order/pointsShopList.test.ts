import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import type { IssueAnswer, IssueChannel } from '#src/areas/coupon/issue.channel.ts'
import { sendIssues } from '#src/areas/coupon/issue.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { issue_attempt } from '#src/areas/order/issue.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_config } from '#src/areas/order/trail.table.ts'
import { payOrder, receivePayment } from '#src/areas/payment/payments.server.ts'
import { placeExchange } from '#src/areas/points/exchange.server.ts'
import { returnPoints } from '#src/areas/points/orderPoints.server.ts'
import { earnPoints, expirePoints } from '#src/areas/points/points.server.ts'
import { points_goods, points_ledger, points_lot } from '#src/areas/points/points.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  pointsShopDetail as detail,
  pointsShopList as calls,
} from '#src/modules/order/contract/pointsShopList.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshShopGoods } from '../../help/pointsShop.ts'
import { freshProduct } from '../../help/trade.ts'

const DAY = 86_400
const home = { name: '李静', phone: '13800001111', area: '上海市静安区', address: '南京西路 1 号' }
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
/**
 * What the channel says, of what it is told to issue and what it is asked for; and what it was
 * asked.
 */
const says = {
  issue: (_: string): IssueAnswer => ({ state: 'success', channel_no: 'C1' }),
  query: (_: string): IssueAnswer => ({ state: 'failed', text: '无此单' }),
  asked: [] as string[],
}
const channel: IssueChannel = {
  name: 'embedded',
  issue: async ({ out_no }) => {
    says.asked.push(`issue ${out_no}`)
    return says.issue(out_no)
  },
  query: async out_no => {
    says.asked.push(`query ${out_no}`)
    return says.query(out_no)
  },
}
const plan = (issue: IssueAnswer, query: IssueAnswer = { state: 'failed', text: '无此单' }) => {
  says.issue = () => issue
  says.query = () => query
  says.asked = []
}
const issue = (now = unixNow()) => sendIssues({ database, channel, now })
type Kind = (typeof points_goods.$inferSelect)['kind']
let item: typeof product.$inferSelect
let voucher: typeof product.$inferSelect
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { issue: channel })
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  const span = {
    stock: 10_000,
    sale_start_at: unixNow() - 9 * DAY,
    sale_end_at: unixNow() + 90 * DAY,
    check_start_at: unixNow() - 9 * DAY,
    check_end_at: unixNow() + 120 * DAY,
  }
  const [a, b] = await database.transaction(async tx => [
    await freshProduct(tx, 'elist'),
    await freshProduct(tx, 'voucher'),
  ])
  item = (
    await database.db.update(product).set(span).where(eq(product.id, a!.item.id)).returning()
  )[0]!
  voucher = (
    await database.db
      .update(product)
      .set({ ...span, valid_days: 30 })
      .where(eq(product.id, b!.item.id))
      .returning()
  )[0]!
  // What the demo left waiting for its channel is not ours.
  await database.db
    .update(issue_attempt)
    .set({ ask_at: unixNow() + 900 * DAY })
    .where(eq(issue_attempt.state, 'pending'))
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
const shelf = (kind: Kind, more: Partial<typeof points_goods.$inferInsert> = {}) =>
  freshShopGoods(database.db, {
    kind,
    name: `测试${kind}`,
    product_id: kind === 'voucher' ? voucher.id : item.id,
    points_price: 500,
    cash_cents: 0,
    stock: 50,
    delivery: kind === 'physical' ? 'express' : 'auto',
    status: 'on',
    ...more,
  })
let made = 0
/** A member with so many points, in lots that end after so many days. */
const saver = async (
  lots: readonly (readonly [points: number, days: number])[] = [[5000, 100]],
) => {
  const [who] = await database.db
    .insert(member)
    .values({
      uid: `PQ${++made}`,
      nickname: '攒分的人',
      phone: `139${String(10_000_000 + made)}`,
      city_id: 1,
      register_at: unixNow() - DAY,
      // At the top already: no level that is reached gives points of its own.
      level: 5,
      growth: 1_000_000,
    })
    .returning()
  for (const [at, [points, days]] of lots.entries())
    await database.transaction(tx =>
      earnPoints(tx, {
        member_id: who!.id,
        points,
        expire_at: unixNow() + days * DAY,
        biz_kind: 'activity',
        biz_no: `T${who!.id}-${at}`,
        title: '测试',
        now: unixNow() - 100,
      }),
    )
  return who!.id
}
const exchange = async (
  goods: { id: number },
  more: { qty?: number; member_id?: number; pay?: boolean; ago?: number } = {},
) => {
  const now = unixNow() - (more.ago ?? 60)
  const member_id = more.member_id ?? (await saver())
  const row = await database.transaction(async tx => {
    const one = await placeExchange(tx, {
      proved: true,
      member_id,
      points_goods_id: goods.id,
      qty: more.qty ?? 1,
      receiver: home,
      now,
    })
    if (more.pay !== false) await payOrder(tx, one.id, now)
    return one
  })
  return at(row.id)
}
const at = async (id: number) => {
  const [row] = await database.db.select().from(order).where(eq(order.id, id))
  return { row: row!, one: { id, version: row!.version } }
}
const pointsOf = async (id: number) =>
  (await database.db.select({ points: member.points }).from(member).where(eq(member.id, id)))[0]!
    .points
const netOf = async (order_id: number) =>
  (
    await database.db.select().from(points_ledger).where(eq(points_ledger.order_id, order_id))
  ).reduce((sum, one) => sum + one.delta, 0)
const attemptsOf = (order_id: number) =>
  database.db
    .select()
    .from(issue_attempt)
    .where(eq(issue_attempt.order_id, order_id))
    .orderBy(issue_attempt.id)
const stockOf = async (id: number) =>
  (await database.db.select().from(points_goods).where(eq(points_goods.id, id)))[0]!

describe('points', () => {
  it('are taken with the stock, from the lots that end first; too few take nothing at all', async () => {
    const goods = await shelf('physical', { points_price: 700 })
    const member_id = await saver([
      [600, 90],
      [300, 5],
    ])
    const { row } = await exchange(goods, { member_id })
    expect([
      row.status,
      row.points_used,
      await pointsOf(member_id),
      (await stockOf(goods.id)).sold,
    ]).toEqual(['pending_ship', 700, 200, 1])
    expect(
      (
        await database.db
          .select()
          .from(points_lot)
          .where(eq(points_lot.member_id, member_id))
          .orderBy(points_lot.expire_at)
      ).map(lot => lot.remain),
    ).toEqual([0, 200])
    await expect(exchange(goods, { member_id })).rejects.toMatchObject({
      data: { rule: 'points_short' },
    })
    expect([
      await pointsOf(member_id),
      (await stockOf(goods.id)).held,
      (await database.db.select().from(order).where(eq(order.member_id, member_id))).length,
    ]).toEqual([200, 0, 1])
    await expect(
      database.db.update(member).set({ points: -1 }).where(eq(member.id, member_id)),
    ).rejects.toThrow()
  })
  it('are not taken for what would be posted to where the rules deliver nothing', async () => {
    const [goods, picked, member_id] = [
      await shelf('physical'),
      await shelf('physical', { delivery: 'pickup' }),
      await saver(),
    ]
    const [now] = await database.db
      .select()
      .from(order_config)
      .where(and(eq(order_config.scope, 'points'), eq(order_config.state, 'current')))
    await database.db
      .update(order_config)
      .set({ fields: { ...now!.fields, no_delivery: ['310000'] } })
      .where(eq(order_config.id, now!.id))
    await expect(exchange(goods, { member_id })).rejects.toMatchObject({
      data: { rule: 'no_delivery' },
    })
    expect([
      await pointsOf(member_id),
      (await stockOf(goods.id)).held,
      (await exchange(picked, { member_id })).row.status,
    ]).toEqual([5000, 0, 'pending_use'])
    await database.db
      .update(order_config)
      .set({ fields: now!.fields })
      .where(eq(order_config.id, now!.id))
  })
  it('that are past their day are gone before they are spent', async () => {
    const member_id = await saver([[600, 90]])
    await database.db
      .update(points_lot)
      .set({ expire_at: unixNow() - 200 })
      .where(eq(points_lot.member_id, member_id))
    await expect(exchange(await shelf('physical'), { member_id })).rejects.toMatchObject({
      data: { rule: 'points_short' },
    })
    await database.transaction(tx => expirePoints(tx, unixNow(), 10_000))
    expect(await pointsOf(member_id)).toBe(0)
  })
  it('come back once to their lots when an order is cancelled or times out; a late payment goes back in cash alone', async () => {
    const goods = await shelf('physical', { cash_cents: 990 })
    const unpaid = await exchange(goods, { pay: false })
    expect([unpaid.row.status, await pointsOf(unpaid.row.member_id!)]).toEqual([
      'pending_payment',
      4500,
    ])
    expect((await call(calls.cancel, { ...unpaid.one, reason: '不要了' })).status).toBe(200)
    expect([
      await pointsOf(unpaid.row.member_id!),
      (await stockOf(goods.id)).held,
      await netOf(unpaid.row.id),
    ]).toEqual([5000, 0, 0])
    const late = await exchange(goods, { pay: false, ago: 4000 })
    await tickOrders(database, unixNow())
    expect([(await at(late.row.id)).row.status, await pointsOf(late.row.member_id!)]).toEqual([
      'cancelled',
      5000,
    ])
    await database.transaction(tx =>
      receivePayment(tx, {
        out_no: late.row.order_no,
        answer: { state: 'success', channel_no: 'L', at: unixNow(), amount_cents: 990 },
        now: unixNow(),
      }),
    )
    await finishPayouts(database, unixNow() + 60)
    expect([
      await pointsOf(late.row.member_id!),
      (await at(late.row.id)).row.refunded_cents,
    ]).toEqual([5000, 990])
    expect(
      await database.transaction(tx =>
        returnPoints(tx, { order_id: late.row.id, points: 500, biz_no: '又一次', now: unixNow() }),
      ),
    ).toBe(0)
  })
  it('that ended meanwhile come back for thirty days', async () => {
    const { row, one } = await exchange(await shelf('physical'), {
      member_id: await saver([[500, 2]]),
    })
    await database.db
      .update(points_lot)
      .set({ expire_at: unixNow() - 10 })
      .where(eq(points_lot.member_id, row.member_id!))
    expect((await call(calls.cancel, { ...one, reason: '发不了货' })).status).toBe(200)
    const [lot] = await database.db
      .select()
      .from(points_lot)
      .where(and(eq(points_lot.member_id, row.member_id!), sql`remain > 0`))
    expect([lot!.remain, Math.round((lot!.expire_at - unixNow()) / DAY)]).toEqual([500, 30])
  })
  it('in an order of another kind go back in proportion with each of its refunds, and all of them together', async () => {
    const member_id = await saver()
    const made = await database.transaction(async tx => {
      const one = await placeOrder(tx, {
        proved: true,
        product_id: voucher.id,
        qty: 3,
        member_id,
        points_used: 100,
        platform_discount_cents: 100,
        now: unixNow() - 60,
      })
      await payOrder(tx, one.id, unixNow() - 50)
      return one
    })
    expect(await pointsOf(member_id)).toBe(4900)
    const [code] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, made.id))
    for (const wanted of [{ codes: [{ id: code!.id }] }, 'all' as const]) {
      await database.transaction(tx =>
        openRefund(tx, {
          order_id: made.id,
          wanted,
          source: 'member',
          cause: 'compensate',
          reason: '不去了',
          actor: { type: 'member' },
          now: unixNow(),
        }),
      )
      await finishPayouts(database, unixNow() + 60)
    }
    const back = (
      await database.db
        .select()
        .from(points_ledger)
        .where(and(eq(points_ledger.order_id, made.id), eq(points_ledger.kind, 'back')))
    ).map(one => one.delta)
    expect([back.length, back.reduce((a, b) => a + b, 0), await pointsOf(member_id)]).toEqual([
      2, 100, 5000,
    ])
  })
  it('buy no more than a member may have; what was cancelled does not count', async () => {
    const goods = await shelf('physical', { limit_per_member: 2 })
    const member_id = await saver()
    const first = await exchange(goods, { member_id })
    await exchange(goods, { member_id })
    await expect(exchange(goods, { member_id })).rejects.toMatchObject({ data: { rule: 'limit' } })
    await call(calls.cancel, { ...first.one, reason: '换一个' })
    expect((await exchange(goods, { member_id })).row.status).toBe('pending_ship')
  })
})

describe('the list of exchanges', () => {
  it('has tabs that add up to its total, by kind of item too; spans 186 days; a phone and a code are found', async () => {
    const voucherOrder = await exchange(await shelf('voucher'))
    const [code] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, voucherOrder.row.id))
    for (const filters of [
      {},
      { points_kind: 'ecard' },
      { points_kind: 'physical' },
      { quick: 'delivery_failed' },
    ]) {
      const { all, ...each } = (await call(calls.counts, filters)).data as Record<string, number>
      const { total } = (await call(calls.lst, { ...filters, pageSize: 1 })).data as {
        total: number
      }
      expect([filters, all, Object.values(each).reduce((a, b) => a + b, 0), total > 0]).toEqual([
        filters,
        total,
        total,
        true,
      ])
    }
    expect((await call(calls.lst, { from: unixNow() - 187 * DAY })).data.fields).toHaveProperty(
      'from',
    )
    const [who] = await database.db
      .select()
      .from(member)
      .where(eq(member.id, voucherOrder.row.member_id!))
    for (const q of [code!.code, who!.phone])
      expect(
        (
          (await call(calls.lst, { q })).data as { list: { id: number; points_kind: string }[] }
        ).list.map(one => [one.id, one.points_kind]),
      ).toEqual([[voucherOrder.row.id, 'voucher']])
  })
  it('holds nothing outside a person’s scope', async () => {
    const { row, one } = await exchange(await shelf('physical'))
    const other = await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [row.city_id === 1 ? 2 : 1] },
    })
    for (const [what, input] of [
      [detail.exchange, { id: row.id }],
      [detail.ledger, { id: row.id }],
      [calls.cancel, { ...one, reason: '越权' }],
      [calls.refund, { ...one, reason: '越权' }],
      [calls.reissue, { ...one, reason: '越权' }],
    ] as const)
      expect((await call(what, input, other.token)).status).toBe(404)
  })
})

describe('what a channel issues', () => {
  it('is issued once, whoever asks and however often; the channel’s silence is asked about first', async () => {
    plan({ state: 'unknown', text: '超时' }, { state: 'success', channel_no: 'C7' })
    const { row } = await exchange(await shelf('ecard'))
    expect(row.status).toBe('issuing')
    await issue()
    expect((await at(row.id)).row.status).toBe('issuing')
    await issue(unixNow() + 600)
    await issue(unixNow() + 1200)
    const [attempt] = await attemptsOf(row.id)
    expect([
      (await at(row.id)).row.status,
      attempt!.channel_no,
      says.asked.map(one => one.split(' ')[0]),
    ]).toEqual(['finished', 'C7', ['issue', 'query']])
  })
  it('is issued again only after it failed, and the new number is another', async () => {
    plan({ state: 'success', channel_no: 'C2' })
    const good = await exchange(await shelf('ecard'))
    expect((await call(calls.reissue, { ...good.one, reason: '催促' })).data.rule).toBe(
      'not_reissue',
    )
    await issue()
    expect(
      (await call(calls.reissue, { ...(await at(good.row.id)).one, reason: '再来一张' })).data.rule,
    ).toBe('not_reissue')
    plan({ state: 'failed', text: joined(['渠道库存不足', 'The channel is out of stock']) })
    const bad = await exchange(await shelf('ecard'))
    await issue()
    expect((await at(bad.row.id)).row.fulfil_state).toBe('issue_failed')
    plan({ state: 'success', channel_no: 'C3' })
    expect(
      (await call(calls.reissue, { ...(await at(bad.row.id)).one, reason: '已补货' })).data.status,
    ).toBe('issuing')
    await issue()
    const attempts = await attemptsOf(bad.row.id)
    expect([
      (await at(bad.row.id)).row.status,
      attempts.map(one => one.state),
      new Set(attempts.map(one => one.out_no)).size,
      attempts[1]!.asked_by,
    ]).toEqual(['finished', ['failed', 'success'], 2, me.id])
    const file = (await call(detail.exchange, { id: bad.row.id })).data as {
      attempts: { answer: string }[]
      points_used: number
      points_returned: number
    }
    expect([file.attempts.map(one => one.answer), file.points_used, file.points_returned]).toEqual([
      ['渠道库存不足', '发放成功'],
      500,
      0,
    ])
  })
  it('and turned out to be issued late is neither issued again nor given back', async () => {
    for (const what of ['reissue', 'cancel', 'refund'] as const) {
      plan({ state: 'failed', text: '处理超时' }, { state: 'success', channel_no: 'C9' })
      const { row } = await exchange(await shelf('ecard'))
      await issue()
      const said = await call(calls[what], { ...(await at(row.id)).one, reason: '失败了' })
      expect([what, said.status, said.data.rule]).toEqual([what, 409, 'issued_before'])
      expect([
        (await at(row.id)).row.status,
        await netOf(row.id),
        (await attemptsOf(row.id)).map(one => [one.state, one.channel_no]),
      ]).toEqual(['finished', -500, [['success', 'C9']]])
    }
  })
  it('is not issued again while the channel is silent; in a batch each is told why', async () => {
    plan({ state: 'failed', text: '处理超时' }, { state: 'unknown', text: '' })
    const [a, b] = [await exchange(await shelf('ecard')), await exchange(await shelf('physical'))]
    await issue()
    const said = (await call(calls.batchReissue, { ids: [a.row.id, b.row.id] })).data as {
      ok: number[]
      failed: { id: number; code: string }[]
    }
    expect([said.ok, said.failed.map(one => [one.id, one.code])]).toEqual([
      [],
      [
        [a.row.id, 'channel_silent'],
        [b.row.id, 'not_reissue'],
      ],
    ])
    plan({ state: 'success', channel_no: 'C4' })
    expect(
      ((await call(calls.batchReissue, { ids: [a.row.id] })).data as { ok: number[] }).ok,
    ).toEqual([a.row.id])
  })
  it('as a coupon is our own: each has its grant; used ones are not given back, unused ones are taken back', async () => {
    const [own] = await database.db
      .update(coupon)
      .set({
        total: 10_000,
        valid_kind: 'days_after',
        valid_days: 30,
        scope: 'local',
        kind: 'direct',
        face_cents: 100,
        threshold_cents: 0,
        apply_kind: 'all',
        apply_ids: [],
        exclude_ids: [],
        city_ids: [],
        weekdays: [],
        per_member: 9,
        per_day: null,
        new_only: false,
        vip_only: false,
        status: 'active',
        claim_start_at: unixNow() - 3600,
        claim_end_at: unixNow() + 86_400,
      })
      .where(eq(coupon.id, database.db.select({ id: coupon.id }).from(coupon).limit(1)))
      .returning()
    const goods = await shelf('coupon', { coupon_id: own!.id })
    const grantsOf = (order_id: number) =>
      database.db
        .select()
        .from(coupon_grant)
        .where(sql`code like ${`IS${order_id}-%`}`)
    const kept = await exchange(goods)
    await issue()
    const [grant] = await grantsOf(kept.row.id)
    expect([grant!.status, grant!.member_id, (await at(kept.row.id)).row.status]).toEqual([
      'unused',
      kept.row.member_id,
      'finished',
    ])
    await database.transaction(async tx =>
      payOrder(
        tx,
        (
          await placeOrder(tx, {
            proved: true,
            product_id: voucher.id,
            qty: 1,
            member_id: kept.row.member_id,
            coupon_grant_id: grant!.id,
            now: unixNow(),
          })
        ).id,
        unixNow(),
      ),
    )
    expect((await grantsOf(kept.row.id))[0]!.status).toBe('used')
    expect(
      (await call(calls.refund, { ...(await at(kept.row.id)).one, reason: '不想要' })).data.rule,
    ).toBe('coupon_used')
    const back = await exchange(goods)
    await issue()
    expect(
      (await call(calls.refund, { ...(await at(back.row.id)).one, reason: '不想要' })).data,
    ).toMatchObject({ state: 'done', points_back: 500 })
    expect([(await grantsOf(back.row.id))[0]!.status, await pointsOf(back.row.member_id!)]).toEqual(
      ['revoked', 5000],
    )
    await database.db
      .update(coupon)
      .set({ total: sql`claimed_count` })
      .where(eq(coupon.id, own!.id))
    const none = await exchange(goods)
    await issue()
    expect((await at(none.row.id)).row.fulfil_state).toBe('issue_failed')
  })
  it('as an e-card is not given back once it is out, and nothing is while the channel owes its answer', async () => {
    plan({ state: 'pending' }, { state: 'success', channel_no: 'C5' })
    const { row, one } = await exchange(await shelf('ecard'))
    await issue()
    for (const what of [calls.cancel, calls.refund])
      expect(
        (await call(what, { ...one, version: (await at(row.id)).row.version, reason: '等不及' }))
          .status,
      ).toBe(422)
    await expect(
      database.transaction(tx =>
        openRefund(tx, {
          order_id: row.id,
          wanted: 'all',
          source: 'member',
          reason: '不要了',
          actor: { type: 'member' },
          now: unixNow(),
        }),
      ),
    ).rejects.toMatchObject({ data: { rule: 'issuing' } })
    await issue(unixNow() + 600)
    expect(
      (await call(calls.refund, { ...(await at(row.id)).one, reason: '不要了' })).data.rule,
    ).toBe('not_refund')
  })
})

describe('an exchange', () => {
  it('is given back whole: points to the member, cash as it was paid, never more than that', async () => {
    const { row } = await exchange(await shelf('physical', { cash_cents: 990 }), { qty: 2 })
    const items = await database.db.select().from(order_item).where(eq(order_item.order_id, row.id))
    await expect(
      database.transaction(tx =>
        openRefund(tx, {
          order_id: row.id,
          wanted: { items: [{ id: items[0]!.id, qty: 1 }] },
          source: 'staff',
          reason: '一半',
          actor: { type: 'staff', id: me.id },
          now: unixNow(),
        }),
      ),
    ).rejects.toMatchObject({ data: { rule: 'whole_exchange' } })
    const said = await call(calls.refund, { ...(await at(row.id)).one, reason: '缺货' })
    expect([said.data.amount_cents, said.data.points_back, await pointsOf(row.member_id!)]).toEqual(
      [19_80, 1000, 4000],
    )
    await finishPayouts(database, unixNow() + 60)
    expect([
      (await at(row.id)).row.status,
      await pointsOf(row.member_id!),
      await netOf(row.id),
    ]).toEqual(['refunded', 5000, 0])
    expect(
      (await call(calls.refund, { ...(await at(row.id)).one, reason: '再退' })).data.rule,
    ).toBe('not_refund')
  })
  it('whose cash is above one’s limit waits for a second person; its points stay away until it is paid', async () => {
    const { row, one } = await exchange(await shelf('physical', { cash_cents: 990 }))
    const first = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 989 } })
    await call(calls.refund, { ...one, reason: '缺货' }, first.token)
    const { to_decide } = (await call(calls.lst, { q: row.order_no, quick: 'to_decide' })).data
      .list[0]
    expect(to_decide).toMatchObject({
      state: 'second_audit',
      amount_cents: 990,
      first_by: first.id,
    })
    const which = { id: row.id, refund_id: to_decide.id, refund_version: to_decide.version }
    expect((await call(calls.approveRefund, which, first.token)).message).toContain('不能是同一人')
    expect((await call(calls.approveRefund, which)).data.state).toBe('paying')
    expect(await netOf(row.id)).toBe(-500)
    await finishPayouts(database, unixNow() + 60)
    expect([(await at(row.id)).row.status, await netOf(row.id)]).toEqual(['refunded', 0])
  })
  it('that was sent is given back when its goods are: only sound ones go on sale again', async () => {
    const goods = await shelf('physical')
    const { row, one } = await exchange(goods)
    expect(
      (await call(calls.ship, { ...one, tracking_no: 'SF1234567890123' })).data.courier_name,
    ).toContain('顺丰')
    const sent = await at(row.id)
    expect((await call(calls.cancel, { ...sent.one, reason: '不要了' })).data.rule).toBe(
      'not_cancel',
    )
    expect((await call(calls.refund, { ...sent.one, reason: '不要了' })).data.rule).toBe(
      'return_first',
    )
    expect(
      (await call(calls.refund, { ...sent.one, returned: 'damaged', reason: '破损退回' })).data
        .state,
    ).toBe('done')
    const [made] = await database.db
      .select()
      .from(refund)
      .where(eq(refund.order_id, row.id))
      .orderBy(desc(refund.id))
    expect([
      made!.type,
      made!.return_condition,
      made!.return_received_at,
      (await stockOf(goods.id)).stock,
      await pointsOf(row.member_id!),
    ]).toEqual(['return_refund', 'damaged', expect.any(Number), 49, 5000])
  })
  it('takes another address before it is sent, and shows its parcel', async () => {
    const { row, one } = await exchange(await shelf('physical'))
    expect(
      (
        await call(detail.editAddress, {
          ...one,
          receiver: { address: '虹桥路 2 号' },
          reason: '搬家',
          anyway: true,
        })
      ).status,
    ).toBe(200)
    await call(calls.ship, { ...(await at(row.id)).one, tracking_no: 'SF1234567890999' })
    expect(
      (
        await call(detail.editAddress, {
          ...(await at(row.id)).one,
          receiver: { address: '虹桥路 3 号' },
          reason: '太晚',
          anyway: true,
        })
      ).data.rule,
    ).toBe('not_editable')
    expect(
      (
        (await call(calls.lst, { q: row.order_no })).data as {
          list: { parcels: { tracking_no: string }[] }[]
        }
      ).list[0]!.parcels[0]!.tracking_no,
    ).toBe('SF1234567890999')
  })
  it('to fetch is fetched once by its code, as a code for a store is used there; a used one is not given back', async () => {
    const { row, one } = await exchange(await shelf('physical', { delivery: 'pickup' }))
    const [code] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, row.id))
    const open = (
      await database.db.execute<{ id: number }>(
        sql`select id from store where status = 'open' limit 1`,
      )
    ).rows[0]!.id
    await database.db.update(order).set({ store_id: open }).where(eq(order.id, row.id))
    await database.db.execute(
      sql`insert into product_store (product_id, store_id) values (${item.id}, ${open}) on conflict do nothing`,
    )
    expect((await call(calls.confirmPickup, { ...one, code: '123456789012' })).data.rule).toBe(
      'wrong_code',
    )
    expect(
      (
        await call(calls.confirmPickup, {
          ...one,
          code: ` ${code!.code.slice(0, 6)} ${code!.code.slice(6)}`,
        })
      ).data.units,
    ).toBe(1)
    expect(
      (await call(calls.confirmPickup, { ...(await at(row.id)).one, code: code!.code })).status,
    ).toBe(422)
    const other = await exchange(await shelf('voucher'))
    const [own] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, other.row.id))
    expect(
      await database.transaction(tx =>
        redeem(tx, { code_id: own!.id, store_id: open, now: unixNow() }),
      ),
    ).toBeDefined()
    expect(
      (await call(calls.refund, { ...(await at(other.row.id)).one, reason: '用过了' })).data.rule,
    ).toBe('not_refund')
  })
  it('read before it changed is told so; a frozen one gives nothing back', async () => {
    const { row, one } = await exchange(await shelf('physical'))
    await call(calls.freeze, { ...one, reason: '核实' })
    expect((await call(calls.cancel, { ...one, reason: '旧屏幕' })).status).toBe(409)
    expect(
      (await call(calls.cancel, { ...(await at(row.id)).one, reason: '冻结中' })).data.rule,
    ).toBe('frozen')
  })
  it('keeps every invariant after all this', async () => {
    expect(await broken(database)).toEqual({})
  })
})
