import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  dist_group,
  dist_group_member,
  distributor,
} from '#src/areas/distribution/sellers.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { sellersPage as calls } from '#src/modules/distribution/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import {
  addCustomer,
  addMember,
  addSeller,
  addTeam,
  giveMoney,
  sellerOf,
} from '../../help/distribution.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let boss: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  boss = await addStaff(database, { perms: ['distribution.*'] })
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
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
const applicant = () => addSeller(database, { status: 'pending', joined_at: null })
const reason = '违规推广'

describe('an application', () => {
  it('is approved with a level and a team, by whoever is named then', async () => {
    const [row, { team }] = [await applicant(), await addTeam(database)]
    await done(calls.approve, { ...one(row), level_no: 3, group_id: team.id })
    expect(await sellerOf(database, row.id)).toMatchObject({
      status: 'active',
      level_no: 3,
      group_id: team.id,
      reviewer_id: boss.id,
    })
  })
  it('is decided once: of two at once one is refused, and whoever comes later is told who it was', async () => {
    const row = await applicant()
    const other = await addStaff(database, { perms: ['distribution.*'] })
    const both = await Promise.all([
      call(calls.approve, { ...one(row), level_no: 1 }),
      call(calls.reject, { ...one(row), reason }, other),
    ])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
    const now = await sellerOf(database, row.id)
    const late = await call(calls.approve, { ...one(now), level_no: 1 })
    expect([late.status, late.data.rule]).toEqual([422, 'decided'])
    expect(late.message).toMatch(new RegExp(`${boss.account}|${other.account}`))
  })
  it('is not decided by the person whose phone it is, or whose member it is', async () => {
    const mine = await addMember(database)
    const me = await addStaff(database, {
      perms: ['distribution.*'],
      staff: { phone: mine.phone },
    })
    const byPhone = await addSeller(database, { status: 'pending', phone: mine.phone })
    const byMember = await addSeller(database, {
      kind: 'guide',
      store_id: 1,
      status: 'pending',
      member_id: mine.id,
      phone: '17700000001',
    })
    for (const row of [byPhone, byMember]) {
      const input = { ...one(row), level_no: 1 }
      expect(await rule(calls.approve, input, me)).toEqual([422, 'own_account'])
      expect(await rule(calls.reject, { ...one(row), reason }, me)).toEqual([422, 'own_account'])
    }
    await done(calls.approve, { ...one(byPhone), level_no: 1 })
  })
  it('whose inviters form a circle is refused', async () => {
    const row = await applicant()
    const inviter = await addSeller(database, { inviter_id: row.id })
    await database.db
      .update(distributor)
      .set({ inviter_id: inviter.id })
      .where(eq(distributor.id, row.id))
    expect(await rule(calls.approve, { ...one(row), level_no: 1 })).toEqual([422, 'inviter_loop'])
  })
  it('makes no second active seller of one kind of a member', async () => {
    const row = await addSeller(database)
    await expect(addSeller(database, { member_id: row.member_id })).rejects.toThrow()
    await addSeller(database, { member_id: row.member_id, status: 'quit' })
  })
})

describe('a seller', () => {
  it('is frozen with a reason, and given back only once no case of risk is open', async () => {
    const row = await addSeller(database)
    const frozen = await done(calls.freeze, { ...one(row), reason })
    expect(await sellerOf(database, row.id)).toMatchObject({ status: 'frozen', reason })
    const [hit] = await database.db
      .insert(risk_hit)
      .values({
        domain: 'marketing',
        rule: 'self_purchase',
        scene: 'order',
        level: 'mid',
        score: 50,
        city_id: 1,
        member_id: row.member_id,
        note: '自买返佣',
        state: 'open',
        hit_at: unixNow(),
        last_at: unixNow(),
      })
      .returning()
    expect(await rule(calls.unfreeze, one(frozen))).toEqual([422, 'risk_open'])
    await database.db
      .update(risk_hit)
      .set({ state: 'released', decided_at: unixNow() })
      .where(eq(risk_hit.id, hit!.id))
    await done(calls.unfreeze, one(frozen))
    expect((await sellerOf(database, row.id)).status).toBe('active')
  })
  it('changes its level with a reason, and the log tells both', async () => {
    const row = await addSeller(database, { level_no: 2 })
    expect(await rule(calls.setLevel, { ...one(row), level_no: 2, reason })).toEqual([
      422,
      'same_level',
    ])
    await done(calls.setLevel, { ...one(row), level_no: 4, reason })
    const [line] = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'distributor'), eq(op_log.object_id, row.id)))
      .orderBy(desc(op_log.id))
    expect(line).toMatchObject({
      object_type: 'distributor',
      before: { level_no: 2 },
      after: { level_no: 4 },
      reason,
    })
  })
  it('that quits is told with what hangs on it before', async () => {
    const row = await addSeller(database)
    await giveMoney(database, row.id, 'distributor_frozen', 700)
    await giveMoney(database, row.id, 'distributor_balance', 900)
    expect(await done(calls.effects, { id: row.id })).toMatchObject({
      on_hold_cents: 700,
      balance_cents: 900,
    })
    await addCustomer(database, row.id)
    expect(await done(calls.quit, { ...one(row), reason })).toMatchObject({
      released: 1,
      on_hold_cents: 700,
    })
    const now = await sellerOf(database, row.id)
    expect(await rule(calls.setLevel, { ...one(now), level_no: 2, reason })).toEqual([
      422,
      'wrong_state',
    ])
  })
  it('shows money of the journal, and no phone to whoever may not see it', async () => {
    const row = await addSeller(database)
    await giveMoney(database, row.id, 'distributor_balance', 1234)
    const seen = (await done(calls.lst, { keyword: row.name })).list[0]
    expect(seen).toMatchObject({ id: row.id, balance_cents: 1234, frozen_cents: 0 })
    expect(seen.phone).toBe(`${row.phone.slice(0, 3)}****${row.phone.slice(-4)}`)
    const shown = await done(calls.revealPhone, { id: row.id, reason: '联系本人' })
    expect(shown.phone).toBe(row.phone)
    expect((await done(calls.lst, { keyword: row.phone })).list).toMatchObject([{ id: row.id }])
  })
  it('is frozen in a batch with others, of which the faulty say why', async () => {
    const [fine, gone] = [await addSeller(database), await addSeller(database, { status: 'quit' })]
    const told = await done(calls.batchFreeze, { ids: [fine.id, gone.id], reason })
    expect(told.ok).toEqual([fine.id])
    expect(told.failed).toMatchObject([{ id: gone.id, code: 'wrong_state' }])
    const level = await done(calls.batchSetLevel, { ids: [fine.id], level_no: 5, reason })
    expect(level.ok).toEqual([fine.id])
  })
  it('of another city is not there for whoever sees one city', async () => {
    const row = await addSeller(database, { city_id: 2 })
    const local = await addStaff(database, {
      perms: ['distribution.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const seen = await call(calls.freeze, { ...one(row), reason }, local)
    expect(seen.status).toBe(404)
    expect((await done(calls.lst, { keyword: row.name }, local)).list).toEqual([])
  })
  it('that sold nothing for thirty days, or of whose sales much came back, is found', async () => {
    const now = unixNow()
    const idle = await addSeller(database, { last_sale_at: now - 31 * DAY })
    const busy = await addSeller(database, {
      last_sale_at: now - DAY,
      gmv_cents: 1000,
      refunded_cents: 400,
    })
    const ids = async (filter: object) =>
      (await done(calls.lst, { ...filter, pageSize: 200 })).list.map(
        (row: { id: number }) => row.id,
      )
    expect(await ids({ idle: true })).toContain(idle.id)
    expect(await ids({ idle: true })).not.toContain(busy.id)
    expect(await ids({ refunding: true })).toContain(busy.id)
    expect(await ids({ refunding: true })).not.toContain(idle.id)
  })
})

describe('a team', () => {
  it('is made of an active expert in none, who leads it', async () => {
    const row = await addSeller(database)
    const name = `新队${row.id}`
    const made = await done(calls.createGroup, { name, leader_id: row.id, leader_bp: 120 })
    expect(await sellerOf(database, row.id)).toMatchObject({ group_id: made.id, is_leader: true })
    const { list } = await done(calls.teams, { keyword: name })
    expect(list).toMatchObject([{ leader_id: row.id, member_count: 1, leader_bp: 120 }])
    const other = await addSeller(database)
    const again = { name, leader_id: other.id, leader_bp: 0 }
    expect(await rule(calls.createGroup, again)).toEqual([422, 'name_taken'])
    expect(await rule(calls.createGroup, { ...again, name: '另一队', leader_id: row.id })).toEqual([
      422,
      'wrong_state',
    ])
  })
  it('has one leader, and the next takes over at once', async () => {
    const { team, leader, members } = await addTeam(database, 2)
    await done(calls.setLeader, { ...one(members[0]!), reason })
    expect((await sellerOf(database, leader.id)).is_leader).toBe(false)
    const led = await database.db
      .select()
      .from(distributor)
      .where(eq(distributor.group_id, team.id))
    expect(led.filter(row => row.is_leader).map(row => row.id)).toEqual([members[0]!.id])
  })
  it('is joined by as many as it holds, however many come at once', async () => {
    const { team } = await addTeam(database, 0, { member_limit: 2 })
    const some = await Promise.all([addSeller(database), addSeller(database), addSeller(database)])
    const said = await Promise.all(
      some.map(row => call(calls.setGroup, { ...one(row), group_id: team.id, reason })),
    )
    expect(said.map(one => one.status).sort()).toEqual([200, 422, 422])
    const there = await database.db
      .select()
      .from(dist_group_member)
      .where(eq(dist_group_member.group_id, team.id))
    expect(there).toHaveLength(2)
  })
  it('that is dissolved takes nobody', async () => {
    const [{ team }, row] = [await addTeam(database), await addSeller(database)]
    await database.db
      .update(dist_group)
      .set({ status: 'dissolved' })
      .where(eq(dist_group.id, team.id))
    expect(await rule(calls.setGroup, { ...one(row), group_id: team.id, reason })).toEqual([
      422,
      'team_ended',
    ])
  })
})
