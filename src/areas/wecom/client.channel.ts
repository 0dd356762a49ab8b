import type { z } from 'zod'
import { ruled, type Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { wecomAsker, type WecomAround, type WecomSaid } from './ask.channel.ts'
import type { WecomKeys } from './token.channel.ts'
import { notConnected, type WecomFault } from './wecomFault.ts'
import {
  answers,
  type WecomAppMessage,
  type WecomAttachment,
  type WecomContactWay,
  type WecomGroupTemplate,
  type WecomJoinWay,
  type WecomMessage,
  type WecomMoment,
} from './wire.channel.ts'

export type { WecomSaid } from './ask.channel.ts'

type Shapes = typeof answers
type Said<K extends keyof Shapes> = Promise<WecomSaid<z.infer<Shapes[K]>>>
/** Sends one call: `read` and `again` may be repeated, `write` may not. */
type Send = {
  read: <K extends keyof Shapes>(path: string, answer: K, input?: object) => Said<K>
  again: <K extends keyof Shapes>(path: string, answer: K, input: object) => Said<K>
  write: <K extends keyof Shapes>(path: string, answer: K, input: object) => Said<K>
  get: <K extends keyof Shapes>(
    path: string,
    answer: K,
    query?: Readonly<Record<string, string | number>>,
  ) => Said<K>
  upload: (type: string, file: WecomFile) => Said<'media'>
}
type WecomFile = { name: string; type: string; bytes: Uint8Array<ArrayBuffer> }
/** Where a page begins, and how many are wanted. Without a cursor it is the first one. */
type Page = { cursor?: string | undefined; limit?: number }
type Handover = { handover_userid: string; takeover_userid: string }
type WayInput = Omit<WecomContactWay, 'config_id' | 'qr_code'>
type JoinInput = Omit<WecomJoinWay, 'config_id' | 'qr_code'>

const E = '/cgi-bin/externalcontact'
/** The end of a list is told by an empty cursor or none: here it is always null. */
const nextOf = (cursor: string | undefined): string | null => cursor || null
/** A page of a list: what it holds, and where the next one begins (null: it was the last). */
type WecomPage<T> = { rows: T[]; next: string | null }
const paged = async <K extends keyof Shapes, T>(
  asked: Said<K>,
  rows: (said: z.infer<Shapes[K]>) => T[],
): Promise<WecomSaid<WecomPage<T>>> => {
  const answer = await asked
  if ('fault' in answer) return answer
  const { next_cursor } = answer.said as { next_cursor?: string }
  return { said: { rows: rows(answer.said), next: nextOf(next_cursor) } }
}
/** Only what stands: a cursor that is not there is not sent. */
const pageOf = ({ cursor, limit }: Page): object => ({
  ...(cursor && { cursor }),
  ...(limit && { limit }),
})
const picked = async <K extends keyof Shapes, T>(
  asked: Said<K>,
  of: (said: z.infer<Shapes[K]>) => T,
): Promise<WecomSaid<T>> => {
  const answer = await asked
  return 'fault' in answer ? answer : { said: of(answer.said) }
}
/** What was to be taken away and is gone already, is as it was wanted. */
const goneToo = async <T extends object>(
  asked: Promise<WecomSaid<T>>,
  gone: readonly number[],
): Promise<WecomSaid<object>> => {
  const answer = await asked
  return 'fault' in answer && gone.includes(answer.fault.code) ? { said: {} } : answer
}

const directory = ({ get }: Send) => ({
  /** The departments below one (all, from 1), in no order. */
  departments: (id = 1) =>
    picked(get('/cgi-bin/department/list', 'departments', { id }), said => said.department),
  /** The members of a department and of those below it. */
  users: (department_id = 1) =>
    picked(
      get('/cgi-bin/user/list', 'users', { department_id, fetch_child: 1 }),
      said => said.userlist,
    ),
  /** Members who may contact customers. */
  followUsers: () =>
    picked(get(`${E}/get_follow_user_list`, 'followUsers'), said => said.follow_user),
})
const customers = ({ get, read, again, write }: Send) => ({
  /** Ids of a member's customers; a member without any has none, which WeCom calls 84061. */
  externalIds: async (userid: string): Promise<WecomSaid<string[]>> => {
    const answer = await get(`${E}/list`, 'externalIds', { userid })
    if ('said' in answer) return { said: answer.said.external_userid }
    return answer.fault.code === 84061 ? { said: [] } : answer
  },
  /** Reads a customer, with a page of at most 500 followers. */
  external: (external_userid: string, cursor?: string) =>
    get(`${E}/get`, 'external', { external_userid, ...(cursor && { cursor }) }),
  /** Customers of up to 100 members, each with how one member follows them; 100 a page at most. */
  externalsByUser: (userid_list: readonly string[], page: Page = {}) =>
    paged(
      read(`${E}/batch/get_by_user`, 'byUser', { userid_list, limit: 100, ...pageOf(page) }),
      said => said.external_contact_list,
    ),
  /** Writes what a member notes of a customer; a field left out stays as it is. */
  remark: (of: {
    userid: string
    external_userid: string
    remark?: string
    description?: string
    remark_company?: string
    remark_mobiles?: readonly string[]
  }) => again(`${E}/remark`, 'none', of),
  /** Adds and removes tags of the corp that a member gives a customer. */
  markTag: (of: {
    userid: string
    external_userid: string
    add_tag?: readonly string[]
    remove_tag?: readonly string[]
  }) => again(`${E}/mark_tag`, 'none', of),
  /** Hands up to 100 customers of a member to another; each has an errcode of its own. */
  transferCustomers: (
    of: Handover & { external_userid: readonly string[]; transfer_success_msg?: string },
  ) => picked(write(`${E}/transfer_customer`, 'movedCustomers', of), said => said.customer),
  transferResults: (of: Handover, page: Page = {}) =>
    paged(
      read(`${E}/transfer_result`, 'transferState', { ...of, ...pageOf(page) }),
      said => said.customer,
    ),
  /** The same for a member who has left. */
  inheritCustomers: (of: Handover & { external_userid: readonly string[] }) =>
    picked(write(`${E}/resigned/transfer_customer`, 'movedCustomers', of), said => said.customer),
  inheritResults: (of: Handover, page: Page = {}) =>
    paged(
      read(`${E}/resigned/transfer_result`, 'transferState', { ...of, ...pageOf(page) }),
      said => said.customer,
    ),
  /** Customers of members who have left, 1000 a page at most. */
  unassigned: ({ cursor, limit = 1000 }: Page = {}) =>
    paged(
      read(`${E}/get_unassigned_list`, 'unassigned', { page_size: limit, ...pageOf({ cursor }) }),
      said => said.info,
    ),
})
const tags = ({ read, again, write }: Send) => ({
  tagGroups: (of: { tag_id?: readonly string[]; group_id?: readonly string[] } = {}) =>
    picked(read(`${E}/get_corp_tag_list`, 'tagGroups', of), said => said.tag_group),
  /** Adds tags to a group, or a new group with them; answers the group with the new tags alone. */
  addTags: (of: {
    group_id?: string
    group_name?: string
    order?: number
    tag: readonly { name: string; order?: number }[]
  }) => picked(write(`${E}/add_corp_tag`, 'madeTags', of), said => said.tag_group),
  /** Names a tag or a group anew. */
  editTag: (of: { id: string; name?: string; order?: number }) =>
    again(`${E}/edit_corp_tag`, 'none', of),
  deleteTags: (of: { tag_id?: readonly string[]; group_id?: readonly string[] }) =>
    goneToo(again(`${E}/del_corp_tag`, 'none', of), [40068]),
})
const chats = ({ read, write }: Send) => ({
  /** Ids of customer groups, 1000 a page at most. `status` 0 good, 1 owner left, 2 and 3 handing down. */
  groupChats: (page: Page = {}, owners: readonly string[] = []) =>
    paged(
      read(`${E}/groupchat/list`, 'chats', {
        status_filter: 0,
        limit: 1000,
        ...(owners.length > 0 && { owner_filter: { userid_list: owners } }),
        ...pageOf(page),
      }),
      said => said.group_chat_list,
    ),
  groupChat: (chat_id: string) =>
    picked(read(`${E}/groupchat/get`, 'chat', { chat_id, need_name: 1 }), said => said.group_chat),
  /** Gives up to 100 groups of an owner who has left to another; answers those that failed. */
  inheritChats: (chat_id_list: readonly string[], new_owner: string) =>
    picked(
      write(`${E}/groupchat/transfer`, 'movedChats', { chat_id_list, new_owner }),
      said => said.failed_chat_list,
    ),
  /** The same while the owner is in service. */
  transferChats: (chat_id_list: readonly string[], new_owner: string) =>
    picked(
      write(`${E}/groupchat/onjob_transfer`, 'movedChats', { chat_id_list, new_owner }),
      said => said.failed_chat_list,
    ),
})
const ways = ({ read, again, write }: Send) => ({
  /** Makes a contact way. Where nobody knows whether it was made, its `state` tells (`contactWays`). */
  addContactWay: (of: WayInput) => write(`${E}/add_contact_way`, 'configured', of),
  contactWay: (config_id: string) =>
    picked(read(`${E}/get_contact_way`, 'contactWay', { config_id }), said => said.contact_way),
  /** Ids of contact ways made between two times; of the last 90 days without them. */
  contactWays: (page: Page = {}, between: { start_time?: number; end_time?: number } = {}) =>
    paged(
      read(`${E}/list_contact_way`, 'contactWays', { limit: 1000, ...between, ...pageOf(page) }),
      said => said.contact_way,
    ),
  updateContactWay: (of: { config_id: string } & Partial<Omit<WayInput, 'type' | 'scene'>>) =>
    again(`${E}/update_contact_way`, 'none', of),
  deleteContactWay: (config_id: string) =>
    goneToo(again(`${E}/del_contact_way`, 'none', { config_id }), [41044]),
  /** Makes a code that leads into one of up to five groups. */
  addJoinWay: (of: JoinInput) => write(`${E}/groupchat/add_join_way`, 'configured', of),
  joinWay: (config_id: string) =>
    picked(read(`${E}/groupchat/get_join_way`, 'joinWay', { config_id }), said => said.join_way),
  /** Sets a join way anew, in full. */
  updateJoinWay: (of: { config_id: string } & JoinInput) =>
    again(`${E}/groupchat/update_join_way`, 'none', of),
  deleteJoinWay: (config_id: string) =>
    goneToo(again(`${E}/groupchat/del_join_way`, 'none', { config_id }), [41044]),
})
const messages = ({ get, read, again, write, upload }: Send) => ({
  /** Sends what a new friend gets, within 20 s of the event that brought the code; once. */
  sendWelcome: (of: { welcome_code: string } & WecomMessage) =>
    write(`${E}/send_welcome_msg`, 'none', of),
  addGroupTemplate: (of: WecomGroupTemplate & { notify?: 0 | 1 }) =>
    picked(write(`${E}/group_welcome_template/add`, 'madeTemplate', of), said => said.template_id),
  editGroupTemplate: (of: { template_id: string } & WecomGroupTemplate) =>
    again(`${E}/group_welcome_template/edit`, 'none', of),
  groupTemplate: (template_id: string) =>
    read(`${E}/group_welcome_template/get`, 'template', { template_id }),
  deleteGroupTemplate: (template_id: string) =>
    goneToo(again(`${E}/group_welcome_template/del`, 'none', { template_id }), [41058]),
  /** Asks members to send a message to customers or groups: each confirms it in their client. */
  addMessage: (
    of: {
      chat_type: 'single' | 'group'
      external_userid?: readonly string[]
      chat_id_list?: readonly string[]
      sender?: string
    } & { text?: { content: string }; attachments?: readonly WecomAttachment[] },
  ) => write(`${E}/add_msg_template`, 'madeMessage', of),
  /** Whom one member has sent a message to, 1000 a page at most. */
  messageResults: (of: { msgid: string; userid: string }, page: Page = {}) =>
    paged(
      read(`${E}/get_groupmsg_send_result`, 'sent', { ...of, limit: 500, ...pageOf(page) }),
      said => said.send_list,
    ),
  cancelMessage: (msgid: string) =>
    goneToo(again(`${E}/cancel_groupmsg_send`, 'none', { msgid }), [41093]),
  /** The app whose secret is asked with: WeCom lists that one alone. */
  agents: () => picked(get('/cgi-bin/agent/list', 'agents'), said => said.agentlist),
  /** Writes to one member in the name of an app; the member has to be within what the app sees. */
  writeToMember: (of: { touser: string; agentid: number } & WecomAppMessage) =>
    write('/cgi-bin/message/send', 'appMessage', of),
  /** Puts a file where messages find it, for three days. */
  uploadMedia: (type: 'image' | 'voice' | 'video' | 'file', file: WecomFile) => upload(type, file),
})
const moments = ({ get, read, again, write }: Send) => ({
  /** Has members publish a moment, each in their client; WeCom makes it by a job, 10 a minute. */
  addMoment: (of: WecomMoment) =>
    picked(write(`${E}/add_moment_task`, 'momentBegun', of), said => said.jobid),
  /** What came of the job: the moment's id once it is done, or why there is none. */
  momentJob: (jobid: string) => get(`${E}/get_moment_task_result`, 'momentJob', { jobid }),
  /** The members who are to publish it, and those who have. */
  momentTasks: (moment_id: string, page: Page = {}) =>
    paged(
      read(`${E}/get_moment_task`, 'momentTasks', { moment_id, limit: 500, ...pageOf(page) }),
      said => said.task_list,
    ),
  /** Customers who see what one member published; each sees four of the corp's in a month. */
  momentSeen: (of: { moment_id: string; userid: string }, page: Page = {}) =>
    paged(
      read(`${E}/get_moment_send_result`, 'momentSeen', { ...of, limit: 1000, ...pageOf(page) }),
      said => said.customer_list.map(one => one.external_userid),
    ),
  /** Keeps members who have not published it from doing so. */
  cancelMoment: (moment_id: string) => again(`${E}/cancel_moment_task`, 'none', { moment_id }),
})
const methodsOf = (send: Send) => ({
  ...directory(send),
  ...customers(send),
  ...tags(send),
  ...chats(send),
  ...ways(send),
  ...messages(send),
  ...moments(send),
})

/**
 * WeCom's customer contact, call by call. No method throws for what WeCom says or keeps silent
 * about: it answers `said`, or `fault` with words in both languages. A list answers one page and the
 * cursor of the next, so that whoever pulls it may go on later from where it stopped. Times in unix
 * seconds. Never asked inside a transaction.
 */
export type WecomClient = { name: 'wecom' | 'embedded' | 'none' } & ReturnType<typeof methodsOf>

/** A client of one corp and secret; `database` keeps its token for all processes. */
export const wecomClient = (
  keys: WecomKeys,
  database: Pick<Database, 'db'>,
  around: WecomAround & { name?: WecomClient['name'] } = {},
): WecomClient => {
  const ask = wecomAsker(keys, database, around)
  const shapeOf = <K extends keyof Shapes>(answer: K) =>
    answers[answer] as unknown as z.ZodType<z.infer<Shapes[K]>>
  const posting =
    (repeat: boolean): Send['write'] =>
    (path, answer, body) =>
      ask({ path, body, shape: shapeOf(answer), repeat })
  return {
    name: around.name ?? 'wecom',
    ...methodsOf({
      read: (path, answer, input = {}) => posting(true)(path, answer, input),
      again: posting(true),
      write: posting(false),
      get: (path, answer, query) =>
        ask({ path, shape: shapeOf(answer), repeat: true, ...(query && { query }) }),
      upload: (type, { name, type: mime, bytes }) =>
        ask({
          path: '/cgi-bin/media/upload',
          query: { type },
          form: { name: 'media', filename: name, type: mime, bytes },
          shape: answers.media,
          repeat: true,
        }),
    }),
  }
}
const nothing = async () => ({ fault: notConnected })
/** Where WeCom is not connected: nothing is asked, and that is said. */
export const noWecom: WecomClient = {
  name: 'none',
  ...methodsOf({ read: nothing, again: nothing, write: nothing, get: nothing, upload: nothing }),
}
/** The refusal of a call that WeCom did not do: 422 with `rule` wecom, its code and words. */
export const wecomRefusal = ({ code, kind, text, unknown }: WecomFault): Refusal =>
  ruled('wecom', text, {}, { code, kind, unknown })
