import type { BatchResult } from '#src/contract/shapes.ts'
import type { WriteContext } from './implement.ts'
import { Refusal } from './refuse.ts'

/** Each row in a savepoint of its own: one that is refused changes nothing and says why, the others go through. */
export const eachRow = async (context: WriteContext, ids: readonly number[], run: (context: WriteContext, id: number) => Promise<unknown>): Promise<BatchResult> => {
  const result: BatchResult = { ok: [], failed: [] }
  // In one order for everybody, so that two batches can't wait for each other.
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    try {
      await context.tx.transaction(tx => run({ ...context, tx }, id))
      result.ok.push(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      result.failed.push({ id, code: String(error.data.rule ?? error.status), msg: error.in(context.staff.lang) })
    }
  }
  return result
}
