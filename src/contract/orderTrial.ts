import { z } from 'zod'
import { cents, open } from './shapes.ts'

/** What a coupon takes off a real order, as checkout computes it. */
export const orderTrial = z.object({
  /** 0 where there is no order. */
  order_id: z.int(),
  order_no: z.string(),
  lines: z.array(
    z.object({
      title: z.string(),
      shop_name: z.string(),
      qty: z.int(),
      cost_cents: open('What coupons take off, no product’s', cents),
      off_cents: cents,
    }),
  ),
  freight_cents: cents,
  discount_cents: cents,
  platform_cents: cents,
  merchant_cents: cents,
  pay_cents: cents,
  /** Why it takes nothing off; empty where it does. */
  refused: z.string(),
})
export type OrderTrial = z.output<typeof orderTrial>
