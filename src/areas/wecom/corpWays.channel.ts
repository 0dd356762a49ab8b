import { z } from 'zod'
import {
  afterOf,
  inService,
  mayContact,
  no,
  pageFrom,
  reads,
  writes,
  type Corp,
  type CorpRoute,
} from './corp.channel.ts'

const E = '/cgi-bin/externalcontact'
/** Contact ways and join ways share WeCom's quota. */
const WAYS_MOST = 500_000
const PEOPLE_MOST = 100
const CHATS_MOST = 5
const config_id = z.string().min(1)
const fields = {
  style: z.number().int().optional(),
  remark: z.string().max(30).optional(),
  skip_verify: z.boolean().optional(),
  state: z.string().max(30).optional(),
  user: z.array(z.string().min(1)).optional(),
  party: z.array(z.number().int()).optional(),
  is_temp: z.boolean().optional(),
  expires_in: z.number().int().optional(),
  chat_expires_in: z.number().int().optional(),
  unionid: z.string().optional(),
  is_exclusive: z.boolean().optional(),
}
type Fields = { [K in keyof typeof fields]?: z.infer<(typeof fields)[K]> }
const stated = <T extends object>(of: T): T =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as T

const checkPeople = async (corp: Corp, type: number, { user = [], party = [] }: Fields) => {
  if (type === 1 && (user.length !== 1 || party.length > 0)) no(40058, 'one user for type 1')
  if (user.length + party.length === 0) no(40063, 'missing user')
  if (user.length > PEOPLE_MOST) no(41041, 'too many users')
  for (const userid of user)
    if (!mayContact(await inService(corp, userid))) no(84074, 'no customer contact right')
}
const checkQuota = async (corp: Corp) => {
  const [ways, joins] = [await corp.list('contact_way'), await corp.list('join_way')]
  if (ways.length + joins.length >= WAYS_MOST) no(41045, 'too many contact ways')
}
const checkChats = async (corp: Corp, chats: readonly string[]) => {
  if (chats.length > CHATS_MOST) no(41091, 'at most five chats')
  const found = await corp.some('group_chat', chats)
  if (found.length < new Set(chats).size) no(40050, 'chatid not exists')
}
const join = z.object({
  scene: z.number().int().min(1).max(2),
  remark: z.string().max(30).optional(),
  auto_create_room: z.number().int().min(0).max(1).default(1),
  room_base_name: z.string().max(40).optional(),
  room_base_id: z.number().int().optional(),
  chat_id_list: z.array(z.string().min(1)).min(1),
  state: z.string().max(30).optional(),
})

/** Codes that lead to a member, and codes that lead into a group. */
export const wayRoutes: Readonly<Record<string, CorpRoute>> = {
  [`${E}/add_contact_way`]: writes(
    z.object({ type: z.number().int(), scene: z.number().int(), ...fields }),
    async (of, corp) => {
      if (of.type !== 1 && of.type !== 2) no(41039, 'invalid type')
      if (of.scene !== 1 && of.scene !== 2) no(41040, 'invalid scene')
      await checkPeople(corp, of.type, of)
      await checkQuota(corp)
      const id = corp.id('')
      const qr_code = `https://work.weixin.qq.com/q/${id}`
      await corp.put('contact_way', id, {
        ...stated(of),
        config_id: id,
        create_time: corp.now,
        ...(of.scene === 2 && { qr_code }),
      })
      return { config_id: id, ...(of.scene === 2 && { qr_code }) }
    },
  ),
  [`${E}/get_contact_way`]: reads(
    z.object({ config_id }),
    async (of, corp) => ({
      contact_way: (await corp.one('contact_way', of.config_id)) ?? no(41044),
    }),
    41043,
  ),
  [`${E}/list_contact_way`]: reads(
    z.object({
      start_time: z.number().int().default(0),
      end_time: z.number().int().optional(),
      cursor: z.string().optional(),
      limit: z.number().int().min(1).max(1000).default(100),
    }),
    async ({ start_time, end_time, cursor, limit }, corp) => {
      const until = end_time ?? corp.now
      const found = (await corp.list('contact_way', { after: afterOf(cursor) })).filter(
        ({ body: { create_time = 0 } }) => create_time >= start_time && create_time <= until,
      )
      const { rows, next_cursor } = pageFrom(found, limit)
      return { contact_way: rows.map(row => ({ config_id: row.key })), next_cursor }
    },
  ),
  [`${E}/update_contact_way`]: writes(
    z.object({ config_id, ...fields }),
    async ({ config_id: id, ...of }, corp) => {
      const way = (await corp.one('contact_way', id)) ?? no(41044, 'invalid config_id')
      const next = { ...way, ...stated(of) }
      await checkPeople(corp, next.type, next)
      await corp.put('contact_way', id, next)
      return {}
    },
    41043,
  ),
  [`${E}/del_contact_way`]: writes(
    z.object({ config_id }),
    async (of, corp) =>
      (await corp.drop('contact_way', of.config_id)) ? {} : no(41044, 'invalid config_id'),
    41043,
  ),
  [`${E}/groupchat/add_join_way`]: writes(join, async (of, corp) => {
    await checkChats(corp, of.chat_id_list)
    await checkQuota(corp)
    const id = corp.id('')
    const qr_code = `https://work.weixin.qq.com/gm/${id}`
    await corp.put('join_way', id, {
      ...stated(of),
      config_id: id,
      ...(of.scene === 2 && { qr_code }),
    })
    return { config_id: id }
  }),
  [`${E}/groupchat/get_join_way`]: reads(
    z.object({ config_id }),
    async (of, corp) => ({ join_way: (await corp.one('join_way', of.config_id)) ?? no(41044) }),
    41043,
  ),
  [`${E}/groupchat/update_join_way`]: writes(join.extend({ config_id }), async (of, corp) => {
    const way = (await corp.one('join_way', of.config_id)) ?? no(41044, 'invalid config_id')
    await checkChats(corp, of.chat_id_list)
    await corp.put('join_way', of.config_id, {
      ...stated(of),
      ...(way.qr_code && { qr_code: way.qr_code }),
    })
    return {}
  }),
  [`${E}/groupchat/del_join_way`]: writes(
    z.object({ config_id }),
    async (of, corp) =>
      (await corp.drop('join_way', of.config_id)) ? {} : no(41044, 'invalid config_id'),
    41043,
  ),
}
