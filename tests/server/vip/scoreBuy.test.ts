import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { points_due, points_ledger } from '#src/areas/points/points.table.ts'
import { settleDue } from '#src/areas/points/settling.server.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { rateAtFirst } from '#src/areas/pointsRule/rule.ts'
import { product } from '#src/areas/product/product.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { scoreBuy as calls, type BuyRow } from '#src/modules/vip/contract/scoreBuy.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { finishPayouts } from '../../help/orders.ts'
import { membersOf } from '../../help/redeem.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let item: typeof product.$inferSelect
const exclude = { shop_category: [], e_category: [], store: [] }
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['vip.score.buy.*'] })
  const now = unixNow()
  await database.db.delete(points_due)
  await database.db.delete(points_rule).where(eq(points_rule.kind, 'buy'))
  await database.db.insert(points_rule).values([
    {
      kind: 'buy',
      name: '测试消费积分',
      config: { kinds: ['voucher'], at: 'used', exclude },
      status: 'on',
    },
    { kind: 'rate', name: '测试比例', config: rateAtFirst, status: 'on', effective_at: now - 7200 },
  ])
  const made = await database.transaction(tx => freshProduct(tx, 'voucher'))
  const [row] = await database.db
    .update(product)
    .set({
      stock: 10_000,
      sale_start_at: now - 9 * DAY,
      sale_end_at: now + 90 * DAY,
      check_start_at: now - 9 * DAY,
      check_end_at: now + 120 * DAY,
      valid_days: 30,
    })
    .where(eq(product.id, made.item.id))
    .returning()
  item = row!
}, 120_000)
const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
const bought = async (qty = 2, more: object = {}) => {
  const [who] = await membersOf(database)
  const now = unixNow() - 600
  const made = await database.transaction(async tx => {
    const one = await placeOrder(tx, {
      proved: true,
      product_id: item.id,
      qty,
      member_id: who!.id,
      now,
      ...more,
    })
    await payOrder(tx, one.id, now)
    return one
  })
  return { id: made.id, order_no: made.order_no, member_id: who!.id }
}
const use = async (order_id: number, n: number) => {
  const codes = await database.db.select().from(order_code).where(eq(order_code.order_id, order_id))
  for (const code of codes.slice(0, n))
    await database.transaction(tx =>
      redeem(tx, { code_id: code.id, store_id: item.store_ids[0]!, now: unixNow() - 300 }),
    )
}
const settle = () => settleDue(database, unixNow() + 60)
/** What spending has given a member; a level that is reached gives points too. */
const pointsOf = async (id: number) =>
  (
    await database.db
      .select()
      .from(points_ledger)
      .where(and(eq(points_ledger.member_id, id), eq(points_ledger.biz_kind, 'buy')))
  ).reduce((sum, row) => sum + row.delta, 0)
const paidOf = async (id: number) =>
  (await database.db.select().from(order).where(eq(order.id, id)))[0]!
const rule = async () =>
  ((await call(calls.lst, {})).data as { list: BuyRow[] }).list.find(
    row => row.name === '测试消费积分',
  )!

describe('an order', () => {
  it('earns once, after it is used, as its trial said', async () => {
    const { id, order_no, member_id } = await bought()
    await settle()
    expect(await pointsOf(member_id)).toBe(0)
    expect((await call(calls.testOrder, { order_no })).data).toMatchObject({
      waits: true,
      booked: null,
      member: { id: member_id },
    })
    await use(id, 2)
    await settle()
    const due = Math.floor((await paidOf(id)).paid_cents / 100)
    expect(due).toBeGreaterThan(0)
    expect(await pointsOf(member_id)).toBe(due)
    await settle()
    expect((await call(calls.testOrder, { order_no })).data).toMatchObject({
      waits: false,
      points: due,
      booked: due,
    })
    const said = await call(calls.reissue, { order_no, reason: '会员说没到' })
    expect([said.status, said.data.rule]).toEqual([422, 'booked'])
    expect(await pointsOf(member_id)).toBe(due)
  })
  it('that can’t be booked keeps no other back, and comes again ten minutes later', async () => {
    const [bad, good] = [await bought(), await bought()]
    await use(bad.id, 2)
    await use(good.id, 2)
    await database.pool.query(`
      create function planted() returns trigger language plpgsql as
        $$ begin raise exception 'planted'; end $$;
      create trigger planted before insert on points_ledger for each row
        when (new.order_id = ${bad.id}) execute function planted()`)
    await expect(settle()).rejects.toThrow()
    await database.pool.query('drop trigger planted on points_ledger; drop function planted()')
    expect([await pointsOf(bad.member_id), (await pointsOf(good.member_id)) > 0]).toEqual([0, true])
    await settleDue(database, unixNow() + 900)
    expect(await pointsOf(bad.member_id)).toBe(await pointsOf(good.member_id))
  })
  it('that is given back in part earns by what is left, and a later refund takes its share', async () => {
    const { id, member_id } = await bought(3)
    await use(id, 2)
    const codes = await database.db.select().from(order_code).where(eq(order_code.order_id, id))
    const unused = codes.find(code => code.state === 'unused')!
    await database.transaction(tx =>
      openRefund(tx, {
        order_id: id,
        wanted: { codes: [{ id: unused.id }] },
        source: 'member',
        cause: 'compensate',
        reason: '去不了',
        actor: { type: 'member' },
        now: unixNow(),
      }),
    )
    await finishPayouts(database, unixNow() + 60)
    await settle()
    const before = await paidOf(id)
    expect([before.fulfil_state, before.refunded_cents > 0]).toEqual(['finished', true])
    expect(await pointsOf(member_id)).toBe(
      Math.floor((before.paid_cents - before.refunded_cents) / 100),
    )
    // What went back is told by the order alone, however it went back.
    await database.db
      .update(order)
      .set({ refunded_cents: before.refunded_cents + 150 })
      .where(eq(order.id, id))
    await database.db.insert(points_due).values({ order_id: id, at: 0 }).onConflictDoNothing()
    await settle()
    const left = (await paidOf(id)).refunded_cents
    expect(await pointsOf(member_id)).toBe(Math.floor((before.paid_cents - left) / 100))
    await database.db.insert(points_due).values({ order_id: id, at: 0 }).onConflictDoNothing()
    await settle()
    expect(await pointsOf(member_id)).toBe(Math.floor((before.paid_cents - left) / 100))
  })
  it('whose points were left out gets them by hand once, with who and why', async () => {
    const { id, order_no, member_id } = await bought()
    await use(id, 2)
    await database.db.delete(points_due).where(eq(points_due.order_id, id))
    const said = await call(calls.reissue, { order_no, reason: '系统漏发' })
    expect(said.status).toBe(200)
    expect(await pointsOf(member_id)).toBe(said.data.points)
    const [row] = await database.db
      .select()
      .from(points_ledger)
      .where(eq(points_ledger.biz_no, order_no))
    expect(row).toMatchObject({ operator_id: me.id, note: '系统漏发', biz_kind: 'buy' })
    const waits = await bought()
    expect(
      (await call(calls.reissue, { order_no: waits.order_no, reason: '系统漏发' })).data.rule,
    ).toBe('nothing_due')
    expect((await call(calls.testOrder, { order_no: 'NOSUCH1' })).status).toBe(404)
  })
})
describe('the rule', () => {
  it('is saved as it was read, turned off with a reason and on again', async () => {
    const was = await rule()
    const one = { id: was.id, version: was.version }
    const terms = { kinds: ['voucher'], at: 'used', daily_cap: 500, start_at: null, end_at: null }
    const saved = await call(calls.save, { ...one, ...terms })
    expect(saved.status).toBe(200)
    expect((await call(calls.save, { ...one, ...terms })).status).toBe(409)
    expect(
      (
        await call(calls.save, {
          id: one.id,
          version: saved.data.version,
          ...terms,
          start_at: 9,
          end_at: 5,
        })
      ).data.fields,
    ).toHaveProperty('end_at')
    const off = await call(calls.disable, {
      id: one.id,
      version: saved.data.version,
      reason: '预算用完',
    })
    const { order_no, id } = await bought()
    await use(id, 2)
    expect((await call(calls.testOrder, { order_no })).data.points).toBe(0)
    const on = await call(calls.enable, { id: one.id, version: off.data.version })
    expect(on.status).toBe(200)
    expect((await call(calls.testOrder, { order_no })).data.points).toBeGreaterThan(0)
    await call(calls.save, {
      id: one.id,
      version: on.data.version,
      ...terms,
      daily_cap: null,
    })
  })
  it('never overlaps another that is on', async () => {
    const [other] = await database.db
      .insert(points_rule)
      .values({
        kind: 'buy',
        name: '另一条',
        config: { kinds: ['film'], at: 'paid', exclude },
        status: 'off',
      })
      .returning()
    const said = await call(calls.enable, { id: other!.id, version: 0 })
    expect([said.status, said.data.rule, said.message]).toEqual([
      422,
      'overlaps',
      expect.stringContaining('测试消费积分'),
    ])
    await database.db.delete(points_rule).where(eq(points_rule.id, other!.id))
  })
  it('excludes a store and includes it again', async () => {
    const was = await rule()
    const scope_ids = [item.store_ids[0]!]
    const out = await call(calls.addExclusion, {
      id: was.id,
      version: was.version,
      scope: 'store',
      scope_ids,
    })
    expect(out.status).toBe(200)
    expect((await rule()).exclude.store.map(one => one.id)).toEqual(scope_ids)
    const { order_no, id } = await bought()
    await use(id, 2)
    expect((await call(calls.testOrder, { order_no })).data.points).toBe(0)
    const again = { id: was.id, version: out.data.version, scope: 'store', scope_ids }
    const back = await call(calls.removeExclusion, again)
    expect(back.status).toBe(200)
    expect(
      (await call(calls.removeExclusion, { ...again, version: back.data.version })).data.rule,
    ).toBe('not_excluded')
    expect((await call(calls.testOrder, { order_no })).data.points).toBeGreaterThan(0)
    expect(
      (
        await call(calls.addExclusion, {
          id: was.id,
          version: back.data.version,
          scope: 'store',
          scope_ids: [2_000_000_000],
        })
      ).status,
    ).toBe(404)
  })
})
