/** The life of a card's code: which state goes where, and why not. Both sides read it. */
import { masked } from '#src/domain/mask.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { codeStates, type CodeState } from './ecard.ts'

/** The fields of a code that decide what may be done with it. */
export type CodeLook = {
  state: CodeState
  before_freeze: CodeState | null
  holder_id: number | null
  shown_at: number | null
  activated_at: number | null
  valid_until: number | null
  face_cents: number
  balance_cents: number
}
export type CodeVerb =
  | 'release'
  | 'sell'
  | 'refund'
  | 'activate'
  | 'spend'
  | 'spendBack'
  | 'freeze'
  | 'unfreeze'
  | 'void'
  | 'extend'
  | 'move'
  | 'expire'

/** Which count of its face a code is in; one that was taken off sale is no stock. */
export type FaceCount = 'free_n' | 'held_n' | 'sold_n' | 'void_n'
export const countedAs = (of: Pick<CodeLook, 'state' | 'before_freeze'>): FaceCount => {
  if (of.state === 'free') return 'free_n'
  if (of.state === 'held') return 'held_n'
  if (of.state === 'void' || of.state === 'refunded') return 'void_n'
  return of.before_freeze === 'free' ? 'void_n' : 'sold_n'
}

const minute = (at: number): string => timeFull(at).slice(0, 16)
/** How a code stands, as a person who came too late is told. */
const codeStands = (of: CodeLook): Text => {
  const [zh, en] = codeStates[of.state]
  if (of.activated_at === null || of.state === 'frozen')
    return [`该卡${zh}`, `The card is ${en.toLowerCase()}`]
  const at = minute(of.activated_at)
  return [
    `该卡${zh}：${at} 激活，余额 ${yuan(of.balance_cents)} 元`,
    `The card is ${en.toLowerCase()}: activated ${at}, ¥${yuan(of.balance_cents)} left`,
  ]
}
const stands = (of: CodeLook, zh: string, en: string): Text => {
  const [now, nowEn] = codeStands(of)
  return [`${now}，${zh}`, `${nowEn}. ${en}`]
}
const from =
  (states: readonly CodeState[], zh: string, en: string) =>
  (of: CodeLook): true | Text =>
    states.includes(of.state) || stands(of, zh, en)
/** Whether a card is past its end at `now`, though the clock may not have written it down yet. */
export const isOver = (of: Pick<CodeLook, 'valid_until'>, now: number): boolean =>
  of.valid_until !== null && of.valid_until <= now

const rules: Record<CodeVerb, (of: CodeLook, now: number) => true | Text> = {
  release: from(['held'], '没有占用可释放', 'Nothing is held'),
  sell: from(['held'], '不能售出', 'It can’t be sold'),
  refund: of => {
    if (of.state !== 'sold') return stands(of, '不能退款', 'It can’t be refunded')
    if (of.shown_at !== null)
      return [
        `卡密已于 ${minute(of.shown_at)} 查看，不能退款`,
        `Its secret was shown ${minute(of.shown_at)}: no refund`,
      ]
    return of.holder_id === null || stands(of, '已绑定，不能退款', 'It is bound: no refund')
  },
  activate: (of, now) => {
    if (of.state !== 'sold') return stands(of, '不能激活', 'It can’t be activated')
    return !isOver(of, now) || ['该卡已过有效期，请先延期', 'It is past its end: extend it first']
  },
  spend: (of, now) => {
    if (of.state !== 'active') return stands(of, '不能消费', 'It can’t be spent')
    return !isOver(of, now) || ['该卡已过有效期，请先延期', 'It is past its end: extend it first']
  },
  spendBack: of =>
    of.activated_at !== null || stands(of, '没有消费可退回', 'Nothing of it was spent'),
  freeze: from(
    ['free', 'sold', 'active'],
    '只有未售、已售、已激活的卡可以冻结',
    'Only a free, sold or active card is frozen',
  ),
  unfreeze: from(['frozen'], '没有冻结', 'It is not frozen'),
  void: of => {
    if (of.state === 'free' || (of.state === 'frozen' && of.before_freeze === 'free')) return true
    return countedAs(of) === 'sold_n'
      ? stands(of, '已售的卡须先退款', 'A sold card is refunded first')
      : stands(of, '只有未售的卡可以作废', 'Only a free card is voided')
  },
  extend: of => {
    if (!['sold', 'active', 'expired'].includes(of.state))
      return stands(of, '不能延期', 'It can’t be extended')
    return of.valid_until !== null || ['该卡长期有效，无需延期', 'It has no end to extend']
  },
  move: from(['active'], '只有已激活的卡可以换持有人', 'Only an active card changes its holder'),
  expire: (of, now) =>
    (['sold', 'active'].includes(of.state) && isOver(of, now)) ||
    stands(of, '没有到期', 'It is not past its end'),
}
/** Whether that may be done with a code now (unix seconds), or why not. */
export const codeCan = (verb: CodeVerb, of: CodeLook, now: number): true | Text =>
  rules[verb](of, now)

/** The state of an expired card whose end is put off; that of a spent one that has money again. */
export const revived = (of: Pick<CodeLook, 'activated_at'>): CodeState =>
  of.activated_at === null ? 'sold' : 'active'
/** The state of an active card with so much left. */
export const spentState = (balance_cents: number): CodeState =>
  balance_cents === 0 ? 'used_up' : 'active'
/** The name of a card where its number may not stand: as its field masks it. */
export const codeLabel = (of: { card_no: string }): string =>
  masked('code', of.card_no).replace(/\*+/, '****')
