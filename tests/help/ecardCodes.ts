import { asc, eq } from 'drizzle-orm'
import { addFree } from '#src/areas/ecard/codeChange.server.ts'
import { makeCodes, type Code } from '#src/areas/ecard/codeMaking.server.ts'
import { ecard, ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { CODE_KEYS } from '../farm/codeKeys.ts'

/** What hides and finds codes in the tests' databases. */
export const sealerFor = ({ db }: Pick<Database, 'db'>): Promise<Sealer> =>
  sealerOf(openKeyFile(CODE_KEYS), db)
let made = 0
const n = () => `90417${String(++made).padStart(4, '0')}`
export type Faced = { card: typeof ecard.$inferSelect; face: typeof ecard_attr.$inferSelect }
/** A card of a test's own with one face of 100 yuan: imported codes, of which it has none. */
export const facedCard = async (
  { db }: Pick<Database, 'db'>,
  of: Partial<typeof ecard.$inferInsert> = {},
  face: Partial<typeof ecard_attr.$inferInsert> = {},
): Promise<Faced> => {
  const [shop] = await db
    .select({ store, merchant })
    .from(store)
    .innerJoin(merchant, eq(merchant.id, store.merchant_id))
    .orderBy(asc(store.id))
    .limit(1)
  const [card] = await db
    .insert(ecard)
    .values({
      name: `测试卡${n()}`,
      type: 'stored',
      merchant_id: shop!.merchant.id,
      store_id: shop!.store.id,
      city_id: shop!.store.city_id,
      mall_id: shop!.store.mall_id,
      source: 'import',
      valid_type: 'none',
      scope: { mall_ids: [], store_ids: [], category_ids: [] },
      limits: { order: null, day: null, person: null },
      refund_rule: 'unused',
      state: 'on',
      ...of,
    })
    .returning()
  const [attr] = await db
    .insert(ecard_attr)
    .values({
      card_id: card!.id,
      face_cents: 100_00,
      price_cents: 100_00,
      status: 'on',
      ...face,
    })
    .returning()
  return { card: card!, face: attr! }
}
/** So many free codes of a face, counted. */
export const freeCodes = (
  database: Database,
  { face }: Pick<Faced, 'face'>,
  count: number,
): Promise<number[]> =>
  database.transaction(async tx => {
    const ids = await makeCodes(tx, await sealerFor({ db: tx }), {
      face,
      batch_no: `T${n()}`,
      n: count,
      now: unixNow(),
    })
    await addFree(tx, face.id, ids.length)
    return ids
  })
export const codeRow = async ({ db }: Pick<Database, 'db'>, id: number): Promise<Code> =>
  (await db.select().from(ecard_code).where(eq(ecard_code.id, id)))[0]!
/** An order number that no order has: codes don't refer to orders. */
export const orderNo = (): number => 1_500_000_000 + Number(n().slice(-7))
