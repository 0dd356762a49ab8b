/** Cards that a member is given without paying: which may be, and what they cost. */
import type { Text } from '#src/domain/text.ts'
import { endFault, type CardDraft, type CardFace } from './card.ts'

type Given = Pick<
  CardDraft,
  'type' | 'named' | 'source' | 'valid_type' | 'valid_until' | 'valid_days'
> & {
  /** The card, its face and its issuer are on sale. */
  isSold: boolean
}
/** Why a card is given to nobody at `now` (unix seconds), or undefined. */
export const giveFault = (of: Given, now: number): Text | undefined => {
  if (!of.isSold) return ['该电子卡或面值已下架', 'The card or its face is off sale']
  if (of.named)
    return [
      '记名卡须登记购卡人身份，不能作为奖励',
      'A named card needs the identity of its buyer: it is no reward',
    ]
  if (of.source === 'api')
    return [
      '由供应商接口发放的卡没有库存，不能作为奖励',
      'A card that its supplier’s API issues has no stock: it is no reward',
    ]
  return endFault(of, now)
}
/**
 * What a card costs whoever gives it away, in cents: one that was bought in what its supplier asked,
 * one of our own all that it is good for.
 */
export const giveCost = (
  face: Pick<CardFace, 'face_cents' | 'bonus_cents' | 'cost_cents'>,
  { source }: Pick<CardDraft, 'source'>,
): number =>
  source === 'import' && face.cost_cents > 0 ? face.cost_cents : face.face_cents + face.bonus_cents
