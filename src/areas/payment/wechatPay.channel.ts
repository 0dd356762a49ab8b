import { z } from 'zod'
import { refusalWords } from './channelWords.ts'
import type { PayAnswer, PayChannel } from './pay.channel.ts'
import { payFaults } from './payFault.ts'
import {
  cutBytes,
  garbledText,
  wechatClient,
  wechatTime,
  type WechatAround,
  type WechatPayKeys,
  type WechatSaid,
} from './wechatClient.channel.ts'

const REASON_BYTES = 80

const cents = z.int().min(0)
const refundShape = z.object({
  out_refund_no: z.string(),
  refund_id: z.string().min(1),
  success_time: wechatTime.optional(),
  amount: z.object({ refund: cents }),
})
const refundAnswer = z.object({ ...refundShape.shape, status: z.string() })
const refundTold = z.object({ ...refundShape.shape, refund_status: z.string(), mchid: z.string() })
const paymentShape = z.object({
  out_trade_no: z.string(),
  mchid: z.string(),
  trade_state: z.string(),
  transaction_id: z.string().min(1).optional(),
  success_time: wechatTime.optional(),
  amount: z.object({ total: cents }).optional(),
})
const unknown = (text: string): PayAnswer => ({ state: 'unknown', text })
/** What it does not know has two names, one for payments and one for refunds: here it has one. */
const failed = (said: string, own = ''): PayAnswer => {
  const code = said === 'ORDER_NOT_EXIST' ? 'RESOURCE_NOT_EXISTS' : said
  return { state: 'failed', code, text: refusalWords(payFaults, code, own) }
}
const garbled = unknown(garbledText)
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

/** What WeChat's refusal or silence means of a payment. */
const notSaid = (result: Exclude<WechatSaid, { said: unknown }>): PayAnswer =>
  'unknown' in result
    ? unknown(result.unknown)
    : failed(result.refused.code, result.refused.message)

/** WeChat Pay, API v3. What can't be verified as WeChat's own is its silence. */
export const wechatPay = (keys: WechatPayKeys, around: WechatAround = {}): PayChannel => {
  const { call, opened } = wechatClient(keys, around)
  const refundFrom = async (
    out_no: string,
    calling: ReturnType<typeof call>,
  ): Promise<PayAnswer> => {
    const result = await calling
    if (!('said' in result)) return notSaid(result)
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
      if (!('said' in result)) return notSaid(result)
      const { data } = paymentShape.safeParse(result.said)
      return data?.out_trade_no === out_no && data.mchid === keys.mchid
        ? paymentSays(data)
        : garbled
    },
    notice: of => {
      const heard = opened(of)
      if (!heard) return null
      const { type, plain } = heard
      if (type === 'refund') {
        const { data: told } = refundTold.safeParse(plain)
        return told?.mchid === keys.mchid
          ? {
              kind: 'refund',
              out_no: told.out_refund_no,
              answer: refundSays(told, told.refund_status),
            }
          : null
      }
      if (type !== 'transaction') return null
      const { data: told } = paymentShape.safeParse(plain)
      return told?.mchid === keys.mchid
        ? { kind: 'payment', out_no: told.out_trade_no, answer: paymentSays(told) }
        : null
    },
  }
}
