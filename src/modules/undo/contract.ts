import { z } from 'zod'
import { read, write } from '#src/contract/call.ts'
import { batchResult, id, keyText, listOf, unix } from '#src/contract/shapes.ts'

/** What I did and may still take back; a whole bulk is one. */
const undoable = z.object({
  id,
  /** How many entries it consists of. */
  parts: z.int(),
  /** Head of the idempotency keys it was sent under. */
  bulk: z.string().nullable(),
  /** Method and path of what was done. */
  call: z.string(),
  title: z.string(),
  /** The first thing it changed, and how many. */
  label: z.string(),
  rows: z.int(),
  at: unix,
  until: unix,
})
export type Undoable = z.output<typeof undoable>

export const undo = {
  mine: read('undo/mine', ['可撤销的操作', 'What can be undone'], {
    input: z.object({}),
    output: listOf(undoable),
    touches: ['undo'],
    scope: 'own',
    permit: 'signed-in',
  }),
  /**
   * Logged as what it takes back, by the call that takes it back; repeated it is refused, so no key
   * is needed.
   */
  take: write('undo/take', ['撤销操作', 'Undo'], {
    input: z.object({ id }),
    output: batchResult,
    touches: ['undo'],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
  /**
   * Takes a bulk back, the newest part first and each by itself, as many as one request should:
   * `next` is where the following request goes on (`before`), null at the end. Whatever interrupts
   * that, what is left is still there to be taken back.
   */
  takeBulk: write('undo/takeBulk', ['撤销批量操作', 'Undo a bulk'], {
    input: z.object({ bulk: keyText(255), before: id.optional() }),
    output: z.object({ ...batchResult.shape, next: id.nullable() }),
    touches: ['undo'],
    scope: 'own',
    permit: 'signed-in',
    quiet: true,
  }),
}
