/** What is done with the codes of a batch: made, imported, exported, voided. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import {
  beginRun,
  generateSome,
  putCodes,
  reserveCodes,
  runDone,
  slicesOf,
  voidSome,
  type Batch,
  type Slice,
} from '#src/areas/redeemCode/batches.server.ts'
import {
  code_batch,
  code_run,
  code_slice,
  redeem_code,
} from '#src/areas/redeemCode/redeemCode.table.ts'
import { EXPORT_MOST, SLICE } from '#src/areas/redeemCode/redeemCode.ts'
import { aesZip, drawPassword } from '#src/areas/secret/aesZip.server.ts'
import { groupedCode, isCodeLike, normalCode } from '#src/areas/secret/secretCode.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import type { Handler, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { codeBatches as contract } from '../contract/index.ts'
import { batches, heldFor } from './batchRecord.ts'

type Calls = typeof contract
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
type Importing = Run & { run_id: number; of: number }
/** A slice of a file: written where all before it were, and in force with the last. */
const importSlice = async (
  context: WriteContext,
  sealer: Sealer,
  { line, n, from }: Slice,
  of: Importing,
): Promise<void> => {
  const { tx, now } = context
  const [run] = await tx.select().from(code_run).where(eq(code_run.id, of.run_id)).for('update')
  if (!run || run.done !== from)
    throw ruled('import_broken', [
      '前面的码未能导入，整个文件都没有生效',
      'Codes before these could not be imported: nothing of the file is in force',
    ])
  const [slice] = await tx
    .delete(code_slice)
    .where(and(eq(code_slice.run_id, of.run_id), eq(code_slice.no, line)))
    .returning()
  const codes = sealer.open(slice!.sealed, sealedSlice(of.run_id, line)).split('\n')
  const { first } = await reserveCodes(tx, of.batch_id, n)
  await putCodes(tx, sealer, { ...of, first, codes, now })
  await runDone(tx, { ...of, n, now })
}
const importing = defineRowJob(contract.importCodes, async (context, slice: Slice, of: Importing) =>
  importSlice(context, await sealerHere(context), slice, of),
)
/** An import that broke off is of no use: its codes make room for the next. */
const dropBroken = async ({ tx }: WriteContext, batch_id: number): Promise<void> => {
  const broken = await tx
    .select()
    .from(code_run)
    .where(
      and(
        eq(code_run.batch_id, batch_id),
        eq(code_run.kind, 'import'),
        isNull(code_run.finished_at),
        sql`not exists (select 1 from row_job j where j.call = ${contract.importCodes.path} and (j.same->>'run_id')::int = ${code_run.id} and j.state in ('queued', 'running'))`,
      ),
    )
  for (const run of broken) {
    const { rowCount } = await tx
      .delete(redeem_code)
      .where(and(eq(redeem_code.batch_id, batch_id), eq(redeem_code.run_no, run.run_no)))
    await tx
      .update(code_batch)
      .set({ generated: sql`${code_batch.generated} - ${rowCount ?? 0}` })
      .where(eq(code_batch.id, batch_id))
    await tx.delete(code_slice).where(eq(code_slice.run_id, run.id))
    await tx
      .update(code_run)
      .set({ qty: 0, done: 0, finished_at: 0 })
      .where(eq(code_run.id, run.id))
  }
}
const badFile = (line: number, zh: string, en: string) =>
  ruled(
    'bad_code',
    [`第 {line} 行：${zh}，整个文件未导入`, `Line {line}: ${en}. Nothing was imported`],
    { line },
  )
/** The codes of a text file, one a line; refuses the whole of it for one that is none, or is there twice. */
const codesOfFile = (file: string): string[] => {
  const seen = new Set<string>()
  const lines = Buffer.from(file, 'base64')
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
  lines.forEach((typed, at) => {
    if (typed.trim() === '') return
    const code = normalCode(typed)
    if (!isCodeLike(code))
      throw badFile(at + 1, '不是 4 至 32 位字母与数字', 'not 4 to 32 letters and digits')
    if (seen.has(code)) throw badFile(at + 1, '与前面的码重复', 'the code is there before')
    seen.add(code)
  })
  return [...seen]
}
const mayMake = (batch: Batch, n: number) => {
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
    const codes = codesOfFile(secret_file)
    if (codes.length === 0) throw badFile(1, '文件里没有码', 'no code in it')
    await dropBroken(context, was.id)
    mayMake(await batches.read(context.tx, context.staff, was.id), codes.length)
    const sealer = await sealerHere(context)
    const { run, told } = await begin(context, was, { kind: 'import', qty: codes.length })
    const same = { batch_id: was.id, run_no: run.run_no, run_id: run.id, of: codes.length }
    const slices = slicesOf(codes.length)
    for (const { line, from, n } of slices)
      await context.tx.insert(code_slice).values({
        run_id: run.id,
        no: line,
        sealed: sealer.seal(codes.slice(from, from + n).join('\n'), sealedSlice(run.id, line)),
      })
    if (slices.length === 1) {
      await importSlice(context, sealer, slices[0]!, same)
      return { ...told, done: codes.length, job_id: null }
    }
    const { job_id } = await startRowJob(context, importing, { rows: slices, same })
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
    const lines = rows.map(row => `${row.seq},${groupedCode(sealer.open(row.sealed, row.hash))}`)
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
