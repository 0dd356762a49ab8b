import { eq, sql } from 'drizzle-orm'
import { openOrExtend } from '#src/areas/vipCard/subscriptions.server.ts'
import { vip_card, vip_card_order, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
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
        name: `卡${process.pid}-${++made}`,
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
      order_no: `VT${process.pid}-${++made}`,
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
