import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { tickOrders } from '#src/areas/order/orderClock.server.ts'
import type { RefundPolicy } from '#src/areas/order/orderRules.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_config } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import type { Wanted } from '#src/areas/refund/refundLines.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { bulks as calls } from '#src/modules/order/contract/bulks.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'
import { groupOf, joinGroup, offerOf } from '../../help/rollGroups.ts'

const DAY = 86_400
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let other: typeof me
let item: typeof product.$inferSelect
const now = unixNow() - 30
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  other = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1_000_000_00 } })
  item = await offerOf(database, 'bulks', now)
  await database.db
    .update(merchant)
    .set({ status: 'active' })
    .where(eq(merchant.id, item.merchant_id))
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
let buyer = 10
/** Bought while the product promised this. */
const bought = async (refund_policy: RefundPolicy, qty = 2) => {
  await database.db.update(product).set({ refund_policy }).where(eq(product.id, item.id))
  const { id } = await database.transaction(async tx => {
    const one = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      member_id: ++buyer,
      qty,
      now,
    })
    await payOrder(tx, one.id, now)
    return one
  })
  const codes = await database.db
    .select()
    .from(order_code)
    .where(eq(order_code.order_id, id))
    .orderBy(order_code.id)
  return { id, codes }
}
const expire = (codes: readonly { id: number }[]) =>
  database.db
    .update(order_code)
    .set({ state: 'expired', valid_until: now - 60 })
    .where(
      inArray(
        order_code.id,
        codes.map(code => code.id),
      ),
    )
const asks = (order_id: number, wanted: Wanted = 'all') =>
  database.transaction(tx =>
    openRefund(tx, {
      order_id,
      wanted,
      source: 'member',
      reason: '不想要了',
      actor: { type: 'member' },
      now: now + 1,
    }),
  )
const row = async (q: string | number) =>
  (
    (
      await call(calls.lst, {
        q:
          typeof q === 'string'
            ? q
            : (await database.db.select().from(order).where(eq(order.id, q)))[0]!.order_no,
      })
    ).data as { list: OrderRow[] }
  ).list[0]!

describe('what a buyer was promised', () => {
  it('at any time: what is not used is asked back, expired or not', async () => {
    const { id, codes } = await bought('anytime')
    await expire(codes.slice(0, 1))
    expect((await asks(id)).state).toBe('applied')
    expect((await row(id)).promise).toBe('anytime')
  })
  it('until it expires: of all that is left what has not expired, and of what has, chosen, nothing', async () => {
    const { id, codes } = await bought('before_expiry')
    await expire(codes.slice(0, 1))
    await expect(asks(id, { codes: [{ id: codes[0]!.id }] })).rejects.toMatchObject({
      data: { rule: 'refund_policy' },
      message: expect.stringContaining('现已过期'),
    })
    expect((await asks(id)).amount_cents).toBe(codes[1]!.pay_cents)
  })
  it('never: nothing is asked back', async () => {
    const { id } = await bought('none')
    await expect(asks(id)).rejects.toMatchObject({
      data: { rule: 'refund_policy' },
      message: expect.stringContaining('约定不可退'),
    })
    expect(await database.db.select().from(refund).where(eq(refund.order_id, id))).toEqual([])
  })
  it('is kept: what the product promises later changes no order', async () => {
    const [kept, never] = [await bought('anytime', 1), await bought('none', 1)]
    await database.db.update(product).set({ refund_policy: 'none' }).where(eq(product.id, item.id))
    expect((await asks(kept.id)).state).toBe('applied')
    await database.db
      .update(product)
      .set({ refund_policy: 'anytime' })
      .where(eq(product.id, item.id))
    await expect(asks(never.id)).rejects.toMatchObject({ data: { rule: 'refund_policy' } })
  })
  it('is no more than the rules of its kind give, which are those of its day', async () => {
    const before = await bought('anytime', 1)
    const [was] = await database.db
      .select()
      .from(order_config)
      .where(eq(order_config.scope, 'bulks'))
      .orderBy(order_config.version_no)
      .limit(1)
    const strict = await database.db
      .insert(order_config)
      .values({
        scope: 'bulks',
        version_no: 9001,
        fields: { ...was!.fields, refund_policy: 'none' },
        reason: '试',
        effective_at: now,
        state: 'old',
        created_at: now,
        updated_at: now,
      })
      .returning()
    const after = await bought('anytime', 1)
    await database.db
      .update(order)
      .set({ config_version: strict[0]!.version_no })
      .where(eq(order.id, after.id))
    expect((await asks(before.id)).state).toBe('applied')
    await expect(asks(after.id)).rejects.toMatchObject({ data: { rule: 'refund_policy' } })
    expect((await row(after.id)).promise).toBe('none')
  })
  it('binds nobody where the merchant stopped trading', async () => {
    const { id } = await bought('none', 1)
    await database.db
      .update(merchant)
      .set({ status: 'terminated' })
      .where(eq(merchant.id, item.merchant_id))
    expect((await asks(id)).state).toBe('applied')
    await database.db
      .update(merchant)
      .set({ status: 'active' })
      .where(eq(merchant.id, item.merchant_id))
  })
  it('is what the clock refunds by after expiry: only what was to go back at any time', async () => {
    const [free, never] = [await bought('anytime', 1), await bought('none', 1)]
    await database.db
      .update(order_code)
      .set({ valid_until: now - 9 * DAY })
      .where(inArray(order_code.order_id, [free.id, never.id]))
    await database.db
      .update(order)
      .set({ valid_until: now - 9 * DAY })
      .where(inArray(order.id, [free.id, never.id]))
    await tickOrders(database, now + 60)
    await tickOrders(database, now + 120)
    expect(
      await database.db
        .select({ id: refund.order_id, cause: refund.cause })
        .from(refund)
        .where(inArray(refund.order_id, [free.id, never.id])),
    ).toEqual([{ id: free.id, cause: 'expired' }])
  })
  it('waits where a code is under way to another person: the clock passes it by, and gives it back once it was called back', async () => {
    const { id } = await bought('anytime')
    const past = now - 9 * DAY
    const codes = await database.db
      .update(order_code)
      .set({ valid_until: past })
      .where(eq(order_code.order_id, id))
      .returning()
    await database.db.update(order).set({ valid_until: past }).where(eq(order.id, id))
    await database.db
      .update(order_code)
      .set({ gift_state: 'sent' })
      .where(eq(order_code.id, codes[0]!.id))
    const made = async () =>
      (
        await database.db
          .select({ cents: refund.amount_cents })
          .from(refund)
          .where(eq(refund.order_id, id))
          .orderBy(refund.id)
      ).map(one => one.cents)
    await tickOrders(database, now + 60)
    await finishPayouts(database, now + 70)
    expect(await made()).toEqual([codes[1]!.pay_cents])
    const refused: unknown[] = []
    await tickOrders(
      {
        ...database,
        transaction: (run, options) =>
          database.transaction(run, options).catch((error: unknown) => {
            refused.push(error)
            throw error
          }),
      },
      now + 80,
    )
    expect([refused, await made()]).toEqual([[], [codes[1]!.pay_cents]])
    await database.db
      .update(order_code)
      .set({ gift_state: 'none' })
      .where(eq(order_code.id, codes[0]!.id))
    await tickOrders(database, now + 90)
    expect(await made()).toEqual([codes[1]!.pay_cents, codes[0]!.pay_cents])
  })
})

describe('staff who give back more than was promised', () => {
  it('ask for an exception, which another person agrees to, whatever it is worth', async () => {
    const { id } = await bought('none')
    const shown = await row(id)
    const said = await call(calls.refund, {
      id,
      version: shown.version,
      reason: '门店漏水，顾客投诉',
    })
    expect(said).toMatchObject({ status: 200, data: { state: 'second_audit' } })
    const waiting = (await row(id)).to_decide!
    expect(waiting).toMatchObject({ override: true, first_by: me.id })
    const decide = { id, refund_id: waiting.id, refund_version: waiting.version }
    expect((await call(calls.approveRefund, decide)).data.rule).toBe('stage')
    expect((await call(calls.approveRefund, decide, other.token)).status).toBe(200)
    await finishPayouts(database, unixNow())
    expect((await row(id)).refund_state).toBe('refunded')
  })
  it('of many at once do not: such a row fails and says why, the others go through', async () => {
    const [free, never] = [await bought('anytime', 1), await bought('none', 1)]
    const { data } = await call(calls.batchRefund, { ids: [free.id, never.id], reason: '活动取消' })
    expect(data).toMatchObject({
      ok: [free.id],
      failed: [{ id: never.id, code: 'refund_policy', msg: expect.stringContaining('须逐单处理') }],
    })
  })
  it('sent back by the second person, it is not agreed to by the clock: the platform decides', async () => {
    const { id } = await bought('none', 1)
    ok(await call(calls.refund, { id, version: (await row(id)).version, reason: '投诉补偿' }))
    const waiting = (await row(id)).to_decide!
    ok(
      await call(
        calls.refuseRefund,
        {
          id,
          refund_id: waiting.id,
          refund_version: waiting.version,
          reason_code: 'other',
          reason: '理由不足',
        },
        other.token,
      ),
    )
    await tickOrders(database, now + 4 * DAY)
    expect(
      (await database.db.select().from(refund).where(eq(refund.id, waiting.id)))[0],
    ).toMatchObject({ state: 'applied', intervened: true })
  })
})
const ok = (said: { status: number }) => expect(said).toMatchObject({ status: 200 })

describe('while its group forms', () => {
  it('a member asks nothing back; staff may, and no promise binds', async () => {
    await database.db.update(product).set({ refund_policy: 'none' }).where(eq(product.id, item.id))
    const group = await database.transaction(tx => groupOf(tx, item, 3, now - 60))
    const { id } = await joinGroup(database, item, { group_id: group.id, member_id: ++buyer, now })
    await expect(asks(id)).rejects.toMatchObject({ data: { rule: 'group_forming' } })
    const made = await database.transaction(tx =>
      openRefund(tx, {
        order_id: id,
        wanted: 'all',
        source: 'staff',
        reason: '误拍',
        actor: { type: 'staff', id: me.id },
        by: { id: me.id, limit_cents: 1_000_00 },
        now,
      }),
    )
    expect([made.state, made.policy_override]).toEqual(['paying', false])
  })
})
it('leaves every invariant whole', async () => {
  await finishPayouts(database, unixNow())
  expect(await broken(database)).toEqual({})
})
