/** What is done with the codes of a batch: made, imported, exported, voided. */
import { setImmediate as breath } from 'node:timers/promises'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import {
  beginRun,
  generateSome,
  putCodes,
  reserveCodes,
  runDone,
  voidSome,
  type Batch,
} from '#src/areas/redeemCode/batches.server.ts'
import { filePieces, type FilePiece } from '#src/areas/redeemCode/importFile.server.ts'
import {
  code_batch,
  code_run,
  code_slice,
  redeem_code,
} from '#src/areas/redeemCode/redeemCode.table.ts'
import { EXPORT_MOST } from '#src/areas/redeemCode/redeemCode.ts'
import { aesZip, drawPassword } from '#src/areas/secret/aesZip.server.ts'
import { groupedCode, isCodeLike, normalCode } from '#src/areas/secret/secretCode.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { SLICE, slicesOf, type Slice } from '#src/areas/secret/slices.server.ts'
import type { Db, Handler, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { codeBatches as contract } from '../contract/index.ts'
import { batches, heldFor } from './batchRecord.ts'

type Calls = typeof contract
/** Codes of a broken import that go in one transaction. */
const DROP = 20_000
/** Codes that are opened before others are answered again. */
const OPENED = 2000
type Run = { batch_id: number; run_no: number }
const sealerHere = ({ install, tx }: WriteContext) => sealerOf(install.codeKeys, tx)

const generating = defineRowJob(contract.generate, async (context, { n }: Slice, run: Run) =>
  generateSome(context.tx, await sealerHere(context), { ...run, n, now: context.now }),
)
type Voiding = Run & { first: number; reason: string }
const voidSlice = async (
  context: WriteContext,
  { from, n }: Slice,
  of: Voiding,
): Promise<number> => {
  const { tx, staff, now } = context
  const voided = await voidSome(tx, {
    ...of,
    from: of.first - 1 + from,
    n,
    admin_id: staff.id,
    now,
  })
  await runDone(tx, { ...of, n, now })
  return voided
}
const voiding = defineRowJob(contract.voidCodes, voidSlice)

const sealedSlice = (run_id: number, no: number) => `slice ${run_id} ${no}`
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
/** Codes of a whole file, which is walked over before anything of it is kept. */
const countOf = (file: string): number => {
  let codes = 0
  for (const { n } of filePieces(file)) codes += n
  return codes
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
/** A piece of the file is found again by its number. */
type ImportRow = Drop | (Omit<FilePiece, 'text'> & { line: number; no: number })
const importing = defineRowJob(
  contract.importCodes,
  async (context, row: ImportRow, of: Importing) => {
    if ('drop' in row) return dropSome(context, row.drop)
    const sealer = await sealerHere(context)
    const [slice] = await context.tx
      .delete(code_slice)
      .where(and(eq(code_slice.run_id, of.run_id), eq(code_slice.no, row.no)))
      .returning()
    const text = sealer.open(slice!.sealed, sealedSlice(of.run_id, row.no))
    return bringIn(context, sealer, { ...row, text, ...of })
  },
)
const mayMake = (batch: Pick<Batch, 'quantity' | 'generated'>, n: number) => {
  const left = batch.quantity - batch.generated
  if (n > left)
    throw ruled(
      'beyond_quantity',
      [
        '最多还能生成或导入 {left} 个，已批准 {all} 个',
        'At most {left} more of the {all} approved',
      ],
      { left, all: batch.quantity },
    )
}
/** The run, its log row, and the batch's new version. */
const begin = async (
  context: WriteContext,
  was: Batch,
  of: { kind: 'generate' | 'import' | 'void'; qty: number; reason?: string },
) => {
  const { tx, staff } = context
  const run = await beginRun(tx, {
    batch_id: was.id,
    kind: of.kind,
    qty: of.qty,
    admin_id: staff.id,
  })
  const after = await batches.set(context, was, {})
  batches.log(context, was, {
    after: { [of.kind]: of.qty, run_no: run.run_no },
    ...(of.reason && { reason: of.reason }),
  })
  return { run, told: { id: was.id, version: after.version } }
}
const exportPlaces = (
  { id }: Batch,
  { from, to }: { from?: number | undefined; to?: number | undefined },
) =>
  and(
    eq(redeem_code.batch_id, id),
    eq(redeem_code.state, 'unused'),
    from === undefined && to === undefined ? isNull(redeem_code.exported_at) : undefined,
    from === undefined ? undefined : sql`${redeem_code.seq} >= ${from}`,
    to === undefined ? undefined : sql`${redeem_code.seq} <= ${to}`,
  )

export const codeHandlers = {
  generate: async ({ qty, ...one }, context) => {
    const was = await heldFor(context, 'generate', one)
    mayMake(was, qty)
    const sealer = await sealerHere(context)
    const { run, told } = await begin(context, was, { kind: 'generate', qty })
    const of = { batch_id: was.id, run_no: run.run_no }
    if (qty <= SLICE) {
      await generateSome(context.tx, sealer, { ...of, n: qty, now: context.now })
      return { ...told, done: qty, job_id: null }
    }
    const { job_id } = await startRowJob(context, generating, { rows: slicesOf(qty), same: of })
    return { ...told, done: 0, job_id }
  },
  importCodes: async ({ secret_file, ...one }, context) => {
    const was = await heldFor(context, 'import', one)
    const qty = countOf(secret_file)
    if (qty === 0) throw badFile(1, '文件里没有码', 'no code in it')
    const broken = await brokenRuns(context.tx)
    const lost = broken
      .filter(run => run.batch_id === was.id)
      .reduce((sum, run) => sum + run.done, 0)
    mayMake({ ...was, generated: was.generated - lost }, qty)
    const sealer = await sealerHere(context)
    const { run, told } = await begin(context, was, { kind: 'import', qty })
    const same = { batch_id: was.id, run_no: run.run_no, run_id: run.id }
    const drops = dropsOf(broken)
    const [first] = filePieces(secret_file)
    if (first?.n === qty && drops.length <= 1) {
      for (const { drop } of drops) await dropSome(context, drop)
      await bringIn(context, sealer, { ...first, ...same })
      return { ...told, done: qty, job_id: null }
    }
    const rows: ImportRow[] = [...drops]
    let no = 0
    for (const { text, ...piece } of filePieces(secret_file)) {
      await context.tx
        .insert(code_slice)
        .values({ run_id: run.id, no: ++no, sealed: sealer.seal(text, sealedSlice(run.id, no)) })
      rows.push({ ...piece, no, line: drops.length + no })
    }
    const { job_id } = await startRowJob(context, importing, { rows, same })
    return { ...told, done: 0, job_id }
  },
  voidCodes: async ({ from, to, reason, ...one }, context) => {
    const was = await heldFor(context, 'void', one)
    const last = Math.min(to, was.last_seq)
    if (from > last)
      throw ruled(
        'no_range',
        ['该范围内没有兑换码，共 {n} 个', 'No code in that range: there are {n}'],
        {
          n: was.last_seq,
        },
      )
    const qty = last - from + 1
    const { run, told } = await begin(context, was, { kind: 'void', qty, reason })
    const of = { batch_id: was.id, run_no: run.run_no, first: from, reason }
    const slices = slicesOf(qty)
    if (slices.length === 1)
      return { ...told, done: await voidSlice(context, slices[0]!, of), job_id: null }
    const { job_id } = await startRowJob(context, voiding, { rows: slices, same: of })
    return { ...told, done: 0, job_id }
  },
  download: async ({ from, to, ...one }, context) => {
    const { tx, now } = context
    const was = await heldFor(context, 'download', one)
    const sealer = await sealerHere(context)
    const places = exportPlaces(was, { from, to })
    const rows = await tx
      .select({
        id: redeem_code.id,
        seq: redeem_code.seq,
        hash: redeem_code.code_hash,
        sealed: redeem_code.code_sealed,
        exported_at: redeem_code.exported_at,
      })
      .from(redeem_code)
      .where(places)
      .orderBy(asc(redeem_code.seq))
      .limit(EXPORT_MOST)
    if (rows.length === 0)
      throw ruled('nothing_to_export', [
        '没有尚未导出的未使用兑换码；重新导出请填写序号范围',
        'No unused code is left to export: name a range to export some again',
      ])
    const lines: string[] = []
    for (const row of rows) {
      lines.push(`${row.seq},${groupedCode(sealer.open(row.sealed, row.hash))}`)
      if (lines.length % OPENED === 0) await breath()
    }
    const secret_password = drawPassword()
    const name = `codes-${was.id}-${rows[0]!.seq}-${rows.at(-1)!.seq}`
    const file = await aesZip(
      `${name}.csv`,
      `seq,code\r\n${lines.join('\r\n')}\r\n`,
      secret_password,
    )
    const fresh = rows.filter(row => row.exported_at === null).length
    await tx
      .update(redeem_code)
      .set({ exported_at: now })
      .where(and(places, sql`${redeem_code.seq} <= ${rows.at(-1)!.seq}`))
    const after = await batches.set(context, was, { exported: was.exported + fresh })
    batches.log(context, was, {
      after: { exported_from: rows[0]!.seq, exported_to: rows.at(-1)!.seq, exported: rows.length },
    })
    const left = await tx.$count(redeem_code, exportPlaces(was, {}))
    const secret_file = file.toString('base64')
    return {
      id: was.id,
      version: after.version,
      rows: rows.length,
      left,
      name: `${name}.zip`,
      secret_file,
      secret_password,
    }
  },
} satisfies { [K in 'generate' | 'importCodes' | 'voidCodes' | 'download']: Handler<Calls[K]> }
