import type { Text } from '#src/domain/text.ts'

export const rowJobStates = {
  queued: ['排队中', 'Queued'],
  running: ['处理中', 'Running'],
  done: ['已完成', 'Done'],
  failed: ['已中止', 'Stopped'],
  cancelled: ['已取消', 'Cancelled'],
} as const satisfies Record<string, Text>
export type RowJobState = keyof typeof rowJobStates
