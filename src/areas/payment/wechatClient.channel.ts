import {
  constants,
  createDecipheriv,
  publicEncrypt,
  randomBytes,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import { z } from 'zod'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'

/** A merchant's keys: our own private one, and WeChat Pay's public one with its id. */
export type WechatPayKeys = {
  mchid: string
  serial: string
  private_key: KeyObject
  v3_key: string
  public_key: KeyObject
  public_key_id: string
}
export type WechatAround = {
  /** WeChat Pay's address. */ api?: string
  fetch?: typeof fetch
  now?: () => number
  timeout_ms?: number
}

/** Older answers and callbacks are taken for replayed. */
const FRESH_S = 300
const TIMEOUT_MS = 10_000
/** Refusals that say nothing of the money: ask again, with the same number. */
const again = new Set([
  'SYSTEM_ERROR',
  'SYSTEMERROR',
  'FREQUENCY_LIMITED',
  'RATELIMIT_EXCEEDED',
  'BIZ_ERR_NEED_RETRY',
])
const refusal = z.object({ code: z.string().min(1).max(64), message: z.string().default('') })
const callback = z.object({
  resource: z.object({
    original_type: z.string(),
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string().min(24),
    associated_data: z.string().default(''),
    nonce: z.string().min(1),
  }),
})
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A time of WeChat's, as unix seconds. */
export const wechatTime = z.string().transform((text, context) => {
  const at = Date.parse(text)
  if (!Number.isNaN(at)) return Math.floor(at / 1000)
  context.addIssue('no time')
  return z.NEVER
})
/** Said of an answer that has not the shape of one, in both languages (`unjoined`). */
export const garbledText = joined(['微信支付的应答无法识别', 'WeChat Pay’s answer can’t be read'])
/** The beginning of a text that fits into so many bytes; no character is cut in two. */
export const cutBytes = (text: string, max: number): string => {
  let bytes = 0
  let end = 0
  for (const char of text) {
    bytes += Buffer.byteLength(char)
    if (bytes > max) break
    end += char.length
  }
  return text.slice(0, end)
}
/** A name as only WeChat can read it. */
export const sealedFor = ({ public_key }: WechatPayKeys, name: string): string =>
  publicEncrypt(
    { key: public_key, padding: constants.RSA_PKCS1_OAEP_PADDING },
    Buffer.from(name),
  ).toString('base64')
/**
 * What WeChat answered: what it said, that it refused, or, in both languages (`unjoined`), why
 * nothing is known.
 */
export type WechatSaid =
  | { said: unknown }
  | { refused: { code: string; message: string } }
  | { unknown: string }
type Notice = {
  headers: Readonly<Record<string, string | undefined>>
  body: string
  now: number
}

/** Signed by WeChat, lately, over exactly this body. */
const genuine = (
  keys: WechatPayKeys,
  header: (name: string) => string | null | undefined,
  body: string,
  now: number,
): boolean => {
  const [timestamp, nonce, signature] = [
    header('wechatpay-timestamp') ?? '',
    header('wechatpay-nonce') ?? '',
    header('wechatpay-signature') ?? '',
  ]
  if (
    header('wechatpay-serial') !== keys.public_key_id ||
    !/^\d{1,12}$/.test(timestamp) ||
    !nonce ||
    !signature ||
    Math.abs(now - Number(timestamp)) > FRESH_S
  )
    return false
  return verify(
    'sha256',
    Buffer.from(`${timestamp}\n${nonce}\n${body}\n`),
    keys.public_key,
    Buffer.from(signature, 'base64'),
  )
}
type Around = Required<WechatAround>
const aroundOf = (of: WechatAround): Around => ({
  api: 'https://api.mch.weixin.qq.com',
  fetch,
  now: unixNow,
  timeout_ms: TIMEOUT_MS,
  ...of,
})
/** The headers of a request that our key signs. */
const signedFor = (
  keys: WechatPayKeys,
  { method, path, body, now }: { method: 'GET' | 'POST'; path: string; body: string; now: number },
) => {
  const nonce = randomBytes(16).toString('hex')
  const signature = sign(
    'sha256',
    Buffer.from(`${method}\n${path}\n${now}\n${nonce}\n${body}\n`),
    keys.private_key,
  ).toString('base64')
  return {
    authorization: `WECHATPAY2-SHA256-RSA2048 mchid="${keys.mchid}",nonce_str="${nonce}",signature="${signature}",timestamp="${now}",serial_no="${keys.serial}"`,
    // Says which of WeChat's keys the answer is to be signed with.
    'wechatpay-serial': keys.public_key_id,
    accept: 'application/json',
    'user-agent': 'mallet',
  }
}
const unreached = (error: unknown, timeout_ms: number): string =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? joined([
        `微信支付 ${timeout_ms / 1000} 秒内没有应答`,
        `WeChat Pay did not answer within ${timeout_ms / 1000} s`,
      ])
    : joined(['无法连接微信支付', 'WeChat Pay can’t be reached'])
const away = (status: number) =>
  joined([
    `微信支付暂时不可用（HTTP ${status}）`,
    `WeChat Pay is not available now (HTTP ${status})`,
  ])
const unsigned = joined([
  '微信支付不接受我方签名（HTTP 401），请核对商户号、证书序列号、私钥与服务器时间',
  'WeChat Pay refuses our signature (HTTP 401): check merchant number, serial, key and server time',
])
const unproved = (status: number) =>
  joined([
    `微信支付的应答签名无法验证（HTTP ${status}），请核对平台公钥与服务器时间`,
    `WeChat Pay’s signature can’t be verified (HTTP ${status}): check its public key and server time`,
  ])
/** A refusal by its code; one that says nothing of what was asked is WeChat's silence. */
const refusedBy = (status: number, text: string): WechatSaid => {
  const { data: refused } = refusal.safeParse(parsed(text))
  if (!refused) return { unknown: garbledText }
  return status === 429 || again.has(refused.code)
    ? {
        unknown: joined([
          `微信支付繁忙，请稍后再查（${refused.code}）`,
          `WeChat Pay is busy, ask again later (${refused.code})`,
        ]),
      }
    : { refused }
}
/**
 * Asks WeChat; answers what it said, parsed and believed, or what its silence or refusal means.
 */
const callBy =
  (keys: WechatPayKeys, { api, fetch: ask, now: clock, timeout_ms }: Around) =>
  async (method: 'GET' | 'POST', path: string, input?: object): Promise<WechatSaid> => {
    const body = input ? JSON.stringify(input) : ''
    let answered: Response
    let text: string
    try {
      answered = await ask(api + path, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout_ms),
        ...(input && { body }),
        headers: {
          ...signedFor(keys, { method, path, body, now: clock() }),
          ...(input && { 'content-type': 'application/json' }),
        },
      })
      text = await answered.text()
    } catch (error) {
      return { unknown: unreached(error, timeout_ms) }
    }
    if (answered.status >= 500) return { unknown: away(answered.status) }
    if (!genuine(keys, name => answered.headers.get(name), text, clock()))
      return {
        unknown: answered.status === 401 ? unsigned : unproved(answered.status),
      }
    return answered.ok ? { said: parsed(text) } : refusedBy(answered.status, text)
  }
/** The bytes of a body, or undefined once they are more than `most`. */
const bytesOf = async (answered: Response, most: number): Promise<Buffer | undefined> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answered.body ?? []) {
    size += part.byteLength
    if (size > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}
const foreign = joined([
  '微信支付给出的下载地址不属于微信支付，没有下载',
  'WeChat Pay named an address that is not its own: nothing was downloaded',
])
export type WechatFile = { file: Buffer } | Exclude<WechatSaid, { said: unknown }>
/**
 * Downloads a file that WeChat named by an address of its own; any other address is not asked, as
 * our signature would go there. WeChat does not sign files: whoever asked holds it against the hash
 * that was signed.
 */
const fileBy =
  (keys: WechatPayKeys, { api, fetch: ask, now: clock, timeout_ms }: Around) =>
  async (address: string, most: number): Promise<WechatFile> => {
    const url = URL.parse(address)
    if (!url || url.origin !== new URL(api).origin) return { unknown: foreign }
    try {
      const path = url.pathname + url.search
      const answered = await ask(url, {
        redirect: 'error',
        signal: AbortSignal.timeout(timeout_ms),
        headers: signedFor(keys, { method: 'GET', path, body: '', now: clock() }),
      })
      if (answered.status >= 500) return { unknown: away(answered.status) }
      if (answered.status === 401) return { unknown: unsigned }
      const file = await bytesOf(answered, most)
      if (!file) return { refused: { code: 'TOO_LARGE', message: '文件过大' } }
      if (answered.ok) return { file }
      const refused = refusedBy(answered.status, file.toString('utf8'))
      return 'said' in refused ? { unknown: garbledText } : refused
    } catch (error) {
      return { unknown: unreached(error, timeout_ms) }
    }
  }
/** What a genuine callback is about, opened; null for any other, or one that was changed. */
const openedBy = (
  keys: WechatPayKeys,
  { headers, body, now }: Notice,
): { type: string; plain: unknown } | null => {
  if (!genuine(keys, name => headers[name], body, now)) return null
  const { data } = callback.safeParse(parsed(body))
  if (!data) return null
  const { resource } = data
  try {
    const sealed = Buffer.from(resource.ciphertext, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', keys.v3_key, resource.nonce, {
      authTagLength: 16,
    })
      .setAuthTag(sealed.subarray(-16))
      .setAAD(Buffer.from(resource.associated_data))
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return { type: resource.original_type, plain: parsed(plain.toString('utf8')) }
  } catch {
    // Sealed with another key, or changed on the way.
    return null
  }
}
/**
 * How WeChat Pay's API v3 is asked, and how what it says is believed: requests are signed with our
 * key, answers and callbacks verified with WeChat's, callbacks opened with the v3 key. What can't be
 * verified as WeChat's own is its silence.
 */
export const wechatClient = (keys: WechatPayKeys, around: WechatAround = {}) => ({
  call: callBy(keys, aroundOf(around)),
  file: fileBy(keys, aroundOf(around)),
  opened: (of: Notice) => openedBy(keys, of),
})
