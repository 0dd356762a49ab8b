import { z } from 'zod'

/** Names as in WeCom's documentation; what it leaves out for want of a right is optional here. */
const text = z.string()
const words = z.array(z.string())
const optional = text.optional()
const number = z.number()
/** Unix seconds; WeCom leaves them out of what is older than the field. */
const seconds = z.number().int()
/** Where the next page begins; empty or left out after the last one. */
const cursor = z.string().optional()

const department = z.object({
  id: number.int(),
  name: text,
  name_en: optional,
  department_leader: words.optional(),
  parentid: number.int(),
  order: number.optional(),
})
export type WecomDepartment = z.infer<typeof department>

const user = z.object({
  userid: text,
  name: text,
  department: z.array(number),
  order: z.array(number).optional(),
  position: optional,
  mobile: optional,
  gender: optional,
  email: optional,
  is_leader_in_dept: z.array(number).optional(),
  direct_leader: words.optional(),
  avatar: optional,
  alias: optional,
  /** 1 active, 2 disabled, 4 not activated, 5 left. */
  status: number,
  qr_code: optional,
  main_department: number.optional(),
})
export type WecomUser = z.infer<typeof user>

const followTag = z.object({
  group_name: optional,
  tag_name: optional,
  tag_id: optional,
  /** 1 of the corp, 2 the adviser's own, 3 of a rule. */
  type: number,
})
const followBase = {
  userid: text,
  remark: optional,
  description: optional,
  createtime: seconds,
  remark_corp_name: optional,
  remark_mobiles: words.optional(),
  /** Where it was added: 1 QR code, 2 phone number, 3 card, 4 group chat … */
  add_way: number.optional(),
  oper_userid: optional,
  /** What the contact way that it was added through carries. */
  state: optional,
}
/** As `externalcontact/get` answers a follower. */
const followUser = z.object({ ...followBase, tags: z.array(followTag).optional() })
/** As `batch/get_by_user` answers it: ids of the corp's tags alone. */
const followInfo = z.object({ ...followBase, tag_id: words.optional() })
export type WecomFollowInfo = z.infer<typeof followInfo>

const externalContact = z.object({
  external_userid: text,
  name: text,
  position: optional,
  avatar: optional,
  corp_name: optional,
  corp_full_name: optional,
  /** 1 WeChat, 2 WeCom. */
  type: number,
  /** 0 unknown, 1 male, 2 female. */
  gender: number.optional(),
  unionid: optional,
})
export type WecomExternalContact = z.infer<typeof externalContact>
const external = z.object({
  external_contact: externalContact,
  follow_user: z.array(followUser),
})
export type WecomExternal = z.infer<typeof external>

const tag = z.object({
  id: text,
  name: text,
  create_time: seconds.optional(),
  order: number.optional(),
  deleted: z.boolean().optional(),
})
const tagGroup = z.object({
  group_id: text,
  group_name: text,
  create_time: seconds.optional(),
  order: number.optional(),
  deleted: z.boolean().optional(),
  tag: z.array(tag),
})
export type WecomTagGroup = z.infer<typeof tagGroup>

const groupMember = z.object({
  userid: text,
  /** 1 staff, 2 external. */
  type: number,
  unionid: optional,
  join_time: seconds,
  /** 1 invited, 2 invited by a link, 3 scanned the group's code. */
  join_scene: number.optional(),
  /** WeCom tells nobody by an empty object too. */
  invitor: z.object({ userid: text }).optional().catch(undefined),
  group_nickname: optional,
  name: optional,
  state: optional,
})
export type WecomGroupMember = z.infer<typeof groupMember>
const groupChat = z.object({
  chat_id: text,
  name: text,
  owner: text,
  create_time: seconds,
  notice: optional,
  member_list: z.array(groupMember),
  admin_list: z.array(z.object({ userid: text })).optional(),
  member_version: optional,
})
export type WecomGroupChat = z.infer<typeof groupChat>

const contactWay = z.object({
  config_id: text,
  /** 1 one member of staff, 2 several. */
  type: number,
  /** 1 in the mini-program, 2 by QR code. */
  scene: number,
  style: number.optional(),
  remark: optional,
  skip_verify: z.boolean().optional(),
  state: optional,
  qr_code: optional,
  user: words.optional(),
  party: z.array(number).optional(),
  is_temp: z.boolean().optional(),
  expires_in: number.optional(),
  chat_expires_in: number.optional(),
  unionid: optional,
  is_exclusive: z.boolean().optional(),
})
export type WecomContactWay = z.infer<typeof contactWay>

const joinWay = z.object({
  config_id: text,
  scene: number,
  remark: optional,
  /** 1: a new room is made when all are full. */
  auto_create_room: number.optional(),
  room_base_name: optional,
  room_base_id: number.optional(),
  chat_id_list: words,
  qr_code: optional,
  state: optional,
})
export type WecomJoinWay = z.infer<typeof joinWay>

/** A card below the text of a message; the key of its `msgtype` holds what it is. */
export const attachment = z.union([
  z.object({
    msgtype: z.literal('image'),
    image: z.object({ media_id: optional, pic_url: optional }),
  }),
  z.object({
    msgtype: z.literal('link'),
    link: z.object({ title: text, picurl: optional, desc: optional, url: text }),
  }),
  z.object({
    msgtype: z.literal('miniprogram'),
    miniprogram: z.object({ title: text, pic_media_id: text, appid: text, page: text }),
  }),
  z.object({ msgtype: z.literal('video'), video: z.object({ media_id: text }) }),
  z.object({ msgtype: z.literal('file'), file: z.object({ media_id: text }) }),
])
export type WecomAttachment = z.infer<typeof attachment>
/** A message: text of at most 4000 bytes, attachments, or both. */
export type WecomMessage = {
  text?: { content: string }
  attachments?: readonly WecomAttachment[]
}
/** A moment: a text, up to nine pictures, or one video or link. */
export type WecomMoment = {
  text?: { content: string }
  attachments?: readonly (
    | { msgtype: 'image'; image: { media_id: string } }
    | { msgtype: 'video'; video: { media_id: string } }
    | { msgtype: 'link'; link: { title?: string; url: string; media_id: string } }
  )[]
  /** The members who publish it (nobody named: all), and the tags of those who may see it (none: all). */
  visible_range?: {
    sender_list?: { user_list?: readonly string[]; department_list?: readonly number[] }
    external_contact_list?: { tag_list?: readonly string[] }
  }
}
/** What an app writes to one member: words, a picture, or links. */
export type WecomAppMessage =
  | { msgtype: 'text'; text: { content: string } }
  | { msgtype: 'image'; image: { media_id: string } }
  | { msgtype: 'video'; video: { media_id: string } }
  | { msgtype: 'file'; file: { media_id: string } }
  | {
      msgtype: 'news'
      news: { articles: readonly { title: string; description?: string; url: string }[] }
    }
const groupTemplate = z.looseObject({
  template_id: text.optional(),
  text: z.object({ content: text }).optional(),
})
/** The welcome of a group: text and at most one card, in the key of its kind. */
export type WecomGroupTemplate = {
  text?: { content: string }
  image?: { media_id?: string; pic_url?: string }
  link?: { title: string; picurl?: string; desc?: string; url: string }
  miniprogram?: { title: string; pic_media_id: string; appid: string; page: string }
  file?: { media_id: string }
  video?: { media_id: string }
}

const page = { next_cursor: cursor }
const none = z.object({})
const movedCustomers = z.object({
  customer: z.array(z.object({ external_userid: text, errcode: number })),
})
const transferState = z.object({
  customer: z.array(
    z.object({
      external_userid: text,
      /** 1 done, 2 waiting, 3 refused, 4 the taker is full, 5 no record. */
      status: number,
      takeover_time: seconds.optional(),
    }),
  ),
  ...page,
})
const movedChats = z.object({
  failed_chat_list: z
    .array(z.object({ chat_id: text, errcode: number, errmsg: optional }))
    .default([]),
})
const configured = z.object({ config_id: text, qr_code: optional })

/** What each call answers beside errcode and errmsg, by the way of its path. */
export const answers = {
  token: z.object({ access_token: text.min(1), expires_in: number.int().positive() }),
  departments: z.object({ department: z.array(department) }),
  users: z.object({ userlist: z.array(user) }),
  followUsers: z.object({ follow_user: words }),
  externalIds: z.object({ external_userid: words }),
  external: external.extend(page),
  byUser: z.object({
    external_contact_list: z.array(
      z.object({ external_contact: externalContact, follow_info: followInfo }),
    ),
    ...page,
  }),
  tagGroups: z.object({ tag_group: z.array(tagGroup) }),
  madeTags: z.object({ tag_group: tagGroup }),
  movedCustomers,
  transferState,
  unassigned: z.object({
    info: z.array(
      z.object({ handover_userid: text, external_userid: text, dimission_time: seconds }),
    ),
    is_last: z.boolean().optional(),
    ...page,
  }),
  chats: z.object({
    group_chat_list: z.array(z.object({ chat_id: text, status: number })),
    ...page,
  }),
  chat: z.object({ group_chat: groupChat }),
  movedChats,
  configured,
  contactWay: z.object({ contact_way: contactWay }),
  contactWays: z.object({
    contact_way: z.array(z.object({ config_id: text })).default([]),
    ...page,
  }),
  joinWay: z.object({ join_way: joinWay }),
  madeTemplate: z.object({ template_id: text }),
  template: groupTemplate,
  madeMessage: z.object({ fail_list: words.default([]), msgid: optional }),
  sent: z.object({
    send_list: z.array(
      z.object({
        external_userid: optional,
        chat_id: optional,
        userid: text,
        /** 0 not sent, 1 sent, 2 no friend any more, 3 had another message. */
        status: number,
        send_time: seconds.optional(),
      }),
    ),
    ...page,
  }),
  momentBegun: z.object({ jobid: text }),
  momentJob: z.object({
    /** 1 begun, 2 running, 3 done. */
    status: number,
    result: z
      .object({
        errcode: number,
        errmsg: optional,
        moment_id: optional,
        invalid_sender_list: z
          .object({ user_list: words.default([]), department_list: z.array(number).default([]) })
          .optional(),
        invalid_external_contact_list: z.object({ tag_list: words.default([]) }).optional(),
      })
      .optional(),
  }),
  /** 0 not published, 1 published. */
  momentTasks: z.object({
    task_list: z.array(z.object({ userid: text, publish_status: number })),
    ...page,
  }),
  momentSeen: z.object({ customer_list: z.array(z.object({ external_userid: text })), ...page }),
  agents: z.object({ agentlist: z.array(z.object({ agentid: number.int(), name: optional })) }),
  /** Accounts that the app may not write to are named, and are no errcode where others got it. */
  appMessage: z.object({ invaliduser: optional, msgid: optional }),
  media: z.object({ type: text, media_id: text, created_at: z.coerce.number() }),
  none,
} as const
