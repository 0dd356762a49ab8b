import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { joinedNames } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { isNamed } from '#src/server/db/names.ts'
import { member_tag, member_tag_of } from './care.table.ts'
import { members, type Member } from './members.server.ts'

/** The most tags that one member has. */
const TAGS_MAX = 20
const of = member_tag_of

/** The id of a tag by its name; it is made where nobody has used it before. */
const tagNamed = async (tx: Db, name: string): Promise<number> => {
  const [made] = await tx
    .insert(member_tag)
    .values({ name })
    .onConflictDoNothing()
    .returning({ id: member_tag.id })
  if (made) return made.id
  const [known] = await tx
    .select({ id: member_tag.id })
    .from(member_tag)
    .where(isNamed(member_tag.name, name))
  return known!.id
}
/** The ids of tags that are chosen or newly named; 422 for one that is not there. */
export const tagIds = async (
  tx: Db,
  { tag_ids, new_tag }: { tag_ids: readonly number[]; new_tag?: string | undefined },
): Promise<number[]> => {
  const known = tag_ids.length
    ? await tx
        .select({ id: member_tag.id })
        .from(member_tag)
        .where(inArray(member_tag.id, [...tag_ids]))
    : []
  if (known.length < new Set(tag_ids).size)
    throw ruled('no_tag', ['所选标签不存在，请重新选择', 'There is no such tag: choose again'])
  const ids = known.map(row => row.id)
  return [...new Set(new_tag ? [...ids, await tagNamed(tx, new_tag)] : ids)]
}
const namesOf = async (tx: Db, member_id: number): Promise<string> =>
  joinedNames(
    (
      await tx
        .select({ name: member_tag.name })
        .from(of)
        .innerJoin(member_tag, eq(member_tag.id, of.tag_id))
        .where(eq(of.member_id, member_id))
        .orderBy(member_tag.id)
    ).map(row => row.name),
  )
/**
 * Gives a member these tags: all of theirs, or beside those they have, or no longer these. The
 * member is held.
 */
export const setTags = async (
  context: WriteContext,
  was: Member,
  { ids, how }: { ids: readonly number[]; how: 'all' | 'add' | 'remove' },
): Promise<Member> => {
  const { tx, staff, now } = context
  const before = await namesOf(tx, was.id)
  const mine = eq(of.member_id, was.id)
  if (how === 'remove' && ids.length)
    await tx.delete(of).where(and(mine, inArray(of.tag_id, [...ids])))
  if (how === 'all')
    await tx.delete(of).where(and(mine, ids.length ? notInArray(of.tag_id, [...ids]) : undefined))
  if (how !== 'remove' && ids.length)
    await tx
      .insert(of)
      .values(ids.map(tag_id => ({ member_id: was.id, tag_id, by_id: staff.id, at: now })))
      .onConflictDoNothing()
  const [has] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(of)
    .where(mine)
  if (has!.n > TAGS_MAX)
    throw ruled('many_tags', ['每位会员最多 {max} 个标签', 'A member has {max} tags at most'], {
      max: TAGS_MAX,
    })
  const after = await members.set(context, was, {})
  members.log(context, after, {
    before: { tags: before },
    after: { tags: await namesOf(tx, was.id) },
  })
  return after
}
