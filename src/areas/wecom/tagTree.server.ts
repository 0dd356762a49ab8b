import { asc, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { usesOfTags } from './tagUses.server.ts'
import { wecom_tag, wecom_tag_group } from './wecom.table.ts'
import { wecom_task } from './wecomWork.table.ts'

/** Days within which the new customers of a tag are counted. */
const NEW_DAYS = 30
/** Tags and their groups as handlers read, change and log them. */
export const tagRecord = record(wecom_tag, {
  object: 'wecom_tag',
  label: row => row.name,
  keys: ['name', 'group_id', 'sort', 'status', 'auto_rule', 'replaced_by_id'],
  places: 'all',
})
export const groupRecord = record(wecom_tag_group, {
  object: 'wecom_tag_group',
  label: row => row.name,
  keys: ['name', 'sort', 'status'],
  places: 'all',
})
export type Tag = typeof wecom_tag.$inferSelect
export type TagGroup = typeof wecom_tag_group.$inferSelect

type Counted = { id: number; n: number; fresh: number }
/** Customers of each tag by their live relations, and those who got it lately. */
const countsOf = async (db: Db, now: number) => {
  const { rows } = await db.execute<Counted>(sql`
    select g.id, count(distinct f.customer_id)::int n,
      count(distinct f.customer_id) filter (where w.at >= ${now - NEW_DAYS * DAY})::int fresh
    from wecom_follow f cross join unnest(f.tag_ids) g(id)
      left join wecom_tag_given w on w.follow_id = f.id and w.tag_id = g.id
    where f.status = 'following' group by g.id`)
  return new Map(rows.map(row => [row.id, row]))
}
type Work = { waiting: boolean; error: string; errcode: number }
const idle: Work = { waiting: false, error: '', errcode: 0 }
/** What is on its way to WeCom for tags and groups, or was refused by it last. */
const worksOf = async (db: Db) => {
  const rows = await db
    .select({
      tag_id: wecom_task.tag_id,
      group_id: wecom_task.tag_group_id,
      state: wecom_task.state,
      error: wecom_task.error,
      errcode: wecom_task.errcode,
    })
    .from(wecom_task)
    .where(inArray(wecom_task.kind, ['tag_make', 'tag_edit', 'tag_drop']))
    .orderBy(desc(wecom_task.id))
    .limit(5000)
  const told = (own: typeof rows): Work => {
    if (own.some(row => row.state === 'waiting')) return { ...idle, waiting: true }
    const [last] = own
    return last?.state === 'failed'
      ? { waiting: false, error: last.error, errcode: last.errcode }
      : idle
  }
  return {
    tag: (id: number) => told(rows.filter(row => row.tag_id === id)),
    group: (id: number) => told(rows.filter(row => row.group_id === id && row.tag_id === null)),
  }
}
/** Groups in the order of WeCom's client. */
const groupsOf = (db: Db): Promise<TagGroup[]> =>
  db
    .select()
    .from(wecom_tag_group)
    .where(eq(wecom_tag_group.status, 'active'))
    .orderBy(desc(wecom_tag_group.sort), asc(wecom_tag_group.id))
const tagsOf = (db: Db): Promise<Tag[]> =>
  db
    .select()
    .from(wecom_tag)
    .where(ne(wecom_tag.status, 'deleted'))
    .orderBy(desc(wecom_tag.sort), asc(wecom_tag.created_at), asc(wecom_tag.id))
/** Groups of tags have ids below zero in the tree: `of` is the number of the row itself. */
export const treeIdOf = (group_id: number): number => -group_id
/** All groups and tags in the order of WeCom's client, each with what decides about it. */
export const tagTree = async (db: Db, now: number) => {
  const [groups, tags] = [await groupsOf(db), await tagsOf(db)]
  const uses = await usesOfTags(
    db,
    tags.map(tag => tag.id),
  )
  const [counts, works] = [await countsOf(db, now), await worksOf(db)]
  return groups.flatMap(group => {
    const own = tags.filter(tag => tag.group_id === group.id)
    const siblings = own.filter(tag => tag.status !== 'invalid').length
    return [
      {
        id: treeIdOf(group.id),
        is: 'group' as const,
        of: group.id,
        parent_id: null,
        level: 1,
        name: group.name,
        group_name: group.name,
        sort: group.sort,
        version: group.version,
        state: 'active' as const,
        siblings,
        customers: 0,
        fresh: 0,
        twin: false,
        rule: null,
        uses: [],
        ...works.group(group.id),
      },
      ...own.map(tag => ({
        id: tag.id,
        is: 'tag' as const,
        of: tag.id,
        parent_id: treeIdOf(group.id),
        level: 2,
        name: tag.name,
        group_name: group.name,
        sort: tag.sort,
        version: tag.version,
        state: tag.status,
        siblings,
        customers: counts.get(tag.id)?.n ?? 0,
        fresh: counts.get(tag.id)?.fresh ?? 0,
        twin: tag.twin,
        rule: tag.auto_rule,
        uses: (uses.get(tag.id) ?? []).map(({ kind, id, name }) => ({ kind, id, name })),
        ...works.tag(tag.id),
      })),
    ]
  })
}
