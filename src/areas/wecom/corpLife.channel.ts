import { sql } from 'drizzle-orm'
import type { Random } from '#src/server/demo/random.ts'
import { mayContact, type Corp, type CorpTransfer } from './corp.channel.ts'
import { wecom_corp_object } from './wecomPort.table.ts'

/** The fields of an event as WeCom tells it. */
export type CorpEvent = Readonly<Record<string, string>>
type Life = { corp: Corp; random: Random; corp_id: string; welcomeCode: () => string }

const nicknames = ['小鹿', '阿杰', '周周', '暖暖', '老陈', '一一', '悠然', 'Momo', '子墨', '晴天']
const families = ['林', '陈', '许', '沈', '顾', '苏', '陆', '何']
const REMARK_LEAST = 400
const eventOf = (
  { corp, corp_id }: Pick<Life, 'corp' | 'corp_id'>,
  event: string,
  more: Readonly<Record<string, string>>,
): CorpEvent => ({
  ToUserName: corp_id,
  FromUserName: 'sys',
  CreateTime: String(corp.now),
  MsgType: 'event',
  Event: event,
  ...more,
})
const contact = 'change_external_contact'

/** Somebody adds an adviser, by one of the adviser's codes where there is one. */
const meet = async (life: Life): Promise<CorpEvent[]> => {
  const { corp, random, welcomeCode } = life
  const users = (await corp.list('user')).filter(({ body }) => mayContact(body))
  if (users.length === 0) return []
  const { key: userid } = random.pick(users)
  const ways = (await corp.list('contact_way')).filter(({ body }) => body.user?.includes(userid))
  const state = ways.length > 0 && random.chance(0.7) ? random.pick(ways).body.state : undefined
  const external_userid = corp.id('wm')
  await corp.put('external', external_userid, {
    external_contact: {
      external_userid,
      name: random.chance(0.5) ? random.pick(nicknames) : `${random.pick(families)}女士`,
      type: 1,
      gender: random.int(0, 2),
    },
    follow_user: [
      {
        userid,
        remark: '',
        description: '',
        createtime: corp.now,
        tags: [],
        add_way: state === undefined ? random.pick([1, 2, 3, 4]) : 1,
        oper_userid: userid,
        ...(state !== undefined && { state }),
      },
    ],
  })
  return [
    eventOf(life, contact, {
      ChangeType: 'add_external_contact',
      UserID: userid,
      ExternalUserID: external_userid,
      ...(state !== undefined && { State: state }),
      WelcomeCode: welcomeCode(),
    }),
  ]
}
/** A customer deletes an adviser, or now and then the adviser the customer. */
const part = async (life: Life): Promise<CorpEvent[]> => {
  const { corp, random } = life
  const [found] = await corp.db
    .select({ key: wecom_corp_object.key })
    .from(wecom_corp_object)
    .where(
      sql`${wecom_corp_object.kind} = 'external'
        and jsonb_array_length(${wecom_corp_object.body} -> 'follow_user') > 0`,
    )
    .orderBy(sql`random()`)
    .limit(1)
  const body = found && (await corp.one('external', found.key))
  if (!body) return []
  const { userid } = random.pick(body.follow_user)
  const follow_user = body.follow_user.filter(one => one.userid !== userid)
  await corp.put('external', found.key, { ...body, follow_user })
  return [
    eventOf(life, contact, {
      ChangeType: random.chance(0.8) ? 'del_follow_user' : 'del_external_contact',
      UserID: userid,
      ExternalUserID: found.key,
    }),
  ]
}
/** A customer comes into one of the groups of an adviser, or leaves it again. */
const comeOrGo = async (life: Life): Promise<CorpEvent[]> => {
  const { corp, random } = life
  const chats = await corp.list('group_chat')
  if (chats.length === 0) return []
  const { key, body } = random.pick(chats)
  const guests = body.member_list.filter(one => one.type === 2)
  const friends = await corp.followedBy(body.owner, { limit: REMARK_LEAST })
  const inside = new Set(body.member_list.map(one => one.userid))
  const outside = friends.filter(one => !inside.has(one.key))
  const leaves = guests.length > 0 && (outside.length === 0 || random.chance(0.3))
  if (!leaves && outside.length === 0) return []
  const userid = leaves ? random.pick(guests).userid : random.pick(outside).key
  const others = body.member_list.filter(one => one.userid !== userid)
  const came = { userid, type: 2, join_time: corp.now, join_scene: random.pick([1, 2, 3]) }
  await corp.put('group_chat', key, {
    ...body,
    member_list: leaves ? others : [...others, came],
  })
  return [
    eventOf(life, 'change_external_chat', {
      ChangeType: 'update',
      ChatId: key,
      UpdateDetail: leaves ? 'del_member' : 'add_member',
      [leaves ? 'QuitScene' : 'JoinScene']: leaves ? '0' : String(came.join_scene),
      MemChangeCnt: '1',
      MemChangeList: userid,
    }),
  ]
}
/** A chat of WeCom's holds so many before a code makes a further one. */
const CHAT_HOLDS = 200
/** Somebody scans a code all of whose chats are full: where it may, WeCom makes the next chat. */
const makeRoom = async (life: Life): Promise<CorpEvent[]> => {
  const { corp } = life
  for (const { key, body: way } of await corp.list('join_way')) {
    if (way.auto_create_room !== 1) continue
    const chats = await corp.some('group_chat', way.chat_id_list)
    const isFull = chats.every(({ body }) => body.member_list.length >= CHAT_HOLDS)
    const first = chats[0]?.body
    if (!first || !isFull) continue
    const chat_id = corp.id('wr')
    const n = way.room_base_id ?? 1
    await corp.put('group_chat', chat_id, {
      ...first,
      chat_id,
      name: `${way.room_base_name ?? first.name}${n}`,
      create_time: corp.now,
      member_list: [{ userid: first.owner, type: 1, join_time: corp.now, join_scene: 1 }],
    })
    await corp.put('join_way', key, {
      ...way,
      room_base_id: n + 1,
      chat_id_list: [...way.chat_id_list, chat_id],
    })
    return [eventOf(life, 'change_external_chat', { ChangeType: 'create', ChatId: chat_id })]
  }
  return []
}
/** One thing that happens among advisers and customers; answers what WeCom tells of it. */
export const liveOn = async (life: Life): Promise<CorpEvent[]> => {
  const act = life.random.weighted({ meet: 6, part: 2, comeOrGo: 2, makeRoom: 1 })
  return { meet, part, comeOrGo, makeRoom }[act](life)
}
/** What WeCom tells of a hand-over that a customer did not want. */
export const refusedTransfer = (
  of: CorpTransfer,
  { corp_id, now }: { corp_id: string; now: number },
): CorpEvent => ({
  ToUserName: corp_id,
  FromUserName: 'sys',
  CreateTime: String(now),
  MsgType: 'event',
  Event: contact,
  ChangeType: 'transfer_fail',
  FailReason: 'customer_refused',
  UserID: of.takeover_userid,
  ExternalUserID: of.external_userid,
})
