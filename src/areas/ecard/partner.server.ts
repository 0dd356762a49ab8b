/** The partner API of cards as its document has it (docs/partner-api.md): how secrets go over. */
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'

export const RETURNS_MOST = 100
export const STATEMENT_PAGE = 500

const NONCE = 12
const INFO = 'mallet/partner/cards/v1'
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
