import { eq } from 'drizzle-orm'
import { ecard, ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import type { Database } from '#src/server/db/database.ts'

let made = 0
const n = () => `90417${String(++made).padStart(4, '0')}`
type Db = Pick<Database, 'db'>
export type Card = typeof ecard.$inferSelect
export type CardFace = typeof ecard_attr.$inferSelect
/** A card of a test's own that is on sale and makes its codes; good for its issuer's stores. */
export const aCard = async (
  { db }: Db,
  of: Partial<typeof ecard.$inferInsert> = {},
): Promise<Card> => {
  const [issuer] = await db.select().from(store).where(eq(store.status, 'open')).limit(1)
  const [row] = await db
    .insert(ecard)
    .values({
      name: `测试卡${n()}`,
      type: 'stored',
      merchant_id: issuer!.merchant_id,
      store_id: issuer!.id,
      city_id: issuer!.city_id,
      mall_id: issuer!.mall_id,
      source: 'generate',
      valid_type: 'none',
      scope: { mall_ids: [], store_ids: [issuer!.id], category_ids: [] },
      limits: { order: null, day: null, person: null },
      refund_rule: 'unused',
      agreement: '购卡协议',
      state: 'on',
      ...of,
    })
    .returning()
  return row!
}
/** A face of a card, on sale at its face of 100 yuan unless said otherwise. */
export const aFace = async (
  { db }: Db,
  of: Partial<typeof ecard_attr.$inferInsert> & { card_id: number },
): Promise<CardFace> => {
  const face_cents = of.face_cents ?? 100_00
  const [row] = await db
    .insert(ecard_attr)
    .values({ face_cents, price_cents: face_cents, status: 'on', ...of })
    .returning()
  return row!
}
