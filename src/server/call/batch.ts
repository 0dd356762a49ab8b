import { NO_TIME, type BatchResult } from '#src/contract/shapes.ts'
import type { Staff, WriteContext } from './implement.ts'
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
/** Puts into the operation log that a row of a batch was refused. */
export const logRefused = (context: WriteContext, id: number, error: Refusal): void =>
  context.log({
    object_type: '',
    object_id: id,
    object_label: '',
    result: 'refused',
    error: error.in(context.staff.lang),
  })
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
      logRefused(context, one.id, error)
      tried.push({ one, error })
    }
  }
  return tried
}
/** What a batch answers of a row that was refused. */
export const failedRow = (
  id: number,
  error: Refusal,
  { lang }: Pick<Staff, 'lang'>,
): BatchResult['failed'][number] => ({
  id,
  code: String(error.data['rule'] ?? error.status),
  msg: error.in(lang),
})
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
      error ? [failedRow(one.id, error, context.staff)] : [],
    ),
  }
}
