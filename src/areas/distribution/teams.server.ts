import { and, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record, unlessTaken } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { dist_group, dist_group_member, distributor } from './sellers.table.ts'
import { sellerCan, teamMostOf, type SellerVerb } from './sellers.ts'

type Seller = typeof distributor.$inferSelect
export type Team = typeof dist_group.$inferSelect
type One = { id: number; version: number }
type Why = { group_id: number; reason: string }

/** Teams as handlers read, change and log them. */
export const teams = record(dist_group, {
  object: 'dist_group',
  label: row => row.name,
  keys: ['name', 'leader_bp', 'member_limit', 'targets', 'status', 'reason'],
  places: { city: dist_group.city_id, mall: dist_group.mall_id },
})
const ended = (row: Team) =>
  ruled('team_ended', ['团队「{name}」已解散或合并', 'The team {name} is dissolved or merged'], {
    name: row.name,
  })
/**
 * Locks teams in one order for everybody. Whoever changes teams and sellers asks it before the
 * sellers are locked: two that merge crosswise, or a merge and a move, never wait for each other.
 */
export const lockTeams = async (
  tx: Db,
  ids: readonly (number | null | undefined)[],
): Promise<void> => {
  const wanted = [...new Set(ids)].filter(id => id !== null && id !== undefined)
  if (wanted.length > 0)
    await tx
      .select({ id: dist_group.id })
      .from(dist_group)
      .where(inArray(dist_group.id, wanted))
      .orderBy(dist_group.id)
      .for('update')
}
/** The team as the person holds it, locked along with another, while it lives. */
export const heldTeam = async (context: WriteContext, one: One, other?: number): Promise<Team> => {
  await lockTeams(context.tx, [one.id, other])
  const row = await teams.heldFast(context, one)
  if (row.status !== 'active') throw ended(row)
  return row
}
/** A living team within the person's data, locked: nobody joins or leaves it meanwhile. */
const livingTeam = async (context: WriteContext, id: number): Promise<Team> => {
  const row = await teams.lock(context, id)
  if (row.status !== 'active') throw ended(row)
  return row
}
/** When a move that is ordered now takes effect: at 00:00 of the next day, Shanghai. */
export const movesAt = (now: number): number => dayStart(now) + DAY

/** How many a team has, once what was ordered has taken effect. */
export const headCount = (tx: Db, group_id: number): Promise<number> =>
  tx.$count(
    dist_group_member,
    and(eq(dist_group_member.group_id, group_id), isNull(dist_group_member.end_at)),
  )
const refuseFull = async (tx: Db, team: Team, more = 1): Promise<void> => {
  const there = await headCount(tx, team.id)
  if (there + more > team.member_limit)
    throw ruled(
      'team_full',
      [
        '团队「{name}」最多 {most} 人，现有 {n} 人',
        'The team {name} has {n} of at most {most} members',
      ],
      { name: team.name, most: team.member_limit, n: there },
    )
}
const lastPeriod = async (tx: Db, distributor_id: number) => {
  const [row] = await tx
    .select()
    .from(dist_group_member)
    .where(eq(dist_group_member.distributor_id, distributor_id))
    .orderBy(desc(dist_group_member.start_at), desc(dist_group_member.id))
    .limit(1)
  return row
}
const closePeriod = (tx: Db, id: number, end_at: number, reason: string) =>
  tx
    .update(dist_group_member)
    .set({ end_at: sql`greatest(${dist_group_member.start_at}, ${end_at})`, reason })
    .where(eq(dist_group_member.id, id))

/** Writes a seller anew under its next version, or says who was quicker. */
const touch = async (
  { tx }: WriteContext,
  was: Seller,
  set: Partial<typeof distributor.$inferInsert>,
): Promise<Seller> => {
  const [after] = await tx
    .update(distributor)
    .set({ ...set, version: was.version + 1 })
    .where(and(eq(distributor.id, was.id), eq(distributor.version, was.version)))
    .returning()
  if (!after) throw missing()
  return after
}
const noteMove = (
  context: WriteContext,
  was: Seller,
  to: number | null,
  more: { reason: string; at?: number },
) =>
  context.log({
    object_type: 'distributor',
    object_id: was.id,
    object_label: was.name,
    before: { group_id: was.group_id },
    after: { group_id: to, ...(more.at && { moves_at: more.at }) },
    ...(more.reason && { reason: more.reason }),
  })

const refuseUnable = (verb: SellerVerb, was: Seller): void => {
  const may = sellerCan(verb, was)
  if (may !== true)
    throw ruled(
      was.is_leader ? 'is_leader' : 'wrong_state',
      may,
      {},
      { current: { status: was.status } },
    )
}
const refuseMoving = (period: { start_at: number } | undefined, now: number): void => {
  if (period && period.start_at > now)
    throw ruled('moving', [
      '已安排在次日 00:00 调整团队，生效后才能再调',
      'It changes teams at 00:00 already: wait for that first',
    ])
}
/**
 * Puts a seller into a team: at once where it is in none, else from 00:00 of the next day, and what
 * it brings until then is the old team's. The caller holds the seller.
 */
export const joinTeam = async (
  context: WriteContext,
  was: Seller,
  { group_id, reason }: Why,
): Promise<Seller> => {
  const { tx, now } = context
  refuseUnable('setGroup', was)
  const team = await livingTeam(context, group_id)
  const period = await lastPeriod(tx, was.id)
  refuseMoving(period, now)
  const open = period?.end_at === null ? period : undefined
  if (open?.group_id === group_id) throw ruled('same_team', ['已在该团队', 'It is in that team'])
  await refuseFull(tx, team)
  const isIn = open !== undefined || (period?.end_at ?? 0) > now
  const at = isIn ? movesAt(now) : now
  if (open) await closePeriod(tx, open.id, at, reason)
  await tx
    .insert(dist_group_member)
    .values({ group_id, distributor_id: was.id, start_at: at, reason })
  noteMove(context, was, group_id, { reason, ...(isIn && { at }) })
  return touch(context, was, isIn ? {} : { group_id })
}
/** Takes a seller out of its team, from 00:00 of the next day on. The caller holds the seller. */
export const leaveTeam = async (
  context: WriteContext,
  was: Seller,
  reason: string,
): Promise<Seller> => {
  const { tx, now } = context
  if (was.is_leader)
    throw ruled('is_leader', [
      '团长不能移出，请先更换团长',
      'A leader is not removed: name another leader first',
    ])
  const period = await lastPeriod(tx, was.id)
  refuseMoving(period, now)
  if (period?.end_at !== null || was.group_id === null)
    throw ruled('no_team', ['不在团队中，或已安排移出', 'It is in no team, or leaves it already'])
  const at = movesAt(now)
  await closePeriod(tx, period.id, at, reason)
  noteMove(context, was, null, { reason, at })
  return touch(context, was, {})
}

/** Turns the open period of a member into one as a leader, or as none, from now on. */
const turnPeriod = async (
  { tx, now }: WriteContext,
  seller: Seller,
  is_leader: boolean,
  reason: string,
): Promise<void> => {
  const period = await lastPeriod(tx, seller.id)
  if (!period || period.end_at !== null || period.start_at > now)
    throw ruled('moving', [
      '该成员已安排离开团队，不能担任团长',
      'It leaves the team already, and leads it no more',
    ])
  await closePeriod(tx, period.id, now, reason)
  await tx.insert(dist_group_member).values({
    group_id: period.group_id,
    distributor_id: seller.id,
    is_leader,
    start_at: now,
    reason,
  })
}
/**
 * Makes a member the leader of its team, from now on: the bonus until now stays with whoever led it.
 * The caller holds the seller.
 */
export const leadTeam = async (
  context: WriteContext,
  was: Seller,
  { group_id, reason }: Why,
): Promise<Seller> => {
  const { tx } = context
  await livingTeam(context, group_id)
  if (was.status !== 'active' || was.quitting)
    throw ruled('wrong_state', ['团长须是正常的成员', 'A leader is an active member'])
  if (was.group_id !== group_id)
    throw ruled('not_member', ['团长须是本团队成员', 'A leader is a member of the team'])
  if (was.is_leader) throw ruled('is_leader', ['已是团长', 'It leads the team'])
  const [old] = await tx
    .select()
    .from(distributor)
    .where(and(eq(distributor.group_id, group_id), eq(distributor.is_leader, true)))
    .for('update')
  const note = (row: Seller, is_leader: boolean) =>
    context.log({
      object_type: 'distributor',
      object_id: row.id,
      object_label: row.name,
      before: { is_leader: !is_leader },
      after: { is_leader },
      ...(reason && { reason }),
    })
  if (old) {
    await touch(context, old, { is_leader: false })
    await turnPeriod(context, old, false, reason)
    note(old, false)
  }
  const after = await touch(context, was, { is_leader: true })
  await turnPeriod(context, after, true, reason)
  note(after, true)
  return after
}
/** Makes a team of a seller that is in none and leads it. The caller holds the seller. */
export const createTeam = async (
  context: WriteContext,
  leader: Seller,
  of: { name: string; leader_bp: number },
): Promise<Team> => {
  refuseUnable('setGroup', leader)
  if (leader.group_id !== null)
    throw ruled('in_team', [
      '团长已在其他团队，请先移出，次日再新建团队',
      'The leader is in another team: remove it there, and make the team the day after',
    ])
  const team = await unlessTaken(
    teams.add(context, {
      ...of,
      city_id: leader.city_id,
      mall_id: leader.mall_id,
      member_limit: teamMostOf(leader.level_no),
    }),
    () => ruled('name_taken', ['本城市已有同名团队', 'The city has a team of that name']),
  )
  const joined = await joinTeam(context, leader, { group_id: team.id, reason: '' })
  await leadTeam(context, joined, { group_id: team.id, reason: '' })
  return team
}

/** Moves whoever is in a team, or is to come into it, to another at once; answers how many. */
const moveAll = async (
  context: WriteContext,
  { from, into, reason }: { from: Team; into: Team; reason: string },
): Promise<number> => {
  const { tx, now } = context
  await refuseFull(tx, into, await headCount(tx, from.id))
  const periods = await tx
    .select()
    .from(dist_group_member)
    .where(
      and(
        eq(dist_group_member.group_id, from.id),
        or(isNull(dist_group_member.end_at), gt(dist_group_member.end_at, now)),
      ),
    )
  for (const one of periods) {
    await closePeriod(tx, one.id, now, reason)
    await tx.insert(dist_group_member).values({
      group_id: into.id,
      distributor_id: one.distributor_id,
      start_at: Math.max(now, one.start_at),
      end_at: one.end_at,
      reason,
    })
  }
  const moved = await tx
    .update(distributor)
    .set({ group_id: into.id, is_leader: false, version: sql`${distributor.version} + 1` })
    .where(eq(distributor.group_id, from.id))
    .returning()
  for (const row of moved) noteMove(context, { ...row, group_id: from.id }, into.id, { reason })
  return moved.length
}
const otherTeam = async (context: WriteContext, was: Team, target_id: number): Promise<Team> => {
  if (was.id === target_id)
    throw ruled('same_team', ['不能并入自身', 'A team is not merged into itself'])
  return livingTeam(context, target_id)
}
/** Merges a team into another: its history stays its own, its members go over at once. */
export const mergeTeam = async (
  context: WriteContext,
  was: Team,
  { group_id, reason }: Why,
): Promise<Team & { moved: number }> => {
  const into = await otherTeam(context, was, group_id)
  const moved = await moveAll(context, { from: was, into, reason })
  const after = await teams.save(
    context,
    was,
    { status: 'merged', merged_into: into.id, reason },
    reason,
  )
  return { ...after, moved }
}
/** Dissolves a team; its members go to another team in the same step, where it has any. */
export const dissolveTeam = async (
  context: WriteContext,
  was: Team,
  { group_id, reason }: { group_id?: number | undefined; reason: string },
): Promise<Team & { moved: number }> => {
  const members = await headCount(context.tx, was.id)
  if (members > 0 && group_id === undefined)
    throw ruled(
      'has_members',
      ['团队还有 {n} 名成员，请选择转入的团队', 'The team has {n} members: choose where they go'],
      { n: members },
    )
  const moved =
    group_id === undefined
      ? 0
      : await moveAll(context, { from: was, into: await otherTeam(context, was, group_id), reason })
  const after = await teams.save(context, was, { status: 'dissolved', reason }, reason)
  return { ...after, moved }
}

/** Puts sellers where their periods say that they are by now; answers how many moved. */
export const applyPeriods = async (db: Db, now: number): Promise<number> => {
  const { rows } = await db.execute(sql`
    update distributor d set group_id = p.group_id, is_leader = false, version = d.version + 1, updated_at = ${now}
    from (
      select was.distributor_id id, cur.group_id from dist_group_member was
        left join lateral (
          select c.group_id from dist_group_member c
          where c.distributor_id = was.distributor_id and c.start_at <= ${now} and (c.end_at is null or c.end_at > ${now})
          order by c.id desc limit 1) cur on true
      where was.end_at <= ${now} and was.end_at > ${now - 7 * DAY} and was.end_at > was.start_at) p
    where d.id = p.id and d.group_id is not null and not d.is_leader and d.group_id is distinct from p.group_id
    returning d.id`)
  return rows.length
}
