/** What members do with coupons at their phones: claim one, read their own, try them on a basket. */
import { and, desc, eq, gt, inArray, lt, lte } from 'drizzle-orm'
import { product, product_sku } from '#src/areas/product/product.table.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { claimCoupon } from './claiming.server.ts'
import { coupon, coupon_grant } from './coupon.table.ts'
import { couponScope, cutBy, type CouponTerms } from './coupon.ts'
import { grantedTerms, linesFor } from './coupons.server.ts'
import { PIECES_A_PAGE, PIECES_TRIED, type ClaimState } from './memberCoupons.ts'

const t = coupon_grant
type Grant = typeof t.$inferSelect
/** A piece as its member reads it: what it gives, from when until when, how it stands now. */
const pieceOf = (grant: Grant, terms: CouponTerms, now: number) => {
  const { name, scope, kind, face_cents, threshold_cents, discount_bp, cap_cents } = terms
  const { id, code, coupon_id, start_at, end_at, status } = grant
  return {
    id,
    code,
    coupon_id,
    name,
    scope,
    kind,
    face_cents,
    threshold_cents,
    discount_bp,
    cap_cents,
    start_at,
    end_at,
    // The clock writes it down later.
    status: status === 'unused' && end_at <= now ? ('expired' as const) : status,
  }
}
const states: Readonly<Record<string, ClaimState>> = {
  used_up: 'sold_out',
  few_left: 'sold_out',
  per_member: 'limit',
  per_day: 'limit',
  not_given: 'closed',
  use_over: 'closed',
}
/**
 * A member claims a piece of a coupon, by the same guard as everybody; what is refused leaves
 * nothing behind, and says why.
 */
export const claimAsMember = async (
  tx: Db,
  of: { member_id: number; coupon_id: number; lang: Lang; now: number },
) => {
  const { lang, ...claiming } = of
  try {
    const { grants } = await claimCoupon(tx, { ...claiming, qty: 1, kind: 'claim' })
    const [grant] = grants as [Grant]
    const piece = pieceOf(grant, grant.snapshot as CouponTerms, of.now)
    return { state: 'claimed' as const, why: '', piece }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const state = states[String(error.data['rule'])] ?? 'refused'
    return { state, why: error.in(lang), piece: null }
  }
}
const rowsOf = (db: Db) =>
  db.select({ grant: t, coupon }).from(t).innerJoin(coupon, eq(coupon.id, t.coupon_id))
/** A page of a member's own pieces, the newest first; `next` is where the one after it begins. */
export const piecesOf = async (
  db: Db,
  of: { member_id: number; usable: boolean; before: number | undefined; now: number },
) => {
  const rows = await rowsOf(db)
    .where(
      and(
        eq(t.member_id, of.member_id),
        of.before === undefined ? undefined : lt(t.id, of.before),
        of.usable ? and(eq(t.status, 'unused'), gt(t.end_at, of.now)) : undefined,
      ),
    )
    .orderBy(desc(t.id))
    .limit(PIECES_A_PAGE + 1)
  const list = rows
    .slice(0, PIECES_A_PAGE)
    .map(row => pieceOf(row.grant, grantedTerms(row), of.now))
  return { list, next: rows.length > PIECES_A_PAGE ? list.at(-1)!.id : null }
}

type Wanted = { product_id: number; sku_id?: number | undefined; qty: number }
/**
 * The wanted goods at their prices; undefined where one of them is not for sale, or of another
 * kind.
 */
const basketOf = async (db: Db, wanted: readonly Wanted[]) => {
  const ids = wanted.map(one => one.product_id)
  const items = await db
    .select()
    .from(product)
    .where(and(inArray(product.id, ids), eq(product.state, 'on_sale')))
  const sku_ids = wanted.flatMap(one => (one.sku_id === undefined ? [] : [one.sku_id]))
  const skus =
    sku_ids.length === 0
      ? []
      : await db
          .select()
          .from(product_sku)
          .where(and(inArray(product_sku.id, sku_ids), eq(product_sku.status, 'on')))
  const sold = wanted.flatMap(({ product_id, sku_id, qty }) => {
    const item = items.find(one => one.id === product_id)
    const sku = skus.find(one => one.id === sku_id && one.product_id === product_id)
    if (!item || (sku_id !== undefined && !sku)) return []
    const price_cents = sku?.price_cents ?? item.price_cents
    return [{ item, price_cents, cost_cents: price_cents * qty }]
  })
  const kind = sold[0]?.item.kind
  return sold.length === wanted.length && sold.every(one => one.item.kind === kind)
    ? sold
    : undefined
}
/**
 * Tries each of a member's pieces on a basket, by the very `cutBy` of checkout: at list prices,
 * without freight and before subsidies. The piece that takes off most comes first. Nothing is held.
 * Undefined where the basket can't be bought.
 */
export const triedOn = async (
  db: Db,
  of: { member_id: number; lines: readonly Wanted[]; lang: Lang; now: number },
) => {
  const { lang, now } = of
  const sold = await basketOf(db, of.lines)
  if (!sold) return undefined
  const { kind, city_id } = sold[0]!.item
  const lines = await linesFor(db, sold)
  const rows = await rowsOf(db)
    .where(
      and(
        eq(t.member_id, of.member_id),
        eq(t.status, 'unused'),
        lte(t.start_at, now),
        gt(t.end_at, now),
      ),
    )
    .orderBy(t.end_at, t.id)
    .limit(PIECES_TRIED)
  const pieces = rows.map(row => {
    const cut = cutBy(grantedTerms(row), {
      scope: couponScope(kind, kind === 'elist'),
      city_id,
      at: now,
      freight_cents: 0,
      lines,
      other_cents: 0,
      reduced: false,
    })
    const isRefused = 'rule' in cut
    return {
      id: row.grant.id,
      off_cents: isRefused ? 0 : cut.discount_cents,
      why: isRefused ? say(cut.text, lang, cut.values) : '',
    }
  })
  return {
    total_cents: sold.reduce((sum, one) => sum + one.cost_cents, 0),
    pieces: pieces.toSorted((a, b) => b.off_cents - a.off_cents),
  }
}
