import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import { dist_group } from '#src/areas/distribution/sellers.table.ts'
import { movesAt } from '#src/areas/distribution/teams.server.ts'
import { monthOf } from '#src/areas/merchant/bd.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { groupMembers as memberCalls } from '#src/modules/distribution/contract/groupMembers.ts'
import { teamDetail as calls } from '#src/modules/distribution/contract/teamDetail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { addSeller, addTeam, periodsOf, sellerOf } from '../../help/distribution.ts'

type What = Parameters<typeof send>[1]
let database: Database
let app: App
let token: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['distribution.*'] })).token
})
const call = (what: What, input: object) => send(app, what, input, { token })
const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object) => {
  const said = await call(what, input)
  return [said.status, said.data?.rule ?? Object.keys(said.data?.fields ?? {})]
}
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
const teamOf = async (id: number) =>
  (await database.db.select().from(dist_group).where(eq(dist_group.id, id)))[0]!
const reason = '季度调整'
/** A sale of this moment through a member of a team, and the bonus of its leader. */
const sell = (of: { seller: number; group: number; leader?: number; cents: number; at?: number }) =>
  database.db.insert(dist_commission).values([
    {
      distributor_id: of.seller,
      group_id: of.group,
      city_id: 1,
      role: 'direct' as const,
      base_cents: of.cents,
      rate_bp: 500,
      amount_cents: of.cents / 20,
      paid_at: of.at ?? unixNow(),
      status: 'estimated' as const,
    },
    ...(of.leader === undefined
      ? []
      : [
          {
            distributor_id: of.leader,
            group_id: of.group,
            city_id: 1,
            role: 'leader' as const,
            base_cents: of.cents,
            rate_bp: 100,
            amount_cents: of.cents / 100,
            paid_at: of.at ?? unixNow(),
            status: 'estimated' as const,
          },
        ]),
  ])

describe('a team', () => {
  it('tells its sales, its bonus, who sold most and who sold nothing', async () => {
    const { team, leader, members } = await addTeam(database, 2)
    await sell({ seller: members[0]!.id, group: team.id, leader: leader.id, cents: 40_000 })
    const told = await done(calls.detail, { id: team.id })
    expect(told).toMatchObject({
      row: { gmv_cents: 40_000, leader_id: leader.id, member_count: 3 },
      bonus_cents: 400,
      bonus_paid_cents: 0,
      all_gmv_cents: 40_000,
      top: [{ id: members[0]!.id, gmv_cents: 40_000 }],
    })
    expect(told.idle.map((row: { id: number }) => row.id)).toContain(members[1]!.id)
    const { points } = await done(calls.trend, { id: team.id })
    expect(points.at(-1)).toMatchObject({ gmv_cents: 40_000 })
  })
  it('has a target for this month or a later one, never for one that is past', async () => {
    const { team } = await addTeam(database)
    const month = monthOf(unixNow())
    const set = await done(calls.setTarget, { ...one(team), month, gmv_target_cents: 500_000 })
    expect((await teamOf(team.id)).targets).toEqual({ [dateOf(unixNow()).slice(0, 7)]: 500_000 })
    const past = { ...one(set), month: month - 100, gmv_target_cents: 1 }
    expect(await rule(calls.setTarget, past)).toEqual([400, ['month']])
  })
  it('holds as many as the level of its leader allows, and no fewer than it has', async () => {
    const { team } = await addTeam(database, 2)
    const edit = { ...one(team), name: team.name, leader_bp: 1000 }
    expect(await rule(calls.edit, { ...edit, member_limit: 2 })).toEqual([400, ['member_limit']])
    expect(await rule(calls.edit, { ...edit, member_limit: 31 })).toEqual([400, ['member_limit']])
    expect(await rule(calls.edit, { ...edit, leader_bp: 1001, member_limit: 30 })).toEqual([
      400,
      ['leader_bp'],
    ])
    await done(calls.edit, { ...edit, member_limit: 30 })
  })
  it('is led by one of its own active members', async () => {
    const [{ team, members, leader }, other] = [
      await addTeam(database, 2),
      await addSeller(database),
    ]
    const change = { ...one(team), reason }
    expect(await rule(calls.changeLeader, { ...change, distributor_id: other.id })).toEqual([
      422,
      'not_member',
    ])
    await done(calls.changeLeader, { ...change, distributor_id: members[1]!.id })
    expect((await sellerOf(database, members[1]!.id)).is_leader).toBe(true)
    expect((await sellerOf(database, leader.id)).is_leader).toBe(false)
  })
  it('that is merged keeps what it sold, and the two sum up to what they were', async () => {
    const [from, into] = [await addTeam(database, 1), await addTeam(database, 1)]
    await sell({ seller: from.members[0]!.id, group: from.team.id, cents: 30_000 })
    await sell({ seller: into.members[0]!.id, group: into.team.id, cents: 20_000 })
    const merge = { ...one(from.team), target_group_id: into.team.id, reason }
    expect(await done(calls.merge, merge)).toMatchObject({ moved: 2 })
    const told = await done(calls.detail, { id: into.team.id })
    expect(told).toMatchObject({
      all_gmv_cents: 20_000,
      merged: [{ id: from.team.id, gmv_cents: 30_000 }],
      row: { member_count: 4 },
    })
    expect(await done(calls.detail, { id: from.team.id })).toMatchObject({
      all_gmv_cents: 30_000,
      row: { status: 'merged', merged_into_name: into.team.name, member_count: 0 },
    })
    await sell({ seller: from.members[0]!.id, group: into.team.id, cents: 5000 })
    expect((await done(calls.detail, { id: into.team.id })).all_gmv_cents).toBe(25_000)
    expect(await rule(calls.merge, { ...merge, ...one(await teamOf(from.team.id)) })).toEqual([
      422,
      'team_ended',
    ])
  })
  it('that two merge into each other at once is merged once', async () => {
    const [a, b] = [await addTeam(database), await addTeam(database)]
    const both = await Promise.all([
      call(calls.merge, { ...one(a.team), target_group_id: b.team.id, reason }),
      call(calls.merge, { ...one(b.team), target_group_id: a.team.id, reason }),
    ])
    expect(both.map(said => said.status).sort()).toEqual([200, 422])
  })
  it('with members is dissolved only as they go to another in the same step', async () => {
    const [from, into] = [await addTeam(database), await addTeam(database)]
    const dissolve = { ...one(from.team), reason }
    expect(await rule(calls.dissolve, dissolve)).toEqual([422, 'has_members'])
    await done(calls.dissolve, { ...dissolve, group_id: into.team.id })
    expect((await sellerOf(database, from.leader.id)).group_id).toBe(into.team.id)
    const [empty] = await database.db
      .insert(dist_group)
      .values({ name: `空队${from.team.id}`, city_id: 1 })
      .returning()
    await done(calls.dissolve, { ...one(empty!), reason })
    expect((await teamOf(empty!.id)).status).toBe('dissolved')
  })
})

describe('its members', () => {
  it('are listed with their part of its sales', async () => {
    const { team, members } = await addTeam(database, 2)
    const [a, b] = [members[0]!, members[1]!]
    await sell({ seller: a.id, group: team.id, cents: 30_000 })
    await sell({ seller: a.id, group: team.id, cents: 30_000, at: unixNow() - 2 * DAY })
    await sell({ seller: b.id, group: team.id, cents: 20_000 })
    await sell({ seller: b.id, group: team.id + 1000, cents: 90_000 })
    const { list } = await done(memberCalls.lst, { group_id: team.id })
    const row = (id: number) => list.find((one: { id: number }) => one.id === id)
    expect(row(a.id)).toMatchObject({ gmv_cents: 60_000, share_bp: 7500, active_days: 2 })
    expect(row(b.id)).toMatchObject({ gmv_cents: 20_000, share_bp: 2500, active_days: 1 })
    expect(list).toHaveLength(3)
  })
  it('come in where they are active and in no team, and the others say why not', async () => {
    const { team } = await addTeam(database)
    const [fine, applies] = [
      await addSeller(database),
      await addSeller(database, { status: 'pending', joined_at: null }),
    ]
    const told = await done(memberCalls.addMember, {
      group_id: team.id,
      distributor_ids: [fine.id, applies.id],
    })
    expect(told.ok).toEqual([fine.id])
    expect(told.failed).toMatchObject([{ id: applies.id, code: 'wrong_state' }])
  })
  it('are moved and removed from the next day on, and the leader is not', async () => {
    const [from, to] = [await addTeam(database, 3), await addTeam(database)]
    const [a, b, c] = from.members as [typeof from.leader, typeof from.leader, typeof from.leader]
    await done(memberCalls.move, { ...one(a), group_id: to.team.id, reason })
    await done(memberCalls.remove, { ...one(b), reason })
    for (const row of [a, b])
      expect((await periodsOf(database, row.id))[0]).toMatchObject({ end_at: movesAt(unixNow()) })
    expect(await rule(memberCalls.remove, { ...one(from.leader), reason })).toEqual([
      422,
      'is_leader',
    ])
    const told = await done(memberCalls.batchMove, {
      ids: [a.id, c.id, from.leader.id],
      group_id: to.team.id,
      reason,
    })
    expect(told.ok).toEqual([c.id])
    expect(told.failed.map((row: { code: string }) => row.code).sort()).toEqual([
      'moving',
      'wrong_state',
    ])
    const { list } = await done(memberCalls.lst, { group_id: from.team.id })
    expect(list.find((row: { id: number }) => row.id === a.id).moves_to).toBe(to.team.name)
    expect(list.find((row: { id: number }) => row.id === b.id).moves_to).toBe('')
  })
})
