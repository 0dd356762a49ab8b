import type { Text } from '#src/domain/text.ts'

/** What becomes of an export that was asked for. */
export const exportStates = {
  queued: ['排队中', 'Queued'],
  running: ['生成中', 'Running'],
  done: ['已完成', 'Done'],
  failed: ['失败', 'Failed'],
  cancelled: ['已取消', 'Cancelled'],
  expired: ['已过期', 'Expired'],
  revoked: ['已作废', 'Revoked'],
} as const satisfies Record<string, Text>
