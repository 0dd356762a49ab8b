import { yuan } from '#src/domain/money.ts'
import { countEn, type Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { isMadeOnPay, type CardDraft, type CardFace } from './card.ts'
import { cardTypes, refundRules, type CardScope } from './ecard.ts'

/** Yuan as a sentence has them: 20, 9.90. */
const plain = (cents: number): string => yuan(cents).replace(/\.00$/, '')
const joined = (parts: readonly Text[], zh: string, en: string): Text => [
  parts.map(part => part[0]).join(zh),
  parts.map(part => part[1]).join(en),
]

type Custom = Pick<CardDraft, 'custom_min_cents' | 'custom_max_cents' | 'custom_step_cents'>
/** Which faces a buyer may choose; undefined where all are fixed. */
export const cardCustomText = (of: Custom): Text | undefined =>
  of.custom_min_cents === null || of.custom_max_cents === null
    ? undefined
    : [
        `自选 ${plain(of.custom_min_cents)}–${plain(of.custom_max_cents)} 元、每 ${plain(of.custom_step_cents ?? 0)} 元一档`,
        `or any of ¥${plain(of.custom_min_cents)}–${plain(of.custom_max_cents)} in steps of ¥${plain(of.custom_step_cents ?? 0)}`,
      ]
/** Which faces a card has and what they cost: `面值 100、200 元`. */
const cardFacesText = (of: Custom, faces: readonly CardFace[]): Text => {
  const list = faces.map(face => plain(face.face_cents))
  const prices = faces.map(face => plain(face.price_cents))
  const isSame = list.join() === prices.join()
  const told: Text[] = []
  if (list.length > 0)
    told.push([
      `面值 ${list.join('、')} 元${isSame ? '，按面值售卖' : `，售价 ${prices.join('、')} 元`}`,
      `face values ¥${list.join(', ')}${isSame ? ', sold at face value' : `, sold at ¥${prices.join(', ')}`}`,
    ])
  const custom = cardCustomText(of)
  if (custom) told.push(custom)
  return told.length > 0 ? joined(told, '，', ', ') : ['尚未设面值', 'no face values yet']
}
type Valid = Pick<CardDraft, 'valid_type' | 'valid_until' | 'valid_days'>
/** How long a card is good for. */
export const cardValidText = (of: Valid): Text => {
  if (of.valid_type === 'none') return ['长期有效', 'no expiry']
  if (of.valid_type === 'fixed') {
    const day = of.valid_until ? dateOf(of.valid_until) : '…'
    return [`${day} 前有效`, `valid until ${day}`]
  }
  return [
    `激活后 ${of.valid_days ?? '…'} 天有效`,
    `valid for ${of.valid_days ?? '…'} days after activation`,
  ]
}
/** Where a card may be spent, by how many places it names. */
export const cardScopeText = (of: CardScope): Text => {
  const parts: Text[] = []
  if (of.mall_ids.length > 0)
    parts.push([`${of.mall_ids.length} 个商场`, countEn(of.mall_ids.length, 'mall')])
  if (of.store_ids.length > 0)
    parts.push([`${of.store_ids.length} 家门店`, countEn(of.store_ids.length, 'store')])
  if (of.category_ids.length > 0)
    parts.push([
      `${of.category_ids.length} 个类目`,
      countEn(of.category_ids.length, 'category', 'categories'),
    ])
  if (parts.length === 0) return ['未选适用范围', 'no scope yet']
  const [zh, en] = joined(parts, '的 ', ' in ')
  return [`限 ${zh}使用`, `usable at ${en}`]
}
const limitsText = ({ order, day, person }: CardDraft['limits']): Text => {
  const parts: Text[] = []
  if (order !== null) parts.push([`每单 ${order} 张`, `${order} per order`])
  if (day !== null) parts.push([`每日 ${day} 张`, `${day} per day`])
  if (person !== null) parts.push([`每人 ${person} 张`, `${person} per person`])
  if (parts.length === 0) return ['不限购', 'no purchase limit']
  const [zh, en] = joined(parts, '、', ', ')
  return [`限购${zh}`, en]
}
/** The card as one sentence: what it is, its faces, how long and where it is good, who may have it. */
export const cardSentence = (of: CardDraft, faces: readonly CardFace[]): Text => {
  const isStored = of.type === 'stored'
  const name: Text = of.named ? ['记名', 'Named '] : ['不记名', 'Unnamed ']
  const kind = cardTypes[of.type]
  const [zh, en] = joined(
    [
      isStored ? [`${name[0]}${kind[0]}`, `${name[1]}${kind[1].toLowerCase()}`] : kind,
      cardFacesText(of, faces),
      cardValidText(of),
      cardScopeText(of.scope),
      limitsText(of.limits),
      of.gift ? ['可赠送', 'giftable'] : ['不可赠送', 'not giftable'],
      [refundRules[of.refund_rule][0], refundRules[of.refund_rule][1].toLowerCase()],
    ],
    '；',
    '; ',
  )
  return [`${zh}。`, `${en}.`]
}

/** How many of each face are reckoned with where codes are made on pay and nothing runs out. */
export const SAMPLE_SOLD = 1000
type Stocked = CardFace & { free_n: number; status: 'on' | 'off' }
/** What a card may come to, in cents, once so many cards are sold. */
export type CardExposure = {
  cards: number
  liability_cents: number
  bonus_cents: number
  loss_cents: number
}
/**
 * The most a card can cost when all its stock is sold: what its holders may spend, what of it was
 * given on top, and what was paid beyond its price. Where codes are made on pay, of so many a face.
 */
export const cardExposure = (
  of: Pick<CardDraft, 'source'>,
  faces: readonly Stocked[],
): CardExposure =>
  faces
    .filter(face => face.status === 'on')
    .reduce<CardExposure>(
      (sum, face) => {
        const n = isMadeOnPay(of) ? SAMPLE_SOLD : face.free_n
        return {
          cards: sum.cards + n,
          liability_cents: sum.liability_cents + n * (face.face_cents + face.bonus_cents),
          bonus_cents: sum.bonus_cents + n * face.bonus_cents,
          loss_cents: sum.loss_cents + n * Math.max(0, face.cost_cents - face.price_cents),
        }
      },
      { cards: 0, liability_cents: 0, bonus_cents: 0, loss_cents: 0 },
    )

/**
 * What a card of `held` cents takes of an order of `pay` cents: what it pays, what the buyer pays
 * besides, and what stays on it. An exchange card pays what it is for and keeps nothing.
 */
export const cardPays = (
  held: number,
  pay: number,
): { card_cents: number; rest_cents: number; left_cents: number } => {
  const card_cents = Math.min(held, pay)
  return { card_cents, rest_cents: pay - card_cents, left_cents: held - card_cents }
}
