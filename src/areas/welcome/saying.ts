import { pieceFault, utf8Bytes } from '#src/areas/wecomMaterial/piece.ts'
import type { Text } from '#src/domain/text.ts'
import type { WelcomeAttachment } from './attachment.ts'
import {
  ATTACHMENTS_MOST,
  WELCOME_BYTES,
  welcomeVariables,
  type WelcomeVariable,
} from './welcome.ts'

/** What a message says: the part of a rule that its receiver sees. */
export type Saying = { text: string; attachments: readonly WelcomeAttachment[] }

const variable = /\{([^{}\n]{1,20})\}/g
const isKnown = (word: string): word is WelcomeVariable =>
  (welcomeVariables as readonly string[]).includes(word)
/** So many bytes of a name go into a message; the rest of a longer one is cut. */
const NAME_BYTES = 60
const cut = (name: string): string => {
  let [kept, bytes] = ['', 0]
  for (const sign of name) {
    bytes += utf8Bytes(sign)
    if (bytes > NAME_BYTES) break
    kept += sign
  }
  return kept
}
/** A text in pieces of at most so many bytes, none of them empty, cut between signs. */
export const inPieces = (text: string, most: number): string[] => {
  const pieces: string[] = []
  let [piece, bytes] = ['', 0]
  for (const sign of text) {
    const size = utf8Bytes(sign)
    if (bytes + size > most) {
      pieces.push(piece)
      ;[piece, bytes] = ['', 0]
    }
    piece += sign
    bytes += size
  }
  return piece === '' ? pieces : [...pieces, piece]
}
/** Words in braces that stand for nothing. */
const unknownVariables = (text: string): string[] =>
  [...text.matchAll(variable)].flatMap(([, word]) => (isKnown(word!) ? [] : [word!]))
/** The text as one customer gets it. */
export const filled = (text: string, values: Readonly<Record<WelcomeVariable, string>>): string =>
  text.replace(variable, (whole, word: string) => (isKnown(word) ? cut(values[word]) : whole))
/** The most bytes that a text may come to, once names stand in it. */
const mostBytes = (text: string): number => {
  const names = [...text.matchAll(variable)].filter(([, word]) => isKnown(word!)).length
  return (
    utf8Bytes(text.replace(variable, (whole, word) => (isKnown(word) ? '' : whole))) +
    names * NAME_BYTES
  )
}

/** What is wrong with one attachment; undefined where nothing is. */
const attachmentFault = (of: WelcomeAttachment): Text | undefined =>
  of.kind === 'material' ? undefined : pieceFault(of)?.[1]
/** What keeps a message from being saved, at the field that it is about. */
export const sayingFaults = (
  { text, attachments }: Saying,
  bytes = WELCOME_BYTES,
  most = ATTACHMENTS_MOST,
): Partial<Record<'text' | 'attachments', Text>> => {
  const [unknown] = unknownVariables(text)
  const faults: Partial<Record<'text' | 'attachments', Text>> = {}
  if (text.trim() === '' && attachments.length === 0)
    faults.text = ['文字和附件至少填一项', 'Write a text or attach something']
  else if (unknown !== undefined)
    faults.text = [
      `不支持的变量 {${unknown}}，可用：{客户昵称} {员工姓名} {门店名}`,
      `No variable is called {${unknown}}: use {客户昵称}, {员工姓名} or {门店名}`,
    ]
  else if (mostBytes(text) > bytes)
    faults.text = [
      `文字最多 ${bytes} 字节（约 ${Math.floor(bytes / 3)} 个汉字），含姓名后可能达 ${mostBytes(text)} 字节`,
      `At most ${bytes} bytes; with names it may come to ${mostBytes(text)}`,
    ]
  if (attachments.length > most)
    faults.attachments = [`附件最多 ${most} 个`, `At most ${most} attachments`]
  else {
    const fault = attachments.map(attachmentFault).find(one => one !== undefined)
    if (fault) faults.attachments = fault
  }
  return faults
}
