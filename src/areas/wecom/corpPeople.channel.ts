import { z } from 'zod'
import {
  afterOf,
  mayContact,
  no,
  pageFrom,
  reads,
  writes,
  type Corp,
  type CorpBody,
  type CorpRoute,
} from './corp.channel.ts'

const userid = z.string().min(1).max(64)
const ids = z.array(z.string().min(1).max(128))
const cursor = z.string().optional()
const E = '/cgi-bin/externalcontact'

const below = (departments: readonly CorpBody['department'][], id: number): Set<number> => {
  const found = new Set([id])
  for (let size = 0; size < found.size;) {
    size = found.size
    for (const one of departments) if (found.has(one.parentid)) found.add(one.id)
  }
  return found
}
const departmentsOf = async (corp: Corp, id: number) => {
  const all = (await corp.list('department')).map(row => row.body)
  if (all.length > 0 && !all.some(one => one.id === id)) no(60123, 'invalid department')
  const within = below(all, id)
  return { within, rows: all.filter(one => within.has(one.id)) }
}
const byUserCursor = z.object({ user: z.number().int(), after: z.string() })
/** Where a pull by members stands: which of them, and after which customer. */
const placeOf = (text: string | undefined): z.infer<typeof byUserCursor> => {
  if (!text) return { user: 0, after: '' }
  try {
    return byUserCursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    return no(40058, 'invalid cursor')
  }
}
const sealPlace = (place: z.infer<typeof byUserCursor>): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')
type Row = CorpBody['external']
const withFollower = ({ external_contact, follow_user }: Row, userid_: string) => {
  const { tags = [], ...follow } = follow_user.find(one => one.userid === userid_)!
  return {
    external_contact,
    follow_info: { ...follow, tag_id: tags.flatMap(tag => tag.tag_id ?? []) },
  }
}
const byUsers = async (
  { userid_list, cursor: from, limit }: { userid_list: string[]; cursor?: string; limit: number },
  corp: Corp,
) => {
  const rows: ReturnType<typeof withFollower>[] = []
  let { user, after } = placeOf(from)
  for (; user < userid_list.length; user += 1, after = '') {
    const name = userid_list[user]!
    const room = limit - rows.length
    const found = await corp.followedBy(name, { after, limit: room + 1 })
    rows.push(...found.slice(0, room).map(one => withFollower(one.body, name)))
    if (found.length > room) {
      const last = found[room - 1]?.key ?? after
      return { external_contact_list: rows, next_cursor: sealPlace({ user, after: last }) }
    }
  }
  return { external_contact_list: rows, next_cursor: '' }
}
/** A follower of a customer, or the refusal that they are no friends. */
const friendship = async (corp: Corp, external_userid: string, name: string) => {
  const body = (await corp.one('external', external_userid)) ?? no(40096, 'invalid external userid')
  const follow =
    body.follow_user.find(one => one.userid === name) ?? no(84061, 'not external contact')
  return { body, follow }
}

const marks = async (
  of: { userid: string; external_userid: string; add_tag: string[]; remove_tag: string[] },
  corp: Corp,
) => {
  const { body, follow } = await friendship(corp, of.external_userid, of.userid)
  const groups = (await corp.list('tag_group')).map(row => row.body)
  const known = new Map(
    groups.flatMap(group => group.tag.map(tag => [tag.id, { group, tag }] as const)),
  )
  for (const id of [...of.add_tag, ...of.remove_tag])
    if (!known.has(id)) no(40068, 'invalid tag id')
  const kept = (follow.tags ?? []).filter(
    tag => !of.remove_tag.includes(tag.tag_id ?? '') && !of.add_tag.includes(tag.tag_id ?? ''),
  )
  const added = of.add_tag.map(id => ({
    group_name: known.get(id)!.group.group_name,
    tag_name: known.get(id)!.tag.name,
    tag_id: id,
    type: 1,
  }))
  follow.tags = [...kept, ...added]
  await corp.put('external', of.external_userid, body)
  return {}
}
const remarks = async (
  of: {
    userid: string
    external_userid: string
    remark?: string
    description?: string
    remark_company?: string
    remark_mobiles?: string[]
  },
  corp: Corp,
) => {
  const { body, follow } = await friendship(corp, of.external_userid, of.userid)
  Object.assign(follow, {
    ...(of.remark !== undefined && { remark: of.remark }),
    ...(of.description !== undefined && { description: of.description }),
    ...(of.remark_company !== undefined && { remark_corp_name: of.remark_company }),
    ...(of.remark_mobiles && { remark_mobiles: of.remark_mobiles.filter(Boolean) }),
  })
  await corp.put('external', of.external_userid, body)
  return {}
}

/** Departments, members, and the customers that members follow. */
export const peopleRoutes: Readonly<Record<string, CorpRoute>> = {
  '/cgi-bin/department/list': reads(
    z.object({ id: z.coerce.number().int().default(1) }),
    async ({ id }, corp) => ({ department: (await departmentsOf(corp, id)).rows }),
  ),
  '/cgi-bin/user/list': reads(
    z.object({
      department_id: z.coerce.number().int(),
      fetch_child: z.coerce.number().default(0),
    }),
    async ({ department_id, fetch_child }, corp) => {
      const { within } = await departmentsOf(corp, department_id)
      const wanted = (id: number) => (fetch_child ? within.has(id) : id === department_id)
      const users = (await corp.list('user')).map(row => row.body)
      return { userlist: users.filter(one => one.status !== 5 && one.department.some(wanted)) }
    },
    60123,
  ),
  [`${E}/get_follow_user_list`]: reads(z.object({}), async (_, corp) => ({
    follow_user: (await corp.list('user')).flatMap(({ key, body }) =>
      mayContact(body) ? key : [],
    ),
  })),
  [`${E}/list`]: reads(
    z.object({ userid }),
    async (of, corp) => {
      const found = await corp.followedBy(of.userid)
      return found.length > 0
        ? { external_userid: found.map(row => row.key) }
        : no(84061, 'not external contact')
    },
    40003,
  ),
  [`${E}/get`]: reads(
    z.object({ external_userid: z.string().min(1), cursor }),
    async (of, corp) => {
      const body = (await corp.one('external', of.external_userid)) ?? no(40096)
      if (body.follow_user.length === 0) no(84061, 'not external contact')
      const from = Number(afterOf(of.cursor) ?? 0)
      const { length } = body.follow_user
      return {
        external_contact: body.external_contact,
        follow_user: body.follow_user.slice(from, from + 500),
        ...(length > from + 500 && {
          next_cursor: Buffer.from(String(from + 500)).toString('base64url'),
        }),
      }
    },
    40096,
  ),
  [`${E}/batch/get_by_user`]: reads(
    z.object({
      userid_list: ids.min(1).max(100),
      cursor,
      limit: z.number().int().min(1).max(100).default(50),
    }),
    byUsers,
  ),
  [`${E}/remark`]: writes(
    z.object({
      userid,
      external_userid: z.string(),
      remark: z.string().max(20).optional(),
      description: z.string().max(150).optional(),
      remark_company: z.string().max(20).optional(),
      remark_mobiles: z.array(z.string()).max(5).optional(),
    }),
    remarks,
  ),
  [`${E}/mark_tag`]: writes(
    z.object({
      userid,
      external_userid: z.string(),
      add_tag: ids.default([]),
      remove_tag: ids.default([]),
    }),
    marks,
  ),
  [`${E}/groupchat/list`]: reads(
    z.object({
      status_filter: z.number().int().min(0).max(3).default(0),
      owner_filter: z.object({ userid_list: ids.max(100) }).optional(),
      cursor,
      limit: z.number().int().min(1).max(1000),
    }),
    async ({ status_filter, owner_filter, cursor: from, limit }, corp) => {
      const inside = new Set(
        (await corp.list('user')).flatMap(({ key, body }) => (body.status === 5 ? [] : key)),
      )
      const statusOf = (owner: string) => (inside.has(owner) ? 0 : 1)
      const found = await corp.list('group_chat', { after: afterOf(from) })
      const wanted = found.filter(
        ({ body }) =>
          (!owner_filter || owner_filter.userid_list.includes(body.owner)) &&
          (status_filter === 0 || statusOf(body.owner) === status_filter),
      )
      const { rows, next_cursor } = pageFrom(wanted, limit)
      return {
        group_chat_list: rows.map(({ key, body }) => ({
          chat_id: key,
          status: statusOf(body.owner),
        })),
        next_cursor,
      }
    },
  ),
  [`${E}/groupchat/get`]: reads(
    z.object({ chat_id: z.string().min(1), need_name: z.number().default(0) }),
    async ({ chat_id, need_name }, corp) => {
      const chat = (await corp.one('group_chat', chat_id)) ?? no(40050, 'chatid not exists')
      if (need_name) return { group_chat: chat }
      const nameless = chat.member_list.map(({ name: _, ...member }) => member)
      return { group_chat: { ...chat, member_list: nameless } }
    },
    40050,
  ),
}
