import { createDecipheriv, randomBytes, sign, verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { unixNow } from '#src/domain/time.ts'
import type { PayAnswer, PayChannel } from './pay.channel.ts'
import { payFaults } from './payFault.ts'

/** A merchant's keys: our own private one, and WeChat Pay's public one with its id. */
export type WechatPayKeys = {
  mchid: string
  serial: string
  private_key: KeyObject
  v3_key: string
  public_key: KeyObject
  public_key_id: string
}
type Around = {
  /** WeChat Pay's address. */ api?: string
  fetch?: typeof fetch
  now?: () => number
  timeout_ms?: number
}

/** Older answers and callbacks are taken for replayed. */
const FRESH_S = 300
const TIMEOUT_MS = 10_000
const REASON_BYTES = 80
/** Refusals that say nothing of the payment: ask again, with the same number. */
const again = new Set([
  'SYSTEM_ERROR',
  'SYSTEMERROR',
  'FREQUENCY_LIMITED',
  'RATELIMIT_EXCEEDED',
  'BIZ_ERR_NEED_RETRY',
])

const time = z.string().transform((text, context) => {
  const at = Date.parse(text)
  if (!Number.isNaN(at)) return Math.floor(at / 1000)
  context.addIssue('no time')
  return z.NEVER
})
const cents = z.int().min(0)
const refundShape = z.object({
  out_refund_no: z.string(),
  refund_id: z.string().min(1),
  success_time: time.optional(),
  amount: z.object({ refund: cents }),
})
const refundAnswer = z.object({ ...refundShape.shape, status: z.string() })
const refundTold = z.object({ ...refundShape.shape, refund_status: z.string(), mchid: z.string() })
const paymentShape = z.object({
  out_trade_no: z.string(),
  mchid: z.string(),
  trade_state: z.string(),
  transaction_id: z.string().min(1).optional(),
  success_time: time.optional(),
  amount: z.object({ total: cents }).optional(),
})
const callback = z.object({
  resource: z.object({
    original_type: z.enum(['transaction', 'refund']),
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string().min(24),
    associated_data: z.string().default(''),
    nonce: z.string().min(1),
  }),
})
const refusal = z.object({ code: z.string().min(1).max(64), message: z.string().default('') })

const unknown = (text: string): PayAnswer => ({ state: 'unknown', text })
/** What it does not know has two names, one for payments and one for refunds: here it has one. */
const failed = (said: string, own = ''): PayAnswer => {
  const code = said === 'ORDER_NOT_EXIST' ? 'RESOURCE_NOT_EXISTS' : said
  return { state: 'failed', code, text: payFaults[code]?.[0] ?? (own || code) }
}
const garbled = unknown('微信支付的应答无法识别')
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a refund's status means; without its number and time a success is not believed. */
const refundSays = (of: z.output<typeof refundShape>, status: string): PayAnswer => {
  if (status === 'SUCCESS')
    return of.success_time === undefined
      ? garbled
      : {
          state: 'success',
          channel_no: of.refund_id,
          at: of.success_time,
          amount_cents: of.amount.refund,
        }
  if (status === 'PROCESSING') return { state: 'pending' }
  return status === 'CLOSED' || status === 'ABNORMAL' ? failed(status) : garbled
}
const paymentSays = (of: z.output<typeof paymentShape>): PayAnswer => {
  switch (of.trade_state) {
    // One that was refunded since had been paid.
    case 'SUCCESS':
    case 'REFUND':
      return of.success_time === undefined || !of.transaction_id || !of.amount
        ? garbled
        : {
            state: 'success',
            channel_no: of.transaction_id,
            at: of.success_time,
            amount_cents: of.amount.total,
          }
    case 'NOTPAY':
    case 'USERPAYING':
    case 'ACCEPT':
      return { state: 'pending' }
    case 'CLOSED':
    case 'REVOKED':
    case 'PAYERROR':
      return failed(of.trade_state)
    default:
      return garbled
  }
}

/** The beginning of a text that fits into so many bytes; no character is cut in two. */
const cutBytes = (text: string, max: number): string => {
  let bytes = 0
  let end = 0
  for (const char of text) {
    bytes += Buffer.byteLength(char)
    if (bytes > max) break
    end += char.length
  }
  return text.slice(0, end)
}

/** WeChat Pay, API v3. What can't be verified as WeChat's own is its silence. */
export const wechatPay = (
  keys: WechatPayKeys,
  {
    api = 'https://api.mch.weixin.qq.com',
    fetch: ask = fetch,
    now: clock = unixNow,
    timeout_ms = TIMEOUT_MS,
  }: Around = {},
): PayChannel => {
  /** Signed by WeChat, lately, over exactly this body. */
  const genuine = (
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
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    input?: object,
  ): Promise<{ said: unknown } | { answer: PayAnswer }> => {
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
        answer: unknown(
          error instanceof DOMException && error.name === 'TimeoutError'
            ? `微信支付 ${timeout_ms / 1000} 秒内没有应答`
            : '无法连接微信支付',
        ),
      }
    }
    if (answered.status >= 500)
      return { answer: unknown(`微信支付暂时不可用（HTTP ${answered.status}）`) }
    if (!genuine(name => answered.headers.get(name), text, clock()))
      return {
        answer: unknown(
          answered.status === 401
            ? '微信支付不接受我方签名（HTTP 401），请核对商户号、证书序列号、私钥与服务器时间'
            : `微信支付的应答签名无法验证（HTTP ${answered.status}），请核对平台公钥与服务器时间`,
        ),
      }
    if (answered.ok) return { said: parsed(text) }
    const { data: refused } = refusal.safeParse(parsed(text))
    if (!refused) return { answer: garbled }
    return {
      answer:
        answered.status === 429 || again.has(refused.code)
          ? unknown(`微信支付繁忙，请稍后再查（${refused.code}）`)
          : failed(refused.code, refused.message),
    }
  }
  const refundFrom = async (
    out_no: string,
    calling: ReturnType<typeof call>,
  ): Promise<PayAnswer> => {
    const result = await calling
    if ('answer' in result) return result.answer
    const { data } = refundAnswer.safeParse(result.said)
    return data?.out_refund_no === out_no ? refundSays(data, data.status) : garbled
  }
  const queryRefund = (out_no: string) =>
    refundFrom(out_no, call('GET', `/v3/refund/domestic/refunds/${encodeURIComponent(out_no)}`))

  return {
    name: 'wechat',
    queryRefund,
    due: async () => [],
    refund: async ({ out_no, payment_no, amount_cents, paid_cents, reason }) => {
      const answer = await refundFrom(
        out_no,
        call('POST', '/v3/refund/domestic/refunds', {
          out_trade_no: payment_no,
          out_refund_no: out_no,
          ...(reason && { reason: cutBytes(reason, REASON_BYTES) }),
          amount: { refund: amount_cents, total: paid_cents, currency: 'CNY' },
        }),
      )
      if (answer.state !== 'failed') return answer
      // The same number may have been taken before, by a request whose answer was lost: what stands
      // in WeChat's books counts, not this refusal.
      const standing = await queryRefund(out_no)
      return standing.state === 'failed' && standing.code === 'RESOURCE_NOT_EXISTS'
        ? answer
        : standing
    },
    queryPayment: async out_no => {
      const result = await call(
        'GET',
        `/v3/pay/transactions/out-trade-no/${encodeURIComponent(out_no)}?mchid=${keys.mchid}`,
      )
      if ('answer' in result) return result.answer
      const { data } = paymentShape.safeParse(result.said)
      return data?.out_trade_no === out_no && data.mchid === keys.mchid
        ? paymentSays(data)
        : garbled
    },
    notice: ({ headers, body, now }) => {
      if (!genuine(name => headers[name], body, now)) return null
      const { data } = callback.safeParse(parsed(body))
      if (!data) return null
      const { resource } = data
      let plain: unknown
      try {
        const sealed = Buffer.from(resource.ciphertext, 'base64')
        const decipher = createDecipheriv('aes-256-gcm', keys.v3_key, resource.nonce, {
          authTagLength: 16,
        })
          .setAuthTag(sealed.subarray(-16))
          .setAAD(Buffer.from(resource.associated_data))
        plain = parsed(
          Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString(
            'utf8',
          ),
        )
      } catch {
        // Sealed with another key, or changed on the way.
        return null
      }
      if (resource.original_type === 'refund') {
        const { data: told } = refundTold.safeParse(plain)
        return told?.mchid === keys.mchid
          ? {
              kind: 'refund',
              out_no: told.out_refund_no,
              answer: refundSays(told, told.refund_status),
            }
          : null
      }
      const { data: told } = paymentShape.safeParse(plain)
      return told?.mchid === keys.mchid
        ? { kind: 'payment', out_no: told.out_trade_no, answer: paymentSays(told) }
        : null
    },
  }
}
