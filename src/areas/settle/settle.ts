import type { Text } from '#src/domain/text.ts'

/** How far the money of a sold unit is on its way to whoever sold it (domain D, settle_line). */
export const lineStates = {
  pending_payment: ['待付款', 'To pay'],
  pending_tickets: ['待出票', 'To issue'],
  not_settled: ['未结算', 'Not settled'],
  freezing: ['冻结中（结算）', 'On hold (settlement)'],
  settled: ['已结算', 'Settled'],
  refunded: ['已退款', 'Refunded'],
  canceled: ['已取消', 'Cancelled'],
} as const satisfies Record<string, Text>
export type LineState = keyof typeof lineStates

/** The party that bears the channel's fee on what was paid. */
export const feeBearers = {
  platform: ['平台承担', 'The platform'],
  merchant: ['商户承担', 'The merchant'],
} as const satisfies Record<string, Text>
export type FeeBearer = keyof typeof feeBearers
