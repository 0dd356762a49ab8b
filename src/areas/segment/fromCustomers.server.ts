import { and, asc, isNotNull, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import { filesWhere } from '#src/areas/wecom/customerFiles.server.ts'
import type { FileFilters } from '#src/areas/wecom/customerFiles.ts'
import { customers } from '#src/areas/wecom/customers.server.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { isAddressed } from './compile.server.ts'
import { ruleOfFilters, type segmentAs } from './customerFilters.ts'
import { fixedSegment, KEPT_MOST, ruledSegment } from './keeping.server.ts'
import type { Segment } from './segmentRows.server.ts'

type Kept = { name: string; as: keyof typeof segmentAs; filters: FileFilters }
/** A fixed list of the members behind the customers that the person sees. */
const fixedList = async (
  context: WriteContext,
  { name, filters }: Omit<Kept, 'as'>,
): Promise<Segment> => {
  const { tx, staff, now } = context
  const t = customers.table
  const people = await tx
    .select({ id: member.id })
    .from(t)
    .innerJoin(member, sql`${member.id} = ${t.member_id}`)
    .where(
      and(
        isNotNull(t.member_id),
        customers.seen(staff),
        filesWhere(filters, now),
        isAddressed,
        members.seen(staff),
      ),
    )
    .orderBy(asc(member.id))
    .limit(KEPT_MOST)
  return fixedSegment(context, {
    name,
    ids: people.map(one => one.id),
    none: [
      '筛选结果里没有已绑定会员的客户，不能存为分群',
      'None of these customers is a member: there is nobody to keep',
    ],
  })
}
/**
 * Keeps the people of a list of customers as a segment: its filters as a rule, or who they are now.
 * Throws 422 where a rule can't say one of the filters, naming it.
 */
export const segmentOfCustomers = async (context: WriteContext, of: Kept): Promise<Segment> => {
  if (of.filters.bound === 'no')
    throw ruled('segment_unbound', [
      '分群由会员组成，“未绑定会员”的客户不能存为分群',
      'Segments are of members: customers without one can’t be kept',
    ])
  if (of.as === 'static') return fixedList(context, of)
  return ruledSegment(context, { name: of.name, ...ruleOfFilters(of.filters) })
}
