import { and, asc, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { systemName } from '#src/areas/log/logs.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { conflict, missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { within, type Places } from '#src/server/call/scope.ts'
import { onSessionEnd } from '#src/server/sessions/sessions.ts'
import {
  CLAIM_SECONDS,
  IDLE_SECONDS,
  VIEWER_SECONDS,
  auditAfter,
  auditStates,
  holderOf,
  stateAt,
  type AuditFacts,
  type AuditState,
  type AuditVerb,
  type VerbDone,
} from './audit.ts'
import type { Claimed } from './claimed.table.ts'

type Who = Pick<Staff, 'id' | 'name' | 'scope'>
type Doing = { staff: Pick<Who, 'id'>; now: number }
type Taking = { tx: Db; staff: Who; now: number }
/** What the engine reads and changes of a row: `claimedColumns` of claimed.table.ts, and the table's base. */
type Held = {
  [K in keyof Claimed]: PgColumn
} & { id: PgColumn; version: PgColumn; updated_at: PgColumn; queue: PgColumn }
export type Queued = PgTable & Held
type Row<T extends PgTable> = T['$inferSelect'] & Claimed & { id: number; version: number }
type Change<T extends PgTable> = Partial<T['$inferInsert']>
/** What differs between the tables whose rows wait for somebody's decision. */
type Of<T extends Queued> = {
  table: T
  /** The people who look at a row now: `viewerColumns` of claimed.table.ts. */
  viewers: PgTable & {
    task_id: PgColumn
    admin_id: PgColumn
    admin_name: PgColumn
    seen_at: PgColumn
  }
  places: Places
  /** True, or why somebody may not do a verb to a row at a moment. */
  can: (
    verb: AuditVerb,
    task: AuditFacts & { owner_id?: number | null },
    staffId: number,
    now: number,
  ) => true | Text
  /** What `can` forbids somebody of every row, as a condition. */
  mayDecide?: (staffId: number) => SQL | undefined
  /** Says that it was withdrawn at `{when}`, where no merchant did. */
  takenBack?: Text
}

const decidedBy: Text = [
  '该任务已由{who}于 {when} 处理：{what}',
  '{who} already decided it at {when}: {what}',
]
const byMerchant: Text = ['商户已于 {when} 撤回', 'The merchant withdrew it at {when}']
const lookedOld: Text = [
  '提交在你打开之后有变化，请重新读取',
  'It changed after you opened it, read it again',
]

/** What a refused caller is told of the task as it stands now. */
const current = (task: Claimed & { id: number; version: number }, now: number) => ({
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

/** Where a verb leads, as columns. */
export const led = (verb: AuditVerb, task: AuditFacts, doing: VerbDone) => {
  const { state, claimed_by, claim_until, first_by } = auditAfter(verb, task, doing)
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

const reading = <T extends Queued>({ table, places, mayDecide }: Of<T>) => {
  /** Tasks inside a person's data; the others do not exist for them. */
  const inScope = (scope: Staff['scope']): SQL | undefined => within(scope, places)
  /** Free for anybody, and mine to decide: not my own submission, not my own first audit. */
  const takeable = (staffId: number, now: number): SQL | undefined =>
    and(
      eq(table.is_open, true),
      or(isNull(table.claimed_by), sql`${table.claim_until} <= ${now}`),
      sql`${table.submitted_by} is distinct from ${staffId}`,
      or(ne(table.state, 'second_audit'), sql`${table.first_by} is distinct from ${staffId}`),
      mayDecide?.(staffId),
    )
  const readTask = async (
    db: Db,
    queue: Row<T>['queue'],
    id: number,
    staff: Pick<Who, 'scope'>,
  ): Promise<Row<T>> => {
    const [task] = await db
      .select()
      .from(table as PgTable)
      .where(and(eq(table.id, id), eq(table.queue, queue), inScope(staff.scope)))
    if (!task) throw missing()
    return task as Row<T>
  }
  return { inScope, takeable, readTask }
}

const changing = <T extends Queued>({ table, can, takenBack = byMerchant }: Of<T>) => {
  /**
   * Why a verb can't be done to the task as it stands now: who decided it, when and what; who claimed
   * it; or that it changed since it was read.
   */
  const whyNot = (
    verb: AuditVerb,
    task: Row<T>,
    version: number | undefined,
    { staff, now }: Doing,
  ): Refusal | null => {
    const may = can(verb, task, staff.id, now)
    const shown = current(task, now)
    if (may !== true && task.decided_at !== null && !task.is_open) {
      const what = joined(auditStates[task.state])
      return task.state === 'withdrawn'
        ? ruled('withdrawn', takenBack, { when: timeFull(task.decided_at) }, { current: shown })
        : ruled(
            'decided',
            decidedBy,
            { who: task.decider_name ?? systemName, when: timeFull(task.decided_at), what },
            { current: shown },
          )
    }
    const holder = holderOf(task, now)
    const isHeldByOther = holder !== null && holder !== staff.id
    if (may !== true)
      return ruled(isHeldByOther ? 'claimed' : 'not_allowed', may, {}, { current: shown })
    if (version !== undefined && version !== task.version) return conflict(lookedOld, {}, shown)
    return null
  }
  /** Nobody's claim, or mine, or one that ran out. */
  const freeFor = (staffId: number, now: number) =>
    or(isNull(table.claimed_by), eq(table.claimed_by, staffId), sql`${table.claim_until} <= ${now}`)
  /**
   * The one guarded UPDATE of every verb: it changes the row that was read or none. State, version
   * and claim stand in its condition, so that of any number of people at once exactly one wins; the
   * others are told why.
   */
  const change = async (
    { tx, staff, now }: Doing & { tx: Db },
    verb: AuditVerb,
    task: Row<T>,
    set: Change<T>,
  ): Promise<Row<T>> => {
    const [after] = (await tx
      .update(table as PgTable)
      .set({ ...set, version: task.version + 1, updated_at: now } as never)
      .where(
        and(
          eq(table.id, task.id),
          eq(table.version, task.version),
          eq(table.state, task.state),
          freeFor(staff.id, now),
        ),
      )
      .returning()) as Row<T>[]
    if (after) return after
    const [there] = (await tx
      .select()
      .from(table as PgTable)
      .where(eq(table.id, task.id))) as Row<T>[]
    if (!there) throw missing()
    throw (
      whyNot(verb, there, task.version, { staff, now }) ??
      conflict(lookedOld, {}, current(there, now))
    )
  }
  return { whyNot, change }
}

const taking = <T extends Queued>(
  { table }: Of<T>,
  { inScope, takeable, readTask }: ReturnType<typeof reading<T>>,
  { whyNot, change }: ReturnType<typeof changing<T>>,
) => {
  /** Takes one task; taking what I hold renews it. */
  const claim = async (
    { tx, staff, now }: Taking,
    queue: Row<T>['queue'],
    id: number,
  ): Promise<Row<T>> => {
    const task = await readTask(tx, queue, id, staff)
    const refusal = whyNot('claim', task, undefined, { staff, now })
    if (refusal) throw refusal
    if (holderOf(task, now) === staff.id) {
      const [held] = await tx
        .update(table as PgTable)
        .set({ claim_until: now + CLAIM_SECONDS } as never)
        .where(
          and(eq(table.id, id), eq(table.version, task.version), eq(table.claimed_by, staff.id)),
        )
        .returning()
      if (held) return held as Row<T>
    }
    const set = { ...led('claim', task, { staff, now }), ...mine(staff, now) }
    return change({ tx, staff, now }, 'claim', task, set as Change<T>)
  }
  /**
   * Takes the `n` most urgent free tasks that match; fewer when fewer are free. Rows that another
   * claim is taking at this moment are skipped, so that two people at once never get the same one.
   */
  const claimNext = async (
    { tx, staff, now }: Taking,
    queue: Row<T>['queue'],
    n: number,
    matching?: SQL,
  ): Promise<Row<T>[]> => {
    const next = tx
      .select({ id: table.id })
      .from(table as PgTable)
      .where(and(eq(table.queue, queue), takeable(staff.id, now), inScope(staff.scope), matching))
      .orderBy(asc(table.sla_at), asc(table.id))
      .limit(n)
      .for('update', { skipLocked: true })
    const taken = (await tx
      .update(table as PgTable)
      .set({
        ...mine(staff, now),
        state: sql`case when ${table.state} = 'second_audit' then 'second_audit' else 'claimed' end`,
        version: sql`${table.version} + 1`,
        updated_at: now,
      } as never)
      .where(inArray(table.id, sql`(${next})`))
      .returning()) as Row<T>[]
    return taken.sort((a, b) => a.sla_at - b.sla_at || a.id - b.id)
  }
  /** Gives a claimed task back to the queue. */
  const unclaim = async (
    { tx, staff, now }: Taking,
    queue: Row<T>['queue'],
    id: number,
  ): Promise<Row<T>> => {
    const task = await readTask(tx, queue, id, staff)
    const refusal = whyNot('unclaim', task, undefined, { staff, now })
    if (refusal) throw refusal
    const set = {
      ...led('unclaim', task, { staff, now }),
      claimer_name: null,
      claimed_at: null,
    }
    return change({ tx, staff, now }, 'unclaim', task, set as Change<T>)
  }
  return { claim, claimNext, unclaim }
}

/** Gives back all that a person still holds. */
const releaseAll = (table: Queued, tx: Db, staffId: number, now: number) =>
  tx
    .update(table as PgTable)
    .set({
      state: sql`case when ${table.state} = 'claimed' then 'pending' else ${table.state} end`,
      claimed_by: null,
      claimer_name: null,
      claimed_at: null,
      claim_until: null,
      version: sql`${table.version} + 1`,
      updated_at: now,
    } as never)
    .where(and(eq(table.claimed_by, staffId), eq(table.is_open, true)))
    .returning({ id: table.id })

const watching = <T extends Queued>({ table, viewers }: Of<T>) => {
  /** Colleagues who look at it now. */
  const viewersOf = async (
    db: Db,
    task_id: number,
    but: number,
    now: number,
  ): Promise<{ id: number; name: string }[]> =>
    (await db
      .select({ id: viewers.admin_id, name: viewers.admin_name })
      .from(viewers)
      .where(
        and(
          eq(viewers.task_id, task_id),
          ne(viewers.admin_id, but),
          gt(viewers.seen_at, now - VIEWER_SECONDS),
        ),
      )) as { id: number; name: string }[]
  /**
   * Renews my claim, and those I took a while ago in the same queue and have not come to; shows me
   * as looking on; answers who else does. The version stays: a heartbeat is no change.
   */
  const beat = async (
    tx: Db,
    task: Row<T>,
    staff: Who,
    now: number,
  ): Promise<{
    claim_until: number | null
    viewers: { id: number; name: string }[]
    version: number
  }> => {
    const kept = (await tx
      .update(table as PgTable)
      .set({ claim_until: now + CLAIM_SECONDS, updated_at: now } as never)
      .where(
        and(
          eq(table.claimed_by, staff.id),
          eq(table.queue, task.queue),
          gt(table.claim_until, now),
          eq(table.is_open, true),
          or(eq(table.id, task.id), gt(table.claimed_at, now - IDLE_SECONDS)),
        ),
      )
      .returning({
        id: table.id,
        claim_until: table.claim_until,
        version: table.version,
      })) as Pick<Row<T>, 'id' | 'claim_until' | 'version'>[]
    const held = kept.find(one => one.id === task.id)
    await tx
      .insert(viewers)
      .values({
        task_id: task.id,
        admin_id: staff.id,
        admin_name: staff.name,
        seen_at: now,
      } as never)
      .onConflictDoUpdate({
        target: [viewers.task_id, viewers.admin_id],
        set: { seen_at: now } as never,
      })
    // Whoever left an hour ago is of no interest; a beat sweeps its own task's rows.
    await tx
      .delete(viewers)
      .where(and(eq(viewers.task_id, task.id), lt(viewers.seen_at, now - 3600)))
    return {
      claim_until: held?.claim_until ?? null,
      version: held?.version ?? task.version,
      viewers: await viewersOf(tx, task.id, staff.id, now),
    }
  }
  return { beat, viewersOf }
}

/**
 * Claiming and deciding the rows of a table that has the columns of claimed.table.ts: taken by one person
 * at a time, kept by heartbeats, given back, changed by one guarded UPDATE.
 */
export const claimsOf = <T extends Queued>(of: Of<T>) => {
  const rows = reading(of)
  const changes = changing(of)
  // Signing out gives the claims back, unless another session of the person still lives.
  onSessionEnd(
    async ({ tx, admin_id, now, last }) =>
      void (last && (await releaseAll(of.table, tx, admin_id, now))),
  )
  return { ...rows, ...changes, ...taking(of, rows, changes), ...watching(of) }
}
