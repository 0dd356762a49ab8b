/** The beginning of each run of a batch: made, imported or voided. */
import { beginRun, type Batch } from '#src/areas/redeemCode/batches.server.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { batches } from './batchRecord.ts'

/** A run of a batch, as its jobs know it. */
export type Run = { batch_id: number; run_no: number }
export const sealerHere = ({ install, tx }: WriteContext): Promise<Sealer> =>
  sealerOf(install.codeKeys, tx)
/** Refuses `n` codes more than the batch has left of what was approved. */
export const mayMake = (batch: Pick<Batch, 'quantity' | 'generated'>, n: number): void => {
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
/** The run, its log row, and the batch's new version. `draft_id`: the run is kept already. */
export const begin = async (
  context: WriteContext,
  was: Batch,
  of: {
    kind: 'generate' | 'import' | 'void'
    qty: number
    reason?: string
    draft_id?: number | undefined
  },
) => {
  const { tx, staff } = context
  const run = await beginRun(tx, {
    batch_id: was.id,
    kind: of.kind,
    qty: of.qty,
    admin_id: staff.id,
    draft_id: of.draft_id,
  })
  const after = await batches.set(context, was, {})
  batches.log(context, was, {
    after: { [of.kind]: of.qty, run_no: run.run_no },
    ...(of.reason && { reason: of.reason }),
  })
  return { run, told: { id: was.id, version: after.version } }
}
