import { asc, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  bind,
  endDue,
  extend,
  releaseCustomers,
  toPool,
  unbind,
} from '#src/areas/binding/binding.server.ts'
import { dist_binding, dist_binding_ask } from '#src/areas/binding/binding.table.ts'
import { BOUND_S, LOST_S, PROTECTED_S } from '#src/areas/binding/binding.ts'
import { approveTransfer, rejectTransfer, transfer } from '#src/areas/binding/transfer.server.ts'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { bindingNow, boundTo, sellerNow, sellerOf, storeOf } from '../../help/bindings.ts'
import { membersOf } from '../../help/redeem.ts'

let database: Database
let [maker, checker] = [0, 0]
const NOW = unixNow()
const reason = '客户要求更换'
beforeAll(async () => {
  database = await openCopy()
  const people = await database.db.select({ id: admin.id }).from(admin).orderBy(admin.id).limit(2)
  ;[maker, checker] = people.map(one => one.id) as [number, number]
}, 120_000)
const as = <T>(by: number, run: (context: WriteContext) => Promise<T>, now = NOW): Promise<T> =>
  database.transaction(tx =>
    run({
      tx,
      now,
      staff: { id: by, scope: everything, lang: 'zh' },
      log: () => {},
    } as unknown as WriteContext),
  )
const inside = <T>(run: (tx: Db) => Promise<T>) => database.transaction(run)
const refused = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Refusal)
  return (error as Refusal).data['rule']
}
const askOf = async (binding_id: number) =>
  (
    await database.db
      .select()
      .from(dist_binding_ask)
      .where(eq(dist_binding_ask.binding_id, binding_id))
      .orderBy(sql`id desc`)
  )[0]!

describe('a customer is bound', () => {
  it('once in a role, for 180 days of which 30 are protected, and counted', async () => {
    const one = await sellerOf(database)
    const bound = await boundTo(database, { distributor_id: one.id, days: 0 })
    expect(bound.expire_at - bound.bind_at).toBe(BOUND_S)
    expect(bound.protect_until - bound.bind_at).toBe(PROTECTED_S)
    expect((await sellerNow(database, one.id)).customer_count).toBe(1)
    const { member_id } = bound
    expect(await refused(boundTo(database, { distributor_id: one.id, member_id }))).toBe(
      'bound_already',
    )
  })
  it('to no seller who is frozen, of another kind, or the customer', async () => {
    const frozen = await sellerOf(database, { status: 'frozen' })
    expect(await refused(boundTo(database, { distributor_id: frozen.id }))).toBe('not_bindable')
    const guide = await sellerOf(database, { kind: 'guide' })
    expect(await refused(boundTo(database, { distributor_id: guide.id }))).toBe('not_bindable')
    const own = await sellerOf(database)
    expect(
      await refused(boundTo(database, { distributor_id: own.id, member_id: own.member_id! })),
    ).toBe('not_bindable')
  })
  it('and an expert and a guide within an hour name each other; later ones do not', async () => {
    const [expert, guide] = [await sellerOf(database), await sellerOf(database, { kind: 'guide' })]
    const first = await boundTo(database, { distributor_id: expert.id, days: 3 })
    const second = await boundTo(database, {
      distributor_id: guide.id,
      member_id: first.member_id,
      role: 'guide',
      source: 'qrcode',
      days: 3,
    })
    expect(second.rival_id).toBe(first.id)
    expect((await bindingNow(database, first.id)).rival_id).toBe(second.id)
    const other = await boundTo(database, { distributor_id: expert.id, days: 9 })
    const late = await boundTo(database, {
      distributor_id: guide.id,
      member_id: other.member_id,
      role: 'guide',
      days: 8,
    })
    expect(late.rival_id).toBeNull()
  })
})

describe('a transfer', () => {
  it('ends one and begins another whose period is anew, and moves the counts', async () => {
    const [a, b] = [await sellerOf(database), await sellerOf(database)]
    const was = await boundTo(database, { distributor_id: a.id })
    const done = await as(maker, context =>
      transfer(context, was, { to_distributor_id: b.id, reason }),
    )
    const made = 'made' in done ? done.made : undefined
    expect(made).toMatchObject({
      distributor_id: b.id,
      from_id: was.id,
      maker_id: maker,
      bind_at: NOW,
      expire_at: NOW + BOUND_S,
      protect_until: NOW + PROTECTED_S,
      source: 'admin',
    })
    expect(await bindingNow(database, was.id)).toMatchObject({
      status: 'transferred',
      end_at: NOW,
      ended_by: maker,
      end_reason: reason,
    })
    expect((await sellerNow(database, a.id)).customer_count).toBe(0)
    expect((await sellerNow(database, b.id)).customer_count).toBe(1)
  })
  it('within the protection is asked for, and another person carries it out', async () => {
    const [a, b] = [await sellerOf(database), await sellerOf(database)]
    const was = await boundTo(database, { distributor_id: a.id, days: 5 })
    const go = (by: number) =>
      as(by, context => transfer(context, was, { to_distributor_id: b.id, reason }))
    expect(await go(maker)).toHaveProperty('asked')
    expect((await bindingNow(database, was.id)).status).toBe('active')
    expect(await refused(go(checker))).toBe('asked_already')
    const ask = await askOf(was.id)
    expect(await refused(as(maker, context => approveTransfer(context, ask)))).toBe('own_ask')
    await expect(
      database.db
        .update(dist_binding_ask)
        .set({ state: 'approved', checker_id: maker })
        .where(eq(dist_binding_ask.id, ask.id)),
    ).rejects.toThrow()
    const { made } = await as(checker, context => approveTransfer(context, ask))
    expect(made.distributor_id).toBe(b.id)
    expect(await askOf(was.id)).toMatchObject({
      state: 'approved',
      checker_id: checker,
      made_id: made.id,
    })
  })
  it('that was asked for is turned down, or lapses when the binding ends', async () => {
    const [a, b] = [await sellerOf(database), await sellerOf(database)]
    const was = await boundTo(database, { distributor_id: a.id, days: 5 })
    const go = () =>
      as(maker, context => transfer(context, was, { to_distributor_id: b.id, reason }))
    await go()
    const first = await askOf(was.id)
    await as(checker, context => rejectTransfer(context, { ...first, reason: '客户无异议' }))
    expect((await askOf(was.id)).state).toBe('rejected')
    await go()
    await as(checker, context => unbind(context, { ...was, reason }))
    const lapsed = await askOf(was.id)
    expect(lapsed.state).toBe('lapsed')
    expect(await refused(as(checker, context => approveTransfer(context, lapsed)))).toBe(
      'not_decidable',
    )
  })
  it('of a guide’s customer stays inside the merchant', async () => {
    const shop = await storeOf(database)
    const [other] = (
      await database.db.execute<{ id: number }>(
        sql`select id from merchant where id <> ${shop.merchant_id} order by id limit 1`,
      )
    ).rows
    const guide = await sellerOf(database, { kind: 'guide', store_id: shop.id })
    const near = await sellerOf(database, { kind: 'guide', store_id: shop.id })
    const far = await sellerOf(database, {
      kind: 'guide',
      store_id: (await storeOf(database, { merchant_id: other!.id })).id,
    })
    const was = await boundTo(database, { distributor_id: guide.id, role: 'guide' })
    const go = (to: number) =>
      as(maker, context => transfer(context, was, { to_distributor_id: to, reason }))
    expect(await refused(go(far.id))).toBe('other_merchant')
    expect(await go(near.id)).toHaveProperty('made')
    const pooled = await boundTo(database, { distributor_id: guide.id, role: 'guide' })
    await as(maker, context => toPool(context, { ...pooled, reason }))
    expect(await bindingNow(database, pooled.id)).toMatchObject({
      status: 'unbound',
      pool_store_id: shop.id,
    })
    const again = (to: number) =>
      boundTo(database, { distributor_id: to, member_id: pooled.member_id, role: 'guide', days: 0 })
    expect(await refused(again(far.id))).toBe('pooled')
    expect(await again(near.id)).toMatchObject({ status: 'active' })
  })
})

describe('a binding', () => {
  it('is extended while it lasts, and ends by itself when it is over', async () => {
    const one = await sellerOf(database)
    const was = await boundTo(database, { distributor_id: one.id, days: 170 })
    const longer = await as(maker, context => extend(context, { ...was, days_s: 30 * DAY, reason }))
    expect(longer.expire_at).toBe(was.expire_at + 30 * DAY)
    await inside(tx => endDue(tx, was.expire_at + 1))
    expect((await bindingNow(database, was.id)).status).toBe('active')
    while ((await inside(tx => endDue(tx, longer.expire_at))) > 0);
    const over = await bindingNow(database, was.id)
    expect(over).toMatchObject({ status: 'expired', end_at: longer.expire_at })
    expect((await sellerNow(database, one.id)).customer_count).toBe(0)
    for (const act of [
      as(maker, context => extend(context, { ...over, days_s: DAY, reason })),
      as(maker, context => unbind(context, { ...over, reason })),
    ])
      expect(await refused(act)).toBe('binding_over')
  })
  it('by WeCom ends when the friend is lost for seven days', async () => {
    const guide = await sellerOf(database, { kind: 'guide' })
    const was = await boundTo(database, {
      distributor_id: guide.id,
      role: 'guide',
      source: 'wecom',
      days: 20,
    })
    const lost = NOW - 8 * DAY
    await database.db
      .update(dist_binding)
      .set({ friend_lost_at: lost })
      .where(eq(dist_binding.id, was.id))
    await inside(tx => endDue(tx, lost + LOST_S - 1))
    expect((await bindingNow(database, was.id)).status).toBe('active')
    await inside(tx => endDue(tx, lost + LOST_S))
    expect((await bindingNow(database, was.id)).status).toBe('unbound')
  })
  it('is never deleted, and what has ended never changes', async () => {
    const one = await sellerOf(database)
    const was = await boundTo(database, { distributor_id: one.id })
    await as(maker, context => unbind(context, { ...was, reason }))
    const at = eq(dist_binding.id, was.id)
    await expect(database.db.delete(dist_binding).where(at)).rejects.toThrow()
    for (const set of [{ status: 'active' as const }, { end_reason: '改写' }, { bind_at: 1 }])
      await expect(database.db.update(dist_binding).set(set).where(at)).rejects.toThrow()
  })
  it('and all others of a seller who goes are freed, kept for the store where it says so', async () => {
    const guide = await sellerOf(database, { kind: 'guide' })
    const some = [
      await boundTo(database, { distributor_id: guide.id, role: 'guide' }),
      await boundTo(database, { distributor_id: guide.id, role: 'guide', days: 2 }),
    ]
    const freed = await inside(tx =>
      releaseCustomers(tx, {
        distributor_id: guide.id,
        reason: '离职',
        by: maker,
        now: NOW,
        pool_store_id: guide.store_id!,
      }),
    )
    expect(freed).toBe(2)
    for (const { id } of some)
      expect(await bindingNow(database, id)).toMatchObject({
        status: 'unbound',
        pool_store_id: guide.store_id,
      })
    expect((await sellerNow(database, guide.id)).customer_count).toBe(0)
  })
})

it('over any history a member has one binding a role, and counts are of what is active', async () => {
  const sellers = [
    await sellerOf(database),
    await sellerOf(database),
    await sellerOf(database, { kind: 'guide' }),
    await sellerOf(database, { kind: 'guide' }),
  ].map(one => one.id)
  const members = (await membersOf(database, 3)).map(one => one.id)
  const of = <T>(all: readonly T[], n: number) => all[n % all.length]!
  let now = NOW
  const rows = () =>
    database.db
      .select()
      .from(dist_binding)
      .where(inArray(dist_binding.member_id, members))
      .orderBy(asc(dist_binding.id))
  const asks = () =>
    database.db
      .select()
      .from(dist_binding_ask)
      .where(eq(dist_binding_ask.state, 'pending'))
      .orderBy(asc(dist_binding_ask.id))
  const acts: Record<string, (n: number) => Promise<unknown>> = {
    bind: n =>
      inside(tx =>
        bind(tx, {
          member_id: of(members, n),
          distributor_id: of(sellers, n >> 2),
          role: n % 2 ? 'expert' : 'guide',
          source: 'link',
          by: null,
          now,
        }),
      ),
    transfer: async n => {
      const one = of(await rows(), n)
      await as(
        maker,
        c => transfer(c, one, { to_distributor_id: of(sellers, n >> 3), reason }),
        now,
      )
    },
    approve: async n => {
      const one = of(await asks(), n)
      await as(checker, c => approveTransfer(c, one), now)
    },
    unbind: async n => {
      const one = of(await rows(), n)
      await as(maker, c => unbind(c, { ...one, reason }), now)
    },
    clock: n => {
      now += (n % 50) * DAY
      return inside(tx => endDue(tx, now))
    },
  }
  const step = fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.nat(1000))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async steps => {
      const before = await rows()
      for (const [name, n] of steps)
        // A step is refused where a rule forbids it, and does nothing where there is no row yet.
        try {
          await acts[name]!(n)
        } catch (error) {
          if (!(error instanceof Refusal) && !(error instanceof TypeError)) throw error
        }
      const after = await rows()
      const live = after.filter(one => one.status === 'active')
      expect(new Set(live.map(one => `${one.member_id}/${one.role}`)).size).toBe(live.length)
      const kept = await database.db
        .select({ id: distributor.id, n: distributor.customer_count })
        .from(distributor)
        .where(inArray(distributor.id, sellers))
      for (const { id, n } of kept)
        expect(n).toBe(live.filter(one => one.distributor_id === id).length)
      // What had ended before tells the same now.
      for (const one of before.filter(row => row.status !== 'active'))
        expect(after.find(row => row.id === one.id)).toEqual(one)
    }),
    { numRuns: 15 },
  )
})
