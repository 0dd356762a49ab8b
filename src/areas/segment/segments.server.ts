import { sql } from 'drizzle-orm'
import { joinedNames } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless, unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { begunCount, dropHalf } from './counting.server.ts'
import { namesOfRefs, refKeysOf } from './refs.server.ts'
import { conditionsOf, leadsBack, ruleFault, type Rule } from './rule.ts'
import { segment_person } from './segment.table.ts'
import { combining, type Combining } from './segment.ts'
import {
  heldSegment,
  linksOfSegments,
  segments,
  usableIds,
  type Segment,
} from './segmentRows.server.ts'

type Written = {
  name: string
  rule: Rule
  exclude_ids: readonly number[]
  /** Somebody says that everybody is meant indeed. */
  everyone: boolean
}
type One = { id: number; version: number }
const taken = () => invalid({ name: ['已有同名分群', 'There is a segment of this name'] })
/** Segments name each other: their changes wait for each other, so that no two make a circle. */
const lockNames = ({ tx }: WriteContext) => lockSequence(tx, 'segment')
const links = (refs: readonly string[]): number[] =>
  refs.flatMap(key => (key.startsWith('segment:') ? [Number(key.slice(8))] : []))

/** Throws where a rule is not sound, names what is gone, means everybody by mistake, or itself. */
const needSound = async (context: WriteContext, id: number, of: Written): Promise<string[]> => {
  const { tx, staff } = context
  const { rule } = of
  faultless(staff, { rule: ruleFault(rule) })
  if (conditionsOf(rule).length === 0 && of.exclude_ids.length === 0 && !of.everyone)
    throw ruled('everyone', [
      '规则没有条件，等于全部会员；如确需如此，请勾选确认',
      'A rule without conditions means everybody: confirm it if that is meant',
    ])
  const refs = refKeysOf(rule, of.exclude_ids)
  const { gone, names } = await namesOfRefs(tx, refs)
  if (leadsBack(id, links(refs), await linksOfSegments(tx)))
    throw ruled('segment_circle', [
      '分群不能直接或间接引用、排除自己',
      'A segment can’t be made of itself, or leave itself out, by any way',
    ])
  if (gone.length > 0)
    throw ruled(
      'segment_refs',
      [
        '规则引用的「{what}」已删除或停用，请重新选择',
        'The rule names “{what}”, which is gone: choose again',
      ],
      { what: joinedNames(gone.map(key => names[key] ?? key)) },
    )
  return refs
}
/** Makes a segment by a rule, which is counted at once. */
export const createSegment = async (context: WriteContext, of: Written): Promise<Segment> => {
  await lockNames(context)
  const refs = await needSound(context, 0, of)
  return unlessTaken(
    segments.add(context, {
      name: of.name,
      kind: 'rule',
      rule: of.rule,
      exclude_ids: [...of.exclude_ids],
      refs,
      owner_id: context.staff.id,
      created_at: context.now,
      ...begunCount,
    }),
    taken,
  )
}
/** Changes a segment by a rule, which is counted anew unless its name alone changed. */
export const editSegment = async (
  context: WriteContext,
  one: One,
  of: Written,
): Promise<Segment> => {
  await lockNames(context)
  const was = await heldSegment(context, 'edit', one)
  const refs = await needSound(context, was.id, of)
  const isSame =
    was.status === 'ready' &&
    JSON.stringify([was.rule, was.exclude_ids]) === JSON.stringify([of.rule, of.exclude_ids])
  if (isSame) return unlessTaken(segments.save(context, was, { name: of.name }), taken)
  await dropHalf(context.tx, was)
  const after = {
    name: of.name,
    rule: of.rule,
    exclude_ids: [...of.exclude_ids],
    refs,
    ...begunCount,
    count_until: null,
  }
  return unlessTaken(segments.save(context, was, after), taken)
}
/** Has a segment counted again; the list that holds stays until then. */
export const refreshSegment = async (context: WriteContext, one: One): Promise<Segment> => {
  const was = await heldSegment(context, 'refresh', one)
  return segments.save(context, was, { ...begunCount, count_until: null })
}
/** Another segment of the same rule, or of the same people where it is a fixed list. */
export const copySegment = async (
  context: WriteContext,
  one: One,
  name: string,
): Promise<Segment> => {
  const was = await heldSegment(context, 'copy', one)
  if (was.kind === 'rule')
    return createSegment(context, {
      name,
      rule: was.rule!,
      exclude_ids: was.exclude_ids,
      everyone: true,
    })
  const made = await unlessTaken(
    segments.add(context, {
      name,
      kind: 'static',
      status: 'ready',
      gen: 1,
      owner_id: context.staff.id,
      customer_count: was.customer_count,
      refreshed_at: context.now,
      created_at: context.now,
    }),
    taken,
  )
  await context.tx.execute(sql`
    insert into ${segment_person} (segment_id, gen, member_id)
    select ${made.id}, 1, p.member_id from ${segment_person} p
    where p.segment_id = ${was.id} and p.gen = ${was.gen}`)
  return made
}
/** The rule that puts segments together; the first one is what others are taken from. */
export const combinedRule = (
  ids: readonly number[],
  how: Combining,
): { rule: Rule; exclude_ids: readonly number[] } => {
  const [first, ...rest] = ids
  const of = how === 'minus' ? [first!] : [...ids]
  const op = how === 'intersect' ? ('all' as const) : ('any' as const)
  return {
    rule: {
      joins: 'all',
      nodes: [{ key: 1, parent: null, is: 'segment', not: false, op, ids: of }],
    },
    exclude_ids: how === 'minus' ? rest : [],
  }
}
/** A segment of several others, which follows them whenever they are counted. */
export const combineSegments = async (
  context: WriteContext,
  { ids, how, name }: { ids: readonly number[]; how: Combining; name: string },
): Promise<Segment> => {
  const once = [...new Set(ids)]
  if (once.length < 2)
    throw ruled('segment_few', ['请至少选择两个不同的分群', 'Choose two segments at least'])
  const usable = await usableIds(context.tx, once)
  if (usable.length < once.length)
    throw ruled('segment_combine', [
      '所选分群中有已失效或已归档的，请重新选择',
      'One of the segments is out of date or archived: choose again',
    ])
  const made = await createSegment(context, { name, ...combinedRule(once, how), everyone: false })
  segments.log(context, made, { after: { combined: combining[how][0] } })
  return made
}
/** Puts a segment away; nothing may use it any more. */
export const archiveSegment = async (
  context: WriteContext,
  one: One,
  reason: string,
): Promise<Segment> => {
  await lockNames(context)
  const was = await heldSegment(context, 'archive', one)
  const gone = { counted_to: null, counted_n: 0, count_until: null }
  await dropHalf(context.tx, was)
  return segments.save(
    context,
    was,
    { status: 'archived', archive_reason: reason, ...gone },
    reason,
  )
}
