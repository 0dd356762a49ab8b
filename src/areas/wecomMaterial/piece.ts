import type { Text } from '#src/domain/text.ts'

/** A part of a message beside its text, as WeCom takes it. Files are keys of uploads. */
export type MessagePiece =
  | { kind: 'image'; key: string }
  | { kind: 'link'; title: string; desc: string; url: string }
  | { kind: 'miniprogram'; title: string; appid: string; page: string; key: string }
  | { kind: 'video'; key: string; name: string }
  | { kind: 'file'; key: string; name: string }
export type PieceKind = MessagePiece['kind']
export const pieceKinds = {
  image: ['图片', 'Picture'],
  link: ['链接', 'Link'],
  miniprogram: ['小程序', 'Mini program'],
  video: ['视频', 'Video'],
  file: ['文件', 'File'],
} as const satisfies Record<PieceKind, Text>

/** What WeCom keeps a file as; the cover of a mini program is a picture. */
type MediaKind = 'image' | 'video' | 'file'
/** A stored file that a message needs; `name` is what its receiver sees it called. */
export type MediaFile = { kind: MediaKind; key: string; name?: string }
/** The file that a piece needs in WeCom; undefined for one that needs none. */
export const fileOf = (of: MessagePiece): MediaFile | undefined => {
  if (of.kind === 'link') return undefined
  if (of.kind === 'image' || of.kind === 'miniprogram') return { kind: 'image', key: of.key }
  return { kind: of.kind, key: of.key, name: of.name }
}

const encoder = new TextEncoder()
/** The bytes of a text in UTF-8. */
export const utf8Bytes = (text: string): number => encoder.encode(text).length
const LINK_TITLE_BYTES = 128
const LINK_DESC_BYTES = 512
const MINI_TITLE_BYTES = 64
const isHttps = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'https:'
const isPicture = (key: string): boolean => /\.(?:png|jpe?g)$/i.test(key)
const pictureFault: Text = ['图片须为 JPG 或 PNG', 'A picture is a JPG or PNG']
const linkFault = ({ title, desc, url }: Extract<MessagePiece, { kind: 'link' }>) => {
  if (!isHttps(url))
    return ['url', ['链接须以 https:// 开头', 'A link begins with https://']] as const
  if (utf8Bytes(title) > LINK_TITLE_BYTES)
    return ['title', ['链接标题超过 128 字节', 'The title of a link is over 128 bytes']] as const
  return utf8Bytes(desc) > LINK_DESC_BYTES
    ? (['desc', ['链接描述超过 512 字节', 'The description of a link is over 512 bytes']] as const)
    : undefined
}
const miniFault = ({ appid, title, page, key }: Extract<MessagePiece, { kind: 'miniprogram' }>) => {
  if (!/^wx[0-9a-f]{16}$/.test(appid))
    return ['appid', ['小程序 AppID 须为 wx 加 16 位', 'An AppID is wx and 16 signs']] as const
  if (utf8Bytes(title) > MINI_TITLE_BYTES)
    return [
      'title',
      ['小程序标题超过 64 字节', 'The title of a mini program is over 64 bytes'],
    ] as const
  if (page.trim() === '')
    return ['page', ['请填写小程序页面路径', 'Give the page of the mini program']] as const
  return isPicture(key) ? undefined : (['key', pictureFault] as const)
}
/**
 * What WeCom would not take of a piece, with the field that it is about; undefined where nothing is.
 * WeCom counts bytes of UTF-8, not characters.
 */
export const pieceFault = (of: MessagePiece): readonly [string, Text] | undefined => {
  switch (of.kind) {
    case 'link':
      return linkFault(of)
    case 'miniprogram':
      return miniFault(of)
    case 'image':
      return isPicture(of.key) ? undefined : ['key', pictureFault]
    case 'video':
      return /\.mp4$/i.test(of.key) ? undefined : ['key', ['视频须为 MP4', 'A video is an MP4']]
    case 'file':
      return of.key === '' ? ['key', ['请上传文件', 'Upload a file']] : undefined
  }
}
