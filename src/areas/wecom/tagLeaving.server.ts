import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { comma, joinedNames, say, type Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { allowed, heldTag, lockTags } from './tagEdits.server.ts'
import { isNew } from './tagTasks.server.ts'
import { tagRecord, type Tag } from './tagTree.server.ts'
import { replaceUses, usesOfTags } from './tagUses.server.ts'
import { addTasks } from './tasks.server.ts'
import { wecom_tag } from './wecom.table.ts'
import { wecom_task } from './wecomWork.table.ts'

type One = { id: number; version: number }
/** 422 that lists what uses tags, where nobody said what takes their place. */
const refuseUsed = async (
  { tx, staff }: WriteContext,
  ids: readonly number[],
  mend: Text,
): Promise<void> => {
  const uses = [...(await usesOfTags(tx, ids)).values()].flat()
  if (uses.length === 0) return
  const kinds: Readonly<Record<string, Text>> = {
    code: ['活码', 'live code'],
    segment: ['分群', 'segment'],
    rule: ['自动规则', 'automatic rule'],
  }
  const [zh, en] = mend
  throw ruled('tag_used', [`标签正在被使用：{what}；${zh}`, `It is used by {what}: ${en}`], {
    what: uses
      .slice(0, 8)
      .map(use => `${say(kinds[use.kind]!, staff.lang)}“${use.name}”`)
      .concat(uses.length > 8 ? ['…'] : [])
      .join(say(comma, staff.lang)),
  })
}
/** Has WeCom delete tags once nothing of them waits; those it never knew are just gone. */
const drop = async (
  { tx, now, staff }: WriteContext,
  tags: readonly Tag[],
  body: object = {},
): Promise<void> => {
  for (const tag of tags.filter(one => !isNew(one.tag_id) && one.status !== 'invalid'))
    await addTasks(tx, now, [
      {
        kind: 'tag_drop',
        tag_id: tag.id,
        body: { ...body, wecom_ids: [tag.tag_id] },
        asked_by: staff.id,
      },
    ])
}
/** Refuses what would leave a group without a tag that stands. */
const keepOne = async (tx: Db, gone: readonly Tag[]): Promise<void> => {
  const ids = gone.map(tag => tag.id)
  for (const group_id of new Set(
    gone.filter(tag => tag.status !== 'invalid').map(tag => tag.group_id),
  )) {
    const left = await tx
      .select({ id: wecom_tag.id })
      .from(wecom_tag)
      .where(
        and(eq(wecom_tag.group_id, group_id), inArray(wecom_tag.status, ['active', 'pending'])),
      )
    if (left.every(one => ids.includes(one.id)))
      throw ruled('group_empty', ['标签组至少保留一个标签', 'A group keeps one tag at least'])
  }
}
/**
 * Deletes a tag, from all customers too. Throws 422 naming what uses it, unless another tag takes
 * its place there.
 */
export const deleteTag = async (
  context: WriteContext,
  { reason, replace_id, ...one }: One & { reason: string; replace_id?: number | undefined },
): Promise<{ id: number; deleted: true }> => {
  const was = await heldTag(context, 'del', one)
  const { tx, now } = context
  await keepOne(tx, [was])
  if (replace_id === undefined)
    await refuseUsed(context, [was.id], ['请选择替换的标签', 'choose a tag to take its place'])
  else {
    await usable(context, replace_id, [was.id])
    await replaceUses(tx, { from: [was.id], to: replace_id }, now)
  }
  const after = await tagRecord.set(context, was, {
    status: 'deleted',
    auto_rule: null,
    ...(replace_id !== undefined && { replaced_by_id: replace_id }),
  })
  await tx
    .update(wecom_task)
    .set({ state: 'done', done_at: now })
    .where(and(eq(wecom_task.tag_id, was.id), eq(wecom_task.state, 'waiting')))
  await drop(context, [was])
  tagRecord.log(context, after, {
    before: { status: was.status },
    after: { status: 'deleted', replaced_by_id: replace_id ?? null },
    reason,
  })
  return { id: was.id, deleted: true }
}
/** A tag that can take the place of others. */
const usable = async (context: WriteContext, id: number, from: readonly number[]): Promise<Tag> => {
  if (from.includes(id))
    throw ruled('tag_itself', ['不能选择标签本身', 'It can’t take its own place'])
  const tag = await tagRecord.lock(context, id)
  if (tag.status !== 'active')
    throw ruled('tag_invalid', [
      '目标标签不可用，请重新选择',
      'That tag is not in use: choose again',
    ])
  return tag
}
/**
 * Merges tags into another: whoever has one of them has the other once, in WeCom too, and then they
 * are deleted. Throws 422 naming what uses them, unless it is said that the other takes their place.
 */
export const mergeTags = async (
  context: WriteContext,
  of: { from_ids: readonly number[]; to_id: number; replace: boolean },
): Promise<{ id: number; version: number; moved: number }> => {
  await lockTags(context)
  const { tx, now, staff } = context
  const from_ids = [...new Set(of.from_ids)]
  const to = await usable(context, of.to_id, from_ids)
  const from: Tag[] = []
  for (const id of from_ids.toSorted((a, b) => a - b)) {
    const tag = await tagRecord.lock(context, id)
    await allowed(context, 'merge', id)
    from.push(tag)
  }
  await keepOne(tx, from)
  if (!of.replace)
    await refuseUsed(context, from_ids, [
      '请确认一并替换为目标标签',
      'say that the other one takes its place',
    ])
  await replaceUses(tx, { from: from_ids, to: to.id }, now)
  const ints = (all: readonly Tag[]) =>
    sql`${sql.param(`{${all.map(tag => tag.id).join()}}`)}::int[]`
  // WeCom takes off no tag that it knows no more.
  const [ids, known, unknown] = [
    ints(from),
    ints(from.filter(tag => tag.status !== 'invalid')),
    ints(from.filter(tag => tag.status === 'invalid')),
  ]
  const mark = `merge:${randomUUID()}`
  const { rows } = await tx.execute<{ customer_id: number }>(sql`
    insert into wecom_task (kind, customer_id, follow_id, staff_id, body, next_at, created_at, asked_by)
    select 'tag', f.customer_id, f.id, f.staff_id,
      jsonb_build_object('add', array[${to.id}::int], 'remove', ${known}, 'for', ${mark}::text),
      ${now}, ${now}, ${staff.id}
    from wecom_follow f join wecom_staff s on s.id = f.staff_id
    where f.status = 'following' and s.status = 'active' and s.has_contact_right
      and f.tag_ids && ${ids} order by f.id returning customer_id`)
  await tx.execute(sql`
    update wecom_follow set version = version + 1, tag_ids = array(
      select one from unnest(tag_ids) one where one <> all(${unknown}) order by one)
    where tag_ids && ${unknown}`)
  for (const tag of from)
    await tagRecord.set(context, tag, {
      status: 'deleted',
      auto_rule: null,
      replaced_by_id: to.id,
    })
  await drop(context, from, { for: mark, from: from_ids, to: to.id })
  const moved = new Set(rows.map(row => row.customer_id)).size
  const after = await tagRecord.set(context, to, {})
  tagRecord.log(context, after, {
    after: { merged: joinedNames(from.map(tag => tag.name)), moved },
  })
  return { id: after.id, version: after.version, moved }
}
