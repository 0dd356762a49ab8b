import { z } from 'zod'
import { refusalWords } from '#src/areas/payment/channelWords.ts'
import {
  cutBytes,
  garbledText,
  sealedFor,
  wechatClient,
  wechatTime,
  type WechatAround,
  type WechatPayKeys,
  type WechatSaid,
} from '#src/areas/payment/wechatClient.channel.ts'
import { joined } from '#src/domain/text.ts'
import { NEVER_HEARD, type TransferAnswer, type TransferChannel } from './transfer.channel.ts'
import { endsBill, transferFaults } from './transferFault.ts'

const BILLS = '/v3/fund-app/mch-transfer/transfer-bills'
const REMARK_BYTES = 32
/** WeChat takes a name only of amounts from 0.30 yuan on, and wants it from 2,000 yuan on. */
const NAMED_FROM_CENTS = 30
/** The scene that payouts are made in, as it was granted to the merchant number. */
const SCENE = { id: '1009', info_type: '采购商品名称', info_content: '平台结算款' }

const begun = z.object({
  out_bill_no: z.string(),
  transfer_bill_no: z.string().min(1),
  state: z.string(),
  create_time: wechatTime,
})
const bill = z.object({
  out_bill_no: z.string(),
  mch_id: z.string(),
  transfer_bill_no: z.string().min(1),
  state: z.string(),
  transfer_amount: z.int().min(0),
  fail_reason: z.string().optional(),
  create_time: wechatTime,
  update_time: wechatTime,
})
type Bill = z.output<typeof bill>

const unknown = (text: string): TransferAnswer => ({ state: 'unknown', text })
const garbled = unknown(garbledText)
const failed = (said: string, own: string, ended: boolean): TransferAnswer => {
  const code = said === 'NOT_FOUND' ? NEVER_HEARD : said
  return { state: 'failed', code, text: refusalWords(transferFaults, code, own), ended }
}
const notSaid = (result: Exclude<WechatSaid, { said: unknown }>): TransferAnswer =>
  'unknown' in result
    ? unknown(result.unknown)
    : failed(result.refused.code, result.refused.message, endsBill(result.refused.code))
/** What the state of a bill in WeChat's books means. */
const billSays = (of: Bill): TransferAnswer => {
  switch (of.state) {
    case 'SUCCESS':
      return {
        state: 'success',
        channel_no: of.transfer_bill_no,
        at: of.update_time,
        amount_cents: of.transfer_amount,
      }
    case 'WAIT_USER_CONFIRM':
      return { state: 'wait' }
    case 'ACCEPTED':
    case 'PROCESSING':
    case 'TRANSFERING':
    case 'CANCELING':
      return { state: 'pending' }
    case 'CANCELLED':
      return { state: 'canceled', text: joined(['转账已撤销', 'The transfer was canceled']) }
    case 'FAIL':
      return of.fail_reason === 'OVERDUE_CLOSE'
        ? {
            state: 'canceled',
            text: joined([
              '收款人 24 小时内未确认，转账已关闭',
              'The payee did not take it within 24 hours: it was closed',
            ]),
          }
        : failed(of.fail_reason ?? 'OTHER_FAIL_REASON_TYPE', '', true)
    default:
      return garbled
  }
}

/** Transfers to a member's or merchant's WeChat account (API v3, transfer bills). */
export const wechatTransfer = (
  keys: WechatPayKeys,
  appid: string,
  around: WechatAround = {},
): TransferChannel => {
  const { call, opened } = wechatClient(keys, around)
  const query = async (out_bill_no: string): Promise<TransferAnswer> => {
    const result = await call('GET', `${BILLS}/out-bill-no/${encodeURIComponent(out_bill_no)}`)
    if (!('said' in result)) return notSaid(result)
    const { data } = bill.safeParse(result.said)
    return data?.out_bill_no === out_bill_no && data.mch_id === keys.mchid
      ? billSays(data)
      : garbled
  }
  return {
    name: 'wechat',
    query,
    due: async () => [],
    transfer: async ({ out_bill_no, amount_cents, payee_no, payee_name, remark }) => {
      const result = await call('POST', BILLS, {
        appid,
        out_bill_no,
        openid: payee_no,
        transfer_scene_id: SCENE.id,
        transfer_scene_report_infos: [
          { info_type: SCENE.info_type, info_content: SCENE.info_content },
        ],
        transfer_amount: amount_cents,
        transfer_remark: cutBytes(remark, REMARK_BYTES),
        ...(amount_cents >= NAMED_FROM_CENTS && { user_name: sealedFor(keys, payee_name) }),
      })
      // Whatever was refused or lost, what stands in WeChat's books counts.
      if ('said' in result) {
        const { data } = begun.safeParse(result.said)
        if (data?.out_bill_no !== out_bill_no) return garbled
        if (data.state === 'WAIT_USER_CONFIRM') return { state: 'wait' }
        return data.state === 'SUCCESS' || data.state === 'FAIL'
          ? query(out_bill_no)
          : { state: 'pending' }
      }
      const refused = notSaid(result)
      if (refused.state !== 'failed') return refused
      const standing = await query(out_bill_no)
      return standing.state === 'failed' && standing.code === NEVER_HEARD ? refused : standing
    },
    cancel: async out_bill_no => {
      const path = `${BILLS}/out-bill-no/${encodeURIComponent(out_bill_no)}/cancel`
      const result = await call('POST', path, {})
      return 'said' in result ? query(out_bill_no) : notSaid(result)
    },
    notice: of => {
      const heard = opened(of)
      if (heard?.type !== 'mch_payment') return null
      const { data } = bill.safeParse(heard.plain)
      return data?.mch_id === keys.mchid
        ? { out_bill_no: data.out_bill_no, answer: billSays(data) }
        : null
    },
  }
}
