import { and, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { auditQueues, queueNames } from '#src/areas/audit/audit.ts'
import { seenAt } from '#src/areas/audit/news.server.ts'
import { export_job } from '#src/areas/export/job.table.ts'
import { warning_log, warning_rule } from '#src/areas/notice/duty.table.ts'
import { alarmsAt, followersOf } from '#src/areas/notice/followers.server.ts'
import { warningLevels } from '#src/areas/notice/warning.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { message } from './message.table.ts'
import { MESSAGE_DAYS, type MessageFacts, type MessageKind } from './message.ts'

type Told = {
  admin_id: number
  kind: MessageKind
  about: string
  facts: MessageFacts
  address: string
  at: number
}
/** What is newer than this nobody has read yet. */
const UNREAD_DAYS = 2

const exportTitles = new Map<string, Text>(
  auditQueues.map(queue => [`audit.${queue}`, queueNames[queue]]),
)
const ofExports = async (db: Db, since: number): Promise<Told[]> => {
  const jobs = await db
    .select()
    .from(export_job)
    .where(
      and(
        gt(export_job.created_at, since),
        inArray(export_job.state, ['done', 'expired', 'failed']),
      ),
    )
  return jobs.flatMap(job => {
    const of = exportTitles.get(job.page)
    return of
      ? {
          admin_id: job.admin_id,
          kind: job.state === 'failed' ? ('export_failed' as const) : ('export_done' as const),
          about: `export:${job.id}:${job.version}`,
          facts: { of, n: job.rows_done, why: job.error ?? '' },
          address: '',
          at: job.done_at ?? job.updated_at ?? job.created_at,
        }
      : []
  })
}
/** A second decision, told to the person who decided first. */
const ofSecondAudits = async (db: Db, since: number): Promise<Told[]> => {
  const tasks = await db
    .select()
    .from(audit_task)
    .where(
      and(
        inArray(audit_task.state, ['approved', 'rejected']),
        isNotNull(audit_task.first_by),
        isNotNull(audit_task.second_by),
        gt(audit_task.decided_at, since),
      ),
    )
  return tasks.map(task => ({
    admin_id: task.first_by!,
    kind: task.state === 'approved' ? ('second_agreed' as const) : ('second_refused' as const),
    about: `audit:${task.id}:${task.version}`,
    facts: { of: task.title, why: task.reason ?? '', who: task.decider_name ?? '' },
    address: seenAt(task),
    at: task.decided_at!,
  }))
}
/** Alarms that nobody has dealt with, to those who follow them. */
const ofAlarms = async (db: Db, now: number): Promise<Told[]> => {
  const alarms = await db
    .select({ alarm: warning_log, rule: warning_rule })
    .from(warning_log)
    .innerJoin(warning_rule, eq(warning_rule.id, warning_log.rule_id))
    .where(inArray(warning_log.state, ['open', 'acked']))
  const told: Told[] = []
  for (const { alarm, rule } of alarms)
    for (const admin_id of new Set(await followersOf(db, rule, now)))
      if (admin_id !== null)
        told.push({
          admin_id,
          kind: 'warning_fired',
          about: `warning:${alarm.id}:${alarm.fired_at}`,
          facts: { of: rule.name, level: warningLevels[rule.level] },
          address: alarmsAt(rule.id),
          at: alarm.fired_at,
        })
  return told
}

/** What the people of the demo were told of what happened in it; the newest is unread. */
const seedMessages = async (db: Db, now: number): Promise<void> => {
  const since = now - MESSAGE_DAYS * DAY
  const all = [
    ...(await ofExports(db, since)),
    ...(await ofSecondAudits(db, since)),
    ...(await ofAlarms(db, now)),
  ].sort((a, b) => a.at - b.at || a.admin_id - b.admin_id || a.about.localeCompare(b.about))
  const here = new Set(
    (await db.select({ id: admin.id }).from(admin).where(eq(admin.status, 'active'))).map(
      one => one.id,
    ),
  )
  await insertRows(
    db,
    message,
    all
      .filter(({ admin_id, at }) => here.has(admin_id) && at <= now)
      .map(({ at, ...one }) => ({
        ...one,
        read_at: at > now - UNREAD_DAYS * DAY ? null : Math.min(now, at + DAY / 2),
        created_at: at,
        updated_at: at,
      })),
  )
}

export const demo: readonly DemoStep[] = [
  { place: 160, branch: 'messages', run: (db, _, { now }) => seedMessages(db, now) },
]
