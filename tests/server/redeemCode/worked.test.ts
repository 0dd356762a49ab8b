import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { workedBatch, type Rewards } from '#src/areas/redeemCode/worked.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batchAdd } from '#src/modules/redeemCode/contract/form.ts'
import { everything } from '#src/server/call/scope.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { prizeBench } from '../../help/prizes.ts'
import { couponOf } from '../../help/redeem.ts'
import { freshProduct } from '../../help/trade.ts'
import { aPlan } from '../../help/vipCards.ts'

let on: Awaited<ReturnType<typeof prizeBench>>
const now = unixNow()
beforeAll(async () => {
  on = await prizeBench()
})
const nothing: Rewards = { coupon_ids: [], points: 0, vip_card_id: null, vip_days: 0, goods: '' }
const worked = (
  of: Partial<Rewards>,
  scope: Parameters<typeof workedBatch>[2]['staff']['scope'] = everything,
) => workedBatch(on.database.db, { ...nothing, ...of }, { staff: { scope, lang: 'zh' }, now })
/** An order of two of a product of its own, paid unless said otherwise. */
const bought = async (of: { paid?: boolean; now?: number } = {}) => {
  const { item } = await on.database.transaction(tx => freshProduct(tx))
  const buyer = await aBuyer(on.database)
  const at = of.now ?? now - 60
  const asked = { proved: true, member_id: buyer.id, product_id: item.id, qty: 2, now: at }
  const { id } = await on.database.transaction(tx => placeOrder(tx, asked))
  if (of.paid ?? true) await on.database.transaction(tx => payOrder(tx, id, at))
  const [row] = await on.database.db.select().from(order).where(eq(order.id, id))
  return { row: row!, item }
}

describe('the coupons of a batch', () => {
  it('are tried on the newest paid order that each fits, line by line, as checkout computes it', async () => {
    const { row, item } = await bought()
    await bought({ paid: false })
    const sum = row.total_cents
    const coupon = await couponOf(on.database, { apply_kind: 'product', apply_ids: [item.id] })
    const { coupons } = await worked({ coupon_ids: [coupon.id] })
    expect(coupons).toEqual([
      {
        id: coupon.id,
        name: coupon.name,
        trial: expect.objectContaining({
          order_id: row.id,
          order_no: row.order_no,
          discount_cents: 10_00,
          platform_cents: 7_00,
          merchant_cents: 3_00,
          pay_cents: sum - 10_00,
          refused: '',
          lines: [expect.objectContaining({ qty: 2, cost_cents: sum, off_cents: 10_00 })],
        }),
      },
    ])
  })
  it('fit no order that is not paid, is too small, is refused or is outside one’s data, and say so', async () => {
    const { row, item } = await bought()
    const own = { apply_kind: 'product' as const, apply_ids: [item.id] }
    const unpaid = await bought({ paid: false })
    const some = [
      await couponOf(on.database, { ...own, threshold_cents: row.total_cents + 1 }),
      await couponOf(on.database, { ...own, apply_ids: [unpaid.item.id] }),
      await couponOf(on.database, { ...own, scope: 'ecom' }),
    ]
    const { coupons } = await worked({ coupon_ids: some.map(one => one.id) })
    expect(coupons.map(one => one.trial)).toEqual([null, null, null])
    const fits = await couponOf(on.database, own)
    const seen = (cities: number[]) =>
      worked({ coupon_ids: [fits.id] }, { cities, malls: [], owners: [] })
    expect((await seen([row.city_id])).coupons[0]!.trial!.order_id).toBe(row.id)
    expect((await seen([row.city_id + 1])).coupons[0]!.trial).toBeNull()
  })
  it.each([
    ['store', 'store_id'],
    ['mall', 'mall_id'],
  ] as const)('of a %s are tried on the newest of its orders', async (apply_kind, at) => {
    const first = await bought({ now: now - 120 })
    if (first.row[at] === 0) return
    const later = await bought({ now: now - 30 })
    const coupon = await couponOf(on.database, { apply_kind, apply_ids: [first.row[at]] })
    const { coupons } = await worked({ coupon_ids: [coupon.id] })
    const [tried] = await on.database.db
      .select()
      .from(order)
      .where(eq(order.id, coupons[0]!.trial!.order_id))
    expect(tried![at]).toBe(first.row[at])
    if (later.row[at] === first.row[at]) expect(tried!.id).toBe(later.row.id)
  })
  it('stand in the order in which the batch names them', async () => {
    const some = [await couponOf(on.database), await couponOf(on.database)]
    const { coupons } = await worked({ coupon_ids: [some[1]!.id, some[0]!.id] })
    expect(coupons.map(one => one.id)).toEqual([some[1]!.id, some[0]!.id])
  })
})
describe('the rest of a batch', () => {
  it('points buy the dearest thing that everybody may have now, or are told what the cheapest costs', async () => {
    await on.database.db.update(points_goods).set({ status: 'off' })
    expect((await worked({ points: 100 })).points).toEqual({
      points: 100,
      item: null,
      cheapest: null,
    })
    const [like] = await on.database.db.select().from(points_goods).limit(1)
    const [there] = await on.database.db
      .select()
      .from(product)
      .where(eq(product.id, like!.product_id))
    const { id: _, version: __, ...columns } = like!
    const base = {
      ...columns,
      status: 'on' as const,
      level_min: null,
      start_at: null,
      end_at: null,
    }
    let sort = 90_000
    const put = (name: string, of: Partial<typeof points_goods.$inferInsert>) =>
      on.database.db
        .insert(points_goods)
        .values({ ...base, stock: 5, held: 0, cash_cents: 0, sort: ++sort, name, ...of })
    await put('帆布袋', { points_price: 300 })
    await put('保温杯', { points_price: 500 })
    await put('卖完的', { points_price: 520, held: 5 })
    await put('要等级的', { points_price: 530, level_min: 3 })
    await put('未开始的', { points_price: 540, start_at: now + DAY })
    await put('已结束的', { points_price: 550, end_at: now })
    await put('加钱的', { points_price: 560, cash_cents: 9_90 })
    expect((await worked({ points: 600 })).points!.item).toMatchObject({
      name: '保温杯',
      points_price: 500,
      cash_cents: 0,
    })
    expect((await worked({ points: 200 })).points).toMatchObject({
      item: null,
      cheapest: { name: '帆布袋', points_price: 300 },
    })
    const elsewhere = { cities: [there!.city_id + 1], malls: [], owners: [] }
    expect((await worked({ points: 600 }, elsewhere)).points).toMatchObject({
      item: null,
      cheapest: null,
    })
    expect((await worked({})).points).toBeNull()
  })
  it('days last from when the codes are good, a prize is handed over until they end', async () => {
    const plan = await aPlan(on.database)
    const days = { vip_card_id: plan.id, vip_days: 10 }
    expect((await worked(days)).membership).toEqual({
      plan: plan.name,
      days: 10,
      from: now,
      until: now + 10 * DAY,
    })
    expect((await worked({ ...days, start_at: now + DAY })).membership!.until).toBe(now + 11 * DAY)
    expect((await worked({ ...days, vip_days: 0 })).membership).toBeNull()
    expect((await worked({ goods: '保温杯', end_at: now + DAY })).prize).toEqual({
      name: '保温杯',
      until: now + DAY,
    })
  })
  it('is told by the call as it is written, and changes no row', async () => {
    const coupon = await couponOf(on.database)
    const before = await on.database.db.execute(sql`select count(*) n from coupon_grant`)
    const said = await on.done(batchAdd.example, {
      points: 0,
      goods: '保温杯',
      coupon_ids: [coupon.id],
    })
    expect(said.coupons[0].trial.refused).toBe('')
    expect([said.points, said.membership, said.prize]).toEqual([
      null,
      null,
      { name: '保温杯', until: null },
    ])
    const after = await on.database.db.execute(sql`select count(*) n from coupon_grant`)
    expect(after.rows).toEqual(before.rows)
  })
})
