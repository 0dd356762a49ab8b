import type { Text } from '#src/domain/text.ts'

/** What a reason is given for. */
export const reasonTypes = {
  refund: ['退款原因', 'Refund'],
  return: ['退货原因', 'Return'],
  reject: ['拒绝原因', 'Refusal'],
} as const satisfies Record<string, Text>
export type ReasonType = keyof typeof reasonTypes
/** Whoever is at fault where it is given: who pays the freight by fault. */
export const faults = {
  buyer: ['买家', 'The buyer'],
  merchant: ['商家', 'The merchant'],
  platform: ['平台', 'The platform'],
  none: ['无责任方', 'Nobody'],
} as const satisfies Record<string, Text>
export type Fault = keyof typeof faults
/** The reasons that a kind of case may be asked for with. */
export const reasonTypeOf = (type: 'refund_only' | 'return_refund' | 'resend'): ReasonType =>
  type === 'refund_only' ? 'refund' : 'return'
