import { eq, sql } from 'drizzle-orm'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { openOrExtend } from '#src/areas/vipCard/subscriptions.server.ts'
import { vip_card, vip_card_order, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'

let made = 0
type On = Pick<Database, 'db'>
/** A plan of a test's own. */
export const aPlan = async ({ db }: On, of: Partial<typeof vip_card.$inferInsert> = {}) =>
  (
    await db
      .insert(vip_card)
      .values({
        name: `卡Q${++made}`,
        kind: 'custom',
        days: 30,
        price_cents: 3000,
        original_cents: 3000,
        benefits: ['price'],
        refund_policy: 'prorate',
        status: 'on',
        sort: sql`(select coalesce(max(sort), 0) + 1 from vip_card)`,
        ...of,
      })
      .returning()
  )[0]!
/** A period that a member has without money, as it is given or activated. */
export const aPeriod = async (
  tx: Db,
  of: { member_id: number; card_id: number; days: number; now: number },
) => {
  const { subscription, ...period } = await openOrExtend(tx, { ...of, how: 'gift' })
  const [row] = await tx
    .insert(vip_card_order)
    .values({
      order_no: `VTQ${++made}`,
      member_id: of.member_id,
      card_id: of.card_id,
      subscription_id: subscription.id,
      kind: 'gift',
      days: of.days,
      pay_cents: 0,
      refund_policy: 'prorate',
      ...period,
    })
    .returning()
  return row!
}
export const membershipsOf = ({ db }: On, member_id: number) =>
  db.select().from(vip_subscription).where(eq(vip_subscription.member_id, member_id))

/** A coupon that may come with a plan. */
export const aGift = async (
  { db }: On,
  of: Partial<Pick<typeof coupon.$inferInsert, 'status' | 'total' | 'claimed_count'>> = {},
) => {
  const now = unixNow()
  const n = `Q${++made}`
  const [row] = await db
    .insert(coupon)
    .values({
      coupon_no: `VG${n}`,
      name: `礼券${n}`,
      scope: 'local',
      kind: 'full_reduce',
      face_cents: 1000,
      threshold_cents: 100,
      apply_kind: 'all',
      apply_ids: [],
      exclude_ids: [],
      city_ids: [],
      weekdays: [],
      level_ids: [],
      platform_share_bp: 10_000,
      merchant_share_bp: 0,
      total: 100,
      claim_kind: 'claim',
      claim_start_at: now - DAY,
      claim_end_at: now + DAY,
      valid_kind: 'days_after',
      valid_days: 30,
      status: 'active',
      ...of,
    })
    .returning()
  return row!
}
