import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { widthOf } from '#src/domain/validate.ts'

export const liveChannels = {
  mini_program: ['小程序直播', 'Mini-program'],
  video_account: ['视频号直播', 'Video account'],
} as const satisfies Record<string, Text>
export type LiveChannelKind = keyof typeof liveChannels
export const liveStates = {
  draft: ['草稿', 'Draft'],
  planned: ['待开播', 'Planned'],
  living: ['直播中', 'Live'],
  ended: ['已结束', 'Ended'],
  cancelled: ['已取消', 'Cancelled'],
} as const satisfies Record<string, Text>
export type LiveState = keyof typeof liveStates
export const replayStates = {
  none: ['无回放', 'No replay'],
  ready: ['待发布', 'Ready'],
  published: ['已发布', 'Published'],
  hidden: ['已隐藏', 'Hidden'],
} as const satisfies Record<string, Text>
export type ReplayState = keyof typeof replayStates
export const noticeStates = {
  none: ['未通知', 'Not told'],
  queued: ['待发送', 'Queued'],
  sending: ['结果未知', 'Not known'],
  sent: ['已通知', 'Told'],
  failed: ['发送失败', 'Failed'],
} as const satisfies Record<string, Text>
export type NoticeState = keyof typeof noticeStates
/** Tabs of the list; `replay` are the ended rooms that have a file. */
export const liveTabs = {
  planned: liveStates.planned,
  living: liveStates.living,
  ended: liveStates.ended,
  replay: ['回放', 'Replay'],
  draft: liveStates.draft,
  cancelled: liveStates.cancelled,
} as const satisfies Record<string, Text>
export type LiveTab = keyof typeof liveTabs

export const SHELF_MAX = 200
export const COUPONS_MAX = 20
/** Pieces that a product goes on a shelf with, unless there are fewer. */
export const SHELF_STOCK = 100
/** Recommended rooms of one city. */
export const RECOMMENDED_MAX = 3
/** An order belongs to the room where its product was opened so long before, at most. */
export const LIVE_CLICK_S = DAY
/** Width of a title: a double-byte character counts 2. */
export const LIVE_TITLE = { min: 6, max: 34 } as const
const MINUTE = 60
export const LIVE_TIMES = {
  ahead_s: 10 * MINUTE,
  within_s: 183 * DAY,
  shortest_s: 30 * MINUTE,
  longest_s: DAY,
} as const

/**
 * Pictures of a room, as WeChat's live interface takes them: ratio (width to height) and the most
 * bytes.
 */
export const livePictures = {
  cover: { name: ['封面图', 'Cover'], ratio: [1, 1], maxBytes: 100 * 1024 },
  share_image: { name: ['分享图', 'Share picture'], ratio: [5, 4], maxBytes: 1024 * 1024 },
  background: { name: ['背景图', 'Background'], ratio: [9, 16], maxBytes: 2 * 1024 * 1024 },
} as const satisfies Record<
  string,
  { name: Text; ratio: readonly [number, number]; maxBytes: number }
>
export type LivePicture = keyof typeof livePictures
const RATIO_SLACK = 0.03
const sizeOf = (bytes: number) =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`
export const livePictureFault = (
  which: LivePicture,
  of: { width: number | null; height: number | null; size_bytes: number },
): Text | undefined => {
  const {
    ratio: [w, h],
    maxBytes,
  } = livePictures[which]
  if (of.size_bytes > maxBytes)
    return [
      `图片不能大于 ${sizeOf(maxBytes)}，请压缩后重新上传`,
      `At most ${sizeOf(maxBytes)}: compress it`,
    ]
  if (!of.width || !of.height)
    return ['无法读取图片尺寸，请重新上传', 'The picture’s size is not known: upload it again']
  return Math.abs(of.width / of.height / (w / h) - 1) > RATIO_SLACK
    ? [`图片宽高比应为 ${w}:${h}`, `The picture must be ${w}:${h}`]
    : undefined
}

export const liveTitleFault = (title: string): Text | undefined => {
  const width = widthOf(title.trim())
  if (width < LIVE_TITLE.min)
    return [
      '标题至少 3 个汉字（6 个字母）',
      'A title has at least 3 Chinese characters or 6 letters',
    ]
  if (width > LIVE_TITLE.max)
    return [
      '标题最多 17 个汉字（34 个字母），请删减',
      'A title has at most 17 Chinese characters or 34 letters',
    ]
  return undefined
}
const startFault = (start_at: number, now: number): Text | undefined => {
  if (start_at < now + LIVE_TIMES.ahead_s)
    return ['开播时间须在 10 分钟之后', 'It begins in 10 minutes at the earliest']
  if (start_at > now + LIVE_TIMES.within_s)
    return ['开播时间须在 6 个月以内', 'It begins within 6 months']
  return undefined
}
const lengthFault = (seconds: number): Text | undefined => {
  if (seconds < LIVE_TIMES.shortest_s)
    return ['直播时长至少 30 分钟', 'It lasts at least 30 minutes']
  if (seconds > LIVE_TIMES.longest_s) return ['直播时长最多 24 小时', 'It lasts at most 24 hours']
  return undefined
}
/**
 * What is wrong with when a room is planned, by field: from 10 minutes to 6 months ahead, 30
 * minutes to 24 hours long.
 */
export const liveTimeFaults = (
  { start_at, end_at }: { start_at: number; end_at: number },
  now: number,
): { start_at?: Text; end_at?: Text } => {
  const start = startFault(start_at, now)
  const length = lengthFault(end_at - start_at)
  return { ...(start && { start_at: start }), ...(length && { end_at: length }) }
}
export const livePriceFault = (price_cents: number, normal_cents: number): Text | undefined => {
  if (price_cents <= 0) return ['直播价须大于 0', 'The live price is above 0']
  if (price_cents > normal_cents)
    return ['直播价不能高于日常售价', 'The live price is not above the normal one']
  return undefined
}
/** `available` leaves out what is sold, held by orders, and reserved by other rooms. */
export const liveStockFault = (stock: number, available: number): Text | undefined => {
  if (stock < 1) return ['直播库存至少为 1', 'At least 1 for the room']
  if (stock > available)
    return [
      `可用库存只有 ${Math.max(0, available)}，请调低直播库存`,
      `Only ${Math.max(0, available)} are available`,
    ]
  return undefined
}

export type LiveVerb =
  | 'save'
  | 'submit'
  | 'setRecommend'
  | 'cancelRecommend'
  | 'pushProduct'
  | 'publishReplay'
  | 'hideReplay'
  | 'cancel'
  | 'del'
  | 'shelf'
export type LiveNow = { state: LiveState; replay_state: ReplayState; recommended: boolean }
const isOver: Text = ['直播已结束', 'It is over']
const isCancelled: Text = ['直播已取消', 'It was cancelled']
const saveIn: Record<LiveState, true | Text> = {
  draft: true,
  planned: true,
  living: true,
  ended: isOver,
  cancelled: isCancelled,
}
const cancelIn: Record<LiveState, true | Text> = {
  draft: ['草稿未提交，可直接删除', 'A draft was never submitted: delete it'],
  planned: true,
  living: ['正在直播，不能取消', 'It is live: too late'],
  ended: isOver,
  cancelled: isCancelled,
}
const recommendCan = ({ state, replay_state, recommended }: LiveNow): true | Text => {
  if (recommended) return ['已在推荐位', 'Already recommended']
  if (state === 'planned' || state === 'living' || replay_state === 'published') return true
  return [
    '待开播、直播中或已发布回放的直播间才能推荐',
    'Only one that is planned, live, or has a published replay',
  ]
}
const publishCan = ({ state, replay_state }: LiveNow): true | Text => {
  if (replay_state === 'ready' || replay_state === 'hidden') return true
  if (replay_state === 'published') return ['回放已发布', 'It is published']
  return state === 'ended'
    ? ['回放文件还没有生成', 'The file is not there yet']
    : ['直播结束后才有回放', 'A replay comes after the end']
}
/**
 * True, or why a room can't have it now. No verb makes a room live or ended: that is the channel's
 * to say.
 */
export const liveCan = (verb: LiveVerb, of: LiveNow): true | Text => {
  const { state, replay_state } = of
  switch (verb) {
    case 'save':
    case 'shelf':
      return saveIn[state]
    case 'submit':
      return state === 'draft' || ['已提交到直播平台', 'It was submitted']
    case 'cancel':
      return cancelIn[state]
    case 'del':
      return (
        state === 'planned' ||
        state === 'draft' || [
          '只有未开播的直播间可以删除',
          'Only one that has not begun can be deleted',
        ]
      )
    case 'pushProduct':
      return state === 'living' || ['只有直播中才能讲解商品', 'Products are shown while it is live']
    case 'setRecommend':
      return recommendCan(of)
    case 'cancelRecommend':
      return of.recommended || ['不在推荐位', 'Not recommended']
    case 'publishReplay':
      return publishCan(of)
    case 'hideReplay':
      return replay_state === 'published' || ['没有已发布的回放', 'No replay is published']
  }
}
/** Refunds in basis points of what was paid; null where nothing was. */
export const liveRefundRate = (refunded_cents: number, paid_cents: number): number | null =>
  paid_cents > 0 ? Math.round((refunded_cents * 10_000) / paid_cents) : null
/** The mini-program's page of a room. */
export const livePath = (id: number): string => `pages/live/index?id=${id}`
