import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { bookGrowth } from '#src/areas/level/growth.server.ts'
import { growth_ledger } from '#src/areas/level/level.table.ts'
import { member_adjust, member_tag } from '#src/areas/member/care.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { ADJUST_ALONE } from '#src/areas/member/member.ts'
import { MOVES, STAYS } from '#src/areas/member/merging.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { freezePoints, returnPoints, spendFrozen } from '#src/areas/points/orderPoints.server.ts'
import { adjustPoints, earnPoints } from '#src/areas/points/points.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { takeBackEarned } from '#src/areas/points/reversing.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { membersPage as calls } from '#src/modules/vip/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { grantOf } from '../../help/coupons.ts'
import { freshMember } from '../../help/members.ts'
import { freshProduct } from '../../help/trade.ts'

type What = Parameters<typeof send>[1]
type Who = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let boss: Who
let other: Who
const now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const role = { field_rules: { 'member.phone': 'show' as const } }
  boss = await addStaff(database, { perms: ['vip.*'], role })
  other = await addStaff(database, { perms: ['vip.*'] })
})
const call = (what: What, input: object, as = boss) => send(app, what, input, { token: as.token })
const done = async (what: What, input: object, as = boss) => {
  const said = await call(what, input, as)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, as = boss) => {
  const said = await call(what, input, as)
  return [said.status, said.data?.rule]
}
const read = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await read(id)).version })
const reason = '活动漏发，核实后补发'
let given = 0
const fund = async (id: number, of: { points?: number; growth?: number }) => {
  const row = { member_id: id, biz_no: `TMQ${++given}`, operator_id: boss.id, now }
  if (of.points)
    await database.transaction(tx => adjustPoints(tx, { ...row, delta: of.points!, reason }))
  if (of.growth)
    await database.transaction(tx => bookGrowth(tx, { ...row, delta: of.growth!, kind: 'admin' }))
}
const waitingOf = async (id: number) =>
  (
    await database.db
      .select()
      .from(member_adjust)
      .where(and(eq(member_adjust.member_id, id), eq(member_adjust.state, 'pending')))
  )[0]!

describe('the list of members', () => {
  const found = async (input: object, as = boss) =>
    (await done(calls.lst, { page: 1, pageSize: 50, ...input }, as)).list as {
      id: number
      [key: string]: unknown
    }[]
  it('finds one by the whole phone, the number, the id or how the nickname begins', async () => {
    const row = await freshMember(database, { nickname: '龘龘Q🌸' })
    for (const keyword of [row.phone, row.uid, row.uid.toLowerCase(), row.nickname.slice(0, -2)])
      expect((await found({ keyword })).map(one => one.id)).toContain(row.id)
    expect((await found({ member_id: row.id })).map(one => one.id)).toEqual([row.id])
  })
  it('hides the phone from whoever may not see it, and shows it for a reason that is logged', async () => {
    const row = await freshMember(database)
    const [shown] = await found({ member_id: row.id }, other)
    expect(shown!['phone']).not.toBe(row.phone)
    expect((await done(calls.revealPhone, { id: row.id, reason }, other)).phone).toBe(row.phone)
  })
  it('filters by points, growth, membership, visits and what is frozen or owed', async () => {
    const row = await freshMember(database, {
      vip_end_at: now + 5 * DAY,
      last_visit_at: now - 3 * DAY,
      benefits_frozen: true,
      register_source: 'h5',
    })
    const poor = await freshMember(database, { points_debt: 30 })
    const ids = async (input: object, of = row) =>
      (await found({ keyword: of.uid, ...input })).map(one => one.id)
    for (const input of [
      { vip: 'now' },
      { vip: 'soon' },
      { quick: 'vip' },
      { quick: 'frozen' },
      { visited: 'week' },
      { ordered: 'never' },
      { points: 'none' },
      { growth: 'none' },
      { register_source: 'h5' },
      { account_state: 'normal' },
      { level: 0 },
    ])
      expect(await ids(input), JSON.stringify(input)).toEqual([row.id])
    for (const input of [{ vip: 'over' }, { quick: 'debt' }, { points: 'some' }, { level: 3 }])
      expect(await ids(input), JSON.stringify(input)).toEqual([])
    expect(await ids({ quick: 'debt' }, poor)).toEqual([poor.id])
  })
  it('shows what hangs on a member', async () => {
    const row = await freshMember(database)
    await fund(row.id, { points: 120, growth: 40 })
    await grantOf(database.db, { member_id: row.id, now })
    const side = await done(calls.side, { id: row.id })
    expect(side).toMatchObject({ coupons_unused: 1, orders: [], sellers: [], devices: [] })
    expect(side.points[0]).toMatchObject({ delta: 120, balance_after: 120 })
    expect(side.growth[0]).toMatchObject({ delta: 40, balance_after: 40 })
  })
})

describe('accounts of one phone', () => {
  it('are shown side by side, but for those that went already', async () => {
    const a = await freshMember(database)
    expect((await done(calls.side, { id: a.id })).twins).toEqual([])
    const b = await freshMember(database, { phone: a.phone, points_debt: 4 })
    await freshMember(database, { phone: a.phone, account_state: 'canceled' })
    const { twins } = await done(calls.side, { id: a.id })
    expect(twins.map((row: { id: number }) => row.id)).toEqual([a.id, b.id])
    expect(twins[1]).toMatchObject({ uid: b.uid, points_debt: 4 })
  })
})

describe('an adjustment', () => {
  it('is booked at once up to what one person may do alone', async () => {
    const { id } = await freshMember(database)
    const points_delta = ADJUST_ALONE
    expect(
      await done(calls.adjustPoints, { ...(await one(id)), points_delta, reason }),
    ).toMatchObject({ waits: false })
    await done(calls.adjustGrowth, { ...(await one(id)), growth_delta: 300, reason })
    expect(await read(id)).toMatchObject({ points: ADJUST_ALONE, growth: 300 })
    await done(calls.adjustPoints, { ...(await one(id)), points_delta: -1000, reason })
    expect(await read(id)).toMatchObject({ points: ADJUST_ALONE - 1000 })
  })
  it('never takes more than there is', async () => {
    const { id } = await freshMember(database)
    await fund(id, { points: 50, growth: 50 })
    for (const [what, field] of [
      [calls.adjustPoints, 'points_delta'],
      [calls.adjustGrowth, 'growth_delta'],
    ] as const)
      expect((await rule(what, { ...(await one(id)), [field]: -51, reason }))[0]).toBe(422)
    expect(await read(id)).toMatchObject({ points: 50, growth: 50 })
  })
  it('gives nothing to a member whose benefits are frozen, and may still take', async () => {
    const { id } = await freshMember(database)
    await fund(id, { points: 50 })
    await done(calls.freezeBenefits, { ...(await one(id)), reason })
    expect(
      await rule(calls.adjustPoints, { ...(await one(id)), points_delta: 10, reason }),
    ).toEqual([422, 'benefits_frozen'])
    await done(calls.adjustPoints, { ...(await one(id)), points_delta: -20, reason })
    expect((await read(id)).points).toBe(30)
    await done(calls.unfreezeBenefits, { ...(await one(id)), reason })
    await done(calls.adjustPoints, { ...(await one(id)), points_delta: 10, reason })
  })
  it('of more waits for another person than asked for it', async () => {
    const { id } = await freshMember(database)
    const big = { points_delta: ADJUST_ALONE + 1, reason }
    expect(await done(calls.adjustPoints, { ...(await one(id)), ...big })).toMatchObject({
      waits: true,
    })
    expect((await read(id)).points).toBe(0)
    expect(await rule(calls.adjustPoints, { ...(await one(id)), ...big })).toEqual([
      422,
      'wrong_state',
    ])
    const { id: ask, version } = await waitingOf(id)
    expect(await rule(calls.approveAdjust, { id: ask, version })).toEqual([422, 'not_decidable'])
    await done(calls.approveAdjust, { id: ask, version }, other)
    expect((await read(id)).points).toBe(ADJUST_ALONE + 1)
    expect((await call(calls.approveAdjust, { id: ask, version }, other)).http).toBe(409)
  })
  it('is turned down with a reason, and nothing is booked', async () => {
    const { id } = await freshMember(database)
    await done(calls.adjustGrowth, { ...(await one(id)), growth_delta: 20_000, reason })
    const { id: ask, version } = await waitingOf(id)
    await done(calls.rejectAdjust, { id: ask, version, reason: '请附活动规则' }, other)
    expect((await read(id)).growth).toBe(0)
    expect(await waitingOf(id)).toBeUndefined()
  })
  it('is decided once, of two who decide at once', async () => {
    const third = await addStaff(database, { perms: ['vip.*'] })
    const { id } = await freshMember(database)
    await done(calls.adjustPoints, { ...(await one(id)), points_delta: 20_000, reason })
    const { id: ask, version } = await waitingOf(id)
    const said = await Promise.all([
      call(calls.approveAdjust, { id: ask, version }, other),
      call(calls.rejectAdjust, { id: ask, version, reason: '不合规则' }, third),
    ])
    expect(said.map(one => one.status).filter(status => status === 200)).toHaveLength(1)
    const [kept] = await database.db.select().from(member_adjust).where(eq(member_adjust.id, ask))
    expect((await read(id)).points).toBe(kept!.state === 'posted' ? 20_000 : 0)
  })
})

describe('a level', () => {
  it('is set until a day, and not one that the rules do not have', async () => {
    const { id } = await freshMember(database)
    const until = { keep_until_at: now + 30 * DAY, reason }
    const said = await call(calls.changeLevel, { ...(await one(id)), level: 2, ...until })
    expect(said.status, said.message).toBe(200)
    expect((await read(id)).level).toBe(2)
    expect(
      (
        await rule(calls.changeLevel, {
          ...(await one(id)),
          level: 1,
          reason,
          keep_until_at: now - 1,
        })
      )[0],
    ).toBe(422)
  })
})

describe('tags', () => {
  it('are set by name, once each, and taken off many at a time', async () => {
    const [a, b] = [await freshMember(database), await freshMember(database)]
    const name = `标签${String(Date.now()).slice(-6)}`
    await done(calls.setTags, { ...(await one(a.id)), tag_ids: [], new_tag: name })
    await done(calls.setTags, { ...(await one(b.id)), tag_ids: [], new_tag: ` ${name} ` })
    const made = await database.db.select().from(member_tag).where(eq(member_tag.name, name))
    expect(made).toHaveLength(1)
    const tag_ids = [made[0]!.id]
    const tagged = async () =>
      (await done(calls.lst, { page: 1, pageSize: 50, tag_id: tag_ids[0] })).list.map(
        (row: { id: number }) => row.id,
      )
    expect((await tagged()).toSorted()).toEqual([a.id, b.id].toSorted())
    const ids = [a.id, b.id]
    expect(await done(calls.batchSetTags, { ids, tag_ids, how: 'remove' })).toMatchObject({
      failed: [],
      job_id: null,
    })
    expect(await tagged()).toEqual([])
    expect(await rule(calls.batchSetTags, { ids, tag_ids: [2_000_000_000], how: 'add' })).toEqual([
      422,
      'no_tag',
    ])
  })
})

describe('a coupon', () => {
  const couponOf = async () =>
    (await grantOf(database.db, { member_id: (await freshMember(database)).id, now })).coupon_id
  it('is given within its limits, and tells each who may not have it', async () => {
    const [a, b] = [
      await freshMember(database),
      await freshMember(database, { account_state: 'banned' }),
    ]
    const of = { coupon_id: await couponOf(), quantity: 1, reason }
    const said = await done(calls.batchGrantCoupon, { ids: [a.id, b.id], ...of })
    expect(said).toMatchObject({ ok: [a.id], failed: [{ id: b.id }], job_id: null })
    expect(await rule(calls.grantCoupon, { id: a.id, ...of })).toEqual([422, 'per_member'])
  })
  it('is a job for very many', async () => {
    const ids = Array.from({ length: 501 }, (_, at) => at + 1)
    const of = { coupon_id: await couponOf(), quantity: 1, reason }
    expect((await done(calls.batchGrantCoupon, { ids, ...of })).job_id).toBeGreaterThan(0)
  })
})

describe('a merge', () => {
  const merged = async (from: number, to: number) => ({
    ...(await one(from)),
    target_member_id: to,
    typed_uid: (await read(from)).uid,
    reason: '同一人两个账号',
  })
  const sums = async (ids: readonly number[]) => {
    const { rows } = await database.db.execute(
      sql`select sum(points)::int points, sum(growth)::int growth, sum(total_paid_cents)::bigint paid,
        sum(order_count)::int orders from member where id in ${ids}`,
    )
    return rows[0]
  }
  it('moves all there is, and loses no cent and no point', async () => {
    const [from, to] = [await freshMember(database), await freshMember(database)]
    await fund(from.id, { points: 700, growth: 90 })
    await fund(to.id, { points: 300, growth: 10 })
    const grant = await grantOf(database.db, { member_id: from.id, now })
    const { item } = await freshProduct(database.db)
    const made = await database.transaction(tx =>
      placeOrder(tx, { proved: true, product_id: item.id, qty: 1, member_id: from.id, now }),
    )
    await database.transaction(tx => payOrder(tx, made.id, now))
    const before = await sums([from.id, to.id])
    const rows = async (id: number) => [
      ...(await database.db.select().from(points_ledger).where(eq(points_ledger.member_id, id))),
      ...(await database.db.select().from(growth_ledger).where(eq(growth_ledger.member_id, id))),
    ]
    const history = await rows(from.id)
    await done(calls.merge, await merged(from.id, to.id))
    expect(await sums([from.id, to.id])).toEqual(before)
    expect(await read(from.id)).toMatchObject({
      account_state: 'merged',
      merged_into: to.id,
      points: 0,
      growth: 0,
      total_paid_cents: 0,
      order_count: 0,
    })
    expect(await read(to.id)).toMatchObject({
      points: before!['points'],
      growth: before!['growth'],
      total_paid_cents: made.pay_cents,
      order_count: 1,
      last_order_at: now,
    })
    // What was written stays as it was written.
    expect((await rows(from.id)).slice(0, 1)).toMatchObject([{ id: history[0]!.id, delta: 700 }])
    const [held] = await database.db.select().from(order).where(eq(order.id, made.id))
    expect(held!.member_id).toBe(to.id)
    const [kept] = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.id, grant.id))
    expect(kept!.member_id).toBe(to.id)
    expect(
      await rule(calls.adjustPoints, { ...(await one(from.id)), points_delta: 1, reason }),
    ).toEqual([422, 'wrong_state'])
  })
  it('is followed by what comes back, and by what is taken back, of earlier orders', async () => {
    const [from, to] = [await freshMember(database), await freshMember(database)]
    const [biz_no, order_no] = [`M${from.id}`, `O${from.id}`]
    const earning = { biz_kind: 'activity', biz_no, points: 300, title: '活动', now } as const
    await database.transaction(tx => earnPoints(tx, { ...earning, member_id: from.id }))
    const { item } = await freshProduct(database.db)
    const { id: order_id } = await database.transaction(tx =>
      placeOrder(tx, { proved: true, product_id: item.id, qty: 1, member_id: from.id, now }),
    )
    await database.transaction(async tx => {
      const bought = { id: order_id, order_no, kind: 'bulks' }
      await freezePoints(tx, { member_id: from.id, points: 100, order: bought, now })
      await spendFrozen(tx, { order_id, now })
    })
    await done(calls.merge, await merged(from.id, to.id))
    const back = await database.transaction(tx =>
      returnPoints(tx, { order_id, points: 100, biz_no: `R${from.id}`, now }),
    )
    expect([back, (await read(from.id)).points, (await read(to.id)).points]).toEqual([100, 0, 300])
    const taken = await database.transaction(tx =>
      takeBackEarned(tx, { biz_kind: 'activity', biz_no, why: '活动取消', now }),
    )
    expect([taken, (await read(from.id)).points, (await read(to.id)).points]).toEqual([300, 0, 0])
    const { rows } = await database.db.execute(
      sql`select sum(remain)::int left from points_lot where member_id in ${[from.id, to.id]}`,
    )
    expect(rows).toEqual([{ left: 0 }])
  })
  it('is refused with itself, of two paid members, and without its number', async () => {
    const vip_end_at = now + 30 * DAY
    const [a, b, c] = [
      await freshMember(database, { vip_end_at }),
      await freshMember(database, { vip_end_at }),
      await freshMember(database),
    ]
    expect(await rule(calls.merge, await merged(a.id, a.id))).toEqual([422, 'itself'])
    expect(await rule(calls.merge, await merged(a.id, b.id))).toEqual([422, 'both_vip'])
    expect(await rule(calls.merge, await merged(a.id, c.id))).toEqual([422, 'vip_goes'])
    expect(await rule(calls.merge, { ...(await merged(c.id, a.id)), typed_uid: a.uid })).toEqual([
      422,
      'typed_other',
    ])
    await done(calls.merge, await merged(c.id, a.id))
  })
  it('goes one way, of two that go into each other at once', async () => {
    const [a, b] = [await freshMember(database), await freshMember(database)]
    await fund(a.id, { points: 10 })
    await fund(b.id, { points: 20 })
    const said = await Promise.all([
      call(calls.merge, await merged(a.id, b.id)),
      call(calls.merge, await merged(b.id, a.id), other),
    ])
    expect(said.filter(one => one.status === 200)).toHaveLength(1)
    const points = [await read(a.id), await read(b.id)].map(row => row.points)
    expect(points.toSorted((x, y) => x - y)).toEqual([0, 30])
  })
  it('knows of every reference to a member whether it goes along', async () => {
    const { rows } = await database.db.execute<{ place: string }>(sql`
      select distinct conrelid::regclass::text || '.' || a.attname as place from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'member'::regclass order by 1`)
    const placed = new Set([...MOVES, ...STAYS].map(([table, column]) => `${table}.${column}`))
    expect(
      rows.map(row => row.place.replaceAll('"', '')).filter(place => !placed.has(place)),
    ).toEqual([])
  })
})
