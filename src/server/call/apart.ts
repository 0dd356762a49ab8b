import type { Call } from '#src/contract/call.ts'
import type { Db, LogEntry, WriteContext } from './implement.ts'
import { logCall, logRefusal } from './oplog.ts'
import { Refusal } from './refuse.ts'

/** A call that is no transaction of its own (`apart`): each of its steps is one. */
export const stepwise = (context: WriteContext) => ({
  db: context.tx,
  transaction: <T>(run: (tx: Db) => Promise<T>): Promise<T> => context.tx.transaction(run),
})
/**
 * A call that asks a channel between its steps is no transaction, so it logs itself: what it did in
 * the transaction of its last step (`keep`), what was refused after it. A second press finds
 * what it is about as the first has left it.
 */
export type Apart = WriteContext & { keep: (tx: Db, entry: LogEntry) => Promise<void> }
export const selfLogged =
  <I, O>(call: Call, run: (input: I, context: Apart) => Promise<O>) =>
  async (input: I, context: WriteContext): Promise<O> => {
    const of = { call, staff: context.staff, ip: context.caller.ip, request_id: context.request_id }
    try {
      return await run(input, { ...context, keep: (tx, entry) => logCall(tx, of, input, [entry]) })
    } catch (error) {
      if (error instanceof Refusal)
        await logRefusal(context.tx, of, input, {
          result: 'refused',
          error: error.in(context.staff.lang),
        })
      throw error
    }
  }
