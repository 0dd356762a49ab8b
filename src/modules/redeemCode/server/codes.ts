/** Actions on the codes of a batch: they are made, imported, exported, voided. */
import { setImmediate as breath } from 'node:timers/promises'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import {
  generateSome,
  runDone,
  voidSome,
  type Batch,
} from '#src/areas/redeemCode/batches.server.ts'
import { redeem_code } from '#src/areas/redeemCode/redeemCode.table.ts'
import { EXPORT_MOST } from '#src/areas/redeemCode/redeemCode.ts'
import { aesZip, drawPassword } from '#src/areas/secret/aesZip.server.ts'
import { groupedCode } from '#src/areas/secret/secretCode.ts'
import { SLICE, slicesOf, type Slice } from '#src/areas/secret/slices.server.ts'
import type { Handler, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { codeBatches as contract } from '../contract/index.ts'
import { batches, heldFor } from './batchRecord.ts'
import { importCodes } from './importing.ts'
import { begin, mayMake, sealerHere, type Run } from './runs.ts'

type Calls = typeof contract
/** So many codes are opened before other requests are answered again. */
const OPENED = 2000

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
  importCodes,
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
