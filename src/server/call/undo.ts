/**
 * Taking back what a call did (`undo` of its contract). The pipeline keeps the inverse in the
 * transaction of the change itself, so that it is there after a reload and on another machine, and
 * never for a change that was rolled back. It is carried out once, by the inverse's own handler,
 * rights and rules, and logged as the inverse's own work. Entries whose window ended are of no use
 * and are dropped.
 */
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { undo_entry } from '#src/areas/workbench/undo.table.ts'
import type { Call, Write } from '#src/contract/call.ts'
import type { BatchResult } from '#src/contract/shapes.ts'
import { reasonsText } from '#src/domain/count.ts'
import { keptAsSaid, type Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Db, LogEntry, Staff, WriteContext } from './implement.ts'
import { logCall } from './oplog.ts'
import { forbidden, missing, Refusal, ruled } from './refuse.ts'

type Handler = (input: unknown, context: WriteContext) => Promise<unknown>
const known = new Map<string, { call: Call; handler: Handler }>()
const nameOf = (call: Pick<Call, 'method' | 'path'>) => `${call.method} ${call.path}`
/** Every call is told of once, when it is made ready to run. */
export const noteHandler = (call: Call, handler: Handler): void =>
  void known.set(nameOf(call), { call, handler })
/** What was done is called; undefined for a call that is no more. */
export const doneTitle = (entry: { call: string }): Text | undefined =>
  known.get(entry.call)?.call.title

const isBatch = (data: unknown): data is BatchResult =>
  Array.isArray((data as BatchResult | null)?.ok) && Array.isArray((data as BatchResult).failed)
/** Parts of one bulk are sent under `<bulk>.<part>`. */
const bulkOf = (key: string | undefined) =>
  key?.includes('.') ? key.slice(0, key.lastIndexOf('.')) : null

/** Keeps what takes the call back, where it can be taken back. */
export const keepUndo = async (
  tx: Db,
  of: { call: Write; staff: Staff; now: number; key: string | undefined },
  { input, data }: { input: unknown; data: unknown },
  entries: readonly LogEntry[],
): Promise<boolean> => {
  const undo = of.call.undo
  const back = undo?.input(data, input)
  if (!undo || !back) return false
  const done = entries.filter(entry => (entry.result ?? 'ok') === 'ok')
  await tx.insert(undo_entry).values({
    admin_id: of.staff.id,
    call: nameOf(of.call),
    inverse: nameOf(undo.call()),
    input: back,
    bulk: bulkOf(of.key),
    until: of.now + undo.seconds,
    created_at: of.now,
    label: keptAsSaid(done[0]?.object_label ?? '', 60),
    rows: isBatch(data) ? data.ok.length : Math.max(1, done.length),
  })
  return true
}

/**
 * Takes one change of mine back. Of any number who ask at once one does; the others are told that
 * it was.
 */
export const takeBack = async (context: WriteContext, id: number): Promise<BatchResult> => {
  const { tx, staff, now } = context
  const [entry] = await tx
    .update(undo_entry)
    .set({ state: 'undone', undone_at: now })
    .where(
      and(
        eq(undo_entry.id, id),
        eq(undo_entry.admin_id, staff.id),
        eq(undo_entry.state, 'kept'),
        gte(undo_entry.until, now),
      ),
    )
    .returning()
  if (!entry) {
    const [there] = await tx
      .select()
      .from(undo_entry)
      .where(and(eq(undo_entry.id, id), eq(undo_entry.admin_id, staff.id)))
    if (!there) throw missing()
    if (there.state === 'undone')
      throw ruled(
        'undone_already',
        ['你已于 {when} 撤销了这次操作', 'You took this back at {when}'],
        { when: timeFull(there.undone_at!) },
      )
    throw ruled('too_late', ['已过撤销时限（{when}）', 'It could be taken back until {when}'], {
      when: timeFull(there.until),
    })
  }
  const inverse = known.get(entry.inverse)
  const parsed = inverse?.call.input.safeParse(entry.input)
  if (!inverse || !parsed?.success)
    throw ruled('not_undoable', [
      '系统升级后不能再撤销这次操作',
      'After an upgrade this can’t be taken back any more',
    ])
  if (!staff.can(inverse.call.permit)) throw forbidden()
  const entries: LogEntry[] = []
  const data = await inverse.handler(parsed.data, {
    ...context,
    log: line => void entries.push(line),
  })
  context.changed(...inverse.call.touches)
  const batch = isBatch(data) ? data : undefined
  // Nothing of it could be taken back: it stays kept, and the person hears why.
  if (batch && batch.ok.length === 0 && batch.failed.length > 0) {
    const why: Text = [reasonsText(batch.failed, 'zh'), reasonsText(batch.failed, 'en')]
    throw ruled(batch.failed[0]!.code, why, {}, { failed: batch.failed })
  }
  await logCall(
    tx,
    { call: inverse.call, staff, ip: context.caller.ip, request_id: context.request_id },
    parsed.data,
    entries,
  )
  return {
    ok: batch?.ok ?? entries.flatMap(line => line.object_id || []),
    failed: batch?.failed ?? [],
  }
}

/**
 * Rows that one request takes back, about: some seconds' work, so that whoever waits sees it go on.
 */
const ROWS_AT_ONCE = 200
/**
 * Takes the parts of a bulk back that are older than `before`, the newest first. A part that can't
 * be stays as it is, and is told of.
 */
export const takeBulkBack = async (
  context: WriteContext,
  of: { bulk: string; before?: number | undefined },
): Promise<BatchResult & { next: number | null }> => {
  const { staff, now } = context
  const parts = await context.tx
    .select({ id: undo_entry.id, rows: undo_entry.rows })
    .from(undo_entry)
    .where(
      and(
        eq(undo_entry.admin_id, staff.id),
        eq(undo_entry.bulk, of.bulk),
        eq(undo_entry.state, 'kept'),
        gte(undo_entry.until, now),
        of.before === undefined ? undefined : lt(undo_entry.id, of.before),
      ),
    )
    .orderBy(desc(undo_entry.id))
  const done: BatchResult = { ok: [], failed: [] }
  let [rows, at] = [0, 0]
  while (at < parts.length && rows < ROWS_AT_ONCE) {
    const part = parts[at++]!
    rows += part.rows
    try {
      const back = await context.tx.transaction(tx => takeBack({ ...context, tx }, part.id))
      done.ok.push(...back.ok)
      done.failed.push(...back.failed)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      done.failed.push(
        ...((error.data['failed'] as BatchResult['failed'] | undefined) ?? [
          { id: part.id, code: String(error.data.rule ?? error.status), msg: error.in(staff.lang) },
        ]),
      )
    }
  }
  return { ...done, next: at < parts.length ? parts[at - 1]!.id : null }
}

export const dropOldUndos = (db: Db, now: number) =>
  db.delete(undo_entry).where(lt(undo_entry.until, now - DAY))
