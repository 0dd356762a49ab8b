import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { PIECES_A_PAGE } from '#src/areas/coupon/memberCoupons.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import type { Result } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { couponApp as calls } from '#src/modules/coupon/contract/app.ts'
import { send } from '../../help/app.ts'
import { couponDesk } from '../../help/couponDesk.ts'
import { freshMember } from '../../help/members.ts'
import { openMiniProgram } from '../../help/miniProgram.ts'
import { freshProduct } from '../../help/trade.ts'

const desk = couponDesk()
const { rowOf, running } = desk
let phone: Awaited<ReturnType<typeof openMiniProgram>>
let deal: typeof product.$inferSelect
const now = unixNow()
beforeAll(async () => {
  phone = await openMiniProgram(desk.database)
  const { item } = await desk.database.transaction(tx => freshProduct(tx, 'bulks'))
  await desk.database.db.execute(sql`delete from product_sku where product_id = ${item.id}`)
  const [sold] = await desk.database.db
    .update(product)
    .set({
      stock: 1000,
      held: 0,
      price_cents: 60_00,
      sale_start_at: now - DAY,
      sale_end_at: now + 90 * DAY,
      check_end_at: now + 100 * DAY,
    })
    .where(eq(product.id, item.id))
    .returning()
  deal = sold!
})
/** A member of a test's own at their phone; nobody is signed in. */
const atPhone = async (of: Parameters<typeof freshMember>[1] = {}) => {
  const { id } = await freshMember(desk.database, of)
  const ticket = await phone.enter(id)
  const ask = async <C extends (typeof calls)[keyof typeof calls]>(call: C, input: object) => {
    const said = await send(phone.app, call, { ticket, ...input })
    expect(said.status, said.message).toBe(200)
    return said.data as Result<C>
  }
  const claim = (coupon_id: number) => ask(calls.claim, { coupon_id })
  const lines = (qty: number) => ({ lines: [{ product_id: deal.id, qty }] })
  return { id, ask, claim, mine: () => ask(calls.mine, {}), lines }
}

describe('a member', () => {
  it('claims a coupon and has it among their own', async () => {
    const me = await atPhone()
    const id = await running({ name: '手机领取券' })
    const said = await me.claim(id)
    expect(said).toMatchObject({
      state: 'claimed',
      why: '',
      piece: { coupon_id: id, name: '手机领取券', face_cents: 20_00, status: 'unused' },
    })
    expect(await me.mine()).toEqual({ state: 'ok', list: [said.piece], next: null })
    const [row] = await desk.database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.id, said.piece!.id))
    expect(row).toMatchObject({ member_id: me.id, grant_kind: 'claim', code: said.piece!.code })
    expect((await rowOf(id)).claimed_count).toBe(1)
  })
  it('is told why there is none, and nothing is left of it', async () => {
    const me = await atPhone()
    const state = async (id: number) => {
      const said = await me.claim(id)
      expect([said.why === '', said.piece]).toEqual([said.state === 'claimed', null])
      return said.state
    }
    const once = await running({ per_member: 1 })
    expect((await me.claim(once)).state).toBe('claimed')
    expect(await state(once)).toBe('limit')
    expect((await rowOf(once)).claimed_count).toBe(1)
    const gone = await running()
    await desk.database.db.update(coupon).set({ claimed_count: 100 }).where(eq(coupon.id, gone))
    const later = await running({ claim_start_at: now + DAY })
    const given = await running({ claim_kind: 'admin' })
    const golden = await running({ level_ids: [5] })
    expect([
      await state(gone),
      await state(later),
      await state(given),
      await state(golden),
      await state(2_147_483_647),
    ]).toEqual(['sold_out', 'closed', 'refused', 'refused', 'refused'])
    expect((await me.mine()).list).toHaveLength(1)
    const barred = await atPhone({ benefits_frozen: true })
    expect((await barred.claim(gone)).state).toBe('sold_out')
    expect((await barred.claim(once)).state).toBe('refused')
  })
  it('reads their own page by page, and those alone that may be used', async () => {
    const me = await atPhone()
    const many = await running({ per_member: 60 })
    const ids: number[] = []
    for (let n = 0; n < PIECES_A_PAGE + 2; n++) ids.unshift((await me.claim(many)).piece!.id)
    const first = await me.mine()
    expect([first.list.map(one => one.id), first.next]).toEqual([
      ids.slice(0, PIECES_A_PAGE),
      ids[PIECES_A_PAGE - 1],
    ])
    const rest = await me.ask(calls.mine, { before: first.next })
    expect([rest.list.map(one => one.id), rest.next]).toEqual([ids.slice(PIECES_A_PAGE), null])
    // The second piece has ended, but the timer has not marked it yet.
    await desk.database.db
      .update(coupon_grant)
      .set({ start_at: now - 2 * DAY, end_at: now - 1 })
      .where(eq(coupon_grant.id, ids[0]!))
    expect((await me.mine()).list[0]).toMatchObject({ id: ids[0], status: 'expired' })
    const usable = await me.ask(calls.mine, { usable: true })
    expect(usable.list.map(one => one.id)).toEqual(ids.slice(1, PIECES_A_PAGE + 1))
    expect((await (await atPhone()).mine()).list).toEqual([])
  })
  it('is told what each would take off a basket, as the order then does', async () => {
    const me = await atPhone()
    const [small, large, never] = [
      await running({ threshold_cents: 100_00, face_cents: 20_00 }),
      await running({ threshold_cents: 150_00, face_cents: 30_00 }),
      await running({ apply_kind: 'product', apply_ids: [2_000_000_000] }),
    ]
    const [a, b, c] = [await me.claim(small), await me.claim(large), await me.claim(never)]
    const tried = await me.ask(calls.tryOn, me.lines(2))
    expect([tried.state, tried.total_cents]).toEqual(['ok', 120_00])
    expect(tried.pieces.map(one => [one.id, one.off_cents, one.why === ''])).toEqual([
      [a.piece!.id, 20_00, true],
      [b.piece!.id, 0, false],
      [c.piece!.id, 0, false],
    ])
    const made = await desk.database.transaction(tx =>
      placeOrder(tx, {
        member_id: me.id,
        product_id: deal.id,
        qty: 2,
        coupon_grant_id: a.piece!.id,
        proved: true,
        now: unixNow(),
      }),
    )
    expect(made.pay_cents).toBe(120_00 - 20_00)
    // What an order has taken is tried no more; the dearer one fits a larger basket.
    const more = await me.ask(calls.tryOn, me.lines(3))
    expect(more.pieces.map(one => one.off_cents)).toEqual([30_00, 0])
    const none = {
      lines: [
        { product_id: deal.id, qty: 1 },
        { product_id: 2_000_000_000, qty: 1 },
      ],
    }
    expect(await me.ask(calls.tryOn, none)).toEqual({
      state: 'refused',
      total_cents: 0,
      pieces: [],
    })
  })
  it('is nobody without a ticket', async () => {
    const ask = async (call: (typeof calls)[keyof typeof calls], input: object) =>
      (await send(phone.app, call, { ticket: 'x.y.z', ...input })).data
    expect(await ask(calls.claim, { coupon_id: 1 })).toMatchObject({ state: 'none', piece: null })
    expect(await ask(calls.mine, {})).toEqual({ state: 'none', list: [], next: null })
    expect(await ask(calls.tryOn, { lines: [{ product_id: 1, qty: 1 }] })).toMatchObject({
      state: 'none',
    })
  })
})
