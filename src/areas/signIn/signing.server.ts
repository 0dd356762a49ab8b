import { and, desc, eq, gt, gte, lt, ne, sql } from 'drizzle-orm'
import { growFor } from '#src/areas/level/growth.server.ts'
import { ungrow } from '#src/areas/level/ungrow.server.ts'
import { earnsNothing, holdMember } from '#src/areas/points/book.server.ts'
import { earnByRule } from '#src/areas/points/byRule.server.ts'
import { takeBackEarned } from '#src/areas/points/reversing.server.ts'
import { pointsOnDay, type ClockedConfig } from '#src/areas/pointsRule/earning.ts'
import { pointsOfRule, type PointsRule } from '#src/areas/pointsRule/inForce.server.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { sign_record as t } from './signIn.table.ts'
import { makeUpFault, monthOf, type SignState } from './signIn.ts'

export type SignRecord = typeof t.$inferSelect
/** The number under which a record’s points and growth are booked. */
export const signNo = (id: number): string => `SIGN${id}`
const monthNo = (id: number): string => `SIGNM${id}`
const counts = (member_id: number) =>
  and(eq(t.member_id, member_id), eq(t.is_void, false), ne(t.kind, 'spot'))
/** The record of a member’s day, if there is one that counts. */
const signedOn = async (tx: Db, member_id: number, day: number): Promise<SignRecord | undefined> =>
  (
    await tx
      .select()
      .from(t)
      .where(and(counts(member_id), eq(t.day, day)))
  )[0]
/** Days that follow a day without a gap get their numbers anew; `base` is that day’s own. */
const renumber = (
  tx: Db,
  { member_id, day, base }: { member_id: number; day: number; base: number },
) =>
  tx.execute(sql`
    with later as (select id, day, row_number() over (order by day)::int n from sign_record
      where member_id = ${member_id} and day > ${day} and not is_void and kind <> 'spot')
    update sign_record r set streak = ${base}::int + later.n from later
      where later.id = r.id and later.day = ${day}::bigint + later.n * ${DAY}::bigint`)

/** Pays a month in which the member signed on every day, once it is full; answers how many points. */
const payMonth = async (
  tx: Db,
  of: { row: SignRecord; rule: PointsRule; now: number },
): Promise<number> => {
  const { row, rule, now } = of
  const bonus = (rule.config as ClockedConfig).month_bonus
  const { from, days } = monthOf(row.day)
  const [had] = await tx
    .select({
      n: sql<number>`count(*)::int`,
      paid: sql<number>`coalesce(sum(${t.month_bonus}), 0)::int`,
    })
    .from(t)
    .where(and(counts(row.member_id), gte(t.day, from), lt(t.day, from + days * DAY)))
  if (bonus <= 0 || had!.n < days || had!.paid > 0) return 0
  return earnByRule(tx, {
    rule,
    member_id: row.member_id,
    points: bonus,
    biz_kind: 'clocked',
    biz_no: monthNo(row.id),
    title: joined([
      `${dateOf(from).slice(0, 7)} 签满整月`,
      `${dateOf(from).slice(0, 7)}, signed in every day`,
    ]),
    now,
  })
}
type Signing = {
  member_id: number
  day: number
  kind: 'daily' | 'makeup'
  rule: PointsRule
  device?: string
  note?: string
  operator_id?: number
  now: number
}
/**
 * Writes a day of a held member and books what it earns by the ladder that its streak began with.
 * Undefined where the day has a record already.
 */
const writeDay = async (tx: Db, of: Signing): Promise<SignRecord | undefined> => {
  const { member_id, day, kind, rule, now } = of
  const before = await signedOn(tx, member_id, day - DAY)
  const streak = (before?.streak ?? 0) + 1
  const own = (rule.config as ClockedConfig).ladder
  const ladder = before?.rule_id === rule.id ? before.ladder : own
  const [row] = await tx
    .insert(t)
    .values({
      member_id,
      kind,
      day,
      streak,
      points: 0,
      rule_id: rule.id,
      ladder,
      device: of.device ?? '',
      note: of.note ?? '',
      operator_id: of.operator_id ?? null,
      at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflictDoNothing()
    .returning()
  if (!row) return undefined
  await renumber(tx, { member_id, day, base: streak })
  const points = await earnByRule(tx, {
    rule,
    member_id,
    points: pointsOnDay(ladder, streak),
    biz_kind: 'clocked',
    biz_no: signNo(row.id),
    title: joined(
      kind === 'makeup'
        ? [`补签 ${dateOf(day)}`, `Signed in afterwards for ${dateOf(day)}`]
        : [`签到第 ${streak} 天`, `Signed in, day ${streak}`],
    ),
    ...(of.note && { note: of.note }),
    ...(of.operator_id !== undefined && { operator_id: of.operator_id }),
    now,
  })
  const month_bonus = await payMonth(tx, { row, rule, now })
  await growFor(tx, { action: 'sign', member_id, biz_no: signNo(row.id), now })
  const [after] = await tx
    .update(t)
    .set({ points, month_bonus, updated_at: now })
    .where(eq(t.id, row.id))
    .returning()
  return after
}
export type Signed = { state: SignState; streak: number; points: number; bonus: number }
/**
 * A member signs in, once a Shanghai day, by the rule of the mall they are at, else by the one for
 * all. Answers how it stands: days in a row, points of the day, and of the month it filled.
 */
export const signIn = async (
  tx: Db,
  of: { member_id: number; mall_id?: number; device: string; now: number },
): Promise<Signed> => {
  const { member_id, now } = of
  await holdMember(tx, member_id)
  const day = dayStart(now)
  const known = await signedOn(tx, member_id, day)
  if (known) return { state: 'already', streak: known.streak, points: 0, bonus: 0 }
  const rule = await pointsOfRule(tx, 'clocked', of.mall_id, now)
  if (!rule) return { state: 'off', streak: 0, points: 0, bonus: 0 }
  const row = await writeDay(tx, { member_id, day, kind: 'daily', rule, device: of.device, now })
  if (!row) return { state: 'already', streak: 0, points: 0, bonus: 0 }
  return { state: 'done', streak: row.streak, points: row.points, bonus: row.month_bonus }
}

/**
 * Staff make up for a day that a member missed: one of the last 30, that has no record, once.
 * Throws 422 otherwise, where no rule is on, and where the member earns nothing.
 */
export const makeUpDay = async (
  tx: Db,
  of: { member_id: number; day: number; reason: string; operator_id: number; now: number },
): Promise<SignRecord> => {
  const { member_id, day, now } = of
  const fault = makeUpFault(day, now)
  if (fault) throw ruled('makeup_day', fault)
  const who = await holdMember(tx, member_id)
  if (earnsNothing(who))
    throw ruled('earns_nothing', [
      '会员权益已冻结或账号异常，不能补签',
      'The member earns nothing now: benefits frozen or account off',
    ])
  if (await signedOn(tx, member_id, day))
    throw ruled('signed', ['会员当天已签到，不能补签', 'The member signed in that day'])
  const rule = await pointsOfRule(tx, 'clocked', undefined, now)
  if (!rule) throw ruled('rule_off', ['签到积分未启用', 'No rule of sign-ins is on'])
  const note = of.reason
  const row = await writeDay(tx, { ...of, kind: 'makeup', rule, note })
  if (!row)
    throw ruled('made_up', ['当天已补签过一次，不能再补', 'That day was made up for once already'])
  return row
}

/**
 * Voids a record, once: its points and its month’s are taken back, or become debt where they were
 * spent; its growth goes too, and the days after it are counted anew. Answers what was taken back
 * (points), or undefined where it was void before.
 */
export const voidSign = async (
  tx: Db,
  of: { id: number; reason: string; operator_id: number; now: number },
): Promise<number | undefined> => {
  const { id, reason, operator_id, now } = of
  const [known] = await tx.select({ member_id: t.member_id }).from(t).where(eq(t.id, id))
  if (!known) return undefined
  // The member before the record, as whoever signs in holds them.
  await holdMember(tx, known.member_id)
  const [row] = await tx
    .update(t)
    .set({
      is_void: true,
      void_reason: reason,
      operator_id,
      updated_at: now,
      version: sql`${t.version} + 1`,
    })
    .where(and(eq(t.id, id), eq(t.is_void, false)))
    .returning()
  if (!row) return undefined
  const back = { biz_kind: 'clocked' as const, why: reason, operator_id, now }
  const taken = await takeBackEarned(tx, { ...back, biz_no: signNo(id) })
  if (row.kind === 'spot') return taken
  await ungrow(tx, { action: 'sign', biz_no: signNo(id), why: reason, operator_id, now })
  await renumber(tx, { member_id: row.member_id, day: row.day, base: 0 })
  const { from, days } = monthOf(row.day)
  const [full] = await tx
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        eq(t.member_id, row.member_id),
        gte(t.day, from),
        lt(t.day, from + days * DAY),
        gt(t.month_bonus, 0),
      ),
    )
    .orderBy(desc(t.id))
    .limit(1)
  if (!full) return taken
  const month = await takeBackEarned(tx, { ...back, biz_no: monthNo(full.id) })
  await tx.update(t).set({ month_bonus: 0, updated_at: now }).where(eq(t.id, full.id))
  return taken + month
}
