import type { Text } from '#src/domain/text.ts'
import { CARD_MONEY_MOST, marginOf, type CardFace } from './card.ts'

/** How prices of several faces are changed at once; `value` is basis points or cents by the mode. */
export const priceModes = {
  share: ['按面值比例（%）', 'A share of the face (%)'],
  less: ['在现价上减少（元）', 'Less than now (¥)'],
  more: ['在现价上增加（元）', 'More than now (¥)'],
} as const satisfies Record<string, Text>
export type PriceMode = keyof typeof priceModes
/** The price of a face after such a change, in cents; of a share rounded to the nearest. */
export const priceBy = (
  face: Pick<CardFace, 'face_cents' | 'price_cents'>,
  { mode, value }: { mode: PriceMode; value: number },
): number => {
  const price = {
    share: Math.round((face.face_cents * value) / 10_000),
    less: face.price_cents - value,
    more: face.price_cents + value,
  }[mode]
  return Math.min(price, CARD_MONEY_MOST)
}

export type FaceVerb = 'enable' | 'disable' | 'approveLoss' | 'delete' | 'editFace'
type Look = Pick<CardFace, 'price_cents' | 'cost_cents'> & {
  status: 'on' | 'off'
  free_n: number
  held_n: number
  sold_n: number
  void_n: number
  loss_by: number | null
  loss_asked_by: number | null
}
/** Whether a face is sold below its cost, and nobody but whoever set that has agreed. */
export const waitsForLoss = (of: Pick<Look, 'price_cents' | 'cost_cents' | 'loss_by'>): boolean =>
  marginOf(of) < 0 && of.loss_by === null
const codesOf = (of: Look): number => of.free_n + of.held_n + of.sold_n + of.void_n
/** True, or why this person can't have it. */
export const faceCan = (verb: FaceVerb, of: Look, me_id: number): true | Text => {
  switch (verb) {
    case 'enable':
      if (of.status === 'on') return ['已启用', 'It is enabled']
      return (
        !waitsForLoss(of) || ['亏损面值须先由他人批准', 'Another person agrees to its loss first']
      )
    case 'disable':
      return of.status === 'on' || ['已停用', 'It is disabled']
    case 'approveLoss':
      if (!waitsForLoss(of)) return ['没有待批准的亏损', 'No loss waits']
      return (
        of.loss_asked_by !== me_id || ['须由另一人批准', 'Another person than the asker agrees']
      )
    case 'delete':
    case 'editFace':
      return codesOf(of) === 0 || ['已有卡密，请停用', 'It has codes: disable it instead']
  }
}
