import { and, asc } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { memberLists, type MemberFilters } from '#src/areas/member/members.server.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { isAddressed } from './compile.server.ts'
import type { segmentAs } from './customerFilters.ts'
import { fixedSegment, KEPT_MOST, ruledSegment } from './keeping.server.ts'
import { ruleOfMembers } from './memberFilters.server.ts'
import type { Segment } from './segmentRows.server.ts'

type Kept = { name: string; as: keyof typeof segmentAs; filters: MemberFilters }
/** A fixed list of the members that the person sees by some filters and that may be addressed. */
const fixedList = async (
  context: WriteContext,
  { name, filters }: Omit<Kept, 'as'>,
): Promise<Segment> => {
  const { tx, staff, now } = context
  const people = await tx
    .select({ id: member.id })
    .from(member)
    .where(and(memberLists.id.where(filters, { staff, now }), isAddressed))
    .orderBy(asc(member.id))
    .limit(KEPT_MOST)
  return fixedSegment(context, {
    name,
    ids: people.map(one => one.id),
    none: [
      '筛选结果里没有可触达的会员（正常或禁言），不能存为分群',
      'None of these members may be addressed: there is nobody to keep',
    ],
  })
}
/**
 * Keeps the members of a list as a segment: its filters as a rule, or who they are now. Throws 422
 * where nothing is filtered, or a rule can't say one of the filters, naming it.
 */
export const segmentOfMembers = async (context: WriteContext, of: Kept): Promise<Segment> => {
  if (Object.values(of.filters).every(value => value === undefined))
    throw ruled('segment_everybody', [
      '没有筛选条件，即全部会员：请先筛选，或到「客户分群」新建',
      'Nothing is filtered, so it is everybody: filter first, or make a segment of all',
    ])
  if (of.as === 'static') return fixedList(context, of)
  return ruledSegment(context, { name: of.name, ...ruleOfMembers(of.filters) })
}
