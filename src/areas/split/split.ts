import {
  distributors,
  lineOf,
  merchants,
  ours,
  type AccountOf,
  type Posting,
} from '#src/areas/ledger/ledger.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** How far the sharing of an order's money at the payment channel is (domain B, dist_split_order). */
export const splitStates = {
  waiting: ['待分账', 'Waiting'],
  processing: ['分账中', 'Processing'],
  finished: ['已完成', 'Finished'],
  partial: ['部分成功', 'Partly done'],
  failed: ['失败', 'Failed'],
  unfrozen: ['已解冻', 'Unfrozen'],
  returned: ['已回退', 'Returned'],
} as const satisfies Record<string, Text>
export type SplitState = keyof typeof splitStates

/** A tab: what is not over yet, or a state. */
export const splitTabs = { open: ['待处理', 'Open'], ...splitStates } as const satisfies Record<
  string,
  Text
>
export type SplitTab = keyof typeof splitTabs
export const openSplits = [
  'waiting',
  'processing',
  'partial',
  'failed',
] as const satisfies SplitState[]

export const receiverStates = {
  waiting: ['待分账', 'Waiting'],
  processing: ['处理中', 'Processing'],
  done: ['成功', 'Done'],
  failed: ['失败', 'Failed'],
  skipped: ['已转余额', 'To the balance'],
} as const satisfies Record<string, Text>
export type ReceiverState = keyof typeof receiverStates

export const receiverRoles = {
  merchant: ['商户', 'Merchant'],
  seller: ['分销员', 'Seller'],
  leader: ['团长', 'Team leader'],
  platform: ['平台', 'The platform'],
} as const satisfies Record<string, Text>
export type ReceiverRole = keyof typeof receiverRoles

/** The channel shares an order's money so long after it was paid, and gives it back so long after. */
export const SHARE_S = 30 * DAY
export const RETURN_S = 180 * DAY
/** People are warned so long before the channel ends it. */
export const WARN_S = 5 * DAY
/** The channel shares at most this of what was paid with anyone but the order's own merchant. */
export const SHARED_BP = 3000
/** What the channel is asked for now. */
export const doings = {
  share: ['分账', 'Share'],
  unfreeze: ['解冻', 'Unfreeze'],
  giveBack: ['回退', 'Give back'],
} as const satisfies Record<string, Text>
export type Doing = keyof typeof doings

/** What a receiver is to a rule. */
export type Shared = {
  role: ReceiverRole
  amount_cents: number
  returned_cents: number
  status: ReceiverState
}
const sum = (of: readonly Shared[], n: (one: Shared) => number) =>
  of.reduce((all, one) => all + n(one), 0)
/** What receivers got and still have (cents, from 0). */
export const sharedCents = (of: readonly Shared[]): number =>
  sum(of, one => (one.status === 'done' ? one.amount_cents - one.returned_cents : 0))
/** The state of a split by those of its receivers; what ends it is said elsewhere. */
export const stateOf = (of: readonly Shared[]): SplitState => {
  const has = (status: ReceiverState) => of.some(one => one.status === status)
  if (has('processing')) return 'processing'
  const got = has('done')
  if (got && sharedCents(of) === 0) return 'returned'
  if (has('failed')) return got || has('skipped') ? 'partial' : 'failed'
  return has('waiting') ? 'waiting' : 'finished'
}

/** What an order leaves for each, in cents: of its lines that were used, and its commission. */
export type ToShare = {
  paid_cents: number
  fee_cents: number
  merchant_cents: number
  commission_cents: number
  /** What the house bears: of the commission below, and of the channel's fee. */
  borne_cents: number
  earned: readonly { role: 'seller' | 'leader'; distributor_id: number; cents: number }[]
}
export type Share = { role: ReceiverRole; distributor_id: number | null; cents: number }
/**
 * The shares of an order, or why it is settled by batches instead: what is paid out is what came in
 * by the channel, and others than the merchant get no more than the channel's ceiling.
 */
export const sharesOf = (of: ToShare): Share[] | Text => {
  const shares = [
    { role: 'merchant' as const, distributor_id: null, cents: of.merchant_cents },
    ...of.earned,
    {
      role: 'platform' as const,
      distributor_id: null,
      cents: of.commission_cents - of.borne_cents,
    },
  ].filter(one => one.cents !== 0)
  const total = shares.reduce((all, one) => all + one.cents, 0)
  if (shares.length === 0 || shares.some(one => one.cents < 0) || total > splittableOf(of))
    return ['渠道实收不够分账，按批次结算', 'The channel took too little: it is settled by batches']
  const others = total - of.merchant_cents
  return others * 10_000 <= of.paid_cents * SHARED_BP
    ? shares
    : ['超过渠道分账上限，按批次结算', 'Above the channel’s ceiling: it is settled by batches']
}
/** What of an order the channel may share: what was paid less its own fee (cents). */
export const splittableOf = (of: Pick<ToShare, 'paid_cents' | 'fee_cents'>): number =>
  of.paid_cents - of.fee_cents

/** What decides what can be done with a split. */
export type SplitNow = {
  status: SplitState
  deadline_at: number
  doing: Doing
  ask_at?: number | null
}
const isOver = (of: SplitNow, now: number): boolean => of.deadline_at <= now
const busy: Text = ['渠道处理中，请先查询结果', 'The channel is at it: ask for its answer first']
const froms = {
  retry: ['partial', 'failed'],
  skip: ['partial', 'failed'],
  unfreeze: ['waiting', 'partial', 'failed'],
  giveBack: ['finished', 'partial'],
  sync: ['processing'],
} as const satisfies Record<string, readonly SplitState[]>
export type SplitVerb = keyof typeof froms
const whyNot: Record<SplitVerb, Text> = {
  retry: ['没有失败的接收方，无需重试', 'No receiver has failed'],
  skip: ['没有失败的接收方，无需跳过', 'No receiver has failed'],
  unfreeze: ['分账已完成或已解冻', 'It is finished or unfrozen already'],
  giveBack: ['只有分账成功的金额可以回退', 'Only what was shared is given back'],
  sync: ['没有等待渠道结果', 'No answer of the channel is waited for'],
}
/** True, or why a split can't have it now. */
export const splitCan = (verb: SplitVerb, of: SplitNow, now: number): true | Text => {
  if (of.status === 'processing' && verb !== 'sync') return busy
  if (!(froms[verb] as readonly SplitState[]).includes(of.status)) return whyNot[verb]
  if (verb === 'retry' && isOver(of, now))
    return [
      '已过分账期限，渠道不再受理；请跳过接收方或解冻剩余资金',
      'Its deadline is over: skip the receiver, or unfreeze what is left',
    ]
  return true
}
type Receiver = Shared & { done_at: number | null }
/** True, or why a receiver gives so much not back. */
export const mayGiveBack = (of: Receiver, cents: number, now: number): true | Text => {
  if (of.role === 'seller' || of.role === 'leader')
    return [
      '个人接收方不支持回退，请在佣金明细中追回',
      'A person gives nothing back through the channel: claim the commission back',
    ]
  if (of.status !== 'done') return ['该接收方没有分到钱', 'This receiver got nothing']
  if (of.done_at !== null && of.done_at + RETURN_S <= now)
    return ['已超过渠道 180 天回退期限', 'The channel gives nothing back after 180 days']
  return (
    cents <= of.amount_cents - of.returned_cents || [
      '超过该接收方可回退的金额',
      'More than this receiver has left',
    ]
  )
}

type Of = { id: number; split_no: string; city_id: number; mall_id: number }
type Paid = {
  id: number
  role: ReceiverRole
  merchant_id: number | null
  distributor_id: number | null
  amount_cents: number
}
type Accounts = { frozen: AccountOf; balance: AccountOf; withdrawing: AccountOf }
/** The accounts that a receiver's share passes; none of the house itself. */
const accountsOf = (to: Paid): Accounts | undefined => {
  if (to.role === 'platform') return undefined
  const of = (kind: 'frozen' | 'balance' | 'withdrawing') =>
    to.role === 'merchant'
      ? merchants(`merchant_${kind}`, to.merchant_id!)
      : distributors(`distributor_${kind}`, to.distributor_id!)
  return { frozen: of('frozen'), balance: of('balance'), withdrawing: of('withdrawing') }
}
const postingOf = (
  of: Of,
  at: number,
  { biz, key, ...more }: Pick<Posting, 'biz' | 'lines' | 'memo'> & { key: string },
): Posting => ({
  ...more,
  biz,
  biz_id: of.id,
  biz_no: of.split_no,
  idem_key: `split:${key}`,
  at,
  place: { city_id: of.city_id, mall_id: of.mall_id },
})
/** What was on hold for a receiver is theirs: a share that the channel does not pay. */
export const keptPostings = (of: Of, to: Paid, at: number): Posting[] => {
  const accounts = accountsOf(to)
  if (!accounts) return []
  const { frozen, balance } = accounts
  const lines = [...lineOf(frozen, to.amount_cents), ...lineOf(balance, -to.amount_cents)]
  const biz = to.role === 'merchant' ? 'settle' : 'commission'
  return [postingOf(of, at, { biz, key: `settle:${to.id}`, lines })]
}
/**
 * What a share that the channel paid posts (domain D): settled, asked for and paid at once, so that
 * a balance never waits for a second payout.
 */
export const paidPostings = (of: Of, to: Paid, at: number): Posting[] => {
  const accounts = accountsOf(to)
  if (!accounts) return []
  const { balance, withdrawing } = accounts
  const cents = to.amount_cents
  return [
    ...keptPostings(of, to, at),
    postingOf(of, at, {
      biz: 'withdraw_apply',
      key: `apply:${to.id}`,
      lines: [...lineOf(balance, cents), ...lineOf(withdrawing, -cents)],
    }),
    postingOf(of, at, {
      biz: 'withdraw_paid',
      key: `paid:${to.id}`,
      lines: [...lineOf(withdrawing, cents), ...lineOf(ours('wechat_cash'), -cents)],
    }),
  ]
}
/** What came back of a merchant's share is in their balance again. */
export const backPostings = (of: Of, to: Paid, back: { no: string; cents: number; at: number }) => {
  const accounts = accountsOf(to)
  if (!accounts) return []
  const lines = [
    ...lineOf(ours('wechat_cash'), back.cents),
    ...lineOf(accounts.balance, -back.cents),
  ]
  return [postingOf(of, back.at, { biz: 'withdraw_back', key: `back:${back.no}`, lines })]
}
/** What is unfrozen goes to the merchant; what of it was due to others the merchant owes. */
export const owedPostings = (
  of: Of & { merchant_id: number },
  cents: number,
  at: number,
): Posting[] =>
  cents === 0
    ? []
    : [
        postingOf(of, at, {
          biz: 'adjust',
          key: `owed:${of.id}`,
          memo: joined([
            '解冻的资金中属于他人的部分，由商户返还',
            'Others’ part of what was unfrozen: the merchant owes it',
          ]),
          lines: [
            ...lineOf(merchants('merchant_debt', of.merchant_id), cents),
            ...lineOf(ours('wechat_cash'), -cents),
          ],
        }),
      ]
