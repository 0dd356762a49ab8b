import { bannedIn } from '#src/areas/mall/recommend.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** What sellers promote with (domain B, dist_material). */
export const materialKinds = {
  poster: ['海报', 'Poster'],
  image: ['图片', 'Pictures'],
  video: ['视频', 'Video'],
  copywriting: ['文案', 'Text'],
  article: ['图文', 'Article'],
} as const satisfies Record<string, Text>
export type MaterialKind = keyof typeof materialKinds

export const materialStates = {
  draft: ['草稿', 'Draft'],
  on: ['已发布', 'Published'],
  off: ['已下线', 'Off'],
} as const satisfies Record<string, Text>
export type MaterialState = keyof typeof materialStates

/** What people do with material in the mini-program. */
export const materialHits = {
  view: ['浏览', 'View'],
  download: ['下载', 'Download'],
  share: ['分享', 'Share'],
} as const satisfies Record<string, Text>
export type MaterialHit = keyof typeof materialHits

/** The least that the code of a seller measures on a poster, in pixels of its picture. */
export const CODE_LEAST = 160
export const FILES_MOST = 9
/** Material that ends within so long is told of as ending. */
export const ENDING = 7 * DAY
/** Where the code of a seller is printed on a poster, in pixels of the picture. */
export type CodeArea = { x: number; y: number; size: number }
type Size = { width: number | null; height: number | null }
type Prices = { price_cents: number; list_price_cents: number; group_price_cents: number | null }

const sum = String.raw`(?:\d{1,3},\d{3}|\d{1,7})(?:\.\d{1,2})?(?![\d,])`
/** A sum with ¥ before it or 元 behind it, unless it is what is saved or must be spent (满100减20). */
const printed = new RegExp(
  String.raw`(?<![满减省返赚送抵][¥￥]?\s*)(?<![\d.,¥￥])(?:[¥￥]\s*(${sum})|(${sum})\s*元)`,
  'gu',
)
/** The prices that a text prints, in cents, each once. */
export const printedIn = (text: string): number[] => [
  ...new Set(
    [...text.matchAll(printed)].map(([, before, behind]) =>
      Math.round(Number((before ?? behind)!.replace(',', '')) * 100),
    ),
  ),
]
/** Those printed prices that are neither the live price, nor the list price, nor the group's. */
export const otherPrices = (cents: readonly number[], of: Prices): number[] =>
  cents.filter(one => ![of.price_cents, of.list_price_cents, of.group_price_cents].includes(one))
/**
 * Whether a text prints a price that is not (any more) the live one. Whoever confirmed it did so for
 * one live price: after the next change it is outdated again.
 */
export const isOutdated = (
  row: { printed_cents: readonly number[]; confirmed_cents: number | null },
  of: Prices | undefined,
): boolean =>
  of !== undefined &&
  row.confirmed_cents !== of.price_cents &&
  otherPrices(row.printed_cents, of).length > 0

/** What is wrong with a code area in a picture; of an unknown size only its own size is looked at. */
export const codeAreaFault = (
  { x, y, size }: CodeArea,
  { width, height }: Size,
): Text | undefined => {
  if (size < CODE_LEAST)
    return [`二维码区域边长至少 ${CODE_LEAST} 像素`, `The code needs at least ${CODE_LEAST} px`]
  if ((width !== null && x + size > width) || (height !== null && y + size > height))
    return [
      `二维码区域超出图片（${width}×${height}），请调小或移动`,
      `The code lies beyond the picture (${width}×${height}): move it or make it smaller`,
    ]
  return undefined
}

type Fields = {
  title: string
  kind: MaterialKind
  files: readonly string[]
  content: string
  start_at: number
  end_at: number | null
}
const filesFault = ({ kind, files }: Pick<Fields, 'kind' | 'files'>): Text | undefined => {
  const isLink = (file: string) => file.startsWith('https://')
  if (kind === 'video')
    return files.length === 1 && files.every(isLink)
      ? undefined
      : ['请填写一个 https:// 开头的视频地址', 'Give one address of a video, with https://']
  if (files.some(isLink)) return ['请上传图片', 'Upload pictures']
  if (kind === 'poster' && files.length !== 1)
    return ['海报须有且只有一张图片', 'A poster has one picture']
  return files.length === 0 && kind !== 'copywriting'
    ? ['请上传图片', 'Upload a picture']
    : undefined
}
/** What is wrong with material as it is written, by field. */
export const materialFaults = (of: Fields): Readonly<Record<string, Text | undefined>> => {
  const banned = (text: string): Text | undefined => {
    const word = bannedIn(text)
    return word === undefined
      ? undefined
      : [`含禁用词「${word}」，请改写`, `It holds the banned word “${word}”: write it anew`]
  }
  const needsText = of.kind === 'copywriting' || of.kind === 'article'
  return {
    title: banned(of.title),
    content: needsText && of.content === '' ? ['请填写文案', 'Write the text'] : banned(of.content),
    files: filesFault(of),
    end_at:
      of.end_at !== null && of.end_at <= of.start_at
        ? ['结束时间须晚于开始时间', 'It ends later than it starts']
        : undefined,
  }
}
