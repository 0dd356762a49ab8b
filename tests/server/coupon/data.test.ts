import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { closeUnpaid, placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { storeCoupons } from '#src/modules/coupon/contract/coupon.ts'
import { couponData as calls } from '#src/modules/coupon/contract/data.ts'
import { addStaff } from '../../help/app.ts'
import { couponDesk } from '../../help/couponDesk.ts'
import { everyoneInUse } from '../../help/members.ts'
import { freshProduct } from '../../help/trade.ts'

const desk = couponDesk()
const { call, claim, done, lastLog, refused, rule, running } = desk
const now = unixNow()
let deal: number
beforeAll(async () => {
  await everyoneInUse(desk.database)
  const { item } = await desk.database.transaction(tx => freshProduct(tx, 'bulks'))
  await desk.database.db.execute(sql`delete from product_sku where product_id = ${item.id}`)
  await desk.database.db
    .update(product)
    .set({
      stock: 1000,
      held: 0,
      price_cents: 50_00,
      check_end_at: now + 300 * DAY,
      sale_start_at: now - 100 * DAY,
      sale_end_at: now + 90 * DAY,
    })
    .where(eq(product.id, item.id))
  deal = item.id
})
const terms = { threshold_cents: 40_00, face_cents: 10_01, per_member: 9 }
const shares = { platform_share_bp: 7000, merchant_share_bp: 3000, consent_no: 'HT-9' }
const given = async (coupon_id: number, member_id: number) =>
  (await claim(coupon_id, member_id)).grants[0]!
const bought = async ({ id, member_id }: { id: number; member_id: number }) =>
  (
    await desk.database.transaction(tx =>
      placeOrder(tx, {
        product_id: deal,
        qty: 1,
        member_id,
        coupon_grant_id: id,
        proved: true,
        now,
      }),
    )
  ).id
const pay = (id: number) => desk.database.transaction(tx => payOrder(tx, id, now))
const pieceOf = async (id: number) =>
  (await desk.database.db.select().from(coupon_grant).where(eq(coupon_grant.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await pieceOf(id)).version })

describe('the figures of a coupon', () => {
  it('are the sums of the pieces that its list holds', async () => {
    const id = await running({ ...terms, ...shares })
    const [a, b, , d] = [
      await given(id, 31),
      await given(id, 31),
      await given(id, 32),
      await given(id, 33),
    ]
    for (const piece of [a, b]) await pay(await bought(piece!))
    await bought(d!)
    const figures = await done(calls.figures, { coupon_id: id })
    expect(figures).toMatchObject({
      claimed: 4,
      pieces: { unused: 1, locked: 1, used: 2, expired: 0, revoked: 0 },
      orders: 2,
      cost_cents: 20_02,
      platform_cents: 14_02,
      merchant_cents: 6_00,
      gmv_cents: 2 * (50_00 - 10_01),
    })
    const list = await done(calls.lst, { coupon_id: id, pageSize: 200 })
    expect(list.stat).toEqual({ unused: 1, locked: 1, used: 2 })
    const cost = list.list
      .filter((row: { status: string }) => row.status === 'used')
      .reduce((sum: number, row: { discount_cents: number }) => sum + row.discount_cents, 0)
    const [row] = await desk.database.db.select().from(coupon).where(eq(coupon.id, id))
    expect([cost, row!.cost_cents, row!.used_count]).toEqual([20_02, 20_02, 2])
    const today = figures.by_day.at(-1)
    expect([figures.by_day.length, today.claimed, today.used]).toEqual([30, 4, 2])
    expect(figures.by_kind).toEqual([{ name: 'claim', claimed: 4, used: 2, cost_cents: 20_02 }])
    for (const by of ['by_mall', 'by_store', 'by_channel'])
      expect(figures[by].map((each: { used: number }) => each.used)).toEqual([2])
    expect(figures.by_channel[0].name).toBe('mini_program')
    const other = await done(calls.others, { keyword: row!.coupon_no })
    expect(other.list.map((each: { id: number }) => each.id)).toEqual([id])
  })
})

describe('a piece', () => {
  it('is taken back while nobody uses it; used and taken ones are told', async () => {
    const id = await running(terms)
    const [free, taken, used] = [await given(id, 34), await given(id, 34), await given(id, 34)]
    await bought(taken)
    await pay(await bought(used))
    const said = await done(calls.revoke, {
      ids: [free.id, taken.id, used.id],
      reason: '误发',
    })
    expect([said.ok, said.failed.map((each: { id: number }) => each.id)]).toEqual([
      [free.id],
      [taken.id, used.id],
    ])
    expect(await pieceOf(free.id)).toMatchObject({ status: 'revoked', reason: '误发' })
    expect((await lastLog(id)).after ?? {}).toMatchObject({ member_id: 34, piece: 'revoked' })
    // What was taken back still counts among what was claimed.
    expect((await done(calls.figures, { coupon_id: id })).claimed).toBe(3)
  })
  it('is good for longer, by thirty days at most, and again where it had expired', async () => {
    const id = await running(terms)
    const [fresh, over, long] = [await given(id, 35), await given(id, 35), await given(id, 35)]
    const end = (grant: number, end_at: number) =>
      desk.database.db
        .update(coupon_grant)
        .set({ status: 'expired', end_at })
        .where(eq(coupon_grant.id, grant))
    await end(over.id, now - DAY)
    await end(long.id, now - 31 * DAY)
    const ask = { ids: [fresh.id, over.id, long.id], days: 30, reason: '门店停业' }
    const said = await done(calls.extendGrants, ask)
    expect([said.ok, said.failed.map((each: { code: string }) => each.code)]).toEqual([
      [fresh.id, over.id],
      ['still_over'],
    ])
    expect(await pieceOf(over.id)).toMatchObject({ status: 'unused', end_at: now + 29 * DAY })
    expect((await pieceOf(fresh.id)).end_at).toBe(fresh.end_at + 30 * DAY)
    expect((await call(calls.extendGrants, { ...ask, days: 31 })).status).toBe(400)
  })
  it('is freed where the order that took it is closed, never before', async () => {
    const id = await running(terms)
    const piece = await given(id, 36)
    const made = await bought(piece)
    const free = async () => ({ ...(await one(piece.id)), reason: '卡券未释放' })
    expect(await refused(calls.unlock, await free())).toBe('order_open')
    // An order that was closed by hand in the database, as a fault would leave it.
    await desk.database.db.update(order).set({ pay_state: 'closed' }).where(eq(order.id, made))
    await done(calls.unlock, await free())
    expect(await pieceOf(piece.id)).toMatchObject({
      status: 'unused',
      order_no: null,
      discount_cents: null,
      locked_at: null,
    })
    expect(await refused(calls.unlock, await free())).toBe('wrong_state')
    expect(
      await rule(
        desk.database.transaction(tx =>
          closeUnpaid(tx, made, now, {
            type: 'member',
            actor: { type: 'member' },
            reason: '不要了',
          }),
        ),
      ),
    ).toBe('done')
    expect((await pieceOf(piece.id)).status).toBe('unused')
  })
  it('is seen and changed within one’s cities', async () => {
    const [here, there] = [
      await running({ ...terms, city_ids: [2] }),
      await running({ ...terms, city_ids: [1] }),
    ]
    const { token } = await addStaff(desk.database, {
      perms: ['coupon.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const [mine, foreign] = [await given(here, 37), await given(there, 37)]
    expect((await call(calls.figures, { coupon_id: there }, token)).status).toBe(404)
    expect((await call(calls.lst, { coupon_id: there }, token)).status).toBe(404)
    const said = await done(calls.revoke, { ids: [mine.id, foreign.id], reason: '误发' }, token)
    expect(said.ok).toEqual([mine.id])
    expect((await pieceOf(foreign.id)).status).toBe('unused')
    const all = await running(terms)
    const shared = await given(all, 37)
    const refusedAll = await done(calls.revoke, { ids: [shared.id], reason: '误发' }, token)
    expect(refusedAll.failed.map((each: { code: string }) => each.code)).toEqual(['other_cities'])
    expect((await call(storeCoupons.detail, { id: all }, token)).status).toBe(200)
  })
})
