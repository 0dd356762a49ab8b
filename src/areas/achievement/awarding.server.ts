/** Members get badges and what comes with them, and lose them again. */
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { takeBackGrant } from '#src/areas/coupon/couponRecord.server.ts'
import { growFor } from '#src/areas/level/growth.server.ts'
import { ungrow } from '#src/areas/level/ungrow.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { bookedAs, earnsNothing, holdMember } from '#src/areas/points/book.server.ts'
import { earnPoints } from '#src/areas/points/points.server.ts'
import { takeBackEarned, takeBackLeft } from '#src/areas/points/reversing.server.ts'
import { joined, keptWords, type Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, Refusal, ruled } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { achievement as a, member_achievement as t } from './achievement.table.ts'
import { ownerCan, SURE_AFTER, type BadgeSource } from './achievement.ts'

export type BadgeRow = typeof a.$inferSelect
export type Owner = typeof t.$inferSelect
/** The number under which what a badge earned is booked. */
const numberOf = ({ id, round }: Pick<Owner, 'id' | 'round'>): string => `ACH${id}-${round}`
/** Whether a coupon of an earlier time was used: then no other is given. */
const usedBefore = async (tx: Db, row: Owner): Promise<boolean> => {
  const codes = Array.from({ length: row.round }, (_, n) => numberOf({ ...row, round: n }))
  if (codes.length === 0) return false
  const used = await tx
    .select({ id: coupon_grant.id })
    .from(coupon_grant)
    .where(and(inArray(coupon_grant.code, codes), inArray(coupon_grant.status, ['used', 'locked'])))
  return used.length > 0
}
/** Gives the coupon of a badge once; answers why not, where it could not be given. */
const giveCoupon = async (
  tx: Db,
  { row, coupon_id, now }: { row: Owner; coupon_id: number; now: number },
): Promise<Refusal | undefined> => {
  const code = numberOf(row)
  const [known] = await tx
    .select({ id: coupon_grant.id })
    .from(coupon_grant)
    .where(eq(coupon_grant.code, code))
  if (known || (await usedBefore(tx, row))) return undefined
  try {
    await tx.transaction(inner =>
      claimCoupon(inner, {
        coupon_id,
        member_id: row.member_id,
        qty: 1,
        kind: 'activity',
        codes: [code],
        now,
      }),
    )
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
const noPoints: Text = [
  '会员权益已冻结，积分未发放',
  'The member’s benefits are frozen: no points were given',
]
const belowAgain = joined(['退款后未达门槛', 'Below the threshold after a refund'])
const together = (faults: readonly Text[]): Text => [
  faults.map(([zh]) => zh).join('；'),
  faults.map(([, en]) => en).join('; '),
]
/**
 * Gives what a badge comes with and was not given yet: coupon, growth, points. What can't be given
 * leaves the reward failed with its reason, to be tried again. Answers the row after it.
 */
const settleReward = async (
  tx: Db,
  { row, badge, now }: { row: Owner; badge: BadgeRow; now: number },
): Promise<Owner> => {
  const biz_no = numberOf(row)
  const { member_id } = row
  const faults: Text[] = []
  if (badge.reward_coupon_id !== null) {
    const refused = await giveCoupon(tx, { row, coupon_id: badge.reward_coupon_id, now })
    if (refused) faults.push([refused.in('zh'), refused.in('en')])
  }
  await growFor(tx, { action: 'achieve', member_id, biz_no, now })
  const earning = { biz_kind: 'achieve' as const, biz_no }
  if (badge.reward_points > 0 && !(await bookedAs(tx, { ...earning, kind: 'earn' }))) {
    const title = joined([`获得勋章：${badge.name}`, `Badge: ${badge.name}`])
    const id = await earnPoints(tx, {
      ...earning,
      member_id,
      points: badge.reward_points,
      title,
      now,
    })
    if (id === null) faults.push(noPoints)
  }
  const hasReward = badge.reward_points > 0 || badge.reward_coupon_id !== null
  const given = hasReward ? ('issued' as const) : ('none' as const)
  const [after] = await tx
    .update(t)
    .set({
      reward_status: faults.length > 0 ? 'failed' : given,
      reward_fault: faults.length === 0 ? '' : keptWords(together(faults)),
      version: sql`${t.version} + 1`,
      updated_at: now,
    })
    .where(eq(t.id, row.id))
    .returning()
  return after!
}

type Award = {
  achievement_id: number
  member_id: number
  source: BadgeSource
  reason?: string
  operator_id?: number
  now: number
}
const notNormal = () =>
  ruled('member_not_normal', [
    '会员账号已封禁、注销或合并，不能授予',
    'The member’s account is banned, closed or merged',
  ])
/** The member's row of the badge, turned to held; 422 where it is so already. */
const hold = async (tx: Db, of: Award): Promise<Owner> => {
  const { achievement_id, member_id, source, now } = of
  const got = {
    state: 'held' as const,
    got_at: now,
    source,
    reason: of.reason ?? '',
    operator_id: of.operator_id ?? null,
    updated_at: now,
  }
  // What staff took back is given again by staff alone.
  const from = source === 'auto' ? eq(t.state, 'progress') : ne(t.state, 'held')
  const [row] = await tx
    .insert(t)
    .values({ achievement_id, member_id, ...got, round: 1, created_at: now })
    .onConflictDoUpdate({
      target: [t.member_id, t.achievement_id],
      set: { ...got, round: sql`${t.round} + 1`, version: sql`${t.version} + 1` },
      setWhere: from,
    })
    .returning()
  if (row) return row
  throw ruled('has_it', ['该会员已有这枚勋章', 'The member has this badge already'])
}
/**
 * A member gets a badge that is on, once, with what comes with it. Throws 404 or 422: not on, the
 * account is not in order, or the member has it.
 */
export const award = async (tx: Db, of: Award): Promise<Owner> => {
  const [badge] = await tx
    .update(a)
    .set({ got_count: sql`${a.got_count} + 1`, updated_at: sql`${a.updated_at}` })
    .where(and(eq(a.id, of.achievement_id), eq(a.status, 'on')))
    .returning()
  if (!badge) throw ruled('not_on', ['勋章未上线，不能授予', 'The badge is not on'])
  const [who] = await tx
    .select({ account_state: member.account_state })
    .from(member)
    .where(eq(member.id, of.member_id))
  if (!who) throw missing()
  if (who.account_state !== 'normal') throw notNormal()
  return settleReward(tx, { row: await hold(tx, of), badge, now: of.now })
}
/** A reward that failed is tried again; throws 422 where there is none, or it fails again. */
export const retryReward = async (tx: Db, id: number, now: number): Promise<Owner> => {
  const [known] = await tx.select().from(t).where(eq(t.id, id))
  if (!known) throw missing()
  const [badge] = await tx.select().from(a).where(eq(a.id, known.achievement_id)).for('key share')
  const who = await holdMember(tx, known.member_id)
  if (earnsNothing(who)) throw notNormal()
  const [row] = await tx.select().from(t).where(eq(t.id, id)).for('update')
  const may = ownerCan('retry', row!)
  if (may !== true) throw ruled('not_failed', may)
  const after = await settleReward(tx, { row: row!, badge: badge!, now })
  if (after.reward_status === 'failed')
    throw ruled('still_failed', ['{why}', '{why}'], { why: after.reward_fault })
  return after
}

export type Taken = { row: Owner; points: number; coupon: boolean }
/**
 * A badge is taken back from its member: growth, a coupon that is unused, and what is left of its
 * points. `lost` for the clock: a refund takes spent points as debt, and the badge can be reached
 * again. Answers what was taken; throws 422 where the member does not have it.
 */
export const takeBadge = async (
  tx: Db,
  of: { id: number; reason: string; operator_id?: number; lost?: boolean; now: number },
): Promise<Taken> => {
  const [known] = await tx.select().from(t).where(eq(t.id, of.id))
  if (!known) throw missing()
  await holdMember(tx, known.member_id)
  const [row] = await tx
    .update(t)
    .set({
      state: of.lost ? 'progress' : 'revoked',
      reward_status: sql`case when ${t.reward_status} = 'none' then 'none' else 'revoked' end`,
      reward_fault: '',
      reason: of.reason,
      operator_id: of.operator_id ?? null,
      version: sql`${t.version} + 1`,
      updated_at: of.now,
    })
    .where(and(eq(t.id, of.id), eq(t.state, 'held')))
    .returning()
  if (!row) throw ruled('not_held', ['该会员没有这枚勋章', 'The member does not have it'])
  const biz_no = numberOf(row)
  const by = of.operator_id === undefined ? {} : { operator_id: of.operator_id }
  const why = { why: of.reason, ...by, now: of.now }
  const earned = { biz_kind: 'achieve' as const, biz_no, ...why }
  const points = of.lost ? await takeBackEarned(tx, earned) : await takeBackLeft(tx, earned)
  await ungrow(tx, { action: 'achieve', biz_no, ...why })
  const coupon = await takeBackGrant(tx, { code: biz_no, reason: of.reason, now: of.now })
  return { row, points, coupon }
}

const SOME = 200
/**
 * Gives badges to whoever reached them, and takes those back that a refund let fall below within 15
 * days; each in a transaction of its own. Answers how many changed.
 */
export const settleBadges = async (database: Database, now: number): Promise<number> => {
  const { rows: due } = await database.db.execute<{ id: number; member_id: number }>(sql`
    select a.id, k.member_id from achievement a join member_achievement k
      on k.achievement_id = a.id and k.state = 'progress' and k.progress >= a.threshold
      join member m on m.id = k.member_id and m.account_state = 'normal'
    where a.status = 'on' order by k.id limit ${SOME}`)
  const { rows: lost } = await database.db.execute<{ id: number }>(sql`
    select k.id from achievement a join member_achievement k on k.achievement_id = a.id
      and k.state = 'held' and k.source = 'auto' and k.progress < a.threshold
      and k.got_at > ${now - SURE_AFTER}
    where a.status = 'on' order by k.id limit ${SOME}`)
  let n = 0
  const run = async (work: (tx: Db) => Promise<unknown>) => {
    try {
      await database.transaction(work)
      n++
    } catch (error) {
      // Somebody was quicker: what it was due for is settled.
      if (!(error instanceof Refusal)) throw error
    }
  }
  for (const { id, member_id } of due)
    await run(tx => award(tx, { achievement_id: id, member_id, source: 'auto', now }))
  for (const { id } of lost)
    await run(tx => takeBadge(tx, { id, reason: belowAgain, lost: true, now }))
  return n
}
