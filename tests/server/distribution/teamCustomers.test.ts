import { inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import { dist_group, distributor } from '#src/areas/distribution/sellers.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { groupCustomers as teamCalls } from '#src/modules/distribution/contract/groupCustomers.ts'
import { guideCustomers as calls } from '#src/modules/distribution/contract/guideCustomers.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { bindingNow, boundTo, sellerNow, sellerOf, storeOf } from '../../help/bindings.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let token: string
const reason = '团队调整'
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (
    await addStaff(database, {
      perms: ['distribution.index.group.customer.*', 'distribution.index.guideBindingCustomer.*'],
    })
  ).token
}, 120_000)
const call = (what: What, input: object) => send(app, what, input, { token })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
let teams = 0
const teamOf = async (members: number) => {
  const [team] = await database.db
    .insert(dist_group)
    .values({ name: `客户队Q${++teams}`, city_id: 1 })
    .returning()
  const some = []
  for (let n = 0; n < members; n++) some.push(await sellerOf(database, { group_id: team!.id }))
  return { team: team!, members: some }
}
const bound = async (seller: { id: number }, count: number, days?: number) => {
  const ids = []
  for (let n = 0; n < count; n++)
    ids.push((await boundTo(database, { distributor_id: seller.id, days: days ?? 40 })).id)
  return ids
}

describe('the customers of a team', () => {
  it('are those of its current members alone', async () => {
    const { team, members } = await teamOf(2)
    const [mine] = await bound(members[0]!, 1)
    await bound(await sellerOf(database), 1)
    const { list } = await done(teamCalls.lst, { group_id: team.id })
    expect(list.map((row: { id: number }) => row.id)).toEqual([mine])
    await database.db
      .update(distributor)
      .set({ group_id: null })
      .where(inArray(distributor.id, [members[0]!.id]))
    expect((await done(teamCalls.lst, { group_id: team.id })).total).toBe(0)
  })
  it('are counted by member, the most first', async () => {
    const { team, members } = await teamOf(2)
    await bound(members[1]!, 2, 100)
    const told = await done(teamCalls.byMember, { group_id: team.id })
    expect(told.team).toBe(team.name)
    expect(told.members).toMatchObject([
      { id: members[1]!.id, customers: 2, asleep: 2 },
      { id: members[0]!.id, customers: 0, asleep: 0 },
    ])
  })
  it('are spread evenly as it was previewed, and who is protected stays and is told', async () => {
    const { team, members } = await teamOf(3)
    const [a, b, c] = members as [(typeof members)[0], (typeof members)[0], (typeof members)[0]]
    const free = await bound(a, 5)
    const [kept] = await bound(a, 1, 3)
    const of = {
      group_id: team.id,
      ids: [...free, kept!],
      distributor_ids: [b.id, c.id],
    }
    const preview = await done(teamCalls.previewAssign, of)
    expect(preview.moved).toBe(5)
    expect(preview.counts.map((one: { given: number }) => one.given).toSorted()).toEqual([2, 3])
    expect(preview.skipped).toMatchObject([{ id: kept }])
    const said = await done(teamCalls.averageAssign, { ...of, reason })
    expect(said.ok.toSorted()).toEqual(free.toSorted())
    expect(said.failed).toMatchObject([{ id: kept, code: 'skipped' }])
    const counts = await Promise.all([a, b, c].map(({ id }) => sellerNow(database, id)))
    expect(counts[0]!.customer_count).toBe(1)
    expect(Math.abs(counts[1]!.customer_count - counts[2]!.customer_count)).toBe(1)
  })
  it('go to active members of the team alone', async () => {
    const { team, members } = await teamOf(1)
    const [id] = await bound(members[0]!, 1)
    const frozen = await sellerOf(database, { group_id: team.id, status: 'frozen' })
    const other = await sellerOf(database)
    for (const to of [frozen.id, other.id]) {
      const said = await call(teamCalls.averageAssign, {
        group_id: team.id,
        ids: [id],
        distributor_ids: [to],
        reason,
      })
      expect([said.status, said.data.rule]).toEqual([422, 'not_of_team'])
    }
    const said = await call(teamCalls.transfer, {
      id,
      version: 0,
      to_distributor_id: other.id,
      reason,
    })
    expect([said.status, said.data.rule]).toEqual([422, 'not_of_team'])
    const mate = await sellerOf(database, { group_id: team.id })
    const { list } = await done(teamCalls.sellers, { role: 'expert', from_id: members[0]!.id })
    expect(list.map((row: { id: number }) => row.id)).toEqual([mate.id])
  })
})

describe('the customers of a guide', () => {
  it('are told with what they paid in the store and elsewhere', async () => {
    const shop = await storeOf(database)
    const guide = await sellerOf(database, { kind: 'guide', store_id: shop.id })
    const one = await boundTo(database, { distributor_id: guide.id, role: 'guide' })
    const [inside, outside] = await database.db
      .select()
      .from(order)
      .where(sql`pay_state = 'paid' and paid_cents > 0`)
      .limit(2)
    for (const [of, store_id] of [
      [inside!, shop.id],
      [outside!, null],
    ] as const)
      await database.db
        .update(order)
        .set({
          member_id: one.member_id,
          created_at: unixNow() - 10,
          ...(store_id && { store_id }),
        })
        .where(inArray(order.id, [of.id]))
    const { list } = await done(calls.lst, { distributor_id: guide.id })
    expect(list).toMatchObject([
      { id: one.id, inside_cents: inside!.paid_cents, outside_cents: outside!.paid_cents },
    ])
  })
  it('go back to the pool of the store, which keeps its claim', async () => {
    const guide = await sellerOf(database, { kind: 'guide' })
    const one = await boundTo(database, { distributor_id: guide.id, role: 'guide' })
    await done(calls.toStorePool, { id: one.id, version: one.version, reason })
    expect(await bindingNow(database, one.id)).toMatchObject({
      status: 'unbound',
      pool_store_id: guide.store_id,
    })
    const { list } = await done(calls.lst, { distributor_id: guide.id, status: 'unbound' })
    expect(list[0].pool).toBeTruthy()
  })
  it('stand beside an expert’s binding, with whom an order pays', async () => {
    const guide = await sellerOf(database, { kind: 'guide' })
    const expert = await sellerOf(database)
    const one = await boundTo(database, { distributor_id: guide.id, role: 'guide' })
    await boundTo(database, { distributor_id: expert.id, member_id: one.member_id })
    const asked = { id: one.id }
    expect(await done(calls.compare, asked)).toMatchObject({
      guide: { seller: guide.name },
      expert: { seller: expert.name },
      store: '',
    })
    const store = await sellerOf(database, { kind: 'store', store_id: guide.store_id })
    expect((await done(calls.compare, asked)).store).toBe(store.name)
    await database.db
      .update(distributor)
      .set({ paused: true })
      .where(inArray(distributor.id, [store.id]))
    expect((await done(calls.compare, asked)).store).toBe('')
  })
})
it('every binding of the demo is counted at its seller', async () => {
  const { rows } = await database.db.execute(sql`
    select d.id from distributor d where d.customer_count <> (
      select count(*) from ${dist_binding} b where b.distributor_id = d.id and b.status = 'active')`)
  expect(rows).toEqual([])
})
