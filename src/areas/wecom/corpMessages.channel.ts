import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  afterOf,
  no,
  reads,
  writes,
  type Corp,
  type CorpBody,
  type CorpMessage,
  type CorpRoute,
} from './corp.channel.ts'
import { attachment } from './wire.channel.ts'

const E = '/cgi-bin/externalcontact'
const TEMPLATES_MOST = 100
const TEXT_BYTES = 4000
const GROUP_TEXT_BYTES = 3000
const ATTACHMENTS_MOST = 9
/** Members confirm a message within a minute, most of them. */
const CONFIRMED_S = 60
const content = z.object({ content: z.string() })
const message = {
  text: content.optional(),
  attachments: z.array(attachment).optional(),
}
type Message = { text?: { content: string } | undefined; attachments?: unknown[] | undefined }
const checkMessage = ({ text, attachments = [] }: Message) => {
  if (!text?.content && attachments.length === 0) no(40063, 'text or attachments')
  if (Buffer.byteLength(text?.content ?? '') > TEXT_BYTES) no(45002, 'text too long')
  if (attachments.length > ATTACHMENTS_MOST) no(41064, 'too many attachments')
}
const cards = ['image', 'link', 'miniprogram', 'file', 'video'] as const
const template = z.looseObject({ text: content.optional(), notify: z.number().optional() })
const checkTemplate = (of: z.infer<typeof template>) => {
  const held = cards.filter(card => of[card] !== undefined)
  if (!of.text?.content && held.length === 0) no(40063, 'text or one card')
  if (held.length > 1) no(41065, 'one card at most')
  if (Buffer.byteLength(of.text?.content ?? '') > GROUP_TEXT_BYTES) no(45002, 'text too long')
}
const templateBody = (
  template_id: string,
  { notify: _, ...of }: z.infer<typeof template>,
): CorpBody['group_template'] => ({ ...(of as CorpBody['group_template']), template_id })

/** Whom a message goes to, each by the member who is to send it. */
const receivers = async (
  corp: Corp,
  of: {
    chat_type: 'single' | 'group'
    external_userid: string[]
    chat_id_list: string[]
    sender?: string | undefined
  },
): Promise<{ send_list: CorpMessage['send_list']; fail_list: string[] }> => {
  if (of.chat_type === 'group') {
    const chats = (await corp.list('group_chat')).filter(({ key, body }) =>
      of.chat_id_list.length > 0 ? of.chat_id_list.includes(key) : body.owner === of.sender,
    )
    const known = new Set(chats.map(chat => chat.key))
    return {
      send_list: chats.map(({ key, body }) => ({ chat_id: key, userid: body.owner, status: 0 })),
      fail_list: of.chat_id_list.filter(id => !known.has(id)),
    }
  }
  const found =
    of.external_userid.length > 0
      ? await corp.some('external', of.external_userid)
      : await corp.followedBy(of.sender ?? '')
  const send_list = found.flatMap(({ key, body }) => {
    const by = body.follow_user.find(one => !of.sender || one.userid === of.sender)
    return by ? [{ external_userid: key, userid: by.userid, status: 0 }] : []
  })
  const reached = new Set(send_list.map(one => one.external_userid))
  return { send_list, fail_list: of.external_userid.filter(id => !reached.has(id)) }
}
/** What came of it by now: one in eight is not confirmed, and who is no friend gets nothing. */
const sentBy = async (corp: Corp, sent: CorpMessage): Promise<CorpMessage['send_list']> => {
  if (sent.canceled || corp.now < sent.create_time + CONFIRMED_S) return sent.send_list
  const friends = new Map(
    (
      await corp.some(
        'external',
        sent.send_list.flatMap(one => one.external_userid ?? []),
      )
    ).map(({ key, body }) => [key, new Set(body.follow_user.map(one => one.userid))]),
  )
  return sent.send_list.map(one => {
    const drawn = createHash('sha256').update(`${sent.msgid}${one.external_userid ?? one.chat_id}`)
    if (drawn.digest()[0]! % 8 === 0) return one
    const lost = one.external_userid && !friends.get(one.external_userid)?.has(one.userid)
    return { ...one, status: lost ? 2 : 1 }
  })
}

const AGENT = 1000002
const article = z.object({
  title: z.string().min(1),
  description: z.string().optional(),
  url: z.string().min(1),
})
const appMessage = z.object({
  touser: z.string().min(1),
  agentid: z.number().int(),
  msgtype: z.enum(['text', 'image', 'video', 'file', 'news']),
  text: z.object({ content: z.string().min(1) }).optional(),
  image: z.object({ media_id: z.string().min(1) }).optional(),
  video: z.object({ media_id: z.string().min(1) }).optional(),
  file: z.object({ media_id: z.string().min(1) }).optional(),
  news: z.object({ articles: z.array(article).min(1).max(8) }).optional(),
})
/** Messages of the app itself to a member of the house. */
const appRoutes: Readonly<Record<string, CorpRoute>> = {
  '/cgi-bin/agent/list': reads(z.object({}), async () => ({
    agentlist: [{ agentid: AGENT, name: '运营工作台' }],
  })),
  '/cgi-bin/message/send': writes(appMessage, async (of, corp) => {
    if (of.agentid !== AGENT) no(301002, 'not allow operate another agent')
    const user = await corp.one('user', of.touser)
    if (!user || user.status !== 1) no(81013, 'user & party & tag all invalid')
    if (of[of.msgtype] === undefined) no(44004, 'empty content')
    const { media_id } = of.image ?? of.video ?? of.file ?? {}
    if (media_id && !(await corp.one('media', media_id))) no(40007, 'invalid media_id')
    return { msgid: corp.id('msg') }
  }),
}

/** Messages to customers and groups, and the welcome of a group. A welcome code is the server's own. */
export const messageRoutes: Readonly<Record<string, CorpRoute>> = {
  ...appRoutes,
  [`${E}/group_welcome_template/add`]: writes(template, async (of, corp) => {
    checkTemplate(of)
    const { length } = await corp.list('group_template')
    if (length >= TEMPLATES_MOST) no(41055, 'too many templates')
    const id = corp.id('msg')
    await corp.put('group_template', id, templateBody(id, of))
    return { template_id: id }
  }),
  [`${E}/group_welcome_template/edit`]: writes(
    template.extend({ template_id: z.string().min(1) }),
    async ({ template_id, ...of }, corp) => {
      checkTemplate(of)
      if (!(await corp.one('group_template', template_id))) no(41058, 'no such template')
      await corp.put('group_template', template_id, templateBody(template_id, of))
      return {}
    },
  ),
  [`${E}/group_welcome_template/get`]: reads(
    z.object({ template_id: z.string().min(1) }),
    async ({ template_id }, corp) => (await corp.one('group_template', template_id)) ?? no(41058),
  ),
  [`${E}/group_welcome_template/del`]: writes(
    z.object({ template_id: z.string().min(1) }),
    async ({ template_id }, corp) =>
      (await corp.drop('group_template', template_id)) ? {} : no(41058),
  ),
  [`${E}/add_msg_template`]: writes(
    z.object({
      chat_type: z.enum(['single', 'group']).default('single'),
      external_userid: z.array(z.string()).max(10_000).default([]),
      chat_id_list: z.array(z.string()).max(2000).default([]),
      sender: z.string().optional(),
      ...message,
    }),
    async (of, corp) => {
      checkMessage(of)
      const { send_list, fail_list } = await receivers(corp, of)
      if (send_list.length === 0) no(41048, 'nobody to send it to')
      const msgid = corp.id('msg')
      const { now: create_time } = corp
      await corp.put('msg_template', msgid, {
        msgid,
        chat_type: of.chat_type,
        create_time,
        send_list,
      })
      return { fail_list, msgid }
    },
  ),
  [`${E}/get_groupmsg_send_result`]: reads(
    z.object({
      msgid: z.string().min(1),
      userid: z.string().min(1),
      limit: z.number().int().min(1).max(1000).default(500),
      cursor: z.string().optional(),
    }),
    async ({ msgid, userid, limit, cursor }, corp) => {
      const sent = (await corp.one('msg_template', msgid)) ?? no(41047, 'invalid msgid')
      const all = (await sentBy(corp, sent)).filter(one => one.userid === userid)
      const from = Number(afterOf(cursor) ?? 0)
      return {
        send_list: all.slice(from, from + limit).map(one => ({
          ...one,
          ...(one.status === 1 && { send_time: sent.create_time + CONFIRMED_S }),
        })),
        next_cursor:
          all.length > from + limit ? Buffer.from(String(from + limit)).toString('base64url') : '',
      }
    },
    41046,
  ),
  [`${E}/cancel_groupmsg_send`]: writes(
    z.object({ msgid: z.string().min(1) }),
    async ({ msgid }, corp) => {
      const sent = (await corp.one('msg_template', msgid)) ?? no(41047, 'invalid msgid')
      if (sent.canceled) no(41093, 'cancelled')
      const send_list = await sentBy(corp, sent)
      await corp.put('msg_template', msgid, { ...sent, canceled: true, send_list })
      return {}
    },
    41046,
  ),
}
/** What `send_welcome_msg` takes; whoever keeps the codes answers it. */
export const welcomeTakes = z.object({ welcome_code: z.string().min(1), ...message })
export const checkWelcome = (of: z.infer<typeof welcomeTakes>): void => checkMessage(of)
