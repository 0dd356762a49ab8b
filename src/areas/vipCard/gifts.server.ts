/** The coupons that come with a plan: one grant each, under a code that the purchase makes. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { claimCoupon } from '#src/areas/coupon/claiming.server.ts'
import { coupon_grant as g } from '#src/areas/coupon/coupon.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'

type Gifted = { id: number; gift_coupon_ids: readonly number[] }
const codeOf = (id: number, coupon_id: number): string => `VG${id}-${coupon_id}`
const codesOf = ({ id, gift_coupon_ids }: Gifted): string[] =>
  gift_coupon_ids.map(coupon_id => codeOf(id, coupon_id))
const grantsOf = (of: Gifted) => inArray(g.code, codesOf(of))

export type GiftGiven = { coupon_id: number; refused: Refusal | null }
/**
 * Gives the coupons of a purchase that were not given yet. One that is not given out now is left
 * out, and may be given later (`refused` says why). Unix seconds.
 */
export const giveGifts = async (
  tx: Db,
  of: Gifted & { member_id: number },
  now: number,
): Promise<GiftGiven[]> => {
  const missing = await missingGifts(tx, of)
  const said: GiftGiven[] = []
  for (const coupon_id of missing)
    try {
      await tx.transaction(inner =>
        claimCoupon(inner, {
          coupon_id,
          member_id: of.member_id,
          qty: 1,
          kind: 'activity',
          codes: [codeOf(of.id, coupon_id)],
          now,
        }),
      )
      said.push({ coupon_id, refused: null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      said.push({ coupon_id, refused: error })
    }
  return said
}
/** The coupons of a purchase that its member did not get. */
const missingGifts = async (tx: Db, of: Gifted): Promise<number[]> => {
  if (of.gift_coupon_ids.length === 0) return []
  const given = await tx.select({ id: g.coupon_id }).from(g).where(grantsOf(of))
  const ids = new Set(given.map(one => one.id))
  return of.gift_coupon_ids.filter(id => !ids.has(id))
}
/** Locks the unused coupons of a purchase while it is given back, so that nobody uses them. */
export const lockGifts = async (tx: Db, of: Gifted, now: number): Promise<void> => {
  if (of.gift_coupon_ids.length > 0)
    await tx
      .update(g)
      .set({ status: 'locked', locked_at: now })
      .where(and(grantsOf(of), eq(g.status, 'unused')))
}
/** What was locked so is taken back with the money, or free again where it stays. */
export const endGifts = async (tx: Db, of: Gifted, to: 'revoked' | 'unused'): Promise<void> => {
  if (of.gift_coupon_ids.length > 0)
    await tx
      .update(g)
      .set({ status: to, locked_at: null })
      .where(and(grantsOf(of), eq(g.status, 'locked'), isNull(g.order_no)))
}
