import type { Text } from '#src/domain/text.ts'

export const pullStates = {
  draft: ['草稿', 'Draft'],
  auditing: ['待审核', 'To approve'],
  rejected: ['已驳回', 'Rejected'],
  waiting: ['待开始', 'Waiting'],
  running: ['进行中', 'Running'],
  paused: ['已暂停', 'Paused'],
  ended: ['已结束', 'Ended'],
} as const satisfies Record<string, Text>
export type PullState = keyof typeof pullStates

export const pullRecordStates = {
  scanned: ['已扫码', 'Scanned'],
  registered: ['已注册', 'Registered'],
  ticketed: ['已购票', 'Bought'],
  valid: ['有效', 'Valid'],
  rewarded: ['已奖励', 'Rewarded'],
  void: ['已作废', 'Void'],
} as const satisfies Record<string, Text>
export type PullRecordState = keyof typeof pullRecordStates

/** Why a referral looks made up. */
export const pullFlags = {
  self_scan: ['自己扫码', 'Scanned by the promoter'],
  same_device: ['同设备多账号', 'One device, many accounts'],
} as const satisfies Record<string, Text>
export type PullFlag = keyof typeof pullFlags
