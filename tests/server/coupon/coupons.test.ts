import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { mallCoupons, storeCoupons as calls } from '#src/modules/coupon/contract/coupon.ts'
import { addStaff, send } from '../../help/app.ts'
import { couponBody, couponDesk } from '../../help/couponDesk.ts'
import { freshMember } from '../../help/members.ts'
import { freshMerchant, freshStore } from '../../help/merchants.ts'

const desk = couponDesk()
const { call, claim, done, draft, faults, held, lastLog, refused, rowOf, rule, running } = desk
const now = unixNow()

describe('a draft', () => {
  it('may be half done, is its maker’s, and is taken over before another changes it', async () => {
    const id = await draft({ total: 0, budget_cents: null, face_cents: 0 })
    expect(await rowOf(id)).toMatchObject({ status: 'draft', created_by: desk.maker.id, total: 0 })
    const other = await addStaff(desk.database, { perms: ['*'] })
    const change = { ...(await held(id)), ...couponBody(now, { name: '改名券' }) }
    expect(await refused(calls.saveDraft, change, other.token)).toBe('not_yours')
    expect(await refused(calls.submit, await held(id), other.token)).toBe('not_yours')
    expect(await refused(calls.takeOver, await held(id))).toBe('yours')
    await done(calls.takeOver, await held(id), other.token)
    const mine = { ...(await held(id)), ...couponBody(now, { name: '改名券' }) }
    await done(calls.saveDraft, mine, other.token)
    expect(await rowOf(id)).toMatchObject({ name: '改名券', created_by: other.id })
  })
  it('changed by another meanwhile is refused with who it was', async () => {
    const id = await draft()
    const mine = await held(id)
    await done(calls.saveDraft, { ...mine, ...couponBody(now, { name: '先改的' }) })
    const late = await call(calls.saveDraft, { ...mine, ...couponBody(now) })
    expect([late.status, late.data.current.name]).toEqual([409, '先改的'])
  })
  it('keeps nothing that its kind has no use for', async () => {
    const discount = { kind: 'discount', discount_bp: 8500, cap_cents: 30_00 }
    const id = await draft({ ...discount, use_end_at: now + DAY, apply_ids: [1] })
    expect(await rowOf(id)).toMatchObject({
      face_cents: 0,
      discount_bp: 8500,
      use_end_at: null,
      apply_ids: [],
    })
    expect(await rowOf(await draft({ discount_bp: 8500, cap_cents: 1 }))).toMatchObject({
      discount_bp: null,
      cap_cents: null,
    })
  })
})

describe('what is submitted', () => {
  it('is asked every rule, and goes to the audit once', async () => {
    expect(await faults(calls.send, couponBody(now, { budget_cents: 1 }))).toEqual(['budget_cents'])
    expect(await faults(calls.send, couponBody(now, { claim_end_at: now - 1 }))).toContain(
      'claim_end_at',
    )
    const straight = couponBody(now, { kind: 'direct', threshold_cents: 0 })
    expect(await faults(calls.send, straight)).toEqual(['zero_confirmed'])
    await done(calls.send, { ...straight, zero_confirmed: true })
    const id = await draft()
    const one = await held(id)
    const both = await Promise.all([call(calls.submit, one), call(calls.submit, one)])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
    expect((await rowOf(id)).status).toBe('auditing')
    expect(await refused(calls.saveDraft, { ...(await held(id)), ...couponBody(now) })).toBe(
      'wrong_state',
    )
    await done(calls.withdraw, await held(id))
    expect((await rowOf(id)).status).toBe('draft')
    expect(await refused(calls.withdraw, await held(id))).toBe('wrong_state')
  })
  it('sent twice by one key makes one coupon', async () => {
    const name = '一次Q'
    const body = couponBody(now, { name })
    const sent = () =>
      send(desk.app, calls.send, body, {
        token: desk.maker.token,
        key: 'once-Qabcdefgh',
      })
    const [a, b] = [await sent(), await sent()]
    expect([a.status, b.data]).toEqual([200, a.data])
    expect(await desk.database.db.$count(coupon, eq(coupon.name, name))).toBe(1)
  })
  it('is for what trades, within its cities', async () => {
    const owner = await freshMerchant(desk.database)
    const [open, closed] = [
      await freshStore(desk.database, owner, { city_id: 1 }),
      await freshStore(desk.database, owner, { city_id: 1, status: 'closed' }),
    ]
    const of = (ids: number[], more: object = {}) =>
      couponBody(now, { apply_kind: 'store', apply_ids: ids, ...more })
    expect(await faults(calls.send, of([open.id, closed.id]))).toEqual(['apply_ids'])
    expect(await faults(calls.send, of([open.id], { city_ids: [2] }))).toEqual(['apply_ids'])
    expect(await faults(calls.send, of([2_000_000_000]))).toEqual(['apply_ids'])
    await done(calls.send, of([open.id], { city_ids: [1] }))
    const found = await done(calls.targets, {
      apply_kind: 'store',
      keyword: open.name,
      city_ids: [1],
    })
    expect(found.list.map((one: { id: number }) => one.id)).toContain(open.id)
    const gone = await done(calls.targets, { apply_kind: 'store', keyword: String(closed.id) })
    expect(gone.list.map((one: { id: number }) => one.id)).not.toContain(closed.id)
  })
  it.each([calls, mallCoupons])('offers categories to whoever sees one city only', async of => {
    const { token } = await addStaff(desk.database, {
      perms: ['coupon.*', 'ecoupon.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const { status, data } = await call(of.targets, { apply_kind: 'category' }, token)
    expect(status).toBe(200)
    expect(data.total).toBeGreaterThan(0)
  })
})

describe('once it is approved', () => {
  it('only what may grow does, and each change is logged', async () => {
    const id = await running()
    const to = {
      total: 110,
      per_member: 3,
      claim_end_at: now + 11 * DAY,
      recommend_text: '先到先得',
    }
    expect((await done(calls.edit, { ...(await held(id)), ...to })).status).toBe('active')
    expect(await rowOf(id)).toMatchObject({ ...to, name: '测试满减券' })
    expect((await lastLog(id)).after).toMatchObject({ total: 110 })
    for (const [less, field] of [
      [{ total: 99 }, 'total'],
      [{ per_member: 2 }, 'per_member'],
      [{ claim_end_at: now + 9 * DAY }, 'claim_end_at'],
    ] as const)
      expect(await faults(calls.edit, { ...(await held(id)), ...to, ...less })).toEqual([field])
    const whole = { ...(await held(id)), ...couponBody(now, { name: '换个名字' }) }
    expect(await refused(calls.saveDraft, whole)).toBe('wrong_state')
    expect((await rowOf(id)).name).toBe('测试满减券')
    expect(await refused(calls.edit, { ...(await held(await draft())), ...to })).toBe('draft')
  })
  it('more than its budget goes back to the audit, and nothing is given meanwhile', async () => {
    const id = await running()
    const more = { ...(await held(id)), quantity: 50, reason: '活动加量' }
    expect((await done(calls.addStock, more)).status).toBe('active')
    const over = { ...(await held(id)), quantity: 50, reason: '再加量' }
    expect((await done(calls.addStock, over)).status).toBe('auditing')
    expect(await rowOf(id)).toMatchObject({ total: 200, budget_cents: 4_000_00 })
    expect(await rule(claim(id))).toBe('not_given')
    // Withdrawn, it is still one that was approved: nothing else of it may be written.
    await done(calls.withdraw, await held(id))
    expect(await refused(calls.saveDraft, { ...(await held(id)), ...couponBody(now) })).toBe(
      'approved',
    )
    const back = { total: 100, per_member: 2, claim_end_at: now + 10 * DAY }
    await done(calls.edit, { ...(await held(id)), ...back })
    expect(await faults(calls.edit, { ...(await held(id)), ...back, total: 99 })).toEqual(['total'])
  })
  it('is paused and resumed, extended, ended for good', async () => {
    const id = await running()
    await done(calls.pause, { ...(await held(id)), reason: '门店装修' })
    expect(await rule(claim(id))).toBe('not_given')
    expect(await refused(calls.pause, { ...(await held(id)), reason: '再停' })).toBe('wrong_state')
    await done(calls.resume, await held(id))
    expect(await rule(claim(id))).toBe('done')
    await done(calls.extend, { ...(await held(id)), claim_end_at: now + 12 * DAY })
    expect(await faults(calls.extend, { ...(await held(id)), claim_end_at: now + DAY })).toEqual([
      'claim_end_at',
    ])
    await done(calls.end, { ...(await held(id)), reason: '活动提前结束' })
    expect([(await rowOf(id)).status, await rule(claim(id))]).toEqual(['ended', 'not_given'])
    expect((await lastLog(id)).reason).toBe('活动提前结束')
    expect(await refused(calls.resume, await held(id))).toBe('wrong_state')
  })
  it('made void takes back what nobody used, and nothing else', async () => {
    const id = await running()
    for (let n = 0; n < 4; n++) await claim(id)
    const grants = await desk.database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.coupon_id, id))
      .orderBy(coupon_grant.id)
    const turn = (at: number, status: 'locked' | 'used') =>
      desk.database.db
        .update(coupon_grant)
        .set({ status })
        .where(eq(coupon_grant.id, grants[at]!.id))
    await turn(0, 'locked')
    await turn(1, 'used')
    const said = await done(calls.void, {
      ...(await held(id)),
      reason: '配置错误',
      revoke_unused: true,
    })
    expect(said.revoked).toBe(2)
    const after = await done(calls.detail, { id })
    expect(after.pieces).toMatchObject({ unused: 0, locked: 1, used: 1, revoked: 2 })
    expect((await rowOf(id)).claimed_count).toBe(4)
    await desk.database.db.delete(coupon_grant).where(eq(coupon_grant.coupon_id, id))
    const kept = await running()
    await claim(kept)
    await done(calls.void, { ...(await held(kept)), reason: '改用新券', revoke_unused: false })
    expect((await done(calls.detail, { id: kept })).pieces).toMatchObject({ unused: 1, revoked: 0 })
  })
  it('several are paused at once, each with its answer', async () => {
    const [a, b] = [await running(), await draft()]
    const said = await done(calls.batchPause, { ids: [a, b], reason: '系统维护' })
    expect([said.ok, said.failed.map((one: { id: number }) => one.id)]).toEqual([[a], [b]])
  })
})

describe('a copy', () => {
  it('keeps its source, has another name, and stays in its scope', async () => {
    const source = await running()
    expect(await faults(calls.saveDraft, { ...couponBody(now), copy_from_id: source })).toEqual([
      'name',
    ])
    const body = couponBody(now, { name: '测试满减券（2）', copy_from_id: source })
    const { id } = await done(calls.saveDraft, body)
    expect(await rowOf(id)).toMatchObject({
      copy_from_id: source,
      claimed_count: 0,
      status: 'draft',
    })
    const [of, from] = [await done(calls.detail, { id }), await done(calls.detail, { id: source })]
    expect([of.source.id, from.copies]).toEqual([source, 1])
    expect(await refused(mallCoupons.saveDraft, body)).toBe('other_scope')
  })
  it('is told what is gone of what it is for', async () => {
    const owner = await freshMerchant(desk.database)
    const closed = await freshStore(desk.database, owner, { status: 'closed' })
    const id = await draft({ apply_kind: 'store', apply_ids: [closed.id, 2_000_000_000] })
    const { dead, applies } = await done(calls.detail, { id })
    expect(dead.map((one: { id: number }) => one.id)).toEqual([closed.id, 2_000_000_000])
    expect(applies[0].name).toBe(closed.name)
  })
})

describe('whose coupons they are', () => {
  it('those of the e-mall are not among those of stores, nor the other way round', async () => {
    const [local, ecom] = [await running(), await running({}, mallCoupons)]
    expect((await call(mallCoupons.detail, { id: local })).status).toBe(404)
    expect((await call(calls.pause, { ...(await held(ecom)), reason: '不是我' })).status).toBe(404)
    expect(
      (await call(calls.grant, { id: ecom, member_ids: [1], quantity: 1, reason: '不行' })).status,
    ).toBe(404)
    const here = await done(calls.lst, { keyword: String(ecom) })
    expect(here.list.map((row: { id: number }) => row.id)).not.toContain(ecom)
    expect(await faults(mallCoupons.send, couponBody(now, { kind: 'exchange' }))).toContain('kind')
  })
  it('who has a city changes what is good there alone', async () => {
    const { token } = await addStaff(desk.database, {
      perms: ['coupon.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const [here, there, all] = [
      await running({ city_ids: [2] }),
      await running({ city_ids: [1] }),
      await running(),
    ]
    const pause = async (id: number) =>
      call(calls.pause, { ...(await held(id)), reason: '测试暂停' }, token)
    expect((await pause(here)).status).toBe(200)
    expect((await pause(there)).status).toBe(404)
    expect((await pause(all)).data.rule).toBe('other_cities')
    expect((await call(calls.detail, { id: all }, token)).status).toBe(200)
    expect((await call(calls.saveDraft, couponBody(now), token)).data.rule).toBe('other_cities')
    const { id: near } = await freshMember(desk.database, { city_id: 2 })
    const { id: far } = await freshMember(desk.database, { city_id: 1 })
    const gift = { id: await running({ city_ids: [2] }), quantity: 1, reason: '定向发放' }
    const given = await done(calls.grant, { ...gift, member_ids: [near, far] }, token)
    expect([given.ok, given.failed]).toMatchObject([[near], [{ id: far, code: '404' }]])
    const ids = (await done(calls.lst, { pageSize: 200 }, token)).list.map(
      (row: { id: number }) => row.id,
    )
    expect([ids.includes(here), ids.includes(there), ids.includes(all)]).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('what is tried on an order', () => {
  it('is what checkout takes off it, and changes nothing', async () => {
    const { rows } = await desk.database.pool.query<{ id: number; sum: string }>(
      `select o.id, sum(i.price_cents * i.qty) as sum from "order" o join order_item i on i.order_id = o.id join product p on p.id = i.product_id where o.kind = 'bulks' and o.member_id is not null and o.city_id = 1 and jsonb_array_length(to_jsonb(p.store_ids)) > 0 group by o.id having count(*) = 1 and sum(i.price_cents * i.qty) > 3000 order by o.id limit 1`,
    )
    const { id: order_id, sum } = rows[0]!
    const before = await desk.database.db.$count(coupon_grant)
    const shared = { platform_share_bp: 7000, merchant_share_bp: 3000 }
    const body = couponBody(now, { face_cents: 10_01, threshold_cents: 20_00, ...shared })
    const said = await done(calls.simulate, { ...body, order_id })
    expect(said).toMatchObject({
      order_id,
      discount_cents: 10_01,
      platform_cents: 7_01,
      merchant_cents: 3_00,
      refused: '',
    })
    expect(said.pay_cents).toBe(Number(sum) + said.freight_cents - 10_01)
    expect(said.lines.map((line: { off_cents: number }) => line.off_cents)).toEqual([10_01])
    const high = await done(calls.simulate, { ...body, threshold_cents: Number(sum) + 1, order_id })
    expect([high.discount_cents, high.refused]).toEqual([0, expect.stringContaining('可用')])
    const any = await done(calls.simulate, body)
    expect([any.refused, any.discount_cents]).toEqual(['', 10_01])
    expect((await call(calls.simulate, { ...body, order_id: 2_000_000_000 })).status).toBe(404)
    expect(await desk.database.db.$count(coupon_grant)).toBe(before)
  })
})

describe('the list', () => {
  it('counts its tabs and its cost, and filters by what it offers', async () => {
    const told = await done(calls.lst, {})
    const sum = Object.values<number>(told.stat).reduce((a, b) => a + b, 0)
    expect(sum).toBe(await desk.database.db.$count(coupon, eq(coupon.scope, 'local')))
    const { rows } = await desk.database.pool.query<{ cents: string }>(
      `select coalesce(sum(g.discount_cents), 0) cents from coupon_grant g join coupon c on c.id = g.coupon_id where g.status = 'used' and c.scope = 'local' and g.order_no is not null`,
    )
    expect(told.cost_cents).toBe(Number(rows[0]!.cents))
    const id = await running({
      apply_kind: 'mall',
      apply_ids: [3],
      platform_share_bp: 4000,
      merchant_share_bp: 6000,
      consent_no: 'HT-1',
    })
    const finds = async (filter: object) =>
      (await done(calls.lst, { pageSize: 200, ...filter })).list.some(
        (row: { id: number }) => row.id === id,
      )
    for (const filter of [
      { mid: 3 },
      { bearer: 'both' },
      { apply_kind: 'mall' },
      { kind: 'full_reduce' },
      { claim_kind: 'claim' },
      { created_by: desk.maker.id },
      { status: 'active' },
    ])
      expect([filter, await finds(filter)]).toEqual([filter, true])
    for (const filter of [{ mid: 4 }, { bearer: 'platform' }, { store_id: 3 }, { kind: 'direct' }])
      expect([filter, await finds(filter)]).toEqual([filter, false])
    const owner = await freshMerchant(desk.database)
    const outside = await freshStore(desk.database, owner, { mall_id: 0 })
    const street = await running({ apply_kind: 'store', apply_ids: [outside.id] })
    const ids = (await done(calls.lst, { pageSize: 200, mid: 0 })).list.map(
      (row: { id: number }) => row.id,
    )
    expect([ids.includes(street), ids.includes(id)]).toEqual([true, false])
    const people = await done(calls.creators, {})
    expect(people.list.map((one: { id: number }) => one.id)).toContain(desk.maker.id)
  })
})
