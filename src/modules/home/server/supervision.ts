import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { queuePages } from '#commands/pages/audit.ts'
import { audit_look, audit_task } from '#src/areas/audit/audit.table.ts'
import { auditQueues, queueNames, type AuditQueue } from '#src/areas/audit/audit.ts'
import { inScope } from '#src/areas/audit/taskClaims.server.ts'
import { say } from '#src/domain/text.ts'
import { DAY, HOUR, HOURS, dateOf, dayStart, hoursBegun, hoursOfDay } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'

const t = audit_task
const USUAL_DAYS = 7
const LOOK_DAYS = 14
const SOON_S = 4 * HOUR

type Asked = { db: Db; staff: Staff; queues: readonly AuditQueue[]; now: number }
/** Decisions of today by the hour, and what an hour of the week before had on average. */
const decidedByHour = async ({ db, staff, queues, now }: Asked) => {
  const from = dayStart(now) - USUAL_DAYS * DAY
  const rows = await db
    .select({
      hour: sql<number>`((${t.decided_at} - ${from}) / ${HOUR})::int`,
      state: t.state,
      n: sql<number>`count(*)::int`,
    })
    .from(t)
    .where(
      and(
        inArray(t.queue, [...queues]),
        inArray(t.state, ['approved', 'rejected', 'need_more']),
        gte(t.decided_at, from),
        inScope(staff.scope),
      ),
    )
    .groupBy(sql`1`, t.state)
  const first = USUAL_DAYS * HOURS
  const today = (state: (typeof rows)[number]['state']) =>
    hoursBegun(now).map(
      hour => rows.find(row => row.state === state && row.hour === first + hour)?.n ?? 0,
    )
  return {
    approved: today('approved'),
    rejected: today('rejected'),
    asked: today('need_more'),
    usual: hoursOfDay.map(hour => {
      const n = rows
        .filter(row => row.hour < first && row.hour % HOURS === hour)
        .reduce((sum, row) => sum + row.n, 0)
      return Math.round((n / USUAL_DAYS) * 10) / 10
    }),
  }
}
/** What waits in each queue, by how long its time still lasts. */
const ageingOf = async ({ db, staff, queues, now }: Asked) => {
  const between = (from: number, to: number) =>
    sql<number>`count(*) filter (where ${t.sla_at} > ${from} and ${t.sla_at} <= ${to})::int`
  const rows = await db
    .select({
      queue: t.queue,
      late: sql<number>`count(*) filter (where ${t.sla_at} <= ${now})::int`,
      soon: between(now, now + SOON_S),
      today: between(now + SOON_S, now + DAY),
      later: sql<number>`count(*) filter (where ${t.sla_at} > ${now + DAY})::int`,
    })
    .from(t)
    .where(and(inArray(t.queue, [...queues]), eq(t.is_open, true), inScope(staff.scope)))
    .groupBy(t.queue)
  return queues.map(queue => ({
    queue,
    title: say(queueNames[queue], staff.lang),
    target: to(queuePages[queue], { state: 'open' }),
    ...(({ late, soon, today, later }) => ({ late, soon, today, later }))(
      rows.find(row => row.queue === queue) ?? { late: 0, soon: 0, today: 0, later: 0 },
    ),
  }))
}
/** Second looks of the last two weeks, by the day of the first decision. */
const looksByDay = async ({ db, staff, queues, now }: Asked) => {
  const from = dayStart(now) - (LOOK_DAYS - 1) * DAY
  const rows = await db
    .select({
      day: sql<number>`((${audit_look.first_at} - ${from}) / ${DAY})::int`,
      looked: sql<number>`count(${audit_look.second_at})::int`,
      differ: sql<number>`count(*) filter (where ${audit_look.second_verdict} <> ${audit_look.first_verdict})::int`,
    })
    .from(audit_look)
    .innerJoin(t, eq(t.id, audit_look.task_id))
    .where(
      and(
        inArray(audit_look.queue, [...queues]),
        gte(audit_look.first_at, from),
        inScope(staff.scope),
      ),
    )
    .groupBy(sql`1`)
  return Array.from({ length: LOOK_DAYS }, (_, day) => {
    const found = rows.find(row => row.day === day)
    return {
      date: dateOf(from + day * DAY),
      looked: found?.looked ?? 0,
      differ: found?.differ ?? 0,
    }
  })
}

/** Throughput, ageing and disagreement of the queues that a person may see. */
export const supervision = async (db: Db, staff: Staff, now: number) => {
  const queues = auditQueues.filter(queue => staff.can(queuePages[queue].permit))
  const asked = { db, staff, queues, now }
  const [decided, ageing, looks] = await Promise.all([
    decidedByHour(asked),
    ageingOf(asked),
    looksByDay(asked),
  ])
  const looked = looks.reduce((sum, day) => sum + day.looked, 0)
  return {
    decided,
    ageing,
    looks,
    differ_bp:
      looked === 0
        ? null
        : Math.round((looks.reduce((sum, day) => sum + day.differ, 0) / looked) * 10_000),
  }
}
