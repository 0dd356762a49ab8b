/** A file of codes that is being read: a run without a number yet, with the slices that were kept. */
import { randomInt } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import { code_run, code_slice } from './redeemCode.table.ts'

/** Seconds after which nobody reads the file of a draft any more: the server died meanwhile. */
const DRAFT_S = 7200
const isDraft = lt(code_run.run_no, 0)
const sealedAs = (run_id: number, no: number): string => `slice ${run_id} ${no}`

/** Begins a draft of an import. Answers its id, which is the run's in the end. */
export const newDraft = async (
  db: Db,
  of: { batch_id: number; admin_id: number; now: number },
): Promise<number> => {
  const [draft] = await db
    .insert(code_run)
    .values({
      batch_id: of.batch_id,
      admin_id: of.admin_id,
      created_at: of.now,
      kind: 'import',
      qty: 0,
      // Any number below zero that no other draft of the batch has.
      run_no: -randomInt(1, 2 ** 31),
    })
    .returning({ id: code_run.id })
  return draft!.id
}
/** Keeps the lines of a slice encrypted; throws a database fault where the draft is gone. */
export const keepSlice = (
  db: Db,
  sealer: Sealer,
  { run_id, no, text }: { run_id: number; no: number; text: string },
) => db.insert(code_slice).values({ run_id, no, sealed: sealer.seal(text, sealedAs(run_id, no)) })
/** Takes out the lines of a slice, once; undefined where they are gone. */
export const takeSlice = async (
  tx: Db,
  sealer: Sealer,
  { run_id, no }: { run_id: number; no: number },
): Promise<string | undefined> => {
  const [slice] = await tx
    .delete(code_slice)
    .where(and(eq(code_slice.run_id, run_id), eq(code_slice.no, no)))
    .returning()
  return slice && sealer.open(slice.sealed, sealedAs(run_id, no))
}
/** Throws a draft away with its slices; a run that has begun stays. */
export const dropDraft = async (db: Db, id: number): Promise<void> =>
  void (await db.delete(code_run).where(and(eq(code_run.id, id), isDraft)))
/** The same of drafts that a server left when it died. `now` in unix seconds. */
export const dropOldDrafts = async (db: Db, now: number): Promise<void> =>
  void (await db.delete(code_run).where(and(isDraft, lt(code_run.created_at, now - DRAFT_S))))
