import type { Text } from '#src/domain/text.ts'

export const sendStates = {
  scheduled: ['待发送', 'Scheduled'],
  sending: ['发送中', 'Being sent'],
  finished: ['已结束', 'Finished'],
  canceled: ['已取消', 'Cancelled'],
} as const satisfies Record<string, Text>
/** What became of what one adviser was asked to send. */
export const partStates = {
  waiting: ['待提交', 'To be asked'],
  asking: ['提交中', 'Being asked'],
  asked: ['待成员确认', 'Waits for the adviser'],
  unknown: ['结果未知', 'Nobody knows'],
  failed: ['企微拒绝', 'Refused'],
  canceled: ['已取消', 'Cancelled'],
  done: ['已结束', 'Over'],
} as const satisfies Record<string, Text>
export type PartState = keyof typeof partStates
export const resultStates = {
  unsent: ['待发送', 'Not sent yet'],
  sent: ['已发送', 'Sent'],
  not_friend: ['已不是好友', 'No friend any more'],
  over_limit: ['已达接收上限', 'Had its share'],
  failed: ['未发送', 'Not sent'],
  canceled: ['已取消', 'Cancelled'],
} as const satisfies Record<string, Text>
export type ResultState = keyof typeof resultStates
/** WeCom's numbers of what became of one customer. */
export const resultCodes: Readonly<Record<number, ResultState>> = {
  0: 'unsent',
  1: 'sent',
  2: 'not_friend',
  3: 'over_limit',
}
/** A material that a text to many carries, and the version that goes; null until it is asked for. */
export type MassMaterial = { id: number; n: number | null }
