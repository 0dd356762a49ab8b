import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, inArray, ne } from 'drizzle-orm'
import { joinedNames } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless, unlessTaken } from '#src/server/call/record.ts'
import { conflict, invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { isNamed } from '#src/server/db/names.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import {
  namesFault,
  tagCan,
  TAGS_MOST,
  tagRuleFault,
  type TagRule,
  type TagVerb,
} from './tagging.ts'
import {
  groupRecord,
  tagRecord,
  tagTree,
  treeIdOf,
  type Tag,
  type TagGroup,
} from './tagTree.server.ts'
import { addTasks } from './tasks.server.ts'
import { wecom_tag, wecom_tag_group } from './wecom.table.ts'

type One = { id: number; version: number }
/** What stands for WeCom's id until WeCom has given one. */
const newId = (): string => `new:${randomUUID()}`
export const lockTags = ({ tx }: WriteContext) => lockSequence(tx, 'wecom_tag')

/** A tag or a group as the person holds it, where nothing speaks against the verb. */
export const allowed = async (
  context: WriteContext,
  verb: TagVerb,
  tree_id: number,
): Promise<void> => {
  const row = (await tagTree(context.tx, context.now)).find(one => one.id === tree_id)
  if (!row) throw missing()
  const may = tagCan(verb, row)
  if (may !== true) throw ruled(`tag_${verb}`, may)
}
export const heldTag = async (context: WriteContext, verb: TagVerb, one: One): Promise<Tag> => {
  await lockTags(context)
  const was = await tagRecord.heldFast(context, one)
  await allowed(context, verb, was.id)
  return was
}
const heldGroup = async (context: WriteContext, verb: TagVerb, one: One): Promise<TagGroup> => {
  await lockTags(context)
  const was = await groupRecord.heldFast(context, one)
  await allowed(context, verb, treeIdOf(was.id))
  return was
}
const soundNames = ({ staff }: WriteContext, names: readonly string[], field: string): void =>
  faultless(staff, { [field]: namesFault(names) })
/** Refuses names that tags of a group have; full-width letters and capitals are the same. */
const freeNames = async (
  { tx }: WriteContext,
  of: { group_id: number; names: readonly string[]; field: string },
): Promise<void> => {
  for (const name of of.names) {
    const [taken] = await tx
      .select({ name: wecom_tag.name })
      .from(wecom_tag)
      .where(
        and(
          eq(wecom_tag.group_id, of.group_id),
          ne(wecom_tag.status, 'deleted'),
          isNamed(wecom_tag.name, name),
        ),
      )
    if (taken)
      throw invalid({
        [of.field]: [
          `组内已有标签“${taken.name}”，请换一个名称`,
          `The group has the tag ${taken.name} already: choose another name`,
        ],
      })
  }
}
const takenName = () => invalid({ name: ['组内已有同名标签', 'The group has such a tag already'] })
const roomFor = async (tx: Db, n: number): Promise<void> => {
  const now = await tx.$count(wecom_tag, inArray(wecom_tag.status, ['active', 'pending']))
  if (now + n > TAGS_MOST)
    throw ruled(
      'tags_most',
      [
        '企业标签最多 {most} 个，现有 {n} 个，请先合并或删除',
        'A corp has {most} tags at most, and {n} stand: merge or delete some first',
      ],
      { most: TAGS_MOST, n: now },
    )
}
/** The number behind which new tags of a group stand. */
const lastPlace = async (tx: Db, group_id: number): Promise<number> => {
  const [row] = await tx
    .select({ sort: wecom_tag.sort })
    .from(wecom_tag)
    .where(and(eq(wecom_tag.group_id, group_id), ne(wecom_tag.status, 'deleted')))
    .orderBy(asc(wecom_tag.sort))
    .limit(1)
  return row?.sort ?? 1000
}
/** Makes tags here, and has WeCom make them; until then nobody can give them. */
const make = async (
  context: WriteContext,
  { group, names }: { group: TagGroup; names: readonly string[] },
): Promise<Tag[]> => {
  const { tx, now, staff } = context
  await roomFor(tx, names.length)
  const last = await lastPlace(tx, group.id)
  const made: Tag[] = []
  for (const [at, name] of names.entries())
    made.push(
      await unlessTaken(
        tagRecord.add(context, {
          tag_id: newId(),
          group_id: group.id,
          name,
          sort: Math.max(0, last - 1 - at),
          status: 'pending',
          created_at: now,
        }),
        takenName,
      ),
    )
  await addTasks(tx, now, [
    {
      kind: 'tag_make',
      tag_id: made[0]!.id,
      tag_group_id: group.id,
      body: { tags: made.map(tag => tag.id) },
      asked_by: staff.id,
    },
  ])
  return made
}
/** Makes a group with its first tags. */
export const createGroup = async (
  context: WriteContext,
  { name, tags }: { name: string; tags: readonly string[] },
): Promise<TagGroup> => {
  await lockTags(context)
  soundNames(context, [name], 'name')
  soundNames(context, tags, 'tags')
  await freeGroup(context, name)
  const [first] = await context.tx
    .select({ sort: wecom_tag_group.sort })
    .from(wecom_tag_group)
    .where(eq(wecom_tag_group.status, 'active'))
    .orderBy(asc(wecom_tag_group.sort))
    .limit(1)
  const group = await groupRecord.add(context, {
    group_id: newId(),
    name,
    sort: Math.max(0, (first?.sort ?? 1000) - 1),
    created_at: context.now,
  })
  await make(context, { group, names: tags })
  return group
}
const freeGroup = async ({ tx }: WriteContext, name: string, but = 0): Promise<void> => {
  const [taken] = await tx
    .select({ id: wecom_tag_group.id })
    .from(wecom_tag_group)
    .where(
      and(
        eq(wecom_tag_group.status, 'active'),
        ne(wecom_tag_group.id, but),
        isNamed(wecom_tag_group.name, name),
      ),
    )
  if (taken) throw invalid({ name: ['已有同名标签组', 'There is a group of this name'] })
}
/** Adds tags to a group. */
export const createTags = async (
  context: WriteContext,
  { group_id, names }: { group_id: number; names: readonly string[] },
): Promise<Tag[]> => {
  await lockTags(context)
  soundNames(context, names, 'names')
  const group = await groupRecord.lock(context, group_id)
  if (group.status !== 'active') throw missing()
  await freeNames(context, { group_id, names, field: 'names' })
  return make(context, { group, names })
}
const edited = (
  { tx, now, staff }: WriteContext,
  of: { tag_id?: number; tag_group_id?: number },
): Promise<void> => addTasks(tx, now, [{ kind: 'tag_edit', ...of, body: {}, asked_by: staff.id }])
/** Names a tag anew, here at once and in WeCom by the clock. */
export const renameTag = async (context: WriteContext, one: One, name: string): Promise<Tag> => {
  const was = await heldTag(context, 'rename', one)
  soundNames(context, [name], 'name')
  const [other] = await context.tx
    .select({ id: wecom_tag.id })
    .from(wecom_tag)
    .where(
      and(
        eq(wecom_tag.group_id, was.group_id),
        ne(wecom_tag.status, 'deleted'),
        ne(wecom_tag.id, was.id),
        isNamed(wecom_tag.name, name),
      ),
    )
  if (other) throw takenName()
  const after = await unlessTaken(tagRecord.save(context, was, { name, twin: false }), takenName)
  await edited(context, { tag_id: was.id })
  return after
}
export const renameGroup = async (
  context: WriteContext,
  one: One,
  name: string,
): Promise<TagGroup> => {
  const was = await heldGroup(context, 'rename', one)
  soundNames(context, [name], 'name')
  await freeGroup(context, name, was.id)
  const after = await groupRecord.save(context, was, { name })
  await edited(context, { tag_group_id: was.id })
  return after
}
/** Puts the tags of a group in the order given, all of them, the first first. */
export const sortTags = async (
  context: WriteContext,
  { group_id, ids }: { group_id: number; ids: readonly number[] },
): Promise<TagGroup> => {
  await lockTags(context)
  const group = await groupRecord.lock(context, group_id)
  const rows = await context.tx
    .select()
    .from(wecom_tag)
    .where(and(eq(wecom_tag.group_id, group_id), ne(wecom_tag.status, 'deleted')))
    .orderBy(desc(wecom_tag.sort), asc(wecom_tag.created_at), asc(wecom_tag.id))
  const known = new Set(rows.map(row => row.id))
  if (
    ids.length !== known.size ||
    new Set(ids).size !== known.size ||
    ids.some(id => !known.has(id))
  )
    throw conflict(
      [
        '标签已变化，请按最新的顺序再调整',
        'The tags changed meanwhile: arrange them again as they are now',
      ],
      {},
      { ids: rows.map(row => row.id) },
    )
  for (const [at, id] of ids.entries()) {
    const row = rows.find(one => one.id === id)!
    const sort = ids.length - at
    if (row.sort === sort) continue
    await context.tx
      .update(wecom_tag)
      .set({ sort, version: row.version + 1 })
      .where(eq(wecom_tag.id, id))
    if (row.status === 'active') await edited(context, { tag_id: id })
  }
  const after = await groupRecord.set(context, group, {})
  const names = (all: readonly number[]) =>
    joinedNames(all.map(id => rows.find(row => row.id === id)!.name))
  groupRecord.log(context, after, {
    before: { order: names(rows.map(row => row.id)) },
    after: { order: names(ids) },
  })
  return after
}
/**
 * Moves a tag to another group. WeCom knows no such thing: it makes the tag anew there, gives it to
 * everybody who has it, and then deletes the old one.
 */
export const moveTag = async (context: WriteContext, one: One, group_id: number): Promise<Tag> => {
  const was = await heldTag(context, 'move', one)
  const { tx, now, staff } = context
  if (was.group_id === group_id)
    throw ruled('same_group', ['标签已在该组', 'The tag is in that group already'])
  const group = await groupRecord.lock(context, group_id)
  if (group.status !== 'active') throw missing()
  await freeNames(context, { group_id, names: [was.name], field: 'group_id' })
  const sort = Math.max(0, (await lastPlace(tx, group_id)) - 1)
  const after = await unlessTaken(tagRecord.save(context, was, { group_id, sort }), takenName)
  await addTasks(tx, now, [
    {
      kind: 'tag_make',
      tag_id: was.id,
      tag_group_id: group_id,
      body: { tags: [was.id], old: was.tag_id },
      asked_by: staff.id,
    },
  ])
  return after
}

/**
 * Sets what gives a tag by itself; null takes the rule away. It looks at what happens from now on,
 * and at the last quarter of an hour.
 */
export const setTagRule = async (
  context: WriteContext,
  one: One,
  rule: TagRule | null,
): Promise<Tag> => {
  const was = await heldTag(context, 'setRule', one)
  faultless(context.staff, { rule: rule ? tagRuleFault(rule) : undefined })
  return tagRecord.save(context, was, { auto_rule: rule, rule_seen_at: rule ? context.now : null })
}
/** The tag whose rule is to be run over what happened. */
export const heldForRule = (context: WriteContext, one: One): Promise<Tag> =>
  heldTag(context, 'runRule', one)
