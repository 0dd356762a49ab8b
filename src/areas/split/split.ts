import type { Text } from '#src/domain/text.ts'

/** How far the sharing of an order's money at the payment channel is (domain B, dist_split_order). */
export const splitStates = {
  waiting: ['待分账', 'Waiting'],
  processing: ['分账中', 'Processing'],
  finished: ['已完成', 'Finished'],
  partial: ['部分成功', 'Partly done'],
  failed: ['失败', 'Failed'],
  unfrozen: ['已解冻', 'Unfrozen'],
  returned: ['已回退', 'Returned'],
} as const satisfies Record<string, Text>
export type SplitState = keyof typeof splitStates

export const receiverStates = {
  waiting: ['待分账', 'Waiting'],
  processing: ['处理中', 'Processing'],
  done: ['成功', 'Done'],
  failed: ['失败', 'Failed'],
  skipped: ['已转余额', 'To the balance'],
} as const satisfies Record<string, Text>
export type ReceiverState = keyof typeof receiverStates

export const receiverRoles = {
  merchant: ['商户', 'Merchant'],
  seller: ['分销员', 'Seller'],
  leader: ['团长', 'Team leader'],
  platform: ['平台', 'The platform'],
} as const satisfies Record<string, Text>
export type ReceiverRole = keyof typeof receiverRoles
