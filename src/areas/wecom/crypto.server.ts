import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '#src/server/sessions/sameSecret.ts'

/** What callbacks are signed and sealed with, and the corp that they are for. */
export type WecomSeal = { token: string; aes_key: string; corp_id: string }
/** What stands in the address of a callback. */
export type WecomSigned = { timestamp: string; nonce: string; msg_signature: string }

const BLOCK = 32
const HEAD = 16
const LENGTH = 4

const signatureOf = (token: string, of: Omit<WecomSigned, 'msg_signature'>, sealed: string) =>
  createHash('sha1').update([token, of.timestamp, of.nonce, sealed].sort().join('')).digest('hex')
/** WeCom's own words have 32 bytes of key, whose first 16 begin the chain of blocks. */
const keyOf = ({ aes_key }: WecomSeal): Buffer => Buffer.from(`${aes_key}=`, 'base64')

/** Seals a text as WeCom does; `head` is 16 bytes of chance. */
export const sealMessage = (
  keys: WecomSeal,
  text: string,
  of: Omit<WecomSigned, 'msg_signature'>,
  head: Buffer = randomBytes(HEAD),
): { sealed: string; msg_signature: string } => {
  const key = keyOf(keys)
  const body = Buffer.from(text)
  const length = Buffer.alloc(LENGTH)
  length.writeUInt32BE(body.length)
  const plain = Buffer.concat([head, length, body, Buffer.from(keys.corp_id)])
  const pad = BLOCK - (plain.length % BLOCK)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, HEAD)).setAutoPadding(false)
  const bytes = [cipher.update(Buffer.concat([plain, Buffer.alloc(pad, pad)])), cipher.final()]
  const sealed = Buffer.concat(bytes).toString('base64')
  return { sealed, msg_signature: signatureOf(keys.token, of, sealed) }
}

/**
 * The text of a sealed message; null when its signature is not WeCom's, when it was sealed with
 * another key, or for another corp.
 */
export const openMessage = (keys: WecomSeal, sealed: string, of: WecomSigned): string | null => {
  if (!isSameSecret(of.msg_signature, signatureOf(keys.token, of, sealed))) return null
  const key = keyOf(keys)
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length === 0 || bytes.length % BLOCK !== 0) return null
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, HEAD)).setAutoPadding(false)
  const padded = Buffer.concat([decipher.update(bytes), decipher.final()])
  const pad = padded.at(-1)!
  if (pad < 1 || pad > BLOCK) return null
  const plain = padded.subarray(0, -pad)
  if (plain.length < HEAD + LENGTH) return null
  const end = HEAD + LENGTH + plain.readUInt32BE(HEAD)
  if (end > plain.length || plain.subarray(end).toString() !== keys.corp_id) return null
  return plain.subarray(HEAD + LENGTH, end).toString()
}
