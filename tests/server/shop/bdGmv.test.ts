import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { bd_month } from '#src/areas/bdGmv/bdGmv.table.ts'
import { lastPeriods, NOBODY, periodNamed } from '#src/areas/bdGmv/bdGmv.ts'
import { bd_assignment, bd_target } from '#src/areas/merchant/bd.table.ts'
import { BD_RIGHT } from '#src/areas/merchant/bd.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { bdGmv as calls, type GmvRow } from '#src/modules/shop/contract/bdGmv.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let token: string
let item: Awaited<ReturnType<typeof freshProduct>>['item']
const now = unixNow()
const [, last, before] = lastPeriods('month', now) as [string, string, string]
/** A moment within a month, so many days after it began. */
const within = (name: string, days: number) => periodNamed(name)!.from + days * DAY
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
  item = (await database.transaction(tx => freshProduct(tx, 'elist'))).item
  await database.db.update(product).set({ stock: 100_000 }).where(eq(product.id, item.id))
})
const call = (what: Parameters<typeof send>[1], input: object = {}, as = token) =>
  send(app, what, input, { token: as })
const report = async (input: object, as = token) => {
  const said = await call(calls.lst, { pageSize: 200, ...input }, as)
  expect(said.status, said.message).toBe(200)
  return said.data as {
    list: GmvRow[]
    headline: GmvRow
    headline_before_cents: number | null
    locked: object | null
  }
}
const rowOf = async (id: number, period: string, more: object = {}) =>
  (await report({ period, ...more })).list.find(row => row.id === id)
let made = 0
const addBd = (more: object = {}) =>
  addStaff(database, { perms: [BD_RIGHT, 'shop.bd.gmv.*'], ...more })
const addStore = async (created_at: number): Promise<number> => {
  const [like] = await database.db.select().from(store).where(eq(store.status, 'open')).limit(1)
  const { id: _, ...same } = like!
  const [row] = await database.db
    .insert(store)
    .values({
      ...same,
      kind: 'offline',
      store_no: `GMQ${++made}`,
      name: `业绩测试门店${made}`,
      created_at,
    })
    .returning({ id: store.id })
  return row!.id
}
const give = (store_id: number, admin_id: number, start_at: number, end_at: number | null = null) =>
  database.db.insert(bd_assignment).values({ store_id, admin_id, start_at, end_at })
/** An order of a store that was paid at a moment; answers what was paid. */
const sell = async (store_id: number, at: number): Promise<{ id: number; cents: number }> => {
  const made_ = await database.transaction(async tx => {
    const placed = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      qty: 1,
      member_id: 1,
      now: at - 60,
      freight_cents: 0,
      receiver: { name: '王小明', phone: '13912345678', area: '上海市', address: '文汇路1号' },
    })
    await payOrder(tx, placed.id, at)
    return placed
  })
  const [row] = await database.db
    .update(order)
    .set({ store_id })
    .where(eq(order.id, made_.id))
    .returning()
  return { id: row!.id, cents: row!.paid_cents }
}
const giveBack = async (order_id: number, amount_cents: number, at: number) => {
  const [of] = await database.db.select().from(order).where(eq(order.id, order_id))
  await database.db.insert(refund).values({
    refund_no: `GMVQ${++made}`,
    order_id,
    order_kind: of!.kind,
    city_id: of!.city_id,
    mall_id: of!.mall_id,
    merchant_id: of!.merchant_id,
    type: 'refund_only',
    source: 'staff',
    cause: 'apply',
    reason: '测试',
    amount_cents,
    cap_cents: amount_cents,
    state: 'done',
    deadline_at: at,
    done_at: at,
  })
}
const money = (row: GmvRow | undefined) =>
  row && [row.paid_cents, row.refunded_cents, row.net_cents, row.adjust_cents]

describe('a result', () => {
  it('belongs to whoever had the store when it was paid, and a refund to the month it went back in', async () => {
    const [one, two] = [await addBd(), await addBd()]
    const id = await addStore(within(before, 0))
    await give(id, one.id, within(before, 0), within(last, 10))
    await give(id, two.id, within(last, 10))
    const first = await sell(id, within(before, 5))
    const second = await sell(id, within(last, 10))
    await giveBack(first.id, 100, within(last, 15))
    expect(money(await rowOf(one.id, before))).toEqual([first.cents, 0, first.cents, 0])
    expect(money(await rowOf(one.id, last))).toEqual([0, 100, -100, 0])
    expect(money(await rowOf(two.id, last))).toEqual([second.cents, 0, second.cents, 0])
    expect((await rowOf(one.id, before))!.opened).toBe(1)
    const { data } = await call(calls.drill, { period: last, id: two.id })
    expect(data.list).toEqual([
      expect.objectContaining({ id, orders: 1, paid_cents: second.cents }),
    ])
    const orders = await call(calls.orders, { period: last, id: two.id, store_id: id })
    expect(orders.data.list.map((row: { id: number }) => row.id)).toEqual([second.id])
  })
  // What the house itself sells, such as memberships, is of no store and nobody's result.
  it('of all people and of nobody is that of all stores, in any month', async () => {
    const orphan = await addStore(within(last, 0))
    await sell(orphan, within(last, 3))
    for (const period of [last, before]) {
      const { list, headline } = await report({ period })
      const { from, until } = periodNamed(period)!
      const { rows } = await database.db.execute<{ paid: string; refunded: string }>(
        sql`select (select coalesce(sum(paid_cents), 0) from "order" where store_id > 0 and paid_at >= ${from} and paid_at < ${until}) paid, (select coalesce(sum(r.amount_cents), 0) from refund r join "order" o on o.id = r.order_id where r.state = 'done' and r.done_at >= ${from} and r.done_at < ${until} and o.paid_at is not null and o.store_id > 0) refunded`,
      )
      const sum = (key: 'paid_cents' | 'refunded_cents') =>
        list.reduce((all, row) => all + row[key]!, 0)
      expect([sum('paid_cents'), sum('refunded_cents')]).toEqual([
        Number(rows[0]!.paid),
        Number(rows[0]!.refunded),
      ])
      expect([headline.paid_cents, headline.refunded_cents]).toEqual([
        Number(rows[0]!.paid),
        Number(rows[0]!.refunded),
      ])
    }
    expect((await report({ period: last })).list.at(-1)!.id).toBe(NOBODY)
  })
  it('stands beside another month, with the places of both and the target of its own', async () => {
    const one = await addBd()
    const id = await addStore(within(before, 0))
    await give(id, one.id, within(before, 0))
    const first = await sell(id, within(before, 5))
    await database.db.insert(bd_target).values({
      admin_id: one.id,
      month: Number(last),
      gmv_target_cents: 1_000_00,
      new_store_target: 1,
    })
    const row = await rowOf(one.id, last, { versus: before })
    expect(row).toMatchObject({ net_before_cents: first.cents, target_cents: 1_000_00 })
    expect(row!.place_before).toBeGreaterThan(0)
    expect(row!.reached_bp).toBe(0)
  })
  it('is asked for within twelve months', async () => {
    const said = await call(calls.lst, { period: '201901' })
    expect(Object.keys(said.data.fields)).toEqual(['period'])
  })
})

describe('a month', () => {
  it('that is locked stays as it was; refunds that follow adjust their own month', async () => {
    const one = await addBd()
    const id = await addStore(within(before, 0))
    await give(id, one.id, within(before, 0))
    const sold = await sell(id, within(before, 5))
    const month = Number(before)
    const locked = await call(calls.lockMonth, { month })
    expect(locked.status, locked.message).toBe(200)
    await sell(id, within(before, 6))
    await giveBack(sold.id, 50, within(last, 1))
    expect(money(await rowOf(one.id, before))).toEqual([sold.cents, 0, sold.cents, 0])
    expect(money(await rowOf(one.id, last))).toEqual([0, 50, -50, 50])
    expect((await report({ period: before })).locked).not.toBeNull()
    expect((await call(calls.lockMonth, { month })).status).toBe(409)
    const open = await call(calls.unlockMonth, { month, reason: '补录订单' })
    expect(open.status, open.message).toBe(200)
    expect((await call(calls.unlockMonth, { month, reason: '再次解除' })).data.rule).toBe(
      'not_locked',
    )
    expect((await rowOf(one.id, before))!.paid_cents).toBe(sold.cents * 2)
    expect((await rowOf(one.id, last))!.adjust_cents).toBe(0)
  })
  it('is locked by one of two at once, and only when it is over', async () => {
    const said = await Promise.all([1, 2].map(() => call(calls.lockMonth, { month: Number(last) })))
    expect(said.map(one => one.status).sort()).toEqual([200, 409])
    await database.db.delete(bd_month).where(eq(bd_month.month, Number(last)))
    const present = await call(calls.lockMonth, { month: Number(lastPeriods('month', now)[0]) })
    expect(Object.keys(present.data.fields)).toEqual(['month'])
  })
})

describe('whoever reads it', () => {
  it('sees their own result, and nobody else’s', async () => {
    const scope = { scope_type: 'city', scope_ids: [1] }
    const one = await addBd({ role: scope })
    const other = await addBd()
    const id = await addStore(within(last, 0))
    await database.db.update(store).set({ city_id: 1, mall_id: 0 }).where(eq(store.id, id))
    await give(id, one.id, within(last, 0), within(last, 5))
    await give(id, other.id, within(last, 5))
    const mine = await sell(id, within(last, 2))
    await sell(id, within(last, 6))
    const { list, headline } = await report({ period: last }, one.token)
    const own = list.find(row => row.id === one.id)
    expect(own!.paid_cents).toBe(mine.cents)
    expect(list.some(row => row.id === other.id || row.id === NOBODY)).toBe(false)
    expect(headline.paid_cents).toBe(list.reduce((sum, row) => sum + row.paid_cents!, 0))
    expect((await call(calls.drill, { period: last, id: other.id }, one.token)).status).toBe(404)
    expect((await call(calls.lockMonth, { month: Number(last) }, one.token)).data.rule).toBe(
      'needs_all',
    )
  })
})
