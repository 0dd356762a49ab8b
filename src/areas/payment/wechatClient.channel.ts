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
/** Said of an answer that has not the shape of one. */
export const garbledText = '微信支付的应答无法识别'
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
/** What WeChat answered: what it said, that it refused, or that nothing is known. */
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
/**
 * Asks WeChat; answers what it said, parsed and believed, or what its silence or refusal means.
 */
const callBy =
  (
    keys: WechatPayKeys,
    {
      api = 'https://api.mch.weixin.qq.com',
      fetch: ask = fetch,
      now: clock = unixNow,
      timeout_ms = TIMEOUT_MS,
    }: WechatAround,
  ) =>
  async (method: 'GET' | 'POST', path: string, input?: object): Promise<WechatSaid> => {
    const body = input ? JSON.stringify(input) : ''
    const [timestamp, nonce] = [String(clock()), randomBytes(16).toString('hex')]
    const signature = sign(
      'sha256',
      Buffer.from(`${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`),
      keys.private_key,
    ).toString('base64')
    let answered: Response
    let text: string
    try {
      answered = await ask(api + path, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout_ms),
        ...(input && { body }),
        headers: {
          authorization: `WECHATPAY2-SHA256-RSA2048 mchid="${keys.mchid}",nonce_str="${nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${keys.serial}"`,
          // Says which of WeChat's keys the answer is to be signed with.
          'wechatpay-serial': keys.public_key_id,
          accept: 'application/json',
          'user-agent': 'mallet',
          ...(input && { 'content-type': 'application/json' }),
        },
      })
      text = await answered.text()
    } catch (error) {
      return {
        unknown:
          error instanceof DOMException && error.name === 'TimeoutError'
            ? `微信支付 ${timeout_ms / 1000} 秒内没有应答`
            : '无法连接微信支付',
      }
    }
    if (answered.status >= 500) return { unknown: `微信支付暂时不可用（HTTP ${answered.status}）` }
    if (!genuine(keys, name => answered.headers.get(name), text, clock()))
      return {
        unknown:
          answered.status === 401
            ? '微信支付不接受我方签名（HTTP 401），请核对商户号、证书序列号、私钥与服务器时间'
            : `微信支付的应答签名无法验证（HTTP ${answered.status}），请核对平台公钥与服务器时间`,
      }
    if (answered.ok) return { said: parsed(text) }
    const { data: refused } = refusal.safeParse(parsed(text))
    if (!refused) return { unknown: garbledText }
    return answered.status === 429 || again.has(refused.code)
      ? { unknown: `微信支付繁忙，请稍后再查（${refused.code}）` }
      : { refused }
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
  call: callBy(keys, around),
  opened: (of: Notice) => openedBy(keys, of),
})
