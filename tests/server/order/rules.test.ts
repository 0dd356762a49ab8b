import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { openGroup } from '#src/areas/group/groups.server.ts'
import { freezeOrder } from '#src/areas/order/freeze.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { remindOrders, tickOrders } from '#src/areas/order/orderClock.server.ts'
import type { OrderRules } from '#src/areas/order/orderRules.ts'
import { remindExpiring } from '#src/areas/order/reminders.server.ts'
import { reviewOrder } from '#src/areas/order/reviews.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_config, order_log, order_message } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { receive, ship } from '#src/areas/shipping/shipping.server.ts'
import { joined, unjoined } from '#src/domain/text.ts'
import { dayStart, unixNow } from '#src/domain/time.ts'
import { bulks } from '#src/modules/order/contract/bulks.ts'
import { config as rulesCalls } from '#src/modules/order/contract/config.ts'
import { elist as calls } from '#src/modules/order/contract/elist.ts'
import { settings } from '#src/modules/order/contract/settings.ts'
import type { OrderDetail } from '#src/modules/order/contract/shared.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'

const [HOUR, DAY] = [3600, 86_400]
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let deal: typeof product.$inferSelect
let goods: typeof product.$inferSelect
/** Noon, so that a day before and a day after are other days. */
const noon = dayStart(unixNow()) + 12 * HOUR
const today = dayStart(noon)
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
  const fresh = async (kind: 'bulks' | 'elist') => {
    const { item } = await database.transaction(tx => freshProduct(tx, kind))
    return (
      await database.db
        .update(product)
        .set({
          stock: 10_000,
          price_cents: 100_00,
          valid_days: 30,
          sale_start_at: noon - 100 * DAY,
          sale_end_at: noon + 90 * DAY,
        })
        .where(eq(product.id, item.id))
        .returning()
    )[0]!
  }
  deal = await fresh('bulks')
  goods = await fresh('elist')
  // What the demo left due is done: the tests see their own.
  while ((await remindOrders(database, noon)) > 0);
})
const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
/**
 * The rules in force of a kind become others, as an administrator would make them: a new version.
 */
const newRules = async (scope: 'bulks' | 'elist' | 'roll_buy', more: Partial<OrderRules>) => {
  const [now] = await database.db
    .update(order_config)
    .set({ state: 'old' })
    .where(and(eq(order_config.scope, scope), eq(order_config.state, 'current')))
    .returning()
  await database.db.insert(order_config).values({
    scope,
    version_no: now!.version_no + 1,
    fields: { ...now!.fields, ...more },
    reason: '测试',
    effective_at: noon,
    state: 'current',
    by_admin: 1,
  })
}
let member_id = 40
/** Codes bought `ago` days ago that end at the end of the day in `days` days. */
const codes = async (days: number, { qty = 1, ago = 3 }: { qty?: number; ago?: number } = {}) => {
  const placed = await database.transaction(async tx => {
    const made = await placeOrder(tx, {
      proved: true,
      product_id: deal.id,
      qty,
      member_id: ++member_id,
      now: noon - ago * DAY,
    })
    await payOrder(tx, made.id, noon - ago * DAY)
    return made.id
  })
  await database.db
    .update(order_code)
    .set({ valid_until: today + (days + 1) * DAY })
    .where(eq(order_code.order_id, placed))
  await database.db
    .update(order)
    .set({ valid_until: today + (days + 1) * DAY })
    .where(eq(order.id, placed))
  return placed
}
const sentTo = (order_id: number) =>
  database.db
    .select()
    .from(order_message)
    .where(and(eq(order_message.order_id, order_id), eq(order_message.kind, 'expire')))
    .orderBy(order_message.id)
const rowOf = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
const logOf = (id: number, event: (typeof order_log.$inferSelect)['event']) =>
  database.db
    .select()
    .from(order_log)
    .where(and(eq(order_log.order_id, id), eq(order_log.event, event)))

describe('a reminder that codes expire', () => {
  it('goes out on the days that the rules name, once for each, and its order shows it', async () => {
    const id = await codes(7, { qty: 2 })
    expect(await remindOrders(database, noon)).toBe(1)
    expect(await remindOrders(database, noon + HOUR)).toBe(0)
    await remindOrders(database, noon + DAY)
    const [first, ...more] = await sentTo(id)
    expect(more).toEqual([])
    expect(first!.text).toMatch(/等 2 张券码将于 \d{4}-\d\d-\d\d 到期（还有 7 天）/)
    expect([first!.state, first!.phone !== null]).toEqual(['queued', true])
    await remindOrders(database, noon + 6 * DAY)
    expect((await sentTo(id)).map(one => /还有 \d+ 天/.exec(one.text)?.[0])).toEqual([
      '还有 7 天',
      '还有 1 天',
    ])
    const shown = (await call(bulks.detail, { id })).data as OrderDetail
    expect([
      shown.messages.map(one => one.kind),
      shown.log.filter(one => one.event === 'message').map(one => one.memo),
    ]).toEqual([
      ['expire', 'expire'],
      ['到期提醒：还有 1 天', '到期提醒：还有 7 天'],
    ])
    const inEnglish = await send(app, bulks.detail, { id }, { token: me.token, lang: 'en' })
    expect(
      (inEnglish.data as OrderDetail).log
        .filter(one => one.event === 'message')
        .map(one => one.memo),
    ).toEqual(['Reminder, days left: 1', 'Reminder, days left: 7'])
    // One that the channel did not take says why, in the reader's language.
    await database.db
      .update(order_message)
      .set({ state: 'failed', answer: joined(['没有手机号', 'No phone']) })
      .where(eq(order_message.id, first!.id))
    const faults = async (lang: 'zh' | 'en') =>
      (await send(app, bulks.detail, { id }, { token: me.token, lang })).data.messages.map(
        (one: { fault: string | null }) => one.fault,
      )
    expect([await faults('zh'), await faults('en')]).toEqual([
      [null, '没有手机号'],
      [null, 'No phone'],
    ])
  })
  it('does not go out for what is used, refunded, in refund or frozen, nor for what was bought today or ends on another day', async () => {
    const at = (days: number) => codes(days)
    const [used, gone, asked, cold, other, fresh] = [
      await at(7),
      await at(7),
      await at(7),
      await at(7),
      await at(6),
      await codes(7, { ago: 0 }),
    ]
    const [code] = await database.db.select().from(order_code).where(eq(order_code.order_id, used))
    await database.transaction(tx =>
      redeem(tx, { code_id: code!.id, store_id: deal.store_ids[0]!, now: noon }),
    )
    for (const order_id of [gone, asked])
      await database.transaction(tx =>
        openRefund(tx, {
          order_id,
          wanted: 'all',
          source: 'staff',
          reason: '测试',
          actor: { type: 'staff', id: 1 },
          ...(order_id === gone && { by: { id: 1, limit_cents: 1_000_000 } }),
          now: noon,
        }),
      )
    await finishPayouts(database, noon + 60)
    await database.transaction(tx =>
      freezeOrder(tx, {
        order_id: cold,
        by: 'staff',
        actor: { type: 'staff', id: 1 },
        reason: '核实',
        now: noon,
      }),
    )
    expect(
      (
        await database.db
          .select({ state: order.refund_state })
          .from(order)
          .where(inArray(order.id, [gone, asked]))
          .orderBy(order.id)
      ).map(one => one.state),
    ).toEqual(['refunded', 'refunding'])
    expect(await remindOrders(database, noon)).toBe(0)
    for (const id of [used, gone, asked, cold, other, fresh]) {
      expect(await database.transaction(tx => remindExpiring(tx, id, noon)), String(id)).toBe(
        id === fresh,
      )
      expect((await sentTo(id)).length, String(id)).toBe(Number(id === fresh))
    }
  })
  it('follows the rules that the order was made under, and comes again for a later day', async () => {
    const before = await codes(3)
    await newRules('bulks', { remind_days: [3] })
    const after = await codes(3)
    await remindOrders(database, noon)
    expect([(await sentTo(before)).length, (await sentTo(after)).length]).toEqual([0, 1])
    await database.db
      .update(order_code)
      .set({ valid_until: today + 10 * DAY })
      .where(eq(order_code.order_id, after))
    await remindOrders(database, noon + 6 * DAY)
    expect((await sentTo(after)).length).toBe(2)
  })
  it('goes to whoever holds a code that was given away', async () => {
    const id = await codes(3, { qty: 2 })
    const [given] = await database.db
      .select()
      .from(order_code)
      .where(eq(order_code.order_id, id))
      .orderBy(order_code.id)
    await database.db
      .update(order_code)
      .set({ gift_state: 'received', holder_id: 2 })
      .where(eq(order_code.id, given!.id))
    await remindOrders(database, noon)
    expect(new Set((await sentTo(id)).map(one => one.phone)).size).toBe(2)
    expect((await sentTo(id)).map(one => one.once!.split(':').at(-1)).sort()).toEqual(['0', '2'])
  })
  it('is sent by day, and the panes hear of it', async () => {
    await codes(3)
    const run = timerNamed('order.remind')
    const context = { database, now: noon } as Parameters<typeof run>[0]
    expect([await run(context), await run(context)]).toEqual([['order'], []])
  })
  it('is counted by a trial of other rules', async () => {
    const tried = async (remind_days: number[]) =>
      (
        (await call(rulesCalls.simulate, { kind: 'bulks', fields: { remind_days } })).data as {
          effects: { field: string; before: { n: number }; after: { n: number } }[]
        }
      ).effects.find(one => one.field === 'remind_days')!
    const one = await tried([5])
    await codes(5 + 7)
    const two = await tried([5])
    expect([two.after.n - one.after.n, two.before.n]).toEqual([1, one.before.n])
    expect((await tried([])).after.n).toBe(0)
  })
})

describe('a group', () => {
  const open = (more: Partial<Parameters<typeof openGroup>[1]> = {}) =>
    database.transaction(tx =>
      openGroup(tx, {
        product_id: deal.id,
        city_id: deal.city_id,
        mall_id: deal.mall_id,
        need_n: 2,
        group_price_cents: 80_00,
        single_price_cents: 100_00,
        now: noon,
        ...more,
      }),
    )
  const seat = (group_id: number, now = noon) =>
    database.transaction(tx =>
      placeOrder(tx, {
        proved: true,
        product_id: deal.id,
        qty: 1,
        member_id: ++member_id,
        group_id,
        now,
      }),
    )
  const pay = (id: number, now = noon) => database.transaction(tx => payOrder(tx, id, now))
  it('has the hours to form that the rules of the day say', async () => {
    await newRules('roll_buy', { group_hours: 30 })
    expect((await open()).expire_at).toBe(noon + 30 * HOUR)
    await newRules('roll_buy', { group_hours: 6 })
    expect((await open()).expire_at).toBe(noon + 6 * HOUR)
  })
  it('ends with the sale of its product, when nobody can join any more', async () => {
    await database.db
      .update(product)
      .set({ sale_end_at: noon + 2 * HOUR })
      .where(eq(product.id, deal.id))
    expect((await open()).expire_at).toBe(noon + 2 * HOUR)
    await database.db
      .update(product)
      .set({ sale_end_at: noon + 90 * DAY })
      .where(eq(product.id, deal.id))
  })
  it('opened by the payer who found no seat keeps the hours of the rules that order was made under', async () => {
    const group = await open()
    const three = [await seat(group.id), await seat(group.id), await seat(group.id)]
    await newRules('roll_buy', { group_hours: 1 })
    for (const one of three) await pay(one.id, noon + 60)
    const last = await rowOf(three[2]!.id)
    expect([last.roll_group_id === group.id, last.group_role]).toEqual([false, 'leader'])
    expect(
      (
        await database.db.select().from(roll_group).where(eq(roll_group.id, last.roll_group_id!))
      )[0]!.expire_at,
    ).toBe(noon + 60 + 6 * HOUR)
  })
})

describe('a review', () => {
  const received = async (at: number, now = at) => {
    const { id } = await database.transaction(tx =>
      placeOrder(tx, {
        proved: true,
        product_id: goods.id,
        qty: 1,
        member_id: ++member_id,
        receiver: {
          name: '陈晓',
          phone: '13812345678',
          area: '浙江省杭州市西湖区',
          address: '文三路 18 号',
        },
        freight_cents: 0,
        now: at - 2 * DAY,
      }),
    )
    await database.transaction(tx => payOrder(tx, id, at - 2 * DAY))
    await database.transaction(tx =>
      ship(tx, {
        order_id: id,
        courier: 'shunfeng',
        tracking_no: `SF14382700${id}`,
        actor: { type: 'staff', id: 1 },
        now: at - DAY,
      }),
    )
    await database.transaction(tx => receive(tx, { order_id: id, actor: { type: 'member' }, now }))
    return id
  }
  const review = (order_id: number, by: 'member' | 'auto', now: number) =>
    database
      .transaction(tx => reviewOrder(tx, { order_id, by, now }))
      .then(
        () => 'reviewed',
        (error: { data: { rule?: string } }) => error.data.rule,
      )
  it('is given by itself when the buyer gave none within the days of the order’s rules, once', async () => {
    const id = await received(noon - 15 * DAY)
    const open = (await call(calls.detail, { id })).data as OrderDetail
    expect([open.facts.review_by, open.facts.auto_review_at]).toEqual([null, noon])
    await tickOrders(database, noon - 1)
    expect((await rowOf(id)).reviewed_at).toBeNull()
    for (let n = 0; n < 2; n++) await tickOrders(database, noon)
    expect(await rowOf(id)).toMatchObject({
      reviewed_at: noon,
      review_by: 'auto',
      status: 'finished',
    })
    expect((await logOf(id, 'review')).map(one => [one.actor_type, unjoined(one.memo)])).toEqual([
      [
        'system',
        ['收货 15 天未评价，系统默认好评', 'Not reviewed within 15 days: a good review by itself'],
      ],
    ])
    const { facts, log } = (await call(calls.detail, { id })).data as OrderDetail
    expect([facts.review_by, facts.auto_review_at, log[0]!.event]).toEqual(['auto', null, 'review'])
  })
  it('of the buyer comes first and stays', async () => {
    const id = await received(noon - 20 * DAY)
    expect([
      await review(id, 'member', noon - 18 * DAY),
      await review(id, 'member', noon - 17 * DAY),
      await review(id, 'auto', noon),
    ]).toEqual(['reviewed', 'not_reviewable', 'not_reviewable'])
    await tickOrders(database, noon)
    expect(await rowOf(id)).toMatchObject({ reviewed_at: noon - 18 * DAY, review_by: 'member' })
  })
  it('is none of what is in refund, was not received or may still be reviewed', async () => {
    const [asked, fresh] = [await received(noon - 3 * DAY), await received(noon - 3 * DAY)]
    await database.transaction(tx =>
      openRefund(tx, {
        order_id: asked,
        wanted: 'all',
        type: 'return_refund',
        source: 'member',
        reason: '质量问题',
        actor: { type: 'member' },
        now: noon,
      }),
    )
    const under = noon + 20 * DAY
    expect([
      await review(asked, 'auto', under),
      await review(await codes(9), 'member', noon),
    ]).toEqual(['not_reviewable', 'not_reviewable'])
    expect(await review(fresh, 'auto', noon)).toBe('not_yet')
  })
  it('comes after as many days as a trial of other rules says', async () => {
    const tried = async (auto_review_days: number) =>
      (
        (await call(settings.simulate, { kind: 'elist', fields: { auto_review_days } })).data as {
          effects: { field: string; after: { n: number } }[]
        }
      ).effects.find(one => one.field === 'auto_review_days')!
    const before = (await tried(2)).after.n
    await received(unixNow() - 3 * DAY)
    expect((await tried(2)).after.n).toBe(before + 1)
  })
})

it('leaves every invariant whole', async () => {
  expect(await broken(database)).toEqual({})
})
