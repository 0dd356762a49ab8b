import type { OrderFacts } from '#src/areas/order/order.ts'
/** Orders of e-cards: what the law and a card ask of their buyer, and what may be given back. */
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import type { CardLimits, CodeState, GiftState, RefundRule } from './ecard.ts'

/** What became of a unit that a supplier was asked for. */
export const requestStates = {
  pending: ['发放中', 'Under way'],
  success: ['已发放', 'Issued'],
  failed: ['失败', 'Failed'],
  /** Its unit was given back: what still comes is the supplier's. */
  ended: ['已退款', 'Given back'],
  /** The supplier issued what nobody waits for any more. */
  surplus: ['多发待核对', 'Issued too late'],
} as const satisfies Record<string, Text>
export type RequestState = keyof typeof requestStates
export const identityKinds = {
  person: ['个人', 'A person'],
  company: ['单位', 'A company'],
} as const satisfies Record<string, Text>
export type IdentityKind = keyof typeof identityKinds
export type Identity = { kind: IdentityKind; name: string; id_no: string }
export const moveStates = {
  asked: ['待复核', 'To confirm'],
  done: ['已变更', 'Moved'],
  refused: ['未同意', 'Refused'],
} as const satisfies Record<string, Text>
export type MoveState = keyof typeof moveStates

/**
 * Unnamed cards bought at once for so much need their buyer's identity, as any named card does
 * (单用途商业预付卡管理办法（试行） art. 15). Cents.
 */
export const IDENTITY_FROM_CENTS = 1_000_000
/**
 * The most that one buyer may spend on cards a day, in cents: beyond it the same rules want a
 * transfer between banks (art. 17).
 */
export const DAY_CAP_CENTS = 5_000_000
/** A person who bought for so much within so many days is a big buyer. Cents. */
export const BIG_BUYER_CENTS = 1_000_000
export const BIG_BUYER_DAYS = 30
/** A gift that nobody took comes back. */
export const GIFT_S = 24 * HOUR
/** The most cards in one order: of a person, and of a channel's batch. */
export const CARDS_AN_ORDER = 200
export const CARDS_A_BATCH = 10_000

/** Whether an order needs its buyer's identity record; cents are what its cards come to. */
export const needsIdentity = (of: { named: boolean; cents: number }): boolean =>
  of.named || of.cents >= IDENTITY_FROM_CENTS

/** Cards that a person has, by card and by face, and what they spent today (cents). */
export type Bought = { day: number; person: number; face: number; day_cents: number }
/** Why a buyer may not have so many cards more, or undefined. */
export const tooMany = (of: {
  n: number
  cents: number
  limits: CardLimits
  limit_n: number | null
  before: Bought
}): { rule: string; text: Text; values: Record<string, string | number> } | undefined => {
  const { n, limits, before } = of
  const bounds: readonly [rule: string, text: Text, most: number | null, had: number][] = [
    ['order_limit', ['每单限购 {most} 张', 'At most {most} an order'], limits.order, 0],
    [
      'day_limit',
      ['每人每天限购 {most} 张，今天已购 {had} 张', 'At most {most} a day, {had} today'],
      limits.day,
      before.day,
    ],
    [
      'person_limit',
      ['每人限购 {most} 张，已购 {had} 张', 'At most {most} a person, {had} were bought'],
      limits.person,
      before.person,
    ],
    [
      'face_limit',
      [
        '该面值每人限购 {most} 张，已购 {had} 张',
        'At most {most} of this face a person, {had} were bought',
      ],
      of.limit_n,
      before.face,
    ],
  ]
  const [over] = bounds.filter(([, , most, had]) => most !== null && had + n > most)
  if (over) {
    const [rule, text, most, had] = over
    return { rule, text, values: { most: most!, had } }
  }
  return before.day_cents + of.cents > DAY_CAP_CENTS
    ? {
        rule: 'day_cap',
        text: [
          '同一购卡人每天最多购卡 {most} 元，今天已购 {had} 元；超出部分请走对公转账',
          'A buyer spends at most ¥{most} a day on cards, ¥{had} today: more goes by bank transfer',
        ],
        values: { most: yuan(DAY_CAP_CENTS), had: yuan(before.day_cents) },
      }
    : undefined
}

/** The fields of a code that decide whether it may go back. */
export type CardLook = {
  card_no: string
  state: CodeState
  shown_at: number | null
  holder_id: number | null
  gift_state: GiftState
}
const why = (of: CardLook): Text | undefined => {
  if (of.gift_state === 'sent')
    return ['正在赠送，请先撤回赠送', 'is being given away: recall it first']
  if (of.state === 'refunding') return ['已在退款中', 'is in refund already']
  if (of.state === 'refunded') return ['已退款', 'was refunded']
  if (of.state === 'frozen') return ['已冻结，请先解冻', 'is frozen: unfreeze it first']
  if (of.state !== 'sold' || of.holder_id !== null)
    return ['已激活或已绑定', 'was activated or bound']
  if (of.shown_at !== null) return ['卡密已被查看', 'had its secret shown']
  return undefined
}
/** Why a card can't be given back, or undefined: only one never shown, bound or spent goes back. */
export const cardKept = (of: CardLook, rule: RefundRule): Text | undefined => {
  const tail = of.card_no.slice(-4)
  const because = why(of)
  if (because) return [`尾号 ${tail} 的卡${because[0]}，不能退`, `Card …${tail} ${because[1]}`]
  return rule === 'none' ? ['该卡售出时约定不可退', 'It was sold as not refundable'] : undefined
}

/** The codes of an item that may go back, and how many of its units were never issued. */
export type CardUnits = {
  item_id: number
  rule: RefundRule
  cards: readonly (CardLook & { id: number })[]
  unissued: number
}
/** Those of an item's cards that may go back now. */
export const givableCards = (of: CardUnits): number[] =>
  of.cards.filter(card => cardKept(card, of.rule) === undefined).map(card => card.id)

/** Where an item stands, from the newest request of each unit that still counts. */
export const issueStateOf = (units: readonly RequestState[]): 'issuing' | 'failed' | 'issued' => {
  if (units.includes('pending')) return 'issuing'
  return units.includes('failed') ? 'failed' : 'issued'
}

/** The fields of an order that decide what may be done with its cards. */
export type CardsLook = Pick<OrderFacts, 'pay_state' | 'refund_state' | 'frozen'> & {
  cards: {
    issued: number
    failed: number
    givable: number
    freezable: number
    frozen: number
    extendable: number
    movable: number
    gifts_sent: number
    channel_name: string | null
  } | null
}
export type CardVerb =
  | 'reissue'
  | 'refund'
  | 'freezeCards'
  | 'unfreezeCards'
  | 'recallGift'
  | 'resendNotice'
  | 'extend'
  | 'moveHolder'
  | 'revealSecret'
const none: Record<CardVerb, Text> = {
  reissue: ['没有发放失败的卡', 'No card of it failed to be issued'],
  refund: [
    '没有可退的卡：只退未查看、未绑定、未消费、未赠出的卡',
    'No card can go back: only one never shown, bound, spent or given',
  ],
  freezeCards: ['没有可冻结的卡', 'No card of it can be frozen'],
  unfreezeCards: ['没有冻结的卡', 'No card of it is frozen'],
  recallGift: [
    '没有未领取的赠送；已领取的不能撤回',
    'No gift is on its way: what was received can’t be called back',
  ],
  resendNotice: ['还没有发放的卡可通知', 'Nothing was issued that could be told of'],
  extend: ['没有可延期的卡', 'No card of it has an end that could be put off'],
  moveHolder: ['只有已激活的卡可以变更持卡人', 'Only an active card changes its holder'],
  revealSecret: ['还没有发放的卡', 'Nothing was issued yet'],
}
const countFor: Record<CardVerb, (of: NonNullable<CardsLook['cards']>) => number> = {
  reissue: of => of.failed,
  refund: of => of.givable + of.failed,
  freezeCards: of => of.freezable,
  unfreezeCards: of => of.frozen,
  recallGift: of => of.gifts_sent,
  resendNotice: of => (of.channel_name === null ? of.issued : 0),
  extend: of => of.extendable,
  moveHolder: of => of.movable,
  revealSecret: of => of.issued,
}
const moneyVerbs: readonly CardVerb[] = ['reissue', 'refund']
/** What staff may do with the cards of an order as it is now, or why not. */
export const cardCan = (verb: CardVerb, row: CardsLook): true | Text => {
  if (row.pay_state === 'closed') return ['订单已取消', 'It was cancelled']
  if (row.pay_state !== 'paid') return ['订单未付款', 'It is not paid']
  if (row.frozen && moneyVerbs.includes(verb))
    return ['订单已冻结，请先解冻', 'It is frozen: unfreeze it first']
  return row.cards && countFor[verb](row.cards) > 0 ? true : none[verb]
}
export const issueSteps = {
  waiting: ['待付款', 'To pay'],
  issuing: ['发放中', 'Issuing'],
  issued: ['已发放', 'Issued'],
  part_failed: ['部分失败', 'Partly failed'],
  failed: ['发放失败', 'Failed'],
  closed: ['未发放', 'Not issued'],
} as const satisfies Record<string, Text>
/** How far the issue of an order's cards is. */
export const issueStep = (
  row: Pick<OrderFacts, 'pay_state'> & {
    cards: { issued: number; waiting: number; failed: number } | null
  },
): keyof typeof issueSteps => {
  if (row.pay_state === 'unpaid') return 'waiting'
  const { issued, waiting, failed } = row.cards ?? { issued: 0, waiting: 0, failed: 0 }
  if (waiting > 0) return 'issuing'
  if (failed > 0) return issued > 0 ? 'part_failed' : 'failed'
  return issued > 0 ? 'issued' : 'closed'
}
