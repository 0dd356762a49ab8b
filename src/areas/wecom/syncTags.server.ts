import { and, eq, inArray, like, ne, not, notInArray, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { foldedName } from './tagging.ts'
import { wecom_tag, wecom_tag_group } from './wecom.table.ts'
import { wecom_task } from './wecomWork.table.ts'
import type { WecomTagGroup } from './wire.channel.ts'

type Told = WecomTagGroup['tag'][number]
type Known = typeof wecom_tag.$inferSelect
/** What was decided here and WeCom does not know yet: it is not taken back by what WeCom tells. */
const onTheWay = async (tx: Db) => {
  const rows = await tx
    .select({ kind: wecom_task.kind, tag_id: wecom_task.tag_id, body: wecom_task.body })
    .from(wecom_task)
    .where(
      and(
        eq(wecom_task.state, 'waiting'),
        inArray(wecom_task.kind, ['tag_make', 'tag_edit', 'tag_drop']),
      ),
    )
  return {
    leaving: new Set(rows.flatMap(row => (row.body as { wecom_ids?: string[] }).wecom_ids ?? [])),
    edited: new Set(rows.flatMap(row => row.tag_id ?? [])),
  }
}
/**
 * Which row a told tag is: the one of its id, else one of its name that WeCom had lost and has made
 * again. `twin`: another one in the group has the name.
 */
const rowFor = (one: Told, own: readonly Known[], told: ReadonlySet<string>) => {
  const named = own.filter(
    row => row.status !== 'deleted' && foldedName(row.name) === foldedName(one.name),
  )
  const row = own.find(each => each.tag_id === one.id)
  const again = named.find(each => each.status === 'invalid' && !told.has(each.tag_id))
  const other = named.find(each => each.tag_id !== one.id && each !== again && !each.twin)
  return { row: row ?? again, twin: other !== undefined }
}
const takeTag = async (
  tx: Db,
  group_id: number,
  of: { one: Told; told: ReadonlySet<string>; edited: ReadonlySet<number> },
): Promise<void> => {
  const { one, told, edited } = of
  const all = await tx
    .select()
    .from(wecom_tag)
    .where(sql`${wecom_tag.group_id} = ${group_id} or ${wecom_tag.tag_id} = ${one.id}`)
  const { row, twin } = rowFor(one, all, told)
  const values = { group_id, name: one.name, sort: one.order ?? 0, twin }
  if (row && edited.has(row.id)) return
  if (!row) {
    await tx.insert(wecom_tag).values({
      tag_id: one.id,
      ...values,
      status: 'active',
      ...(one.create_time && { created_at: one.create_time }),
    })
    return
  }
  await tx
    .update(wecom_tag)
    .set({ ...values, tag_id: one.id, status: 'active' })
    .where(eq(wecom_tag.id, row.id))
}
/**
 * Takes the corp's groups of tags. Nothing is deleted: what WeCom knows no more is invalid, and is
 * itself again once WeCom has one of its name in its group. Answers what became invalid, by name.
 */
export const takeTags = async (tx: Db, groups: readonly WecomTagGroup[]): Promise<string[]> => {
  const { leaving, edited } = await onTheWay(tx)
  const live = groups.filter(one => !one.deleted)
  const told = new Set(
    live.flatMap(group => group.tag.filter(one => !one.deleted).map(one => one.id)),
  )
  for (const group of live) {
    const own = { name: group.group_name, sort: group.order ?? 0, status: 'active' as const }
    const [row] = await tx
      .insert(wecom_tag_group)
      .values({ group_id: group.group_id, ...own })
      .onConflictDoUpdate({ target: wecom_tag_group.group_id, set: own })
      .returning({ id: wecom_tag_group.id })
    for (const one of group.tag.filter(tag => !tag.deleted && !leaving.has(tag.id)))
      await takeTag(tx, row!.id, { one, told, edited })
  }
  const gone = await tx
    .update(wecom_tag)
    .set({ status: 'invalid', version: sql`${wecom_tag.version} + 1` })
    .where(and(eq(wecom_tag.status, 'active'), notInArray(wecom_tag.tag_id, ['', ...told])))
    .returning({ name: wecom_tag.name })
  // A group that holds a tag still stands, so that the tag is seen.
  await tx
    .update(wecom_tag_group)
    .set({ status: 'deleted' })
    .where(
      and(
        notInArray(wecom_tag_group.group_id, ['', ...live.map(one => one.group_id)]),
        not(like(wecom_tag_group.group_id, 'new:%')),
        sql`not exists (select 1 from ${wecom_tag} where ${wecom_tag.group_id} = ${wecom_tag_group.id}
          and ${ne(wecom_tag.status, 'deleted')})`,
      ),
    )
  return gone.map(row => row.name)
}
