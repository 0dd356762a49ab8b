import { z } from 'zod'
import { basisPoints, cents, guarded, id, keyText, lines, text, unix } from './shapes.ts'

const productKinds = ['bulks', 'card', 'voucher', 'goods', 'elist'] as const

/**
 * All that a merchant submits for sale, one shape for the five kinds; what a kind has no use for is
 * absent.
 */
export const productBody = z.object({
  kind: z.enum(productKinds),
  title: text(120),
  category_id: id,
  brand_id: id.optional(),
  store_ids: z.array(id),
  /** Addresses below the upload domain; the first is the main picture. */
  images: z.array(keyText(255)).max(20),
  tags: z.array(text(16)).max(10),
  list_price_cents: cents,
  price_cents: cents,
  settle_price_cents: cents,
  commission_bp: basisPoints,
  stock: z.int().min(0),
  sale_start_at: unix,
  sale_end_at: unix,
  check_start_at: unix,
  check_end_at: unix,
  /** Days after purchase or first use; absent means until check_end_at. */
  valid_days: z.int().optional(),
  valid_from: z.enum(['purchase', 'first_use']).optional(),
  refund_policy: z.enum(['anytime', 'before_expiry', 'none']),
  limit_per_member: z.int().optional(),
  /** So many who buy together have it at this price; both or neither. */
  group_need: z.int().optional(),
  group_price_cents: cents.optional(),
  /** Whoever leads them has a unit free, once all of them are through. */
  group_leader_free: z.boolean().optional(),
  need_booking: z.boolean().optional(),
  use_time: text(120, 0).optional(),
  /** `YYYY-MM-DD`. */
  unavailable_dates: z.array(keyText(10)).max(400).optional(),
  buy_notes: lines(2000, 0).optional(),
  package: z.array(z.object({ name: text(60), qty: z.int(), price_cents: cents })).optional(),
  // card
  times_total: z.int().optional(),
  single_price_cents: cents.optional(),
  transferable: z.boolean().optional(),
  // voucher
  face_cents: cents.optional(),
  min_spend_cents: cents.optional(),
  per_bill_limit: z.int().optional(),
  combinable: z.boolean().optional(),
  exclude_weekdays: z.array(z.int().min(1).max(7)).optional(),
  invoice_by: z.enum(['merchant', 'platform']).optional(),
  // goods and elist
  skus: z
    .array(
      z.object({
        code: text(32),
        name: text(64),
        price_cents: cents,
        stock: z.int(),
        image: keyText(255).optional(),
      }),
    )
    .optional(),
  freight_template_id: id.optional(),
  return_address_id: id.optional(),
})
export type ProductBody = z.output<typeof productBody>
/** An offer as it is shown: what the platform earns is a guarded field. */
export const shownBody = z.object({
  ...productBody.shape,
  settle_price_cents: guarded('product.settle_price_cents', cents),
  commission_bp: guarded('product.commission_bp', basisPoints),
})
export type ShownBody = z.output<typeof shownBody>
