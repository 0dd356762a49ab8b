import { and, eq, gte, lt, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { city } from '#src/areas/place/place.table.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { rateAtFirst } from '#src/areas/pointsRule/rule.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { points_ledger as t, points_lot } from './points.table.ts'
import type { PointsBiz } from './points.ts'

const FORECAST_DAYS = 90
const WEEK = 7 * DAY
const EARNERS = 10
/**
 * Which way a move went, for the sums of a day: what orders give back counts against what was spent,
 * what merges carry over is neither.
 */
const ISSUED = sql`${t.kind} in ('earn', 'adjust') and ${t.delta} > 0 and ${t.biz_kind} <> 'merge'`
const SPENT = sql`${t.kind} in ('freeze', 'unfreeze', 'spend', 'back')`
const EXPIRED = sql`${t.kind} = 'expire'`
const TAKEN = sql`(${t.kind} in ('reverse', 'debt_repay') or (${t.kind} = 'adjust' and ${t.delta} < 0
  and ${t.biz_kind} <> 'merge'))`
const sumOf = (which: SQL, sign: 1 | -1) =>
  sql<number>`coalesce(sum(${sql.raw(String(sign))} * ${t.delta}) filter (where ${which}), 0)::float8`
const moves = {
  issued: sumOf(ISSUED, 1),
  spent: sumOf(SPENT, -1),
  expired: sumOf(EXPIRED, -1),
  taken: sumOf(TAKEN, -1),
}
export type DayFigures = {
  day: string
  issued: number
  spent: number
  expired: number
  taken: number
  /** Points that made up for a yuan that day, and what was issued was worth then (cents). */
  offset_points: number
  issued_cents: number
}
/** How many points made up for a yuan at each of some times (unix seconds). */
const offsetsAt = async (db: Db, times: readonly number[]): Promise<number[]> => {
  const rates = await db
    .select({ at: points_rule.effective_at, config: points_rule.config })
    .from(points_rule)
    .where(and(eq(points_rule.kind, 'rate'), eq(points_rule.status, 'on')))
    .orderBy(points_rule.effective_at)
  return times.map(time => {
    const found = rates.findLast(one => (one.at ?? 0) <= time)
    return Number(found?.config['offset_points'] ?? rateAtFirst.offset_points)
  })
}
/** What points in that number are worth at so many a yuan (cents). */
const worth = (points: number, offset_points: number): number =>
  Math.round((points * 100) / offset_points)
/**
 * Points issued, spent, expired and taken back on each day from `from` until `to` (unix seconds, not
 * in it), the oldest first, of the members that `seen` leaves.
 */
export const pointsDays = async (
  db: Db,
  seen: SQL | undefined,
  { from, to }: { from: number; to: number },
): Promise<DayFigures[]> => {
  const day = sql<number>`floor((${t.at} - ${from}::bigint) / ${DAY}::numeric)::int`
  const rows = await db
    .select({ n: day, ...moves })
    .from(t)
    .innerJoin(member, eq(member.id, t.member_id))
    .where(and(seen, gte(t.at, from), lt(t.at, to)))
    .groupBy(sql`1`)
  const days = Array.from({ length: Math.round((to - from) / DAY) }, (_, n) => from + n * DAY)
  const offsets = await offsetsAt(
    db,
    days.map(at => at + DAY - 1),
  )
  const byDay = new Map(rows.map(({ n, ...row }) => [n, row]))
  return days.map((at, n) => {
    const row = byDay.get(n) ?? { issued: 0, spent: 0, expired: 0, taken: 0 }
    const offset_points = offsets[n]!
    return {
      ...row,
      day: dateOf(at),
      offset_points,
      issued_cents: worth(row.issued, offset_points),
    }
  })
}
/** What members have, hold in unpaid orders and owe now, by city; with what that is worth (cents). */
const citiesOf = async (
  db: Db,
  seen: SQL | undefined,
  { since, offset }: { since: number; offset: number },
) => {
  const had = await db
    .select({
      city_id: member.city_id,
      name: sql<string>`coalesce(max(${city.city_name}), '')`,
      members: sql<number>`count(*)::int`,
      outstanding: sql<number>`coalesce(sum(${member.points}), 0)::float8`,
      frozen: sql<number>`coalesce(sum(${member.points_frozen}), 0)::float8`,
      debt: sql<number>`coalesce(sum(${member.points_debt}), 0)::float8`,
    })
    .from(member)
    .leftJoin(city, eq(city.id, member.city_id))
    .where(seen)
    .groupBy(member.city_id)
  const moved = await db
    .select({ city_id: member.city_id, issued: moves.issued, spent: moves.spent })
    .from(t)
    .innerJoin(member, eq(member.id, t.member_id))
    .where(and(seen, gte(t.at, since)))
    .groupBy(member.city_id)
  const byCity = new Map(moved.map(({ city_id, ...row }) => [city_id, row]))
  return had
    .map(row => ({
      ...row,
      ...(byCity.get(row.city_id) ?? { issued: 0, spent: 0 }),
      value_cents: worth(row.outstanding, offset),
    }))
    .sort((a, b) => b.outstanding - a.outstanding)
}
/** What ends within 90 days, week by week, of what is left of lots. */
const forecastOf = async (db: Db, seen: SQL | undefined, now: number) => {
  const from = dayStart(now)
  const week = sql<number>`((${points_lot.expire_at} - ${from}::bigint) / ${WEEK}::bigint)::int`
  const rows = await db
    .select({ n: week, points: sql<number>`sum(${points_lot.remain})::float8` })
    .from(points_lot)
    .innerJoin(member, eq(member.id, points_lot.member_id))
    .where(
      and(
        seen,
        sql`${points_lot.remain} > 0`,
        gte(points_lot.expire_at, from),
        lt(points_lot.expire_at, from + FORECAST_DAYS * DAY),
      ),
    )
    .groupBy(sql`1`)
  return Array.from({ length: Math.ceil(FORECAST_DAYS / 7) }, (_, n) => ({
    week: dateOf(from + n * WEEK),
    points: rows.find(row => row.n === n)?.points ?? 0,
  }))
}
/** Answers who earned the most since then, and by what most of it. */
const earnersOf = async (db: Db, seen: SQL | undefined, since: number) => {
  const rows = await db
    .select({
      member_id: t.member_id,
      nickname: sql<string>`max(${member.nickname})`,
      uid: sql<string>`max(${member.uid})`,
      points: sql<number>`sum(${t.delta})::float8`,
      moves: sql<number>`count(*)::int`,
      biz_kind: sql<PointsBiz>`mode() within group (order by ${t.biz_kind})`,
    })
    .from(t)
    .innerJoin(member, eq(member.id, t.member_id))
    .where(and(seen, gte(t.at, since), eq(t.kind, 'earn')))
    .groupBy(t.member_id)
    .orderBy(sql`4 desc, 1`)
    .limit(EARNERS)
  return rows
}
/** All that the centre of points tells of the members that `seen` leaves, over the last 30 days. */
export const pointsFigures = async (db: Db, seen: SQL | undefined, now: number) => {
  const to = dayStart(now) + DAY
  const since = to - 30 * DAY
  const [offset_points] = (await offsetsAt(db, [now])) as [number]
  const cities = await citiesOf(db, seen, { since, offset: offset_points })
  const sum = (key: 'outstanding' | 'frozen' | 'debt' | 'members') =>
    cities.reduce((all, one) => all + one[key], 0)
  return {
    outstanding: sum('outstanding'),
    value_cents: worth(sum('outstanding'), offset_points),
    offset_points,
    frozen: sum('frozen'),
    debt: sum('debt'),
    members: sum('members'),
    days: await pointsDays(db, seen, { from: since, to }),
    forecast: await forecastOf(db, seen, now),
    earners: await earnersOf(db, seen, since),
    cities,
  }
}
