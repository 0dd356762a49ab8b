import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { orderStatuses, PICKUP_WARN_DAYS, type Receiver } from '#src/areas/order/order.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { holdOrder } from '#src/areas/order/orderFacts.server.ts'
import { changeStore } from '#src/areas/order/storeGoods.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_message } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, product_store, store_stock } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { approveRefund, rejectRefund } from '#src/areas/refund/refundCases.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unjoined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { goods as calls, goodsDetail as detail } from '#src/modules/order/contract/goods.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, seesNumbers, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { freshProduct } from '../../help/trade.ts'
import { wordless } from '../../help/words.ts'

const [HOUR, DAY] = [3600, 86_400]
const PIN = { lng_e6: 121_473_700, lat_e6: 31_230_400 }
/** About 1.1 km to the north for each hundredth of a degree. */
const north = (hundredths: number) => ({
  lng_e6: PIN.lng_e6,
  lat_e6: PIN.lat_e6 + hundredths * 10_000,
})
const near: Receiver = {
  name: '李静',
  phone: '13800001111',
  area: '上海市静安区',
  address: '南京西路 1 号',
  ...north(1),
}
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let items: (typeof product.$inferSelect)[]
let [here, there, bare]: number[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  const now = unixNow()
  // Two goods of one merchant with three stores: one has them, one has some, one does not count
  // them.
  items = await database.transaction(async tx => {
    const [a, b] = [await freshProduct(tx, 'goods'), await freshProduct(tx, 'goods')]
    const like = (await tx.select().from(store).where(eq(store.id, a.item.store_ids[0]!)))[0]!
    const { id: _, store_no: __, ...kept } = like
    const stores = await tx
      .insert(store)
      .values(
        [1, 2, 3].map(n => ({
          ...kept,
          store_no: `TQ${n}`,
          name: `测试门店${n}`,
          status: 'open' as const,
          merchant_id: a.item.merchant_id,
          ...PIN,
          delivery_radius_m: 3000,
        })),
      )
      .returning()
    ;[here, there, bare] = stores.map(one => one.id)
    const made = []
    for (const { item } of [a, b]) {
      made.push(
        (
          await tx
            .update(product)
            .set({
              stock: 10_000,
              price_cents: 33_33,
              merchant_id: a.item.merchant_id,
              store_ids: stores.map(one => one.id),
              sale_start_at: now - 90 * DAY,
              sale_end_at: now + 90 * DAY,
              check_end_at: now + DAY,
            })
            .where(eq(product.id, item.id))
            .returning()
        )[0]!,
      )
      await tx
        .insert(product_store)
        .values(stores.map(one => ({ product_id: item.id, store_id: one.id })))
      await tx.insert(store_stock).values([
        { product_id: item.id, store_id: here!, stock: 500 },
        { product_id: item.id, store_id: there!, stock: 4 },
      ])
    }
    return made
  })
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let buyer = 60
type More = {
  qty?: number
  way?: 'pickup' | 'delivery'
  ago?: number
  receiver?: Receiver
  two?: boolean
  freight_cents?: number
  pay?: boolean
}
const bought = async ({
  qty = 1,
  way = 'pickup',
  ago = 60,
  receiver = near,
  two = false,
  freight_cents,
  pay = true,
}: More = {}) => {
  const now = unixNow() - ago
  const made = await database.transaction(async tx => {
    const one = await placeOrder(tx, {
      proved: true,
      lines: (two ? items : items.slice(0, 1)).map(item => ({ product_id: item.id, qty })),
      member_id: ++buyer,
      store_id: here!,
      way,
      now,
      ...(way === 'delivery' && { receiver }),
      ...(freight_cents && { freight_cents }),
    })
    if (pay) await payOrder(tx, one.id, now)
    return one
  })
  return at(made.id)
}
const at = async (id: number) => {
  const [row] = await database.db.select().from(order).where(eq(order.id, id))
  const codes = await database.db
    .select()
    .from(order_code)
    .where(eq(order_code.order_id, id))
    .orderBy(order_code.id)
  return {
    row: row!,
    one: { id, version: row!.version },
    codes,
    code: codes[0]!,
    items: await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.order_id, id))
      .orderBy(order_item.id),
  }
}
const ready = async (id: number) => {
  expect((await call(calls.confirmReady, (await at(id)).one)).status).toBe(200)
  return at(id)
}
const stockOf = async (store_id: number, product_id = items[0]!.id) =>
  (
    await database.db
      .select()
      .from(store_stock)
      .where(and(eq(store_stock.store_id, store_id), eq(store_stock.product_id, product_id)))
  )[0]!
const caseOf = async (id: number) =>
  (
    await database.db.select().from(refund).where(eq(refund.order_id, id)).orderBy(desc(refund.id))
  )[0]!
const told = async (id: number, kind: 'pickup' | 'remind' | 'code' | 'notice') =>
  database.db
    .select()
    .from(order_message)
    .where(and(eq(order_message.order_id, id), eq(order_message.kind, kind)))
const wide = (digits: string) =>
  digits.replace(/\d/g, digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))

describe('the list of store goods', () => {
  it('has stages that add up to its total, for every filter, each the list’s own', async () => {
    await bought({ ago: 4 * DAY })
    for (const filters of [
      {},
      { quick: 'not_picked_up' },
      { quick: 'late' },
      { city_id: 1 },
      { q: '测试门店1' },
    ]) {
      const { all, ...each } = (await call(calls.counts, filters)).data as Record<string, number>
      const { total } = (await call(calls.lst, { ...filters, pageSize: 1 })).data as {
        total: number
      }
      expect([filters, all, Object.values(each).reduce((a, b) => a + b, 0)]).toEqual([
        filters,
        total,
        total,
      ])
      for (const [stage, n] of Object.entries(each))
        expect([
          stage,
          ((await call(calls.lst, { ...filters, stage, pageSize: 1 })).data as { total: number })
            .total,
        ]).toEqual([stage, n])
    }
  })
  it('is late for what was promised before now, and warns of what nobody picked up for three days', async () => {
    const { row } = await ready(
      (await bought({ ago: 4 * DAY + (PICKUP_WARN_DAYS - 1) * DAY })).row.id,
    )
    const found = async (filters: object) =>
      ((await call(calls.lst, { q: row.order_no, ...filters })).data as { total: number }).total
    expect([
      await found({ stage: 'overdue' }),
      await found({ stage: 'to_pick_up' }),
      await found({ quick: 'not_picked_up' }),
    ]).toEqual([1, 0, 1])
    await call(calls.changeTime, {
      ...(await at(row.id)).one,
      time: unixNow() + DAY,
      reason: '顾客出差',
    })
    expect([
      await found({ stage: 'overdue' }),
      await found({ stage: 'to_pick_up' }),
      await found({ quick: 'not_picked_up' }),
    ]).toEqual([0, 1, 0])
  })
  it('finds a phone in full or by its last four, and a code as pasted; spans 186 days at most', async () => {
    const { row, code } = await bought({ way: 'pickup' })
    const [who] = (
      await database.db.execute<{ phone: string }>(
        sql`select phone from member where id = ${row.member_id}`,
      )
    ).rows
    const seeing = await addStaff(database, { perms: ['*'], role: { field_rules: seesNumbers } })
    for (const q of [who!.phone, who!.phone.slice(-4), code.code, wide(code.code)])
      expect(
        ((await call(calls.lst, { q }, seeing.token)).data as { list: { id: number }[] }).list.map(
          one => one.id,
        ),
      ).toContain(row.id)
    expect((await call(calls.lst, { from: unixNow() - 187 * DAY })).data.fields).toHaveProperty(
      'from',
    )
  })
  it('holds nothing outside a person’s scope: such an order is not found, whatever is done to it', async () => {
    const { row, one, code } = await bought()
    const other = await addStaff(database, {
      perms: ['order.*'],
      role: { scope_type: 'city', scope_ids: [row.city_id === 1 ? 2 : 1] },
    })
    expect((await call(detail.progress, { id: row.id }, other.token)).status).toBe(404)
    for (const [what, input] of [
      [calls.confirmReady, one],
      [calls.confirmPickup, { ...one, code: code.code }],
      [calls.remind, { id: row.id }],
      [detail.printSlip, { id: row.id }],
      [calls.otherStores, { order_id: row.id }],
    ] as const)
      expect((await call(what, input, other.token)).status).toBe(404)
  })
})

describe('a pick-up', () => {
  it('needs goods that are ready and the right code, which a scanner may write in its own way', async () => {
    const { row, one, code } = await bought({ qty: 3 })
    expect((await call(calls.confirmPickup, { ...one, code: code.code })).data.rule).toBe(
      'not_ready',
    )
    const now = await ready(row.id)
    expect([now.code.state, (await told(row.id, 'code'))[0]!.text]).toEqual([
      'unused',
      expect.stringContaining(code.code),
    ])
    const other = (await ready((await bought()).row.id)).code.code
    for (const wrong of [other, '123456789012', '提货'])
      expect((await call(calls.confirmPickup, { ...now.one, code: wrong })).data.rule).toBe(
        'wrong_code',
      )
    const typed = ` ${wide(code.code.slice(0, 4))}　${code.code.slice(4, 8)}-${code.code.slice(8)}\u200b`
    expect((await call(calls.confirmPickup, { ...now.one, code: typed })).data.units).toBe(3)
    const after = await at(row.id)
    expect([after.row.status, after.code.state, after.items[0]!.used_qty]).toEqual([
      'finished',
      'used',
      3,
    ])
    expect((await call(calls.confirmPickup, { ...after.one, code: code.code })).data.rule).toBe(
      'not_confirmPickup',
    )
  })
  it('of two items is of each by its own code: the rest stays to be picked up', async () => {
    const now = await ready((await bought({ two: true })).row.id)
    expect(now.codes).toHaveLength(2)
    expect((await call(calls.confirmPickup, { ...now.one, code: now.codes[1]!.code })).status).toBe(
      200,
    )
    const part = await at(now.row.id)
    expect(part.row.status).toBe('part_used')
    expect(
      (await call(calls.confirmPickup, { ...part.one, code: now.codes[1]!.code })).data.rule,
    ).toBe('used')
    expect(
      (await call(calls.confirmPickup, { ...part.one, code: now.codes[0]!.code })).status,
    ).toBe(200)
  })
  it('waits while a refund is open on its item, and goes on when that is refused', async () => {
    const now = await ready((await bought({ qty: 2 })).row.id)
    expect((await call(calls.refund, { ...now.one, qty: 1, reason: '少要一件' })).data.state).toBe(
      'applied',
    )
    const open = await at(now.row.id)
    expect((await call(calls.confirmPickup, { ...open.one, code: now.code.code })).data.rule).toBe(
      'refunding',
    )
    const asked = await caseOf(now.row.id)
    await database.transaction(tx =>
      rejectRefund(tx, {
        id: asked.id,
        version: asked.version,
        by: { id: 0, limit_cents: 0 },
        actor: { type: 'merchant' },
        reason_code: 'other',
        reason: '已打包',
        now: unixNow(),
      }),
    )
    expect(
      (await call(calls.confirmPickup, { ...(await at(now.row.id)).one, code: now.code.code })).data
        .units,
    ).toBe(2)
  })
  it('late by three days is told once, by its configured days it is refunded once; a frozen one waits', async () => {
    const { row } = await ready((await bought({ ago: 60 })).row.id)
    const due = row.promise_at!
    await tickOrders(database, due + PICKUP_WARN_DAYS * DAY - 60)
    expect(await told(row.id, 'pickup')).toHaveLength(0)
    for (let n = 0; n < 2; n++) await tickOrders(database, due + PICKUP_WARN_DAYS * DAY + n)
    expect(await told(row.id, 'pickup')).toHaveLength(1)
    await call(calls.freeze, { ...(await at(row.id)).one, reason: '核实' })
    await tickOrders(database, due + 7 * DAY + 1)
    expect(await caseOf(row.id)).toBeUndefined()
    await call(calls.unfreeze, { ...(await at(row.id)).one, reason: '无误' })
    for (let n = 0; n < 2; n++) await tickOrders(database, due + 7 * DAY + 2 + n)
    await finishPayouts(database, due + 8 * DAY)
    expect(await caseOf(row.id)).toMatchObject({
      cause: 'pickup_timeout',
      state: 'done',
      amount_cents: row.paid_cents,
    })
    const cases = await database.db.select().from(refund).where(eq(refund.order_id, row.id))
    expect([(await at(row.id)).row.status, cases.map(one => unjoined(one.reason))]).toEqual([
      'refunded',
      [['逾期未提货，自动退款', 'Not picked up in time: refunded by itself']],
    ])
  })
})

describe('a store delivery', () => {
  it('beyond the store’s radius, or to an address that is nowhere, is refused; so is a store that does not deliver', async () => {
    await expect(
      bought({ way: 'delivery', receiver: { ...near, ...north(4) } }),
    ).rejects.toMatchObject({ data: { rule: 'too_far' } })
    const { lng_e6: _, lat_e6: __, ...nowhere } = near
    await expect(bought({ way: 'delivery', receiver: nowhere })).rejects.toMatchObject({
      data: { rule: 'no_pin' },
    })
    await database.db.update(store).set({ delivery_radius_m: null }).where(eq(store.id, here!))
    await expect(bought({ way: 'delivery' })).rejects.toMatchObject({
      data: { rule: 'no_delivery' },
    })
    await database.db.update(store).set({ delivery_radius_m: 3000 }).where(eq(store.id, here!))
  })
  it('is made ready, sets out with a rider, arrives; each step only after the one before', async () => {
    const { row, one } = await bought({ way: 'delivery', qty: 2 })
    expect(row.status).toBe('pending_ship')
    expect(
      (await call(calls.dispatch, { ...one, rider: '王强', phone: '13800002222' })).data.rule,
    ).toBe('not_dispatch')
    expect((await call(detail.confirmDelivered, one)).data.rule).toBe('not_confirmDelivered')
    const now = await ready(row.id)
    expect((await call(calls.confirmReady, now.one)).data.rule).toBe('not_confirmReady')
    expect(
      (await call(calls.dispatch, { ...now.one, rider: '王强', phone: '1380000' })).data.fields,
    ).toHaveProperty('phone')
    expect(
      (await call(calls.dispatch, { ...now.one, rider: '王强', phone: '13800002222' })).data.status,
    ).toBe('shipped')
    const sent = await at(row.id)
    expect([sent.row.fulfil_state, sent.row.rider]).toEqual([
      'delivering',
      { name: '王强', phone: '13800002222' },
    ])
    expect((await call(detail.confirmDelivered, sent.one)).data.status).toBe('finished')
  })
  it('of which some is in refund sets out with the rest, and with what was kept after all', async () => {
    const {
      row,
      items: [item],
    } = await bought({ way: 'delivery', qty: 3 })
    const now = await ready(row.id)
    await call(detail.refund, { ...now.one, items: [{ id: item!.id, qty: 1 }], reason: '多买了' })
    expect(
      (
        await call(calls.dispatch, {
          ...(await at(row.id)).one,
          rider: '王强',
          phone: '13800002222',
        })
      ).status,
    ).toBe(200)
    expect((await at(row.id)).items[0]!.shipped_qty).toBe(2)
    const asked = await caseOf(row.id)
    await database.transaction(tx =>
      rejectRefund(tx, {
        id: asked.id,
        version: asked.version,
        by: { id: 0, limit_cents: 0 },
        actor: { type: 'merchant' },
        reason_code: 'other',
        reason: '已备好',
        now: unixNow(),
      }),
    )
    expect(
      (
        await call(calls.dispatch, {
          ...(await at(row.id)).one,
          rider: '李明',
          phone: '13800003333',
        })
      ).status,
    ).toBe(200)
    expect((await call(detail.confirmDelivered, (await at(row.id)).one)).data.status).toBe(
      'finished',
    )
  })
  it('counts as delivered after the days of its rules when nobody says so', async () => {
    const now = await ready((await bought({ way: 'delivery' })).row.id)
    await call(calls.dispatch, { ...now.one, rider: '王强', phone: '13800002222' })
    const { row } = await at(now.row.id)
    await tickOrders(database, row.receive_by! - 60)
    expect((await at(row.id)).row.status).toBe('shipped')
    await tickOrders(database, row.receive_by! + 1)
    expect((await at(row.id)).row.status).toBe('finished')
  })
  it('takes another receiver until it sets out, within reach; the log says which of it changed and never what', async () => {
    const { row, one } = await bought({ way: 'delivery' })
    expect(
      (
        await call(detail.editReceiver, {
          ...one,
          address: '虹桥路 9 号',
          ...north(9),
          reason: '搬家',
        })
      ).data.rule,
    ).toBe('too_far')
    expect(
      (await call(detail.editReceiver, { ...one, address: '虹桥路 9 号', reason: '搬家' })).data
        .rule,
    ).toBe('no_pin')
    expect((await call(detail.editReceiver, { ...one, reason: '没改' })).status).toBe(400)
    expect(
      (
        await call(detail.editReceiver, {
          ...one,
          name: '赵云',
          address: '虹桥路 2 号',
          ...north(2),
          reason: '改地址',
        })
      ).status,
    ).toBe(200)
    const after = await at(row.id)
    expect(after.row.receiver).toEqual({
      ...near,
      name: '赵云',
      address: '虹桥路 2 号',
      ...north(2),
    })
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'order'), eq(op_log.object_id, row.id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect(JSON.stringify([line!.before, line!.after])).not.toContain('虹桥')
    const now = await ready(row.id)
    await call(calls.dispatch, { ...now.one, rider: '王强', phone: '13800002222' })
    expect(
      (
        await call(detail.editReceiver, {
          ...(await at(row.id)).one,
          name: '赵云云',
          reason: '太晚',
        })
      ).data.rule,
    ).toBe('not_editReceiver')
    expect(
      (await call(detail.editReceiver, { ...(await bought()).one, name: '赵云云', reason: '自提' }))
        .data.rule,
    ).toBe('no_receiver')
  })
})

describe('a refund', () => {
  const ask = (order_id: number, now = unixNow()) =>
    database.transaction(tx =>
      openRefund(tx, {
        order_id,
        wanted: 'all',
        source: 'member',
        reason: '不要了',
        actor: { type: 'member' },
        now,
      }),
    )
  it('before the goods are ready is paid at once, by units of an item, to the cent and with its stock', async () => {
    const {
      row,
      items: [item],
    } = await bought({ qty: 3 })
    const before = await stockOf(here!)
    const first = await call(detail.refund, {
      id: row.id,
      version: row.version,
      items: [{ id: item!.id, qty: 2 }],
      reason: '少要两件',
    })
    expect([first.data.state, first.data.amount_cents]).toEqual(['paying', 66_66])
    expect(
      (
        await call(detail.refund, {
          ...(await at(row.id)).one,
          items: [{ id: item!.id, qty: 2 }],
          reason: '超过',
        })
      ).data.rule,
    ).toBe('too_many')
    await finishPayouts(database, unixNow() + 60)
    expect(
      (
        await call(detail.refund, {
          ...(await at(row.id)).one,
          items: [{ id: item!.id, qty: 2 }],
          reason: '超过',
        })
      ).data.rule,
    ).toBe('too_many')
    expect((await stockOf(here!)).stock).toBe(before.stock + 2)
    expect((await ask(row.id)).state).toBe('paying')
    await finishPayouts(database, unixNow() + 60)
    expect((await at(row.id)).row).toMatchObject({
      status: 'refunded',
      refunded_cents: row.paid_cents,
    })
  })
  it('of goods that are ready is the store’s to answer for a day, then the platform’s; never agreed to by the clock', async () => {
    const now = await ready((await bought()).row.id)
    const opened = unixNow()
    const asked = await ask(now.row.id, opened)
    expect([asked.state, asked.deadline_at]).toEqual(['applied', opened + 24 * HOUR])
    expect(
      (
        await call(detail.decideRefund, {
          ...(await at(now.row.id)).one,
          agree: true,
          reason: '心急',
        })
      ).data.rule,
    ).toBe('store_answers')
    await tickOrders(database, opened + 24 * HOUR + 1)
    expect(await caseOf(now.row.id)).toMatchObject({ state: 'applied', intervened: true })
    expect((await call(detail.progress, { id: now.row.id })).data.open_refund).toMatchObject({
      intervened: true,
      state: 'applied',
    })
    expect(
      (
        await call(detail.decideRefund, {
          ...(await at(now.row.id)).one,
          agree: true,
          reason: '门店未答复',
        })
      ).data.state,
    ).toBe('paying')
    const other = await ready((await bought()).row.id)
    const second = await ask(other.row.id)
    expect(
      (
        await database.transaction(tx =>
          approveRefund(tx, {
            id: second.id,
            version: second.version,
            by: { id: 0, limit_cents: Number.MAX_SAFE_INTEGER },
            actor: { type: 'merchant' },
            now: unixNow(),
          }),
        )
      ).state,
    ).toBe('paying')
  })
  it('gives the freight back only when nothing was delivered', async () => {
    const whole = await bought({ way: 'delivery', freight_cents: 5_00 })
    expect((await call(detail.refund, { ...whole.one, reason: '不要了' })).data.amount_cents).toBe(
      38_33,
    )
    const part = await ready(
      (await bought({ way: 'delivery', qty: 2, freight_cents: 5_00 })).row.id,
    )
    await call(detail.refund, {
      ...part.one,
      items: [{ id: part.items[0]!.id, qty: 1 }],
      reason: '少要一件',
    })
    await call(calls.dispatch, {
      ...(await at(part.row.id)).one,
      rider: '王强',
      phone: '13800002222',
    })
    await call(detail.confirmDelivered, (await at(part.row.id)).one)
    expect((await caseOf(part.row.id)).amount_cents).toBe(33_33)
    expect(
      (
        await database.transaction(tx =>
          openRefund(tx, {
            order_id: part.row.id,
            wanted: 'all',
            source: 'staff',
            cause: 'compensate',
            reason: '破损',
            actor: { type: 'staff', id: me.id },
            now: unixNow(),
          }),
        )
      ).freight_cents,
    ).toBe(0)
  })
  it('of several items from the list is of those that were chosen, and by number of one of them; above one’s limit another person decides', async () => {
    const { one } = await bought({ two: true })
    expect((await call(calls.refund, { ...one, qty: 1, reason: '哪一件' })).data.rule).toBe(
      'which_item',
    )
    const two = await bought({ two: true, qty: 2 })
    expect((await call(calls.lots, { order_id: two.row.id })).data.list).toEqual(
      two.items.map(item =>
        expect.objectContaining({ id: item.id, left: 2, left_cents: item.pay_cents }),
      ),
    )
    expect(
      (
        await call(calls.refund, {
          ...two.one,
          items: [{ id: two.items[1]!.id }],
          qty: 1,
          reason: '少要一件',
        })
      ).data.amount_cents,
    ).toBe(33_33)
    expect(
      (
        await call(calls.refund, {
          ...(await at(two.row.id)).one,
          items: [{ id: two.items[0]!.id }],
          reason: '不要这种',
        })
      ).data.amount_cents,
    ).toBe(66_66)
    const small = await addStaff(database, {
      perms: ['order.goods.*'],
      role: { refund_limit_cents: 1 },
    })
    expect((await call(calls.refund, { ...one, reason: '超额度' }, small.token)).data.state).toBe(
      'second_audit',
    )
    const now = (await at(one.id)).one
    expect(
      (await call(detail.decideRefund, { ...now, agree: true, reason: '自己' }, small.token))
        .status,
    ).toBe(422)
    expect(
      (await call(detail.decideRefund, { ...now, agree: true, reason: '复核' })).data.state,
    ).toBe('paying')
  })
})

describe('another store', () => {
  it('takes an order over only with its stock, which moves along; old codes are void and new ones come when it is ready there', async () => {
    const now = await ready((await bought({ qty: 2 })).row.id)
    const [from, to] = [await stockOf(here!), await stockOf(there!)]
    const moved = await call(calls.changeStore, { ...now.one, store_id: there, reason: '就近提货' })
    expect(moved.status).toBe(200)
    const [left, got] = [await stockOf(here!), await stockOf(there!)]
    expect([left.stock - from.stock, got.stock - to.stock]).toEqual([2, -2])
    const after = await at(now.row.id)
    const [live, old] = [
      after.codes.find(code => code.state !== 'void')!,
      after.codes.find(code => code.state === 'void')!,
    ]
    expect([
      after.row.store_id,
      after.row.ready_at,
      after.items[0]!.store_id,
      live.state,
      old.code,
    ]).toEqual([there, null, there, 'locked', now.code.code])
    expect(live.code).not.toBe(now.code.code)
    const again = await ready(now.row.id)
    expect((await call(calls.confirmPickup, { ...again.one, code: old.code })).data.rule).toBe(
      'void',
    )
    expect((await call(calls.confirmPickup, { ...again.one, code: live.code })).status).toBe(200)
  })
  it('is refused without enough, when it does not count its own, sells it not, is closed, another merchant’s, too far, or has the order already', async () => {
    const { row } = await bought({ qty: 3 })
    const go = async (store_id: number) =>
      (await call(calls.changeStore, { ...(await at(row.id)).one, store_id, reason: '改派' })).data
        .rule
    expect(await go(there!)).toBe('no_store_stock')
    expect(await go(bare!)).toBe('no_store_stock')
    expect(await go(here!)).toBe('same_store')
    const [stranger] = await database.db
      .select()
      .from(store)
      .where(and(sql`${store.merchant_id} <> ${row.merchant_id}`, eq(store.status, 'open')))
      .limit(1)
    expect(await go(stranger!.id)).toBe('other_merchant')
    await database.db
      .update(product_store)
      .set({ status: 'off' })
      .where(and(eq(product_store.store_id, there!), eq(product_store.product_id, items[0]!.id)))
    expect(await go(there!)).toBe('not_sold_there')
    await database.db
      .update(product_store)
      .set({ status: 'on' })
      .where(eq(product_store.store_id, there!))
    await database.db.update(store).set({ status: 'resting' }).where(eq(store.id, there!))
    expect(await go(there!)).toBe('store_closed')
    await database.db
      .update(store)
      .set({ status: 'open', ...north(9) })
      .where(eq(store.id, there!))
    const far = await bought({ way: 'delivery' })
    expect(
      (await call(calls.changeStore, { ...far.one, store_id: there, reason: '改派' })).data.rule,
    ).toBe('too_far')
    await database.db.update(store).set(PIN).where(eq(store.id, there!))
    expect((await stockOf(there!)).stock).toBeGreaterThanOrEqual(0)
  })
  it('is offered with what it has free, and not while a refund is open or a rider is on the way', async () => {
    const { row } = await bought()
    const offered = (await call(calls.otherStores, { order_id: row.id })).data as {
      list: { id: number; free: number }[]
    }
    const { stock, held } = await stockOf(there!)
    expect(offered.list.map(one => [one.id, one.free])).toEqual([[there, stock - held]])
    await call(calls.confirmReady, (await at(row.id)).one)
    await call(calls.refund, { ...(await at(row.id)).one, reason: '不要了' })
    expect(
      (
        await call(calls.changeStore, {
          ...(await at(row.id)).one,
          store_id: there,
          reason: '改派',
        })
      ).data.rule,
    ).toBe('refunding')
    const gone = await ready((await bought({ way: 'delivery' })).row.id)
    await call(calls.dispatch, { ...gone.one, rider: '王强', phone: '13800002222' })
    expect(
      (
        await call(calls.changeStore, {
          ...(await at(gone.row.id)).one,
          store_id: there,
          reason: '改派',
        })
      ).data.rule,
    ).toBe('not_changeStore')
  })
  it('sells no more than it has, and what was held goes free with the order', async () => {
    const free = async () => {
      const { stock, held } = await stockOf(here!)
      return stock - held
    }
    const before = await free()
    const unpaid = await bought({ qty: 2, pay: false })
    expect(await free()).toBe(before - 2)
    await expect(bought({ qty: before, pay: false })).rejects.toMatchObject({
      data: { rule: 'no_store_stock' },
    })
    expect((await call(calls.cancel, { ...unpaid.one, reason: '拍错了' })).data.status).toBe(
      'cancelled',
    )
    expect(await free()).toBe(before)
    expect((await call(calls.cancel, { ...(await bought()).one, reason: '已付' })).data.rule).toBe(
      'not_unpaid',
    )
  })
})

describe('a store', () => {
  it('is urged once an hour at most, alone or among many, and only for what it still has to do', async () => {
    const [a, b] = [await bought(), await bought({ way: 'delivery' })]
    expect((await call(calls.remind, { id: a.row.id })).status).toBe(200)
    expect((await call(calls.remind, { id: a.row.id })).status).toBe(409)
    const done = (await call(calls.batchRemind, { ids: [a.row.id, b.row.id] })).data as {
      ok: number[]
      failed: { id: number }[]
    }
    expect([done.ok, done.failed.map(one => one.id)]).toEqual([[b.row.id], [a.row.id]])
    const [to] = await database.db
      .select({ phone: store.phone })
      .from(store)
      .where(eq(store.id, here!))
    expect((await told(a.row.id, 'remind')).map(one => one.phone)).toEqual([to!.phone])
    await database.db
      .update(order)
      .set({ reminded_at: unixNow() - HOUR - 1 })
      .where(eq(order.id, a.row.id))
    expect((await call(calls.remind, { id: a.row.id })).status).toBe(200)
    expect((await call(calls.remind, { id: (await ready(a.row.id)).row.id })).data.rule).toBe(
      'not_remind',
    )
  })
  it('prints a slip of what was paid, without what is given back, and the log counts it', async () => {
    const {
      row,
      one,
      items: [item],
    } = await bought({ qty: 3 })
    await call(detail.refund, { ...one, items: [{ id: item!.id, qty: 1 }], reason: '少一件' })
    const masked = await addStaff(database, {
      perms: ['order.*'],
      role: { field_rules: { 'member.phone': 'mask' } },
    })
    const slip = (await call(detail.printSlip, { id: row.id }, masked.token)).data as {
      items: { qty: number }[]
      phone: string
      printed: number
    }
    expect([slip.items.map(line => line.qty), slip.printed]).toEqual([[2], 1])
    expect(slip.phone).toContain('*')
    expect((await call(detail.printSlip, { id: row.id })).data.printed).toBe(2)
    expect(
      (await call(detail.printSlip, { id: (await bought({ pay: false })).row.id })).data.rule,
    ).toBe('not_paid')
  })
})

describe('an order of store goods', () => {
  it('read before it changed is told what it is now; a frozen one is left alone', async () => {
    const { row, one } = await bought()
    await ready(row.id)
    const stale = await call(calls.changeTime, { ...one, time: unixNow() + DAY, reason: '旧屏幕' })
    expect([stale.status, stale.data.current.ready_at]).toEqual([409, expect.any(Number)])
    await call(calls.freeze, { ...(await at(row.id)).one, reason: '核实' })
    const now = await at(row.id)
    for (const [what, input] of [
      [calls.confirmPickup, { code: now.code.code }],
      [calls.changeStore, { store_id: there, reason: '改派' }],
      [calls.changeTime, { time: unixNow() + DAY, reason: '改期' }],
      [calls.refund, { reason: '不要了' }],
    ] as const)
      expect((await call(what, { ...now.one, ...input })).data.rule).toBe('frozen')
    expect((await call(calls.unfreeze, { ...now.one, reason: '无误' })).data.status).toBe(
      'pending_use',
    )
  })
  it('takes a time within thirty days only, and its code lives as long', async () => {
    const { row, one } = await bought()
    for (const time of [unixNow() - 60, unixNow() + 31 * DAY])
      expect((await call(calls.changeTime, { ...one, time, reason: '改期' })).data.rule).toBe(
        'bad_time',
      )
    const time = unixNow() + 29 * DAY
    expect((await call(calls.changeTime, { ...one, time, reason: '改期' })).status).toBe(200)
    expect((await at(row.id)).code.valid_until).toBe(time + 7 * DAY)
  })
  it('that got another time is told again once it is late for that', async () => {
    const { row } = await ready((await bought()).row.id)
    await tickOrders(database, row.promise_at! + PICKUP_WARN_DAYS * DAY)
    const time = unixNow() + 20 * DAY
    await call(calls.changeTime, { ...(await at(row.id)).one, time, reason: '顾客出差' })
    for (const late of [1, 3, 3]) await tickOrders(database, time + late * DAY)
    expect((await told(row.id, 'pickup')).map(one => one.created_at)).toEqual([
      row.promise_at! + PICKUP_WARN_DAYS * DAY,
      time + 3 * DAY,
    ])
  })
  it('keeps every invariant after all this, and each status is one there is', async () => {
    const any = await bought({ qty: 2 })
    expect(
      await database.transaction(tx =>
        redeem(tx, { code_id: any.code.id, store_id: here!, now: unixNow() }),
      ),
    ).toBeUndefined()
    await expect(
      database.transaction(async tx =>
        changeStore(tx, await holdOrder(tx, any.row.id), {
          store_id: bare!,
          reason: '',
          actor: { type: 'system' },
          now: unixNow(),
        }),
      ),
    ).rejects.toThrow()
    expect(Object.keys(orderStatuses)).toContain(any.row.status)
    expect(await broken(database)).toEqual({})
  })
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
