import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { bd_assignment, bd_target } from '#src/areas/merchant/bd.table.ts'
import { monthOf } from '#src/areas/merchant/bd.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { handOver } from '#src/areas/people/staff.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { shopBd as calls } from '#src/modules/shop/contract/bd.ts'
import { shopIndex } from '#src/modules/shop/contract/index.ts'
import { stores as storeCalls } from '#src/modules/shop/contract/stores.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let token: string
const BD = ['shop.bd.*']
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['*'] })).token
})
const call = (what: Parameters<typeof send>[1], input: object = {}, as = token) =>
  send(app, what, input, { token: as })
const done = async (what: Parameters<typeof send>[1], input: object, as = token) => {
  const said = await call(what, input, as)
  expect(said.status, said.message).toBe(200)
  return said.data
}
const addBd = (more: object = {}) => addStaff(database, { perms: BD, ...more })
let made = 0
/** A merchant of its own, with so many open stores. */
const addMerchant = async (bd: number | null, stores: number) => {
  const [one] = await database.db
    .select()
    .from(merchant)
    .where(eq(merchant.status, 'active'))
    .limit(1)
  const { id: _, ...values } = one!
  const [copy] = await database.db
    .insert(merchant)
    .values({
      ...values,
      merchant_no: `TB${++made}`,
      license_no: `TB${made}`,
      name: `测试商户${made}`,
      bd_admin_id: bd,
    })
    .returning()
  const [place] = await database.db
    .select()
    .from(store)
    .where(and(eq(store.status, 'open'), eq(store.kind, 'offline')))
    .limit(1)
  const { id: __, ...spot } = place!
  const rows = await database.db
    .insert(store)
    .values(
      Array.from({ length: stores }, () => ({
        ...spot,
        store_no: `TS${++made}`,
        name: `测试门店${made}`,
        merchant_id: copy!.id,
        city_id: copy!.city_id,
        mall_id: 0,
      })),
    )
    .returning({ id: store.id })
  return { ...copy!, stores: rows.map(row => row.id) }
}
const assign = (store_ids: number[], admin_id: number, as = token) =>
  done(calls.assign, { store_ids, admin_id, reason: '区域分配' }, as)
const historyOf = (store_id: number) =>
  database.db
    .select()
    .from(bd_assignment)
    .where(eq(bd_assignment.store_id, store_id))
    .orderBy(asc(bd_assignment.id))
const bdNow = async (store_id: number) =>
  (
    await database.db
      .select()
      .from(bd_assignment)
      .where(and(eq(bd_assignment.store_id, store_id), isNull(bd_assignment.end_at)))
  ).map(row => row.admin_id)
const merchantBd = async (id: number) =>
  (await database.db.select().from(merchant).where(eq(merchant.id, id)))[0]!.bd_admin_id
const disable = (id: number) =>
  database.db.update(admin).set({ status: 'disabled' }).where(eq(admin.id, id))

describe('a store', () => {
  it('has one BD, and the next begins in the second in which the one before ends', async () => {
    const [one, two] = [await addBd(), await addBd()]
    const {
      stores: [id],
    } = await addMerchant(null, 1)
    expect((await assign([id!], one.id)).ok).toEqual([id])
    expect((await assign([id!], two.id)).ok).toEqual([id])
    const [before, after] = await historyOf(id!)
    expect(before).toMatchObject({ admin_id: one.id, end_at: after!.start_at })
    expect(after).toMatchObject({ admin_id: two.id, end_at: null, reason: '区域分配' })
    const again = await assign([id!], two.id)
    expect(again.failed.map((row: { code: string }) => row.code)).toEqual(['same_bd'])
    const { list } = await done(calls.history, { store_id: id })
    expect(list.map((row: { end_at: number | null }) => row.end_at === null)).toEqual([true, false])
  })
  it('has that BD in the list of stores, whoever its merchant has', async () => {
    const [own, merchants] = [await addBd(), await addBd()]
    const {
      stores: [id],
    } = await addMerchant(merchants.id, 1)
    await assign([id!], own.id)
    const { list } = await done(storeCalls.lst, { keyword: String(id) })
    const named = (list as { id: number; bd_name: string }[]).filter(row => row.id === id)
    expect(named.map(row => row.bd_name)).toEqual([own.account])
  })
  it('is given only to a BD at work who has its city', async () => {
    const { stores, city_id } = await addMerchant(null, 1)
    const [plain, gone, far] = [
      await addStaff(database, { perms: ['shop.index.*'] }),
      await addBd(),
      await addBd({ role: { scope_type: 'city', scope_ids: [city_id + 1000] } }),
    ]
    await disable(gone.id)
    for (const { id } of [plain, gone]) {
      const said = await call(calls.assign, { store_ids: stores, admin_id: id, reason: '试一试' })
      expect(Object.keys(said.data.fields)).toEqual(['admin_id'])
    }
    const said = await assign(stores, far.id)
    expect(said.failed.map((row: { code: string }) => row.code)).toEqual(['other_city'])
    expect(await bdNow(stores[0]!)).toEqual([])
  })
  it('given to two at once ends with one of them', async () => {
    const [one, two] = [await addBd(), await addBd()]
    const { stores } = await addMerchant(null, 3)
    await Promise.all([assign(stores, one.id), assign(stores, two.id)])
    for (const id of stores) expect(await bdNow(id)).toHaveLength(1)
  })
  it('whose BD is disabled is an orphan at once, and may be claimed by another', async () => {
    const [gone, next] = [await addBd(), await addBd()]
    const {
      stores: [left, none],
    } = await addMerchant(null, 2)
    await assign([left!], gone.id)
    const orphans = async (keyword: string) =>
      (await done(calls.stores, { bd_state: 'orphan', keyword })).list.map(
        (row: { id: number; bd_state: string }) => [row.id, row.bd_state],
      )
    expect(await orphans(String(left))).not.toContainEqual([left, 'left'])
    const taken = await done(calls.claimOrphan, { store_ids: [left] }, next.token)
    expect(taken.failed.map((row: { code: string }) => row.code)).toEqual(['has_bd'])
    await disable(gone.id)
    expect(await orphans(String(left))).toContainEqual([left, 'left'])
    expect(await orphans(String(none))).toContainEqual([none, 'none'])
    const said = await done(calls.claimOrphan, { store_ids: [left, none] }, next.token)
    expect(said.ok).toEqual([left, none])
    expect([await bdNow(left!), await bdNow(none!)]).toEqual([[next.id], [next.id]])
  })
})

describe('a district', () => {
  it('goes over whole: stores and merchants, in one second', async () => {
    const [from, to] = [await addBd(), await addBd()]
    const own = await addMerchant(from.id, 3)
    await assign(own.stores, from.id)
    await disable(from.id)
    const said = await done(calls.handover, {
      from_admin_id: from.id,
      to_admin_id: to.id,
      reason: '离职交接',
    })
    expect(said).toEqual({ stores: 3, merchants: 1 })
    expect(await merchantBd(own.id)).toBe(to.id)
    const moments = new Set<number | null>()
    for (const id of own.stores) {
      const [before, after] = await historyOf(id)
      expect([before!.admin_id, after!.admin_id, after!.end_at]).toEqual([from.id, to.id, null])
      moments.add(before!.end_at).add(after!.start_at)
    }
    expect(moments.size).toBe(1)
    const empty = await call(calls.handover, {
      from_admin_id: from.id,
      to_admin_id: to.id,
      reason: '再来一次',
    })
    expect(empty.data.rule).toBe('nothing')
  })
  it('goes over in part where only a city is named, and to nobody without that city', async () => {
    const from = await addBd()
    const own = await addMerchant(from.id, 2)
    const other = (await database.db.select().from(merchant)).find(
      row => row.city_id !== own.city_id,
    )!.city_id
    await database.db.update(store).set({ city_id: other }).where(eq(store.id, own.stores[1]!))
    await assign(own.stores, from.id)
    const local = await addBd({ role: { scope_type: 'city', scope_ids: [own.city_id] } })
    const hand = { from_admin_id: from.id, to_admin_id: local.id, reason: '区域调整' }
    const whole = await call(calls.handover, hand)
    expect(Object.keys(whole.data.fields)).toEqual(['to_admin_id'])
    expect(await bdNow(own.stores[0]!)).toEqual([from.id])
    expect(await done(calls.handover, { ...hand, city_id: own.city_id })).toEqual({
      stores: 1,
      merchants: 1,
    })
    expect([await bdNow(own.stores[0]!), await bdNow(own.stores[1]!)]).toEqual([
      [local.id],
      [from.id],
    ])
  })
  it('stays whole where a step fails', async () => {
    const [from, to] = [await addBd(), await addBd()]
    const own = await addMerchant(from.id, 2)
    await assign(own.stores, from.id)
    await database.db.execute(
      sql`create function refuse_bd() returns trigger as $$ begin if new.admin_id = ${sql.raw(String(to.id))} then raise exception 'no'; end if; return new; end $$ language plpgsql`,
    )
    await database.db.execute(
      sql`create trigger refuse_bd before insert on bd_assignment for each row execute function refuse_bd()`,
    )
    try {
      const said = await call(calls.handover, {
        from_admin_id: from.id,
        to_admin_id: to.id,
        reason: '失败的一步',
      })
      expect(said.status).toBe(500)
    } finally {
      await database.db.execute(sql`drop trigger refuse_bd on bd_assignment`)
      await database.db.execute(sql`drop function refuse_bd()`)
    }
    expect(await merchantBd(own.id)).toBe(from.id)
    for (const id of own.stores) expect(await bdNow(id)).toEqual([from.id])
  })
})

describe('the BD of a merchant', () => {
  it('takes along the stores that the one before had, and no others', async () => {
    const [from, to, third] = [await addBd(), await addBd(), await addBd()]
    const own = await addMerchant(from.id, 3)
    const [his, others, none] = own.stores
    await assign([his!], from.id)
    await assign([others!], third.id)
    const { version } = (
      await database.db.select().from(merchant).where(eq(merchant.id, own.id))
    )[0]!
    await done(shopIndex.changeBd, { id: own.id, version, admin_id: to.id, reason: '更换负责人' })
    expect(await merchantBd(own.id)).toBe(to.id)
    expect([await bdNow(his!), await bdNow(others!), await bdNow(none!)]).toEqual([
      [to.id],
      [third.id],
      [to.id],
    ])
  })
  it('who leaves gives the stores to whoever follows, with the merchants', async () => {
    const [from, to] = [await addBd(), await addBd()]
    const own = await addMerchant(from.id, 2)
    await assign(own.stores, from.id)
    await database.transaction(tx =>
      handOver({ tx, from: from.id, to: { id: to.id, name: 'x' }, now: unixNow() }),
    )
    expect(await merchantBd(own.id)).toBe(to.id)
    for (const id of own.stores) expect(await bdNow(id)).toEqual([to.id])
  })
})

describe('a target', () => {
  it('is of a month that is not over, once a person and month', async () => {
    const one = await addBd()
    const month = monthOf(unixNow())
    const target = { admin_id: one.id, month, gmv_target_cents: 500_000_00, new_store_target: 3 }
    await done(calls.setTarget, target)
    await done(calls.setTarget, { ...target, new_store_target: 4 })
    expect(
      await database.db.select().from(bd_target).where(eq(bd_target.admin_id, one.id)),
    ).toMatchObject([{ month, new_store_target: 4 }])
    for (const wrong of [month - 100, 202_613]) {
      const said = await call(calls.setTarget, { ...target, month: wrong })
      expect(Object.keys(said.data.fields)).toEqual(['month'])
    }
    const { list } = await done(calls.lst, { keyword: one.account })
    expect(list).toMatchObject([{ id: one.id, gmv_target_cents: 500_000_00, stores: 0 }])
  })
})

describe('whoever looks after stores', () => {
  it('is one at every moment, over any history', async () => {
    const people = [await addBd(), await addBd(), await addBd()]
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            does: fc.constantFrom('assign', 'handover', 'claim', 'merchant'),
            a: fc.nat(2),
            b: fc.nat(2),
            some: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
          }),
          { minLength: 4, maxLength: 10 },
        ),
        async history => {
          const own = await addMerchant(people[0]!.id, 4)
          for (const { does, a, b, some } of history) {
            const [from, to] = [people[a]!, people[b]!]
            const store_ids = some.map(at => own.stores[at]!)
            if (does === 'assign')
              await call(calls.assign, { store_ids, admin_id: to.id, reason: '随机分配' })
            else if (does === 'claim') await call(calls.claimOrphan, { store_ids }, to.token)
            else if (does === 'handover')
              await call(calls.handover, {
                from_admin_id: from.id,
                to_admin_id: to.id,
                reason: '随机移交',
              })
            else {
              const [row] = await database.db.select().from(merchant).where(eq(merchant.id, own.id))
              await call(shopIndex.changeBd, {
                id: own.id,
                version: row!.version,
                admin_id: to.id,
                reason: '随机更换',
              })
            }
          }
          for (const id of own.stores) {
            const rows = await historyOf(id)
            // No gap and no overlap: whatever was paid since the first belongs to exactly one.
            for (const [at, row] of rows.entries())
              expect(row.end_at).toBe(rows[at + 1]?.start_at ?? null)
            expect(rows.filter(row => row.end_at === null)).toHaveLength(Math.min(1, rows.length))
          }
        },
      ),
      { numRuns: 12 },
    )
  })
  it('has what was paid while the store was theirs, and nothing twice', async () => {
    const [one, two] = [await addBd(), await addBd()]
    const { stores } = await addMerchant(null, 1)
    const [id, now] = [stores[0]!, unixNow()]
    await database.db.insert(bd_assignment).values([
      { store_id: id, admin_id: one.id, start_at: now - 1000, end_at: now - 100 },
      { store_id: id, admin_id: two.id, start_at: now - 100 },
    ])
    const [sold] = await database.db.select().from(order).limit(1)
    const { id: _, ...values } = sold!
    const paid = { ...values, store_id: id, refunded_cents: 0 }
    await database.db.insert(order).values([
      { ...paid, order_no: 'TBD1', paid_at: now - 101, paid_cents: 100 },
      { ...paid, order_no: 'TBD2', paid_at: now - 100, paid_cents: 20 },
      { ...paid, order_no: 'TBD3', paid_at: now - 50, paid_cents: 3 },
    ])
    const of = async (who: { account: string }) =>
      (await done(calls.lst, { keyword: who.account })).list[0]
    expect(await of(one)).toMatchObject({ gmv_cents: 100, stores: 0 })
    expect(await of(two)).toMatchObject({ gmv_cents: 23, stores: 1 })
  })
})
