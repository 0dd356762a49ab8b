import { sql } from 'drizzle-orm'
import { DAY, SHANGHAI } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { earningKinds, timesFor, type RateConfig } from './rule.ts'

/** The last calendar month in Shanghai that is over (unix seconds; `to` is not in it). */
export const lastMonth = (now: number): { from: number; to: number } => {
  const day = new Date((now + SHANGHAI) * 1000)
  const begin = (month: number) => Date.UTC(day.getUTCFullYear(), month, 1) / 1000 - SHANGHAI
  return { from: begin(day.getUTCMonth() - 1), to: begin(day.getUTCMonth()) }
}
type Group = { level: number; vip: boolean; day: number; orders: number; cents: number }
/**
 * What members paid in a month, less what went back, by what multipliers read: level, paid card and
 * day (cents).
 */
export const paidIn = async (db: Db, { from, to }: { from: number; to: number }) => {
  const { rows } = await db.execute<Group>(sql`
    select m.level, coalesce(m.vip_end_at > o.paid_at, false) vip,
      ((o.paid_at - ${from}) / ${DAY})::int as day, count(*)::int orders,
      sum(o.paid_cents - o.refunded_cents)::float8 cents
    from "order" o join member m on m.id = o.member_id
    where o.paid_at >= ${from} and o.paid_at < ${to} and o.kind in ${[...earningKinds]}
      and o.paid_cents > o.refunded_cents group by 1, 2, 3`)
  return rows
}
/**
 * What a rate comes to on what was paid: its points, and what they are worth when they are used
 * (cents). Points are counted by day and level, so that orders’ own rounding is left out.
 */
export const costOf = (
  rate: RateConfig,
  groups: readonly Group[],
  from: number,
): { points: number; cost_cents: number } => {
  const points = groups.reduce((sum, { level, vip, day, cents }) => {
    const times = timesFor(rate.multipliers, { level, vip, at: from + day * DAY })
    return sum + Math.floor((cents * rate.earn_hundredths * (times / 10_000)) / 10_000)
  }, 0)
  return { points, cost_cents: Math.round((points * 100) / rate.offset_points) }
}
