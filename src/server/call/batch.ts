import { NO_TIME, type BatchResult } from '#src/contract/shapes.ts'
import { say } from '#src/domain/text.ts'
import type { WriteContext } from './implement.ts'
import { Refusal } from './refuse.ts'

/**
 * The rows share one transaction, which is given up after five seconds: no further row is begun
 * after so many milliseconds.
 */
const BUDGET_MS = 3500
/**
 * Each row in a savepoint of its own: one that is refused changes nothing and says why, the others
 * go through. What there was no time for is told as not done, and takes nothing with it.
 */
export const eachRow = async (
  context: WriteContext,
  ids: readonly number[],
  run: (context: WriteContext, id: number) => Promise<unknown>,
): Promise<BatchResult> => {
  const result: BatchResult = { ok: [], failed: [] }
  const until = performance.now() + BUDGET_MS
  // In one order for everybody, so that two batches can't wait for each other.
  for (const [at, id] of [...new Set(ids)].sort((a, b) => a - b).entries()) {
    if (at > 0 && performance.now() > until) {
      result.failed.push({
        id,
        code: NO_TIME,
        msg: say(
          [
            '系统繁忙，这一行还没有处理，请对未完成的再执行一次',
            'The system is busy and this row was not dealt with: do it again for what is left',
          ],
          context.staff.lang,
        ),
      })
      continue
    }
    try {
      await context.tx.transaction(tx => run({ ...context, tx }, id))
      result.ok.push(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const why = error.in(context.staff.lang)
      context.log({
        object_type: '',
        object_id: id,
        object_label: '',
        result: 'refused',
        error: why,
      })
      result.failed.push({
        id,
        code: String(error.data.rule ?? error.status),
        msg: why,
      })
    }
  }
  return result
}
