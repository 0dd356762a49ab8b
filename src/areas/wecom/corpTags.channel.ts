import { z } from 'zod'
import { no, reads, writes, type Corp, type CorpBody, type CorpRoute } from './corp.channel.ts'
import { TAGS_MOST } from './tagging.ts'

const E = '/cgi-bin/externalcontact'
const name = z.string().trim().min(1).max(30)
const ids = z.array(z.string().min(1)).default([])
type Group = CorpBody['tag_group']

const groupsOf = async (corp: Corp): Promise<Group[]> =>
  (await corp.list('tag_group')).map(row => row.body)
const added = async (
  of: {
    group_id?: string | undefined
    group_name?: string | undefined
    order?: number | undefined
    tag: { name: string; order?: number | undefined }[]
  },
  corp: Corp,
) => {
  const groups = await groupsOf(corp)
  const found = groups.find(one =>
    of.group_id ? one.group_id === of.group_id : one.group_name === of.group_name,
  )
  if (of.group_id && !found) no(40068, 'invalid tag group')
  if (!found && !of.group_name) no(40063, 'missing group_name')
  if (groups.flatMap(one => one.tag).length + of.tag.length > TAGS_MOST) no(40126, 'too many tags')
  const taken = new Set(found?.tag.map(one => one.name))
  for (const one of of.tag) if (taken.has(one.name)) no(40071, 'tag name exists')
  const tags = of.tag.map(one => ({
    id: corp.id('et'),
    name: one.name,
    create_time: corp.now,
    order: one.order ?? 0,
  }))
  const group: Group = found ?? {
    group_id: corp.id('et'),
    group_name: of.group_name!,
    create_time: corp.now,
    order: of.order ?? 0,
    tag: [],
  }
  await corp.put('tag_group', group.group_id, { ...group, tag: [...group.tag, ...tags] })
  return { tag_group: { ...group, tag: tags } }
}
const edited = async (
  { id, name: to, order }: { id: string; name?: string | undefined; order?: number | undefined },
  corp: Corp,
) => {
  const groups = await groupsOf(corp)
  const group = groups.find(one => one.group_id === id || one.tag.some(tag => tag.id === id))
  if (!group) return no(40068, 'invalid tag id')
  const isGroup = group.group_id === id
  const names = isGroup
    ? groups.filter(one => one !== group).map(one => one.group_name)
    : group.tag.filter(one => one.id !== id).map(one => one.name)
  if (to !== undefined && names.includes(to)) no(40071, 'tag name exists')
  const sorted = order === undefined ? {} : { order }
  const next: Group = isGroup
    ? { ...group, ...(to !== undefined && { group_name: to }), ...sorted }
    : {
        ...group,
        tag: group.tag.map(one =>
          one.id === id ? { ...one, ...(to !== undefined && { name: to }), ...sorted } : one,
        ),
      }
  await corp.put('tag_group', group.group_id, next)
  return {}
}
/** A deleted tag goes from every customer who had it. */
const untag = async (corp: Corp, gone: ReadonlySet<string>) => {
  for (const { key, body } of await corp.list('external')) {
    if (!body.follow_user.some(one => one.tags?.some(tag => gone.has(tag.tag_id ?? '')))) continue
    const follow_user = body.follow_user.map(one => ({
      ...one,
      ...(one.tags && { tags: one.tags.filter(tag => !gone.has(tag.tag_id ?? '')) }),
    }))
    await corp.put('external', key, { ...body, follow_user })
  }
}
const deleted = async (of: { tag_id: string[]; group_id: string[] }, corp: Corp) => {
  const groups = await groupsOf(corp)
  const known = new Set(groups.flatMap(one => [one.group_id, ...one.tag.map(tag => tag.id)]))
  const asked = [...of.tag_id, ...of.group_id]
  if (asked.length === 0) no(40063, 'nothing to delete')
  for (const id of asked) if (!known.has(id)) no(40068, 'invalid tag id')
  const gone = new Set(of.tag_id)
  for (const group of groups) {
    const all = of.group_id.includes(group.group_id)
    if (all) for (const tag of group.tag) gone.add(tag.id)
    const left = all ? [] : group.tag.filter(tag => !gone.has(tag.id))
    if (left.length === group.tag.length) continue
    // A group without tags goes with its last one.
    if (left.length === 0) await corp.drop('tag_group', group.group_id)
    else await corp.put('tag_group', group.group_id, { ...group, tag: left })
  }
  await untag(corp, gone)
  return {}
}

/** Tags of the corp and their groups. */
export const tagRoutes: Readonly<Record<string, CorpRoute>> = {
  [`${E}/get_corp_tag_list`]: reads(z.object({ tag_id: ids, group_id: ids }), async (of, corp) => {
    const groups = await groupsOf(corp)
    if (of.tag_id.length === 0 && of.group_id.length === 0) return { tag_group: groups }
    const narrowed = groups.map(group => ({
      ...group,
      tag: of.group_id.includes(group.group_id)
        ? group.tag
        : group.tag.filter(tag => of.tag_id.includes(tag.id)),
    }))
    return { tag_group: narrowed.filter(group => group.tag.length > 0) }
  }),
  [`${E}/add_corp_tag`]: writes(
    z.object({
      group_id: z.string().optional(),
      group_name: name.optional(),
      order: z.number().optional(),
      tag: z.array(z.object({ name, order: z.number().optional() })).min(1),
    }),
    added,
    40072,
  ),
  [`${E}/edit_corp_tag`]: writes(
    z.object({ id: z.string().min(1), name: name.optional(), order: z.number().optional() }),
    edited,
    40072,
  ),
  [`${E}/del_corp_tag`]: writes(z.object({ tag_id: ids, group_id: ids }), deleted),
}
