/** An e-card as a reward: of which face, what it costs, and whether enough are there. */
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { cardShare, promisedFault, type CardPromise } from './promises.ts'

/** A face of a card as a batch promises it. */
export type RewardCard = {
  id: number
  name: string
  face_cents: number
  cost_cents: number
  /** How many are in stock; null where they are made as they are given. */
  left: number | null
  /** Why it is given to nobody now. */
  fault: Text | undefined
}
type Promised = { ecard_attr_id: number | null }
/**
 * What keeps an e-card out of a batch that gives it `times` times beside the others that are approved.
 */
export const cardFaults = (
  of: Promised,
  card: Pick<RewardCard, 'name' | 'face_cents' | 'left' | 'fault'> | undefined,
  { times, others = [] }: { times: number; others?: readonly CardPromise[] | undefined },
): { ecard_attr_id?: Text } => {
  if (of.ecard_attr_id === null) return {}
  if (!card)
    return { ecard_attr_id: ['没有这张电子卡，请重新选择', 'No such e-card: choose another'] }
  const [zh, en] = [`「${card.name}」`, `“${card.name}”: `]
  if (card.fault)
    return { ecard_attr_id: [`${zh}${card.fault[0]}，请更换`, `${en}${card.fault[1]}`] }
  if (card.left === null) return {}
  if (card.left < times)
    return {
      ecard_attr_id: [
        `${zh}库存仅 ${card.left} 张，不足以覆盖全部兑换`,
        `${en}${card.left} in stock do not suffice for all codes`,
      ],
    }
  const share = cardShare(card.left, times, others)
  if (share.short === 0) return {}
  const [shortZh, shortEn] = promisedFault(share, times, others)
  return { ecard_attr_id: [`${zh}${shortZh}`, `${en}${shortEn}`] }
}
/** A card as it is shown. */
export type GivenCard = { name: string; face_cents: number; tail?: string }
/** The same of what a batch promises; null where it promises none. */
export const givenCardOf = (
  of: Promised,
  card: Pick<RewardCard, 'name' | 'face_cents'> | undefined,
): GivenCard | null =>
  of.ecard_attr_id === null
    ? null
    : { name: card?.name ?? `#${of.ecard_attr_id}`, face_cents: card?.face_cents ?? 0 }

type Say = (text: Text, values?: Record<string, string | number>) => string
/** A card in words, with the end of its number once it is given. */
export const cardText = ({ name, face_cents, tail }: GivenCard, say: Say): string =>
  tail
    ? say(['电子卡「{name}」{face} 元（尾号 {tail}）', 'E-card “{name}” of ¥{face} (…{tail})'], {
        name,
        face: yuan(face_cents),
        tail,
      })
    : say(['电子卡「{name}」{face} 元', 'E-card “{name}” of ¥{face}'], {
        name,
        face: yuan(face_cents),
      })
