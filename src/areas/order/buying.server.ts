import type { combo } from '#src/areas/combo/combo.table.ts'
import type { Group } from '#src/areas/group/groups.server.ts'
import type { product, product_sku } from '#src/areas/product/product.table.ts'
import type { Batch } from '#src/areas/raise/raise.server.ts'
import type { InvoiceKind, ItemWay, PayWay, Receiver } from './order.ts'

export type Product = typeof product.$inferSelect
export type Sku = typeof product_sku.$inferSelect
export type BoughtLine = { product_id: number; qty: number; sku_id?: number | undefined }
export type Buying = {
  /** Null for a visitor, who is known by a phone. */
  member_id: number | null
  visitor?: { phone: string; openid?: string }
  now: number
  /** The device it comes from, as short links know it. */
  device?: string
  /** The buyer has just read a captcha. */
  proved?: boolean
  /** How store goods reach the buyer; the others go their kind's way. */
  way?: 'pickup' | 'delivery'
  receiver?: Receiver
  /** Whom an invoice is asked to be made out to. */
  invoice?: { kind: InvoiceKind; title: string; tax_no?: string | undefined }
  /** Joins this group. */
  group_id?: number
  /** Buys at the group's price, to lead a group of its own once it is paid. */
  opens_group?: boolean
  raise_batch_id?: number
  combo_id?: number
  store_id?: number
  freight_cents?: number
  /** A bill paid at the store: what it comes to. It is used the moment it is paid. */
  bill_cents?: number
  /** Paid by the platform beside a coupon: red packets, subsidies. */
  platform_discount_cents?: number
  /** A coupon that the member holds. */
  coupon_grant_id?: number | undefined
  /**
   * Points of the member that go into this order; what they are worth is part of the platform's
   * discount.
   */
  points_used?: number
  channel?: PayWay
} & ({ product_id: number; qty: number } | { lines: readonly BoughtLine[] })

/** What an order is placed under: a live room, a group, a bundle, a campaign. All are held. */
export type Offer = {
  live_room_id: number | null
  /** The price in a live room, from what the room has reserved; undefined outside of one. */
  live_cents: number | undefined
  group: Group | undefined
  bundle: typeof combo.$inferSelect | undefined
  batch: Batch | undefined
}
/** A line with what is held of it, at the price that its buyer pays (cents). */
export type SoldLine = {
  line: BoughtLine
  item: Product
  sku: Sku | undefined
  price_cents: number
  total_cents: number
  fulfil: ItemWay
}
