/**
 * 抽检: of the decisions a part is looked at by a second person who does not see them. Drawn in the
 * transaction of the decision; what the two said is compared for supervisors only
 * (`audit.look.figures`), so that nobody decides after somebody's eyes.
 */
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  isNotNull,
  lte,
  ne,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { admin, setting } from '#src/areas/people/people.table.ts'
import { joined } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, LogEntry, Staff } from '#src/server/call/implement.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import type { TodoCount } from '#src/server/call/todos.ts'
import { audit_look, audit_task, type AuditLook, type AuditTask } from './audit.table.ts'
import {
  auditQueues,
  isDrawn,
  type AuditQueue,
  type AuditSettings,
  type RejectCode,
} from './audit.ts'
import { findings } from './auditFindings.ts'
import { detailOf } from './auditQueue.server.ts'
import { readAuditSettings } from './submission.server.ts'
import { factsOf } from './submissionFacts.server.ts'
import { inScope } from './taskClaims.server.ts'

/** Somebody who went away from an open look keeps it so long. */
const TAKEN_SECONDS = 15 * 60
const l = audit_look

/** A final decision of a person, as it was made; drawn or not. */
export const drawLook = async (tx: Db, after: AuditTask, now: number): Promise<void> => {
  if (after.decided_by === null || (after.state !== 'approved' && after.state !== 'rejected'))
    return
  const { look_bp } = await readAuditSettings(tx)
  if (!isDrawn(after.id, look_bp[after.queue])) return
  await tx
    .insert(l)
    .values({
      task_id: after.id,
      queue: after.queue,
      first_by: after.decided_by,
      first_verdict: after.state,
      first_codes:
        after.state === 'rejected' && after.reason_code
          ? [after.reason_code, ...after.more_codes]
          : [],
      first_at: now,
      created_at: now,
    })
    .onConflictDoNothing()
}
/** A decision that was taken back is none to look at. */
export const dropLook = (tx: Db, task_id: number) => tx.delete(l).where(eq(l.task_id, task_id))

/** Mine to look at: not my own decision or submission, and nobody else's at the moment. */
const waiting = (
  queues: readonly AuditQueue[],
  staff: Pick<Staff, 'id' | 'scope'>,
  now: number,
): SQL | undefined =>
  and(
    isNull(l.second_at),
    inArray(l.queue, [...queues]),
    ne(l.first_by, staff.id),
    sql`${audit_task.submitted_by} is distinct from ${staff.id}`,
    sql`${audit_task.first_by} is distinct from ${staff.id}`,
    or(isNull(l.taken_by), eq(l.taken_by, staff.id), lte(l.taken_until, now)),
    inScope(staff.scope),
  )
const lookable = (staff: Staff) => auditQueues.filter(queue => staff.can(`audit.${queue}.approve`))

/**
 * The submission as it was before anybody decided: the detail without all that says what became of
 * it.
 */
const blind = async (
  db: Db,
  { look, task }: { look: AuditLook; task: AuditTask },
  staff: Staff,
  now: number,
) => {
  const [detail, settings] = [await detailOf(db, task, staff, now), await readAuditSettings(db)]
  const facts = await factsOf(db, {
    body: task.snapshot,
    product_id: task.product_id,
    merchant_id: task.merchant_id,
    image_faults: task.image_faults,
    now,
    settings,
  })
  return {
    ...detail,
    task: {
      ...detail.task,
      state: 'pending' as const,
      claimed_by: null,
      claimer_name: null,
      claim_until: null,
      first_by: null,
      decided_by: null,
      decider_name: null,
      decided_at: null,
      reason_code: null,
      more_codes: [],
      reason: null,
    },
    live: task.live_snapshot,
    findings: findings(
      task.snapshot,
      task.live_snapshot,
      { ...facts, sold_left: 0 },
      look.first_at,
      settings,
    ),
    prices: detail.prices.filter(one => one.no < task.product_version),
    rounds: detail.rounds.filter(one => one.at < look.first_at),
    sold: { paid: 0, unused_codes: 0, latest_valid_until: null },
    field_marks: {},
    viewers: [],
  }
}

/** How many decisions wait for my second look, and since when the oldest does. */
export const looksWaiting = async (db: Db, staff: Staff, now: number): Promise<TodoCount> => {
  const queues = lookable(staff)
  if (queues.length === 0) return { count: 0, oldest_at: null, over_sla: 0 }
  const [row] = await db
    .select({ n: count(), oldest: sql<string | null>`min(${l.first_at})` })
    .from(l)
    .innerJoin(audit_task, eq(audit_task.id, l.task_id))
    .where(waiting(queues, staff, now))
  return {
    count: row!.n,
    oldest_at: row!.oldest === null ? null : Number(row!.oldest),
    over_sla: 0,
  }
}

/** The next one for me, the one I have open first; nobody else gets it meanwhile. */
export const takeLook = async (tx: Db, staff: Staff, now: number) => {
  const queues = lookable(staff)
  const of = waiting(queues, staff, now)
  const [next] =
    queues.length === 0
      ? []
      : await tx
          .select({ look: l, task: audit_task })
          .from(l)
          .innerJoin(audit_task, eq(audit_task.id, l.task_id))
          .where(of)
          .orderBy(sql`(${l.taken_by} = ${staff.id}) desc nulls last`, asc(l.first_at), asc(l.id))
          .limit(1)
          .for('update', { of: l, skipLocked: true })
  const [left] =
    queues.length === 0
      ? [{ n: 0 }]
      : await tx
          .select({ n: count() })
          .from(l)
          .innerJoin(audit_task, eq(audit_task.id, l.task_id))
          .where(of)
  if (!next) return { look: null, detail: null, left: left!.n }
  await tx
    .update(l)
    .set({ taken_by: staff.id, taken_until: now + TAKEN_SECONDS })
    .where(eq(l.id, next.look.id))
  return {
    look: { id: next.look.id, title: next.task.title, queue: next.task.queue },
    detail: await blind(tx, next, staff, now),
    left: left!.n,
  }
}

type Verdict = {
  verdict: 'approved' | 'rejected'
  codes: readonly RejectCode[]
  note?: string | undefined
}
/**
 * What the second person says. Once, by who has it open; the log says that they looked, not what
 * they said.
 */
export const lookAt = async (
  { tx, staff, now, log }: { tx: Db; staff: Staff; now: number; log: (entry: LogEntry) => void },
  id: number,
  { verdict, codes, note }: Verdict,
): Promise<void> => {
  const [done] = await tx
    .update(l)
    .set({
      second_by: staff.id,
      second_verdict: verdict,
      second_codes: [...new Set(codes)],
      note: note ?? null,
      second_at: now,
      version: sql`${l.version} + 1`,
    })
    .where(and(eq(l.id, id), eq(l.taken_by, staff.id), isNull(l.second_at), gt(l.taken_until, now)))
    .returning({ task_id: l.task_id })
  if (!done) {
    const [there] = await tx
      .select()
      .from(l)
      .where(and(eq(l.id, id), eq(l.taken_by, staff.id)))
    if (!there) throw missing()
    throw there.second_at !== null
      ? ruled('looked_already', ['这一条已经复看过', 'It was looked at already'])
      : ruled('not_taken', [
          '打开已超过 15 分钟，请重新领取',
          'It was open for more than 15 minutes: take it again',
        ])
  }
  const [task] = await tx
    .select({ title: audit_task.title })
    .from(audit_task)
    .where(eq(audit_task.id, done.task_id))
  log({
    object_type: 'audit_task',
    object_id: done.task_id,
    object_label: task!.title.slice(0, 64),
    after: { looked_by: staff.id },
  })
}

/** Which decisions a reader counts: since when, in which queues, inside whose data. */
type Counted = { from: number; queues: readonly AuditQueue[]; scope: Staff['scope'] }
/** How much each reviewer decided, and in how many seconds. */
const decisions = (db: Db, { from, queues, scope }: Counted) =>
  db
    .select({
      admin_id: sql<number>`${audit_task.decided_by}`,
      name: sql<string>`max(${audit_task.decider_name})`,
      decided: sql<number>`count(*)::int`,
      seconds: sql<
        number | null
      >`(percentile_disc(0.5) within group (order by ${audit_task.decided_at} - ${audit_task.claimed_at}) filter (where ${audit_task.claimed_at} <= ${audit_task.decided_at}))::int`,
    })
    .from(audit_task)
    .where(
      and(
        inArray(audit_task.queue, queues),
        inArray(audit_task.state, ['approved', 'rejected']),
        gte(audit_task.decided_at, from),
        isNotNull(audit_task.decided_by),
        inScope(scope),
      ),
    )
    .groupBy(audit_task.decided_by)
/** How much of each reviewer's was drawn and looked at, and how often the look said otherwise. */
const looksAt = async (db: Db, { from, queues, scope }: Counted) => {
  const drawn = await db
    .select({
      admin_id: l.first_by,
      drawn: sql<number>`count(*)::int`,
      looked: sql<number>`count(${l.second_at})::int`,
      differ: sql<number>`count(*) filter (where ${l.second_verdict} <> ${l.first_verdict})::int`,
    })
    .from(l)
    .innerJoin(audit_task, eq(audit_task.id, l.task_id))
    .where(and(inArray(l.queue, queues), gte(l.first_at, from), inScope(scope)))
    .groupBy(l.first_by)
  return new Map(drawn.map(({ admin_id, ...looks }) => [admin_id, looks]))
}
const differences = (db: Db, { from, queues, scope }: Counted) => {
  const [first, second] = [alias(admin, 'first'), alias(admin, 'second')]
  return db
    .select({
      id: l.id,
      task_id: l.task_id,
      queue: l.queue,
      title: audit_task.title,
      first_name: first.name,
      first_verdict: l.first_verdict,
      first_codes: l.first_codes,
      second_name: second.name,
      second_verdict: sql<'approved' | 'rejected'>`${l.second_verdict}`,
      second_codes: sql<string[]>`coalesce(${l.second_codes}, '{}')`,
      note: l.note,
      at: sql<number>`${l.second_at}::int`,
    })
    .from(l)
    .innerJoin(audit_task, eq(audit_task.id, l.task_id))
    .innerJoin(first, eq(first.id, l.first_by))
    .innerJoin(second, eq(second.id, l.second_by))
    .where(
      and(
        inArray(l.queue, queues),
        gte(l.first_at, from),
        sql`${l.second_verdict} <> ${l.first_verdict}`,
        inScope(scope),
      ),
    )
    .orderBy(desc(l.second_at), desc(l.id))
    .limit(50)
}
const unseen = { drawn: 0, looked: 0, differ: 0 }
/**
 * Reviewer by reviewer: how fast, how much was looked at, how often the second person said
 * otherwise.
 */
export const lookFigures = async (
  db: Db,
  of: { queue?: AuditQueue | undefined; days: number },
  { scope }: Pick<Staff, 'scope'>,
  now: number,
) => {
  const counted = {
    from: now - of.days * DAY,
    queues: of.queue ? [of.queue] : auditQueues,
    scope,
  }
  const decided = await decisions(db, counted)
  const looks = await looksAt(db, counted)
  const list = decided
    .map(one => {
      const { drawn, looked, differ } = looks.get(one.admin_id) ?? unseen
      const differ_bp = looked === 0 ? null : Math.round((differ / looked) * 10_000)
      return { ...one, drawn, looked, differ, differ_bp }
    })
    .sort(
      (a, b) =>
        (b.differ_bp ?? -1) - (a.differ_bp ?? -1) ||
        b.decided - a.decided ||
        a.admin_id - b.admin_id,
    )
  const differing = await differences(db, counted)
  const { rates, version } = await readRates(db)
  return { list, differing, rates, version }
}

const readRates = async (db: Db) => {
  const [row] = await db.select().from(setting).where(eq(setting.key, 'audit'))
  return { rates: (await readAuditSettings(db)).look_bp, version: row?.version ?? 0, row }
}
/** How much of each queue is looked at a second time. */
export const setRates = async (
  { tx, now, log }: { tx: Db; now: number; log: (entry: LogEntry) => void },
  rates: Record<AuditQueue, number>,
  version: number,
) => {
  const was = await readRates(tx)
  if (auditQueues.every(queue => was.rates[queue] === rates[queue]))
    throw invalid({ rates: ['比例没有变化', 'The rates are as they were'] })
  const value: Partial<AuditSettings> = {
    ...(was.row?.value as Partial<AuditSettings> | undefined),
    look_bp: rates,
  }
  const stale = () =>
    conflict(
      [
        '抽检比例刚被其他人修改，请刷新后再改',
        'The rates were changed by somebody else: read them again',
      ],
      {},
      { rates: was.rates },
    )
  if (was.version !== version) throw stale()
  const [after] = was.row
    ? await tx
        .update(setting)
        .set({ value, version: version + 1, updated_at: now })
        .where(and(eq(setting.key, 'audit'), eq(setting.version, version)))
        .returning({ version: setting.version })
    : await tx
        .insert(setting)
        .values({ key: 'audit', value, version: version + 1 })
        .onConflictDoNothing()
        .returning({ version: setting.version })
  if (!after) throw stale()
  const named = (of: Record<AuditQueue, number>) =>
    Object.fromEntries(auditQueues.map(queue => [`look_${queue}`, of[queue]]))
  log({
    object_type: 'audit_setting',
    object_id: 1,
    object_label: joined(['抽检比例', 'Rates of the second look']),
    before: named(was.rates),
    after: named(rates),
  })
  return { rates, version: after.version }
}
