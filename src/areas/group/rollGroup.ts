import type { Text } from '#src/domain/text.ts'

export const groupStates = {
  forming: ['拼团中', 'Forming'],
  success: ['已成团', 'Formed'],
  failed: ['未成团', 'Failed'],
} as const satisfies Record<string, Text>
export type GroupState = keyof typeof groupStates
/** What ended a group. */
export const groupEnds = {
  full: ['满员', 'Full'],
  force: ['手动成团', 'By staff'],
  timeout: ['超时', 'Time ran out'],
  dissolve: ['手动解散', 'Dissolved by staff'],
} as const satisfies Record<string, Text>
export type GroupEnd = keyof typeof groupEnds
export const groupRoles = {
  leader: ['团长', 'Leader'],
  member: ['团员', 'Member'],
} as const satisfies Record<string, Text>

/**
 * Whether whoever leads a group goes free: due once it has formed, paid when all of it is through,
 * and owed by the leader should nobody else stay.
 */
export const rewardStates = {
  none: ['未达成', 'Not earned'],
  due: ['待返还', 'To be paid'],
  paid: ['已返还', 'Paid'],
  clawed: ['待追回', 'To be taken back'],
  returned: ['已追回', 'Taken back'],
  waived: ['已免追', 'Written off'],
} as const satisfies Record<string, Text>
export type RewardState = keyof typeof rewardStates

/**
 * How a reward that its leader owes may end: the money was handed back, or nobody asks for it any
 * more.
 */
export const rewardEnds = {
  returned: ['已收回款项', 'The money came back'],
  waived: ['免于追回', 'Written off'],
} as const satisfies Partial<Record<RewardState, Text>>
export type RewardEnd = keyof typeof rewardEnds

/** A group is of so many. */
export const [GROUP_MIN, GROUP_MAX] = [2, 20]
/**
 * So many must have paid before staff may declare a group formed: nobody is sold a group of one.
 */
export const FORCE_MIN = 2
/** A group with less time than this is looked after first, in seconds. */
export const ENDING_S = 7200

export type GroupLook = {
  state: GroupState
  joined_n: number
  virtual_n: number
  need_n: number
  expire_at: number
}
export type GroupVerb = 'forceSuccess' | 'forceFail' | 'extendGroup'
/**
 * What staff may do with a group as it is now, or why not; handlers, menus and tests all ask here.
 */
export const groupCan = (verb: GroupVerb, of: GroupLook): true | Text => {
  if (of.state !== 'forming')
    return of.state === 'success'
      ? ['该团已成团', 'The group has formed already']
      : ['该团已解散', 'The group was dissolved already']
  if (verb === 'forceSuccess' && of.joined_n < FORCE_MIN)
    return [
      `至少 ${FORCE_MIN} 人实际付款才能手动成团，现有 ${of.joined_n} 人`,
      `At least ${FORCE_MIN} must have paid; ${of.joined_n} have`,
    ]
  return true
}
