/** Members handle e-cards at their phones: how each act ends, and how much a page tells. */
import type { Text } from '#src/domain/text.ts'
import { isOver } from './codeLife.ts'
import type { CodeState, GiftState } from './ecard.ts'

/**
 * How buying cards ended: `paid` and `closed` only where a number is asked for again. `none`: the
 * ticket is over or wrong.
 */
export const cardBuyStates = [
  'unpaid',
  'paid',
  'closed',
  'sold_out',
  'limit',
  'off',
  'identity',
  'refused',
  'none',
] as const
export type CardBuyState = (typeof cardBuyStates)[number]
/** Cards that a page has: of what is on sale, and of one's own. */
export const SHELF_PAGE = 20
export const CARDS_A_PAGE = 50
/** Moves of a card's money that a page has. */
export const MOVES_A_PAGE = 50

/** The fields of a card that say what its buyer or holder may do with it. */
export type OwnLook = {
  state: CodeState
  gift_state: GiftState
  holder_id: number | null
  shown_at: number | null
  valid_until: number | null
  /** Its kind may be given away. */
  gift: boolean
  /** It was bought for another person’s phone. */
  for_other: boolean
}
export type OwnVerb = 'activate' | 'show' | 'give'
const otherText: Text = [
  '这张卡是为他人购买的，请赠送给收卡人',
  'It was bought for another person: give it to them',
]
const sentText: Text = ['赠送中，请先收回', 'It is being given away: take it back first']
/** Whether the person who bought or holds a card may do that with it at `now`, or why not. */
export const ownCan = (verb: OwnVerb, of: OwnLook, now: number): true | Text => {
  if (of.state === 'frozen') return ['该卡已冻结，请联系客服', 'It is frozen: ask customer service']
  if (of.gift_state === 'sent') return sentText
  if (of.state === 'expired' || isOver(of, now))
    return ['该卡已过有效期，请联系客服', 'It is past its end: ask customer service']
  const isUnbound = of.state === 'sold' && of.holder_id === null
  if (verb === 'show') {
    if (isUnbound && of.for_other) return otherText
    return isUnbound || of.state === 'active' || ['没有可查看的卡密', 'It has no secret to show']
  }
  if (!isUnbound) return ['该卡已激活或已退款', 'It was activated or refunded']
  if (verb === 'activate') return of.for_other ? otherText : true
  if (!of.gift) return ['该卡不可赠送', 'It may not be given away']
  return (
    of.shown_at === null || ['卡密已被查看，不能赠送', 'Its secret was shown: it can’t be given']
  )
}
