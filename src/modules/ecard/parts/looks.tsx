import { Edit, Pause, Tick } from '@blueprintjs/icons'
import { cardValidText } from '#src/areas/ecard/cardSentence.ts'
import { cardStates, type CardState } from '#src/areas/ecard/ecard.ts'
import { yuan } from '#src/domain/money.ts'
import type { States } from '#src/kit/cells.tsx'
import { useSay } from '#src/kit/text.ts'
import type { CardRow } from '../contract/list.ts'

export const cardLooks: States<CardState> = {
  draft: { text: cardStates.draft, icon: Edit },
  on: { text: cardStates.on, tone: 'good', icon: Tick },
  off: { text: cardStates.off, tone: 'warn', icon: Pause },
}
const short = (cents: number) => yuan(cents).replace(/\.00$/, '')
/** The faces of a card from the least to the largest: `¥100–1,000`. */
export const faceRange = ({ face_min_cents: least, face_max_cents: most }: CardRow): string => {
  if (least === null || most === null) return '—'
  return least === most ? `¥${short(least)}` : `¥${short(least)}–${short(most)}`
}
export const Validity = ({ of }: { of: CardRow }) => useSay()(cardValidText(of))
