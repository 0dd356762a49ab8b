import { and, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { verify_record } from '#src/areas/code/code.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { endContracts } from '#src/areas/merchant/sales.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { tuan } from '#src/modules/audit/contract.ts'
import { shopIndex as calls } from '#src/modules/shop/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant, freshOffer } from '../../help/merchants.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const held = async (id: number) => {
  const [row] = await database.db.select().from(merchant).where(eq(merchant.id, id))
  return { id, version: row!.version }
}
const rowOf = async (id: number) =>
  (await database.db.select().from(merchant).where(eq(merchant.id, id)))[0]!
const stateOf = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!.state
const freeze = async (id: number, reason = '资质造假调查') =>
  call(calls.freeze, { ...(await held(id)), reason })
const unfreeze = async (id: number, reason = '调查结束') =>
  call(calls.unfreeze, { ...(await held(id)), reason })
const linesOf = async (id: number) =>
  database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.object_type, 'merchant'), eq(op_log.object_id, id)))

describe('freezing a merchant', () => {
  it('takes off sale what it sells, tells how much before, and gives back exactly that', async () => {
    const own = await freshMerchant(database)
    const of = { merchant_id: own.id, store_id: own.store_id }
    const selling = [await freshOffer(database, of), await freshOffer(database, of)]
    const others = await Promise.all(
      (['off_sale', 'ended', 'forced_off', 'draft', 'auditing'] as const).map(state =>
        freshOffer(database, of, state),
      ),
    )
    expect((await call(calls.effects, { id: own.id })).data).toMatchObject({
      on_sale: 2,
      comes_back: 0,
    })
    const frozen = await freeze(own.id)
    expect([frozen.status, frozen.data.taken_off]).toEqual([200, 2])
    for (const { id } of selling) expect(await stateOf(id)).toBe('off_sale')
    expect((await call(calls.effects, { id: own.id })).data).toMatchObject({
      on_sale: 0,
      comes_back: 2,
    })
    const thawed = await unfreeze(own.id)
    expect([thawed.status, thawed.data.given_back]).toEqual([200, 2])
    for (const { id } of selling) expect(await stateOf(id)).toBe('on_sale')
    for (const { id, state } of others) expect(await stateOf(id)).toBe(state)
  })
  it('keeps the reason, writes who did it, and tells the second of two who was first', async () => {
    const own = await freshMerchant(database)
    const one = await held(own.id)
    expect((await call(calls.freeze, { ...one, reason: '涉嫌套现' })).status).toBe(200)
    const late = await call(calls.freeze, { ...one, reason: '也要冻结' })
    expect(late.status).toBe(409)
    expect(late.message).toContain(me.account)
    expect(await rowOf(own.id)).toMatchObject({ status: 'frozen', status_reason: '涉嫌套现' })
    const [line] = await linesOf(own.id)
    expect(line).toMatchObject({ action: 'shop.index.freeze', reason: '涉嫌套现', admin_id: me.id })
  })
  it('that is frozen, or not active, is refused', async () => {
    const own = await freshMerchant(database)
    await freeze(own.id)
    expect((await freeze(own.id)).data.rule).toBe('wrong_state')
    const draft = await freshMerchant(database, { status: 'draft' })
    expect((await freeze(draft.id)).status).toBe(422)
    expect((await unfreeze(draft.id)).status).toBe(422)
  })
  it('withholds what is to be settled, until it is unfrozen', async () => {
    const own = await freshMerchant(database)
    const [like] = await database.db.select().from(verify_record).limit(1)
    const { id: _, ...columns } = like!
    const [use] = await database.db
      .insert(verify_record)
      .values({
        ...columns,
        store_id: own.store_id,
        state: 'valid',
        settle_state: 'holding',
        hold_until: now - 60,
        settle_cents: 1234,
      })
      .returning()
    await database.db.update(order).set({ frozen: false }).where(eq(order.id, columns.order_id))
    await freeze(own.id)
    const settling = async () => {
      await tickOrders(database, now)
      const [row] = await database.db
        .select()
        .from(verify_record)
        .where(eq(verify_record.id, use!.id))
      return row!.settle_state
    }
    expect(await settling()).toBe('holding')
    expect((await call(calls.effects, { id: own.id })).data.unsettled_cents).toBe(1234)
    await unfreeze(own.id)
    expect(await settling()).toBe('available')
  })
  it('sells nothing while it lasts, whatever says that a product is on sale', async () => {
    const own = await freshMerchant(database)
    const offer = await freshOffer(database, { merchant_id: own.id, store_id: own.store_id })
    await database.db.update(merchant).set({ status: 'frozen' }).where(eq(merchant.id, own.id))
    const [member] = (await database.db.execute<{ id: number }>(sql`select id from member limit 1`))
      .rows
    await expect(
      database.transaction(tx =>
        placeOrder(tx, {
          kind: 'bulks',
          member_id: member!.id,
          lines: [{ product_id: offer.id, qty: 1, store_id: own.store_id }],
          now,
        } as never),
      ),
    ).rejects.toMatchObject({ data: { rule: 'not_for_sale' } })
  })
  it('keeps an ended product ended when its times are changed meanwhile', async () => {
    const own = await freshMerchant(database)
    const offer = await freshOffer(
      database,
      { merchant_id: own.id, store_id: own.store_id },
      'ended',
    )
    await freeze(own.id)
    const said = await call(tuan.batchUpdateStartAndCheckTime, {
      product_ids: [offer.id],
      mode: 'shift',
      shift_days: 10,
      reason: '顺延',
    })
    expect([said.status, said.data.ok_count]).toEqual([200, 1])
    expect(await stateOf(offer.id)).toBe('ended')
  })
})

describe('a contract', () => {
  it('that ends takes off sale what is sold, and renewing it gives that back', async () => {
    const own = await freshMerchant(database)
    const of = { merchant_id: own.id, store_id: own.store_id }
    const [sells, off] = [
      await freshOffer(database, of),
      await freshOffer(database, of, 'off_sale'),
    ]
    const end = own.contract_end_at! + 1
    expect(await endContracts(database, end)).toBeGreaterThan(0)
    expect([await stateOf(sells.id), await stateOf(off.id)]).toEqual(['off_sale', 'off_sale'])
    expect(await endContracts(database, end)).toBe(0)
    const renewed = await call(calls.renew, {
      ...(await held(own.id)),
      contract_end_at: end + 365 * DAY,
      commission_bp: 1200,
    })
    expect([renewed.status, renewed.data.given_back]).toEqual([200, 1])
    expect([await stateOf(sells.id), await stateOf(off.id)]).toEqual(['on_sale', 'off_sale'])
    expect(await rowOf(own.id)).toMatchObject({
      commission_bp: 1000,
      next_commission_bp: 1200,
      commission_from_at: dayStart(unixNow()) + DAY,
    })
  })
  it('that ended during a freeze keeps its products off when the freeze ends', async () => {
    const own = await freshMerchant(database)
    const offer = await freshOffer(database, { merchant_id: own.id, store_id: own.store_id })
    await freeze(own.id)
    await database.db
      .update(merchant)
      .set({ contract_end_at: now - 60 })
      .where(eq(merchant.id, own.id))
    expect((await unfreeze(own.id)).data.given_back).toBe(0)
    expect(await stateOf(offer.id)).toBe('off_sale')
    await call(calls.renew, {
      ...(await held(own.id)),
      contract_end_at: now + 30 * DAY,
      commission_bp: 1000,
    })
    expect(await stateOf(offer.id)).toBe('on_sale')
  })
  it('is not renewed to an end before the present one, nor beyond the licence', async () => {
    const own = await freshMerchant(database, { license_expire_at: now + 200 * DAY })
    const renew = async (contract_end_at: number) =>
      call(calls.renew, { ...(await held(own.id)), contract_end_at, commission_bp: 1000 })
    for (const end of [own.contract_end_at!, now + 201 * DAY]) {
      const said = await renew(end)
      expect([said.status, Object.keys(said.data.fields)]).toEqual([400, ['contract_end_at']])
    }
    expect((await renew(now + 199 * DAY)).status).toBe(200)
  })
})

describe('random histories of a merchant', () => {
  type Step = 'freeze' | 'unfreeze' | 'expire' | 'renew' | 'sell' | 'off' | 'force' | 'end'
  const step = fc.record({
    does: fc.constantFrom<Step>(
      'freeze',
      'unfreeze',
      'freeze',
      'unfreeze',
      'expire',
      'renew',
      'sell',
      'off',
      'force',
      'end',
    ),
    at: fc.nat(2),
  })
  /** What people do to a product by itself: only one that may be sold is put on sale. */
  const touch = async (does: Step, id: number, may: boolean) => {
    const set = (state: 'on_sale' | 'off_sale' | 'forced_off' | 'ended', from: readonly string[]) =>
      database.db
        .update(product)
        .set({ state, taken_off: [] })
        .where(and(eq(product.id, id), inArray(product.state, from as never)))
        .returning({ id: product.id })
    if (does === 'sell' && may) return set('on_sale', ['off_sale', 'ended', 'forced_off'])
    if (does === 'off') return set('off_sale', ['on_sale'])
    if (does === 'force') return set('forced_off', ['on_sale', 'off_sale'])
    if (does === 'end') return set('ended', ['on_sale'])
    return []
  }
  it(
    'never leave a product of a merchant on sale that may not sell, nor put one on sale that was off for another reason',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async steps => {
          const own = await freshMerchant(database)
          const offers = await Promise.all(
            [0, 1, 2].map(() =>
              freshOffer(database, { merchant_id: own.id, store_id: own.store_id }),
            ),
          )
          // What people want of each product, whatever the merchant’s own state keeps off.
          const wanted = offers.map(() => true)
          let [frozen, over] = [false, false]
          for (const { does, at } of steps) {
            if (does === 'freeze') frozen = (await freeze(own.id)).status === 200 || frozen
            else if (does === 'unfreeze') frozen = (await unfreeze(own.id)).status !== 200 && frozen
            else if (does === 'expire' && !over) {
              await database.db
                .update(merchant)
                .set({ contract_end_at: now - 1 })
                .where(eq(merchant.id, own.id))
              await endContracts(database, now)
              over = true
            } else if (does === 'renew') {
              const end = { contract_end_at: now + 365 * DAY + steps.length, commission_bp: 900 }
              const said = await call(calls.renew, { ...(await held(own.id)), ...end })
              if (said.status === 200) over = false
            } else {
              const done = await touch(does, offers[at]!.id, !frozen && !over)
              if (done.length > 0) wanted[at] = does === 'sell'
            }
            const states = await Promise.all(offers.map(({ id }) => stateOf(id)))
            expect(states.map(state => state === 'on_sale')).toEqual(
              wanted.map(one => one && !frozen && !over),
            )
          }
        }),
        { numRuns: 25 },
      ),
    120_000,
  )
})
