/** Lists of people that are kept as segments: as who they are now, or as the rule of their filters. */
import { comma, say, type Text } from '#src/domain/text.ts'
import type { Staff, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { needsNoScope } from '#src/server/call/scope.ts'
import type { Rule } from './rule.ts'
import { segment_person } from './segment.table.ts'
import { GRANT_MOST } from './segment.ts'
import { segments, type Segment } from './segmentRows.server.ts'
import { createSegment } from './segments.server.ts'

/** The most people that a fixed list is asked for: one more than it may have. */
export const KEPT_MOST = GRANT_MOST + 1
const AT_ONCE = 5000
/**
 * A fixed list of members, by their ids. Throws 422 where there is nobody (`none` says why) or more
 * than it may have, 400 at `name` where another segment is called so.
 */
export const fixedSegment = async (
  context: WriteContext,
  { name, ids, none }: { name: string; ids: readonly number[]; none: Text },
): Promise<Segment> => {
  const { tx, staff, now } = context
  if (ids.length === 0) throw ruled('segment_nobody', none)
  if (ids.length > GRANT_MOST)
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
      customer_count: ids.length,
      refreshed_at: now,
      created_at: now,
    }),
    () => invalid({ name: ['已有同名分群', 'There is a segment of this name'] }),
  )
  for (let at = 0; at < ids.length; at += AT_ONCE)
    await tx
      .insert(segment_person)
      .values(
        ids.slice(at, at + AT_ONCE).map(member_id => ({ segment_id: made.id, gen: 1, member_id })),
      )
  return made
}
/** Throws 422 where a rule can't say some of the filters, naming them. */
const refuseUnsaid = ({ lang }: Pick<Staff, 'lang'>, unsaid: readonly Text[]): void => {
  if (unsaid.length > 0)
    throw ruled(
      'segment_unsaid',
      [
        '规则不能表达筛选条件「{what}」：请先去掉，或存为静态名单',
        'A rule can’t say the filter “{what}”: take it off, or keep a fixed list',
      ],
      { what: unsaid.map(text => say(text, lang)).join(say(comma, lang)) },
    )
}
/**
 * Keeps the rule of some filters. It is written down here; whom it finds is counted and told
 * elsewhere. Throws 422 where it can't say one of them, naming it.
 */
export const ruledSegment = async (
  context: WriteContext,
  { name, rule, unsaid }: { name: string; rule: Rule; unsaid: readonly Text[] },
): Promise<Segment> => {
  needsNoScope(context.staff)
  refuseUnsaid(context.staff, unsaid)
  return createSegment(context, { name, rule, exclude_ids: [], everyone: false })
}
