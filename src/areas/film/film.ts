import type { Text } from '#src/domain/text.ts'

/** Whoever issues tickets, in the order that an installation begins with. */
export const ticketProviders = {
  provider_a: ['光影票务', 'Guangying Tickets'],
  provider_b: ['星幕票务', 'Xingmu Tickets'],
  direct: ['影院直连', 'Cinema direct'],
} as const satisfies Record<string, Text>
export type TicketProviderKey = keyof typeof ticketProviders

/**
 * How far the tickets of an order are. `released`: its seats are free again, for it was not paid,
 * could not be issued or was given back.
 */
export const ticketStates = {
  locked: ['锁座中', 'Seats locked'],
  issuing: ['出票中', 'Issuing'],
  issued: ['已出票', 'Issued'],
  issue_failed: ['出票失败', 'Issue failed'],
  released: ['已释放', 'Released'],
} as const satisfies Record<string, Text>
export type TicketState = keyof typeof ticketStates

/** What a provider was asked for under one number. `surplus`: issued too late for anybody. */
export const ticketRequestStates = {
  pending: ['等待应答', 'No answer yet'],
  success: ['成功', 'Issued'],
  failed: ['失败', 'Failed'],
  ended: ['已终止', 'Ended'],
  surplus: ['多出', 'Surplus'],
} as const satisfies Record<string, Text>
export type TicketRequestState = keyof typeof ticketRequestStates

/**
 * Where an order stands, each in exactly one: the tabs of its list and the parts of its overview
 * (invariant 25 of domain B). `filmStageOf` says which.
 */
export const filmStages = {
  pending_payment: ['待付款', 'To pay'],
  pending_tickets: ['待出票', 'To issue'],
  ticketed: ['已出票', 'Issued'],
  settled: ['已结算', 'Settled'],
  refunding: ['退款中', 'Refunding'],
  refunded: ['已退款', 'Refunded'],
  cancelled: ['已取消', 'Cancelled'],
  freezing: ['冻结订单', 'Frozen'],
} as const satisfies Record<string, Text>
export type FilmStage = keyof typeof filmStages

export const filmRefundKinds = {
  ticket_failed: ['出票失败', 'Not issued'],
  user: ['用户退票', 'By the buyer'],
  show_canceled: ['场次取消', 'Show cancelled'],
  complaint: ['投诉', 'Complaint'],
} as const satisfies Record<string, Text>
export type FilmRefundKind = keyof typeof filmRefundKinds

/** What the provider says to tickets that are given back. */
export const returnStates = {
  none: ['无需退票', 'Nothing to return'],
  returning: ['退票中', 'Returning'],
  returned: ['已退票', 'Returned'],
  refused: ['渠道拒绝', 'Refused'],
} as const satisfies Record<string, Text>
export type ReturnState = keyof typeof returnStates

export const showStates = {
  on: ['正常', 'On'],
  canceled: ['已取消', 'Cancelled'],
} as const satisfies Record<string, Text>
export type ShowState = keyof typeof showStates

/** A seat on the plan of its hall, counted from 1: row 5, seat 6. */
export type Seat = { row: number; col: number }
/** A hall: so many rows of so many seats; `gaps` are places without one (aisles). */
export type Hall = { name: string; rows: number; cols: number; gaps: readonly Seat[] }
/** What a seat is called on its ticket. */
export const seatName = ({ row, col }: Seat): Text => [`${row}排${col}座`, `Row ${row} seat ${col}`]
export const seatKey = ({ row, col }: Seat): string => `${row}-${col}`
/** Whether the plan of a hall has the seat. */
export const hasSeat = (hall: Hall, { row, col }: Seat): boolean =>
  Number.isInteger(row) &&
  Number.isInteger(col) &&
  row >= 1 &&
  row <= hall.rows &&
  col >= 1 &&
  col <= hall.cols &&
  !hall.gaps.some(gap => gap.row === row && gap.col === col)

/** The parts of a price in cents, for the whole order. */
export type FilmPrice = {
  /** What the cinema asks at its desk. */
  origin_cents: number
  /** The seats at our price: the provider's with the mark-up, less the subsidy of the city. */
  sale_cents: number
  service_fee_cents: number
  coupon_cents: number
  points_cents: number
}
/** pay = sale + service fee - coupon - points (invariant 24 of domain B). */
export const payOf = (of: Omit<FilmPrice, 'origin_cents'>): number =>
  of.sale_cents + of.service_fee_cents - of.coupon_cents - of.points_cents
/**
 * profit = pay - cost - wechat fee - refunded + cost returned (invariant 24): below zero where a
 * subsidy or a refund took more than the sale brought.
 */
export const profitOf = (of: {
  pay_cents: number
  cost_cents: number
  wechat_fee_cents: number
  refunded_cents: number
  cost_return_cents: number
}): number =>
  of.pay_cents - of.cost_cents - of.wechat_fee_cents - of.refunded_cents + of.cost_return_cents

/** Paid and not issued for so long: stuck, and staff may ask another provider. */
export const STUCK_S = 5 * 60
/** Paid and not issued for so long, or until the show begins: it goes back by itself. */
export const GIVE_UP_S = 15 * 60
