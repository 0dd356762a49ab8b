import { and, desc, eq, sql } from 'drizzle-orm'
import { joined } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { SYNC_EVERY, syncKinds, type SyncKind } from './wecom.ts'
import { wecom_sync } from './wecomWork.table.ts'

export type SyncRun = typeof wecom_sync.$inferSelect
const LOCK = 41_861

/** The last run of a kind, and the last one that came to its end. */
export const lastRuns = async (db: Db, kind: SyncKind) => {
  const of = eq(wecom_sync.kind, kind)
  const latest = (where = of) =>
    db.select().from(wecom_sync).where(where).orderBy(desc(wecom_sync.id)).limit(1)
  const [run] = await latest()
  const [done] = await latest(and(of, eq(wecom_sync.state, 'done')))
  return {
    run: run ?? null,
    done: done ?? null,
    /** When the next one may begin (unix seconds). */
    next_at: run ? run.started_at + SYNC_EVERY : 0,
  }
}

/**
 * Begins a run in the caller's transaction; the clock takes it up. While one is under way it answers
 * that one. Throws 422 within ten minutes of the last.
 */
export const beginSync = async (
  context: WriteContext,
  kind: SyncKind,
): Promise<{ run: SyncRun; joined: boolean }> => {
  const { tx, now, staff } = context
  await tx.execute(
    sql`select pg_advisory_xact_lock(${LOCK}, ${Object.keys(syncKinds).indexOf(kind)})`,
  )
  const { run, next_at } = await lastRuns(tx, kind)
  if (run?.state === 'running') return { run, joined: true }
  if (next_at > now)
    throw ruled(
      'sync_too_soon',
      ['每 10 分钟最多同步一次，{at} 后可再次同步', 'Once in ten minutes: again after {at}'],
      { at: timeFull(next_at).slice(11, 16) },
    )
  const [made] = await tx
    .insert(wecom_sync)
    .values({ kind, asked_by: staff.id, started_at: now, created_at: now })
    .returning()
  context.log({
    object_type: 'wecom_sync',
    object_id: made!.id,
    object_label: joined(syncKinds[kind]),
    after: { kind },
  })
  return { run: made!, joined: false }
}
