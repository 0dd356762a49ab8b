import { z } from 'zod'
import { couponPieces, type CouponPiece } from '#src/areas/coupon/couponWords.ts'
import {
  BASKET_LINES,
  BASKET_UNITS,
  claimStates,
  PIECES_A_PAGE,
  PIECES_TRIED,
} from '#src/areas/coupon/memberCoupons.ts'
import { couponKinds, type CouponKind } from '#src/areas/mall/recommend.ts'
import { write } from '#src/contract/call.ts'
import { cents, id, keysOf, keyText, unix } from '#src/contract/shapes.ts'

const ticket = keyText(80, 1)
const own = {
  scope: { none: 'A member acts for themselves, by a ticket of their own' },
  permit: 'public',
  quiet: true,
} as const
/** A member's piece: what it gives, in cents and basis points, and how it stands. */
const piece = z.object({
  id,
  code: z.string(),
  coupon_id: id,
  name: z.string(),
  scope: z.enum(['local', 'ecom']),
  kind: keysOf<CouponKind>(couponKinds),
  face_cents: cents,
  threshold_cents: cents,
  discount_bp: z.int().nullable(),
  cap_cents: cents.nullable(),
  start_at: unix,
  end_at: unix,
  status: keysOf<CouponPiece>(couponPieces),
})

/** For the mini-program (docs/app-api.md): without a session, bounded by address, kept in no log. */
export const couponApp = {
  claim: write('coupon/app/claim', ['领取优惠券', 'Claim a coupon'], {
    input: z.object({ ticket, coupon_id: id }),
    /** `why` is in the caller's language; empty where it was claimed. */
    output: z.object({ state: z.enum(claimStates), why: z.string(), piece: piece.nullable() }),
    touches: ['coupon', 'coupon_grant', 'user_log'],
    ...own,
    // Its one statement is a transaction by itself.
    apart: true,
  }),
  /** One's own, the newest first, before the piece `before`. It is sent by POST as a ticket is a secret. */
  mine: write('coupon/app/mine', ['我的优惠券', 'My coupons'], {
    input: z.object({ ticket, usable: z.boolean().optional(), before: id.optional() }),
    output: z.object({
      state: z.enum(['ok', 'none']),
      list: z.array(piece).max(PIECES_A_PAGE),
      next: id.nullable(),
    }),
    touches: [],
    ...own,
  }),
  /** Tries each piece of one's own on a basket; nothing is held. */
  tryOn: write('coupon/app/tryOn', ['试算优惠券', 'Try coupons on a cart'], {
    input: z.object({
      ticket,
      lines: z
        .array(
          z.object({
            product_id: id,
            sku_id: id.optional(),
            qty: z.int().min(1).max(BASKET_UNITS),
          }),
        )
        .min(1)
        .max(BASKET_LINES),
    }),
    output: z.object({
      /** `refused`: not all of it is for sale, or it is of more than one kind. */
      state: z.enum(['ok', 'refused', 'none']),
      total_cents: cents,
      pieces: z.array(z.object({ id, off_cents: cents, why: z.string() })).max(PIECES_TRIED),
    }),
    touches: [],
    ...own,
  }),
}
