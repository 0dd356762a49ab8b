import { and, eq } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import type { WecomClient } from './client.channel.ts'
import { keptWords, type WecomFault } from './wecomFault.ts'
import { wecom_task } from './wecomWork.table.ts'

export type Task = typeof wecom_task.$inferSelect
export type Running = { database: Database; client: WecomClient; now: number }

/** Seconds until a task is tried again after so many tries. */
const againIn = (tries: number): number => Math.min(30 * 2 ** Math.min(tries, 6), 1800)

/** Ends a task, unless another process did so meanwhile; false then. */
export const end = async (
  tx: Db,
  task: Task,
  of: { state: 'done' | 'failed'; now: number; fault?: WecomFault },
): Promise<boolean> => {
  const [after] = await tx
    .update(wecom_task)
    .set({
      state: of.state,
      tries: task.tries + 1,
      errcode: of.fault?.code ?? 0,
      error: of.fault ? keptWords(of.fault.text) : '',
      done_at: of.now,
      version: task.version + 1,
    })
    .where(
      and(
        eq(wecom_task.id, task.id),
        eq(wecom_task.version, task.version),
        eq(wecom_task.state, 'waiting'),
      ),
    )
    .returning({ id: wecom_task.id })
  if (after && of.state === 'done' && task.customer_id)
    // What was refused before and went through now is no more to be told.
    await tx
      .update(wecom_task)
      .set({ state: 'done' })
      .where(
        and(
          eq(wecom_task.customer_id, task.customer_id),
          eq(wecom_task.kind, task.kind),
          eq(wecom_task.state, 'failed'),
        ),
      )
  return after !== undefined
}
/** A fault: for good where WeCom refuses this one thing, else it is tried again later. */
export const faulted = async (
  database: Database,
  task: Task,
  { fault, now }: { fault: WecomFault; now: number },
): Promise<void> => {
  if (fault.kind === 'refused') {
    await database.transaction(tx => end(tx, task, { state: 'failed', now, fault }))
    return
  }
  await database.db
    .update(wecom_task)
    .set({
      tries: task.tries + 1,
      errcode: fault.code,
      error: keptWords(fault.text),
      next_at: now + againIn(task.tries),
      version: task.version + 1,
    })
    .where(and(eq(wecom_task.id, task.id), eq(wecom_task.version, task.version)))
}
