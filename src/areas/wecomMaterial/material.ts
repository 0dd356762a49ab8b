import { bannedIn } from '#src/areas/mall/recommend.ts'
import { sayingFaults } from '#src/areas/welcome/saying.ts'
import type { Text } from '#src/domain/text.ts'
import { fileOf, pieceFault, pieceKinds, type MediaFile, type MessagePiece } from './piece.ts'

export const materialKinds = {
  text: ['文字', 'Text'],
  ...pieceKinds,
} as const satisfies Record<string, Text>
export type MaterialKind = keyof typeof materialKinds
/** What a material says; the name of a video or a file is its title. */
export type MaterialBody =
  | { kind: 'text'; text: string }
  | Exclude<MessagePiece, { kind: 'video' | 'file' }>
  | { kind: 'video'; key: string }
  | { kind: 'file'; key: string }

export const materialStates = {
  draft: ['草稿', 'Draft'],
  enabled: ['启用中', 'On'],
  disabled: ['已停用', 'Off'],
} as const satisfies Record<string, Text>
export type MaterialState = keyof typeof materialStates
/** How WeCom has the file of a material. */
export const mediaStates = {
  none: ['无需上传', 'Needs none'],
  absent: ['未上传', 'Not there'],
  valid: ['有效', 'Valid'],
  expired: ['已过期', 'Expired'],
  failed: ['刷新失败', 'Failed'],
} as const satisfies Record<string, Text>
export type MediaState = keyof typeof mediaStates
/** What may carry a material. */
export const holderKinds = {
  welcome: ['好友欢迎语', 'Welcome'],
  group: ['入群欢迎语', 'Group welcome'],
  mass: ['企业群发', 'Mass message'],
} as const satisfies Record<string, Text>
export type HolderKind = keyof typeof holderKinds
/** What stands for the name of an adviser where none sent it. */
export const notAdvisers = [
  '其他（如入群欢迎语）',
  'Others, such as group greetings',
] as const satisfies Text
/** Why a material is left out of a message. */
export const unsendable = {
  off: ['素材未启用', 'The material is not on'],
  over: ['素材已过有效期', 'The material is past its end'],
  gone: ['素材已删除', 'The material was deleted'],
} as const satisfies Record<string, Text>
export type Unsendable = keyof typeof unsendable

export const TITLE_MOST = 60
export const CATEGORY_MOST = 20
export const TEXT_BYTES = 4000
export const MATERIALS_MOST = 5000
/** So many are moved or counted at once. */
export const AT_ONCE = 100

/** A material as a part of a message; undefined for a text. */
export const pieceOf = ({
  title,
  body,
}: {
  title: string
  body: MaterialBody
}): MessagePiece | undefined => {
  if (body.kind === 'text') return undefined
  if (body.kind !== 'video' && body.kind !== 'file') return body
  const extension = /\.\w{1,5}$/.exec(body.key)?.[0] ?? ''
  return { ...body, name: title.endsWith(extension) ? title : `${title}${extension}` }
}
/** The file that WeCom needs for a material; undefined for one without any. */
export const mediaFileOf = (of: { title: string; body: MaterialBody }): MediaFile | undefined => {
  const piece = pieceOf(of)
  return piece && fileOf(piece)
}
/** The words of a body that advertising law looks at, each with what it is called. */
const textsOf = (body: MaterialBody): readonly (readonly [Text, string])[] => {
  switch (body.kind) {
    case 'text':
      return [[['文字', 'text'], body.text]]
    case 'link':
      return [
        [['链接标题', 'link title'], body.title],
        [['链接描述', 'link description'], body.desc],
      ]
    case 'miniprogram':
      return [[['小程序标题', 'mini program title'], body.title]]
    default:
      return []
  }
}
/** Why a text of a material can't be shown to customers; `what` is what the text is. */
export const bannedFault = ([zh, en]: Text, text: string): Text | undefined => {
  const word = bannedIn(text)
  return word === undefined
    ? undefined
    : [`${zh}含广告禁用词「${word}」，请改写`, `The ${en} holds the banned word “${word}”`]
}
/** Why a text is none that WeCom takes, or names what nobody knows; undefined where all is well. */
export const textFault = (text: string): Text | undefined => {
  if (text.trim() === '') return ['请填写文字', 'Write the text']
  return sayingFaults({ text, attachments: [] }).text
}
type Written = { title: string; body: MaterialBody }
const bodyFault = (of: Written): Text | undefined => {
  const { body } = of
  const wrong = body.kind === 'text' ? textFault(body.text) : pieceFault(pieceOf(of)!)?.[1]
  return (
    wrong ??
    textsOf(body)
      .map(one => bannedFault(...one))
      .find(fault => fault !== undefined)
  )
}
/**
 * What keeps a material from being saved: WeCom's limits, and words that advertising law forbids.
 * The form and the server ask the same.
 */
export const materialFaults = (
  of: Written,
): Readonly<Record<'title' | 'body', Text | undefined>> => ({
  title: bannedFault(['名称', 'name'], of.title),
  body: bodyFault(of),
})
/** The most bytes of the file of a kind that WeCom takes. */
export const FILE_BYTES = {
  image: 10 * 1024 * 1024,
  video: 10 * 1024 * 1024,
  file: 20 * 1024 * 1024,
} as const

type Validity = { status: MaterialState; valid_to_at: number | null; gone_at: number | null }
/** Why a message leaves a material out at a time (unix seconds); undefined where it does not. */
export const unsendableBy = (of: Validity, now: number): Unsendable | undefined => {
  if (of.gone_at !== null) return 'gone'
  if (of.status !== 'enabled') return 'off'
  return of.valid_to_at !== null && of.valid_to_at <= now ? 'over' : undefined
}
/** How WeCom has a file; `media` is what is kept of it, undefined where it was never tried. */
export const mediaState = (
  file: unknown,
  media: { media_id: string | null; expire_at: number | null; error: string } | undefined,
  now: number,
): MediaState => {
  if (file === undefined || file === null) return 'none'
  if (!media) return 'absent'
  if (media.error !== '') return 'failed'
  if (media.expire_at === null) return 'absent'
  return media.expire_at > now ? 'valid' : 'expired'
}

type Standing = {
  status: MaterialState
  valid_to_at: number | null
  uses_n: number
  live_n: number
  media: MediaState
}
export type MaterialVerb = 'enable' | 'disable' | 'del' | 'replace' | 'refreshMedia'
const why: Readonly<Record<MaterialVerb, (of: Standing, now: number) => Text | undefined>> = {
  enable: ({ status, valid_to_at }, now) => {
    if (status === 'enabled') return ['已启用', 'It is on already']
    return valid_to_at !== null && valid_to_at <= now
      ? ['已过有效期，请先修改有效期', 'It is past its end: change the end first']
      : undefined
  },
  disable: ({ status }) => (status === 'enabled' ? undefined : ['未启用', 'It is not on']),
  del: () => undefined,
  replace: ({ uses_n }) => (uses_n > 0 ? undefined : ['没有内容使用它', 'Nothing uses it']),
  refreshMedia: ({ media }) =>
    media === 'none' ? ['文字和链接无需上传', 'It has nothing to upload'] : undefined,
}
/** Whether that can be done with a material at a time (unix seconds), or why not. */
export const materialCan = (verb: MaterialVerb, of: Standing, now: number): true | Text =>
  why[verb](of, now) ?? true
