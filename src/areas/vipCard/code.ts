import type { Text } from '#src/domain/text.ts'

export const batchStates = {
  asked: ['待复核', 'Waits for a second person'],
  making: ['制卡中', 'Being made'],
  ready: ['已制成', 'Made'],
  rejected: ['已驳回', 'Turned down'],
} as const satisfies Record<string, Text>
export type BatchState = keyof typeof batchStates
export const vipCodeStates = {
  unissued: ['未发放', 'Not handed out'],
  issued: ['已发放', 'Handed out'],
  activated: ['已激活', 'Activated'],
  frozen: ['已冻结', 'Frozen'],
  void: ['已作废', 'Void'],
  expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
export type VipCodeState = keyof typeof vipCodeStates
