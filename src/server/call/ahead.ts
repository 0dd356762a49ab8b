import { leftOut } from '#src/server/db/faults.ts'
import type { ReadContext, WriteContext } from './implement.ts'

/** What a write keeps before its transaction, and what throws it away when the call comes to nothing. */
export type Kept<A> = { kept: A; drop: () => Promise<void> }
/**
 * Long work on an input, such as a walk over a file: it runs outside of any transaction and keeps
 * what it finds by short statements of its own. Undefined: there is nothing to keep. Nobody has
 * looked at the scope yet, so it changes no row that others see.
 */
type Ahead<I, A> = (input: I, context: ReadContext) => Promise<Kept<A> | undefined>
type AnyAhead = Ahead<unknown, unknown>
const known = new WeakMap<object, AnyAhead>()

/**
 * A handler with work ahead of its transaction. It gets what was kept; undefined where nothing was,
 * or where another's transaction runs the handler.
 */
export const withAhead = <I, A, R>(
  ahead: Ahead<I, A>,
  run: (input: I, context: WriteContext, kept: A | undefined) => Promise<R>,
) => {
  const handler = (input: I, context: WriteContext): Promise<R> =>
    run(input, context, context.ahead as A | undefined)
  // The pipeline gives each handler the input of its own call.
  known.set(handler, ahead as AnyAhead)
  return handler
}
export const aheadOf = (handler: object): AnyAhead | undefined => known.get(handler)

/**
 * Runs a transaction after the work ahead of it. What was kept is dropped where the transaction
 * fails, and where it only repeats an answer.
 */
export const afterAhead = async <T extends { again: boolean }>(
  ahead: () => Promise<Kept<unknown> | undefined>,
  run: (kept: unknown) => Promise<T>,
): Promise<T> => {
  const work = await ahead()
  let used = false
  try {
    const done = await run(work?.kept)
    used = !done.again
    return done
  } finally {
    // What stays here is found later by its age.
    if (!used) await work?.drop().catch(leftOut)
  }
}
