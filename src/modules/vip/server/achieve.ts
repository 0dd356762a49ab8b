import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import {
  achievement as a,
  achievement_count,
  member_achievement as t,
} from '#src/areas/achievement/achievement.table.ts'
import {
  badgeGroups,
  fixedFaults,
  ownerCan,
  type BadgeGroup,
} from '#src/areas/achievement/achievement.ts'
import {
  award,
  retryReward,
  takeBadge,
  type BadgeRow as Badge,
  type Owner,
} from '#src/areas/achievement/awarding.server.ts'
import {
  badgeFor,
  badgeRecord,
  badgesInOrder,
  countsOf,
  lastPlace,
  lockBadges,
  nearly,
  needWritten,
  ownerRecord,
  writtenOfBadge,
  type Counts,
} from '#src/areas/achievement/badges.server.ts'
import { beginCount, progressOf } from '#src/areas/achievement/counting.server.ts'
import { isGiven } from '#src/areas/coupon/claiming.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import { liveRules } from '#src/areas/level/ladder.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { pickMembers } from '#src/areas/member/picking.server.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined, saidInBoth, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { arrange, faultless, listing, reverting } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import {
  achieve as contract,
  type BadgeRow,
  type OwnerRow,
  type OwnerView,
} from '../contract/achieve.ts'

const none: Counts = { held: 0, near: 0, failed: 0, revoked: 0 }
/** Rows of badges with their coupons and how many members hold them. */
const badgeRows = async (
  db: Db,
  rows: readonly Badge[],
  of: { counts: ReadonlyMap<number, Counts>; now: number },
): Promise<BadgeRow[]> => {
  const ids = rows.flatMap(row => row.reward_coupon_id ?? [])
  const given = sql<boolean>`${isGiven(of.now)}`
  const found =
    ids.length === 0
      ? []
      : await db
          .select({
            id: coupon.id,
            name: coupon.name,
            left: sql<number>`${coupon.total} - ${coupon.claimed_count}`,
            given,
          })
          .from(coupon)
          .where(inArray(coupon.id, ids))
  return rows.map(row => ({
    ...row,
    ...(of.counts.get(row.id) ?? none),
    is: 'badge' as const,
    coupon: found.find(one => one.id === row.reward_coupon_id) ?? null,
  }))
}
const lastRun = async (db: Db) => {
  const [run] = await db
    .select()
    .from(achievement_count)
    .where(eq(achievement_count.kind, 'all'))
    .orderBy(desc(achievement_count.id))
    .limit(1)
  return run ? { at: run.created_at, done: run.done, members_n: run.members_n } : null
}
const badgeOf = (badge: Badge) => ({
  achievement_id: badge.id,
  badge: badge.name,
  metric: badge.metric,
  threshold: badge.threshold,
  badge_status: badge.status,
})
const ownerRows = async (db: Db, rows: readonly Owner[]): Promise<OwnerRow[]> => {
  if (rows.length === 0) return []
  const badges = new Map((await badgesInOrder(db)).map(badge => [badge.id, badge]))
  const who = await db
    .select({ id: member.id, nickname: member.nickname, uid: member.uid })
    .from(member)
    .where(
      inArray(
        member.id,
        rows.map(row => row.member_id),
      ),
    )
  const named = new Map(who.map(one => [one.id, one]))
  return rows.map(row => {
    const { nickname, uid } = named.get(row.member_id)!
    return { ...row, ...badgeOf(badges.get(row.achievement_id)!), is: 'owner', nickname, uid }
  })
}
const thresholdOf = sql`exists (select 1 from ${a} where ${a.id} = ${t.achievement_id} and ${nearly})`
const views: Readonly<Record<OwnerView, SQL>> = {
  held: eq(t.state, 'held'),
  near: and(eq(t.state, 'progress'), thresholdOf)!,
  failed: eq(t.reward_status, 'failed'),
  revoked: eq(t.state, 'revoked'),
}
const owners = listing(ownerRecord, {
  by: t.id,
  down: true,
  where: (of: { achievement_id?: number; state?: OwnerView }) =>
    and(
      of.achievement_id === undefined ? undefined : eq(t.achievement_id, of.achievement_id),
      of.state && views[of.state],
    ),
  shown: ownerRows,
})
/** A member's standing to every badge: what was got as it is kept, progress as it counts now. */
const progressRows = async (db: Db, member_id: number): Promise<OwnerRow[]> => {
  const now = await progressOf(db, member_id)
  const kept = await ownerRows(db, await db.select().from(t).where(eq(t.member_id, member_id)))
  const [who] = await db.select().from(member).where(eq(member.id, member_id))
  const { nickname, uid } = who!
  const nothing = {
    is: 'owner' as const,
    version: 0,
    member_id,
    nickname,
    uid,
    state: 'progress' as const,
    got_at: null,
    source: 'auto' as const,
    reward_status: 'none' as const,
    reward_fault: '',
    reason: '',
  }
  const badges = (await badgesInOrder(db)).filter(badge => now.has(badge.id))
  return badges.map(badge => {
    const row = kept.find(one => one.achievement_id === badge.id)
    const progress = now.get(badge.id) ?? 0
    return { ...nothing, id: -badge.id, ...badgeOf(badge), ...row, progress }
  })
}
const logOwner = (
  context: WriteContext,
  row: Owner,
  entry: { before: object | null; after: object; reason?: string },
) => ownerRecord.log(context, row, entry as never)

const reads = {
  badges: async ({ group }, { db, staff, now }) => {
    const all = await badgesInOrder(db)
    const counts = await countsOf(db, staff.scope)
    const rows = group ? all.filter(badge => badge.group === group) : all
    const failed = (of: readonly Badge[]) =>
      of.reduce((sum, badge) => sum + (counts.get(badge.id)?.failed ?? 0), 0)
    return {
      list: await badgeRows(db, rows, { counts, now }),
      total: rows.length,
      list_version: sequenceVersion(rows.map(badge => badge.id)),
      groups: (Object.keys(badgeGroups) as BadgeGroup[]).map(one => {
        const of = all.filter(badge => badge.group === one)
        return { group: one, n: of.length, failed: failed(of) }
      }),
      growth: (await liveRules(db)).earns.achieve,
      run: await lastRun(db),
    }
  },
  owners: (asked, context) => owners.page(asked as never, context),
  progress: async ({ member_id }, { db, staff }) => {
    const [who] = await db
      .select({ id: member.id, nickname: member.nickname, uid: member.uid })
      .from(member)
      .where(and(eq(member.id, member_id), within(staff.scope, { city: member.city_id })))
    if (!who) throw missing()
    const list = await progressRows(db, member_id)
    return {
      member: { id: who.id, name: `${who.nickname} · ${who.uid}` },
      list,
      total: list.length,
    }
  },
  members: pickMembers,
  coupons: offeredCoupons,
} satisfies Partial<{ [K in keyof typeof contract]: Handler<(typeof contract)[K]> }>

const badgeWrites = {
  create: async (fields, context) => {
    await needWritten(context, fields)
    const sort = await lastPlace(context.tx, fields.group)
    return badgeRecord.add(context, { ...fields, sort, status: 'draft' })
  },
  edit: async ({ id, version, ...fields }, context) => {
    const was = await badgeFor(context, 'edit', { id, version })
    faultless(context.staff, fixedFaults(was, fields))
    await needWritten(context, fields)
    const moved = fields.group !== was.group
    const sort = moved ? await lastPlace(context.tx, fields.group) : was.sort
    return badgeRecord.save(context, was, { ...fields, sort })
  },
  copy: async (one, context) => {
    const was = await badgeRecord.held(context, one)
    const { name: _, group, metric, threshold, icon_on, icon_off, ...more } = was
    const { reward_points, reward_coupon_id, start_at, end_at } = more
    const name = `${[...was.name].slice(0, 10).join('')}副本`
    const sort = await lastPlace(context.tx, was.group)
    return badgeRecord.add(context, {
      name,
      group,
      metric,
      threshold,
      icon_on,
      icon_off,
      reward_points,
      reward_coupon_id,
      start_at,
      end_at,
      sort,
      status: 'draft',
    })
  },
  enable: async (one, context) => {
    const was = await badgeFor(context, 'enable', one)
    return badgeRecord.save(context, was, { status: 'on', off_reason: '' })
  },
  disable: async ({ reason, ...one }, context) => {
    const was = await badgeFor(context, 'disable', one)
    return badgeRecord.save(context, was, { status: 'off', off_reason: reason }, reason)
  },
  sort: async ({ group, ...sent }, { tx, log }) => {
    await lockBadges(tx)
    const before = (await badgesInOrder(tx, group)).map(badge => badge.id)
    const { order, list_version } = await arrange(tx, sent, before, { sets: a.sort, by: a.id })
    log({
      object_type: 'achievement',
      object_id: 0,
      object_label: saidInBoth(lang =>
        say(['{group}勋章顺序', 'Order of badges, {group}'], lang, {
          group: say(badgeGroups[group], lang),
        }),
      ),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  recount: async (_, { tx, staff, now, log }) => {
    const id = await beginCount(tx, { admin_id: staff.id, now })
    if (id === null)
      throw ruled('counting', [
        '正在统计中，完成后再重新统计',
        'A count is under way: wait until it is done',
      ])
    log({
      object_type: 'achievement_count',
      object_id: id,
      object_label: joined(['全部会员', 'All members']),
      before: null,
      after: {},
    })
    return { id }
  },
} satisfies Partial<{ [K in keyof typeof contract]: Handler<(typeof contract)[K]> }>

const ownerWrites = {
  grant: async ({ achievement_id, member_id, reason }, context) => {
    const { tx, staff, now } = context
    const row = await award(tx, {
      achievement_id,
      member_id,
      source: 'admin',
      reason,
      operator_id: staff.id,
      now,
    })
    const { state, source, reward_status } = row
    const after = { achievement_id, member_id, state, source, reward_status }
    logOwner(context, row, { before: null, after, reason })
    return row
  },
  revoke: async ({ reason, ...one }, context) => {
    const { tx, staff, now } = context
    const was = await ownerRecord.held(context, one)
    const may = ownerCan('revoke', was)
    if (may !== true) throw ruled('not_held', may)
    const {
      row,
      points,
      coupon: gone,
    } = await takeBadge(tx, {
      id: was.id,
      reason,
      operator_id: staff.id,
      now,
    })
    logOwner(context, row, {
      before: { state: was.state, reward_status: was.reward_status },
      after: { state: row.state, reward_status: row.reward_status, points, coupon: gone },
      reason,
    })
    return { id: row.id, version: row.version, points, coupon: gone }
  },
  retryReward: ({ ids }, context) =>
    eachRow(context, ids, async (inside, id) => {
      await ownerRecord.read(inside.tx, inside.staff, id)
      const row = await retryReward(inside.tx, id, inside.now)
      const after = { reward_status: row.reward_status }
      logOwner(inside, row, { before: { reward_status: 'failed' }, after })
    }),
} satisfies Partial<{ [K in keyof typeof contract]: Handler<(typeof contract)[K]> }>

reverting(badgeRecord, [way(contract.edit, badgeWrites.edit, [...writtenOfBadge])])

export const achieveServer = implement(contract, { ...reads, ...badgeWrites, ...ownerWrites })
