import { randomInt } from 'node:crypto'
import { and, count, eq, gt, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { application } from '#src/areas/application/application.table.ts'
import { openStates } from '#src/areas/application/application.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { auditQueues } from '#src/areas/audit/audit.ts'
import { seesReports } from '#src/areas/figures/report.server.ts'
import { report_sub } from '#src/areas/figures/stat.table.ts'
import { handStores } from '#src/areas/merchant/bd.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { warning_log } from '#src/areas/notice/duty.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { openRefunds } from '#src/areas/refund/refund.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { defineKinds } from '#src/server/call/kinds.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { findStaff } from '#src/server/sessions/sessions.ts'
import { admin, department } from './people.table.ts'

/**
 * Colleagues that a person may see: all for who sees all data; else themselves, their department
 * where their scope is one, and who is bound to nothing but their own cities or malls.
 */
export const staffInScope = ({ id, scope }: Pick<Staff, 'id' | 'scope'>): SQL | undefined => {
  if (seesAll(scope)) return undefined
  const within = (type: 'city' | 'mall', ids: readonly number[]) =>
    ids.length > 0
      ? and(
          eq(admin.scope_type, type),
          sql`jsonb_array_length(${admin.scope_ids}) > 0 and ${admin.scope_ids} <@ ${JSON.stringify(ids)}::jsonb`,
        )
      : undefined
  return or(
    eq(admin.id, id),
    scope.owners.length > 0 ? inArray(admin.id, [...scope.owners]) : undefined,
    within('city', scope.cities as readonly number[]),
    within('mall', scope.malls as readonly number[]),
  )
}

defineKinds({ admin: { from: sql`${admin}`, id: sql`${admin.id}`, mine: staffInScope } })

/** Letters and digits that nobody mistakes for others. */
const signs = 'abcdefghjkmnpqrstuvwxyzACDEFGHJKLMNPQRSTUVWXYZ2345679'
export const makePassword = (): string =>
  Array.from({ length: 12 }, () => signs[randomInt(signs.length)]).join('')

export type Holds = {
  audit_tasks: number
  merchants: number
  departments: number
  refunds: number
  warnings: number
  reports: number
}
const claimsOf = (admin_id: number, now: number) =>
  and(
    eq(audit_task.claimed_by, admin_id),
    eq(audit_task.is_open, true),
    gt(audit_task.claim_until, now),
  )
const casesOf = (admin_id: number, now: number) =>
  and(
    eq(refund.claimed_by, admin_id),
    inArray(refund.state, [...openRefunds]),
    gt(refund.claim_until, now),
  )
const alarmsOf = (admin_id: number) =>
  and(eq(warning_log.assigned_to, admin_id), inArray(warning_log.state, ['open', 'acked']))
/** What a person holds that somebody must take over. */
export const holdingsOf = async (db: Db, admin_id: number, now: number): Promise<Holds> => {
  const held = async (
    table:
      | typeof audit_task
      | typeof merchant
      | typeof department
      | typeof refund
      | typeof warning_log
      | typeof report_sub,
    where: SQL | undefined,
  ) =>
    (
      await db
        .select({ n: count() })
        .from(table as typeof merchant)
        .where(where)
    )[0]!.n
  const [audit_tasks, merchants, departments, refunds, warnings, reports] = await Promise.all([
    held(audit_task, claimsOf(admin_id, now)),
    held(merchant, eq(merchant.bd_admin_id, admin_id)),
    held(department, eq(department.leader_id, admin_id)),
    held(refund, casesOf(admin_id, now)),
    held(warning_log, alarmsOf(admin_id)),
    held(report_sub, eq(report_sub.owner_id, admin_id)),
  ])
  return { audit_tasks, merchants, departments, refunds, warnings, reports }
}

/** What one person hands to another, who may do what `may` says. */
type Handing = {
  from: number
  to: { id: number; name: string }
  may: (permit: string) => boolean
  now: number
}
/** Audit tasks that the successor may decide; the others are free again. */
const handTasks = async (tx: Db, { from, to, may, now }: Handing): Promise<{ id: number }[]> => {
  const queues = auditQueues.filter(queue => may(`audit.${queue}.approve`))
  const tasks =
    queues.length === 0
      ? []
      : await tx
          .update(audit_task)
          .set({
            claimed_by: to.id,
            claimer_name: to.name,
            version: sql`${audit_task.version} + 1`,
          })
          .where(
            and(
              claimsOf(from, now),
              inArray(audit_task.queue, queues),
              sql`${audit_task.submitted_by} is distinct from ${to.id} and ${audit_task.first_by} is distinct from ${to.id}`,
            ),
          )
          .returning({ id: audit_task.id })
  await tx
    .update(audit_task)
    .set({
      claimed_by: null,
      claimer_name: null,
      claimed_at: null,
      claim_until: null,
      version: sql`${audit_task.version} + 1`,
      state: sql`case when ${audit_task.state} = 'claimed' then 'pending' else ${audit_task.state} end`,
    })
    .where(and(eq(audit_task.claimed_by, from), eq(audit_task.is_open, true)))
  return tasks
}
/** Open refunds that the successor may decide; the others are free again. */
const handRefunds = async (tx: Db, { from, to, may, now }: Handing): Promise<{ id: number }[]> => {
  const kinds = [
    ...(may('order.combo.refund.claim') ? [eq(refund.order_kind, 'combo')] : []),
    ...(may('order.eRefund.claim') ? [ne(refund.order_kind, 'combo')] : []),
  ]
  const cases =
    kinds.length === 0
      ? []
      : await tx
          .update(refund)
          .set({ claimed_by: to.id, version: sql`${refund.version} + 1` })
          .where(
            and(
              casesOf(from, now),
              or(...kinds),
              sql`${refund.first_by} is distinct from ${to.id}`,
            ),
          )
          .returning({ id: refund.id })
  await tx
    .update(refund)
    .set({ claimed_by: null, claim_until: null, version: sql`${refund.version} + 1` })
    .where(casesOf(from, now))
  return cases
}
/**
 * Gives the successor what the person held, in the transaction of the leaving: audit tasks, open
 * refunds and alarms that they may decide (the others are free again), merchants with their open
 * tasks, departments where the successor belongs to them, and the report subscriptions of who may
 * see reports (another's pause by themselves, with a notice).
 */
export const handOver = async ({
  tx,
  from,
  to,
  now,
}: {
  tx: Db
  from: number
  to: { id: number; name: string }
  now: number
}): Promise<Holds> => {
  const successor = (await findStaff(tx, to.id, 'zh'))?.staff
  const may = (permit: string) => successor?.can(permit) ?? false
  const tasks = await handTasks(tx, { from, to, may, now })
  const merchants = await tx
    .update(merchant)
    .set({ bd_admin_id: to.id, version: sql`${merchant.version} + 1` })
    .where(eq(merchant.bd_admin_id, from))
    .returning({ id: merchant.id })
  await handStores(tx, { from, to: to.id, by: null, reason: '', now })
  // The task's copy of the merchant's BD: decided ones stay as they were.
  await tx
    .update(audit_task)
    .set({ owner_id: to.id })
    .where(
      and(
        eq(audit_task.owner_id, from),
        or(eq(audit_task.is_open, true), isNull(audit_task.decided_at)),
      ),
    )
  await tx
    .update(application)
    .set({ owner_id: to.id })
    .where(and(eq(application.owner_id, from), inArray(application.state, openStates)))
  const led = await tx.execute<{ leader_id: number | null }>(sql`
    update department d set version = d.version + 1, updated_at = ${now}, leader_id = case when exists (select 1 from admin a where a.id = ${to.id} and a.department_id in (d.id, d.parent_id)) then ${to.id}::int end
    where d.leader_id = ${from} returning d.leader_id`)
  const cases = await handRefunds(tx, { from, to, may, now })
  const alarms = await tx
    .update(warning_log)
    .set({
      assigned_to: may('system.warning.logs.view') ? to.id : null,
      version: sql`${warning_log.version} + 1`,
    })
    .where(alarmsOf(from))
    .returning({ by: warning_log.assigned_to })
  const reports =
    successor && seesReports(successor)
      ? await tx
          .update(report_sub)
          .set({ owner_id: to.id, version: sql`${report_sub.version} + 1` })
          .where(eq(report_sub.owner_id, from))
          .returning({ id: report_sub.id })
      : []
  return {
    audit_tasks: tasks.length,
    merchants: merchants.length,
    departments: led.rows.filter(row => row.leader_id !== null).length,
    refunds: cases.length,
    warnings: alarms.filter(one => one.by !== null).length,
    reports: reports.length,
  }
}
