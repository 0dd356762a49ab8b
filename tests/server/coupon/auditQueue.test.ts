import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { coupon_audit } from '#src/areas/coupon/couponAudit.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { couponAudit as calls, ecouponAudit } from '#src/modules/coupon/contract/audit.ts'
import { everything } from '#src/server/call/scope.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import { onlyOn } from '../../farm.ts'
import {
  auditDesk,
  auditNow,
  big,
  couponNow,
  freshDraft,
  goodsFor,
  one,
  submitAs,
  why,
  withdrawAs,
} from '../../help/couponAudits.ts'

const { at, call, done, refused, submitted } = auditDesk()

describe('the detail', () => {
  it('marks goods that changed since, and leaves orders as they are', async () => {
    const { task, goods } = await submitted()
    const before = await at.database.db.select({ n: sql`sum(version)` }).from(order)
    await at.database.db.update(product).set({ price_cents: 70_00 }).where(eq(product.id, goods.id))
    const of = await done(calls.detail, { id: task.id }, at.anna)
    expect(of.samples[0]).toMatchObject({ id: goods.id, changed: 'price' })
    expect(of.findings.map((each: { rule: string }) => each.rule)).toContain('goods_changed')
    expect(of.size).toEqual({ goods: 1, merchants: 1 })
    expect(await at.database.db.select({ n: sql`sum(version)` }).from(order)).toEqual(before)
    const { list, total } = await done(calls.goods, { id: task.id }, at.anna)
    expect([total, list[0].id]).toEqual([1, goods.id])
    const file = await done(calls.exportGoods, { id: task.id, format: 'csv' }, at.maker)
    expect(file.rows_expected).toBe(1)
    const goodsFile = exportNamed('coupon.audit.goods')!
    const staff = { scope: everything, lang: 'zh' }
    const { rows } = await goodsFile.rows({
      db: at.database.db,
      staff,
      filters: { id: task.id },
      now: unixNow(),
      after: undefined,
      limit: 10,
    } as never)
    expect(rows).toEqual([
      expect.objectContaining({ id: goods.id, margin_cents: 25_00, changed: '提交后改过售价' }),
    ])
  })
  it('tells of running coupons for the same goods, and that checkout takes one of two', async () => {
    const { goods } = await submitted()
    const running = await freshDraft(at.database, {
      apply_ids: [goods.id],
      face_cents: 8_00,
      status: 'active',
    })
    const draft = await freshDraft(at.database, { created_by: at.maker.id, apply_ids: [goods.id] })
    const { task } = await submitAs(at.database, draft, at.maker.id)
    expect(task.flags).toEqual(['overlap'])
    const { beside } = await done(calls.detail, { id: task.id }, at.anna)
    expect(beside.find((each: { id: number }) => each.id === running.id).trial).toEqual({
      sum_cents: 60_00,
      own_cents: 5_00,
      other_cents: 8_00,
      most_cents: 8_00,
    })
  })
  it('splits the worst cart to the cent between lines, platform and merchants', async () => {
    const goods = [
      await goodsFor(at.database, { price_cents: 33_33, settle_price_cents: 20_00 }),
      await goodsFor(at.database, { price_cents: 77_77, settle_price_cents: 50_00 }),
    ]
    const { task } = await submitted({
      apply_ids: goods.map(each => each.id),
      platform_share_bp: 3333,
      merchant_share_bp: 6667,
      consent_no: 'XY-1',
      face_cents: 7_77,
    })
    const { cart } = await done(calls.detail, { id: task.id }, at.anna)
    const sum = (of: string) =>
      (cart.lines as Record<string, number>[]).reduce((all, line) => all + line[of]!, 0)
    expect(cart.lines).toHaveLength(2)
    expect(sum('off_cents')).toBe(cart.discount_cents)
    expect(sum('platform_cents')).toBe(cart.platform_cents)
    expect(sum('merchant_cents')).toBe(cart.merchant_cents)
    expect(cart.platform_cents + cart.merchant_cents).toBe(cart.discount_cents)
  })
})

describe('the queue', () => {
  it('counts each tab and kind as it lists them, and keeps the other scope apart', async () => {
    const { task } = await submitted()
    const e = await submitted({ scope: 'ecom' })
    const counts = await done(calls.counts, {}, at.anna)
    const list = (input: object) => done(calls.lst, { pageSize: 100, ...input }, at.anna)
    expect(counts.open).toBe((await list({})).total)
    expect(counts.kind_full_reduce).toBe((await list({ kind: 'full_reduce' })).total)
    const { list: rows } = await list({ keyword: task.title })
    expect(rows.map((row: { id: number }) => row.id)).toEqual([task.id])
    expect((await call(calls.detail, { id: e.task.id }, at.anna)).status).toBe(404)
    await done(ecouponAudit.detail, { id: e.task.id }, at.ben)
  })
  it('is read by exposure too, and hands nobody what waits for finance', async () => {
    const small = await submitted()
    const large = await submitted(big)
    const { list } = await done(calls.lst, { sort: 'exposure', pageSize: 100 }, at.anna)
    const placeOf = (id: number) => list.findIndex((row: { id: number }) => row.id === id)
    expect(placeOf(large.task.id)).toBeLessThan(placeOf(small.task.id))
    await done(calls.approve, one(large.task), at.ben)
    const { tasks } = await done(calls.claimNext, { keyword: large.task.title }, at.anna)
    expect(tasks).toEqual([])
    const mine = await done(calls.claimNext, { keyword: large.task.title }, at.finance)
    expect(mine.tasks.map((row: { id: number }) => row.id)).toEqual([large.task.id])
  })
  it('hands one on to a colleague who may decide it, not to its maker', async () => {
    const { task } = await submitted()
    const reason = '请帮忙核实'
    expect(
      await refused(calls.transfer, { ...one(task), admin_id: at.maker.id, reason }, at.anna),
    ).toEqual([422, 'not_theirs'])
    await done(calls.transfer, { ...one(task), admin_id: at.ben.id, reason }, at.anna)
    expect(await auditNow(at.database, task.id)).toMatchObject({ claimed_by: at.ben.id })
  })
})

onlyOn('postgres')('two people at the same moment', () => {
  it('decide one coupon once, and the other is told who did', async () => {
    for (let round = 0; round < 5; round++) {
      const { task, id } = await submitted()
      const both = await Promise.all([
        call(calls.approve, one(task), at.anna),
        call(calls.reject, { ...one(task), ...why }, at.ben),
      ])
      expect(both.map(said => said.status).toSorted()).toEqual([200, 422])
      const lost = both.find(said => said.status === 422)!
      expect(lost.data.current.decider_name).toBe(
        (await auditNow(at.database, task.id)).decider_name,
      )
      expect(['active', 'rejected']).toContain((await couponNow(at.database, id)).status)
    }
  })
  it('approve and withdraw: one of them happens', async () => {
    for (let round = 0; round < 5; round++) {
      const { task, id } = await submitted()
      const row = await couponNow(at.database, id)
      const [approved, withdrawn] = await Promise.allSettled([
        done(calls.approve, one(task), at.anna),
        withdrawAs(at.database, row, at.maker.id),
      ])
      expect([approved.status, withdrawn.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      const [state, status] = [
        (await auditNow(at.database, task.id)).state,
        (await couponNow(at.database, id)).status,
      ]
      expect([`${state} ${status}`]).toEqual([
        approved.status === 'fulfilled' ? 'approved active' : 'withdrawn draft',
      ])
    }
  })
  it('submit one coupon once', async () => {
    const draft = await freshDraft(at.database, { created_by: at.maker.id })
    const both = await Promise.allSettled([
      submitAs(at.database, draft, at.maker.id),
      submitAs(at.database, draft, at.maker.id),
    ])
    expect(both.filter(each => each.status === 'fulfilled')).toHaveLength(1)
    const tasks = await at.database.db
      .select()
      .from(coupon_audit)
      .where(eq(coupon_audit.coupon_id, draft.id))
    expect(tasks).toHaveLength(1)
  })
})
