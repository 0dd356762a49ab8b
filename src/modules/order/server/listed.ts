import type { Order } from '#src/areas/order/orderFacts.server.ts'

/** Columns that no list of orders shows. */
export const unlisted = [
  'updated_at',
  'agreements',
  'device_id',
  'h5_link_id',
  'live_room_id',
  'freeze_hit_id',
  'coupon_grant_id',
  'total_cents',
  'freight_cents',
  'invoice',
  'receive_extended',
  'late_penalty_cents',
  'rider',
  'dispatched_at',
  'reissue_of',
  'face_cents',
  'begun',
  'deciding',
  'reviewed_at',
  'review_by',
] as const
/** An order as lists read it. */
export type Listed = Omit<Order, (typeof unlisted)[number]>
