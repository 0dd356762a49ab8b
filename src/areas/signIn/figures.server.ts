import { and, gte, inArray, ne, sql, type SQL } from 'drizzle-orm'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { sign_record as t } from './signIn.table.ts'
import { SHARED_DEVICE } from './signIn.ts'

const SHOWN_DAYS = 14
const DEVICES_MOST = 10
/** Running streaks are told by length: from, and to. */
const streakBands: readonly (readonly [from: number, to: number | null])[] = [
  [1, 1],
  [2, 3],
  [4, 6],
  [7, 14],
  [15, 29],
  [30, null],
]
const since = (now: number) => now - 30 * DAY
/** Records whose device several members used within 30 days. */
export const onSharedDevice = (now: number): SQL => sql`${t.device} in (select s.device from
  sign_record s where s.device <> '' and s.at >= ${since(now)} group by s.device
  having count(distinct s.member_id) >= ${SHARED_DEVICE})`
/** How many members used each of some devices within 30 days. */
export const membersOnDevices = async (
  db: Db,
  devices: readonly string[],
  now: number,
): Promise<Map<string, number>> => {
  const some = [...new Set(devices)].filter(Boolean)
  if (some.length === 0) return new Map()
  const rows = await db
    .select({ device: t.device, n: sql<number>`count(distinct ${t.member_id})::int` })
    .from(t)
    .where(and(inArray(t.device, some), gte(t.at, since(now))))
    .groupBy(t.device)
  return new Map(rows.map(row => [row.device, row.n]))
}
/** Members who signed, visits and points of each of the last days, the oldest first. */
const daysOf = async (db: Db, seen: SQL | undefined, now: number) => {
  const from = dayStart(now) - (SHOWN_DAYS - 1) * DAY
  const rows = await db
    .select({
      day: t.day,
      signed: sql<number>`(count(*) filter (where ${t.kind} <> 'spot'))::int`,
      visits: sql<number>`(count(*) filter (where ${t.kind} = 'spot'))::int`,
      points: sql<number>`coalesce(sum(${t.points} + ${t.month_bonus}), 0)::int`,
    })
    .from(t)
    .where(and(seen, gte(t.day, from), sql`not ${t.is_void}`))
    .groupBy(t.day)
  const byDay = new Map(rows.map(row => [row.day, row]))
  return Array.from({ length: SHOWN_DAYS }, (_, at) => {
    const day = from + at * DAY
    const none = { signed: 0, visits: 0, points: 0 }
    return { ...none, ...byDay.get(day), day: dateOf(day) }
  })
}
/** Streaks that still run, those that yesterday was the last day of included, by length. */
const streaksOf = async (db: Db, seen: SQL | undefined, now: number) => {
  const lasts = db
    .selectDistinctOn([t.member_id], { streak: t.streak })
    .from(t)
    .where(and(seen, gte(t.day, dayStart(now) - DAY), sql`not ${t.is_void}`, ne(t.kind, 'spot')))
    .orderBy(t.member_id, sql`${t.day} desc`)
  const { rows } = await db.execute<{ streak: number; n: number }>(
    sql`select streak, count(*)::int n from (${lasts}) s group by 1`,
  )
  return streakBands.map(([from, to]) => ({
    from,
    to,
    members: rows
      .filter(row => row.streak >= from && row.streak <= (to ?? Infinity))
      .reduce((sum, row) => sum + row.n, 0),
  }))
}
/** Devices that several members used within 30 days, those with the most members first. */
const devicesOf = (db: Db, seen: SQL | undefined, now: number) =>
  db
    .select({
      device: t.device,
      members: sql<number>`count(distinct ${t.member_id})::int`,
      records: sql<number>`count(*)::int`,
      last: sql<number>`max(${t.at})::float8`,
    })
    .from(t)
    .where(and(seen, gte(t.at, since(now)), ne(t.device, '')))
    .groupBy(t.device)
    .having(sql`count(distinct ${t.member_id}) >= ${SHARED_DEVICE}`)
    .orderBy(sql`2 desc, 1`)
    .limit(DEVICES_MOST)
/** What is told of sign-ins now, of the records that `seen` leaves. */
export const signFigures = async (db: Db, seen: SQL | undefined, now: number) => {
  const [odd] = await db
    .select({
      made_up: sql<number>`(count(*) filter (where ${t.kind} = 'makeup'))::int`,
      rushed: sql<number>`(count(*) filter (where ${t.rushed} and not ${t.is_void}))::int`,
    })
    .from(t)
    .where(and(seen, gte(t.at, dayStart(now))))
  return {
    days: await daysOf(db, seen, now),
    streaks: await streaksOf(db, seen, now),
    devices: await devicesOf(db, seen, now),
    made_up: odd!.made_up,
    rushed: odd!.rushed,
  }
}
