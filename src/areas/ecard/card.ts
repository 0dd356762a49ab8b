import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { widthOf } from '#src/domain/validate.ts'
import {
  FACE_MOST_NAMED,
  FACE_MOST_UNNAMED,
  UNNAMED_YEARS,
  type CardLimits,
  type CardScope,
  type CardState,
  type CardType,
  type CodeSource,
  type RefundRule,
  type ValidType,
} from './ecard.ts'
import type { Supplier } from './suppliers.ts'

/** How wide a name may be, a double-byte character counting as 2. */
export const NAME_WIDE = 64
/** Three years as days, with the leap day that is among them. */
export const UNNAMED_DAYS = UNNAMED_YEARS * 365 + 1
/** The most that may be written as an amount, in cents. */
export const CARD_MONEY_MOST = 1_000_000_00

/** A card as its form writes it. Money in cents, times in unix seconds. */
export type CardDraft = {
  name: string
  type: CardType
  named: boolean
  store_id: number
  cover: string
  arts: readonly string[]
  supplier: Supplier | ''
  source: CodeSource
  custom_min_cents: number | null
  custom_max_cents: number | null
  custom_step_cents: number | null
  valid_type: ValidType
  valid_until: number | null
  valid_days: number | null
  scope: CardScope
  gift: boolean
  greetings: readonly string[]
  limits: CardLimits
  refund_rule: RefundRule
  bonus: boolean
  notice: string
  agreement: string
  stock_alert: number
}
/** What a template keeps of a card: all but whose it is and what it is called. */
export type CardTemplate = Omit<CardDraft, 'name' | 'store_id'>
/** A face as rules read it. */
export type CardFace = {
  face_cents: number
  price_cents: number
  bonus_cents: number
  cost_cents: number
}
type Faults = Readonly<Record<string, Text | undefined>>

/** The most a card of the kind may hold, in cents; undefined where the law sets nothing. */
const faceMost = (of: Pick<CardDraft, 'type' | 'named'>): number | undefined => {
  if (of.type !== 'stored') return undefined
  return of.named ? FACE_MOST_NAMED : FACE_MOST_UNNAMED
}
const capFault = (of: Pick<CardDraft, 'type' | 'named'>, held: number): Text | undefined => {
  const most = faceMost(of)
  if (most === undefined || held <= most) return undefined
  return of.named
    ? [
        '记名储值卡面值（含赠送）不得超过 5000 元',
        'A named stored-value card holds at most ¥5,000, its bonus included',
      ]
    : [
        '不记名储值卡面值（含赠送）不得超过 1000 元',
        'An unnamed stored-value card holds at most ¥1,000, its bonus included',
      ]
}
/** The faults of a face of a card, by its field. */
export const faceFaults = (
  face: CardFace,
  of: Pick<CardDraft, 'type' | 'named' | 'bonus'>,
): Faults => {
  const isAbove = face.price_cents > face.face_cents && !of.bonus
  const hasBonus = face.bonus_cents > 0 && of.type !== 'stored'
  return {
    face_cents:
      face.face_cents > 0
        ? capFault(of, face.face_cents + face.bonus_cents)
        : ['面值须大于 0', 'A face is above 0'],
    price_cents:
      face.price_cents > 0 ? isAboveFace(isAbove) : ['售价须大于 0', 'A price is above 0'],
    bonus_cents: hasBonus
      ? ['仅储值卡可以赠送金额', 'Only stored value comes with a bonus']
      : undefined,
  }
}
const isAboveFace = (is: boolean): Text | undefined =>
  is
    ? [
        '售价不得高于面值；确需溢价请先在卡上勾选“溢价销售”',
        'A price is no more than the face, unless the card is marked as sold above it',
      ]
    : undefined
/** What a face earns for the platform, in cents; below zero it is sold at a loss. */
export const marginOf = (face: Pick<CardFace, 'price_cents' | 'cost_cents'>): number =>
  face.price_cents - face.cost_cents

type Custom = Pick<
  CardDraft,
  'type' | 'named' | 'source' | 'custom_min_cents' | 'custom_max_cents' | 'custom_step_cents'
>
const customFaults = (of: Custom): Faults => {
  const { custom_min_cents: min, custom_max_cents: max, custom_step_cents: step } = of
  const given = [min, max, step].filter(one => one !== null).length
  if (given === 0) return {}
  if (min === null || max === null || step === null)
    return {
      custom_min_cents: [
        '自选面值的下限、上限与步长须一起填写',
        'A custom face takes its least, its most and its step together',
      ],
    }
  if (of.source !== 'generate')
    return {
      custom_min_cents: [
        '自选面值仅适用于平台生成卡密的卡，请清空或改卡密来源',
        'A face is chosen only of a card whose codes are made here: empty it, or change the source',
      ],
    }
  if (min >= max) return { custom_max_cents: ['上限须大于下限', 'The most is above the least'] }
  const divides = step > 0 && (max - min) % step === 0
  return {
    custom_max_cents: capFault(of, max),
    custom_step_cents: divides
      ? undefined
      : ['步长须能整除上限与下限之差', 'The step divides the most less the least'],
  }
}

/** Why a buyer may not choose a face of so many cents, or undefined. */
export const chosenFault = (of: Custom, face_cents: number): Text | undefined => {
  const { custom_min_cents: min, custom_max_cents: max, custom_step_cents: step } = of
  if (min === null || max === null || step === null || of.source !== 'generate')
    return ['该卡没有自选面值，请选固定面值', 'No face of it is chosen freely: take a fixed one']
  if (face_cents < min || face_cents > max)
    return [
      `自选面值须在 ${yuan(min)} 至 ${yuan(max)} 元之间`,
      `A chosen face is from ¥${yuan(min)} to ¥${yuan(max)}`,
    ]
  if (step <= 0 || (face_cents - min) % step !== 0)
    return [
      `自选面值从 ${yuan(min)} 元起每 ${yuan(step)} 元一档`,
      `A chosen face goes from ¥${yuan(min)} in steps of ¥${yuan(step)}`,
    ]
  return capFault(of, face_cents)
}

type Valid = Pick<CardDraft, 'type' | 'named' | 'valid_type' | 'valid_until' | 'valid_days'>
const shortFault: Text = [
  '不记名储值卡有效期不得少于 3 年（1096 天）',
  'An unnamed stored-value card is good for 3 years (1,096 days) at least',
]
/** The faults of how long a card is good for, at `now`. */
const validFaults = (of: Valid, now: number): Faults => {
  if (of.type === 'stored' && of.named && of.valid_type !== 'none')
    return {
      valid_type: ['记名储值卡不得设有效期', 'A named stored-value card may not expire'],
    }
  const isLong = of.type === 'stored' && !of.named
  if (of.valid_type === 'fixed') {
    if (of.valid_until === null || of.valid_until <= now)
      return { valid_until: ['请填写将来的日期', 'A day to come'] }
    return isLong && of.valid_until < now + UNNAMED_DAYS * DAY ? { valid_until: shortFault } : {}
  }
  if (of.valid_type === 'days') {
    if (of.valid_days === null || of.valid_days < 1)
      return { valid_days: ['请填写天数', 'How many days'] }
    return isLong && of.valid_days < UNNAMED_DAYS ? { valid_days: shortFault } : {}
  }
  return {}
}
/** Why a card whose end came near since it was put on sale is sold no more, or undefined. */
export const endFault = (of: Valid, now: number): Text | undefined =>
  of.valid_type === 'fixed' && of.valid_until !== null && of.valid_until <= now
    ? ['该卡有效期已过', 'The card has come to its end']
    : Object.values(validFaults(of, now)).find(fault => fault !== undefined)
const isWithin = (less: number | null, more: number | null): boolean =>
  more === null || (less !== null && less <= more)
const limitFaults = ({ order, day, person }: CardLimits): Faults => ({
  limit_day: isWithin(order ?? day, day)
    ? undefined
    : ['每日限购不得少于每单限购', 'A day takes as many as an order'],
  limit_person: isWithin(day ?? order ?? person, person)
    ? undefined
    : ['每人限购不得少于每日限购', 'A person may have as many as on a day'],
})
const sourceFaults = (of: Pick<CardDraft, 'source' | 'supplier' | 'type' | 'named'>): Faults => ({
  supplier:
    of.source !== 'generate' && of.supplier === ''
      ? ['请选择供应商', 'Choose its supplier']
      : undefined,
  named:
    of.named && of.type !== 'stored'
      ? ['仅储值卡可以记名', 'Only stored value bears a name']
      : undefined,
})
/** The faults that a card may not have even as a draft, by its field. */
export const cardFaults = (of: CardDraft, now: number): Faults => ({
  name:
    widthOf(of.name) > NAME_WIDE
      ? ['名称最多 32 个汉字或 64 个字母', 'At most 32 Chinese characters or 64 letters']
      : undefined,
  ...sourceFaults(of),
  ...customFaults(of),
  ...validFaults(of, now),
  ...limitFaults(of.limits),
})

export const isScoped = (of: CardScope): boolean =>
  of.mall_ids.length + of.store_ids.length + of.category_ids.length > 0
/** A face as the guard of the shelf reads it. */
export type ShelfFace = CardFace & {
  status: 'on' | 'off'
  free_n: number
  loss_by: number | null
}
/** Codes are made, or asked of the supplier, when a card is paid for; only imported ones run out. */
export const isMadeOnPay = (of: Pick<CardDraft, 'source'>): boolean => of.source !== 'import'
const stockFault: Text = [
  '没有可售卡密，请先导入卡密再上架',
  'No code is free: import some before it goes on sale',
]
/** The faults that keep a card from the shelf, by its field; none where it may be sold. */
export const shelfFaults = (of: CardDraft, faces: readonly ShelfFace[], now: number): Faults => {
  const on = faces.filter(face => face.status === 'on')
  const free = on.reduce((sum, face) => sum + face.free_n, 0)
  const lost = on.some(face => marginOf(face) < 0 && face.loss_by === null)
  const bad = on.flatMap(face => Object.values(faceFaults(face, of)).filter(Boolean))[0]
  const lacking: Text = ['请至少启用一个面值', 'Enable one face at least']
  const loss: Text = ['亏损面值须先由他人批准', 'A loss is approved by another person first']
  const stock = isMadeOnPay(of) || free > 0 ? undefined : stockFault
  return {
    ...cardFaults(of, now),
    scope: isScoped(of.scope)
      ? undefined
      : ['请选择适用商场、门店或类目', 'Choose malls, stores or categories'],
    agreement: of.agreement.trim()
      ? undefined
      : ['请填写购卡协议', 'Write what the buyer agrees to'],
    faces: on.length > 0 ? (bad ?? (lost ? loss : stock)) : lacking,
  }
}

/** What may be done with a card in the state it stands in. */
export type CardVerb = 'online' | 'offline' | 'delete' | 'recommend'
type Standing = { state: CardState; sold: number }
/** True, or why not. */
export const cardCan = (verb: CardVerb, of: Standing): true | Text => {
  switch (verb) {
    case 'online':
      return of.state !== 'on' || ['已上架', 'It is on sale']
    case 'offline':
    case 'recommend':
      return of.state === 'on' || ['未上架', 'It is not on sale']
    case 'delete':
      if (of.sold > 0) return ['已售出，只能下架', 'It was sold: take it off sale instead']
      return of.state !== 'on' || ['请先下架', 'Take it off sale first']
  }
}

/** Fields that sold cards rest on: nobody changes them after the first sale. */
export const soldLocks = ['type', 'named', 'store_id', 'supplier', 'source'] as const
export const soldLock: Text = [
  '已有售出的卡，不能修改；如需不同条款请另存为新卡',
  'Cards of it are sold: save it as a new card for other terms',
]
const narrower = (was: readonly number[], next: readonly number[]): boolean => {
  if (next.length === 0) return false
  return was.length === 0 || was.some(id => !next.includes(id))
}
/** Whether somewhere is left out where the card was good before. */
export const isNarrower = (was: CardScope, next: CardScope): boolean =>
  narrower(was.mall_ids, next.mall_ids) ||
  narrower(was.store_ids, next.store_ids) ||
  narrower(was.category_ids, next.category_ids)
type Validity = Pick<CardDraft, 'valid_type' | 'valid_until' | 'valid_days'>
/** Whether a card would end sooner than was promised; another way of counting can't be compared. */
export const isShorter = (was: Validity, next: Validity): boolean => {
  if (next.valid_type === 'none') return false
  if (next.valid_type !== was.valid_type) return true
  return next.valid_type === 'fixed'
    ? (next.valid_until ?? 0) < (was.valid_until ?? 0)
    : (next.valid_days ?? 0) < (was.valid_days ?? 0)
}
/** The faults of a change that would take something from those who bought the card, by its field. */
export const soldFaults = (was: CardDraft, next: CardDraft): Faults => ({
  ...Object.fromEntries(
    soldLocks.map(field => [field, was[field] === next[field] ? undefined : soldLock]),
  ),
  scope: isNarrower(was.scope, next.scope)
    ? ['已售出的卡适用范围只能扩大', 'Where sold cards are good may only widen']
    : undefined,
  [next.valid_type === 'days' ? 'valid_days' : 'valid_until']: isShorter(was, next)
    ? ['已售出的卡有效期只能延长', 'How long sold cards are good may only grow']
    : undefined,
  refund_rule:
    was.refund_rule === 'unused' && next.refund_rule === 'none'
      ? ['退款规则不得变得更严', 'The refund rule may not become worse']
      : undefined,
})

/** The name of a copy: no longer than a name may be, and no other card's. */
export const copiedName = (name: string, at: number): string => {
  const tail = at > 1 ? `（副本${at}）` : '（副本）'
  let kept = name.replace(/（副本\d*）$/, '')
  while (widthOf(kept + tail) > NAME_WIDE) kept = [...kept].slice(0, -1).join('')
  return kept + tail
}
