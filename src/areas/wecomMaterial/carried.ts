import { headed, joined } from '#src/domain/text.ts'
import { unsendable, type MaterialKind, type Unsendable } from './material.ts'
import type { MessagePiece, PieceKind } from './piece.ts'

/** A material that a message carries, as it stands now. */
export type CarriedMaterial = {
  id: number
  title: string
  kind: MaterialKind
  /** Its text, where it is one; empty else. */
  text: string
  piece: MessagePiece | null
  /** Why a message leaves it out; null where it does not. */
  off: Unsendable | null
}
/** A part of a message that is written into it, or a material of the library. */
type Attached = Extract<MessagePiece, { kind: PieceKind }> | { kind: 'material'; id: number }
export type Said<M extends CarriedMaterial> = {
  /** Its own text, and those of its materials below. */
  text: string
  pieces: { piece: MessagePiece; material?: M }[]
  /** Materials that are texts. */
  texts: M[]
  /** What is left out, with its name. */
  skipped: { name: string; why: Unsendable }[]
}
/**
 * What a message says by its materials as they stand: texts follow its own text, and a material that
 * is off, past its end or deleted is left out.
 */
export const saidWith = <M extends CarriedMaterial>(
  { text, attachments }: { text: string; attachments: readonly Attached[] },
  materials: readonly M[],
): Said<M> => {
  const said: Said<M> = { text, pieces: [], texts: [], skipped: [] }
  for (const one of attachments) {
    if (one.kind !== 'material') {
      said.pieces.push({ piece: one })
      continue
    }
    const material = materials.find(of => of.id === one.id)
    const why = material ? material.off : ('gone' as const)
    if (why !== null) said.skipped.push({ name: material?.title ?? `#${one.id}`, why })
    else if (material!.piece) said.pieces.push({ piece: material!.piece, material: material! })
    else said.texts.push(material!)
  }
  said.text = [text, ...said.texts.map(one => one.text)].filter(Boolean).join('\n')
  return said
}
/** What is left out of a message, each in both languages (`joined`). */
export const skippedWords = ({ skipped }: Pick<Said<CarriedMaterial>, 'skipped'>): string[] =>
  skipped.map(({ name, why }) => joined(headed([name, name], joined(unsendable[why]))))
