import { randomInt } from 'node:crypto'
import { and, count, eq, gt, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import { auditQueues } from '#src/domain/audit.ts'
import type { Db, Staff } from '../implement.ts'
import { seesAll } from '../scope.ts'
import { findStaff } from '../sessions.ts'
import { audit_task } from '../tables/audit.ts'
import { merchant } from '../tables/merchant.ts'
import { admin, department } from '../tables/people.ts'

/** Colleagues that a person may see: all for who sees all data; else themselves, their department where their scope is one, and who is bound to nothing but their own cities or malls. */
export const staffInScope = ({ id, scope }: Pick<Staff, 'id' | 'scope'>): SQL | undefined => {
  if (seesAll(scope)) return undefined
  const within = (type: 'city' | 'mall', ids: readonly number[]) => (ids.length > 0 ? and(eq(admin.scope_type, type), sql`jsonb_array_length(${admin.scope_ids}) > 0 and ${admin.scope_ids} <@ ${JSON.stringify(ids)}::jsonb`) : undefined)
  return or(eq(admin.id, id), scope.owners.length > 0 ? inArray(admin.id, [...scope.owners]) : undefined, within('city', scope.cities as readonly number[]), within('mall', scope.malls as readonly number[]))
}

/** Letters and digits that nobody mistakes for others. */
const signs = 'abcdefghjkmnpqrstuvwxyzACDEFGHJKLMNPQRSTUVWXYZ2345679'
export const makePassword = (): string => Array.from({ length: 12 }, () => signs[randomInt(signs.length)]).join('')

export type Holds = { audit_tasks: number; merchants: number; departments: number }
const claimsOf = (admin_id: number, now: number) => and(eq(audit_task.claimed_by, admin_id), eq(audit_task.is_open, true), gt(audit_task.claim_until, now))
/** What a person holds that somebody must take over. */
export const holdingsOf = async (db: Db, admin_id: number, now: number): Promise<Holds> => {
  const [[tasks], [merchants], [led]] = await Promise.all([
    db.select({ n: count() }).from(audit_task).where(claimsOf(admin_id, now)), db.select({ n: count() }).from(merchant).where(eq(merchant.bd_admin_id, admin_id)), db.select({ n: count() }).from(department).where(eq(department.leader_id, admin_id)),
  ])
  return { audit_tasks: tasks!.n, merchants: merchants!.n, departments: led!.n }
}

type Handing = { tx: Db; from: number; to: { id: number; name: string }; now: number }
const others: ((of: Handing) => Promise<void>)[] = []
/** Runs in the transaction in which somebody leaves: a module hands what it keeps for them to the successor. */
export const onLeave = (run: (of: Handing) => Promise<void>): void => void others.push(run)

/**
 * Gives the successor what the person held: audit tasks that they may decide (the others go back to their queue), merchants with their open tasks,
 * and departments led, where the successor belongs to them. All in the transaction of the leaving.
 */
export const handOver = async (of: Handing): Promise<Holds> => {
  const { tx, from, to, now } = of
  const successor = (await findStaff(tx, to.id, 'zh'))?.staff
  const queues = auditQueues.filter(queue => successor?.can(`audit.${queue}.approve`))
  const tasks = queues.length === 0 ? [] : await tx.update(audit_task).set({ claimed_by: to.id, claimer_name: to.name, version: sql`${audit_task.version} + 1` })
    .where(and(claimsOf(from, now), inArray(audit_task.queue, queues), sql`${audit_task.submitted_by} is distinct from ${to.id} and ${audit_task.first_by} is distinct from ${to.id}`)).returning({ id: audit_task.id })
  await tx.update(audit_task).set({ claimed_by: null, claimer_name: null, claimed_at: null, claim_until: null, version: sql`${audit_task.version} + 1`, state: sql`case when ${audit_task.state} = 'claimed' then 'pending' else ${audit_task.state} end` }).where(and(eq(audit_task.claimed_by, from), eq(audit_task.is_open, true)))
  const merchants = await tx.update(merchant).set({ bd_admin_id: to.id, version: sql`${merchant.version} + 1` }).where(eq(merchant.bd_admin_id, from)).returning({ id: merchant.id })
  // The task's copy of the merchant's BD: decided ones stay as they were.
  await tx.update(audit_task).set({ owner_id: to.id }).where(and(eq(audit_task.owner_id, from), or(eq(audit_task.is_open, true), isNull(audit_task.decided_at))))
  const led = await tx.execute<{ leader_id: number | null }>(sql`
    update department d set version = d.version + 1, updated_at = ${now}, leader_id = case when exists (select 1 from admin a where a.id = ${to.id} and a.department_id in (d.id, d.parent_id)) then ${to.id}::int end
    where d.leader_id = ${from} returning d.leader_id`)
  for (const run of others) await run(of)
  return { audit_tasks: tasks.length, merchants: merchants.length, departments: led.rows.filter(row => row.leader_id !== null).length }
}
