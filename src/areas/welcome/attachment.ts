import { pieceKinds, type MessagePiece } from '#src/areas/wecomMaterial/piece.ts'
import type { Text } from '#src/domain/text.ts'

/** What is written into a message itself. */
export type InlinePiece = Extract<MessagePiece, { kind: 'image' | 'link' | 'miniprogram' }>
/** A material of the library, which says what it says when the message goes. */
type MaterialRef = { kind: 'material'; id: number }
/** What stands below the text of a message. */
export type WelcomeAttachment = InlinePiece | MaterialRef
export const attachmentKinds = {
  ...pieceKinds,
  material: ['素材', 'Material'],
} as const satisfies Record<string, Text>
/** The materials that a message carries, in their order. */
export const materialIdsIn = (attachments: readonly WelcomeAttachment[]): number[] =>
  attachments.flatMap(one => (one.kind === 'material' ? [one.id] : []))
