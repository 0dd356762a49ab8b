/** Files that messages carry beside pictures: what they are by their first bytes. */
import type { Text } from './text.ts'

export type AttachedKind = 'video' | 'file'
const MB = 1024 * 1024
/** The most bytes of each: what WeCom keeps. */
export const attachedMost: Readonly<Record<AttachedKind, number>> = {
  video: 10 * MB,
  file: 20 * MB,
}
/** The fewest bytes that WeCom takes. */
const LEAST = 6
/** How a file of an extension begins: a document of an office is a zip archive or an old container. */
const ZIP = 'PK\u0003\u0004'
const OLE = '\u00d0\u00cf\u0011\u00e0'
const begins: Readonly<Record<string, readonly string[]>> = {
  pdf: ['%PDF'],
  docx: [ZIP],
  xlsx: [ZIP],
  pptx: [ZIP],
  zip: [ZIP],
  doc: [OLE],
  xls: [OLE],
  ppt: [OLE],
}
const mimes: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  zip: 'application/zip',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}
/** What a browser offers to choose from. */
export const attachedAccept: Readonly<Record<AttachedKind, string>> = {
  video: 'video/mp4,.mp4',
  file: Object.keys(begins)
    .map(of => `.${of}`)
    .join(),
}
/** The media types that a store may take. */
export const attachedMimes: Readonly<Record<AttachedKind, string>> = {
  video: 'video/mp4',
  file: Object.keys(begins)
    .map(of => mimes[of])
    .join(';'),
}
/** The extension of a name in small letters; empty where it has none. */
export const extensionOf = (name: string): string =>
  /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
export const mimeOf = (extension: string): string => mimes[extension] ?? 'application/octet-stream'

type Fault = readonly [Text, Readonly<Record<string, string | number>>]
const word = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))
/** Brands of the ISO container that are pictures or sound alone. */
const STILL = /^(?:heic|heix|mif1|msf1|avif|avis|M4A )$/
const isMp4 = (bytes: Uint8Array): boolean =>
  word(bytes, 4, 4) === 'ftyp' && !STILL.test(word(bytes, 8, 4))
export const attachedTooBig = (kind: AttachedKind): Fault => [
  ['文件不能大于 {n} MB，请压缩后再传', 'A file has at most {n} MB: compress it first'],
  { n: attachedMost[kind] / MB },
]
/** Why a file is not taken, by its size, its first bytes and what its name says; undefined else. */
export const attachedFault = (
  kind: AttachedKind,
  bytes: Uint8Array,
  name: string,
): Fault | undefined => {
  if (bytes.length > attachedMost[kind]) return attachedTooBig(kind)
  if (bytes.length < LEAST) return [['文件是空的，请换一个', 'The file is empty: take another'], {}]
  if (kind === 'video')
    return isMp4(bytes)
      ? undefined
      : [['视频须为 MP4，请转换格式后上传', 'A video is an MP4: convert it first'], {}]
  const wanted = begins[extensionOf(name)]
  if (!wanted)
    return [
      [
        '支持 PDF、Word、Excel、PPT 和 ZIP 文件',
        'PDF, Word, Excel, PowerPoint and ZIP files can be sent',
      ],
      {},
    ]
  return wanted.some(of => word(bytes, 0, of.length) === of)
    ? undefined
    : [['文件内容与扩展名不符，或已损坏', 'The file is not what its name says, or damaged'], {}]
}
