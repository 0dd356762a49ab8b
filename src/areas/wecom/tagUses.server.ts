import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { begunCount, dropHalf } from '#src/areas/segment/counting.server.ts'
import { refKeysOf } from '#src/areas/segment/refs.server.ts'
import type { Rule } from '#src/areas/segment/rule.ts'
import { segment } from '#src/areas/segment/segment.table.ts'
import { refKey } from '#src/areas/segment/sentence.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import { mergedTags } from './tagging.ts'
import { wecom_tag } from './wecom.table.ts'

/** What applies a tag or asks for it: an enabled live code, a segment, its own rule. */
export type TagUse = { tag_id: number; kind: 'code' | 'segment' | 'rule'; id: number; name: string }
const ints = (ids: readonly number[]) => sql`${sql.param(`{${ids.join()}}`)}::int[]`
const texts = (all: readonly string[]) => sql`${sql.param([...all])}::text[]`

/** Everything that uses some tags, by the tag. */
export const usesOfTags = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TagUse[]>> => {
  const c = channel_code
  const codes = await db
    .select({ id: c.id, name: c.name, tag_ids: c.tag_ids })
    .from(c)
    .where(and(eq(c.status, 'enabled'), sql`${c.tag_ids} && ${ints(ids)}`))
    .orderBy(c.id)
  const keys = ids.map(id => refKey('wecom_tag', id))
  const segments = await db
    .select({ id: segment.id, name: segment.name, refs: segment.refs })
    .from(segment)
    .where(and(ne(segment.status, 'archived'), sql`${segment.refs} && ${texts(keys)}`))
    .orderBy(segment.id)
  const tags = await db
    .select({ id: wecom_tag.id, name: wecom_tag.name, rule: wecom_tag.auto_rule })
    .from(wecom_tag)
    .where(inArray(wecom_tag.id, [0, ...ids]))
    .orderBy(wecom_tag.id)
  const asked = new Set(ids)
  const uses: TagUse[] = [
    ...codes.flatMap(({ tag_ids, id, name }) =>
      tag_ids
        .filter(tag => asked.has(tag))
        .map(tag_id => ({ tag_id, kind: 'code' as const, id, name })),
    ),
    ...segments.flatMap(({ refs, id, name }) =>
      ids
        .filter(tag => refs.includes(refKey('wecom_tag', tag)))
        .map(tag_id => ({ tag_id, kind: 'segment' as const, id, name })),
    ),
    ...tags.flatMap(({ id, name, rule }) =>
      rule?.on ? [{ tag_id: id, kind: 'rule' as const, id, name }] : [],
    ),
  ]
  return grouped(uses, use => use.tag_id)
}

type Swap = { from: readonly number[]; to: number }
const swappedRule = (rule: Rule, { from, to }: Swap): Rule => ({
  ...rule,
  nodes: rule.nodes.map(node =>
    node.is === 'wecom_tag' && node.ids ? { ...node, ids: mergedTags(node.ids, from, to) } : node,
  ),
})
const swapInCodes = async (tx: Db, { from, to }: Swap): Promise<void> => {
  const c = channel_code
  const rows = await tx
    .select()
    .from(c)
    .where(sql`${c.tag_ids} && ${ints(from)} or exists (select 1
      from jsonb_array_elements_text(coalesce(${c.draft} -> 'tag_ids', '[]')) d
      where d::int = any(${ints(from)}))`)
    .for('update')
  const swapped = <B extends { tag_ids: number[] }>(body: B): B => ({
    ...body,
    tag_ids: mergedTags(body.tag_ids, from, to),
  })
  for (const row of rows)
    await tx
      .update(c)
      .set({
        tag_ids: mergedTags(row.tag_ids, from, to),
        body: swapped(row.body),
        draft: row.draft && swapped(row.draft),
        version: row.version + 1,
      })
      .where(eq(c.id, row.id))
}
const swapInSegments = async (tx: Db, of: Swap): Promise<void> => {
  const keys = of.from.map(id => refKey('wecom_tag', id))
  const rows = await tx
    .select()
    .from(segment)
    .where(and(ne(segment.status, 'archived'), sql`${segment.refs} && ${texts(keys)}`))
    .for('update')
  for (const row of rows) {
    const rule = row.rule && swappedRule(row.rule, of)
    await dropHalf(tx, row)
    await tx
      .update(segment)
      .set({
        rule,
        refs: refKeysOf(rule, row.exclude_ids),
        ...begunCount,
        count_until: null,
        version: row.version + 1,
      })
      .where(eq(segment.id, row.id))
  }
}
/** The first rule of the tags that go; the tag that stays takes it where it has none. */
const swapRules = async (tx: Db, { from, to }: Swap, now: number): Promise<void> => {
  const gone = await tx
    .select()
    .from(wecom_tag)
    .where(inArray(wecom_tag.id, [0, ...from]))
    .orderBy(wecom_tag.id)
  const rule = gone.find(row => row.auto_rule?.on)?.auto_rule
  if (rule)
    await tx
      .update(wecom_tag)
      .set({ auto_rule: rule, rule_seen_at: now })
      .where(and(eq(wecom_tag.id, to), sql`${wecom_tag.auto_rule} is null`))
}
/** Puts one tag in the place of others, wherever codes, segments and rules use them. */
export const replaceUses = async (tx: Db, of: Swap, now: number): Promise<void> => {
  await swapInCodes(tx, of)
  await swapInSegments(tx, of)
  await swapRules(tx, of, now)
}
