import { asc, eq, sql } from 'drizzle-orm'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { placeCards, type BuyingCards } from '#src/areas/ecard/orderPlacing.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { FIRST } from './counted.ts'
import { aCard, aFace, type Card, type CardFace } from './ecard.ts'
import { sealerFor } from './ecardCodes.ts'

let made = FIRST
/** A member of a test's own. */
export const aBuyer = async ({ db }: Pick<Database, 'db'>, city_id = 1) =>
  (
    await db
      .insert(member)
      .values({
        uid: `ECQ${++made}`,
        nickname: `购卡人${made}`,
        phone: `157${String(90_400_000 + made).padStart(8, '0')}`,
        city_id,
        register_at: unixNow() - 1000,
      })
      .returning()
  )[0]!
/** A card of a merchant that trades, with one face. */
export const aSold = async (
  database: Database,
  card: Parameters<typeof aCard>[1] = {},
  face: Partial<Parameters<typeof aFace>[1]> = {},
): Promise<{ card: Card; face: CardFace }> => {
  const [trading] = await database.db
    .select({ id: merchant.id })
    .from(merchant)
    .where(
      sql`${merchant.status} = 'active' and exists (select 1 from store s where s.merchant_id = ${merchant.id} and s.status = 'open')`,
    )
    .orderBy(asc(merchant.id))
    .limit(1)
  const one = await aCard(database, { merchant_id: trading!.id, gift: true, ...card })
  return { card: one, face: await aFace(database, { card_id: one.id, ...face }) }
}
export const orderOf = async ({ db }: Pick<Database, 'db'>, id: number): Promise<Order> =>
  (await db.select().from(order).where(eq(order.id, id)))[0]!
/** Places an order of cards as its buyer does. */
export const orderCards = (
  database: Database,
  of: Omit<BuyingCards, 'now'> & { now?: number },
): Promise<Order> =>
  database.transaction(async tx =>
    placeCards(tx, await sealerFor({ db: tx }), { proved: true, now: unixNow(), ...of }),
  )
/** The same, paid. Answers the order as it is then. */
export const buyCards = async (
  database: Database,
  of: Omit<BuyingCards, 'now'> & { now?: number },
): Promise<Order> => {
  const row = await orderCards(database, of)
  await database.transaction(tx => payOrder(tx, row.id, of.now ?? unixNow()))
  return orderOf(database, row.id)
}
export const codesOf = ({ db }: Pick<Database, 'db'>, order_id: number) =>
  db.select().from(ecard_code).where(eq(ecard_code.order_id, order_id)).orderBy(asc(ecard_code.id))
