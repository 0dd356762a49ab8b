import { NO_TIME, type BatchResult } from '#src/contract/shapes.ts'
import type { WriteContext } from './implement.ts'
import { Refusal, ruled } from './refuse.ts'

/**
 * The rows share one transaction, which is given up after five seconds: no further row is begun
 * after so many milliseconds.
 */
const BUDGET_MS = 3500
/** A row that was tried: `error` where it was refused. */
type Tried<One> = { one: One; error?: Refusal }
const noTime = () =>
  ruled(NO_TIME, [
    '系统繁忙，这一行还没有处理，请对未完成的再执行一次',
    'The system is busy and this row was not dealt with: do it again for what is left',
  ])
/**
 * Each row in a savepoint of its own: one that is refused changes nothing and says why, the others
 * go through. What there was no time for is told as not done, and takes nothing with it.
 */
export const tryRows = async <One extends { id: number }>(
  context: WriteContext,
  rows: readonly One[],
  run: (context: WriteContext, one: One) => Promise<unknown>,
): Promise<Tried<One>[]> => {
  const tried: Tried<One>[] = []
  const until = performance.now() + BUDGET_MS
  // In one order for everybody, so that two batches can't wait for each other.
  for (const [at, one] of rows.toSorted((a, b) => a.id - b.id).entries()) {
    if (at > 0 && performance.now() > until) {
      tried.push({ one, error: noTime() })
      continue
    }
    try {
      await context.tx.transaction(tx => run({ ...context, tx }, one))
      tried.push({ one })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      context.log({
        object_type: '',
        object_id: one.id,
        object_label: '',
        result: 'refused',
        error: error.in(context.staff.lang),
      })
      tried.push({ one, error })
    }
  }
  return tried
}
/** The same of rows that are named by their ids alone. */
export const eachRow = async (
  context: WriteContext,
  ids: readonly number[],
  run: (context: WriteContext, id: number) => Promise<unknown>,
): Promise<BatchResult> => {
  const rows = [...new Set(ids)].map(id => ({ id }))
  const tried = await tryRows(context, rows, (inside, { id }) => run(inside, id))
  return {
    ok: tried.flatMap(({ one, error }) => (error ? [] : [one.id])),
    failed: tried.flatMap(({ one, error }) =>
      error
        ? [
            {
              id: one.id,
              code: String(error.data['rule'] ?? error.status),
              msg: error.in(context.staff.lang),
            },
          ]
        : [],
    ),
  }
}
