import { hasEnded, isLive } from '#src/domain/period.ts'
import type { Text } from '#src/domain/text.ts'

/**
 * Where banners stand: its name, the ratio of its picture (width to height) and what the picture
 * measures at least.
 */
export const bannerPositions = {
  home: { name: ['首页', 'Home'], ratio: [2, 1], min_width: 640 },
  mall: { name: ['商场首页', 'Mall home'], ratio: [2, 1], min_width: 640 },
  category: { name: ['分类页', 'Category'], ratio: [3, 1], min_width: 640 },
  vip: { name: ['会员中心', 'Member centre'], ratio: [3, 1], min_width: 640 },
  order_done: { name: ['下单成功页', 'Order done'], ratio: [5, 2], min_width: 640 },
  search: { name: ['搜索页', 'Search'], ratio: [5, 1], min_width: 640 },
} as const satisfies Record<
  string,
  { name: Text; ratio: readonly [number, number]; min_width: number }
>
export type BannerPosition = keyof typeof bannerPositions
export const positionNames = Object.fromEntries(
  Object.entries(bannerPositions).map(([key, { name }]) => [key, name]),
) as unknown as Readonly<Record<BannerPosition, Text>>

export const BANNER_LIVE_MAX = 8
export const BANNER_IMAGE_BYTES = 500 * 1024
/** A picture may be this much wider or narrower than its ratio says. */
const RATIO_SLACK = 0.02

/** `ended` is derived: online and past its end. */
export const bannerStates = {
  draft: ['草稿', 'Draft'],
  online: ['已上线', 'Online'],
  offline: ['已下线', 'Offline'],
  ended: ['已结束', 'Ended'],
} as const satisfies Record<string, Text>
export type BannerState = keyof typeof bannerStates
type Row = { status: BannerState; start_at: number; end_at: number }
export const bannerState = (row: Row, now: number): BannerState =>
  row.status === 'online' && hasEnded(row, now) ? 'ended' : row.status
export const bannerLive = (row: Row, now: number): boolean =>
  row.status === 'online' && isLive(row, now)

export type BannerVerb = 'online' | 'offline' | 'del'
export const bannerCan = (verb: BannerVerb, row: Row, now: number): true | Text => {
  const state = bannerState(row, now)
  if (verb === 'online') {
    if (state === 'online') return ['已经上线', 'It is online']
    return (
      !hasEnded(row, now) || ['展示时间已结束，请先修改时间', 'Its time is over: change it first']
    )
  }
  if (verb === 'offline') {
    if (state === 'online') return true
    return state === 'ended'
      ? ['已自动结束', 'It has ended by itself']
      : ['没有上线', 'It is not online']
  }
  return state === 'online'
    ? ['已上线的轮播图不能删除，请先下线', 'It is online: take it offline first']
    : true
}

/** What is wrong with a picture at a position, by its measures. */
export const pictureFault = (
  position: BannerPosition,
  picture: { width: number | null; height: number | null; size_bytes: number },
): Text | undefined => {
  const { ratio, min_width } = bannerPositions[position]
  if (picture.size_bytes > BANNER_IMAGE_BYTES)
    return ['图片不能大于 500 KB', 'The picture is larger than 500 KB']
  if (!picture.width || !picture.height)
    return ['无法读取图片尺寸，请重新上传', 'The picture’s size is not known: upload it again']
  if (picture.width < min_width)
    return [
      `图片宽度至少 ${min_width} 像素`,
      `The picture must be ${min_width} pixels wide or more`,
    ]
  const wanted = ratio[0] / ratio[1]
  return Math.abs(picture.width / picture.height - wanted) / wanted > RATIO_SLACK
    ? [`图片比例应为 ${ratio[0]}:${ratio[1]}`, `The picture must be ${ratio[0]}:${ratio[1]}`]
    : undefined
}

/** Clicks in basis points of exposures; null without exposures. */
export const clickRate = (clicks: number, views: number): number | null =>
  views > 0 ? Math.min(10_000, Math.round((clicks * 10_000) / views)) : null
