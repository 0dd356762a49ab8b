/** The partner API as its document has it (docs/partner-api.md): what is signed, and how secrets go over. */
import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** A signature is good so many seconds before and after the moment that it names. */
export const SKEW_S = 300
/** How long a number of a signature is remembered, in seconds: longer than one could be good. */
export const NONCE_KEPT_S = 3 * SKEW_S
/** Calls of one channel in a minute. */
export const CALLS_A_MINUTE = 300
export const RETURNS_MOST = 100
export const STATEMENT_PAGE = 500

const NONCE = 12
const INFO = 'mallet/partner/cards/v1'
export type Signed = {
  method: string
  /** The path with its query, as it was sent. */ path: string
  timestamp: string
  nonce: string
  body: string
}
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
/** HMAC-SHA-256, in hex, of the five lines that the document names. */
export const signatureOf = (secret: string, of: Signed): string =>
  createHmac('sha256', secret)
    .update([of.method, of.path, of.timestamp, of.nonce, digest(of.body)].join('\n'))
    .digest('hex')
/** The answer's own signature: it belongs to the nonce that was asked with. */
export const answerSignature = (secret: string, nonce: string, body: string): string =>
  createHmac('sha256', secret)
    .update([nonce, digest(body)].join('\n'))
    .digest('hex')
/**
 * Encrypts the secrets of cards for whoever has the API secret: AES-256-GCM under a key of HKDF,
 * each bound to its card's number; base64 of nonce, text and tag.
 */
export const secretsFor = (secret: string) => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', INFO, 32))
  return (card_no: string, text: string): string => {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    cipher.setAAD(Buffer.from(card_no))
    return Buffer.concat([
      nonce,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]).toString('base64')
  }
}
