import type { Text } from './text.ts'

/** A kind of picture that is stored; every browser shows it. */
export type PictureFormat = 'jpeg' | 'png' | 'webp'
/** Why a picture is not taken, with the values of its words. */
export type PictureFault = readonly [Text, Readonly<Record<string, string | number>>]

/** The most bytes of one picture: 8 MB. */
export const PICTURE_MAX_BYTES = 8 * 1024 * 1024
/** 40 megapixels: a small file may unpack to gigabytes. */
export const PICTURE_MAX_PIXELS = 40_000_000
/** A picture is made smaller until its longer side is this many pixels … */
const LONG = 4096
/** … but never below so many at its shorter side: a page of text in it stays readable. */
const SHORT = 1500
/** The most pixels that a side keeps. */
const SIDE_MAX = 32_000

const word = (bytes: Uint8Array, from: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))
/** The first brand of a file in the ISO container that HEIC and AVIF have in common. */
const brandOf = (bytes: Uint8Array): string | undefined =>
  word(bytes, 4) === 'ftyp' ? word(bytes, 8) : undefined

/** What the first bytes say a picture is; a name or a header may say anything. */
export const pictureFormat = (bytes: Uint8Array): PictureFormat | undefined => {
  if (word(bytes, 0, 3) === '\u00ff\u00d8\u00ff') return 'jpeg'
  if (word(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n') return 'png'
  return word(bytes, 0) === 'RIFF' && word(bytes, 8) === 'WEBP' ? 'webp' : undefined
}

/** Whether a PNG has a chunk of animation; it stands before the first chunk of pixels. */
const isAnimatedPng = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 8 <= bytes.length; at += view.getUint32(at) + 12) {
    const chunk = word(bytes, at + 4)
    if (chunk === 'acTL') return true
    if (chunk === 'IDAT') return false
  }
  return false
}
const ANIMATION_BIT = 0x02
const isAnimatedWebp = (bytes: Uint8Array): boolean =>
  word(bytes, 12) === 'VP8X' && ((bytes[20] ?? 0) & ANIMATION_BIT) !== 0
const isAnimated = (bytes: Uint8Array, format: PictureFormat): boolean =>
  (format === 'png' && isAnimatedPng(bytes)) || (format === 'webp' && isAnimatedWebp(bytes))

const tooManyBytes: Text = [
  '图片不能大于 {n} MB，请压缩后再传',
  'A picture has at most {n} MB: compress it first',
]
const empty: Text = ['文件是空的，请换一张', 'The file is empty: take another']
const heic: Text = [
  '{kind} 图片在多数浏览器中无法显示，请另存为 JPG 后上传',
  'Most browsers can’t show {kind}: save the picture as JPG first',
]
const animated: Text = [
  '不支持动图，请另存为一张静态的 JPG 或 PNG',
  'An animated picture can’t be used: save one still picture as JPG or PNG',
]
const notPicture: Text = [
  '只能上传 JPG、PNG 或 WebP 图片，这个文件不是',
  'JPG, PNG or WebP pictures only, and this file is none',
]
const damaged: Text = [
  '图片不完整或已损坏，请重新导出或换一张',
  'The picture is cut or damaged: export it again or take another',
]
const tooManyPixels: Text = [
  '图片为 {w}×{h}（{n} 万像素），最多 {most} 万像素，请缩小后再传',
  'The picture is {w}×{h} ({mega} megapixels), at most {mega_most}: make it smaller first',
]
const tooLong: Text = [
  '图片为 {w}×{h}，一边最多 {most} 像素，请切成几张上传',
  'The picture is {w}×{h}, a side has at most {most} pixels: cut it into several',
]

/** The refusal of a picture of too many bytes. */
export const pictureTooBig: PictureFault = [tooManyBytes, { n: PICTURE_MAX_BYTES / 1024 / 1024 }]
/** The refusal of a file that begins as a picture and is no whole one. */
export const pictureDamaged: PictureFault = [damaged, {}]

/** Why a file can't be taken as a picture, as far as its bytes tell without it being drawn. */
export const pictureFileFault = (bytes: Uint8Array): PictureFault | undefined => {
  if (bytes.length === 0) return [empty, {}]
  if (bytes.length > PICTURE_MAX_BYTES) return pictureTooBig
  const format = pictureFormat(bytes)
  if (format) return isAnimated(bytes, format) ? [animated, {}] : undefined
  const brand = brandOf(bytes)
  if (brand) return brand.startsWith('avi') ? [heic, { kind: 'AVIF' }] : [heic, { kind: 'HEIC' }]
  return word(bytes, 0) === 'GIF8' ? [animated, {}] : [notPicture, {}]
}

type Size = { width: number; height: number }
/** Why a picture of this size, in pixels, can't be taken. */
export const pictureSizeFault = ({ width, height }: Size): PictureFault | undefined => {
  const pixels = width * height
  if (pixels > PICTURE_MAX_PIXELS)
    return [
      tooManyPixels,
      {
        w: width,
        h: height,
        n: Math.ceil(pixels / 10_000),
        most: PICTURE_MAX_PIXELS / 10_000,
        mega: Math.ceil(pixels / 100_000) / 10,
        mega_most: PICTURE_MAX_PIXELS / 1_000_000,
      },
    ]
  const drawn = pictureDrawnSize({ width, height })
  return Math.max(drawn.width, drawn.height) > SIDE_MAX
    ? [tooLong, { w: width, h: height, most: SIDE_MAX }]
    : undefined
}
/**
 * The size in pixels that a picture is kept at: a photo within 4096 × 4096, a long strip at its own
 * width up to 1500, never larger than it is.
 */
export const pictureDrawnSize = ({ width, height }: Size): Size => {
  const scale = Math.min(
    1,
    Math.max(LONG / Math.max(width, height), SHORT / Math.min(width, height)),
  )
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
