import { z } from 'zod'
import {
  garbledText,
  sealedFor,
  wechatClient,
  wechatTime,
  type WechatAround,
  type WechatPayKeys,
  type WechatSaid,
} from '#src/areas/payment/wechatClient.channel.ts'
import {
  NEVER_SHARED,
  type ProfitSharing,
  type ShareAnswer,
  type ShareAsked,
  type SharedPayment,
  type ShareSaid,
} from './sharing.channel.ts'
import { sharingFault } from './sharingFault.ts'

const ORDERS = '/v3/profitsharing/orders'
const RETURNS = '/v3/profitsharing/return-orders'
const cents = z.int().min(0)
const receiver = z.object({
  account: z.string(),
  amount: cents,
  result: z.enum(['PENDING', 'SUCCESS', 'CLOSED']),
  fail_reason: z.string().optional(),
  detail_id: z.string().optional(),
  finish_time: wechatTime.optional(),
})
const shared = z.object({
  sub_mchid: z.string(),
  transaction_id: z.string(),
  out_order_no: z.string(),
  state: z.enum(['PROCESSING', 'FINISHED']),
  receivers: z.array(receiver).default([]),
})
const returned = z.object({
  sub_mchid: z.string(),
  out_return_no: z.string(),
  return_id: z.string().min(1),
  return_mchid: z.string(),
  amount: cents,
  result: z.enum(['PROCESSING', 'SUCCESS', 'FAILED']),
  fail_reason: z.string().optional(),
  finish_time: wechatTime.optional(),
})

const unknown = (text: string): ShareAnswer => ({ state: 'unknown', text })
const garbled = unknown(garbledText)
/** What its refusal or silence means. */
const notSaid = (result: Exclude<WechatSaid, { said: unknown }>): ShareAnswer => {
  if ('unknown' in result) return unknown(result.unknown)
  const { code, message } = result.refused
  if (code === 'NOT_FOUND' || code === NEVER_SHARED)
    return { state: 'failed', code: NEVER_SHARED, text: sharingFault(NEVER_SHARED) }
  return { state: 'failed', code, text: sharingFault(code, message) }
}
const failedAs = (code: string) => ({ state: 'failed' as const, code, text: sharingFault(code) })
/** What became of a receiver; a success without its number and time is not believed. */
const saidOf = (of: z.output<typeof receiver>): ShareSaid | undefined => {
  const own = { account: of.account, amount_cents: of.amount }
  if (of.result === 'PENDING') return { ...own, state: 'pending' }
  if (of.result === 'CLOSED') return { ...own, ...failedAs(of.fail_reason ?? 'CLOSED') }
  return of.detail_id && of.finish_time !== undefined
    ? { ...own, state: 'done', channel_no: of.detail_id, at: of.finish_time }
    : undefined
}
const sharesSaid = (said: unknown, of: SharedPayment & { out_no: string }): ShareAnswer => {
  const { data } = shared.safeParse(said)
  if (
    data?.out_order_no !== of.out_no ||
    data.sub_mchid !== of.sub_mchid ||
    data.transaction_id !== of.transaction_no
  )
    return garbled
  const shares = data.receivers.map(saidOf)
  return shares.every(one => one !== undefined) ? { state: 'taken', shares } : garbled
}
const backSaid = (said: unknown, of: SharedPayment & { out_no: string }): ShareAnswer => {
  const { data } = returned.safeParse(said)
  if (data?.out_return_no !== of.out_no || data.sub_mchid !== of.sub_mchid) return garbled
  const own = { account: data.return_mchid, amount_cents: data.amount }
  if (data.result === 'PROCESSING')
    return { state: 'taken', shares: [{ ...own, state: 'pending' }] }
  if (data.result === 'FAILED')
    return { state: 'taken', shares: [{ ...own, ...failedAs(data.fail_reason ?? 'CLOSED') }] }
  return data.finish_time === undefined
    ? garbled
    : {
        state: 'taken',
        shares: [{ ...own, state: 'done', channel_no: data.return_id, at: data.finish_time }],
      }
}

const typeOf = (person: boolean) => (person ? 'PERSONAL_OPENID' : 'MERCHANT_ID')
type Keyed = { keys: WechatPayKeys; appid: string }
/**
 * Adds the receivers of a request; the merchant whose money it is is none. Answers WeChat's silence;
 * whether one was added says the sharing itself.
 */
const addReceivers = async (
  call: ReturnType<typeof wechatClient>['call'],
  { keys, appid, asked }: Keyed & { asked: ShareAsked },
): Promise<ShareAnswer | undefined> => {
  for (const one of asked.shares.filter(each => each.account !== asked.sub_mchid)) {
    const added = await call('POST', '/v3/profitsharing/receivers/add', {
      sub_mchid: asked.sub_mchid,
      appid,
      type: typeOf(one.person),
      account: one.account,
      ...(one.name && { name: sealedFor(keys, one.name) }),
      relation_type: one.person ? 'DISTRIBUTOR' : 'SERVICE_PROVIDER',
    })
    if ('unknown' in added) return unknown(added.unknown)
  }
  return undefined
}
/**
 * Profit sharing of WeChat Pay (API v3), by a service provider for its merchants. A receiver is
 * added before it is shared with: adding it again changes nothing there.
 */
export const wechatSharing = (
  keys: WechatPayKeys,
  appid: string,
  around: WechatAround = {},
): ProfitSharing => {
  const { call } = wechatClient(keys, around)
  const keyed = { keys, appid }
  const query: ProfitSharing['query'] = async of => {
    const search = new URLSearchParams({
      sub_mchid: of.sub_mchid,
      transaction_id: of.transaction_no,
    })
    const result = await call('GET', `${ORDERS}/${encodeURIComponent(of.out_no)}?${search}`)
    return 'said' in result ? sharesSaid(result.said, of) : notSaid(result)
  }
  const queryBack: ProfitSharing['queryBack'] = async of => {
    const search = new URLSearchParams({ sub_mchid: of.sub_mchid, out_order_no: of.share_no })
    const result = await call('GET', `${RETURNS}/${encodeURIComponent(of.out_no)}?${search}`)
    return 'said' in result ? backSaid(result.said, of) : notSaid(result)
  }
  /** What stands in WeChat's books counts, not a refusal of what may have been taken before. */
  const unlessTaken = async (
    answer: ShareAnswer,
    standing: () => Promise<ShareAnswer>,
  ): Promise<ShareAnswer> => {
    if (answer.state !== 'failed') return answer
    const said = await standing()
    return said.state === 'failed' && said.code === NEVER_SHARED ? answer : said
  }
  return {
    name: 'wechat',
    own: keys.mchid,
    query,
    queryBack,
    due: async () => [],
    share: async of => {
      const lost = await addReceivers(call, { ...keyed, asked: of })
      if (lost) return lost
      const result = await call('POST', ORDERS, {
        sub_mchid: of.sub_mchid,
        appid,
        transaction_id: of.transaction_no,
        out_order_no: of.out_no,
        receivers: of.shares.map(one => ({
          type: typeOf(one.person),
          account: one.account,
          ...(one.person && one.name && { name: sealedFor(keys, one.name) }),
          amount: one.amount_cents,
          description: '订单分账',
        })),
        unfreeze_unsplit: false,
      })
      const answer = 'said' in result ? sharesSaid(result.said, of) : notSaid(result)
      return unlessTaken(answer, () => query(of))
    },
    unfreeze: async of => {
      const result = await call('POST', `${ORDERS}/unfreeze`, {
        sub_mchid: of.sub_mchid,
        transaction_id: of.transaction_no,
        out_order_no: of.out_no,
        description: '解冻剩余资金',
      })
      const answer = 'said' in result ? sharesSaid(result.said, of) : notSaid(result)
      return unlessTaken(answer, () => query(of))
    },
    giveBack: async of => {
      const result = await call('POST', RETURNS, {
        sub_mchid: of.sub_mchid,
        out_order_no: of.share_no,
        out_return_no: of.out_no,
        return_mchid: of.account,
        amount: of.amount_cents,
        description: '分账回退',
      })
      const answer = 'said' in result ? backSaid(result.said, of) : notSaid(result)
      return unlessTaken(answer, () => queryBack(of))
    },
  }
}
