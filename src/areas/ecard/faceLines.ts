import { centsOf } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { faceFaults, type CardDraft } from './card.ts'

/** A face as it is typed before its card is there, in cents. */
export type FaceLine = { face_cents: number; price_cents: number; cost_cents: number }
/** So many faces a card may have. */
export const FACES_MOST = 30
type Read = { faces: FaceLine[]; fault?: Text }

const lineOf = (line: string): FaceLine | undefined => {
  const [face, price, cost, ...more] = line.split(/[\s,，、]+/).map(centsOf)
  if (!face || more.length > 0 || price === 0) return undefined
  const typed = line.split(/[\s,，、]+/).length
  if ((typed > 1 && price === undefined) || (typed > 2 && cost === undefined)) return undefined
  return { face_cents: face, price_cents: price ?? face, cost_cents: cost ?? 0 }
}
/**
 * Reads faces as they are typed, one a line or between semicolons: the face, its price where that is another, and its cost,
 * in yuan. Tells of the first line that is none.
 */
export const readFaceLines = (typed: string): Read => {
  const lines = typed
    .normalize('NFKC')
    .split(/[\n;]/)
    .map(line => line.trim())
    .filter(Boolean)
  const faces = lines.map(lineOf)
  const wrong = faces.findIndex(face => face === undefined)
  if (wrong >= 0)
    return {
      faces: [],
      fault: [
        `第 ${wrong + 1} 个面值应写为“面值 售价 成本”，如 100 98 90`,
        `Face ${wrong + 1}: face, price and cost, such as 100 98 90`,
      ],
    }
  return { faces: faces as FaceLine[] }
}
/** The fault of the faces of a card that is not there yet; undefined where all are well. */
export const faceLinesFault = (
  faces: readonly FaceLine[],
  of: Pick<CardDraft, 'type' | 'named' | 'bonus'>,
): Text | undefined => {
  if (new Set(faces.map(face => face.face_cents)).size < faces.length)
    return ['面值不能重复', 'Each face stands once']
  if (faces.length > FACES_MOST) return [`最多 ${FACES_MOST} 个面值`, `${FACES_MOST} faces at most`]
  return faces.flatMap(face =>
    Object.values(faceFaults({ ...face, bonus_cents: 0 }, of)).filter(fault => fault !== undefined),
  )[0]
}
