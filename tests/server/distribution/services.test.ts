import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dist_binding } from '#src/areas/binding/binding.table.ts'
import {
  endQuitting,
  freezeSeller,
  quitSeller,
  setLeader,
  setTeam,
} from '#src/areas/distribution/sellers.server.ts'
import {
  applyPeriods,
  leaveTeam,
  mergeTeam,
  movesAt,
  teams,
} from '#src/areas/distribution/teams.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import {
  addCustomer,
  addSeller,
  addTeam,
  asStaff,
  giveMoney,
  periodsOf,
  sellerOf,
} from '../../help/distribution.ts'

let database: Database
let staff: number
const now = unixNow()
const reason = '区域调整'
beforeAll(async () => {
  database = await openCopy()
  staff = (await addStaff(database)).id
})
const run = <R>(does: Parameters<typeof asStaff<R>>[2]) => asStaff(database, staff, does, now)

describe('a seller in teams', () => {
  it('joins at once where it is in none', async () => {
    const [{ team }, one] = [await addTeam(database), await addSeller(database)]
    await run(context => setTeam(context, one, { group_id: team.id, reason }))
    expect((await sellerOf(database, one.id)).group_id).toBe(team.id)
    expect(await periodsOf(database, one.id)).toMatchObject([
      { group_id: team.id, start_at: now, end_at: null },
    ])
  })
  it('moves at 00:00 of the next day, and until then is in the old one', async () => {
    const [from, to] = [await addTeam(database), await addTeam(database)]
    const one = from.members[0]!
    await run(context => setTeam(context, one, { group_id: to.team.id, reason }))
    const at = movesAt(now)
    expect((await sellerOf(database, one.id)).group_id).toBe(from.team.id)
    expect(await periodsOf(database, one.id)).toMatchObject([
      { group_id: from.team.id, end_at: at, reason },
      { group_id: to.team.id, start_at: at, end_at: null },
    ])
    await applyPeriods(database.db, at - 1)
    expect((await sellerOf(database, one.id)).group_id).toBe(from.team.id)
    await applyPeriods(database.db, at)
    expect((await sellerOf(database, one.id)).group_id).toBe(to.team.id)
    expect(await applyPeriods(database.db, at)).toBe(0)
  })
  it('is not moved twice before the first move took effect', async () => {
    const [from, to] = [await addTeam(database), await addTeam(database)]
    const one = from.members[0]!
    await run(context => setTeam(context, one, { group_id: to.team.id, reason }))
    const again = await sellerOf(database, one.id)
    await expect(
      run(context => setTeam(context, again, { group_id: from.team.id, reason })),
    ).rejects.toMatchObject({ status: 422, data: { rule: 'moving' } })
  })
  it('leaves at 00:00, and a leader not before there is another', async () => {
    const { team, leader, members } = await addTeam(database)
    await expect(run(context => leaveTeam(context, leader, reason))).rejects.toMatchObject({
      data: { rule: 'is_leader' },
    })
    await expect(
      run(context => setTeam(context, leader, { group_id: team.id, reason })),
    ).rejects.toMatchObject({ data: { rule: 'wrong_state' } })
    await run(context => setLeader(context, members[0]!, reason))
    expect((await sellerOf(database, members[0]!.id)).is_leader).toBe(true)
    const old = await sellerOf(database, leader.id)
    expect(old.is_leader).toBe(false)
    await run(context => leaveTeam(context, old, reason))
    await applyPeriods(database.db, movesAt(now))
    expect((await sellerOf(database, leader.id)).group_id).toBeNull()
    expect(await periodsOf(database, leader.id)).toMatchObject([
      { is_leader: true, end_at: now },
      { is_leader: false, start_at: now, end_at: movesAt(now) },
    ])
  })
  it('is not let in beyond the limit of the team', async () => {
    const { team } = await addTeam(database, 1, { member_limit: 2 })
    const one = await addSeller(database)
    await expect(
      run(context => setTeam(context, one, { group_id: team.id, reason })),
    ).rejects.toMatchObject({ data: { rule: 'team_full' } })
  })
  it('of a merged team goes over at once, and its history stays', async () => {
    const [from, into] = [await addTeam(database, 2), await addTeam(database)]
    const { moved } = await run(async context =>
      mergeTeam(context, await teams.held(context, from.team), {
        group_id: into.team.id,
        reason,
      }),
    )
    expect(moved).toBe(3)
    for (const one of [from.leader, ...from.members]) {
      expect(await sellerOf(database, one.id)).toMatchObject({
        group_id: into.team.id,
        is_leader: false,
      })
      expect(await periodsOf(database, one.id)).toMatchObject([
        { group_id: from.team.id, end_at: now },
        { group_id: into.team.id, start_at: now, end_at: null, is_leader: false },
      ])
    }
  })
})

describe('a seller that quits', () => {
  it('releases its customers and leaves its team at once where nothing is on hold', async () => {
    const { members } = await addTeam(database)
    const one = members[0]!
    const customer = await addCustomer(database, one.id)
    const { released } = await run(context => quitSeller(context, one, reason))
    expect(released).toBe(1)
    expect(await sellerOf(database, one.id)).toMatchObject({ status: 'quit', group_id: null })
    const [bound] = await database.db
      .select()
      .from(dist_binding)
      .where(eq(dist_binding.id, customer.id))
    expect(bound).toMatchObject({ status: 'unbound', end_at: now, ended_by: staff })
    expect((await periodsOf(database, one.id))[0]).toMatchObject({ end_at: now })
  })
  it('waits while commission is on hold, and ends once it is none', async () => {
    const one = await addSeller(database)
    await giveMoney(database, one.id, 'distributor_frozen', 500)
    await run(context => quitSeller(context, one, reason))
    expect(await sellerOf(database, one.id)).toMatchObject({ status: 'active', quitting: true })
    await endQuitting(database.db, now)
    expect((await sellerOf(database, one.id)).status).toBe('active')
    await giveMoney(database, one.id, 'distributor_frozen', -500)
    expect(await endQuitting(database.db, now)).toBeGreaterThan(0)
    expect(await sellerOf(database, one.id)).toMatchObject({ status: 'quit', quitting: false })
  })
  it('is not frozen by somebody who holds it as it was', async () => {
    const one = await addSeller(database)
    await run(context => quitSeller(context, one, reason))
    await expect(run(context => freezeSeller(context, one, reason))).rejects.toMatchObject({
      status: 409,
    })
  })
})
