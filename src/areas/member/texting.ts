import type { Text } from '#src/domain/text.ts'

/** What became of a text to a member. */
export const textStates = {
  queued: ['待发送', 'Queued'],
  sent: ['已发送', 'Sent'],
  failed: ['发送失败', 'Failed'],
} as const satisfies Record<string, Text>
export type TextState = keyof typeof textStates
