import { asc, eq } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import {
  embeddedContracts,
  type EmbeddedContracts,
} from '#src/areas/payment/embeddedContract.channel.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { placePlan, type BuyingPlan } from '#src/areas/vipCard/orderPlacing.server.ts'
import { vip_charge } from '#src/areas/vipCard/renewal.table.ts'
import { beginCharges, sendCharges, sendContracts } from '#src/areas/vipCard/renewals.server.ts'
import { vip_card_order, vip_subscription } from '#src/areas/vipCard/vipCard.table.ts'
import { giveBackPlan, type GivingBack } from '#src/areas/vipCard/vipRefunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'

type On = Pick<Database, 'db' | 'transaction'>
let keys = 0
export const purchase = async ({ db }: Pick<Database, 'db'>, id: number) =>
  (await db.select().from(vip_card_order).where(eq(vip_card_order.id, id)))[0]!
export const orderAt = async ({ db }: Pick<Database, 'db'>, id: number) =>
  (await db.select().from(order).where(eq(order.id, id)))[0]!
export const place = (database: On, of: Omit<BuyingPlan, 'now'> & { now?: number }) =>
  database.transaction(tx => placePlan(tx, { proved: true, now: unixNow(), ...of }))
/** Places and pays an order of a plan; answers its purchase. */
export const buy = async (database: On, of: Omit<BuyingPlan, 'now'> & { now?: number }) => {
  const { made, bought } = await place(database, of)
  await database.transaction(tx => payOrder(tx, made.id, of.now ?? unixNow()))
  return purchase(database, bought.id)
}
/** Gives a purchase back as staff with every limit. */
export const giveBack = (
  database: On,
  vip_order_id: number,
  of: Partial<GivingBack> & { now?: number } = {},
) =>
  database.transaction(tx =>
    giveBackPlan(tx, {
      vip_order_id,
      reason: '测试退款',
      leaving: false,
      actor: { type: 'staff', id: 1 },
      by: { id: 1, limit_cents: 100_000_000 },
      idem_key: `vq${++keys}`,
      now: unixNow(),
      ...of,
    }),
  )
/** A channel whose clock is the test's. */
export const contractsAt = (database: Database, now: () => number): EmbeddedContracts =>
  embeddedContracts(database, { now })
/** One turn of the clock that renews. */
export const renewTurn = async (database: Database, channel: EmbeddedContracts, now: number) => {
  await sendContracts(database, channel, now)
  await beginCharges(database, { now, channel: 'embedded' })
  await sendCharges(database, channel, now)
}
export const chargesOf = ({ db }: Pick<Database, 'db'>, subscription_id: number) =>
  db
    .select()
    .from(vip_charge)
    .where(eq(vip_charge.subscription_id, subscription_id))
    .orderBy(asc(vip_charge.id))
export const subscriptionOf = async ({ db }: Pick<Database, 'db'>, id: number) =>
  (await db.select().from(vip_subscription).where(eq(vip_subscription.id, id)))[0]!
