import { and, arrayContains, eq, isNull } from 'drizzle-orm'
import { members, type Member } from '#src/areas/member/members.server.ts'
import { member_merge } from '#src/areas/member/merge.table.ts'
import { unmergeMay } from '#src/areas/member/merge.ts'
import { unmergeMember } from '#src/areas/member/unmerging.server.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { undoMerge } from './deciding.server.ts'
import { customer_dup } from './dedup.table.ts'

/**
 * Takes back the merge by which a member went into another. Where a case of duplicates decided it,
 * the case takes back all that it merged and waits again (`undoMerge`). Throws 422 where nothing was
 * merged, and for what keeps a merge (`unmergeMember`).
 */
export const undoMergeOf = async (
  context: WriteContext,
  one: { id: number; version: number },
  reason: string,
): Promise<Member> => {
  const { tx, staff, now } = context
  const gone = await members.held(context, one)
  const [merge] = await tx
    .select({
      id: member_merge.id,
      to_id: member_merge.to_id,
      merged_at: member_merge.merged_at,
    })
    .from(member_merge)
    .where(and(eq(member_merge.from_id, gone.id), isNull(member_merge.undone_at)))
  const may = unmergeMay(merge ?? { merged_at: null }, now)
  if (may !== true) throw ruled('wrong_state', may)
  const { id: merge_id, to_id } = merge!
  const [dup] = await tx
    .select({ id: customer_dup.id, version: customer_dup.version })
    .from(customer_dup)
    .where(
      and(
        arrayContains(customer_dup.member_ids, [to_id]),
        arrayContains(customer_dup.merge_ids, [merge_id]),
      ),
    )
  if (!dup) return unmergeMember(context, merge_id, reason)
  await undoMerge(context, dup, reason)
  return members.read(tx, staff, gone.id)
}
