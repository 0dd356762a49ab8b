/** How a file of codes comes in: walked once before the transaction, then done slice by slice. */
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import {
  putCodes,
  reserveCodes,
  runDone,
  type Batch,
} from '#src/areas/redeemCode/batches.server.ts'
import {
  dropDraft,
  dropOldDrafts,
  keepSlice,
  newDraft,
  takeSlice,
} from '#src/areas/redeemCode/drafts.server.ts'
import { filePieces, type FilePiece } from '#src/areas/redeemCode/importFile.server.ts'
import { code_batch, code_run, code_slice } from '#src/areas/redeemCode/redeemCode.table.ts'
import { isCodeLike, normalCode } from '#src/areas/secret/secretCode.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { withAhead, type Kept } from '#src/server/call/ahead.ts'
import type { Db, ReadContext, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { leftOut } from '#src/server/db/faults.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { codeBatches as contract } from '../contract/index.ts'
import { batches, heldFor, mayNow } from './batchRecord.ts'
import { begin, mayMake, sealerHere, type Run } from './runs.ts'

/** Codes of a broken import that go in one transaction. */
const DROP = 20_000

const badFile = (line: number, zh: string, en: string) =>
  ruled(
    'bad_code',
    [`第 {line} 行：${zh}，整个文件未导入`, `Line {line}: ${en}. Nothing was imported`],
    { line },
  )
/** The codes of some lines; refuses one that is none, or is there twice. */
const codesOf = (text: string, at: number): string[] => {
  const seen = new Set<string>()
  text.split('\n').forEach((typed, index) => {
    if (typed.trim() === '') return
    const code = normalCode(typed)
    if (!isCodeLike(code))
      throw badFile(at + index, '不是 4 至 32 位字母与数字', 'not 4 to 32 letters and digits')
    if (seen.has(code)) throw badFile(at + index, '与前面的码重复', 'the code is there before')
    seen.add(code)
  })
  return [...seen]
}
type Importing = Run & { run_id: number }
/** A piece of a file: written where all before it were, and in force with the last. */
const bringIn = async (
  context: WriteContext,
  sealer: Sealer,
  { at, from, n, text, ...of }: FilePiece & Importing,
): Promise<void> => {
  const { tx, now } = context
  const [run] = await tx.select().from(code_run).where(eq(code_run.id, of.run_id)).for('update')
  if (!run || run.done !== from)
    throw ruled('import_broken', [
      '前面的码未能导入，整个文件都没有生效',
      'Codes before these could not be imported: nothing of the file is in force',
    ])
  const codes = codesOf(text, at)
  const { first } = await reserveCodes(tx, of.batch_id, n)
  await putCodes(tx, sealer, { ...of, first, codes, now })
  await runDone(tx, { ...of, n, now })
}
/** Imports that broke off, of any batch: their codes are of no use and stand in the way of others. */
const brokenRuns = (tx: Db) =>
  tx
    .select()
    .from(code_run)
    .where(
      and(
        eq(code_run.kind, 'import'),
        gt(code_run.run_no, 0),
        isNull(code_run.finished_at),
        sql`not exists (select 1 from row_job j where j.call = ${contract.importCodes.path} and (j.same->>'run_id')::int = ${code_run.id} and j.state in ('queued', 'running'))`,
      ),
    )
type Broken = Awaited<ReturnType<typeof brokenRuns>>[number]
type Drop = { line: number; drop: Pick<Broken, 'id' | 'batch_id' | 'run_no'> }
/** What a job does first: drops broken imports, some codes a transaction. */
const dropsOf = (broken: readonly Broken[]): Drop[] =>
  broken
    .flatMap(({ id, batch_id, run_no, done }) =>
      Array.from({ length: Math.floor(done / DROP) + 1 }, () => ({ id, batch_id, run_no })),
    )
    .map((drop, index) => ({ line: index + 1, drop }))
const dropSome = async ({ tx, now }: WriteContext, { id, batch_id, run_no }: Drop['drop']) => {
  const { rowCount } = await tx.execute(
    sql`delete from redeem_code where id in (select c.id from redeem_code c where c.batch_id = ${batch_id} and c.run_no = ${run_no} order by c.seq limit ${DROP})`,
  )
  const n = rowCount ?? 0
  await tx
    .update(code_batch)
    .set({ generated: sql`${code_batch.generated} - ${n}` })
    .where(eq(code_batch.id, batch_id))
  if (n === DROP) return
  await tx.delete(code_slice).where(eq(code_slice.run_id, id))
  await tx.update(code_run).set({ qty: 0, done: 0, finished_at: now }).where(eq(code_run.id, id))
}
/** Where a piece stands in the file; its lines are found again by its number. */
type Piece = Omit<FilePiece, 'text'> & { no: number }
type ImportRow = Drop | (Piece & { line: number })
const importing = defineRowJob(
  contract.importCodes,
  async (context, row: ImportRow, of: Importing) => {
    if ('drop' in row) return dropSome(context, row.drop)
    const sealer = await sealerHere(context)
    const text = await takeSlice(context.tx, sealer, { run_id: of.run_id, no: row.no })
    return bringIn(context, sealer, { ...row, text: text!, ...of })
  },
)

/** The facts of a file that was walked; a file of a single piece is not kept in a draft. */
type Walked = { qty: number; pieces: Piece[]; first?: FilePiece; draft_id?: number }
type Walk = { file: string; of: Parameters<typeof newDraft>[1]; sealer: Sealer; batch: Batch }
/** Begins the draft of a file that was walked to the end of its first piece, and keeps that. */
const draftOf = async (db: Db, { of, sealer }: Walk, first: FilePiece): Promise<number> => {
  const run_id = await newDraft(db, of)
  await keepSlice(db, sealer, { run_id, no: 1, text: first.text })
  return run_id
}
/**
 * Walks over a file once: counts its codes, refuses more than the batch has left, and keeps each
 * slice by a statement of its own. What it found so far stands in `walked`, also when it throws.
 */
const walk = async (db: Db, asked: Walk, walked: Walked): Promise<void> => {
  for (const piece of filePieces(asked.file)) {
    walked.qty += piece.n
    mayMake(asked.batch, walked.qty)
    const { text, ...place } = piece
    const no = walked.pieces.length + 1
    walked.pieces.push({ ...place, no })
    if (!walked.first) {
      walked.first = piece
      continue
    }
    walked.draft_id ??= await draftOf(db, asked, walked.first)
    await keepSlice(db, asked.sealer, { run_id: walked.draft_id, no, text })
  }
}
/** The batch as it will be once the broken imports are dropped. */
const without = (batch: Batch, broken: readonly Broken[]): Batch => ({
  ...batch,
  generated: broken
    .filter(run => run.batch_id === batch.id)
    .reduce((left, run) => left - run.done, batch.generated),
})
type Given = { id: number; version: number; secret_file: string }
/** The walk ahead of the transaction; a batch that is refused in any case is not walked for. */
const keepFile = async (
  { secret_file, id, version }: Given,
  { db, staff, now, install }: ReadContext,
): Promise<Kept<Walked> | undefined> => {
  const batch = await batches.read(db, staff, id)
  if (batch.version !== version || mayNow(batch, 'import', staff.id) !== true) return undefined
  await dropOldDrafts(db, now)
  const kept: Walked = { qty: 0, pieces: [] }
  const drop = async () => kept.draft_id && dropDraft(db, kept.draft_id)
  try {
    await walk(
      db,
      {
        file: secret_file,
        of: { batch_id: id, admin_id: staff.id, now },
        sealer: await sealerOf(install.codeKeys, db),
        batch: without(batch, await brokenRuns(db)),
      },
      kept,
    )
  } catch (error) {
    await drop().catch(leftOut)
    throw error
  }
  return { kept, drop: async () => void (await drop()) }
}

export const importCodes = withAhead(
  keepFile,
  async ({ secret_file, ...one }: Given, context, kept) => {
    const was = await heldFor(context, 'import', one)
    const { tx } = context
    const broken = await brokenRuns(tx)
    const sealer = await sealerHere(context)
    const batch = without(was, broken)
    const of = { batch_id: was.id, admin_id: context.staff.id, now: context.now }
    const asked = { file: secret_file, of, sealer, batch }
    const walked: Walked = kept ?? { qty: 0, pieces: [] }
    if (!kept) await walk(tx, asked, walked)
    const { qty, first, pieces } = walked
    if (!first) throw badFile(1, '文件里没有码', 'no code in it')
    mayMake(batch, qty)
    const drops = dropsOf(broken)
    const small = first.n === qty && drops.length <= 1
    const draft_id = small ? undefined : (walked.draft_id ?? (await draftOf(tx, asked, first)))
    const { run, told } = await begin(context, was, { kind: 'import', qty, draft_id })
    const same = { batch_id: was.id, run_no: run.run_no, run_id: run.id }
    if (small) {
      for (const { drop } of drops) await dropSome(context, drop)
      await bringIn(context, sealer, { ...first, ...same })
      return { ...told, done: qty, job_id: null }
    }
    const rows: ImportRow[] = [
      ...drops,
      ...pieces.map(piece => ({ ...piece, line: drops.length + piece.no })),
    ]
    const { job_id } = await startRowJob(context, importing, { rows, same })
    return { ...told, done: 0, job_id }
  },
)

// A server that dies while it reads a file leaves a draft.
defineTimer('redeemCode.drafts', '35 * * * *', async ({ database, now }) => {
  await dropOldDrafts(database.db, now)
  return []
})
