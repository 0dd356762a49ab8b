import { z } from 'zod'
import type { Text } from '#src/domain/text.ts'
import { reason, type callsOf } from './record.ts'
import { id, listOf, page, searched, version } from './shapes.ts'

/** What every row of a tree tells of itself. */
export const treeRow = {
  id,
  parent_id: id.nullable(),
  name: z.string(),
  sort: z.int(),
  level: z.int(),
  version,
}
/** A row that another may be moved under or merged into, and what would come of it, in words. */
const treePlace = z.object({ id, full_name: z.string(), effect: z.string() })

/** The calls that every tree has; `view` is its page's right, and the words are what a row is called. */
export const treeCalls = (call: ReturnType<typeof callsOf>, view: string, [zh, en]: Text) => ({
  /** Without an id: where a new row may stand. */
  places: call.read('places', [`可选的${zh}`, `Places for a ${en}`], {
    input: z.object({
      ...page,
      keyword: searched(64).optional(),
      to: z.enum(['under', 'merge']).default('under'),
      id: id.optional(),
    }),
    output: listOf(treePlace),
    permit: view,
    scope: 'all',
  }),
  /** Under `parent_id` (absent: the top) as number `sort` of its children, 0 the first. */
  move: call.changes('move', [`移动${zh}`, `Move a ${en}`], {
    fields: { parent_id: id.optional(), sort: z.int().min(0).max(9999).default(9999) },
  }),
  /** Its children and what hangs on it go to the target; its number leads there from then on. */
  mergeInto: call.changes('mergeInto', [`合并${zh}`, `Merge a ${en}`], {
    fields: { target_id: id, reason },
    answer: { moved: z.int(), children: z.int() },
  }),
  del: call.deletes('del', [`删除${zh}`, `Delete a ${en}`]),
})
