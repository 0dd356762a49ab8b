import { and, asc, isNotNull, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import { filesWhere } from '#src/areas/wecom/customerFiles.server.ts'
import type { FileFilters } from '#src/areas/wecom/customerFiles.ts'
import { customers } from '#src/areas/wecom/customers.server.ts'
import { say } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import { isAddressed } from './compile.server.ts'
import { ruleOfFilters, type segmentAs } from './customerFilters.ts'
import { segment_person } from './segment.table.ts'
import { GRANT_MOST } from './segment.ts'
import { segments, type Segment } from './segmentRows.server.ts'
import { createSegment } from './segments.server.ts'

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
    .limit(GRANT_MOST + 1)
  if (people.length === 0)
    throw ruled('segment_nobody', [
      '筛选结果里没有已绑定会员的客户，不能存为分群',
      'None of these customers is a member: there is nobody to keep',
    ])
  if (people.length > GRANT_MOST)
    throw ruled(
      'segment_most',
      [
        '静态名单最多 {n} 人，请缩小筛选范围或存为规则分群',
        'A fixed list has {n} people at most: narrow the filters, or keep a rule',
      ],
      { n: GRANT_MOST },
    )
  const made = await unlessTaken(
    segments.add(context, {
      name,
      kind: 'static',
      status: 'ready',
      gen: 1,
      owner_id: staff.id,
      customer_count: people.length,
      refreshed_at: now,
      created_at: now,
    }),
    () => invalid({ name: ['已有同名分群', 'There is a segment of this name'] }),
  )
  for (let at = 0; at < people.length; at += 5000)
    await tx.insert(segment_person).values(
      people.slice(at, at + 5000).map(one => ({
        segment_id: made.id,
        gen: 1,
        member_id: one.id,
      })),
    )
  return made
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
  // A rule is written down here; whom it finds is counted and told elsewhere.
  needsNoScope(context.staff)
  const { rule, unsaid } = ruleOfFilters(of.filters)
  if (unsaid.length > 0)
    throw ruled(
      'segment_unsaid',
      [
        '规则不能表达筛选条件「{what}」：请先去掉，或存为静态名单',
        'A rule can’t say the filter “{what}”: take it off, or keep a fixed list',
      ],
      {
        what: unsaid
          .map(text => say(text, context.staff.lang))
          .join(context.staff.lang === 'zh' ? '、' : ', '),
      },
    )
  return createSegment(context, { name: of.name, rule, exclude_ids: [], everyone: false })
}
