import { joined, type Text } from '#src/domain/text.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import type { LiveChannelKind } from './broadcast.ts'
import { askWeChat, tokenOf, wechatFailed, type WeChat } from './wechat.server.ts'

/** A room as its channel is told of it; pictures by their keys. */
export type RoomPlan = {
  id: number
  title: string
  room_no: string
  host_name: string
  host_wechat: string
  cover: string
  share_image: string
  background: string
  start_at: number
  end_at: number
  comments_on: boolean
  goods_on: boolean
}
/**
 * What a channel says of a room. Of viewers it may know nothing; the replay's file comes some time
 * after the end.
 */
export type RoomWord = {
  state: 'planned' | 'living' | 'ended'
  note?: string
  viewers?: number
  peak?: number
  replay_url?: string
}
/** Where a room is streamed: it alone says whether one is live. */
export type LiveChannel = {
  name: 'wechat' | 'embedded'
  /** True, or why it has no such rooms. */
  takes: (kind: LiveChannelKind) => true | Text
  /** Answers the channel's own number. */
  create: (room: RoomPlan) => Promise<string>
  edit: (room: RoomPlan) => Promise<void>
  remove: (room: RoomPlan) => Promise<void>
  /**
   * By the channel's numbers; one it does not know is not among them. `ended` asks for its replay.
   */
  read: (
    rooms: readonly {
      id: number
      room_no: string
      start_at: number
      end_at: number
      ended: boolean
    }[],
  ) => Promise<ReadonlyMap<string, RoomWord>>
}

const REPLAY_AFTER_S = 600
const stateAt = (
  room: { start_at: number; end_at: number },
  now: number,
): 'planned' | 'living' | 'ended' => {
  if (now >= room.end_at) return 'ended'
  return now >= room.start_at ? 'living' : 'planned'
}
/** The demo's own channel: rooms begin and end by the clock, and people come. */
export const embeddedChannel = (now: number): LiveChannel => ({
  name: 'embedded',
  takes: () => true,
  create: async room => `DEMO${String(room.id).padStart(6, '0')}`,
  edit: async () => {},
  remove: async () => {},
  read: async rooms =>
    new Map(
      rooms.map(room => {
        const gone =
          Math.max(0, Math.min(now, room.end_at) - room.start_at) / (room.end_at - room.start_at)
        const viewers = Math.round((400 + ((room.id * 7919) % 4200)) * (1 - Math.exp(-3 * gone)))
        const state = stateAt(room, now)
        return [
          room.room_no,
          {
            state,
            ...(state !== 'planned' && { viewers, peak: Math.round(viewers * 0.36) }),
            ...(now >= room.end_at + REPLAY_AFTER_S && {
              replay_url: `https://live.mallet.example/replay/${room.room_no}.m3u8`,
            }),
          },
        ]
      }),
    ),
})

/** WeChat's numbers of what it finds wrong, in words; others are told by their number. */
const faults: Readonly<Record<number, Text>> = {
  300002: ['房间名或主播昵称长度不符', 'The title or the host’s name is too short or too long'],
  300006: ['图片上传失败', 'A picture could not be uploaded'],
  300022: ['房间号不存在', 'There is no such room'],
  300023: ['房间当前状态不允许', 'Its state does not allow it'],
  300028: ['房间名称违规', 'The title breaks the rules'],
  300029: ['主播昵称违规', 'The host’s name breaks the rules'],
  300030: ['主播微信号不合法', 'The host’s WeChat id is invalid'],
  300031: ['背景图不合规', 'The background breaks the rules'],
  300032: ['分享图不合规', 'The picture to share breaks the rules'],
  300035: ['主播微信号不存在', 'The host’s WeChat id does not exist'],
  300036: ['主播微信号未实名认证', 'The host’s WeChat id is not verified'],
  300037: ['封面图不合规', 'The cover breaks the rules'],
  45009: ['超过每日调用次数', 'Too many calls today'],
  9410001: ['获取房间失败', 'The rooms could not be read'],
}
const NO_ROOM = 300022
const NO_ROOMS = 9410000
/**
 * 101 live, 105 paused and 106 disturbed are live; 102 is to come; 103 over, 104 forbidden, 107
 * never begun.
 */
const words: Readonly<Record<number, RoomWord>> = {
  101: { state: 'living' },
  105: { state: 'living', note: joined(['主播暂停', 'Paused by the host']) },
  106: { state: 'living', note: joined(['直播异常', 'Disturbed']) },
  102: { state: 'planned' },
  103: { state: 'ended' },
  104: { state: 'ended', note: joined(['渠道禁播', 'Forbidden by the channel']) },
  107: { state: 'ended', note: joined(['主播未开播，已过期', 'Never begun, and over']) },
}
const LIST_MAX = 100
type Said = {
  errcode?: number
  roomId?: number
  media_id?: string
  total?: number
  room_info?: { roomid: number; live_status: number }[]
  live_replay?: { media_url: string }[]
}

/**
 * WeChat's mini-program live interface. It has no call for numbers of viewers, and none at all for
 * video accounts.
 */
export const wechatChannel = (
  db: Db,
  of: WeChat,
  picture: Install['picture'],
  now: number,
): LiveChannel => {
  const ask = async (
    path: string,
    body: string | FormData,
    more: Record<string, string> = {},
    allowed: readonly number[] = [],
  ): Promise<Said> => {
    const said = async (token: string) =>
      (await (
        await askWeChat(
          `${of.api}${path}?${new URLSearchParams({ access_token: token, ...more })}`,
          {
            method: 'POST',
            body,
            ...(typeof body === 'string' && { headers: { 'content-type': 'application/json' } }),
          },
        )
      )
        .json()
        .catch(() => ({ errcode: -1 }))) as Said
    const token = await tokenOf(db, of, now)
    let answer = await said(token)
    // A token that another system renewed is dead at once: once more with a new one.
    if (answer.errcode === 40001 || answer.errcode === 42001)
      answer = await said(await tokenOf(db, of, now, token))
    const { errcode = 0 } = answer
    if (errcode !== 0 && !allowed.includes(errcode))
      throw wechatFailed(faults[errcode] ? joined(faults[errcode]) : `errcode ${errcode}`)
    return answer
  }
  const post = (path: string, body: object, allowed?: readonly number[]) =>
    ask(path, JSON.stringify(body), {}, allowed)
  /** WeChat takes pictures as media that live three days, JPEG or PNG. */
  const media = async (key: string): Promise<string> => {
    const { default: sharp } = await import('sharp')
    const form = new FormData()
    form.append(
      'media',
      new Blob(
        [
          new Uint8Array(
            await sharp(await picture(key))
              .jpeg({ quality: 82 })
              .toBuffer(),
          ),
        ],
        { type: 'image/jpeg' },
      ),
      'picture.jpg',
    )
    return (await ask('/cgi-bin/media/upload', form, { type: 'image' })).media_id ?? ''
  }
  const planned = async (room: RoomPlan) => ({
    name: room.title,
    startTime: room.start_at,
    endTime: room.end_at,
    anchorName: room.host_name,
    anchorWechat: room.host_wechat,
    coverImg: await media(room.background),
    shareImg: await media(room.share_image),
    feedsImg: await media(room.cover),
    isFeedsPublic: 1,
    type: 0,
    closeLike: 0,
    closeGoods: room.goods_on ? 0 : 1,
    closeComment: room.comments_on ? 0 : 1,
    closeReplay: 0,
    closeShare: 0,
    closeKf: 1,
  })
  return {
    name: 'wechat',
    takes: kind =>
      kind === 'mini_program' || [
        '微信没有开放视频号直播的接口，请选择小程序直播',
        'WeChat has no interface for video accounts: choose the mini-program',
      ],
    create: async room =>
      String((await post('/wxaapi/broadcast/room/create', await planned(room))).roomId ?? ''),
    edit: async room =>
      void (await post('/wxaapi/broadcast/room/editroom', {
        id: Number(room.room_no),
        ...(await planned(room)),
      })),
    remove: async room =>
      void (await post('/wxaapi/broadcast/room/deleteroom', { id: Number(room.room_no) }, [
        NO_ROOM,
      ])),
    read: async rooms => {
      const wanted = new Set(rooms.map(room => room.room_no))
      const found = new Map<string, RoomWord>()
      for (let start = 0, total = 1; start < total && found.size < wanted.size; start += LIST_MAX) {
        const said = await post('/wxa/business/getliveinfo', { start, limit: LIST_MAX }, [NO_ROOMS])
        total = said.total ?? 0
        for (const one of said.room_info ?? []) {
          const word = words[one.live_status]
          if (word && wanted.has(String(one.roomid))) found.set(String(one.roomid), word)
        }
      }
      for (const room of rooms) {
        const word = found.get(room.room_no)
        if (!room.ended || word?.state !== 'ended') continue
        const url = (
          await post(
            '/wxa/business/getliveinfo',
            { action: 'get_replay', room_id: Number(room.room_no), start: 0, limit: 1 },
            [NO_ROOMS, 9410003],
          )
        ).live_replay?.[0]?.media_url
        if (url) found.set(room.room_no, { ...word, replay_url: url })
      }
      return found
    },
  }
}

/**
 * The channel of this installation: WeChat where it is set up, the demo's own in a demo, else none.
 */
export const channelOf = (
  db: Db,
  { wechat, demo, picture }: Pick<Install, 'wechat' | 'demo' | 'picture'>,
  now: number,
): LiveChannel | undefined => {
  if (wechat) return wechatChannel(db, wechat, picture, now)
  return demo ? embeddedChannel(now) : undefined
}
