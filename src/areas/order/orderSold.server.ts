import type { product } from '#src/areas/product/product.table.ts'
import type { raise_batch } from '#src/areas/raise/raise.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import type { OrderItem } from './orderFacts.server.ts'

/** What a coupon took off an order, in the order's log. */
export type CouponNote = {
  name: string
  discount_cents: number
  platform_cents: number
  merchant_cents: number
}
/** What a campaign promised to whoever ordered in it. */
export const raiseTerms = ({
  title,
  mode,
  target_type,
  target,
  cap_units,
  deposit_cents,
  deposit_rule,
  end_at,
  balance_end_at,
  ship_at,
}: typeof raise_batch.$inferSelect) => ({
  title,
  mode,
  target_type,
  target,
  cap_units,
  deposit_cents,
  deposit_rule,
  end_at,
  balance_end_at,
  ship_at,
})
/** What was sold of a product, as its order keeps it: a later version never changes it. */
export const snapshotOf = (
  item: typeof product.$inferSelect,
  body: ProductBody | undefined,
  price_cents: number,
  sku?: string,
): Record<string, unknown> => ({
  no: item.live_version,
  title: item.title,
  price_cents,
  commission_bp: item.commission_bp,
  check_start_at: item.check_start_at,
  check_end_at: item.check_end_at,
  times_total: item.times_total,
  ...validityOf(item, body),
  refund_policy: item.refund_policy,
  face_cents: item.face_cents,
  min_spend_cents: item.min_spend_cents,
  per_bill_limit: item.per_bill_limit,
  ...(item.kind === 'voucher' && excludedOf(body)),
  images: body?.images ?? [],
  ...(sku !== undefined && { sku }),
})
/** When a voucher can't be used. */
const excludedOf = (body: ProductBody | undefined) => ({
  exclude_weekdays: body?.exclude_weekdays ?? [],
  unavailable_dates: body?.unavailable_dates ?? [],
  use_time: body?.use_time ?? '',
})
/** Days of validity from the purchase, or from the first use. */
const validityOf = (
  item: Pick<typeof product.$inferSelect, 'valid_days'>,
  body: ProductBody | undefined,
) =>
  body?.valid_from === 'first_use' && item.valid_days
    ? { valid_days: null, first_use_days: item.valid_days }
    : { valid_days: item.valid_days }
/** What codes need to know of a sold item; its days and dates as its snapshot keeps them. */
export type Sold = {
  commission_bp: number
  times_total?: number | null
  valid_days?: number | null
  check_end_at: number
  first_use_days?: number | null
}
/** What was sold of an item, as its snapshot keeps it. */
export const soldOf = (item: OrderItem) => item.snapshot as Sold
