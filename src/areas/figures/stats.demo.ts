import { sql } from 'drizzle-orm'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { computeDays } from './overview.server.ts'

const HISTORY_DAYS = 400
/** Orders of the demo go back this far; earlier days are grown from theirs, week by week. */
const ORDER_DAYS = 84

/** The daily figures of 400 days: weekends, a promotion, a day of outage. */
const seedStats = async (
  db: Db,
  _: Random,
  { now, scale }: { now: number; scale: number },
): Promise<void> => {
  const today = dayStart(now)
  await computeDays(
    db,
    { from: dateOf(today - ORDER_DAYS * DAY), to: dateOf(today - DAY) },
    today + 600,
  )
  const history = Math.min(
    HISTORY_DAYS,
    Math.max(ORDER_DAYS + 60, Math.round(HISTORY_DAYS * Math.min(1, scale * 4))),
  )
  // The same weekday some weeks later, a little smaller the longer ago; 18 June is a promotion, and
  // on one day payment was down.
  for (let back = ORDER_DAYS; back < history; back += ORDER_DAYS) {
    await db.execute(sql`
      insert into daily_stat (date, city_id, mall_id, kind, orders, paid_orders, gmv_cents, verified_count, verified_cents, refunded_count, refunded_cents, new_members, computed_at)
      select d, city_id, mall_id, kind, ceil(orders * f)::int, ceil(paid_orders * f)::int, ceil(gmv_cents * f)::bigint, ceil(verified_count * f)::int, ceil(verified_cents * f)::bigint, ceil(refunded_count * f)::int, ceil(refunded_cents * f)::bigint, ceil(new_members * f)::int, counted_at
      from (
        select s.*, to_char(s.date::date - ${back}::int, 'YYYY-MM-DD') d, extract(epoch from (s.date::date - ${back}::int + 1))::bigint - 28800 + 600 as counted_at,
          ${0.94 ** (back / ORDER_DAYS)}::float8 * case when to_char(s.date::date - ${back}::int, 'MM-DD') between '06-16' and '06-18' then 2.6 when s.date::date - ${back}::int = ${dateOf(today - 137 * DAY)}::date then 0.06 else 1 end f
        from daily_stat s where s.date > ${dateOf(today - (ORDER_DAYS + 1) * DAY)} and s.date < ${dateOf(today)}
      ) grown where d >= ${dateOf(today - history * DAY)} on conflict do nothing`)
  }
}

export const demo: readonly DemoStep[] = [
  { place: 100, branch: 'stats', title: '经营数据 / figures', run: seedStats },
]
