import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderKind } from '#src/areas/order/order.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Call } from '#src/contract/call.ts'
import { places } from '#src/contract/places.ts'
import { DAY, HOUR, dayStart, unixNow } from '#src/domain/time.ts'
import { look, queues } from '#src/modules/audit/contract.ts'
import { brandAudit } from '#src/modules/brand/contract/audit.ts'
import { couponAudit, ecouponAudit } from '#src/modules/coupon/contract/audit.ts'
import { customerMaterials } from '#src/modules/customer/contract/material.ts'
import { splitOrders } from '#src/modules/distribution/contract/splitOrders.ts'
import { commissionWithdrawals } from '#src/modules/distribution/contract/withdrawal.ts'
import { ecardChannels } from '#src/modules/ecard/contract/channel.ts'
import { filmOrders } from '#src/modules/film/contract/index.ts'
import { filmRefunds } from '#src/modules/film/contract/refund.ts'
import { filmWithdrawals } from '#src/modules/film/contract/withdrawal.ts'
import { home } from '#src/modules/home/contract.ts'
import { bulks } from '#src/modules/order/contract/bulks.ts'
import { card } from '#src/modules/order/contract/card.ts'
import { comboRefund } from '#src/modules/order/contract/comboRefund.ts'
import { ecardOrder } from '#src/modules/order/contract/ecard.ts'
import { elist } from '#src/modules/order/contract/elist.ts'
import { eRefund } from '#src/modules/order/contract/eRefund.ts'
import { goods } from '#src/modules/order/contract/goods.ts'
import { pointsShopList } from '#src/modules/order/contract/pointsShopList.ts'
import { raiseList } from '#src/modules/order/contract/raiseList.ts'
import { rollBuy } from '#src/modules/order/contract/rollBuy.ts'
import { visitor } from '#src/modules/order/contract/visitor.ts'
import { voucher } from '#src/modules/order/contract/voucher.ts'
import { charges } from '#src/modules/settle/contract/charge.ts'
import { withdrawals } from '#src/modules/settle/contract/withdraw.ts'
import { shopAudit } from '#src/modules/shop/contract/audit.ts'
import { dataIndex } from '#src/modules/system/contract/dataIndex.ts'
import { exportLogs } from '#src/modules/system/contract/exportLogs.ts'
import { report } from '#src/modules/system/contract/report.ts'
import { risk } from '#src/modules/system/contract/risk.ts'
import { warningLogs } from '#src/modules/system/contract/warning.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send, tokenOfAccount } from '../help/app.ts'

let database: Database
let app: App
let admin: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  admin = await tokenOfAccount(database, 'admin')
})
/** The call behind the list that a card opens, and the input that its address asks it for. */
const listAt = (target: string): { call: Call; input: Record<string, string | number> } => {
  const url = new URL(target, 'http://x')
  const { view, ...input } = Object.fromEntries(
    [...url.searchParams].map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]),
  )
  const lists: Readonly<Record<string, Call>> = {
    '/manage/system/warning/logs': warningLogs.lst,
    '/manage/system/risk': risk.lst,
    '/manage/system/exportLogs': exportLogs.lst,
    '/manage/system/report': report.lst,
    '/manage/system/dataIndex': dataIndex.drill,
    '/manage/order/eRefund': eRefund.lst,
    '/manage/order/combo/refund': comboRefund.lst,
    '/manage/order/bulks': bulks.lst,
    '/manage/order/card': card.lst,
    '/manage/order/voucher': voucher.lst,
    '/manage/order/visitor': visitor.lst,
    '/manage/order/elist': elist.lst,
    '/manage/order/goods': goods.lst,
    '/manage/settle/charge': charges.lst,
    '/manage/settle/withdraw': withdrawals.lst,
    '/manage/distribution/withdrawal': commissionWithdrawals.lst,
    '/manage/film/index': filmOrders.lst,
    '/manage/customer/material': customerMaterials.lst,
    '/manage/film/refund': filmRefunds.lst,
    '/manage/film/withdrawal': filmWithdrawals.lst,
    '/manage/distribution/splitOrders': splitOrders.lst,
    '/manage/shop/audit': shopAudit.lst,
    '/manage/brand/audit': brandAudit.lst,
    '/manage/coupon/audit': couponAudit.lst,
    '/ecoupon/audit': ecouponAudit.lst,
    '/manage/ecard/channel': ecardChannels.lst,
    '/manage/order/pointsShopList': pointsShopList.lst,
    '/manage/ecard/order': ecardOrder.lst,
    '/manage/order/rollBuy': view === 'groups' ? rollBuy.groups : rollBuy.lst,
    '/manage/order/raiseList': view === 'batches' ? raiseList.batches : raiseList.lst,
  }
  const queue = url.pathname.split('/').at(-1) as keyof typeof queues
  return { call: lists[url.pathname] ?? queues[queue].lst, input }
}
const totalOf = async (target: string, token: string): Promise<number> => {
  if (target === '/manage/audit/look') {
    // Looking takes one, which stays mine.
    const { left } = (await send(app, look.take, {}, { token })).data
    return left
  }
  const { call, input } = listAt(target)
  const { status, data } = await send(app, call, input, { token })
  // The figures of a city that is not one's own do not exist.
  if (call === dataIndex.drill && status === 404) return 0
  expect([target, status]).toEqual([target, 200])
  return data.total
}
const cardsOf = async (token: string, input: object = {}) =>
  (await send(app, home.todos, input, { token })).data.list as {
    key: string
    target: string
    count: number
    oldest_at: number | null
    over_sla: number
    amount_cents?: number
  }[]

/** An order that should have left, one whose refund is to decide, and a case past its time. */
const somethingOfEach = async () => {
  const now = unixNow()
  const one = async (kind: OrderKind, set: Partial<typeof order.$inferInsert>) => {
    const [row] = await database.db
      .select({ id: order.id })
      .from(order)
      .where(eq(order.kind, kind))
      .limit(1)
    const [made] = await database.db.update(order).set(set).where(eq(order.id, row!.id)).returning()
    return { ...made!, paid_at: made!.paid_at! }
  }
  const unshipped = await one('elist', {
    fulfil_state: 'waiting_ship',
    pay_state: 'paid',
    refund_state: 'none',
    paid_at: now - 3 * DAY,
    promise_at: now - DAY,
  })
  const decided = await one('bulks', { deciding: true })
  const [found] = await database.db
    .select({ id: refund.id })
    .from(refund)
    .where(eq(refund.order_kind, 'elist'))
    .limit(1)
  const [late] = await database.db
    .update(refund)
    .set({ state: 'applied', deadline_at: now - 60 })
    .where(eq(refund.id, found!.id))
    .returning()
  return { unshipped, decided, late: late! }
}

describe('a to-do', () => {
  it('counts what its list shows, for everyone and for one city', async () => {
    const perms = [
      'audit',
      'order',
      'system',
      'shop',
      'brand',
      'coupon',
      'ecoupon',
      'ecard',
      'settle',
      'distribution',
      'film',
      'customer',
    ].map(module => `${module}.*`)
    const manager = await addStaff(database, {
      perms,
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const owner = await addStaff(database, { perms, role: { scope_type: 'self' } })
    await somethingOfEach()
    for (const token of [admin, manager.token, owner.token])
      for (const input of [{}, { city_id: 1 }]) {
        const list = await cardsOf(token, input)
        expect(list).toHaveLength(44)
        for (const card of list)
          expect([card.key, card.count]).toEqual([card.key, await totalOf(card.target, token)])
      }
    const all = await cardsOf(admin)
    expect(all.reduce((sum, card) => sum + card.count, 0)).toBeGreaterThan(40)
    expect(all.some(card => card.over_sla > 0)).toBe(true)
  })
  it('says of refunds and parcels since when they wait, how many are late and what is at stake', async () => {
    const { unshipped, decided, late } = await somethingOfEach()
    const cards = await cardsOf(admin)
    const of = (key: string) => cards.find(card => card.key === key)!
    expect(of('unshipped_elist').oldest_at).toBeLessThanOrEqual(unshipped.paid_at)
    expect(of('unshipped_elist').amount_cents).toBeGreaterThanOrEqual(unshipped.paid_cents)
    expect(of('to_decide_bulks').amount_cents).toBeGreaterThanOrEqual(decided.paid_cents)
    expect(of('case_elist').over_sla).toBeGreaterThan(0)
    expect(of('case_elist').oldest_at).toBeLessThanOrEqual(late.created_at)
    const manager = await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [unshipped.city_id + 1] },
    })
    const theirs = (await cardsOf(manager.token)).find(card => card.key === 'unshipped_elist')!
    expect(theirs.count).toBeLessThan(of('unshipped_elist').count)
  })
  it('stands beside its page in the menu with the same number, the late ones too', async () => {
    const manager = await addStaff(database, {
      perms: ['audit.bulks.*', 'audit.product.*', 'audit.look.*', 'system.risk.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    for (const [token, pages] of [
      [admin, 20],
      [manager.token, 4],
    ] as const) {
      const [{ list }, todos] = [
        (await send(app, home.waiting, {}, { token })).data,
        (await send(app, home.todos, {}, { token })).data.list as {
          target: string
          count: number
          over_sla: number
        }[],
      ]
      expect(list).toHaveLength(pages)
      for (const one of list)
        expect(todos.find(todo => todo.target.split('?', 1)[0] === one.path)).toMatchObject({
          count: one.count,
          over_sla: one.over_sla,
        })
    }
    expect(
      (await send(app, home.waiting, {}, { token: (await addStaff(database)).token })).data.list,
    ).toEqual([])
  })
  it('is only for who may open its list, and hides money where it is hidden', async () => {
    const one = await addStaff(database, {
      perms: ['audit.card.view'],
      role: { field_rules: { 'stat.amount_cents': 'hide' } },
    })
    const { list } = (await send(app, home.todos, {}, { token: one.token })).data
    expect(list.map((card: { key: string }) => card.key)).toEqual(['audit_card'])
    expect(list[0]).not.toHaveProperty('amount_cents')
    const nobody = await addStaff(database)
    expect((await send(app, home.todos, {}, { token: nobody.token })).data.list).toEqual([])
    const today = (await send(app, home.today, {}, { token: one.token })).data
    expect(today).not.toHaveProperty('gmv')
    expect(today.orders).toBeDefined()
  })
})

it('today is compared with the same stretch of yesterday and of a week ago', async () => {
  const now = unixNow()
  const { data } = await send(app, home.today, {}, { token: admin })
  for (const [days, key] of [
    [0, 'now'],
    [1, 'yesterday'],
    [7, 'last_week'],
  ] as const) {
    const [from, to] = [dayStart(now) - days * 86_400, data.computed_at - days * 86_400]
    const rows = (
      await database.db.execute<{
        gmv: string
        n: string
        refunded: string
        verified: string
      }>(sql`select
      (select coalesce(sum(paid_cents), 0) from "order" where paid_at between ${from} and ${to}) gmv, (select count(*) from "order" where paid_at between ${from} and ${to}) n,
      (select coalesce(sum(amount_cents), 0) from refund where state = 'done' and done_at between ${from} and ${to}) refunded,
      (select coalesce(sum(pay_cents + platform_cents), 0) from verify_record where state = 'valid' and verified_at between ${from} and ${to}) verified`)
    ).rows[0]!
    expect({
      gmv: data.gmv[key],
      orders: data.orders[key],
      refunded: data.refunded[key],
      verified: data.verified[key],
    }).toEqual({
      gmv: Number(rows.gmv),
      orders: Number(rows.n),
      refunded: Number(rows.refunded),
      verified: Number(rows.verified),
    })
  }
  const cities = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
      async city_id =>
        (await send(app, home.today, { city_id }, { token: admin })).data.orders.last_week,
    ),
  )
  expect(cities.reduce((a: number, b: number) => a + b, 0)).toBe(data.orders.last_week)
})

it('cities and malls are those of the person, in the shapes of the specification', async () => {
  const cities = (
    await send(app, places.cities, { simp: 1, page: 1, pageSize: 100 }, { token: admin })
  ).data as { id: number; city_name: string }[]
  expect(cities).toHaveLength(7)
  expect(cities[0]).toEqual({ id: expect.any(Number), city_name: '成都' })
  const malls = (await send(app, places.malls, { page: 1, limit: 1000 }, { token: admin })).data
  expect(malls.total).toBe(malls.list.length)
  expect(Object.keys(malls.list[0]).sort()).toEqual(['city_id', 'city_name', 'mid', 'name'])
  const manager = await addStaff(database, { role: { scope_type: 'city', scope_ids: [2] } })
  expect((await send(app, places.cities, { simp: 1 }, { token: manager.token })).data).toEqual([
    { id: 2, city_name: '杭州' },
  ])
  const own = (await send(app, places.malls, {}, { token: manager.token })).data.list as {
    city_id: number
  }[]
  expect(own.length).toBeGreaterThan(0)
  expect(own.every(mall => mall.city_id === 2)).toBe(true)
  const keeper = await addStaff(database, { role: { scope_type: 'mall', scope_ids: [3] } })
  expect(
    (await send(app, places.malls, {}, { token: keeper.token })).data.list.map(
      (mall: { mid: number }) => mall.mid,
    ),
  ).toEqual([3])
  expect((await send(app, places.cities, { simp: 1 }, { token: keeper.token })).data).toEqual([
    { id: 1, city_name: '上海' },
  ])
})

it('goes hour by hour through today, yesterday and a week ago, and hides money where it is hidden', async () => {
  const { data } = await send(app, home.hours, {}, { token: admin })
  const now = data.computed_at as number
  const hour = Math.floor((now - dayStart(now)) / HOUR)
  expect(data.gmv.today).toHaveLength(hour + 1)
  expect(data.gmv.yesterday).toHaveLength(24)
  const today = (await send(app, home.today, {}, { token: admin })).data
  const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0)
  expect(sum(data.orders.today)).toBe(today.orders.now)
  const from = dayStart(now) - DAY
  const { rows } = await database.db.execute<{ hour: number; cents: string; n: number }>(
    sql`select ((paid_at - ${from}) / 3600)::int as hour, sum(paid_cents) cents, count(*)::int n from "order" where paid_at >= ${from} and paid_at < ${from + DAY} group by 1`,
  )
  for (const row of rows)
    expect([data.gmv.yesterday[row.hour], data.orders.yesterday[row.hour]]).toEqual([
      Number(row.cents),
      row.n,
    ])
  const blind = await addStaff(database, { role: { field_rules: { 'stat.amount_cents': 'hide' } } })
  const seen = (await send(app, home.hours, {}, { token: blind.token })).data
  expect(seen).not.toHaveProperty('gmv')
  expect(seen.orders.yesterday).toEqual(data.orders.yesterday)
})

describe('the next audit', () => {
  it('comes from the fullest queue I may work in, and its address opens it', async () => {
    const one = await addStaff(database, { perms: ['audit.*'] })
    const { data } = await send(app, home.claimNext, {}, { token: one.token })
    expect(data).toMatchObject({ queue: 'bulks', next_queue: null })
    expect(await totalOf(data.target, one.token)).toBe(1)
    const product = (await send(app, home.claimNext, { queue: 'product' }, { token: one.token }))
      .data
    expect(product.target).toBe(`/manage/audit/product/detail?id=${product.task_id}`)
  })
  it('is none for somebody of one city who may work in no queue, whichever is asked for', async () => {
    const one = await addStaff(database, { role: { scope_type: 'city', scope_ids: [1] } })
    const said = await send(app, home.claimNext, { queue: 'card' }, { token: one.token })
    expect(said.data, said.message).toMatchObject({ task_id: null, next_queue: null })
  })
  it('of an empty queue says which to open instead', async () => {
    const one = await addStaff(database, {
      perms: ['audit.card.claimNext', 'audit.bulks.claimNext'],
    })
    await database.db
      .update(audit_task)
      .set({ state: 'withdrawn', decided_at: unixNow() })
      .where(eq(audit_task.queue, 'card'))
    const { data } = await send(app, home.claimNext, { queue: 'card' }, { token: one.token })
    expect(data).toMatchObject({
      task_id: null,
      target: null,
      next_queue: { title: '团购审核', target: '/manage/audit/bulks?state=open' },
    })
    expect(data.next_queue.count).toBeGreaterThan(0)
  })
  it('of a queue that one may not work in there is none, and nothing is told of it', async () => {
    const one = await addStaff(database, { perms: ['audit.card.claimNext'] })
    const none = await addStaff(database, { perms: ['audit.bulks.view'] })
    const next = async (input: object, { token }: typeof one) =>
      (await send(app, home.claimNext, input, { token })).data as object
    await database.db
      .update(audit_task)
      .set({ state: 'withdrawn', decided_at: unixNow() })
      .where(eq(audit_task.queue, 'card'))
    const nothing = { task_id: null, target: null, next_queue: null }
    expect(await next({ queue: 'product' }, one)).toEqual({ ...nothing, queue: 'product' })
    for (const input of [{}, { queue: 'product' }])
      expect(await next(input, none)).toMatchObject(nothing)
  })
})

it('settings are kept, each by itself', async () => {
  const one = await addStaff(database)
  expect(
    (
      await send(
        app,
        home.saveSettings,
        { pinned_paths: ['/manage/audit/bulks'] },
        { token: one.token },
      )
    ).data,
  ).toEqual({ pinned_paths: ['/manage/audit/bulks'], card_order: [] })
  expect(
    (await send(app, home.saveSettings, { card_order: ['audit_card'] }, { token: one.token })).data,
  ).toEqual({ pinned_paths: ['/manage/audit/bulks'], card_order: ['audit_card'] })
  expect((await send(app, home.saveSettings, {}, { token: one.token })).data.card_order).toEqual([
    'audit_card',
  ])
})
