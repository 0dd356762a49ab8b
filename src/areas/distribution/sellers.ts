import type { Text } from '#src/domain/text.ts'

/** The kinds of people and stores that sell for the mall (domain B, distributor). */
export const sellerKinds = {
  expert: ['达人', 'Expert'],
  guide: ['导购', 'Store guide'],
  store: ['分销门店', 'Distributing store'],
} as const satisfies Record<string, Text>
export type SellerKind = keyof typeof sellerKinds

export const sellerStates = {
  pending: ['待审核', 'Applied'],
  active: ['正常', 'Active'],
  frozen: ['已冻结', 'Frozen'],
  quit: ['已清退', 'Quit'],
  rejected: ['已驳回', 'Rejected'],
} as const satisfies Record<string, Text>
export type SellerState = keyof typeof sellerStates

export const groupStates = {
  active: ['正常', 'Active'],
  dissolved: ['已解散', 'Dissolved'],
  merged: ['已合并', 'Merged'],
} as const satisfies Record<string, Text>
export type GroupState = keyof typeof groupStates

export const inviteStates = {
  active: ['待使用', 'Open'],
  used: ['已使用', 'Used'],
  stopped: ['已停用', 'Stopped'],
  expired: ['已过期', 'Expired'],
} as const satisfies Record<string, Text>
export type InviteState = keyof typeof inviteStates

/** The levels of sellers; level n counts from 1. */
export const LEVELS = 5
