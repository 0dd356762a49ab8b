import { and, asc, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { conflict, missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { onSessionEnd } from '#src/server/sessions/sessions.ts'
import { audit_task, audit_viewer, type AuditTask } from './audit.table.ts'
import {
  CLAIM_SECONDS,
  IDLE_SECONDS,
  VIEWER_SECONDS,
  auditAfter,
  auditCan,
  auditStates,
  holderOf,
  stateAt,
  type AuditQueue,
  type AuditState,
  type AuditVerb,
} from './audit.ts'

type Who = Pick<Staff, 'id' | 'name' | 'scope'>

/** Tasks inside a person's data; the others do not exist for them. */
export const inScope = (scope: Staff['scope']): SQL | undefined =>
  within(scope, { city: audit_task.city_id, mall: audit_task.mall_id, owner: audit_task.owner_id })
/** Nobody's claim, or mine, or one that ran out. */
const freeFor = (staffId: number, now: number) =>
  or(
    isNull(audit_task.claimed_by),
    eq(audit_task.claimed_by, staffId),
    sql`${audit_task.claim_until} <= ${now}`,
  )
/** Free for anybody, and mine to decide: not my own submission, not my own first audit. */
export const takeable = (staffId: number, now: number): SQL | undefined =>
  and(
    eq(audit_task.is_open, true),
    or(isNull(audit_task.claimed_by), sql`${audit_task.claim_until} <= ${now}`),
    sql`${audit_task.submitted_by} is distinct from ${staffId}`,
    or(
      ne(audit_task.state, 'second_audit'),
      sql`${audit_task.first_by} is distinct from ${staffId}`,
    ),
  )

export const readTask = async (
  db: Db,
  queue: AuditQueue,
  id: number,
  staff: Who,
): Promise<AuditTask> => {
  const [task] = await db
    .select()
    .from(audit_task)
    .where(and(eq(audit_task.id, id), eq(audit_task.queue, queue), inScope(staff.scope)))
  if (!task) throw missing()
  return task
}

/** What a refused caller is told of the task as it stands now. */
const current = (task: AuditTask, now: number) => ({
  id: task.id,
  state: stateAt(task, now),
  version: task.version,
  claimed_by: holderOf(task, now),
  claimer_name: holderOf(task, now) === null ? null : task.claimer_name,
  decided_by: task.decided_by,
  decider_name: task.decider_name,
  decided_at: task.decided_at,
  reason_code: task.reason_code,
  reason: task.reason,
})
const decidedBy: Text = [
  '该任务已由{who}于 {when} 处理：{what}',
  '{who} already decided it at {when}: {what}',
]
const takenBack: Text = ['商户已于 {when} 撤回', 'The merchant withdrew it at {when}']
const lookedOld: Text = [
  '提交在你打开之后有变化，请重新读取',
  'It changed after you opened it, read it again',
]

/**
 * Why a verb can't be done to the task as it stands now: who decided it, when and what; who claimed
 * it; or that it changed since it was read.
 */
export const whyNot = (
  verb: AuditVerb,
  task: AuditTask,
  version: number | undefined,
  staffId: number,
  now: number,
): Refusal | null => {
  const may = auditCan(verb, task, staffId, now)
  const shown = current(task, now)
  if (may !== true && task.decided_at !== null && !task.is_open) {
    const [zh] = auditStates[task.state]
    return task.state === 'withdrawn'
      ? ruled('withdrawn', takenBack, { when: timeFull(task.decided_at) }, { current: shown })
      : ruled(
          'decided',
          decidedBy,
          { who: task.decider_name ?? '系统', when: timeFull(task.decided_at), what: zh },
          { current: shown },
        )
  }
  if (may !== true)
    return ruled(
      holderOf(task, now) !== null && holderOf(task, now) !== staffId ? 'claimed' : 'not_allowed',
      may,
      {},
      { current: shown },
    )
  if (version !== undefined && version !== task.version) return conflict(lookedOld, {}, shown)
  return null
}

type Change = Partial<typeof audit_task.$inferInsert>
/**
 * The one guarded UPDATE of every verb: it changes the row that was read or none. State, version
 * and claim stand in its condition, so that of any number of people at once exactly one wins; the
 * others are told why.
 */
export const change = async (
  tx: Db,
  verb: AuditVerb,
  task: AuditTask,
  set: Change,
  staffId: number,
  now: number,
): Promise<AuditTask> => {
  const [after] = await tx
    .update(audit_task)
    .set({ ...set, version: task.version + 1, updated_at: now })
    .where(
      and(
        eq(audit_task.id, task.id),
        eq(audit_task.version, task.version),
        eq(audit_task.state, task.state),
        freeFor(staffId, now),
      ),
    )
    .returning()
  if (after) return after
  const [there] = await tx.select().from(audit_task).where(eq(audit_task.id, task.id))
  if (!there) throw missing()
  throw (
    whyNot(verb, there, task.version, staffId, now) ?? conflict(lookedOld, {}, current(there, now))
  )
}

/** Where a verb leads, as columns. */
export const led = (
  verb: AuditVerb,
  task: AuditTask,
  staffId: number,
  now: number,
  second = false,
): Change => {
  const { state, claimed_by, claim_until, first_by } = auditAfter(verb, task, staffId, now, second)
  return {
    state: state as AuditState,
    claimed_by: claimed_by ?? null,
    claim_until: claim_until ?? null,
    first_by: first_by ?? null,
  }
}

/** A claim, as columns. */
export const mine = (staff: Pick<Staff, 'id' | 'name'>, now: number) => ({
  claimed_by: staff.id,
  claimer_name: staff.name,
  claimed_at: now,
  claim_until: now + CLAIM_SECONDS,
})

/** Takes one task; taking what I hold renews it. */
export const claim = async (
  tx: Db,
  queue: AuditQueue,
  id: number,
  staff: Who,
  now: number,
): Promise<AuditTask> => {
  const task = await readTask(tx, queue, id, staff)
  const refusal = whyNot('claim', task, undefined, staff.id, now)
  if (refusal) throw refusal
  if (holderOf(task, now) === staff.id) {
    const [held] = await tx
      .update(audit_task)
      .set({ claim_until: now + CLAIM_SECONDS })
      .where(
        and(
          eq(audit_task.id, id),
          eq(audit_task.version, task.version),
          eq(audit_task.claimed_by, staff.id),
        ),
      )
      .returning()
    if (held) return held
  }
  return change(
    tx,
    'claim',
    task,
    { ...led('claim', task, staff.id, now), ...mine(staff, now) },
    staff.id,
    now,
  )
}

/**
 * Takes the `n` most urgent free tasks that match; fewer when fewer are free. Rows that another
 * claim is taking at this moment are skipped, so that two people at once never get the same one.
 */
export const claimNext = async (
  tx: Db,
  queue: AuditQueue,
  n: number,
  matching: SQL | undefined,
  staff: Who,
  now: number,
): Promise<AuditTask[]> => {
  const next = tx
    .select({ id: audit_task.id })
    .from(audit_task)
    .where(
      and(eq(audit_task.queue, queue), takeable(staff.id, now), inScope(staff.scope), matching),
    )
    .orderBy(asc(audit_task.sla_at), asc(audit_task.id))
    .limit(n)
    .for('update', { skipLocked: true })
  const taken = await tx
    .update(audit_task)
    .set({
      ...mine(staff, now),
      state: sql`case when ${audit_task.state} = 'second_audit' then 'second_audit' else 'claimed' end`,
      version: sql`${audit_task.version} + 1`,
      updated_at: now,
    })
    .where(inArray(audit_task.id, sql`(${next})`))
    .returning()
  return taken.sort((a, b) => a.sla_at - b.sla_at || a.id - b.id)
}

/** Gives a claimed task back to the queue. */
export const unclaim = async (
  tx: Db,
  queue: AuditQueue,
  id: number,
  staff: Who,
  now: number,
): Promise<AuditTask> => {
  const task = await readTask(tx, queue, id, staff)
  const refusal = whyNot('unclaim', task, undefined, staff.id, now)
  if (refusal) throw refusal
  return change(
    tx,
    'unclaim',
    task,
    { ...led('unclaim', task, staff.id, now), claimer_name: null, claimed_at: null },
    staff.id,
    now,
  )
}

/** Gives back all that a person still holds. */
const releaseAll = (tx: Db, staffId: number, now: number) =>
  tx
    .update(audit_task)
    .set({
      state: sql`case when ${audit_task.state} = 'claimed' then 'pending' else ${audit_task.state} end`,
      claimed_by: null,
      claimer_name: null,
      claimed_at: null,
      claim_until: null,
      version: sql`${audit_task.version} + 1`,
      updated_at: now,
    })
    .where(and(eq(audit_task.claimed_by, staffId), eq(audit_task.is_open, true)))
    .returning({ id: audit_task.id })
// One who signs out keeps nobody waiting; another live session of theirs keeps the claims.
onSessionEnd(
  async ({ tx, admin_id, now, last }) => void (last && (await releaseAll(tx, admin_id, now))),
)

/**
 * Renews my claim, and those I took a while ago in the same queue and have not come to; shows me as
 * looking on; answers who else does. The version stays: a heartbeat is no change.
 */
export const beat = async (
  tx: Db,
  task: AuditTask,
  staff: Who,
  now: number,
): Promise<{
  claim_until: number | null
  viewers: { id: number; name: string }[]
  version: number
}> => {
  const kept = await tx
    .update(audit_task)
    .set({ claim_until: now + CLAIM_SECONDS, updated_at: now })
    .where(
      and(
        eq(audit_task.claimed_by, staff.id),
        eq(audit_task.queue, task.queue),
        gt(audit_task.claim_until, now),
        eq(audit_task.is_open, true),
        or(eq(audit_task.id, task.id), gt(audit_task.claimed_at, now - IDLE_SECONDS)),
      ),
    )
    .returning({
      id: audit_task.id,
      claim_until: audit_task.claim_until,
      version: audit_task.version,
    })
  const held = kept.find(one => one.id === task.id)
  await tx
    .insert(audit_viewer)
    .values({ task_id: task.id, admin_id: staff.id, admin_name: staff.name, seen_at: now })
    .onConflictDoUpdate({
      target: [audit_viewer.task_id, audit_viewer.admin_id],
      set: { seen_at: now },
    })
  // Whoever left an hour ago is of no interest; a beat sweeps its own task's rows.
  await tx
    .delete(audit_viewer)
    .where(and(eq(audit_viewer.task_id, task.id), lt(audit_viewer.seen_at, now - 3600)))
  return {
    claim_until: held?.claim_until ?? null,
    version: held?.version ?? task.version,
    viewers: await viewersOf(tx, task.id, staff.id, now),
  }
}
/** Colleagues who look at it now. */
export const viewersOf = async (db: Db, task_id: number, but: number, now: number) =>
  db
    .select({ id: audit_viewer.admin_id, name: audit_viewer.admin_name })
    .from(audit_viewer)
    .where(
      and(
        eq(audit_viewer.task_id, task_id),
        ne(audit_viewer.admin_id, but),
        gt(audit_viewer.seen_at, now - VIEWER_SECONDS),
      ),
    )
