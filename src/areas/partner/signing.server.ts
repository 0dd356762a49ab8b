/** What is signed of a call of a partner and of our answer, as the document has it (docs/partner-api.md). */
import { createHash, createHmac } from 'node:crypto'

/** A signature is good so many seconds before and after the moment that it names. */
export const SKEW_S = 300
/** How long a number of a signature is remembered, in seconds: longer than one could be good. */
export const NONCE_KEPT_S = 3 * SKEW_S
/** Calls of one partner in a minute. */
export const CALLS_A_MINUTE = 300

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
