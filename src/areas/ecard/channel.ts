import { creditCodeFault } from '#src/areas/merchant/identity.ts'
import { placesFault } from '#src/areas/partner/places.ts'
import { yuan } from '#src/domain/money.ts'
import { callableFault } from '#src/domain/phone.ts'
import { countEn, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { emailFault } from '#src/domain/validate.ts'
import type { ChannelPeriod, ChannelState, ChannelType, RequestKind, SettleType } from './ecard.ts'

/** A channel that ends within so many seconds stands out. */
export const CHANNEL_ENDING_S = 30 * DAY
/** Cards of one batch, and lines of its file. */
export const ISSUE_MOST = 2000
export const CARD_LINES_MOST = 50
export const RECEIVERS_MOST = 10
export const DISCOUNT = { least: 100, most: 10_000 } as const
export const QUOTA_MOST = 1_000_000
/** What a channel may owe at the most, in cents. */
export const CREDIT_MOST = 1_000_000_000

/** A face that a channel may have: its share of the price in basis points, and how many. */
export type CardLine = { attr_id: number; discount_bp: number; quota_n: number }
export type ChannelTerms = {
  name: string
  type: ChannelType
  company: string
  tax_no: string
  contact: string
  phone: string
  email: string
  contract: string
  start_at: number | null
  end_at: number | null
  settle_type: SettleType
  credit_cents: number
  ip_list: readonly string[]
  receivers: readonly string[]
  cards: readonly CardLine[]
}
type Faults = Record<string, Text | undefined>

/**
 * The cost of one card to a channel, in cents: the price times its share, rounded once, one at
 * least.
 */
export const unitCost = (price_cents: number, discount_bp: number): number =>
  Math.max(1, Math.round((price_cents * discount_bp) / 10_000))
const mailsFault = (mails: readonly string[]): Text | undefined => {
  const wrong = mails.find(mail => emailFault(mail))
  if (wrong !== undefined) return [`“${wrong}”不是邮箱地址`, `“${wrong}” is no e-mail address`]
  return mails.length > RECEIVERS_MOST
    ? [`最多 ${RECEIVERS_MOST} 个邮箱`, `At most ${RECEIVERS_MOST} addresses`]
    : undefined
}
/** The fault of the lines of cards, whichever state the channel is in. */
const linesFault = (cards: readonly CardLine[]): Text | undefined => {
  const ids = cards.map(one => one.attr_id)
  if (new Set(ids).size < ids.length)
    return [
      '同一面值只能有一行，请删除重复的可售卡',
      'A face stands in one line only: take the second one out',
    ]
  return cards.length > CARD_LINES_MOST
    ? [`最多 ${CARD_LINES_MOST} 种面值`, `At most ${CARD_LINES_MOST} faces`]
    : undefined
}
/** The faults that even a draft may not have; what is empty is asked for later. */
export const draftFaults = (of: ChannelTerms): Faults => ({
  tax_no: of.tax_no === '' ? undefined : creditCodeFault(of.tax_no),
  phone: of.phone === '' ? undefined : callableFault(of.phone),
  email: of.email === '' ? undefined : emailFault(of.email),
  ip_list: placesFault(of.ip_list),
  receivers: mailsFault(of.receivers),
  cards: linesFault(of.cards),
  credit_cents:
    of.credit_cents > 0 && of.settle_type !== 'monthly'
      ? ['授信只用于月结渠道', 'Only a channel that is billed monthly may have credit']
      : undefined,
})
const needed = (given: string, text: Text) => (given === '' ? text : undefined)
const isCompany = (of: Pick<ChannelTerms, 'type'>) => of.type !== 'own'
/** The faults that keep a channel from being opened now, by field. */
export const openFaults = (of: ChannelTerms, now: number): Faults => {
  const faults = draftFaults(of)
  const company = isCompany(of)
    ? {
        company: needed(of.company, ['请填写公司名称', 'Name the company']),
        tax_no: needed(of.tax_no, ['请填写统一社会信用代码', 'Give its credit code']),
        contract: needed(of.contract, ['请上传合同', 'Upload the contract']),
      }
    : {}
  const noPlace: Text = [
    '接口合作方至少要有一个白名单地址',
    'An API partner needs an address that it calls from',
  ]
  const own: Faults = {
    ...company,
    contact: needed(of.contact, ['请填写联系人', 'Name a contact']),
    phone: needed(of.phone, ['请填写联系电话', 'Give a phone']),
    end_at: periodFault(of, now),
    ip_list: of.type === 'api' && of.ip_list.length === 0 ? noPlace : undefined,
    cards: of.cards.length === 0 ? ['至少添加一种可售卡', 'Add one card at least'] : undefined,
  }
  const keys = [...new Set([...Object.keys(faults), ...Object.keys(own)])]
  return Object.fromEntries(keys.map(key => [key, faults[key] ?? own[key]]))
}
type Period = { start_at: number | null; end_at: number | null }
/** A contract ends after it starts, and after this moment. */
export const periodFault = ({ start_at, end_at }: Period, now: number): Text | undefined => {
  if (start_at === null || end_at === null)
    return ['请填写合同起止日期', 'Give both days of the contract']
  if (end_at <= start_at) return ['合同结束须晚于开始', 'The contract ends after it starts']
  return end_at > now ? undefined : ['合同结束须晚于今天', 'The contract ends after today']
}
/** A period that follows on those before: none shares a second with another. */
export const overlapFault = (
  next: { start_at: number; end_at: number },
  before: readonly Pick<ChannelPeriod, 'start_at' | 'end_at'>[],
): Text | undefined =>
  before.some(one => next.start_at < one.end_at && one.start_at < next.end_at)
    ? [
        '与已有合同期重叠，请从上一期结束之后开始',
        'It overlaps a period before: begin after that one ends',
      ]
    : undefined

/** The periods of a channel at a moment: the one that holds or held last, and all others. */
export const periodsAt = (
  now: number,
  current: ChannelPeriod,
  others: readonly ChannelPeriod[],
): { current: ChannelPeriod; others: ChannelPeriod[] } => {
  const next = others.find(one => one.start_at <= now && now < one.end_at)
  if (current.end_at > now || !next) return { current, others: [...others] }
  const rest = [...others.filter(one => one !== next), current]
  return { current: next, others: rest.sort((a, b) => a.start_at - b.start_at) }
}

/** The least that new terms may say: what the channel has been given already. */
export type Given = {
  balance_cents: number
  issued: ReadonlyMap<number, number>
}
/** The faults of new terms that would take from an open channel what it was given already. */
export const givenFaults = (of: ChannelTerms, { balance_cents, issued }: Given): Faults => {
  const low = of.cards.find(one => one.quota_n < (issued.get(one.attr_id) ?? 0))
  return {
    cards: low && [
      `额度不能低于已发数量（已发 ${issued.get(low.attr_id)} 张）`,
      `A quota covers what was issued already (${issued.get(low.attr_id)})`,
    ],
    credit_cents:
      of.credit_cents < -balance_cents
        ? [
            `当前欠款 ${yuan(-balance_cents)} 元，授信不能低于欠款`,
            `${yuan(-balance_cents)} is owed now: the credit covers it`,
          ]
        : undefined,
  }
}

export type ChannelVerb =
  | 'edit'
  | 'enable'
  | 'disable'
  | 'recharge'
  | 'adjust'
  | 'confirm'
  | 'refuse'
  | 'setQuota'
  | 'resetKey'
  | 'issue'
  | 'renew'
  | 'setIpList'
type Looked = {
  status: ChannelState
  type: ChannelType
  start_at: number | null
  end_at: number | null
  request: { kind: RequestKind; made_by: number } | null
}
const draft: Text = ['草稿渠道尚未开通，请先提交开通', 'It is a draft: open it first']
const waits: Text = ['已有一笔待复核，请先处理', 'A request waits already: decide it first']
const byState: Partial<Record<ChannelVerb, Partial<Record<ChannelState, Text>>>> = {
  enable: {
    draft,
    on: ['渠道已在合作中', 'It is open'],
    ended: ['合同已到期，请先续签', 'Its contract is over: renew it'],
  },
  disable: {
    draft,
    off: ['渠道已停用', 'It is stopped'],
    ended: ['合同已到期，不再发卡', 'Its contract is over, it issues nothing'],
  },
  recharge: { draft },
  adjust: { draft },
  setQuota: { draft },
  resetKey: { draft },
  renew: { draft },
  issue: {
    draft,
    off: ['渠道已停用，启用后再发卡', 'It is stopped: enable it first'],
    ended: ['合同已到期，续签后再发卡', 'Its contract is over: renew it first'],
  },
}
const issuable = ({ start_at, end_at }: Looked, now: number): true | Text => {
  if (end_at !== null && end_at <= now)
    return ['合同已到期，续签后再发卡', 'Its contract is over: renew it first']
  return start_at === null || start_at <= now || ['合同尚未开始', 'Its contract has not begun']
}
/** The second of two people, who is not the one who made the request. */
const second = (of: Looked, me: number): true | Text => {
  if (!of.request) return ['没有待复核的申请', 'Nothing waits for a second person']
  return (
    of.request.made_by !== me || [
      '不能复核自己提交的申请，请由另一人处理',
      'Whoever made it does not confirm it: another person does',
    ]
  )
}
/** Whether a channel may have that now, by this person; else why not. */
export const channelCan = (
  verb: ChannelVerb,
  of: Looked,
  { me, now }: { me: number; now: number },
): true | Text => {
  const not = byState[verb]?.[of.status]
  if (not) return not
  switch (verb) {
    case 'recharge':
    case 'adjust':
      return of.request === null || waits
    case 'confirm':
    case 'refuse':
      return second(of, me)
    case 'resetKey':
    case 'setIpList':
      return of.type === 'api' || ['只有接口合作方有接口密钥与白名单', 'Only an API partner has it']
    case 'issue':
      return issuable(of, now)
    default:
      return true
  }
}

type Sold = Omit<CardLine, 'attr_id'> & { price_cents: number; issued_n?: number }
/** What a channel may have and the most that it can cost, in figures; amounts in cents. */
const exposureOf = (of: { credit_cents: number; cards: readonly Sold[] }) => {
  const left = of.cards.map(one => ({ ...one, n: Math.max(0, one.quota_n - (one.issued_n ?? 0)) }))
  const sum = (count: (one: (typeof left)[number]) => number) =>
    left.reduce((all, one) => all + count(one), 0)
  return {
    faces: of.cards.length,
    n: sum(one => one.n),
    /** The cards left would cost the channel so much. */
    pays_cents: sum(one => one.n * unitCost(one.price_cents, one.discount_bp)),
    /** So much is taken off the price of the cards left. */
    off_cents: sum(one => one.n * (one.price_cents - unitCost(one.price_cents, one.discount_bp))),
    owes_cents: of.credit_cents,
    low_bp: Math.min(...of.cards.map(one => one.discount_bp)),
    high_bp: Math.max(...of.cards.map(one => one.discount_bp)),
  }
}
const share = (bp: number) => `${bp / 100}%`
/** One sentence: what a channel may have, and the most that it can cost us. */
export const channelSentence = (of: {
  settle_type: SettleType
  credit_cents: number
  cards: readonly Sold[]
}): Text => {
  if (of.cards.length === 0)
    return ['还没有可售卡，渠道不能领卡。', 'No cards yet, so the channel can’t get any.']
  const told = exposureOf(of)
  const at =
    told.low_bp === told.high_bp
      ? share(told.low_bp)
      : `${share(told.low_bp)}–${share(told.high_bp)}`
  const owes: Text =
    of.settle_type === 'monthly' && of.credit_cents > 0
      ? [
          `月结，最多欠款 ${yuan(of.credit_cents)} 元`,
          `billed monthly, credit up to ¥${yuan(of.credit_cents)}`,
        ]
      : ['先充值后领卡，不能欠款', 'prepaid, no credit']
  return [
    `可领 ${told.faces} 种面值共 ${told.n.toLocaleString()} 张，按售价的 ${at} 结算（合计 ${yuan(told.pays_cents)} 元）；${owes[0]}；最多让利 ${yuan(told.off_cents)} 元。`,
    `Up to ${told.n.toLocaleString()} cards of ${countEn(told.faces, 'face value')} at ${at} of the price (¥${yuan(told.pays_cents)} in total); ${owes[1]}; discount up to ¥${yuan(told.off_cents)}.`,
  ]
}
