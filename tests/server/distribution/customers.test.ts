import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_binding, dist_binding_ask } from '#src/areas/binding/binding.table.ts'
import { bindingsWhere } from '#src/areas/binding/bindingRows.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { customers as calls, transfers } from '#src/modules/distribution/contract/customer.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { pageOf } from '#src/server/db/paging.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { copyOfTemplate, onlyOn } from '../../farm.ts'
import { atEnd } from '../../farm/ends.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { bindingNow, boundTo, sellerNow, sellerOf, storeOf } from '../../help/bindings.ts'
import { fill } from '../../help/fill.ts'

type What = Parameters<typeof send>[1]
type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let [one, other]: Person[] = []
const reason = '客户要求更换'
beforeAll(async () => {
  const copy = await copyOfTemplate()
  database = await openDatabase({ ...copy.options, poolSize: 12 })
  atEnd(async () => {
    await database.close()
    await copy.remove()
  })
  app = await openApp(database)
  one = await addStaff(database, { perms: ['distribution.index.customer.*'] })
  other = await addStaff(database, { perms: ['distribution.index.customer.*'] })
}, 120_000)
const call = (what: What, input: object, by = one!) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = one!) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const listed = async (filters: object, by = one!): Promise<{ id: number }[]> =>
  (await done(calls.lst, filters, by)).list
const idsOf = async (filters: object, by = one!) => (await listed(filters, by)).map(row => row.id)

describe('the list of customers', () => {
  it('finds by seller, state, source, role and what is soon over', async () => {
    const seller = await sellerOf(database)
    const of = { distributor_id: seller.id }
    const soon = await boundTo(database, { ...of, days: 176 })
    const fresh = await boundTo(database, { ...of, days: 2, source: 'poster' })
    expect(await idsOf(of)).toEqual([fresh.id, soon.id])
    expect(await idsOf({ ...of, soon: true })).toEqual([soon.id])
    expect(await idsOf({ ...of, source: 'poster' })).toEqual([fresh.id])
    expect(await idsOf({ ...of, role: 'guide' })).toEqual([])
    await done(calls.unbind, { id: soon.id, version: 0, reason })
    expect(await idsOf({ ...of, status: 'unbound' })).toEqual([soon.id])
    expect(await idsOf({ ...of, status: 'active' })).toEqual([fresh.id])
  })
  it('finds a customer by a whole phone or the beginning of a nickname', async () => {
    const seller = await sellerOf(database)
    const bound = await boundTo(database, { distributor_id: seller.id })
    const [buyer] = await database.db.select().from(member).where(eq(member.id, bound.member_id))
    for (const keyword of [buyer!.phone, buyer!.nickname.slice(0, -1), buyer!.uid])
      expect(await idsOf({ distributor_id: seller.id, keyword })).toEqual([bound.id])
    expect(await idsOf({ distributor_id: seller.id, keyword: buyer!.phone.slice(0, 7) })).toEqual(
      [],
    )
  })
  it('says whose dispute it is until one of both ends', async () => {
    const seller = await sellerOf(database)
    const guide = await sellerOf(database, { kind: 'guide' })
    const first = await boundTo(database, { distributor_id: seller.id })
    const second = await boundTo(database, {
      distributor_id: guide.id,
      member_id: first.member_id,
      role: 'guide',
    })
    const of = { member_id: first.member_id }
    expect(await idsOf({ ...of, disputed: true })).toEqual([second.id, first.id])
    const [row] = (await done(calls.lst, { distributor_id: seller.id })).list
    expect(row.rival).toEqual({ seller: guide.name, open: true })
    await done(calls.unbind, { id: second.id, version: second.version, reason })
    expect(await idsOf({ ...of, disputed: true })).toEqual([])
  })
  it('has those asleep who have bought nothing for 90 days', async () => {
    const seller = await sellerOf(database)
    const of = { distributor_id: seller.id }
    const long = await boundTo(database, { ...of, days: 100 })
    const woke = await boundTo(database, { ...of, days: 100 })
    await boundTo(database, { ...of, days: 10 })
    await database.db
      .update(dist_binding)
      .set({ last_order_at: unixNow() - DAY })
      .where(eq(dist_binding.id, woke.id))
    expect(await idsOf({ ...of, asleep: true })).toEqual([long.id])
  })
  it('and what is done there keep to the places of whoever asks', async () => {
    const seller = await sellerOf(database)
    const bound = await boundTo(database, { distributor_id: seller.id })
    const away = await addStaff(database, {
      perms: ['distribution.index.customer.*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    expect(await idsOf({ distributor_id: seller.id }, away)).toEqual([])
    const said = await call(calls.unbind, { id: bound.id, version: 0, reason }, away)
    expect(said.status).toBe(404)
    expect((await bindingNow(database, bound.id)).status).toBe('active')
  })
})

it('a transfer is logged, and the history tells who did it and why', async () => {
  const [a, b] = [await sellerOf(database), await sellerOf(database)]
  const was = await boundTo(database, { distributor_id: a.id })
  const to = { id: was.id, version: was.version, to_distributor_id: b.id, reason }
  expect(await done(calls.transfer, to)).toMatchObject({ asked: false })
  const { list } = await done(calls.viewHistory, { id: was.id })
  expect(list).toMatchObject([
    {
      seller: a.name,
      status: 'transferred',
      ended_by_name: expect.any(String),
      end_reason: reason,
    },
    { seller: b.name, status: 'active', source: 'admin' },
  ])
  expect(list[1].bound_by).toBe(list[0].ended_by_name)
  const logs = await database.db
    .select()
    .from(op_log)
    .where(sql`${op_log.object_type} = 'dist_binding' and ${op_log.object_id} = ${was.id}`)
  expect(logs).toMatchObject([{ reason, after: { status: 'transferred', distributor_id: b.id } }])
})
it('a transfer in the protection time is decided by another person than asked', async () => {
  const [a, b] = [await sellerOf(database), await sellerOf(database)]
  const was = await boundTo(database, { distributor_id: a.id, days: 1 })
  const to = { id: was.id, version: was.version, to_distributor_id: b.id, reason }
  expect(await done(calls.transfer, to)).toMatchObject({ asked: true })
  const [ask] = await database.db
    .select()
    .from(dist_binding_ask)
    .where(eq(dist_binding_ask.binding_id, was.id))
  const held = { id: ask!.id, version: ask!.version }
  const own = await call(transfers.approveTransfer, held)
  expect([own.status, own.data.rule]).toEqual([422, 'own_ask'])
  const { list } = await done(transfers.asks, { state: 'pending' })
  expect(list.find((row: { id: number }) => row.id === held.id)).toMatchObject({
    from: a.name,
    to: b.name,
  })
  await done(transfers.approveTransfer, held, other)
  expect(await idsOf({ distributor_id: b.id })).toHaveLength(1)
})
it('a batch moves what it can and tells why the others stay', async () => {
  const [a, b] = [await sellerOf(database), await sellerOf(database)]
  const free = await boundTo(database, { distributor_id: a.id })
  const kept = await boundTo(database, { distributor_id: a.id, days: 3 })
  const own = await boundTo(database, { distributor_id: a.id, member_id: b.member_id! })
  const ids = [free.id, kept.id, own.id]
  const said = await done(calls.batchTransfer, { ids, to_distributor_id: b.id, reason })
  expect(said.ok).toEqual([free.id])
  expect(said.failed.map((row: { id: number; code: string }) => [row.id, row.code])).toEqual([
    [kept.id, 'protected'],
    [own.id, 'not_bindable'],
  ])
  expect((await sellerNow(database, a.id)).customer_count).toBe(2)
  expect((await sellerNow(database, b.id)).customer_count).toBe(1)
})
it('offers sellers of the role alone, and for a guide’s customers those of the merchant', async () => {
  const shop = await storeOf(database)
  const [guide, near] = [
    await sellerOf(database, { kind: 'guide', store_id: shop.id }),
    await sellerOf(database, { kind: 'guide', store_id: shop.id }),
  ]
  const expert = await sellerOf(database)
  const offered = async (input: object) =>
    (await done(calls.sellers, input)).list.map((row: { id: number }) => row.id)
  const of = { role: 'guide', from_id: guide.id, pageSize: 200 }
  expect(await offered({ ...of, keyword: near.name })).toEqual([near.id])
  expect(await offered({ ...of, keyword: guide.name })).toEqual([])
  expect(await offered({ ...of, keyword: expert.name })).toEqual([])
})

onlyOn('postgres')('two people at the same moment', () => {
  it('transfer a customer: one wins, and the other is told who did', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b, c] = [
        await sellerOf(database),
        await sellerOf(database),
        await sellerOf(database),
      ]
      const was = await boundTo(database, { distributor_id: a.id })
      const go = (to: number, by: Person) =>
        call(calls.transfer, { id: was.id, version: 0, to_distributor_id: to, reason }, by)
      const said = await Promise.all([go(b.id, one!), go(c.id, other!)])
      const [lost] = said.filter(each => each.status !== 200)
      expect(said.filter(each => each.status === 200)).toHaveLength(1)
      expect(lost!.status).toBe(409)
      expect(lost!.data.by.name).toBeTruthy()
      expect(await idsOf({ member_id: was.member_id, status: 'active' })).toHaveLength(1)
      const counts = await Promise.all([a, b, c].map(({ id }) => sellerNow(database, id)))
      expect(counts.map(row => row.customer_count).toSorted()).toEqual([0, 0, 1])
    }
  })
})
onlyOn('postgres')('on a large table, every filter', () => {
  let large: Database
  beforeAll(async () => {
    const copy = await copyOfTemplate()
    large = await openDatabase(copy.options)
    atEnd(async () => {
      await large.close()
      await copy.remove()
    })
    await fill(
      large.pool,
      `
      insert into member (uid, nickname, phone, city_id, register_at)
      select 'PL' || n, 'plan' || n, '166' || lpad(n::text, 8, '0'), 1, 1700000000 from generate_series(1, 30000) n`,
    )
    await fill(
      large.pool,
      `
      insert into dist_binding (member_id, distributor_id, role, source, city_id, mall_id, bind_at, expire_at, protect_until, status)
      select m.id, 1 + m.id % 20, 'expert', case when m.id % 200 = 0 then 'poster' else 'link' end, m.id % 40, m.id % 30, 1700000000, 1999000000 + m.id, 1700000001, case when m.id % 150 = 0 then 'unbound' else 'active' end
      from member m where m.uid like 'PL%'`,
    )
    for (const table of ['dist_binding', 'member', 'distributor'])
      await large.pool.query(`analyze ${table}`)
  }, 120_000)
  it.each([
    {},
    { status: 'unbound' as const },
    { source: 'poster' as const },
    { distributor_id: 7 },
    { city_id: 7 },
    { mid: 7 },
    { member_id: 77 },
    { keyword: '16600000077' },
    { keyword: 'plan777' },
    { soon: true },
    { disputed: true },
    { group_id: 1 },
  ])('is served by an index: %j', async filters => {
    const plans = await plansOf(large.pool, db =>
      pageOf(db, dist_binding, {
        where: bindingsWhere(filters, 1_800_000_000),
        by: dist_binding.id,
        down: true,
        page: 1,
        pageSize: 50,
        reader: `plans ${JSON.stringify(filters)}`,
      }),
    )
    expect(plans.length).toBeGreaterThan(0)
    expect(seqScans(plans, 'dist_binding')).toEqual([])
  })
})
