import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { growFor } from '#src/areas/level/growth.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import type { Gender } from '#src/areas/member/member.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { earnByRule } from '#src/areas/points/byRule.server.ts'
import { completedTitle } from '#src/areas/points/titles.ts'
import {
  profileFields,
  profileKeys,
  type ProfileConfig,
  type ProfileField,
} from '#src/areas/pointsRule/earning.ts'
import { pointsOfRule, type PointsRule } from '#src/areas/pointsRule/inForce.server.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import type { Client } from '#src/areas/userLog/userLog.ts'
import type { Db } from '#src/server/call/implement.ts'
import { profile_field as t } from './profile.table.ts'
import { isBirthday, mayChangeBirthday, type ProfileState } from './profile.ts'

type Member = typeof member.$inferSelect
/** What a member sends of the profile; null clears a field. */
export type ProfileSent = {
  avatar?: string | null | undefined
  birthday?: string | null | undefined
  gender?: Gender | undefined
  city_id?: number | undefined
  mall_ids?: number[] | undefined
}
type Change = { field: ProfileField; filled: boolean; differs: boolean; mall_ids?: number[] }
/** The fields that are sent, and whether each is filled and other than before. */
const changesOf = (was: Member, sent: ProfileSent, known: readonly number[]): Change[] => {
  const { avatar, birthday, gender, city_id, mall_ids } = sent
  const changes: Change[] = []
  const add = (field: ProfileField, now: unknown, before: unknown, filled = Boolean(now)) =>
    changes.push({ field, filled, differs: now !== before })
  if (avatar !== undefined) add('avatar', avatar, was.avatar)
  if (birthday !== undefined) add('birthday', birthday, was.birthday)
  if (gender !== undefined) add('gender', gender, was.gender, gender !== 'unknown')
  if (city_id !== undefined) add('city', city_id, was.city_id)
  if (mall_ids !== undefined) {
    const differs = mall_ids.join() !== known.join()
    changes.push({ field: 'malls', filled: mall_ids.length > 0, differs, mall_ids })
  }
  if (was.register_source === 'wecom') add('wecom', true, true)
  return changes
}
/** Whether the places that were sent exist. */
const knowsPlaces = async (tx: Db, { city_id, mall_ids }: ProfileSent): Promise<boolean> => {
  if (city_id !== undefined) {
    const [found] = await tx
      .select({ id: city.id })
      .from(city)
      .where(and(eq(city.id, city_id), eq(city.status, 'open')))
    if (!found) return false
  }
  if (!mall_ids || mall_ids.length === 0) return true
  const found = await tx
    .select({ id: mall.id })
    .from(mall)
    .where(and(inArray(mall.id, mall_ids), eq(mall.status, 'online')))
  return found.length === new Set(mall_ids).size
}
/** The number under which a field’s points are booked; what is made up for has one of its own. */
const fieldNo = (member_id: number, field: ProfileField, upTo?: number): string =>
  `PROFILE${member_id}-${field}${upTo === undefined ? '' : `-${upTo}`}`
const payField = (
  tx: Db,
  of: {
    rule: PointsRule
    member_id: number
    field: ProfileField
    points: number
    now: number
    no: string
  },
): Promise<number> =>
  earnByRule(tx, {
    rule: of.rule,
    member_id: of.member_id,
    points: of.points,
    biz_kind: 'profile',
    biz_no: of.no,
    title: completedTitle(profileFields[of.field]),
    now: of.now,
  })
/** Whether a member, or an account that went into theirs, completed a field before. */
const completedBefore = async (tx: Db, member_id: number): Promise<Set<ProfileField>> => {
  const rows = await tx
    .select({ field: t.field })
    .from(t)
    .where(
      sql`${t.member_id} = ${member_id} or ${t.member_id} in (select m.id from member m
        where m.merged_into = ${member_id})`,
    )
  return new Set(rows.map(row => row.field))
}
/** A profile is complete once all that the member can fill has been filled; that earns growth once. */
const growComplete = async (tx: Db, member_id: number, now: number): Promise<void> => {
  const had = await completedBefore(tx, member_id)
  if (profileKeys.every(field => field === 'wecom' || had.has(field)))
    await growFor(tx, { action: 'profile', member_id, biz_no: `PROFILE${member_id}`, now })
}
const noteField = async (
  tx: Db,
  of: Change & { member_id: number; now: number },
): Promise<void> => {
  const { member_id, field, filled, now } = of
  const malls = of.mall_ids && { mall_ids: of.mall_ids }
  await tx
    .insert(t)
    .values({ member_id, field, filled, first_at: now, changed_at: now, ...malls })
    .onConflictDoUpdate({
      target: [t.member_id, t.field],
      set: { filled, ...malls, ...(of.differs && { changed_at: now }), updated_at: now },
    })
}
export type ProfileSaved = {
  state: ProfileState
  earned: { field: ProfileField; points: number }[]
}
const refused = (state: ProfileState): ProfileSaved => ({ state, earned: [] })
const heldMember = async (tx: Db, id: number): Promise<Member> =>
  (await tx.select().from(member).where(eq(member.id, id)).for('update'))[0]!
/** Whether a birthday and places that are sent are some. */
const isSound = async (tx: Db, sent: ProfileSent, now: number): Promise<boolean> =>
  (!sent.birthday || isBirthday(sent.birthday, now)) && knowsPlaces(tx, sent)
/** What stood in the account before anybody counted it was completed before. */
const stoodIn = (was: Member): Partial<Record<ProfileField, boolean>> => ({
  avatar: Boolean(was.avatar),
  birthday: Boolean(was.birthday),
  gender: was.gender !== 'unknown',
})
/**
 * A member saves fields of the profile; each one that is completed for the first time in life earns
 * the points of the rule in force. Answers how it stands and what was earned; a birthday that is
 * changed too soon, or a value that is none, changes nothing at all.
 */
export const saveProfile = async (
  tx: Db,
  {
    member_id,
    sent,
    from,
    now,
  }: { member_id: number; sent: ProfileSent; from?: Client; now: number },
): Promise<ProfileSaved> => {
  const was = await heldMember(tx, member_id)
  const rows = await tx.select().from(t).where(eq(t.member_id, member_id))
  const rowOf = (field: ProfileField) => rows.find(row => row.field === field)
  const changes = changesOf(was, sent, rowOf('malls')?.mall_ids ?? [])
  if (!(await isSound(tx, sent, now))) return refused('wrong')
  const born = changes.find(one => one.field === 'birthday')
  if (born?.differs && mayChangeBirthday(rowOf('birthday')?.changed_at, now) !== true)
    return refused('birthday')
  const { mall_ids: _, ...plain } = sent
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length > 0)
    await tx
      .update(member)
      .set({ ...given, version: sql`${member.version} + 1`, updated_at: now })
      .where(eq(member.id, member_id))
  const rule = await pointsOfRule(tx, 'profile', undefined, now)
  const before = await completedBefore(tx, member_id)
  const stood = stoodIn(was)
  const earned: ProfileSaved['earned'] = []
  for (const change of changes) {
    const { field } = change
    if (!change.filled && !rowOf(field) && !stood[field]) continue
    await noteField(tx, { ...change, member_id, now })
    if (!rule || !change.filled || before.has(field) || stood[field]) continue
    const worth = (rule.config as ProfileConfig)[field] ?? 0
    const no = fieldNo(member_id, field)
    const points = await payField(tx, { rule, member_id, field, points: worth, now, no })
    if (points === 0) continue
    await tx
      .update(t)
      .set({ points })
      .where(and(eq(t.member_id, member_id), eq(t.field, field)))
    earned.push({ field, points })
  }
  await growComplete(tx, member_id, now)
  const fields = changes.filter(one => one.differs).map(one => one.field)
  if (fields.length > 0)
    await noteUser(tx, {
      kind: 'profile',
      member_id,
      request_id: `profile:${member_id}:${was.version}:${now}`,
      detail: { fields },
      from,
      at: now,
    })
  return { state: 'saved', earned }
}

/**
 * Pays what a rule gives more now than members had for fields that they completed before, of the
 * rows from `from` on, `n` ids long. Answers how many points.
 */
export const payMissing = async (
  tx: Db,
  of: { rule: PointsRule; from: number; n: number; now: number },
): Promise<number> => {
  const { rule, now } = of
  const config = rule.config as ProfileConfig
  const rows = await tx
    .select()
    .from(t)
    .where(and(gte(t.id, of.from), lt(t.id, of.from + of.n)))
    .orderBy(asc(t.member_id), asc(t.field))
  let all = 0
  for (const { id, member_id, field, points: had } of rows) {
    const missing = (config[field] ?? 0) - had
    if (missing <= 0) continue
    const no = fieldNo(member_id, field, config[field])
    const points = await payField(tx, { rule, member_id, field, points: missing, now, no })
    if (points > 0)
      await tx
        .update(t)
        .set({ points: had + points, updated_at: now })
        .where(eq(t.id, id))
    all += points
  }
  return all
}
/** Nothing of what a closed account said of itself is kept; that it earned is. */
export const forgetProfile = async (tx: Db, member_id: number, now: number): Promise<void> => {
  await tx
    .update(t)
    .set({ filled: false, mall_ids: [], updated_at: now })
    .where(eq(t.member_id, member_id))
}
