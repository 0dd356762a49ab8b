import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { claimableQueues, productDetail, queuePages } from '#commands/pages/audit.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { auditQueues, queueNames } from '#src/areas/audit/audit.ts'
import { inScope, takeable } from '#src/areas/audit/taskClaims.server.ts'
import { say } from '#src/domain/text.ts'
import { DAY, HOUR, HOURS, dayStart, hoursBegun, hoursOfDay } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'

const t = audit_task
/** What a large screen has room for; a low one shows the first (home.css). */
const SOONEST = 14
/** Days that tell what is usual for somebody. */
const USUAL_DAYS = 14

/**
 * What a person decided in each hour since the first of the usual days. Approved first and decided
 * by another counts as done by both.
 */
const doneByHour = async (db: Db, me: number, now: number) => {
  const from = dayStart(now) - USUAL_DAYS * DAY
  const { rows } = await db.execute<{
    hour: number
    n: number
    by_now: number
    timed: number
    seconds: string
  }>(sql`
    select ((d.at - ${from}) / ${HOUR})::int as hour, count(*)::int n, (count(*) filter (where (d.at - ${from}) % ${DAY} <= ${now - dayStart(now)}))::int by_now,
      count(d.seconds)::int timed, coalesce(sum(d.seconds), 0) seconds
    from (
      select decided_at at, case when claimed_at <= decided_at then decided_at - claimed_at end seconds from audit_task where decided_by = ${me} and queue in ${[...auditQueues]} and decided_at >= ${from} and state in ('approved', 'rejected', 'need_more')
      union all select first_at, null from audit_task where first_by = ${me} and queue in ${[...auditQueues]} and first_at >= ${from} and decided_by is distinct from ${me}
    ) d group by 1`)
  return rows.map(row => ({ ...row, seconds: Number(row.seconds) }))
}
const mean = (rows: readonly { timed: number; seconds: number }[]): number | null => {
  const timed = rows.reduce((sum, row) => sum + row.timed, 0)
  return timed === 0 ? null : Math.round(rows.reduce((sum, row) => sum + row.seconds, 0) / timed)
}
/** A person's day so far beside the days of the last two weeks on which they decided anything. */
const paceOf = async (db: Db, me: number, now: number) => {
  const rows = await doneByHour(db, me, now)
  const first = USUAL_DAYS * HOURS
  const [today, before] = [
    rows.filter(row => row.hour >= first),
    rows.filter(row => row.hour < first),
  ]
  const days = new Set(before.map(row => Math.floor(row.hour / HOURS))).size
  const sum = (of: typeof rows, key: 'n' | 'by_now') => of.reduce((all, row) => all + row[key], 0)
  const inHour = (of: typeof rows, hour: number) =>
    sum(
      of.filter(row => row.hour % HOURS === hour),
      'n',
    )
  return {
    decided: sum(today, 'n'),
    usual_decided: days === 0 ? null : Math.round(sum(before, 'by_now') / days),
    seconds_each: mean(today),
    usual_seconds_each: mean(before),
    days,
    today: hoursBegun(now).map(hour => inHour(today, hour)),
    usual: hoursOfDay.map(hour =>
      days === 0 ? 0 : Math.round((inHour(before, hour) / days) * 10) / 10,
    ),
  }
}

/** What a person may claim and holds, what of it runs out first, and how they get on. */
export const myQueue = async (db: Db, staff: Staff, now: number) => {
  const queues = claimableQueues(staff.can)
  const seen = inScope(staff.scope)
  if (queues.length === 0) return { queues: [], soonest: [], pace: null }
  const open = and(inArray(t.queue, queues), eq(t.is_open, true), seen)
  const mine = and(eq(t.claimed_by, staff.id), gt(t.claim_until, now))
  const free = takeable(staff.id, now)
  const [counts, soonest, pace] = await Promise.all([
    db
      .select({
        queue: t.queue,
        mine: sql<number>`count(*) filter (where ${mine})::int`,
        free: sql<number>`count(*) filter (where ${free})::int`,
      })
      .from(t)
      .where(open)
      .groupBy(t.queue),
    db
      .select({
        id: t.id,
        queue: t.queue,
        title: t.title,
        store_name: t.store_name,
        sla_at: t.sla_at,
        mine: sql<boolean>`coalesce(${mine}, false)`,
      })
      .from(t)
      .where(and(open, or(mine, free)))
      .orderBy(asc(t.sla_at), asc(t.id))
      .limit(SOONEST),
    paceOf(db, staff.id, now),
  ])
  return {
    queues: queues.map(queue => ({
      queue,
      title: say(queueNames[queue], staff.lang),
      target: to(queuePages[queue], { state: 'mine' }),
      mine: counts.find(row => row.queue === queue)?.mine ?? 0,
      free: counts.find(row => row.queue === queue)?.free ?? 0,
    })),
    soonest: soonest.map(row => ({
      ...row,
      target:
        row.queue === 'product'
          ? to(productDetail, { id: row.id })
          : to(queuePages[row.queue], { state: row.mine ? 'mine' : 'open' }),
    })),
    pace,
  }
}
