import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#src/server/call/implement.ts'
import { foldedName } from './tagging.ts'
import { end, faulted, type Running, type Task } from './taskEnds.server.ts'
import { wecom_tag, wecom_tag_group } from './wecom.table.ts'
import { wecom_task } from './wecomWork.table.ts'
import type { WecomTagGroup } from './wire.channel.ts'

/** Seconds until a work is looked at again that waits for another one. */
const LATER = 20
const later = async ({ database, now }: Running, task: Task): Promise<true> => {
  await database.db
    .update(wecom_task)
    .set({ next_at: now + LATER, version: task.version + 1 })
    .where(and(eq(wecom_task.id, task.id), eq(wecom_task.version, task.version)))
  return true
}
type Made = { tags: number[]; old?: string }
const madeOf = async (db: Db, { tags }: Made) =>
  db
    .select()
    .from(wecom_tag)
    .where(and(inArray(wecom_tag.id, [0, ...tags]), sql`${wecom_tag.status} <> 'deleted'`))
    .orderBy(wecom_tag.id)
/** Whether WeCom has given no id yet. */
export const isNew = (wecom_id: string): boolean => wecom_id.startsWith('new:')
/** The group in WeCom, by its id, or by its name where its answer was lost. */
const groupNow = (groups: readonly WecomTagGroup[], own: { group_id: string; name: string }) =>
  groups.find(one =>
    isNew(own.group_id)
      ? foldedName(one.group_name) === foldedName(own.name)
      : one.group_id === own.group_id,
  )
/** Gives everybody who has a tag its new form, and has the old one deleted after that. */
const handOn = async (tx: Db, task: Task, now: number): Promise<void> => {
  const { old } = task.body as Made
  if (old === undefined) return
  const mark = `move:${task.id}`
  await tx.execute(sql`
    insert into wecom_task (kind, customer_id, follow_id, staff_id, body, next_at, created_at, asked_by)
    select 'tag', f.customer_id, f.id, f.staff_id,
      jsonb_build_object('add', array[${task.tag_id}::int], 'for', ${mark}::text),
      ${now}, ${now}, ${task.asked_by}
    from wecom_follow f join wecom_staff s on s.id = f.staff_id
    where f.status = 'following' and s.status = 'active' and s.has_contact_right
      and f.tag_ids @> array[${task.tag_id}::int] order by f.id`)
  await tx.insert(wecom_task).values({
    kind: 'tag_drop',
    tag_id: task.tag_id,
    body: { wecom_ids: [old], for: mark },
    asked_by: task.asked_by,
    next_at: now,
    created_at: now,
  })
}
/** What WeCom made is known here by its ids from now on. */
const adopt = async (
  tx: Db,
  task: Task,
  { told, now }: { told: WecomTagGroup; now: number },
): Promise<boolean> => {
  if (!(await end(tx, task, { state: 'done', now }))) return false
  await tx
    .update(wecom_tag_group)
    .set({ group_id: told.group_id })
    .where(eq(wecom_tag_group.id, task.tag_group_id!))
  for (const tag of await madeOf(tx, task.body as Made)) {
    const found = told.tag.find(one => foldedName(one.name) === foldedName(tag.name))
    if (found)
      await tx
        .update(wecom_tag)
        .set({ tag_id: found.id, status: 'active', version: tag.version + 1 })
        .where(eq(wecom_tag.id, tag.id))
  }
  await handOn(tx, task, now)
  return true
}
const runMake = async (of: Running, task: Task): Promise<boolean> => {
  const { database, client, now } = of
  const tags = await madeOf(database.db, task.body as Made)
  const [group] = await database.db
    .select()
    .from(wecom_tag_group)
    .where(eq(wecom_tag_group.id, task.tag_group_id!))
  const stopped = tags.length === 0
  if (stopped) return database.transaction(tx => end(tx, task, { state: 'done', now }))
  // Nobody knows whether the first try made them: they are looked for by their names.
  const known = await client.tagGroups()
  if ('fault' in known) {
    await faulted(database, task, { fault: known.fault, now })
    return true
  }
  const own = groupNow(known.said, group!)
  const names = new Set(own?.tag.filter(one => !one.deleted).map(one => foldedName(one.name)))
  const missing = tags.filter(tag => !names.has(foldedName(tag.name)))
  if (missing.length > 0) {
    const answer = await client.addTags({
      ...(own ? { group_id: own.group_id } : { group_name: group!.name, order: group!.sort }),
      tag: missing.map(tag => ({ name: tag.name, order: tag.sort })),
    })
    if ('fault' in answer) {
      await faulted(database, task, { fault: answer.fault, now })
      return true
    }
    const told = { ...answer.said, tag: [...(own?.tag ?? []), ...answer.said.tag] }
    return database.transaction(tx => adopt(tx, task, { told, now }))
  }
  return database.transaction(tx => adopt(tx, task, { told: own!, now }))
}
/** What a tag or a group is called here, and where it stands, is told to WeCom as it is now. */
const runEdit = async (of: Running, task: Task): Promise<boolean> => {
  const { database, client, now } = of
  const [tag] = await database.db
    .select()
    .from(wecom_tag)
    .where(eq(wecom_tag.id, task.tag_id ?? 0))
  const [group] = await database.db
    .select()
    .from(wecom_tag_group)
    .where(eq(wecom_tag_group.id, task.tag_group_id ?? 0))
  const wecom_id = tag?.tag_id ?? group!.group_id
  if (isNew(wecom_id)) return later(of, task)
  const { name, sort } = tag ?? group!
  const answer = await client.editTag({ id: wecom_id, name, order: sort })
  if ('fault' in answer) {
    await faulted(database, task, { fault: answer.fault, now })
    return true
  }
  return database.transaction(tx => end(tx, task, { state: 'done', now }))
}
type Dropped = { wecom_ids: string[]; for?: string; from?: number[]; to?: number }
/** Whoever had a tag that was merged has the other one once; one that was deleted is gone. */
const letGo = async (tx: Db, task: Task): Promise<void> => {
  const { from = [], to, for: mark } = task.body as Dropped
  const isMoved = mark?.startsWith('move:') === true
  if (isMoved) return
  const gone = sql`${sql.param(`{${(from.length > 0 ? from : [task.tag_id!]).join()}}`)}::int[]`
  const kept = to === undefined ? sql`'{}'::int[]` : sql`array[${to}::int]`
  await tx.execute(sql`
    update wecom_follow set version = version + 1, tag_ids = array(
      select distinct one from unnest(tag_ids || ${kept}) one where one <> all(${gone}) order by one)
    where tag_ids && ${gone}`)
}
const runDrop = async (of: Running, task: Task): Promise<boolean> => {
  const { database, client, now } = of
  const { wecom_ids, for: mark } = task.body as Dropped
  if (mark !== undefined) {
    const open = await database.db.$count(
      wecom_task,
      and(
        eq(wecom_task.kind, 'tag'),
        eq(wecom_task.state, 'waiting'),
        sql`${wecom_task.body} ->> 'for' = ${mark}`,
      ),
    )
    if (open > 0) return later(of, task)
  }
  const answer = await client.deleteTags({ tag_id: wecom_ids })
  if ('fault' in answer) {
    await faulted(database, task, { fault: answer.fault, now })
    return true
  }
  return database.transaction(async tx => {
    if (!(await end(tx, task, { state: 'done', now }))) return false
    await letGo(tx, task)
    return true
  })
}
/** How works on the corp's own tags are told to WeCom. */
export const tagRuns = { tag_make: runMake, tag_edit: runEdit, tag_drop: runDrop } as const
